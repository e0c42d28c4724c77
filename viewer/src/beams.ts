// Which bodies are nodes of beams: those are drawn, named and listed with their beam. A beam with corners comes in
// parts of one name, which are one thing.

import type { Beam, Channel, Model } from "./data";

export class BeamNodes {
  /** For each part of a beam, the first of its name. */
  private readonly first: number[];
  private readonly beams: Int32Array;

  constructor(private readonly model: Model) {
    const list = model.beams ?? [];
    this.first = list.map((beam) => list.findIndex((b) => b.name === beam.name));
    this.beams = new Int32Array(model.bodies.length).fill(-1);
    list.forEach((beam, b) => {
      for (const body of beam.nodes) if (this.beams[body] < 0) this.beams[body] = this.first[b];
    });
  }

  /** The beam that a body is a node of; -1 for none. */
  beam(body: number | null | undefined): number {
    return body === null || body === undefined ? -1 : (this.beams[body] ?? -1);
  }

  named(body: number): Beam | null {
    return this.model.beams?.[this.beam(body)] ?? null;
  }

  /** Whether a body is the first of its beam, or a body of its own: each thing once. */
  leads(body: number): boolean {
    const beam = this.named(body);
    return beam === null || beam.nodes[0] === body;
  }

  /** What a node is called within its beam. */
  node(body: number): string {
    const beam = this.named(body);
    const { name } = this.model.bodies[body];
    return beam && name.startsWith(`${beam.name}.`) ? name.slice(beam.name.length + 1) : name;
  }

  /** What a body is called: a node by its beam. */
  label(body: number): string {
    const beam = this.named(body);
    return beam ? `${beam.name}, node ${this.node(body)}` : this.model.bodies[body].name;
  }

  /** The beam that a channel belongs to; -1 for none. */
  ofChannel({ of }: Channel): number {
    return of?.[0] === "body" ? this.beam(of[1]) : of?.[0] === "beam" ? (this.first[of[1]] ?? -1) : -1;
  }

  /** Things that are seen: beams, and bodies that are no nodes. */
  things(): number {
    return this.model.bodies.reduce((n, _, i) => n + Number(this.leads(i)), 0);
  }
}
