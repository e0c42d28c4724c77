// A study as the server gives it: parameters and scalars of all points, in columns.

export const STUDY = "kingpin-study";

export interface StudyColumn {
  name: string;
  unit: string;
  /** One number per point; null where there is none. */
  values: (number | null)[];
}

export interface StudyData {
  format: typeof STUDY;
  version: 1;
  name: string;
  /** Points that were asked for; `outcomes` has those that are there. */
  points: number;
  parameters: StudyColumn[];
  scalars: StudyColumn[];
  outcomes: string[];
  /** Whether curves were kept. */
  curves: boolean;
  note?: string;
}

/** Channels of a point over time. */
export interface PointCurves {
  point: number;
  /** Names with units, time first, and their numbers. */
  names: string[];
  columns: number[][];
}

export const label = ({ name, unit }: { name: string; unit: string }): string => (unit === "" ? name : `${name} [${unit}]`);
