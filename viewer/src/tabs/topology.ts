// Topology: the graph, the matrix before and after elimination, what that costs.

import type { Topology } from "../data";
import { h } from "../ui/dom";
import { cellText, many } from "../ui/numbers";
import { tableView } from "../ui/table";
import { GraphView } from "./graph";
import { SparsityView } from "./sparsity";

export class TopologyTab {
  readonly element: HTMLElement;
  private readonly redraws: (() => void)[] = [];

  constructor(topology: Topology) {
    const graph = new GraphView(topology);
    this.redraws.push(() => graph.redraw());
    const kinds = new Set([...topology.edges.map((e) => e.kind ?? "joint"), ...topology.nodes.map((n) => n.kind ?? "body")]);
    const key = h(
      "ul.key",
      {},
      h("li", {}, h("i.key-node"), "body"),
      kinds.has("ground") ? h("li", {}, h("i.key-ground"), "ground") : null,
      kinds.has("virtual") ? h("li", {}, h("i.key-virtual"), "virtual body") : null,
      h("li", {}, h("i.key-line"), "joint"),
      kinds.has("fixed") ? h("li", {}, h("i.key-fixed"), "connects parts of a split body") : null,
    );
    const cards: (HTMLElement | null)[] = [
      h(
        "section.card.graph-card",
        { "aria-label": "Graph" },
        h(
          "header.card-head",
          {},
          h("h2", {}, "Bodies and joints"),
          h("span.count", {}, `${many(topology.nodes.length, "node")}, ${many(topology.edges.length, "edge")}`),
          h("span.spacer"),
          key,
        ),
        graph.element,
      ),
    ];
    if (topology.patterns && topology.patterns.length > 0) {
      const views = topology.patterns.map((p) => new SparsityView(p));
      for (const v of views) this.redraws.push(() => v.draw());
      cards.push(
        h(
          "section.card",
          { "aria-label": "Sparsity" },
          h(
            "header.card-head",
            {},
            h("h2", {}, "Reduced matrix, by blocks"),
            h("span.spacer"),
            h("ul.key", {}, h("li", {}, h("i.key-entry"), "entry"), h("li", {}, h("i.key-fill"), "fill")),
          ),
          h("div.sparsities", {}, ...views.map((v) => v.element)),
        ),
      );
    }
    if (topology.counts && topology.counts.length > 0) cards.push(counts(topology));
    for (const t of topology.tables ?? []) cards.push(tableView(t));
    this.element = h("div.page", { tabindex: 0 }, h("div.page-body.wide", {}, ...cards));
  }

  redraw(): void {
    for (const r of this.redraws) r();
  }
}

function counts(topology: Topology): HTMLElement {
  const rows = (topology.counts ?? []).map((c) => {
    const ratio = c.before && c.after !== null ? c.after / c.before : null;
    const change = ratio === null || ratio === 1 ? "" : `${ratio < 1 ? "−" : "+"}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;
    const number = (v: number | null) => (v === null || v === undefined ? "–" : cellText(v));
    return h(
      "tr",
      {},
      h("td", {}, c.name, c.unit ? h("span.unit", {}, c.unit) : null),
      h("td.number", {}, number(c.before)),
      h("td.number", {}, number(c.after)),
      h("td.number", { class: ratio === null || ratio === 1 ? "number" : ratio < 1 ? "number better" : "number worse" }, change),
    );
  });
  return h(
    "section.card.table-card",
    { "aria-label": "Elimination" },
    h("header.card-head", {}, h("h2", {}, "Elimination")),
    topology.chosen ? h("p.note", {}, topology.chosen) : null,
    h(
      "div.table-scroll",
      {},
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "count"),
            h("th.number", { scope: "col" }, "before"),
            h("th.number", { scope: "col" }, "after"),
            h("th.number", { scope: "col" }, "change"),
          ),
        ),
        h("tbody", {}, ...rows),
      ),
    ),
  );
}
