// How large the numbers of a channel are, to tell values from what is left of round-off: those are shown as zero.

import { decode } from "./columns";
import type { Channel, Model, Solution } from "./data";
import type { FrameStore } from "./frames";
import { reading } from "./ui/numbers";

/** Some fifty times the precision of the numbers that results are computed with. */
export const ROUND_OFF = 1e-14;

/** Residuals of constraints count as round-off up to this part of a scale. */
const RESIDUAL = 1e-11;

/** Exponents of kg, m and s. */
type Dimension = [number, number, number];
const UNITS: Record<string, Dimension> = {
  "1": [0, 0, 0],
  rad: [0, 0, 0],
  kg: [1, 0, 0],
  m: [0, 1, 0],
  s: [0, 0, 1],
  Hz: [0, 0, -1],
  N: [1, 1, -2],
  J: [1, 2, -2],
  W: [1, 2, -3],
  Pa: [1, -1, -2],
};
const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The dimension of a unit such as `kg·m²/s` or `kg*m^2/s`; null if it is unknown. */
export function dimension(unit: string): Dimension | null {
  const out: Dimension = [0, 0, 0];
  const plain = unit
    .replace(/⁻/g, "-")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (d) => String(SUPERSCRIPT.indexOf(d)))
    .replace(/\^/g, "");
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

/** Zero for what is not more than the least that has a meaning. */
export function settled(x: number, least: number): number {
  return Math.abs(x) <= least ? 0 : x;
}

/** How well positions and velocities fulfilled the constraints at worst, if the history tells. */
export interface Residuals {
  position?: number;
  velocity?: number;
}

export function residualsOf(solution: Solution | undefined): Residuals {
  const steps = solution?.steps;
  const worst = (k: number) => {
    const r = steps?.residuals?.[k];
    if (!steps || !r) return undefined;
    let most = 0;
    for (const v of decode(r.column, steps.count, `residual ${r.name}`)) if (v > most && v < Infinity) most = v;
    return most;
  };
  return { position: worst(0), velocity: worst(1) };
}

export class Scales {
  /** Greatest amount of all channels of a unit. */
  private readonly units = new Map<string, number>();
  /** What the mechanism itself says, by unit. */
  private readonly natural = new Map<string, number>();
  private counted = -1;

  constructor(
    private model: Model,
    private readonly channels: Channel[],
    private readonly store: FrameStore,
    private readonly residuals: Residuals = {},
  ) {}

  /** Other numbers are there instead, perhaps of another model. */
  forget(model = this.model): void {
    this.model = model;
    this.counted = -1;
    this.natural.clear();
  }

  /** The least amount of a channel that is not round-off. */
  least(channel: number): number {
    const scale = this.of(channel);
    const residual = this.residualOf(this.channels[channel].unit);
    return Math.max(ROUND_OFF * scale, Math.min(residual, RESIDUAL * scale));
  }

  /** What the values of a channel are to be compared with. */
  of(channel: number): number {
    this.count();
    const unit = this.channels[channel].unit;
    const own = this.store.peak(channel);
    // angles and pure numbers have a scale of their own, and one that spins must not hide the others
    if (isPure(unit)) return Math.max(1, own);
    return Math.max(own, this.units.get(unit) ?? 0, this.natural.get(unit) ?? 0);
  }

  /** A value of a channel as readouts show it; by default that at the time sought last. */
  text(channel: number, x = this.store.value(channel)): string {
    const peak = this.isZero(channel) ? 1 : this.store.peak(channel);
    return reading(settled(x, this.least(channel)), peak);
  }

  /** Whether nothing but round-off was ever there. */
  isZero(channel: number): boolean {
    return this.store.peak(channel) <= this.least(channel);
  }

  private residualOf(unit: string): number {
    const kind = speedOrPlace(unit);
    return kind === null ? 0 : (this.residuals[kind] ?? 0);
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

/** What residual is about numbers of a unit. */
function speedOrPlace(unit: string): keyof Residuals | null {
  const [kg, m, s] = dimension(unit) ?? [1, 0, 0];
  if (kg !== 0 || m < 0 || m > 1) return null;
  return s === 0 ? "position" : s === -1 ? "velocity" : null;
}

function isPure(unit: string): boolean {
  const d = dimension(unit);
  return d?.every((e) => e === 0) ?? false;
}
