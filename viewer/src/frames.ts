// Frames in memory: times and one column per channel, found by time, growing while a run is live.

import type { Frames, LiveFrames } from "./data";
import { ColumnError, decode, decodeFull, type Numbers } from "./columns";

export class FrameStore {
  count = 0;
  /** Longer than `count` while live; see `t`. */
  private times: Numbers = new Float64Array(0);
  private columns: Numbers[] = [];
  /** 0 for columns that hold one number for all frames. */
  stride = new Uint8Array(0);
  /** Frame at or before the time last looked up, and the part of the way to the next. */
  index = 0;
  fraction = 0;
  /** Greatest amount of each channel in the frames counted so far; gaps do not count. */
  private peaks = new Float64Array(0);
  private peaked = new Uint32Array(0);

  constructor(
    frames: Frames,
    private readonly names: string[],
  ) {
    this.replace(frames);
  }

  /** Other frames of the same channels. */
  replace(frames: Frames): void {
    this.index = this.fraction = 0;
    this.count = frames.count;
    this.times = Float64Array.from(decodeFull(frames.times, frames.count, "frames.times"));
    for (let i = 1; i < this.count; i++) {
      if (!(this.times[i] > this.times[i - 1])) {
        throw new ColumnError(`frames.times: must increase, but frame ${i} is at ${this.times[i]} s`);
      }
    }
    this.columns = frames.columns.map((c, k) => decode(c, frames.count, `frames.columns[${k}] (${this.names[k]})`));
    this.stride = Uint8Array.from(frames.columns, (c) => ("constant" in c ? 0 : 1));
    this.peaks = new Float64Array(frames.columns.length);
    this.peaked = new Uint32Array(frames.columns.length);
  }

  get start(): number {
    return this.count > 0 ? this.times[0] : 0;
  }
  get end(): number {
    return this.count > 0 ? this.times[this.count - 1] : 0;
  }
  /** The time last sought. */
  get now(): number {
    const t = this.time(this.index);
    return t + this.fraction * (this.time(this.index + 1) - t);
  }
  time(frame: number): number {
    return this.times[Math.max(0, Math.min(this.count - 1, frame))] ?? 0;
  }

  /** Finds the frames around a time, from the last place on: cheap while playing. */
  seek(t: number): void {
    const { times, count } = this;
    if (count < 2) {
      this.index = 0;
      this.fraction = 0;
      return;
    }
    let i = Math.min(this.index, count - 2);
    if (!(times[i] <= t && t < times[i + 1])) {
      let lo = 0;
      let hi = count - 1;
      while (hi - lo > 1) {
        const mid = (lo + hi) >> 1;
        if (times[mid] <= t) lo = mid;
        else hi = mid;
      }
      i = lo;
    }
    const f = (t - times[i]) / (times[i + 1] - times[i]);
    this.index = i;
    this.fraction = f < 0 ? 0 : Math.min(f, 1);
  }

  /** The value of a channel at the time last sought, linear between frames. */
  value(channel: number): number {
    const column = this.columns[channel];
    const k = this.stride[channel];
    if (k === 0 || this.count < 2) return column[0] ?? NaN;
    const a = column[this.index];
    return a + this.fraction * (column[this.index + 1] - a);
  }

  /** The number in a frame. */
  at(channel: number, frame: number): number {
    return this.columns[channel][frame * this.stride[channel]] ?? NaN;
  }

  /** Greatest amount of a channel. */
  peak(channel: number): number {
    const column = this.columns[channel];
    const end = this.stride[channel] === 0 ? Math.min(1, this.count) : this.count;
    let most = this.peaks[channel];
    for (let i = this.peaked[channel]; i < end; i++) {
      const a = Math.abs(column[i]);
      if (a > most && a < Infinity) most = a;
    }
    this.peaked[channel] = end;
    return (this.peaks[channel] = most);
  }

  /** All times, as a view: not to be kept across `append`. */
  t(): Numbers {
    return this.times.subarray(0, this.count);
  }

  /** All numbers of a channel for a chart; gaps are null. */
  series(channel: number): Numbers | (number | null)[] {
    const column = this.columns[channel];
    if (this.stride[channel] === 0) return new Float64Array(this.count).fill(column[0]);
    const view = column.subarray(0, this.count);
    for (let i = 0; i < view.length; i++) {
      if (!Number.isFinite(view[i])) return Array.from(view, (v) => (Number.isFinite(v) ? v : null));
    }
    return view;
  }

  /** Adds frames. `false`: some are missing in between, and everything must be loaded anew. */
  append(message: LiveFrames): boolean {
    const width = this.columns.length + 1;
    const rows = decodeFull(message.rows, message.count * width, "live frames");
    const skip = this.count - message.first;
    if (skip < 0) return false;
    const added = message.count - skip;
    if (added <= 0) return true;
    const total = this.count + added;
    this.times = grown(this.times, this.count, total);
    for (let k = 0; k < this.columns.length; k++) {
      if (this.stride[k] === 0 && this.differs(k, rows, skip, width)) this.expand(k);
      if (this.stride[k] === 1) this.columns[k] = grown(this.columns[k], this.count, total);
    }
    for (let i = skip; i < message.count; i++) {
      const to = this.count + i - skip;
      const row = i * width;
      this.times[to] = rows[row];
      for (let k = 0; k < this.columns.length; k++) {
        if (this.stride[k] === 1) this.columns[k][to] = rows[row + 1 + k];
      }
    }
    this.count = total;
    return true;
  }

  private differs(k: number, rows: Numbers, skip: number, width: number): boolean {
    for (let i = skip * width + 1 + k; i < rows.length; i += width) {
      if (rows[i] !== this.columns[k][0]) return true;
    }
    return false;
  }

  private expand(k: number): void {
    this.columns[k] = new Float64Array(Math.max(1, this.count)).fill(this.columns[k][0]);
    this.stride[k] = 1;
    this.peaked[k] = 0;
  }
}

function grown(array: Numbers, used: number, needed: number): Numbers {
  if (array.length >= needed) return array;
  const size = Math.max(needed, 2 * array.length, 64);
  const out = array instanceof Float32Array ? new Float32Array(size) : new Float64Array(size);
  out.set(array.subarray(0, used));
  return out;
}
