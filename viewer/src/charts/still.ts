// Charts whose x is not the time: one channel over another, and spectra. Drawn anew as SVG; a box zooms.

import { h, setText } from "../ui/dom";
import { reading } from "../ui/numbers";
import { cssColour } from "../ui/theme";
import { drawing, frameOf, type Drawing, type DrawnAxis, type DrawnCurve } from "./drawing";
import { logRange, padded } from "./scale";

export interface StillCurves {
  /** Title of the horizontal axis. */
  label: string;
  curves: (DrawnCurve & { unit: string })[];
  log?: boolean;
  /** The place of the time shown, for each curve. */
  now?: [number, number][];
}

export class StillChart {
  readonly element = h("div.plot.still", { tabindex: "0", role: "img" });
  private readonly sheet = h("div.still-sheet");
  private readonly tip = h("div.plot-tip", { hidden: true });
  private readonly box = h("div.zoom-box", { hidden: true });
  private data: StillCurves = { label: "", curves: [] };
  private shown: Drawing | null = null;
  /** What a box has chosen: x, then one range per axis. */
  private window: [number, number][] | null = null;
  private from: [number, number] | null = null;

  constructor() {
    this.element.append(this.sheet, this.box, this.tip);
    new ResizeObserver(() => this.draw()).observe(this.element);
    const { element } = this;
    element.addEventListener("pointerdown", (e) => this.press(e));
    element.addEventListener("pointermove", (e) => this.move(e));
    element.addEventListener("pointerup", (e) => this.release(e));
    element.addEventListener("pointerleave", () => (this.tip.hidden = true));
    element.addEventListener("dblclick", () => this.reset());
  }

  show(data: StillCurves): void {
    if (data.curves.length !== this.data.curves.length || data.label !== this.data.label) this.window = null;
    this.data = data;
    this.element.setAttribute("aria-label", `${data.curves.map((c) => c.name).join(", ")} over ${data.label}`);
    this.draw();
  }

  reset(): void {
    this.window = null;
    this.draw();
  }

  /** The chart as it is, for files. */
  snapshot(): Drawing | null {
    return this.shown;
  }

  private units(): string[] {
    return [...new Set(this.data.curves.map((c) => c.unit))];
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const { curves, label, log } = this.data;
    const units = this.units();
    const range = (lists: ArrayLike<number | null>[], k: number): [number, number] => {
      if (this.window) return this.window[k];
      const [min, max] = bounds(lists, log === true && k > 0);
      return log && k > 0 ? logRange(min, max) : k === 0 && log ? [min ?? 0, max ?? 1] : padded(min, max);
    };
    const axis = (title: string, [min, max]: [number, number], logarithmic: boolean): DrawnAxis => ({ label: title, min, max, log: logarithmic });
    this.shown = {
      width,
      height,
      x: axis(
        label,
        range(
          curves.map((c) => c.x),
          0,
        ),
        false,
      ),
      axes: units.map((unit, k) =>
        axis(
          unit || "–",
          range(
            curves.filter((c) => c.unit === unit).map((c) => c.y),
            k + 1,
          ),
          log === true,
        ),
      ),
      curves: curves.map((c) => ({ ...c, axis: units.indexOf(c.unit) })),
      ink: cssColour("--muted"),
      faint: cssColour("--rule"),
      font: cssColour("--font"),
    };
    this.sheet.innerHTML = curves.length > 0 ? drawing(this.shown) : "";
    this.dots();
  }

  /** Dots where the time is. */
  dots(now = this.data.now): void {
    this.data.now = now;
    const svg = this.sheet.firstElementChild;
    const d = this.shown;
    if (!svg || !d) return;
    svg.querySelectorAll(".now").forEach((e) => e.remove());
    now?.forEach(([x, y], k) => {
      const f = frameOf(d, d.curves[k].axis);
      if (!Number.isFinite(x + y)) return;
      const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      for (const [key, v] of Object.entries({ class: "now", cx: f.x(x), cy: f.y(y), r: 4.5, fill: d.curves[k].colour, "clip-path": "url(#inside)" }))
        dot.setAttribute(key, String(v));
      svg.append(dot);
    });
  }

  private place(e: PointerEvent): [number, number] {
    const r = this.element.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  }

  private press(e: PointerEvent): void {
    if (e.button !== 0) return;
    this.from = this.place(e);
    this.element.setPointerCapture(e.pointerId);
  }

  private move(e: PointerEvent): void {
    const at = this.place(e);
    if (this.from) {
      const [x, y] = [Math.min(at[0], this.from[0]), Math.min(at[1], this.from[1])];
      this.box.hidden = false;
      this.box.style.cssText = `left:${x}px;top:${y}px;width:${Math.abs(at[0] - this.from[0])}px;height:${Math.abs(at[1] - this.from[1])}px`;
      return;
    }
    this.hover(at);
  }

  private release(e: PointerEvent): void {
    const [from, to] = [this.from, this.place(e)];
    this.from = null;
    this.box.hidden = true;
    const d = this.shown;
    if (!from || !d || Math.abs(to[0] - from[0]) < 6 || Math.abs(to[1] - from[1]) < 6) return;
    const f = frameOf(d, 0);
    const part = (v: number, low: number, high: number) => Math.max(0, Math.min(1, (v - low) / (high - low)));
    const between = ({ min, max, log }: DrawnAxis, p: number) => (log ? min * (max / min) ** p : min + p * (max - min));
    const sorted = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);
    this.window = [
      sorted(between(d.x, part(from[0], f.left, f.right)), between(d.x, part(to[0], f.left, f.right))),
      ...d.axes.map((axis) => sorted(between(axis, part(from[1], f.bottom, f.top)), between(axis, part(to[1], f.bottom, f.top)))),
    ];
    this.draw();
  }

  /** The nearest number to the pointer. */
  private hover([px, py]: [number, number]): void {
    const d = this.shown;
    if (!d) return;
    let best = 30;
    let text = "";
    d.curves.forEach((c, k) => {
      const f = frameOf(d, c.axis);
      for (let i = 0; i < c.x.length; i++) {
        const v = c.y[i];
        if (v === null) continue;
        const away = Math.hypot(f.x(c.x[i]) - px, f.y(v) - py);
        if (away >= best) continue;
        best = away;
        text = `${c.name}: ${reading(v)} ${this.data.curves[k].unit} at ${reading(c.x[i])} ${d.x.label.split(", ").pop() ?? ""}`;
      }
    });
    this.tip.hidden = text === "";
    setText(this.tip, text);
    this.tip.style.transform = `translate(${Math.min(px + 10, this.element.clientWidth - 240)}px, ${py}px)`;
  }
}

function bounds(lists: ArrayLike<number | null>[], positive: boolean): [number | null, number | null] {
  let [min, max] = [Infinity, -Infinity];
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const v = list[i];
      if (v === null || !Number.isFinite(v) || (positive && !(v > 0))) continue;
      if (v < min) min = v;
      if (v > max) max = v;
    }
  }
  return min <= max ? [min, max] : [null, null];
}
