// A sparsity pattern: both triangles, what elimination adds in colour, names under the pointer.

import type { Pattern } from "../data";
import { h, setText } from "../ui/dom";
import { cellText } from "../ui/numbers";
import { cssColour } from "../ui/theme";

export class SparsityView {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { role: "img" });
  private readonly where = h("p.where", { "aria-live": "polite" });
  private readonly kinds = new Map<number, "entry" | "fill">();

  constructor(private readonly pattern: Pattern) {
    const { size, entries, fill = [], title, note } = pattern;
    for (let k = 0; k + 1 < entries.length; k += 2) this.kinds.set(this.key(entries[k], entries[k + 1]), "entry");
    for (let k = 0; k + 1 < fill.length; k += 2) this.kinds.set(this.key(fill[k], fill[k + 1]), "fill");
    const lower = size + entries.length / 2 + fill.length / 2;
    const facts = [`${cellText(size)} × ${cellText(size)}`, `${cellText(lower)} in the lower triangle`];
    if (fill.length > 0) facts.push(`${cellText(fill.length / 2)} of them fill`);
    this.canvas.setAttribute("aria-label", `${title}: ${facts.join(", ")}`);
    this.element = h(
      "figure.sparsity",
      {},
      h("figcaption", {}, h("strong", {}, title), h("span", {}, facts.join(" · ")), note ? h("span", {}, note) : null),
      h("div.square", {}, this.canvas),
      this.where,
    );
    // a handful of blocks need no large picture
    this.element.style.maxWidth = `${Math.max(220, Math.min(460, 44 * size))}px`;
    setText(this.where, "\u00a0");
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.canvas.addEventListener("pointermove", (e) => this.hover(e));
    this.canvas.addEventListener("pointerleave", () => setText(this.where, "\u00a0"));
  }

  private key(i: number, j: number): number {
    return Math.max(i, j) * this.pattern.size + Math.min(i, j);
  }

  draw(): void {
    const c = this.canvas.getContext("2d");
    const side = Math.round(this.canvas.clientWidth * Math.min(2, window.devicePixelRatio));
    if (!c || side === 0) return;
    if (this.canvas.width !== side) this.canvas.width = this.canvas.height = side;
    c.clearRect(0, 0, side, side);
    const n = this.pattern.size;
    const cell = side / n;
    const gap = cell > 8 ? Math.max(1, 0.12 * cell) : 0;
    const s = Math.max(1.4, cell - gap);
    const put = (i: number, j: number) => c.fillRect(j * cell + gap / 2, i * cell + gap / 2, s, s);
    c.fillStyle = cssColour("--node");
    for (let i = 0; i < n; i++) put(i, i);
    const both = (list: number[]) => {
      for (let k = 0; k + 1 < list.length; k += 2) {
        put(list[k], list[k + 1]);
        put(list[k + 1], list[k]);
      }
    };
    both(this.pattern.entries);
    c.fillStyle = cssColour("--event");
    both(this.pattern.fill ?? []);
  }

  private hover(e: PointerEvent): void {
    const n = this.pattern.size;
    const i = Math.floor((e.offsetY / this.canvas.clientHeight) * n);
    const j = Math.floor((e.offsetX / this.canvas.clientWidth) * n);
    if (i < 0 || j < 0 || i >= n || j >= n) return;
    const name = (k: number) => this.pattern.labels?.[k] ?? String(k + 1);
    const kind = i === j ? "diagonal" : (this.kinds.get(this.key(i, j)) ?? "zero");
    setText(this.where, i === j ? name(i) : `${name(i)} × ${name(j)}: ${kind}`);
  }
}
