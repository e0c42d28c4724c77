// Which bodies belong to beams and meshes: those are drawn, named and listed with their beam or mesh. A beam with
// corners comes in parts of one name, which are one thing.

import type { Channel, Model } from "./data";

/** A beam or a mesh. */
export interface Thing {
  name: string;
  kind: "Beam" | "Flexible body";
  /** Its bodies; the first stands for it. */
  nodes: number[];
}

export class BeamNodes {
  /** Beams, part by part, then meshes. */
  private readonly list: Thing[];
  /** For each of them, the first of its name. */
  private readonly first: number[];
  private readonly owner: Int32Array;

  constructor(private readonly model: Model) {
    const beams = (model.beams ?? []).map(({ name, nodes }): Thing => ({ name, kind: "Beam", nodes }));
    const meshes = (model.meshes ?? []).map(
      ({ name, nodes, body }): Thing => ({ name, kind: "Flexible body", nodes: [body, ...nodes.filter((n) => n !== body)] }),
    );
    this.list = [...beams, ...meshes];
    this.first = this.list.map((thing) => this.list.findIndex((t) => t.name === thing.name && t.kind === thing.kind));
    this.owner = new Int32Array(model.bodies.length).fill(-1);
    this.list.forEach((thing, b) => {
      for (const body of thing.nodes) if (this.owner[body] < 0) this.owner[body] = this.first[b];
    });
  }

  /** The number of the beam or mesh that a body belongs to; -1 for none. */
  beam(body: number | null | undefined): number {
    return body === null || body === undefined ? -1 : (this.owner[body] ?? -1);
  }

  thing(number: number): Thing | null {
    return this.list[number] ?? null;
  }

  named(body: number): Thing | null {
    return this.thing(this.beam(body));
  }

  /** Whether a body is the first of its beam, or a body of its own: each thing once. */
  leads(body: number): boolean {
    const thing = this.named(body);
    return thing === null || thing.nodes[0] === body;
  }

  /** What a node is called within its beam. */
  node(body: number): string {
    const thing = this.named(body);
    const { name } = this.model.bodies[body];
    return thing && name.startsWith(`${thing.name}.`) ? name.slice(thing.name.length + 1) : name;
  }

  /** What a body is called: a node by its beam. */
  label(body: number): string {
    const thing = this.named(body);
    if (!thing || (thing.kind !== "Beam" && this.leads(body))) return thing?.name ?? this.model.bodies[body].name;
    return `${thing.name}, ${thing.kind === "Beam" ? "node " : ""}${this.node(body)}`;
  }

  /** The beam or mesh that a channel belongs to, by its owner or, without one, by its name; -1 for none. */
  ofChannel({ of, name, group }: Channel): number {
    if (of) return of[0] === "body" ? this.beam(of[1]) : of[0] === "beam" ? (this.first[of[1]] ?? -1) : -1;
    return /measure/i.test(group) ? -1 : this.list.findIndex((thing) => name.startsWith(`${thing.name}.`));
  }

  /** Headings of what belongs to beams and meshes. */
  groups(): string[] {
    return this.list.map((thing) => this.group(thing));
  }

  group({ kind, name }: Thing): string {
    return `${kind} ${name}`;
  }

  /** Things that are seen: beams, meshes, and bodies that belong to none. */
  things(): number {
    return this.model.bodies.reduce((n, _, i) => n + Number(this.leads(i)), 0);
  }
}
