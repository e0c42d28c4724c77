// A bar between two panes that can be dragged, or moved with arrow keys.

import { h } from "./dom";

/** Writes the share of the right-hand pane, in percent, into a custom property of the host. */
export function splitter(host: () => HTMLElement, property: string): HTMLElement {
  let share = 42;
  const set = (value: number) => {
    share = Math.max(20, Math.min(75, value));
    host().style.setProperty(property, `${share}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(share)));
  };
  const bar = h("div.splitter", {
    role: "separator",
    "aria-orientation": "vertical",
    tabindex: "0",
    "aria-label": "Width of charts",
    "aria-valuemin": 20,
    "aria-valuemax": 75,
    "aria-valuenow": share,
  });
  bar.addEventListener("pointerdown", (e) => {
    bar.setPointerCapture(e.pointerId);
    e.preventDefault();
  });
  bar.addEventListener("pointermove", (e) => {
    if (!bar.hasPointerCapture(e.pointerId)) return;
    const r = host().getBoundingClientRect();
    set((100 * (r.right - e.clientX)) / r.width);
  });
  bar.addEventListener("keydown", (e) => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    set(share + (e.key === "ArrowLeft" ? 3 : -3));
    e.preventDefault();
    e.stopPropagation();
  });
  return bar;
}
