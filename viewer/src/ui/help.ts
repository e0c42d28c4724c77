// What the keys and the mouse do.

import { h } from "./dom";
import { icon } from "./icons";

const KEYS: [string[], string][] = [
  [["Space"], "Play, pause"],
  [["←", "→"], "One frame back, on"],
  [["Shift", "← →"], "Ten frames"],
  [["Home", "End"], "First, last frame"],
  [["+", "−"], "Faster, slower"],
  [["L"], "Repeat"],
  [["/"], "Find channels"],
  [["F"], "Fit the view"],
  [["C"], "Camera goes along"],
  [["J"], "Joints"],
  [["K"], "Forces"],
  [["G"], "Grid"],
  [["1", "…", "4"], "Tabs"],
  [["Z"], "Drags in charts draw a box to zoom to"],
  [["T"], "Light, dark"],
  [["B"], "Next body (Shift: the one before)"],
  [["Esc"], "Nothing selected"],
  [["?"], "This help"],
];
const BEAM_KEYS: [string[], string][] = [
  [["D"], "Colour of beams and meshes (Shift: the one before)"],
  [["M"], "Larger deformation (Shift: smaller)"],
];
const MODE_KEYS: [string[], string][] = [[["N"], "Next mode (Shift: the one before)"]];
const MOUSE: [string, string][] = [
  ["Mechanism", "Drag turns (moves in the plane), right drag moves (turns in the plane), wheel zooms, double click fits; arrows turn, with Shift move, Page Up and Page Down zoom where it has the focus. Click a body to see its channels."],
  ["Charts", "Drag sets the time, wheel zooms in time, with Ctrl in height, Ctrl drag draws a box to zoom to, shift drag moves, double click shows everything. The three dots of a chart: x–y, spectrum, numbers, units, derivative, integral, files."],
  ["Channels", "Click plots in the chart last clicked, click again takes it out. Enter plots the first one found."],
];

export function helpDialog(beams: boolean, modes: boolean): HTMLDialogElement {
  const dialog = h("dialog.help", { "aria-label": "Keys and mouse" });
  const close = h("button.ghost", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"));
  dialog.append(
    h("header", {}, h("h2", {}, "Keys and mouse"), close),
    h("dl.keys", {}, ...[...KEYS, ...(beams ? BEAM_KEYS : []), ...(modes ? MODE_KEYS : [])].flatMap(([keys, what]) => [h("dt", {}, ...keys.map((k) => h("kbd", {}, k))), h("dd", {}, what)])),
    h("dl.mouse", {}, ...MOUSE.flatMap(([where, what]) => [h("dt", {}, where), h("dd", {}, what)])),
  );
  dialog.addEventListener("click", (e) => {
    if (e.target === dialog) dialog.close();
  });
  return dialog;
}
