// The numbers that colours of a beam show, ring by ring.

import type { Rings } from "./curve";
import { rotation } from "./sweep";

export interface Reading {
  /** From here on, of this ring. */
  ring(k: number): void;
  /** At a place of the section. */
  at(y: number, z: number): number;
}

/** How far a point of the section is from where it was at the start. */
export class Displacement implements Reading {
  private readonly way = new Float64Array(3);
  private readonly now = new Float64Array(9);
  private readonly then = new Float64Array(9);

  constructor(
    private readonly rings: Rings,
    private readonly start: Rings,
  ) {}

  ring(k: number): void {
    rotation(this.rings.turn, 4 * k, this.now);
    rotation(this.start.turn, 4 * k, this.then);
    for (let c = 0; c < 3; c++) this.way[c] = this.rings.place[3 * k + c] - this.start.place[3 * k + c];
  }

  at(y: number, z: number): number {
    const { way, now, then } = this;
    let sum = 0;
    for (let c = 0; c < 3; c++) {
      const d = way[c] + (now[3 * c + 1] - then[3 * c + 1]) * y + (now[3 * c + 2] - then[3 * c + 2]) * z;
      sum += d * d;
    }
    return Math.sqrt(sum);
  }
}

/** Strain along the beam since the start, times a factor: stretch + z kap_y - y kap_z. */
export class Strain implements Reading {
  private stretch = 0;
  private y = 0;
  private z = 0;

  constructor(
    private readonly rings: Rings,
    private readonly start: Rings,
    private readonly factor: number,
  ) {}

  ring(k: number): void {
    this.stretch = this.since(3 * k);
    this.z = this.since(3 * k + 1);
    this.y = -this.since(3 * k + 2);
  }

  private since(i: number): number {
    return this.factor * (this.rings.strain[i] - this.start.strain[i]);
  }

  at(y: number, z: number): number {
    return this.stretch + this.y * y + this.z * z;
  }
}
