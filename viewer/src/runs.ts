// Other runs to compare with: their frames, and which of their channels are those of the run shown.

import type { Body, KingpinData } from "./data";
import { FrameStore } from "./frames";
import { Poses } from "./poses";

/** The run before the one shown, of a model whose parameters are moved. */
export const BEFORE = "previous";

export interface OtherRun {
  name: string;
  store: FrameStore;
  /** For each channel of the run shown, its own of the same name and unit; -1 for none. */
  channel: Int32Array;
  /** Where bodies are; null if it does not know all of them. */
  poses: Poses | null;
}

export function otherRuns({ runs = [], channels, model }: KingpinData): OtherRun[] {
  return runs.map((run) => {
    const own = new Map(run.channels.map((c, k) => [`${c.name} ${c.unit}`, k]));
    const channel = Int32Array.from(channels, (c) => own.get(`${c.name} ${c.unit}`) ?? -1);
    const store = new FrameStore(
      run.frames,
      run.channels.map((c) => c.name),
    );
    const bodies = model.bodies.map((b): Body => ({ ...b, pose: b.pose.map((c) => channel[c]) }));
    const known = bodies.every((b) => b.pose.every((c) => c >= 0));
    return { name: run.name, store, channel, poses: known ? new Poses(bodies, store) : null };
  });
}
