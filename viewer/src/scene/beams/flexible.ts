// What beams and meshes have in common: they deform, and colours show how much.

import type * as THREE from "three";
import type { Poses } from "../../poses";

/** What colours can show. */
export const COLOURINGS = ["displacement", "strain", "stress"] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface Range {
  low: number;
  high: number;
}

export interface Flexible {
  readonly mesh: THREE.Mesh;
  readonly name: string;
  /** The body that stands for it. */
  readonly body: number;
  /** The numbers that colours show, corner by corner. */
  readonly amounts: Float32Array;
  has(colouring: Colouring): boolean;
  /** Corners and colours at the poses, with deformation `times` as large. */
  update(poses: Poses, colouring: Colouring | null, times: number): void;
  /** Numbers of all corners at the poses; false if it cannot show them. */
  read(poses: Poses, colouring: Colouring): boolean;
  highlight(selected: boolean, hovered: boolean): void;
  /** Grows a box by what is drawn. */
  expand(box: THREE.Box3, point: THREE.Vector3): void;
  /** The body at a corner. */
  bodyAt(corner: number): number;
  /** The body that is nearest to a place on the screen, and how many pixels away it is. */
  nearest(camera: THREE.Camera, x: number, y: number, width: number, height: number, point: THREE.Vector3): [number, number];
}

/** Widens a range by the numbers at the poses. */
export function widen(part: Flexible, poses: Poses, colouring: Colouring, range: Range): void {
  if (!part.read(poses, colouring)) return;
  const { amounts } = part;
  for (let i = 0; i < amounts.length; i++) {
    const v = amounts[i];
    if (v < range.low && v > -Infinity) range.low = v;
    if (v > range.high && v < Infinity) range.high = v;
  }
}
