// A run that is still going: server-sent events at ./live.

import type { LiveFrames, LiveSolution } from "./data";
import { solution as checkSolution, type Problem } from "./check";
import type { FrameStore } from "./frames";
import { at } from "./server";

export type LiveState = "running" | "waiting" | "done";

export interface LiveActions {
  frames(): void;
  solution(part: LiveSolution): void;
  state(state: LiveState): void;
  /** The model has changed, or frames were missed: begin anew. */
  reload(): void;
}

export function followLive(store: FrameStore, actions: LiveActions): void {
  const source = new EventSource(at("live", { from: store.count }));
  let ended = false;
  const on = (name: string, action: (data: unknown) => void) =>
    source.addEventListener(name, (e) => {
      let data: unknown = null;
      try {
        data = (e as MessageEvent<string>).data ? JSON.parse((e as MessageEvent<string>).data) : null;
      } catch {
        return; // a torn message; the next one or a gap will tell
      }
      action(data);
    });

  source.addEventListener("open", () => actions.state("running"));
  source.addEventListener("error", () => {
    // the browser tries again by itself, except where the address does not exist
    if (!ended) actions.state(source.readyState === EventSource.CLOSED ? "done" : "waiting");
  });
  on("frames", (data) => {
    const m = data as LiveFrames;
    if (store.append(m)) actions.frames();
    else actions.reload();
  });
  on("solution", (data) => {
    const problems: Problem[] = [];
    checkSolution(data, "solution", problems);
    if (problems.length === 0) actions.solution(data as LiveSolution);
  });
  on("reload", () => actions.reload());
  on("end", () => {
    ended = true;
    source.close();
    actions.state("done");
  });
}

/** Waits for the server to have something else to show. */
export function awaitReload(reload: () => void): void {
  const source = new EventSource(at("live", { from: 0 }));
  const once = () => {
    source.close();
    reload();
  };
  for (const event of ["reload", "frames", "update"]) source.addEventListener(event, once, { once: true });
}
