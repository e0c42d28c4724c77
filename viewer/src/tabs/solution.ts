// Solution: how the integrator went: steps, rejections, residuals, iterations, events, cost, settings.

import type { Column, Solution, Steps } from "../data";
import { decodeFull, type Numbers } from "../columns";
import type { Playback } from "../playback";
import type { TimeRange } from "../charts/axis";
import { Plot, type PlotOptions, type Values } from "../charts/plot";
import { h, quoted } from "../ui/dom";
import { cellText, duration, many, reading } from "../ui/numbers";
import { entryList } from "../ui/table";
import { cssColour, curveColour } from "../ui/theme";
import { warningCard } from "../ui/warnings";

/** A card whose options can be made again in other colours. */
interface Card {
  plot: Plot;
  options: () => PlotOptions;
}

export class SolutionTab {
  readonly element = h("div.page", { tabindex: 0 });
  private cards: Card[] = [];

  constructor(
    private solution: Solution,
    private readonly range: TimeRange,
    private readonly playback: Playback,
    private readonly goTo: (t: number) => void,
  ) {
    this.build();
  }

  /** Newer history of a live run; what is not given stays. */
  replace(part: Partial<Solution>): void {
    this.solution = { ...this.solution, ...part };
    for (const c of this.cards) c.plot.destroy();
    this.build();
  }

  /** All charts, for tests. */
  plots(): Plot[] {
    return this.cards.map((c) => c.plot);
  }

  showTime(): void {
    for (const c of this.cards) c.plot.showTime();
  }
  theme(): void {
    for (const c of this.cards) c.plot.rebuild(c.options());
  }

  private build(): void {
    this.cards = [];
    const { outcome, warnings, summary, settings, steps, events, cost } = this.solution;
    const left: (HTMLElement | null)[] = [];
    const right: (HTMLElement | null)[] = [];
    if (steps && steps.count > 0) left.push(...this.stepCards(steps));
    if (warnings?.length) right.push(warningCard(warnings));
    if (outcome) right.push(h("section.card.outcome", { "data-state": outcome.state, role: "status" }, h("i"), h("p", {}, ...quoted(outcome.message))));
    if (summary?.length) right.push(entryList("Summary", summary));
    if (cost?.length) right.push(costCard(cost));
    if (events?.length) right.push(this.eventCard());
    if (settings?.length) right.push(entryList("Settings", settings));
    this.element.replaceChildren(h("div.page-body.wide.columns", {}, h("div.column.main", {}, ...left), h("div.column", {}, ...right)));
  }

  private stepCards(steps: Steps): HTMLElement[] {
    const column = (c: Column | undefined, what: string): Numbers | null => (c ? decodeFull(c, steps.count, `solution.steps.${what}`) : null);
    const t = decodeFull(steps.t, steps.count, "solution.steps.t");
    const size = decodeFull(steps.h, steps.count, "solution.steps.h");
    const rejected = column(steps.rejected, "rejected");
    const error = column(steps.error, "error");
    const newton = column(steps.newton, "newton");
    const order = column(steps.order, "order");
    const marks = () => (this.solution.events ?? []).map((e) => e.t);
    const attempts = rejected ? Float64Array.from(rejected).reduce((s, v) => s + v, 0) : 0;
    const total = many(steps.count, "step");
    const out: HTMLElement[] = [];

    // a rejection is shown on the step that followed it
    const misses: Values = rejected ? Float64Array.from(size, (v, i) => (rejected[i] > 0 ? v : NaN)) : [];
    const red = () => cssColour("--event");
    out.push(
      this.card("Step size", `${total}${rejected ? `, ${many(attempts, "rejected attempt")}` : ""}`, steps.note, () => ({
        curves: [
          { name: "step size", unit: "s", colour: curveColour(0) },
          ...(rejected ? [{ name: "after a rejection", unit: "s", colour: red(), style: "points" as const }] : []),
        ],
        data: () => [t, size, ...(rejected ? [misses] : [])],
        log: true,
        label: "step size, s",
        marks,
      })),
    );
    if (error) {
      out.push(
        this.card("Error estimate", "relative to the tolerance; steps up to 1 are accepted", undefined, () => ({
          curves: [{ name: "error", unit: "", colour: curveColour(4) }],
          data: () => [t, error],
          log: true,
          label: "error / tolerance",
          marks,
        })),
      );
    }
    if (steps.residuals?.length) {
      const lists = steps.residuals.map((r) => decodeFull(r.column, steps.count, `residual ${r.name}`));
      out.push(
        this.card(
          "Constraint residuals",
          steps.residuals.map((r) => `${r.name} ${r.unit}`).join(", "),
          undefined,
          () => ({
            curves: (steps.residuals ?? []).map((r, k) => ({ name: r.name, unit: "", colour: curveColour(k) })),
            data: () => [t, ...lists],
            log: true,
            label: "residual, SI",
            marks,
          }),
          steps.residuals.map((r) => `${r.name}${r.unit ? `, ${r.unit}` : ""}`),
        ),
      );
    }
    if (newton) {
      out.push(
        this.card("Newton iterations", "per step", undefined, () => ({
          curves: [{ name: "iterations", unit: "", colour: curveColour(2), style: "step" }],
          data: () => [t, newton],
          label: "iterations",
          from: 0,
          marks,
        })),
      );
    }
    if (order?.some((v) => v !== order[0])) {
      out.push(
        this.card("Order", "of the method", undefined, () => ({
          curves: [{ name: "order", unit: "", colour: curveColour(5), style: "step" }],
          data: () => [t, order],
          label: "order",
          from: 0,
          marks,
        })),
      );
    }
    return out;
  }

  private card(title: string, caption: string, note: string | undefined, options: () => PlotOptions, key: string[] = []): HTMLElement {
    const plot = new Plot(options(), this.range, this.playback);
    this.cards.push({ plot, options });
    const legend =
      key.length > 1 &&
      h(
        "ul.key",
        {},
        ...key.map((name, k) => {
          const swatch = h("i.key-curve");
          swatch.style.background = `var(--curve-${(k % 8) + 1})`;
          return h("li", {}, swatch, name);
        }),
      );
    return h(
      "section.card.plot-card",
      { "aria-label": title },
      h(
        "header.card-head",
        {},
        h("h2", {}, title),
        h("span.count", {}, legend ? "" : caption),
        h("span.spacer"),
        legend || null,
        note ? h("span.count", {}, note) : null,
      ),
      plot.element,
    );
  }

  private eventCard(): HTMLElement {
    const events = this.solution.events ?? [];
    return h(
      "section.card",
      { "aria-label": "Events" },
      h("header.card-head", {}, h("h2", {}, "Events"), h("span.count", {}, cellText(events.length))),
      h(
        "ol.events",
        {},
        ...events
          .slice(0, 300)
          .map((e) =>
            h(
              "li",
              {},
              h(
                "button",
                { type: "button", title: "Go to this time", onclick: () => this.goTo(e.t) },
                h("span.event-time", {}, `${reading(e.t)} s`),
                h("span.event-name", {}, ...quoted(e.name)),
                e.kind ? h("span.count", {}, e.kind) : null,
              ),
            ),
          ),
      ),
    );
  }
}

function costCard(cost: NonNullable<Solution["cost"]>): HTMLElement {
  const total = cost.reduce((s, c) => s + c.seconds, 0) || 1;
  const bar = h(
    "div.cost-bar",
    { role: "img", "aria-label": cost.map((c) => `${c.name} ${((100 * c.seconds) / total).toFixed(0)} %`).join(", ") },
    ...cost.map((c, k) => {
      const piece = h("i", { title: `${c.name}: ${duration(c.seconds)}` });
      piece.style.flexGrow = String(c.seconds / total);
      piece.style.background = `var(--curve-${(k % 8) + 1})`;
      return piece;
    }),
  );
  const rows = cost.map((c, k) => {
    const swatch = h("i.key-curve");
    swatch.style.background = `var(--curve-${(k % 8) + 1})`;
    return h(
      "tr",
      {},
      h("td", {}, swatch, c.name),
      h("td.number", {}, c.calls === undefined ? "" : `${cellText(c.calls)}×`),
      h("td.number", {}, duration(c.seconds)),
      h("td.number", {}, `${((100 * c.seconds) / total).toFixed(1)} %`),
    );
  });
  return h(
    "section.card.table-card",
    { "aria-label": "Cost" },
    h("header.card-head", {}, h("h2", {}, "Cost"), h("span.count", {}, duration(total))),
    bar,
    h("table", {}, h("tbody", {}, ...rows)),
  );
}
