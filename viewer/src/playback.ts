// The time shown: played at a speed that does not depend on the frame rate, scrubbed, or following a live run.

import type { FrameStore } from "./frames";

export const SPEEDS = [1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** How long a period should take to be seen well, s. */
const PERIOD = 2;

type Listener = () => void;

export class Playback {
  time: number;
  playing = false;
  loop = true;
  speed: number;
  /** Whether the newest frame is shown as it arrives. */
  following = false;
  private last = 0;
  private readonly timeListeners: Listener[] = [];
  private readonly stateListeners: Listener[] = [];

  constructor(
    private readonly store: FrameStore,
    /** Whether it is one period of something that repeats. */
    private readonly repeats = false,
  ) {
    this.time = store.start;
    this.speed = this.suitable();
  }

  private suitable(): number {
    const span = this.store.end - this.store.start;
    return this.repeats ? closest(span / PERIOD) : suitableSpeed(span);
  }

  /** Called when the time has changed. */
  onTime(listener: Listener): void {
    this.timeListeners.push(listener);
  }
  /** Called when playing, speed, loop or following has changed. */
  onState(listener: Listener): void {
    this.stateListeners.push(listener);
  }

  set(t: number): void {
    const clamped = Math.max(this.store.start, Math.min(this.store.end, t));
    if (this.following && clamped < this.store.end) {
      this.following = false;
      this.announce();
    }
    if (clamped === this.time) return;
    this.time = clamped;
    for (const l of this.timeListeners) l();
  }

  toStart(): void {
    this.set(this.store.start);
  }

  /** Moves by whole frames, on to the next or back to the one before. */
  step(frames: number): void {
    this.pause();
    const { store } = this;
    store.seek(this.time);
    const here = store.index + (store.fraction > 1 - 1e-9 ? 1 : 0);
    const between = store.fraction > 1e-9 && store.fraction < 1 - 1e-9;
    this.set(store.time(frames < 0 && between ? here + frames + 1 : here + frames));
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  play(): void {
    if (this.playing || this.store.count < 2) return;
    if (this.time >= this.store.end && !this.following) this.set(this.store.start);
    this.playing = true;
    this.last = performance.now();
    this.announce();
    requestAnimationFrame(this.tick);
  }
  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.announce();
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.announce();
  }
  /** One notch of speed up or down. */
  notch(by: 1 | -1): void {
    const at = SPEEDS.findIndex((s) => s >= this.speed);
    this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, (at < 0 ? SPEEDS.length - 1 : at) + by))]);
  }
  setLoop(loop: boolean): void {
    this.loop = loop;
    this.announce();
  }
  follow(on: boolean): void {
    this.following = on;
    if (on) {
      this.playing = false;
      this.set(this.store.end);
    }
    this.announce();
  }
  /** Other frames are there instead: from their start, at a speed that suits them. */
  replaced(): void {
    this.time = this.store.start;
    this.setSpeed(this.suitable());
  }

  /** Frames have come. */
  grown(): void {
    if (this.following) this.set(this.store.end);
  }

  private readonly tick = (now: number) => {
    if (!this.playing) return;
    // a page in the background gets no frames: do not leap when it comes back
    const dt = Math.min(1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    let t = this.time + dt * this.speed;
    const { start, end } = this.store;
    if (t >= end) {
      if (this.loop) t = start + ((t - start) % (end - start));
      else {
        this.set(end);
        this.pause();
        return;
      }
    }
    this.set(t);
    requestAnimationFrame(this.tick);
  };

  private announce(): void {
    for (const l of this.stateListeners) l();
  }
}

/** Real time where that takes 2 to 60 seconds, otherwise what comes near. */
function suitableSpeed(span: number): number {
  if (!(span > 0) || (span >= 1.5 && span <= 60)) return 1;
  return closest(span < 1.5 ? span / 6 : span / 30);
}

function closest(wanted: number): number {
  return SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
}
