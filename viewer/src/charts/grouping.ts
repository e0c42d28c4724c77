// Under which heading a channel stands: that of its body, joint or force, or what kind of number it is. Measures and
// what else belongs to nothing come first.

import type { BeamNodes } from "../beams";
import type { Channel, Model } from "../data";

export const GROUPINGS = ["owner", "kind"] as const;
export type GroupBy = (typeof GROUPINGS)[number];

/** With more channels than this, groups are folded at first. */
const MANY = 150;

export class Grouping {
  by: GroupBy = "owner";

  constructor(
    private readonly model: Model,
    private readonly nodes: BeamNodes,
  ) {}

  /** `body`: the selected one; a selected node of a beam has a heading of its own. */
  heading(c: Channel, body: number): string {
    const thing = this.nodes.thing(this.nodes.ofChannel(c));
    if (thing) return c.of?.[0] === "body" && c.of[1] === body ? this.nodes.label(body) : this.nodes.group(thing);
    if (this.by === "kind" || !c.of) return c.group;
    const [kind, index] = c.of;
    const { bodies, joints, forces, drivers = [] } = this.model;
    if (kind === "body") return bodies[index]?.name ?? c.group;
    const item = kind === "joint" ? joints[index] : kind === "force" ? forces[index] : kind === "driver" ? drivers[index] : undefined;
    return item ? `${item.name} · ${item.type}` : c.group;
  }

  /** Where a heading stands: less comes first. */
  rank(c: Channel): number {
    if (this.nodes.ofChannel(c) >= 0) return 1;
    // measures, then energies and the like; forces without an owner last
    if (!c.of) return /measure/i.test(c.group) ? 0 : /force|reaction/i.test(c.group) ? 5 : 0.5;
    if (this.by === "kind") return 1;
    return { body: 1, beam: 1, joint: 2, driver: 3, force: 4 }[c.of[0]];
  }

  /** Headings that are folded at first. */
  folded(channels: Channel[]): string[] {
    const owned = channels.length > MANY ? channels.filter((c) => c.of).map((c) => this.heading(c, -1)) : [];
    return [...this.nodes.groups(), ...owned];
  }
}
