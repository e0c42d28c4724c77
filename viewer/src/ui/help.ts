// What the keys and the mouse do.

import { h } from "./dom";
import { icon } from "./icons";

const KEYS: [string[], string][] = [
  [["Space"], "Play or pause"],
  [["←", "→"], "Previous / next frame"],
  [["Shift", "← →"], "Back / forward ten frames"],
  [["Home", "End"], "First / last frame"],
  [["+", "−"], "Faster / slower"],
  [["L"], "Repeat"],
  [["/"], "Find channels"],
  [["F"], "Fit the view"],
  [["C"], "Follow with camera"],
  [["J"], "Joints"],
  [["K"], "Forces"],
  [["G"], "Grid"],
  [["1", "…", "4"], "Tabs"],
  [["Z"], "Box zoom in charts"],
  [["T"], "Light or dark theme"],
  [["B"], "Next body (Shift: previous)"],
  [["Esc"], "Clear selection"],
  [["?"], "Help"],
];
const BEAM_KEYS: [string[], string][] = [
  [["D"], "Colour of beams and meshes (Shift: previous)"],
  [["M"], "Larger deformation (Shift: smaller)"],
];
const MODE_KEYS: [string[], string][] = [[["N"], "Next mode (Shift: previous)"]];
const MOUSE: [string, string][] = [
  [
    "Mechanism",
    "Drag to rotate (pan in planar models), right drag to pan (rotate in planar models), wheel to zoom, double click to fit. With keyboard focus: arrow keys rotate, Shift and arrow keys pan, Page Up and Page Down zoom. Click a body to see its channels.",
  ],
  [
    "Charts",
    "Drag to set the time, wheel to zoom in time (with Ctrl: vertically), Ctrl drag for box zoom, Shift drag to pan, double click to fit. The menu (three dots) of a chart has x–y plot, spectrum, statistics, units, derivative, integral and export.",
  ],
  ["Channels", "Click to plot in the active chart, click again to remove. Enter plots the first match."],
];

export function helpDialog(beams: boolean, modes: boolean): HTMLDialogElement {
  const dialog = h("dialog.help", { "aria-label": "Keyboard and mouse" });
  const close = h("button.ghost", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"));
  dialog.append(
    h("header", {}, h("h2", {}, "Keyboard and mouse"), close),
    h(
      "dl.keys",
      {},
      ...[...KEYS, ...(beams ? BEAM_KEYS : []), ...(modes ? MODE_KEYS : [])].flatMap(([keys, what]) => [
        h("dt", {}, ...keys.map((k) => h("kbd", {}, k))),
        h("dd", {}, what),
      ]),
    ),
    h("dl.mouse", {}, ...MOUSE.flatMap(([where, what]) => [h("dt", {}, where), h("dd", {}, what)])),
  );
  dialog.addEventListener("click", (e) => {
    if (e.target === dialog) dialog.close();
  });
  return dialog;
}
