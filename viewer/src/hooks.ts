// A few handles on window.kingpin for browser tests and for the curious; see FORMAT.md.

import type { App } from "./app";
import { spectrum } from "./charts/fft";

export interface Hooks {
  ready: boolean;
  time(): number;
  setTime(t: number): void;
  play(): void;
  pause(): void;
  frames(): number;
  bodyPosition(name: string): [number, number, number] | null;
  bodyMatrix(name: string): number[] | null;
  select(name: string | null): void;
  selected(): string | null;
  plot(channel: string): boolean;
  plottedChannels(): string[];
  /** Pixels from the left edge of the first chart to the cursor. */
  chartCursor(): number | null;
  range(): [number, number];
  /** What charts drew last: corners and dots, marks of axes, and the width in pixels. */
  drawn(): { points: number; ticks: number; width: number; curves: number }[];
  /** Least and greatest number of each axis of the first chart. */
  heights(): [number, number][];
  /** The highest peak of the spectrum of a curve. */
  spectrum(t: ArrayLike<number>, y: ArrayLike<number>): { frequency: number; amplitude: number } | null;
  setSpeed(speed: number): void;
  /** Where a place of the mechanism is in the page, pixels. */
  onScreen(place: [number, number, number]): [number, number];
  following(): boolean;
  /** Origin of a body in another run. */
  otherPosition(run: number, name: string): [number, number, number] | null;
  /** Corners of all traces of points. */
  traces(): number[][];
  /** Distance of the two points that were picked, m. */
  distance(): number | null;
  /** Share of the corners around the mechanism that lie in the picture. */
  inView(): number;
  /** Corners of a beam as drawn, ring by ring with `around` corners each and its ends last, and the numbers that they show. */
  beam(name: string): { positions: number[]; amounts: number[]; around: number } | null;
}

declare global {
  interface Window {
    kingpin?: Hooks;
  }
}

export function installHooks(app: App): void {
  const { data, playback, motion, poses, store } = app;
  const body = (name: string) => data.model.bodies.findIndex((b) => b.name === name);
  const matrix = (name: string): number[] | null => {
    const i = body(name);
    if (i < 0) return null;
    store.seek(playback.time);
    poses.update();
    return Array.from(poses.matrices.subarray(12 * i, 12 * i + 12));
  };
  window.kingpin = {
    ready: true,
    time: () => playback.time,
    setTime: (t) => playback.set(t),
    play: () => playback.play(),
    pause: () => playback.pause(),
    frames: () => store.count,
    bodyPosition: (name) => {
      const m = matrix(name);
      return m ? [m[3], m[7], m[11]] : null;
    },
    bodyMatrix: matrix,
    select: (name) => motion.select(name === null ? -1 : body(name)),
    selected: () => data.model.bodies[motion.selected]?.name ?? null,
    plot: (name) => {
      const i = data.channels.findIndex((c) => c.name === name);
      if (i >= 0) motion.panel.toggle(i);
      return i >= 0;
    },
    plottedChannels: () => motion.panel.plotted.map((i) => motion.panel.signals.name(i)),
    chartCursor: () => motion.panel.cursor(),
    drawn: () => [...motion.panel.plots(), ...(app.solution?.plots() ?? [])].map((p) => p.size()),
    heights: () => motion.panel.plots()[0]?.shownHeights() ?? [],
    spectrum: (t, y) => {
      const found = spectrum(t, y, -Infinity, Infinity);
      if (!found) return null;
      const k = found.amplitudes.reduce((best, a, i) => (a > found.amplitudes[best] ? i : best), 0);
      return { frequency: found.frequencies[k], amplitude: found.amplitudes[k] };
    },
    otherPosition: (run, name) => motion.stage?.ghosts.origin(run, body(name)) ?? null,
    traces: () => motion.stage?.overlay.marks.traced() ?? [],
    distance: () => motion.stage?.overlay.marks.distance()?.amount ?? null,
    setSpeed: (speed) => playback.setSpeed(speed),
    onScreen: (place) => motion.stage?.onScreen(place) ?? [0, 0],
    following: () => motion.stage?.following ?? false,
    inView: () => {
      matrix(data.model.bodies[0]?.name ?? "");
      return motion.stage?.inView() ?? 1;
    },
    beam: (name) => motion.stage?.beams.drawn(name) ?? null,
    range: () => [motion.panel.range.min, motion.panel.range.max],
  };
}
