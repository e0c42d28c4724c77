// Numbers of curves over the stretch of time that is shown.

import { h } from "../ui/dom";
import { significant } from "../ui/numbers";
import { statistics } from "./calculus";
import type { Values } from "./plot";

export interface Counted {
  name: string;
  unit: string;
  factor: number;
  t: ArrayLike<number>;
  y: Values;
  /** Takes round-off out of a number. */
  settled: (x: number) => number;
}

const COLUMNS = ["min", "max", "mean", "rms"] as const;

export class StatisticsTable {
  readonly element = h("div.statistics", { hidden: true });

  show(curves: Counted[], from: number, to: number): void {
    const rows = curves.map(({ name, unit, factor, t, y, settled }) => {
      const s = statistics(t, y, from, to);
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, name),
        ...COLUMNS.map((c) => h("td", {}, s ? significant(settled(s[c]) * factor, 5) : "–")),
        h("td.unit", {}, unit),
      );
    });
    this.element.replaceChildren(
      h(
        "table",
        {},
        h("caption", {}, `from ${significant(from, 4)} to ${significant(to, 4)} s`),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "curve"), ...COLUMNS.map((c) => h("th", { scope: "col" }, c)), h("th", { scope: "col" }, "unit"))),
        h("tbody", {}, ...rows),
      ),
    );
  }
}
