// Parallel coordinates: each point as a line over all quantities.

import { extent, s, short } from "./axes";
import type { StudyColumn } from "./data";

export interface Lines {
  chosen: number | null;
  class(point: number): string;
  style(point: number): string;
  words(point: number): string;
  choose(point: number): void;
}

/** Letters of a name that have room above an axis. */
const LETTERS = 22;

export function parallel(columns: StudyColumn[], points: number, lines: Lines): SVGElement {
  const [width, height, top, bottom] = [columns.length > 4 ? 230 * columns.length : 560, 360, 52, 24];
  const at = (k: number) => 75 + (k * (width - 150)) / Math.max(1, columns.length - 1);
  const ranges = columns.map((c) => extent(c.values));
  const y = (k: number, v: number) => height - bottom - ((v - ranges[k][0]) / (ranges[k][1] - ranges[k][0])) * (height - bottom - top);
  const element = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "study-chart", role: "img", "aria-label": "Parallel coordinates: one line per point" });
  const line = (k: number) => {
    const corners = columns.flatMap((c, i) => (c.values[k] === null ? [] : [`${at(i)},${y(i, c.values[k] as number)}`]));
    const drawn = s(
      "polyline",
      { points: corners.join(" "), class: `${lines.class(k)} study-line`, style: lines.style(k), "data-point": k },
      s("title", {}, lines.words(k)),
    );
    drawn.addEventListener("click", () => lines.choose(k));
    return drawn;
  };
  for (let k = 0; k < points; k++) if (k !== lines.chosen) element.append(line(k));
  if (lines.chosen !== null) element.append(line(lines.chosen));
  columns.forEach((c, k) =>
    element.append(
      s("line", { x1: at(k), x2: at(k), y1: top, y2: height - bottom, class: "study-axis" }),
      s("text", { x: at(k), y: 14, "text-anchor": "middle" }, s("title", {}, c.name), c.name.length > LETTERS ? `${c.name.slice(0, LETTERS - 1)}…` : c.name),
      s("text", { x: at(k), y: 28, "text-anchor": "middle", class: "study-unit" }, c.unit),
      s("text", { x: at(k), y: top - 7, "text-anchor": "middle" }, short(ranges[k][1])),
      s("text", { x: at(k), y: height - 8, "text-anchor": "middle" }, short(ranges[k][0])),
    ),
  );
  return element;
}
