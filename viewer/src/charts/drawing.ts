// A chart as SVG: for files, and for charts whose x is not the time.

import { logTicks, ticks } from "../ui/numbers";
import { trace, type Frame } from "./path";
import { logSplits } from "./scale";
import type { Values } from "./plot";

export interface DrawnAxis {
  label: string;
  min: number;
  max: number;
  log?: boolean;
}

export interface DrawnCurve {
  name: string;
  colour: string;
  /** Whether a curve below it shows through. */
  dashed?: boolean;
  /** Which of the vertical axes. */
  axis: number;
  x: ArrayLike<number>;
  y: Values;
  /** Whether x rises, so that there may be many numbers to a pixel. */
  rising: boolean;
}

export interface Drawing {
  width: number;
  height: number;
  x: DrawnAxis;
  /** The first on the left, others on the right. */
  axes: DrawnAxis[];
  curves: DrawnCurve[];
  ink: string;
  faint: string;
  font: string;
  /** Without one there is none. */
  paper?: string;
  /** Whether names stand above the chart. */
  legend?: boolean;
}

const AXIS = 66;
const BELOW = 34;

/** Where the chart is, with the places of its numbers. */
export function frameOf(d: Drawing, axis: number): Frame {
  const top = d.legend ? 14 + 16 * legendRows(d) : 10;
  const [left, right, bottom] = [AXIS, d.width - 20 - AXIS * Math.max(0, d.axes.length - 1), d.height - BELOW];
  const y = d.axes[axis];
  const place = ({ min, max, log }: DrawnAxis, v: number) => (log ? Math.log(v / min) / Math.log(max / min) : (v - min) / (max - min));
  return {
    x: (v) => left + place(d.x, v) * (right - left),
    y: (v) => bottom - place(y, v) * (bottom - top),
    left,
    right,
    top,
    bottom,
    log: y.log === true,
  };
}

/** Marks of an axis: round numbers, some `most` of them. */
export function marks({ min, max, log }: DrawnAxis, most: number): { at: number[]; text: string[] } {
  if (log) {
    const at = logSplits(min, max, most);
    return { at, text: logTicks(at) };
  }
  const rough = (max - min) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough * (1 - 1e-9)) ?? rough;
  const at: number[] = [];
  if (!(step > 0) || !Number.isFinite(step)) return { at, text: [] };
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + 1e-9 * step; k++) at.push(k * step);
  return { at, text: ticks(at, step) };
}

function legendRows(d: Drawing): number {
  return Math.max(1, Math.ceil(d.curves.length / perRow(d)));
}
/** Names in a row: as many as have room, about six pixels a letter. */
const perRow = (d: Drawing) => Math.max(1, Math.floor((d.width - 20) / Math.max(180, 36 + 6.2 * Math.max(...d.curves.map((c) => c.name.length)))));

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
const round = (x: number) => String(Math.round(100 * x) / 100);

export function drawing(d: Drawing): string {
  const f = frameOf(d, 0);
  const out: string[] = [];
  const text = (x: number, y: number, s: string, anchor: string, more = "") =>
    out.push(`<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${d.ink}"${more}>${escaped(s)}</text>`);
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    out.push(`<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" stroke="${d.faint}" fill="none"/>`);
  if (d.paper) out.push(`<rect width="${d.width}" height="${d.height}" fill="${d.paper}"/>`);
  const below = marks(d.x, (f.right - f.left) / 80);
  below.at.forEach((v, k) => {
    line(f.x(v), f.top, f.x(v), f.bottom);
    text(f.x(v), f.bottom + 15, below.text[k], "middle");
  });
  text((f.left + f.right) / 2, d.height - 5, d.x.label, "middle");
  d.axes.forEach((axis, a) => {
    const own = frameOf(d, a);
    const at = a === 0 ? f.left : f.right + (a - 1) * AXIS;
    const list = marks(axis, (f.bottom - f.top) / 36);
    list.at.forEach((v, k) => {
      if (a === 0) line(f.left, own.y(v), f.right, own.y(v));
      text(at + (a === 0 ? -6 : 6), own.y(v) + 4, list.text[k], a === 0 ? "end" : "start");
    });
    const x = a === 0 ? 12 : at + AXIS - 8;
    text(x, (f.top + f.bottom) / 2, axis.label, "middle", ` transform="rotate(-90 ${round(x)} ${round((f.top + f.bottom) / 2)})"`);
  });
  out.push(
    `<clipPath id="inside"><rect x="${round(f.left)}" y="${round(f.top)}" width="${round(f.right - f.left)}" height="${round(f.bottom - f.top)}"/></clipPath>`,
  );
  for (const c of d.curves) {
    out.push(
      `<path d="${path(d, c)}" fill="none" stroke="${c.colour}" stroke-width="1.6" stroke-linejoin="round"${c.dashed ? ' stroke-dasharray="6 6"' : ""} clip-path="url(#inside)"><title>${escaped(c.name)}</title></path>`,
    );
  }
  if (d.legend) {
    const width = (d.width - 20) / perRow(d);
    d.curves.forEach((c, k) => {
      const [x, y] = [10 + (k % perRow(d)) * width, 14 + 16 * Math.floor(k / perRow(d))];
      const parts = c.dashed
        ? [
            [0, 5],
            [7, 5],
          ]
        : [[0, 12]];
      for (const [from, wide] of parts) out.push(`<rect x="${round(x + from)}" y="${round(y - 6)}" width="${wide}" height="3" rx="1" fill="${c.colour}"/>`);
      text(x + 18, y, c.name, "start");
    });
  }
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${d.width}" height="${d.height}" viewBox="0 0 ${d.width} ${d.height}" font-family="${escaped(d.font)}" font-size="11">`;
  return `${head}${out.join("")}</svg>`;
}

/** Places closer than this make one corner, pixels. */
const CLOSE = 0.3;

function path(d: Drawing, c: DrawnCurve): string {
  const f = frameOf(d, c.axis);
  const out: string[] = [];
  const put = (letter: string, x: number, y: number) => out.push(`${letter}${round(x)} ${round(y)}`);
  if (c.rising) {
    trace(c.x, c.y, 0, c.x.length - 1, f, { move: (x, y) => put("M", x, y), line: (x, y) => put("L", x, y) });
    return out.join("");
  }
  let last: [number, number] | null = null;
  for (let i = 0; i < c.x.length; i++) {
    const v = c.y[i];
    if (v === null || !Number.isFinite(v) || !Number.isFinite(c.x[i])) {
      last = null;
      continue;
    }
    const at: [number, number] = [f.x(c.x[i]), f.y(v)];
    if (last && Math.hypot(at[0] - last[0], at[1] - last[1]) < CLOSE && i + 1 < c.x.length) continue;
    put(last ? "L" : "M", ...at);
    last = at;
  }
  return out.join("");
}
