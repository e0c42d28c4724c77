// What must be known before anything else: a bar above all tabs, and the whole story beside the solution.

import type { Warning } from "../data";
import { h, quoted } from "./dom";
import { icon } from "./icons";

/** One line with the first warning; a click leads to all of them. */
export class WarningBar {
  readonly element = h("div.warning-bar", { hidden: true, role: "alert" });

  constructor(private readonly open: () => void) {}

  show(warnings: Warning[]): void {
    this.element.hidden = warnings.length === 0;
    if (warnings.length === 0) return;
    const more = warnings.length > 1 ? `and ${warnings.length - 1} more` : "";
    this.element.replaceChildren(
      icon("warning"),
      h("p", {}, ...quoted(warnings[0].what)),
      more,
      h("button.small", { type: "button", onclick: this.open }, "Why"),
    );
  }
}

/** All warnings with causes and advice. */
export function warningCard(warnings: Warning[]): HTMLElement {
  return h(
    "section.card.warnings",
    { "aria-label": "Warnings" },
    h("header.card-head", {}, icon("warning"), h("h2", {}, warnings.length > 1 ? `${warnings.length} warnings` : "Warning")),
    h(
      "ul",
      {},
      ...warnings.map((w) =>
        h(
          "li",
          {},
          h("p", {}, ...quoted(w.what)),
          w.why ? h("p.why", {}, ...quoted(w.why)) : null,
          w.advice ? h("p.advice", {}, h("b", {}, "Advice "), ...quoted(w.advice)) : null,
        ),
      ),
    ),
  );
}
