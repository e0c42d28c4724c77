// What can be done with a chart.

import { h } from "../ui/dom";
import { action, choice, heading, menu, option } from "../ui/menu";
import { alternatives } from "../units";
import type { ChartBox, Look } from "./box";
import type { Operation } from "./signals";

const OPERATIONS: [Operation, string][] = [
  ["derivative", "d/dt"],
  ["integral", "∫ dt"],
  ["difference", "−"],
  ["sum", "+"],
];

export function chartMenu(box: ChartBox): HTMLElement {
  const list = menu("Chart menu", "more", (again) => {
    const curves = box.plotted.map((id): [string, string] => [String(id), box.signals.name(id)]);
    if (curves.length === 0) return [h("p.menu-item", {}, "No curves.")];
    const close = () => (list.open = false);
    return [
      choice(
        "Show",
        [
          ["time", "against time"],
          ["xy", "x–y plot"],
          ["spectrum", "spectrum"],
        ],
        box.look,
        (v) => {
          box.show(v as Look);
          again();
        },
      ),
      box.look === "xy" && choice("Horizontal axis", curves, String(box.over), (v) => box.show("xy", Number(v))),
      option("Statistics of visible range", box.statistics, (on) => (box.statistics = on)),
      ...box
        .unitsUsed()
        .filter((unit) => alternatives(unit).length > 1)
        .map((unit) =>
          choice(
            `Unit of ${unit || "dimensionless curves"}`,
            alternatives(unit).map((u): [string, string] => [u, u || "1"]),
            box.shownUnit(unit).unit,
            (v) => box.setUnit(unit, v),
          ),
        ),
      heading("Add a curve"),
      makeRow(box, curves, close),
      heading("Save"),
      action("Image (PNG)", () => void box.save("png").then(close)),
      action("Vector graphics (SVG)", () => void box.save("svg").then(close)),
      action("Data (CSV)", () => void box.save("csv").then(close)),
    ];
  });
  return list;
}

/** A row that makes a curve out of one or two others. */
function makeRow(box: ChartBox, curves: [string, string][], close: () => void): HTMLElement {
  const pick = (label: string, of: [string, string][]) => h("select", { "aria-label": label }, ...of.map(([v, text]) => h("option", { value: v }, text)));
  const first = pick("First curve", curves);
  const operation = pick("Operation", OPERATIONS);
  const second = pick("Second curve", []);
  const fill = () => {
    const two = operation.value === "difference" || operation.value === "sum";
    const unit = box.signals.unit(Number(first.value));
    const fitting = curves.filter(([id]) => id !== first.value && box.signals.unit(Number(id)) === unit);
    second.replaceChildren(...fitting.map(([v, text]) => h("option", { value: v }, text)));
    second.hidden = !two;
    add.disabled = two && fitting.length === 0;
    add.title = add.disabled ? "Plot another curve of the same unit" : "";
  };
  const add = h(
    "button.small",
    {
      type: "button",
      onclick: () => {
        box.make(operation.value as Operation, Number(first.value), second.hidden ? -1 : Number(second.value));
        close();
      },
    },
    "Add",
  );
  first.addEventListener("change", fill);
  operation.addEventListener("change", fill);
  fill();
  return h("div.menu-item.menu-make", {}, first, operation, second, add);
}
