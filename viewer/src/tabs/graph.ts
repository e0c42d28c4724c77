// The graph of bodies and joints, to be moved and zoomed.

import type { Topology } from "../data";
import { h, perFrame, setText } from "../ui/dom";
import { many } from "../ui/numbers";
import { cssColour } from "../ui/theme";
import { layout, type Places } from "./layout";

export class GraphView {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { role: "img" });
  private readonly tip = h("div.body-tip", { hidden: true });
  private places: Places | null = null;
  private readonly degree: Int32Array;
  private scale: [number, number] = [1, 1];
  private offset: [number, number] = [0, 0];
  private hovered = -1;
  private ratio = 1;

  constructor(private readonly topology: Topology) {
    this.degree = new Int32Array(topology.nodes.length);
    for (const e of topology.edges) {
      this.degree[e.nodes[0]]++;
      this.degree[e.nodes[1]]++;
    }
    this.canvas.setAttribute("aria-label", `Graph of ${many(topology.nodes.length, "body", "bodies")} and ${many(topology.edges.length, "joint")}`);
    this.element = h("div.graph", {}, this.canvas, this.tip);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.listen();
  }

  readonly redraw = perFrame(() => this.draw());

  private resize(): void {
    const { clientWidth: w, clientHeight: t } = this.element;
    if (w === 0 || t === 0) return;
    this.ratio = Math.min(2, window.devicePixelRatio);
    this.canvas.width = Math.round(w * this.ratio);
    this.canvas.height = Math.round(t * this.ratio);
    if (!this.places) {
      this.places = layout({ size: this.topology.nodes.length, edges: this.topology.edges.map((e) => e.nodes) }, w / t);
    }
    this.fit(w, t);
    this.draw();
  }

  private fit(w: number, t: number): void {
    if (!this.places || this.places.x.length === 0) return;
    const { x, y } = this.places;
    const [x0, x1] = bounds(x);
    const [y0, y1] = bounds(y);
    const margin = this.topology.nodes.length <= 80 ? 46 : 24;
    const across = (w - 2 * margin) / (x1 - x0 || 1);
    const down = (t - 2 * margin) / (y1 - y0 || 1);
    // distances mean little: fill the room, within reason
    this.scale = [Math.min(across, 1.8 * down), Math.min(down, 1.8 * across)];
    this.offset = [w / 2 - (this.scale[0] * (x0 + x1)) / 2, t / 2 - (this.scale[1] * (y0 + y1)) / 2];
  }

  private at(i: number): [number, number] {
    const p = this.places;
    return p ? [p.x[i] * this.scale[0] + this.offset[0], p.y[i] * this.scale[1] + this.offset[1]] : [0, 0];
  }

  private radius(i: number): number {
    const n = this.topology.nodes.length;
    const base = n <= 80 ? 6 : n <= 400 ? 4 : 2;
    return base + (n <= 400 ? Math.min(8, 1.1 * Math.max(0, this.degree[i] - 2)) : 0);
  }

  private draw(): void {
    const c = this.canvas.getContext("2d");
    if (!c || !this.places) return;
    const { nodes, edges } = this.topology;
    const n = nodes.length;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const kinds = { joint: cssColour("--line"), driver: cssColour("--event"), fixed: cssColour("--accent") };
    for (const kind of ["joint", "driver", "fixed"] as const) {
      c.strokeStyle = kinds[kind];
      c.lineWidth = kind === "joint" ? 1.4 : 1.8;
      c.setLineDash(kind === "fixed" ? [4, 3] : []);
      c.beginPath();
      for (const e of edges) {
        if ((e.kind ?? "joint") !== kind) continue;
        const [a, b] = e.nodes;
        if (n <= 400 && (a === this.hovered || b === this.hovered)) continue;
        c.moveTo(...this.at(a));
        c.lineTo(...this.at(b));
      }
      c.stroke();
    }
    c.setLineDash([]);
    if (this.hovered >= 0) {
      c.strokeStyle = cssColour("--accent");
      c.lineWidth = 2.2;
      c.beginPath();
      for (const e of edges) {
        if (!e.nodes.includes(this.hovered)) continue;
        c.moveTo(...this.at(e.nodes[0]));
        c.lineTo(...this.at(e.nodes[1]));
      }
      c.stroke();
    }
    const fill = cssColour("--node");
    const accent = cssColour("--accent");
    const text = cssColour("--text");
    const paper = cssColour("--panel");
    for (let i = 0; i < n; i++) {
      const [x, y] = this.at(i);
      const r = this.radius(i);
      const kind = nodes[i].kind ?? "body";
      c.beginPath();
      if (kind === "ground") c.rect(x - r - 1, y - r - 1, 2 * r + 2, 2 * r + 2);
      else c.arc(x, y, r, 0, 2 * Math.PI);
      c.fillStyle = kind === "ground" ? text : kind === "virtual" ? paper : i === this.hovered ? accent : fill;
      c.fill();
      if (kind === "virtual") {
        c.strokeStyle = accent;
        c.lineWidth = 1.6;
        c.stroke();
      }
    }
    if (n > 80) return;
    if (edges.length <= 10) this.nameEdges(c);
    c.font = `11.5px ${cssColour("--font")}`;
    c.textAlign = "center";
    c.lineJoin = "round";
    for (let i = 0; i < n; i++) {
      const [x, y] = this.at(i);
      const below = y + this.radius(i) + 13;
      c.strokeStyle = paper;
      c.lineWidth = 3.5;
      c.strokeText(nodes[i].name, x, below);
      c.fillStyle = text;
      c.fillText(nodes[i].name, x, below);
    }
  }

  /** Names of joints at the middle of their lines, where there are few. */
  private nameEdges(c: CanvasRenderingContext2D): void {
    c.font = `11px ${cssColour("--font")}`;
    c.textAlign = "center";
    c.lineJoin = "round";
    c.lineWidth = 4;
    c.strokeStyle = cssColour("--panel");
    c.fillStyle = cssColour("--muted");
    for (const e of this.topology.edges) {
      const [x1, y1] = this.at(e.nodes[0]);
      const [x2, y2] = this.at(e.nodes[1]);
      c.strokeText(e.name, (x1 + x2) / 2, (y1 + y2) / 2 + 4);
      c.fillText(e.name, (x1 + x2) / 2, (y1 + y2) / 2 + 4);
    }
  }

  private listen(): void {
    let drag: [number, number] | null = null;
    this.canvas.addEventListener("pointerdown", (e) => {
      drag = [e.offsetX, e.offsetY];
      this.canvas.setPointerCapture(e.pointerId);
    });
    this.canvas.addEventListener("pointerup", () => (drag = null));
    this.canvas.addEventListener("pointermove", (e) => {
      if (drag) {
        this.offset = [this.offset[0] + e.offsetX - drag[0], this.offset[1] + e.offsetY - drag[1]];
        drag = [e.offsetX, e.offsetY];
        this.redraw();
      } else this.hover(e.offsetX, e.offsetY);
    });
    this.canvas.addEventListener("pointerleave", () => this.hover(-1e6, 0));
    this.canvas.addEventListener("dblclick", () => {
      this.fit(this.element.clientWidth, this.element.clientHeight);
      this.redraw();
    });
    this.canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        const f = Math.exp(-0.0016 * e.deltaY);
        this.offset = [e.offsetX - f * (e.offsetX - this.offset[0]), e.offsetY - f * (e.offsetY - this.offset[1])];
        this.scale = [f * this.scale[0], f * this.scale[1]];
        this.redraw();
      },
      { passive: false },
    );
  }

  private hover(px: number, py: number): void {
    let best = 14;
    let found = -1;
    for (let i = 0; i < this.topology.nodes.length; i++) {
      const [x, y] = this.at(i);
      const d = Math.hypot(x - px, y - py) - this.radius(i);
      if (d < best) {
        best = d;
        found = i;
      }
    }
    this.tip.hidden = found < 0;
    if (found >= 0) {
      const joints = this.topology.edges.filter((e) => e.nodes.includes(found)).map((e) => e.name);
      const list = joints.length > 8 ? [...joints.slice(0, 8), `${joints.length - 8} more`] : joints;
      setText(this.tip, `${this.topology.nodes[found].name}: ${list.join(", ") || "no joints"}`);
      this.tip.style.transform = `translate(${Math.min(px + 12, Math.max(0, this.element.clientWidth - 260))}px, ${py + 12}px)`;
    }
    if (found === this.hovered) return;
    this.hovered = found;
    this.redraw();
  }
}

function bounds(values: Float64Array): [number, number] {
  let lo = Infinity;
  let hi = -Infinity;
  for (const v of values) {
    lo = Math.min(lo, v);
    hi = Math.max(hi, v);
  }
  return [lo, hi];
}
