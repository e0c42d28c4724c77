// How large the numbers of a channel are, to tell values from what is left of round-off: those are shown as zero.

import type { Channel, Model } from "./data";
import type { FrameStore } from "./frames";

/** Some fifty times the precision of the numbers that results are computed with. */
export const ROUND_OFF = 1e-14;

/** Exponents of kg, m and s. */
type Dimension = [number, number, number];
const UNITS: Record<string, Dimension> = {
  "1": [0, 0, 0], rad: [0, 0, 0], kg: [1, 0, 0], m: [0, 1, 0], s: [0, 0, 1], Hz: [0, 0, -1],
  N: [1, 1, -2], J: [1, 2, -2], W: [1, 2, -3], Pa: [1, -1, -2],
};
const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The dimension of a unit such as `kg·m²/s` or `kg*m^2/s`; null if it is unknown. */
export function dimension(unit: string): Dimension | null {
  const out: Dimension = [0, 0, 0];
  const plain = unit.replace(/⁻/g, "-").replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (d) => String(SUPERSCRIPT.indexOf(d))).replace(/\^/g, "");
  let sign = 1;
  for (const part of plain.split(/([/·*])/)) {
    if (part === "/") sign = -1;
    if (part === "/" || part === "·" || part === "*") continue;
    const found = /^([A-Za-z]+|1)(-?\d+)?$/.exec(part.trim());
    const base = found ? UNITS[found[1]] : part.trim() === "" ? UNITS["1"] : undefined;
    if (!base) return null;
    for (let k = 0; k < 3; k++) out[k] += sign * Number(found?.[2] ?? 1) * base[k];
  }
  return out;
}

/** Zero for what round-off leaves of numbers as large as `scale`. */
export function settled(x: number, scale: number): number {
  return Math.abs(x) <= ROUND_OFF * scale ? 0 : x;
}

export class Scales {
  /** Greatest amount of all channels of a unit. */
  private readonly units = new Map<string, number>();
  /** What the mechanism itself says, by unit. */
  private readonly natural = new Map<string, number>();
  private counted = -1;

  constructor(
    private readonly model: Model,
    private readonly channels: Channel[],
    private readonly store: FrameStore,
  ) {}

  /** What the values of a channel are to be compared with. */
  of(channel: number): number {
    this.count();
    const unit = this.channels[channel].unit;
    const own = this.store.peak(channel);
    // angles and pure numbers have a scale of their own, and one that spins must not hide the others
    if (isPure(unit)) return Math.max(1, own);
    return Math.max(own, this.units.get(unit) ?? 0, this.natural.get(unit) ?? 0);
  }

  /** The value of a channel at the time sought last. */
  value(channel: number): number {
    return settled(this.store.value(channel), this.of(channel));
  }

  /** Whether nothing but round-off was ever there. */
  isZero(channel: number): boolean {
    return this.store.peak(channel) <= ROUND_OFF * this.of(channel);
  }

  private count(): void {
    if (this.counted === this.store.count) return;
    this.counted = this.store.count;
    this.units.clear();
    this.channels.forEach(({ unit }, k) => {
      if (!isPure(unit)) this.units.set(unit, Math.max(this.units.get(unit) ?? 0, this.store.peak(k)));
    });
    const { mass, length, time } = this.sizes();
    for (const unit of this.units.keys()) {
      const d = dimension(unit);
      if (!d) continue;
      const size = mass ** d[0] * length ** d[1] * time ** d[2];
      if (Number.isFinite(size)) this.natural.set(unit, size);
    }
  }

  /** Mass, length and time of the mechanism: the longest time, so that speeds and forces are not overrated. */
  private sizes(): { mass: number; length: number; time: number } {
    const { bodies, joints, forces, gravity } = this.model;
    const mass = bodies.reduce((m, b) => Math.max(m, b.mass), 0) || 1;
    let length = this.units.get("m") ?? 0;
    const reach = (p: readonly number[]) => (length = Math.max(length, Math.hypot(...p)));
    for (const b of bodies) reach(b.com);
    for (const item of [...joints, ...forces]) item.points.forEach(reach);
    const g = Math.hypot(...(gravity ?? [0]));
    const time = Math.max(this.store.end - this.store.start, g > 0 ? Math.sqrt(length / g) : 0) || 1;
    return { mass, length: length || 1, time };
  }
}

function isPure(unit: string): boolean {
  const d = dimension(unit);
  return d !== null && d.every((e) => e === 0);
}
