// Model: what there is, in tables.

import type { BodyRef, KingpinData, Table } from "../data";
import { h } from "../ui/dom";
import { tableView } from "../ui/table";

export function modelTab(data: KingpinData): HTMLElement {
  const tables = [...parameters(data), ...(data.tables && data.tables.length > 0 ? data.tables : derived(data))];
  const cards = tables.map(tableView);
  const nav = h("nav.contents", { "aria-label": "Tables" }, ...tables.map((t, i) =>
    h("button", { type: "button", onclick: () => cards[i].scrollIntoView({ behavior: "smooth", block: "start" }) }, t.title, h("span.count", {}, String(t.rows.length)))));
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
  return [{
    title: "Parameters",
    columns: [{ name: "name" }, { name: "value" }, { name: "unit" }, ...(given ? [{ name: "set for this run" }] : [])],
    rows: sorted.map((p) => [p.name, p.value, p.unit ?? "", ...(given ? [p.set ?? ""] : [])]),
  }];
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
