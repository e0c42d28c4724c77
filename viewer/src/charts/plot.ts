// One chart: uPlot with a cursor that is the time of the animation, and our own gestures.

import uPlot from "uplot";
import type { Playback } from "../playback";
import { cssColour } from "../ui/theme";
import { digitsFor, logTicks, reading, tickBase, ticks } from "../ui/numbers";
import { h, setText } from "../ui/dom";
import { gestures } from "./gestures";
import type { TimeRange } from "./axis";
import type { Drawing } from "./drawing";
import { paths, type Style } from "./path";
import { logRange, logSplits, padded, spacing } from "./scale";

export type Values = ArrayLike<number | null>;

export interface Curve {
  name: string;
  unit: string;
  colour: string;
  style?: Style;
  /** Whether a curve below it shows through. */
  dashed?: boolean;
  /** Its values as text; by default with four decimals. */
  text?: (value: number) => string;
}

export interface PlotOptions {
  curves: Curve[];
  /** Times, then one list per curve. */
  data: () => [ArrayLike<number>, ...Values[]];
  log?: boolean;
  /** Title of the axis where there is only one. */
  label?: string;
  /** Times with a line across, such as events. */
  marks?: () => number[];
  /** Least the axis reaches to, such as 0 for counts. */
  from?: number;
  /** Axes on the right to leave room for, because a chart above or below has them. */
  right?: number;
}

/** Width of an axis and of its title, pixels. */
const AXIS = 50;
const LABEL = 18;
/** Least distance of marks on a vertical axis, pixels. */
const MARKS = 28;

export class Plot {
  readonly element = h("div.plot");
  private readonly now = h("div.plot-now", { "aria-hidden": "true" });
  private readonly tip = h("div.plot-tip", { hidden: true });
  private u: uPlot | null = null;
  private width = 0;
  private height = 0;
  /** Corners and dots drawn last, by curve; marks of its axes. */
  private drawn: number[] = [];
  private marks: number[] = [];
  /** What heights were chosen to be shown, by unit. */
  private readonly heights = new Map<string, [number, number]>();
  private readonly forget: () => void;
  private readonly observer: ResizeObserver;

  constructor(
    private options: PlotOptions,
    private readonly range: TimeRange,
    private readonly playback: Playback,
    /** Whether every drag draws a box to zoom to. */
    private readonly boxing: () => boolean = () => false,
  ) {
    this.forget = range.onChange(() => this.applyRange());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
  }

  /** Other curves, or other colours. */
  rebuild(options: PlotOptions = this.options): void {
    this.options = options;
    if (this.width > 0 && this.height > 0) this.build();
  }

  /** The same curves with more numbers. */
  refresh(): void {
    this.u?.setData(this.data(), false);
    this.applyRange();
  }

  destroy(): void {
    this.forget();
    this.observer.disconnect();
    this.u?.destroy();
    this.u = null;
  }

  /** Puts the cursor where the animation is. */
  showTime(): void {
    if (!this.u) return;
    const x = this.u.valToPos(this.playback.time, "x");
    const inside = x >= -0.5 && x <= this.u.over.clientWidth + 0.5;
    this.now.style.opacity = inside ? "1" : "0";
    this.now.style.transform = `translateX(${x.toFixed(2)}px)`;
  }

  /** Place of the cursor in pixels from the left of the plot; for tests. */
  cursor(): number | null {
    return this.u ? this.u.valToPos(this.playback.time, "x") : null;
  }

  /** What was drawn last: corners and dots, marks of axes; for tests. */
  size(): { points: number; ticks: number; width: number; curves: number } {
    const sum = (list: number[]) => list.reduce((s, n) => s + n, 0);
    return { points: sum(this.drawn), ticks: sum(this.marks), width: this.u?.bbox.width ?? 0, curves: this.drawn.length };
  }

  private data(): uPlot.AlignedData {
    return this.options.data() as unknown as uPlot.AlignedData;
  }

  private resize(): void {
    const { clientWidth: w, clientHeight: t } = this.element;
    if (w === 0 || t === 0 || (w === this.width && t === this.height)) return;
    this.width = w;
    this.height = t;
    if (this.u) {
      this.u.setSize({ width: w, height: t });
      this.showTime();
    } else this.build();
  }

  private applyRange(): void {
    if (!this.u) return;
    this.u.setScale("x", { min: this.range.min, max: this.range.max });
    this.showTime();
  }

  private build(): void {
    this.u?.destroy();
    this.u = null;
    const { curves, log, from } = this.options;
    const grid = { stroke: cssColour("--rule"), width: 1 };
    const units = [...new Set(curves.map((c) => c.unit))];
    this.drawn = curves.map(() => 0);
    this.marks = [];
    const scales: uPlot.Scales = { x: { time: false, auto: false, min: this.range.min, max: this.range.max } };
    for (const unit of units) {
      scales[scaleOf(unit)] = log
        ? { distr: 3, log: 10, range: (_, min, max) => logRange(min, max) }
        : { range: (_, min, max) => this.heights.get(unit) ?? padded(min, max, from) };
    }
    const x: uPlot.Axis = {
      stroke: cssColour("--muted"),
      grid,
      ticks: { ...grid, size: 4 },
      font: font(),
      size: 28,
      gap: 4,
      values: (_, v) => this.labels(0, seconds(ticks(v, spacing(v)))),
    };
    this.u = new uPlot(
      {
        width: this.width,
        height: this.height,
        scales,
        axes: [x, ...units.map((unit, k) => this.axis(unit, k, grid, units.length === 1))],
        series: [{}, ...curves.map((c, k) => this.series(c, k))],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { show: false }, sync: { key: "kingpin" } },
        padding: [8, 20 + Math.max(0, (this.options.right ?? 0) - Math.max(0, units.length - 1)) * (AXIS + LABEL), 0, 0],
        hooks: {
          // the place of the cursor is known once the chart is laid out, which uPlot does later
          draw: [(u) => this.drawMarks(u), () => this.showTime()],
          setCursor: [(u) => this.hover(u)],
        },
      },
      this.data(),
      this.element,
    );
    this.u.over.append(this.now, this.tip);
    gestures(this.u.over, this.range, {
      timeAt: (px) => this.u?.posToVal(px, "x") ?? 0,
      scrub: (t) => this.playback.set(t),
      boxing: this.boxing,
      between: (top, bottom) => this.zoomHeights((at) => [at(bottom), at(top)]),
      zoomHeight: (y, factor) => this.zoomHeight(y, factor),
      panHeight: (a, b) => this.heights.size > 0 && this.zoomHeights((at, tall) => [at(tall + a - b), at(a - b)]),
      reset: () => this.resetHeights(),
    });
    this.showTime();
  }

  /** All of the heights again. */
  resetHeights(): void {
    if (this.heights.size === 0) return;
    this.heights.clear();
    this.refresh();
    this.u?.redraw(true, true);
  }

  /** Less height about a place in pixels from the top, or more. */
  zoomHeight(y: number, factor: number): void {
    this.zoomHeights((at, tall) => [at(y + (tall - y) * factor), at(y - y * factor)]);
  }

  /** Chooses the heights shown on every axis; `at` tells the number at some pixels from the top. */
  private zoomHeights(choose: (at: (px: number) => number, tall: number) => [number, number]): void {
    const { u } = this;
    if (!u || this.options.log) return;
    const tall = u.over.clientHeight;
    for (const unit of new Set(this.options.curves.map((c) => c.unit))) {
      const range = choose((px) => u.posToVal(px, scaleOf(unit)), tall);
      if (range[1] - range[0] > 1e-12 * Math.max(Math.abs(range[0]), Math.abs(range[1]))) this.heights.set(unit, range);
    }
    this.refresh();
    u.redraw(true, true);
  }

  /** The least and the greatest number of each axis, for tests and files. */
  shownHeights(): [number, number][] {
    const { u } = this;
    if (!u) return [];
    return [...new Set(this.options.curves.map((c) => c.unit))].map((unit) => [u.scales[scaleOf(unit)].min ?? 0, u.scales[scaleOf(unit)].max ?? 1]);
  }

  /** The chart as it is, for files. */
  snapshot(): Drawing | null {
    if (!this.u) return null;
    const { curves, log } = this.options;
    const [x, ...values] = this.options.data();
    const units = [...new Set(curves.map((c) => c.unit))];
    return {
      width: this.width,
      height: this.height,
      x: { label: "time, s", min: this.range.min, max: this.range.max },
      axes: this.shownHeights().map(([min, max], k) => ({ label: units[k] || "–", min, max, log })),
      curves: curves.map((c, k) => ({ name: c.name, colour: c.colour, dashed: c.dashed, axis: units.indexOf(c.unit), x, y: values[k], rising: true })),
      ink: cssColour("--muted"),
      faint: cssColour("--rule"),
      font: cssColour("--font"),
    };
  }

  /** Labels of an axis, which are counted. */
  private labels(axis: number, list: string[]): string[] {
    this.marks[axis] = list.length;
    return list;
  }

  /** The axis of a unit: the first on the left, others on the right. */
  private axis(unit: string, k: number, grid: { stroke: string; width: number }, only: boolean): uPlot.Axis {
    const { log, label } = this.options;
    const title = only && label ? label : unit === "" ? "–" : unit;
    let base = "";
    const axis: uPlot.Axis = {
      scale: scaleOf(unit),
      side: k === 0 ? 3 : 1,
      stroke: cssColour("--muted"),
      grid: k === 0 ? grid : { show: false },
      ticks: { ...grid, size: 4 },
      font: font(),
      labelFont: font(),
      // uPlot asks for the title after the marks are known
      label: (() => title + base) as unknown as string,
      labelSize: LABEL,
      labelGap: 0,
      gap: 4,
      // always the same, so that charts line up
      size: AXIS,
      space: MARKS,
      values: (_, v) => {
        if (log) return this.labels(k + 1, logTicks(v));
        const step = spacing(v);
        const from = tickBase(v, step);
        base = from === 0 ? "" : `, from ${digitsFor(from, step)}`;
        return this.labels(
          k + 1,
          ticks(
            v.map((x) => x - from),
            step,
          ),
        );
      },
    };
    if (log) {
      axis.splits = (_, __, min, max) => logSplits(min, max, this.height / MARKS);
      axis.filter = (_, v) => v;
    }
    return axis;
  }

  private series(c: Curve, k: number): uPlot.Series {
    const style = c.style ?? "line";
    return {
      scale: scaleOf(c.unit),
      stroke: c.colour,
      fill: style === "points" ? c.colour : undefined,
      width: style === "points" ? 1 : 1.6,
      dash: c.dashed ? [6, 6] : undefined,
      points: { show: false },
      // between pixels: whole ones would make smooth curves wobble
      pxAlign: 0,
      paths: paths(style, (points) => (this.drawn[k] = points)),
    };
  }

  private drawMarks(u: uPlot): void {
    const marks = this.options.marks?.() ?? [];
    if (marks.length === 0) return;
    const { ctx } = u;
    ctx.save();
    ctx.strokeStyle = cssColour("--event");
    ctx.globalAlpha = 0.55;
    ctx.lineWidth = 1;
    ctx.setLineDash([3, 4]);
    ctx.beginPath();
    let last = NaN;
    for (const t of marks) {
      if (t < this.range.min || t > this.range.max) continue;
      const x = Math.round(u.valToPos(t, "x", true)) + 0.5;
      if (x === last) continue;
      last = x;
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  /** Values under the pointer, in a box beside it. */
  private hover(u: uPlot): void {
    const { left, idx, event } = u.cursor;
    const mouse = event instanceof PointerEvent ? event.pointerType === "mouse" : event instanceof MouseEvent;
    if (left === undefined || left < 0 || idx === null || idx === undefined || !mouse || event?.target !== u.over) {
      this.tip.hidden = true;
      return;
    }
    const t = u.data[0][idx];
    const rows = this.options.curves.map((c, k) => ({ c, v: u.data[k + 1][idx] as number | null | undefined }));
    while (this.tip.children.length < rows.length + 1) this.tip.append(h("div"));
    while (this.tip.children.length > rows.length + 1) this.tip.lastChild?.remove();
    setText(this.tip.children[0], `t = ${reading(t)} s`);
    rows.forEach(({ c, v }, k) => {
      const row = this.tip.children[k + 1] as HTMLElement;
      row.style.setProperty("--swatch", c.colour);
      if (row.children.length === 0) row.append(h("span.tip-name"), h("b"));
      setText(row.children[0], c.name);
      setText(row.children[1], `${v === null || v === undefined ? "–" : (c.text ?? reading)(v)} ${c.unit}`);
    });
    this.tip.hidden = false;
    const width = u.over.clientWidth;
    const flip = left > width - this.tip.offsetWidth - 20;
    this.tip.style.transform = `translateX(${flip ? left - this.tip.offsetWidth - 10 : left + 10}px)`;
  }
}

const scaleOf = (unit: string) => `y ${unit}`;
const font = () => `11px ${cssColour("--font")}`;

/** Marks of times, the first with its unit. */
function seconds([first, ...rest]: string[]): string[] {
  return first === undefined ? [] : [`${first} s`, ...rest];
}
