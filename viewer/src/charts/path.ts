// Curves as paths: reduced to what the pixels can show, at places between pixels, with room for gaps.

import type uPlot from "uplot";

type Places = ArrayLike<number>;
type Numbers = ArrayLike<number | null | undefined>;

/** A chart in pixels of its canvas. */
export interface Frame {
  x: (t: number) => number;
  y: (value: number) => number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Whether what is too small, zero included, lies at the bottom, as on logarithmic axes. */
  log: boolean;
}

/** Where lines go; a curve that is broken begins anew. */
export interface Pen {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
}

/** How far beyond its edges a chart is drawn, pixels. */
const BEYOND = 40;
/** Squares of which one shows one dot, pixels. */
const CELL = 3;

const height = (v: number, f: Frame): number => {
  if (f.log && !(v > 0)) return f.bottom;
  const y = f.y(v);
  if (f.log && y > f.bottom) return f.bottom;
  const room = 20 * (f.bottom - f.top);
  return y < f.top - room ? f.top - room : Math.min(y, f.bottom + room);
};

/**
 * Draws a curve with at most four corners per column of pixels: where it enters and leaves the column, and its
 * highest and lowest place there. `held` draws steps: a value holds from the time before its own.
 */
export function trace(t: Places, values: Numbers, from: number, to: number, f: Frame, pen: Pen, held = false): void {
  const column = new Column(f, pen);
  let before: [number, number] | null = null;
  for (let i = Math.max(0, from); i <= to && i < t.length; i++) {
    const v = values[i];
    if (v === null || v === undefined || !Number.isFinite(v)) {
      column.gap();
      before = null;
      continue;
    }
    const x = f.x(t[i]);
    const y = height(v, f);
    if (held && before) column.add(before[0], y, before);
    column.add(x, y, held && before ? [before[0], y] : before);
    before = [x, y];
    if (x > f.right + BEYOND) break;
  }
  column.end();
}

/** Gathers the corners of one column after the other. */
class Column {
  private at = NaN;
  private count = 0;
  private firstX = 0;
  private firstY = 0;
  private lastX = 0;
  private lastY = 0;
  private lowX = 0;
  private lowY = 0;
  private highX = 0;
  private highY = 0;
  /** Corners since the last gap. */
  private drawn = 0;
  /** Whether values were missing since the last corner. */
  private broken = false;

  constructor(
    private readonly f: Frame,
    private readonly pen: Pen,
  ) {}

  /** A corner; `before` is the one before it, or null after a gap. */
  add(x: number, y: number, before: [number, number] | null): void {
    const { left, right } = this.f;
    // lines from far outside are cut at the edge, where numbers are still exact
    if (x < left - BEYOND) return;
    if (before && before[0] < left - BEYOND) this.put(left - BEYOND, cut(before, [x, y], left - BEYOND));
    if (x > right + BEYOND) {
      if (before && before[0] <= right + BEYOND) this.put(right + BEYOND, cut(before, [x, y], right + BEYOND));
      return;
    }
    this.put(x, y);
  }

  /** Values are missing. What is less wide than a column cannot be seen. */
  gap(): void {
    this.broken = true;
  }

  end(): void {
    this.flush();
    // a lone value is a dot
    if (this.drawn === 1) this.pen.line(this.lastX + 0.5, this.lastY);
    this.drawn = 0;
  }

  private put(x: number, y: number): void {
    const at = Math.floor(x);
    if (at !== this.at) {
      if (this.broken) this.end();
      else this.flush();
      this.at = at;
      this.firstX = this.lowX = this.highX = x;
      this.firstY = this.lowY = this.highY = y;
    }
    if (y > this.lowY) {
      this.lowY = y;
      this.lowX = x;
    }
    if (y < this.highY) {
      this.highY = y;
      this.highX = x;
    }
    this.lastX = x;
    this.lastY = y;
    this.broken = false;
    this.count++;
  }

  private flush(): void {
    if (this.count === 0) return;
    this.draw(this.firstX, this.firstY);
    if (this.count > 1) {
      const lowFirst = this.lowX < this.highX;
      const inner = (x: number, y: number) => {
        if (y !== this.firstY && y !== this.lastY) this.draw(x, y);
      };
      if (lowFirst) inner(this.lowX, this.lowY);
      inner(this.highX, this.highY);
      if (!lowFirst) inner(this.lowX, this.lowY);
      this.draw(this.lastX, this.lastY);
    }
    this.count = 0;
  }

  private draw(x: number, y: number): void {
    if (this.drawn === 0) this.pen.move(x, y);
    else this.pen.line(x, y);
    this.drawn++;
  }
}

/** Height of a line at x. */
function cut(a: [number, number], b: [number, number], x: number): number {
  const f = (x - a[0]) / (b[0] - a[0]);
  return a[1] + f * (b[1] - a[1]);
}

/** Dots, one in a small square: more would hide each other. */
export function dots(t: Places, values: Numbers, from: number, to: number, f: Frame, put: (x: number, y: number) => void): void {
  let column = NaN;
  const rows = new Set<number>();
  for (let i = Math.max(0, from); i <= to && i < t.length; i++) {
    const v = values[i];
    if (v === null || v === undefined || !Number.isFinite(v)) continue;
    const x = f.x(t[i]);
    if (x < f.left - CELL || x > f.right + CELL) continue;
    const y = height(v, f);
    const at = Math.floor(x / CELL);
    if (at !== column) rows.clear();
    column = at;
    const row = Math.floor(y / CELL);
    if (rows.has(row)) continue;
    rows.add(row);
    put(x, y);
  }
}

/** The frame of a series of a chart. */
function frameOf(u: uPlot, k: number): Frame {
  const scale = u.series[k].scale ?? "";
  const { left, top, width, height: tall } = u.bbox;
  return {
    x: (t) => u.valToPos(t, "x", true),
    y: (v) => u.valToPos(v, scale, true),
    left,
    right: left + width,
    top,
    bottom: top + tall,
    log: u.scales[scale].distr === 3,
  };
}

export type Style = "line" | "step" | "points";

/** Builds paths for uPlot; tells how many corners or dots there were. */
export function paths(style: Style, count: (points: number) => void): uPlot.Series.PathBuilder {
  return (u, k, from, to) => {
    const f = frameOf(u, k);
    const path = new Path2D();
    const t = u.data[0];
    const values = u.data[k] as Numbers;
    let points = 0;
    if (style === "points") {
      const r = 3 * (u.width > 0 ? u.ctx.canvas.width / u.width : 1);
      dots(t, values, from, to, f, (x, y) => {
        points++;
        path.moveTo(x + r, y);
        path.arc(x, y, r, 0, 2 * Math.PI);
      });
    } else {
      trace(
        t,
        values,
        from,
        to,
        f,
        {
          move: (x, y) => (points++, path.moveTo(x, y)),
          line: (x, y) => (points++, path.lineTo(x, y)),
        },
        style === "step",
      );
    }
    count(points);
    return { stroke: path, fill: style === "points" ? path : null, clip: null, band: null, flags: 1 };
  };
}
