// Model: what there is, in tables.

import type { BodyRef, KingpinData, Table } from "../data";
import { decode } from "../columns";
import { fileName, save } from "../files";
import { h } from "../ui/dom";
import { many } from "../ui/numbers";
import { tableView } from "../ui/table";

export function modelTab(data: KingpinData): HTMLElement {
  const tables = [
    ...parameters(data),
    ...measures(data),
    ...(data.tables && data.tables.length > 0 ? data.tables : derived(data)),
    ...positions(data),
    ...roads(data),
  ];
  const cards: HTMLElement[] = tables.map((t) => tableView(t));
  const sections: [string, string][] = tables.map((t) => [t.title, String(t.rows.length)]);
  if (data.model.text) {
    cards.push(textCard(data.model.name, data.model.text));
    sections.push(["Model file", many(data.model.text.split("\n").length, "line")]);
  }
  const nav = h(
    "nav.contents",
    { "aria-label": "Tables" },
    ...sections.map(([title, count], i) =>
      h("button", { type: "button", onclick: () => cards[i].scrollIntoView({ behavior: "smooth", block: "start" }) }, title, h("span.count", {}, count)),
    ),
  );
  const { model } = data;
  const head = h("div.page-head", {}, h("h1", {}, model.name), model.description ? h("p", {}, model.description) : null);
  return h("div.page.with-contents", { tabindex: 0 }, nav, h("div.page-body", {}, head, ...cards));
}

/** With which values it was run; those that the user set come first. */
function parameters({ model }: KingpinData): Table[] {
  const list = model.parameters ?? [];
  if (list.length === 0) return [];
  const given = list.some((p) => p.set !== undefined);
  const sorted = [...list].sort((a, b) => Number(b.set !== undefined) - Number(a.set !== undefined));
  return [
    {
      title: "Parameters",
      columns: [{ name: "name" }, { name: "value" }, { name: "unit" }, ...(given ? [{ name: "modified for this run" }] : [])],
      rows: sorted.map((p) => [p.name, p.value, p.unit ?? "", ...(given ? [p.set ?? ""] : [])]),
    },
  ];
}

/** What the model measures: what belongs to no body, joint or force. */
function measures({ channels, frames }: KingpinData): Table[] {
  const own = channels.map((c, k) => ({ c, k })).filter(({ c }) => c.of === undefined && /measure/i.test(c.group));
  if (own.length === 0) return [];
  return [
    {
      title: "Measures",
      columns: [{ name: "measure" }, { name: "unit" }, { name: "initial" }, { name: "min" }, { name: "max" }],
      rows: own.map(({ c, k }) => {
        const values = Array.from(decode(frames.columns[k], frames.count, c.name)).filter(Number.isFinite);
        const most = (of: (a: number, b: number) => number) => (values.length > 0 ? values.reduce((a, b) => of(a, b)) : null);
        return [c.name, c.unit, values[0] ?? null, most(Math.min), most(Math.max)];
      }),
    },
  ];
}

/** Where bodies are at the start; nodes of beams are left out. */
function positions({ model, frames, channels }: KingpinData): Table[] {
  const nodes = new Set([...(model.beams ?? []), ...(model.meshes ?? [])].flatMap((b) => b.nodes));
  const bodies = model.bodies.filter((b, i) => !nodes.has(i) && !b.point);
  if (bodies.length === 0) return [];
  const names =
    bodies[0].pose.length === 3
      ? [
          { name: "x", unit: "m" },
          { name: "y", unit: "m" },
          { name: "angle", unit: "rad" },
        ]
      : [{ name: "x", unit: "m" }, { name: "y", unit: "m" }, { name: "z", unit: "m" }, { name: "e0" }, { name: "e1" }, { name: "e2" }, { name: "e3" }];
  return [
    {
      title: "Positions",
      note: "Initial body frames, in global axes.",
      columns: [{ name: "body" }, ...names],
      rows: bodies.map((b) => [b.name, ...b.pose.map((c) => decode(frames.columns[c], frames.count, channels[c].name)[0] ?? null)]),
    },
  ];
}

function roads({ model }: KingpinData): Table[] {
  const list = model.roads ?? [];
  if (list.length === 0) return [];
  const heights = (points: [number, number][]) => points.map((p) => p[1]);
  return [
    {
      title: "Roads",
      columns: [
        { name: "road" },
        { name: "points" },
        { name: "from", unit: "m" },
        { name: "to", unit: "m" },
        { name: "lowest", unit: "m" },
        { name: "highest", unit: "m" },
      ],
      rows: list.map(({ name, points }) => [
        name,
        points.length,
        points[0]?.[0] ?? null,
        points[points.length - 1]?.[0] ?? null,
        Math.min(...heights(points)),
        Math.max(...heights(points)),
      ]),
    },
  ];
}

/** The file, with its includes. */
function textCard(name: string, text: string): HTMLElement {
  return h(
    "section.card.model-text",
    { "aria-label": "Model file" },
    h(
      "header.card-head",
      {},
      h("h2", {}, "Model file"),
      h("span.spacer"),
      h("button.small", { type: "button", onclick: () => save(`${fileName(name)}.toml`, text) }, "Save"),
    ),
    h("pre", { tabindex: 0 }, text),
  );
}

/** Tables out of the model itself, for files that bring none. */
function derived(data: KingpinData): Table[] {
  const { model } = data;
  const name = (b: BodyRef): string => (b === null ? "ground" : model.bodies[b].name);
  const nodes = new Set([...(model.beams ?? []), ...(model.meshes ?? [])].flatMap((b) => b.nodes));
  const out: Table[] = [
    {
      title: "Bodies",
      columns: [{ name: "body" }, { name: "mass", unit: "kg" }, { name: "centre x", unit: "m" }, { name: "y", unit: "m" }, { name: "z", unit: "m" }],
      rows: model.bodies.filter((_, i) => !nodes.has(i)).map((b) => [b.name, b.mass, ...b.com]),
    },
  ];
  if (model.beams && model.beams.length > 0) {
    out.push({
      title: "Beams",
      columns: [{ name: "beam" }, { name: "nodes" }, { name: "order" }, { name: "mass", unit: "kg" }, { name: "modulus", unit: "Pa" }],
      rows: model.beams.map((b) => [b.name, b.nodes.length, b.order, b.nodes.reduce((m, n) => m + model.bodies[n].mass, 0), b.modulus ?? null]),
    });
  }
  if (model.joints.length > 0) {
    out.push({
      title: "Joints",
      columns: [{ name: "joint" }, { name: "type" }, { name: "bodies" }, { name: "equations" }],
      rows: model.joints.map((j) => [j.name, j.type, [...j.bodies.map(name), ...(j.joints ?? [])].join(", "), j.equations ?? null]),
    });
  }
  if (model.forces.length > 0) {
    out.push({
      title: "Forces",
      columns: [{ name: "force" }, { name: "type" }, { name: "bodies" }, { name: "stiffness" }, { name: "damping" }],
      rows: model.forces.map((f) => [f.name, f.type, f.bodies.map(name).join(", "), f.stiffness ?? null, f.damping ?? null]),
    });
  }
  return out;
}
