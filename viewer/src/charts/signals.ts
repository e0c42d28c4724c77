// What can be plotted: channels, what is made of them, and the same of other runs. Numbers from 0 on are channels of
// the run shown; what is made comes behind them.

import type { Channel } from "../data";
import type { FrameStore } from "../frames";
import { BEFORE, type OtherRun } from "../runs";
import type { Scales } from "../scales";
import { settled } from "../scales";
import { reading } from "../ui/numbers";
import { shown, timesPower, type Shown } from "../units";
import { combined, derivative, integral, resampled, union } from "./calculus";
import type { Values } from "./plot";

export type Operation = "derivative" | "integral" | "sum" | "difference";

interface Made {
  name: string;
  unit: string;
  /** Which run it belongs to; 0 is the one shown. */
  run: number;
  times: () => ArrayLike<number>;
  series: () => Values;
}

export class Signals {
  private readonly made: Made[] = [];
  private readonly known = new Map<string, number>();

  constructor(
    readonly channels: Channel[],
    readonly store: FrameStore,
    private readonly scales: Scales,
    readonly runs: OtherRun[] = [],
  ) {}

  name(id: number): string {
    return this.channels[id]?.name ?? this.made[id - this.channels.length].name;
  }
  /** The SI unit. */
  unit(id: number): string {
    return this.channels[id]?.unit ?? this.made[id - this.channels.length].unit;
  }
  run(id: number): number {
    return id < this.channels.length ? 0 : this.made[id - this.channels.length].run;
  }

  /** The curve whose earlier self this is; -1 for others. */
  latest(id: number): number {
    const run = this.run(id);
    if (run === 0 || this.runs[run - 1]?.name !== BEFORE) return -1;
    const name = this.name(id);
    return this.channels.findIndex((c) => `${c.name} (${BEFORE})` === name);
  }

  times(id: number): ArrayLike<number> {
    return id < this.channels.length ? this.store.t() : this.made[id - this.channels.length].times();
  }

  /** All numbers in SI units; round-off alone is zero. */
  series(id: number): Values {
    if (id >= this.channels.length) return this.made[id - this.channels.length].series();
    return this.scales.isZero(id) ? new Float64Array(this.store.count) : (this.store.series(id) as Values);
  }

  /** Times of several together, and each of them at these. */
  aligned(ids: number[]): [ArrayLike<number>, ...Values[]] {
    const lists = ids.map((id) => this.times(id));
    if (new Set(ids.map((id) => this.run(id))).size <= 1) return [lists[0] ?? this.store.t(), ...ids.map((id) => this.series(id))];
    const t = union(lists);
    return [t, ...ids.map((id, k) => gapped(resampled(lists[k], this.series(id), t)))];
  }

  /** The value at a time. */
  value(id: number, time: number): number {
    if (id < this.channels.length) return this.store.value(id);
    return resampled(this.times(id), this.series(id), [time])[0];
  }

  /** A value in SI units; round-off alone is zero. */
  settled(id: number, x: number): number {
    return id < this.channels.length ? settled(x, this.scales.least(id)) : x;
  }

  /** A value in SI units as text, in the unit it is shown in. */
  text(id: number, x: number, { factor }: Shown = shown(this.unit(id))): string {
    const own = id < this.channels.length;
    const peak = own ? (this.scales.isZero(id) ? 1 : this.store.peak(id)) : 1;
    return reading(this.settled(id, x) * factor, peak * factor);
  }

  /** What is made of one or two; the same again is the same. */
  make(operation: Operation, a: number, b = -1): number {
    const names = [a, b].map((id) => (id < 0 ? "" : this.name(id)));
    const unit = this.unit(a);
    const t = () => this.times(a);
    const series = {
      derivative: () => gapped(derivative(t(), this.series(a))),
      integral: () => integral(t(), this.series(a)),
      sum: () => gapped(combined(this.series(a), resampled(this.times(b), this.series(b), t()), 1)),
      difference: () => gapped(combined(this.series(a), resampled(this.times(b), this.series(b), t()), -1)),
    }[operation];
    const name = { derivative: `d(${names[0]})/dt`, integral: `∫ ${names[0]} dt`, sum: `${names[0]} + ${names[1]}`, difference: `${names[0]} − ${names[1]}` }[
      operation
    ];
    const of = operation === "derivative" ? timesPower(unit, "s", -1) : operation === "integral" ? timesPower(unit, "s", 1) : unit;
    return this.add({ name, unit: of, run: this.run(a), times: t, series });
  }

  /** The same channel of all other runs. */
  others(channel: number): number[] {
    return channel < this.channels.length ? this.runs.map((_, r) => this.other(channel, r)).filter((id) => id >= 0) : [];
  }

  /** The same channel of another run; -1 if it has none. */
  other(channel: number, run: number): number {
    const { name, store, channel: own } = this.runs[run];
    const index = own[channel] ?? -1;
    if (index < 0) return -1;
    const { name: label, unit } = this.channels[channel];
    return this.add({ name: `${label} (${name})`, unit, run: run + 1, times: () => store.t(), series: () => store.series(index) as Values });
  }

  private add(made: Made): number {
    const known = this.known.get(made.name);
    if (known !== undefined) return known;
    const id = this.channels.length + this.made.push(made) - 1;
    this.known.set(made.name, id);
    return id;
  }
}

/** Gaps as charts want them. */
function gapped(list: Float64Array): Values {
  return list.some(Number.isNaN) ? Array.from(list, (v) => (Number.isFinite(v) ? v : null)) : list;
}
