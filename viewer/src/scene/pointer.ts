// Mouse and touch on the mechanism: what is under the pointer, what is clicked.

import { perFrame } from "../ui/dom";

export interface PointerActions {
  /** The body at a place of the canvas; -1 for none. */
  under(x: number, y: number, width: number, height: number): number;
  hover(body: number, x: number, y: number): void;
  /** A click at a place of the canvas. */
  click(x: number, y: number, width: number, height: number): void;
  fit(): void;
  /** A key on the canvas; whether it means something there. */
  key(key: string, shift: boolean): boolean;
}

/** Listens until `signal` says that the canvas is for others. */
export function listen(canvas: HTMLCanvasElement, signal: AbortSignal, actions: PointerActions): void {
  const place = (e: PointerEvent) => {
    const r = canvas.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top, width: r.width, height: r.height };
  };
  const under = (e: PointerEvent): number => {
    const p = place(e);
    return actions.under(p.x, p.y, p.width, p.height);
  };
  let down: [number, number] | null = null;
  let last: PointerEvent | null = null;
  const hover = perFrame(() => {
    if (!last || signal.aborted) return;
    const body = last.buttons === 0 ? under(last) : -1;
    canvas.style.cursor = body >= 0 ? "pointer" : "";
    const { x, y } = place(last);
    actions.hover(body, x, y);
  });
  canvas.addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]), { signal });
  canvas.addEventListener(
    "pointerup",
    (e) => {
      // a click is a press without a drag
      if (down && e.button === 0 && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 5) {
        const p = place(e);
        actions.click(p.x, p.y, p.width, p.height);
      }
      down = null;
    },
    { signal },
  );
  canvas.addEventListener(
    "pointermove",
    (e) => {
      if (e.pointerType !== "mouse") return;
      last = e;
      hover();
    },
    { signal },
  );
  canvas.addEventListener(
    "pointerleave",
    () => {
      last = null;
      actions.hover(-1, 0, 0);
    },
    { signal },
  );
  canvas.addEventListener(
    "keydown",
    (e) => {
      if (e.ctrlKey || e.altKey || e.metaKey || !actions.key(e.key, e.shiftKey)) return;
      e.preventDefault();
      e.stopPropagation();
    },
    { signal },
  );
  canvas.addEventListener("dblclick", () => actions.fit(), { signal });
}
