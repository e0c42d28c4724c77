// In a chart: drag scrubs, wheel and pinch zoom, shift or right drag pans, double click shows everything.

import type { TimeRange } from "./axis";

export function gestures(
  over: HTMLElement,
  range: TimeRange,
  timeAt: (x: number) => number,
  scrub: (t: number) => void,
): void {
  over.style.touchAction = "pan-y";
  const pointers = new Map<number, number>();
  let mode: "none" | "scrub" | "pan" | "pinch" = "none";
  const left = () => over.getBoundingClientRect().left;

  over.addEventListener("pointerdown", (e) => {
    pointers.set(e.pointerId, e.clientX - left());
    over.setPointerCapture(e.pointerId);
    if (pointers.size === 2) mode = "pinch";
    else if (e.button === 1 || e.button === 2 || e.shiftKey) mode = "pan";
    else {
      mode = "scrub";
      scrub(timeAt(e.clientX - left()));
    }
    if (mode !== "scrub") e.preventDefault();
  });
  over.addEventListener("pointermove", (e) => {
    const before = pointers.get(e.pointerId);
    if (before === undefined) return;
    const x = e.clientX - left();
    if (mode === "scrub") scrub(timeAt(x));
    else if (mode === "pan") range.pan(timeAt(before) - timeAt(x));
    else if (mode === "pinch") {
      const other = [...pointers].find(([id]) => id !== e.pointerId)?.[1] ?? before;
      const was = Math.max(12, Math.abs(before - other));
      const is = Math.max(12, Math.abs(x - other));
      range.zoom(timeAt((x + other) / 2), was / is);
    }
    pointers.set(e.pointerId, x);
  });
  const end = (e: PointerEvent) => {
    pointers.delete(e.pointerId);
    if (pointers.size === 0) mode = "none";
  };
  over.addEventListener("pointerup", end);
  over.addEventListener("pointercancel", end);
  over.addEventListener("contextmenu", (e) => e.preventDefault());
  over.addEventListener("dblclick", () => range.reset());
  over.addEventListener(
    "wheel",
    (e) => {
      e.preventDefault();
      const sideways = Math.abs(e.deltaX) > Math.abs(e.deltaY);
      const x = e.clientX - left();
      if (sideways) range.pan(timeAt(e.deltaX) - timeAt(0));
      else range.zoom(timeAt(x), Math.exp(0.0016 * e.deltaY));
    },
    { passive: false },
  );
}
