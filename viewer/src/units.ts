// Units as people like to read them: the data are in SI units, and shown in others if so chosen.

import { enlist } from "./lifetime";

/** Exponents of the parts of a unit, in the order they were written. */
type Parts = Map<string, number>;

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const STORED = "kingpin-units";

/** What users can choose for the whole page: for each quantity the SI unit first. */
export const CHOICES = {
  length: ["m", "mm"],
  angle: ["rad", "deg"],
  force: ["N", "kN"],
  "angular velocity": ["rad/s", "rpm", "deg/s"],
  stress: ["Pa", "MPa"],
} as const;
export type Quantity = keyof typeof CHOICES;

/** Other units for a whole SI unit, and what one of the SI unit is in them. */
const WHOLE: Record<string, Record<string, number>> = {
  m: { mm: 1e3, cm: 100, km: 1e-3 },
  rad: { deg: 180 / Math.PI, turns: 1 / (2 * Math.PI) },
  s: { ms: 1e3, min: 1 / 60 },
  N: { kN: 1e-3, MN: 1e-6 },
  Pa: { kPa: 1e-3, MPa: 1e-6, GPa: 1e-9, bar: 1e-5 },
  J: { kJ: 1e-3 },
  W: { kW: 1e-3 },
  kg: { g: 1e3, t: 1e-3 },
  "m/s": { "mm/s": 1e3, "km/h": 3.6 },
  "m/s²": { g: 1 / 9.80665, "mm/s²": 1e3 },
  "rad/s": { rpm: 30 / Math.PI, "deg/s": 180 / Math.PI, Hz: 1 / (2 * Math.PI) },
  "rad/s²": { "deg/s²": 180 / Math.PI },
  N·m: { kN·m: 1e-3, N·mm: 1e3 },
  "N/m": { "kN/m": 1e-3, "N/mm": 1e-3 },
  "": { "%": 100 },
};
/** The same for single parts. */
const PARTS: Record<string, Record<string, number>> = { m: { mm: 1e3 }, rad: { deg: 180 / Math.PI }, N: { kN: 1e-3 }, Pa: { MPa: 1e-6 } };

export interface Shown {
  unit: string;
  /** What one of the SI unit is. */
  factor: number;
}

function parse(unit: string): Parts {
  const out: Parts = new Map();
  const plain = unit
    .replace(/⁻/g, "-")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (d) => String(SUPERSCRIPT.indexOf(d)))
    .replace(/\^/g, "");
  let sign = 1;
  for (const part of plain.split(/([/·*])/)) {
    if (part === "/") sign = -1;
    const found = /^([^\d/·*-]+)(-?\d+)?$/.exec(part.trim());
    if (found) out.set(found[1], (out.get(found[1]) ?? 0) + sign * Number(found[2] ?? 1));
  }
  return out;
}

function format(parts: Parts): string {
  const raised = (name: string, n: number) => name + (n === 1 ? "" : String(n).replace(/\d/g, (d) => SUPERSCRIPT[Number(d)]));
  const list = [...parts].filter(([, n]) => n !== 0);
  const above = list.filter(([, n]) => n > 0).map(([name, n]) => raised(name, n));
  const below = list.filter(([, n]) => n < 0).map(([name, n]) => raised(name, -n));
  return (above.join("·") || (below.length > 0 ? "1" : "")) + (below.length > 0 ? `/${below.join("/")}` : "");
}

/** A unit times a power of another part: `m/s` and `s`, -1 make `m/s²`. */
export function timesPower(unit: string, part: string, power: number): string {
  const parts = parse(unit);
  parts.set(part, (parts.get(part) ?? 0) + power);
  return format(parts);
}

/** Units that numbers of an SI unit can be shown in, itself first. */
export function alternatives(unit: string): string[] {
  return [unit, ...Object.keys(WHOLE[format(parse(unit))] ?? {})];
}

/** A unit out of the alternatives. */
export function inUnit(unit: string, wanted: string): Shown | null {
  if (wanted === unit) return { unit, factor: 1 };
  const factor = WHOLE[format(parse(unit))]?.[wanted];
  return factor === undefined ? null : { unit: wanted, factor };
}

const preferred = new Map<Quantity, string>();
const listeners: (() => void)[] = [];
try {
  for (const [key, unit] of Object.entries(JSON.parse(localStorage.getItem(STORED) ?? "{}"))) {
    const known = CHOICES[key as Quantity] as readonly string[] | undefined;
    if (known?.includes(unit as string)) preferred.set(key as Quantity, unit as string);
  }
} catch {
  // pages opened from disk may have no storage
}

export function preference(quantity: Quantity): string {
  return preferred.get(quantity) ?? CHOICES[quantity][0];
}

export function prefer(quantity: Quantity, unit: string): void {
  preferred.set(quantity, unit);
  try {
    localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(preferred)));
  } catch {
    // kept for this visit only
  }
  for (const l of listeners) l();
}

export function onUnits(listener: () => void): void {
  enlist(listeners, listener);
}

/** How numbers of an SI unit are shown, by what the user prefers. */
export function shown(unit: string): Shown {
  const spin = preference("angular velocity");
  if (unit === "rad/s" && spin !== "rad/s") return inUnit(unit, spin) ?? { unit, factor: 1 };
  const wanted: [string, string][] = [
    ["m", preference("length")],
    ["rad", preference("angle")],
    ["N", preference("force")],
    ["Pa", preference("stress")],
  ];
  if (unit === "rad/s" || wanted.every(([si, other]) => si === other)) return { unit, factor: 1 };
  const parts = parse(unit);
  const out: Parts = new Map();
  let factor = 1;
  for (const [name, n] of parts) {
    const other = wanted.find(([si]) => si === name)?.[1] ?? name;
    // moments are read in N·m or kN·m
    const keep = name === "m" && (parts.has("N") || parts.has("kg") || parts.has("J"));
    if (other !== name && !keep) factor *= PARTS[name][other] ** n;
    out.set(keep ? name : other, n);
  }
  return { unit: factor === 1 ? unit : format(out), factor };
}
