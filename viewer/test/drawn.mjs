// How much charts draw: few corners and marks, whatever the numbers.
import assert from "node:assert/strict";

export const TABS = ["motion", "model", "topology", "solution"];

/** Four corners per column of pixels and curve, and some room for edges and dots. */
export function bounded(list) {
  for (const { points, ticks, width, curves } of list) {
    assert.ok(points <= 4 * (width + 100) * curves, `${points} points on ${width} pixels`);
    assert.ok(ticks <= 80, `${ticks} marks of axes`);
  }
}

/** The centre of the page's memory: what scripts hold, bytes. */
export async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}
