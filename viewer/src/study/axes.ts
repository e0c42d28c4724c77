// Drawings of a study: numbers to pixels, marks of axes, elements of SVG.

const SVG = "http://www.w3.org/2000/svg";

export function s(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const e = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
  for (const c of children) e.append(c);
  return e;
}

/** Least and greatest of some numbers, apart from each other. */
export function extent(values: ArrayLike<number | null>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (v === null || !Number.isFinite(v)) continue;
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  if (low > high) return [0, 1];
  if (low === high) return [low - Math.max(0.5, Math.abs(low) / 2), high + Math.max(0.5, Math.abs(high) / 2)];
  return [low, high];
}

/** The same with some room at both ends. */
export function roomy(values: ArrayLike<number | null>): [number, number] {
  const [low, high] = extent(values);
  return [low - 0.04 * (high - low), high + 0.04 * (high - low)];
}

/** Round numbers between two. */
export function marks([low, high]: [number, number], about = 7): number[] {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw) ?? 10 * power;
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-6); k * step <= high * (1 + 1e-12) + 1e-300; k++) out.push(k * step);
  return out;
}

export const short = (v: number): string => String(Number(v.toPrecision(4))).replace(/-/g, "−");

export interface Frame {
  element: SVGElement;
  inside: SVGElement;
  x(v: number): number;
  y(v: number): number;
}

/** Axes of two quantities, with room for what is drawn inside. */
export function frame(xs: [number, number], ys: [number, number], labels: [string, string], title: string): Frame {
  const [width, height, left, bottom, top, right] = [560, 360, 70, 46, 12, 14];
  const x = (v: number) => left + ((v - xs[0]) / (xs[1] - xs[0])) * (width - left - right);
  const y = (v: number) => height - bottom - ((v - ys[0]) / (ys[1] - ys[0])) * (height - bottom - top);
  const inside = s("g", {});
  const element = s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "study-chart", role: "img", "aria-label": title },
    ...marks(xs).flatMap((v) => [
      s("line", { x1: x(v), x2: x(v), y1: top, y2: height - bottom, class: "study-rule" }),
      s("text", { x: x(v), y: height - bottom + 16, "text-anchor": "middle" }, short(v)),
    ]),
    ...marks(ys).flatMap((v) => [
      s("line", { x1: left, x2: width - right, y1: y(v), y2: y(v), class: "study-rule" }),
      s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, short(v)),
    ]),
    s("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, labels[0]),
    s("text", { x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})` }, labels[1]),
    inside,
  );
  return { element, inside, x, y };
}
