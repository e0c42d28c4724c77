// In a chart: drag scrubs, wheel and pinch zoom in time, with the control key in height; a box zooms in both; shift or
// right drag pans, double click shows everything.

import { h } from "../ui/dom";
import type { TimeRange } from "./axis";

export interface Gestures {
  timeAt(x: number): number;
  scrub(t: number): void;
  /** Whether every drag draws a box. */
  boxing(): boolean;
  /** Shows what is between two heights, in pixels from the top. */
  between(top: number, bottom: number): void;
  /** A factor below 1 shows less, about a height. */
  zoomHeight(y: number, factor: number): void;
  panHeight(from: number, to: number): void;
  reset(): void;
}

type Place = { x: number; y: number };

export function gestures(over: HTMLElement, range: TimeRange, g: Gestures): void {
  over.style.touchAction = "pan-y";
  const pointers = new Map<number, Place>();
  const box = h("div.zoom-box", { hidden: true });
  over.append(box);
  let mode: "none" | "scrub" | "pan" | "pinch" | "box" = "none";
  let from: Place = { x: 0, y: 0 };
  const place = (e: MouseEvent): Place => {
    const r = over.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  };

  over.addEventListener("pointerdown", (e) => {
    const at = place(e);
    pointers.set(e.pointerId, at);
    over.setPointerCapture(e.pointerId);
    if (pointers.size === 2) mode = "pinch";
    else if (e.button === 1 || e.button === 2 || e.shiftKey) mode = "pan";
    else if (e.ctrlKey || g.boxing()) {
      mode = "box";
      from = at;
    } else {
      mode = "scrub";
      g.scrub(g.timeAt(at.x));
    }
    if (mode !== "scrub") e.preventDefault();
  });
  over.addEventListener("pointermove", (e) => {
    const before = pointers.get(e.pointerId);
    if (before === undefined) return;
    const at = place(e);
    if (mode === "scrub") g.scrub(g.timeAt(at.x));
    else if (mode === "pan") {
      range.pan(g.timeAt(before.x) - g.timeAt(at.x));
      g.panHeight(before.y, at.y);
    } else if (mode === "pinch") {
      const other = [...pointers].find(([id]) => id !== e.pointerId)?.[1] ?? before;
      const was = Math.max(12, Math.abs(before.x - other.x));
      const is = Math.max(12, Math.abs(at.x - other.x));
      range.zoom(g.timeAt((at.x + other.x) / 2), was / is);
    } else if (mode === "box") {
      box.hidden = false;
      box.style.cssText = `left:${Math.min(at.x, from.x)}px;top:${Math.min(at.y, from.y)}px;width:${Math.abs(at.x - from.x)}px;height:${Math.abs(at.y - from.y)}px`;
    }
    pointers.set(e.pointerId, at);
  });
  const end = (e: PointerEvent) => {
    const at = place(e);
    pointers.delete(e.pointerId);
    if (mode === "box" && e.type === "pointerup" && Math.abs(at.x - from.x) > 5) {
      const [left, right] = [g.timeAt(Math.min(at.x, from.x)), g.timeAt(Math.max(at.x, from.x))];
      // a flat box is about time alone
      if (Math.abs(at.y - from.y) > 8) g.between(Math.min(at.y, from.y), Math.max(at.y, from.y));
      range.set(left, right);
    }
    box.hidden = true;
    if (pointers.size === 0) mode = "none";
  };
  over.addEventListener("pointerup", end);
  over.addEventListener("pointercancel", end);
  over.addEventListener("contextmenu", (e) => e.preventDefault());
  over.addEventListener("dblclick", () => {
    g.reset();
    range.reset();
  });
  over.addEventListener(
    "wheel",
    (e) => {
      e.preventDefault();
      const sideways = Math.abs(e.deltaX) > Math.abs(e.deltaY);
      const at = place(e);
      const factor = Math.exp(0.0016 * e.deltaY);
      if (e.ctrlKey || e.altKey) g.zoomHeight(at.y, factor);
      else if (sideways) range.pan(g.timeAt(e.deltaX) - g.timeAt(0));
      else range.zoom(g.timeAt(at.x), factor);
    },
    { passive: false },
  );
}
