// How far sliding joints slide: their guides reach along all of it, so that what slides is seen to be held.

import type { Joint, Model } from "../data";
import type { FrameStore } from "../frames";
import type { Poses } from "../poses";

/** Frames looked at. */
const MOST = 100;

/** Between which places along its axis the second point of each sliding joint goes, from the first point, m. */
export function slides({ joints }: Model, poses: Poses, store: FrameStore): Map<Joint, [number, number]> {
  const out = new Map<Joint, [number, number]>();
  const sliding = joints.filter((j) => (j.symbol === "guide" || j.symbol === "sleeve") && j.points.length > 1 && j.axes);
  if (sliding.length === 0) return out;
  const { index, fraction } = store;
  const [a, b, axis] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const every = Math.max(1, Math.floor(store.count / MOST));
  for (let i = 0; i < store.count; i += every) {
    store.seek(store.time(i));
    poses.update();
    for (const j of sliding) {
      const slot = poses.slot(j.bodies[0]);
      poses.point(slot, j.points[0], a);
      poses.point(poses.slot(j.bodies[1]), j.points[1], b);
      poses.vector(slot, j.axes?.[0] ?? [0, 0, 1], axis);
      const along = axis.reduce((s, x, k) => s + x * (b[k] - a[k]), 0) / (Math.hypot(...axis) || 1);
      const range = out.get(j);
      if (!Number.isFinite(along)) continue;
      if (!range) out.set(j, [along, along]);
      else [range[0], range[1]] = [Math.min(range[0], along), Math.max(range[1], along)];
    }
  }
  store.index = index;
  store.fraction = fraction;
  poses.update();
  return out;
}
