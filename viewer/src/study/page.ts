// A study: its table, points as dots and as lines over all quantities, curves laid over each other. A point that is
// chosen anywhere is marked everywhere, and can be opened as a run.

import type { Table } from "../data";
import { h, setText } from "../ui/dom";
import { curveColour } from "../ui/theme";
import { tableView } from "../ui/table";
import { extent, frame, s, short } from "./axes";
import { label, type PointCurves, type StudyColumn, type StudyData } from "./data";

/** Curves that are laid over each other at most. */
const CURVES = 40;

export class StudyPage {
  private chosen: number | null = null;
  private readonly columns: StudyColumn[];
  private readonly picked = h("p.study-picked", { role: "status" }, "Click a point to choose it.");
  private readonly open = h("button.small", { type: "button", disabled: true, onclick: () => void this.run() }, "Open this run");
  private readonly scatter = h("div");
  private readonly parallel = h("div");
  private readonly curves = h("div");
  private x: number;
  private y: number;
  private channel = 1;
  private fetched: PointCurves[] = [];

  constructor(
    readonly data: StudyData,
    host: HTMLElement,
  ) {
    this.columns = [...data.parameters, ...data.scalars];
    this.x = 0;
    this.y = Math.min(this.columns.length - 1, data.parameters.length);
    const card = (title: string, ...content: HTMLElement[]) => h("section.card", { "aria-label": title }, h("header.card-head", {}, h("h2", {}, title)), ...content);
    const cards = [card("Scatter", h("div.study-choices", {}, this.choice("Across", this.x, (k) => (this.x = k)), this.choice("Up", this.y, (k) => (this.y = k))), this.scatter), card("Parallel coordinates", this.parallel)];
    if (data.curves) cards.push(card("Curves", this.curves));
    host.replaceChildren(
      h("header.bar", {}, h("div.brand", {}, h("h1", {}, data.name), h("span", {}, `${data.outcomes.length} of ${data.points} points${data.note ? `; ${data.note}` : ""}`)), h("div.bar-tools", {}, this.picked, this.open)),
      h("main.study", { tabindex: 0 }, ...cards, this.table()));
    document.title = `${data.name} · Kingpin`;
    this.draw();
    if (data.curves) void this.fetchCurves();
  }

  /** Marks a point everywhere. */
  choose(point: number): void {
    this.chosen = point;
    const values = this.columns.map((c) => `${c.name} = ${c.values[point] === null ? "none" : short(c.values[point] as number)}`);
    setText(this.picked, `Point ${point}: ${values.join(", ")} (${this.data.outcomes[point]})`);
    this.open.disabled = false;
    this.draw();
  }

  private choice(title: string, at: number, set: (k: number) => void): HTMLElement {
    const select = h("select", { onchange: () => {
      set(Number(select.value));
      this.draw();
    } }, ...this.columns.map((c, k) => h("option", { value: k, selected: k === at }, label(c))));
    return h("label", {}, `${title} `, select);
  }

  private draw(): void {
    this.scatter.replaceChildren(this.dots());
    this.parallel.replaceChildren(this.lines());
    if (this.fetched.length > 0) this.drawCurves();
  }

  private class(point: number): string {
    return `study-point${point === this.chosen ? " chosen" : ""}${this.data.outcomes[point]?.startsWith("failed") ? " failed" : ""}`;
  }

  private dots(): SVGElement {
    const [a, b] = [this.columns[this.x], this.columns[this.y]];
    const f = frame(extent(a.values), extent(b.values), [label(a), label(b)], `${label(b)} over ${label(a)}`);
    a.values.forEach((v, k) => {
      const w = b.values[k];
      if (v === null || w === null) return;
      const dot = s("circle", { cx: f.x(v), cy: f.y(w), r: k === this.chosen ? 6 : 3.5, class: this.class(k), "data-point": k });
      dot.addEventListener("click", () => this.choose(k));
      f.inside.append(dot);
    });
    return f.element;
  }

  private lines(): SVGElement {
    const [width, height, top, bottom] = [Math.max(560, 120 * this.columns.length), 300, 34, 20];
    const at = (k: number) => 60 + (k * (width - 120)) / Math.max(1, this.columns.length - 1);
    const ranges = this.columns.map((c) => extent(c.values));
    const y = (k: number, v: number) => height - bottom - ((v - ranges[k][0]) / (ranges[k][1] - ranges[k][0])) * (height - bottom - top);
    const element = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "study-chart", role: "img", "aria-label": "Each point as a line over all quantities" });
    const line = (k: number) => {
      const corners = this.columns.flatMap((c, i) => (c.values[k] === null ? [] : [`${at(i)},${y(i, c.values[k] as number)}`]));
      const drawn = s("polyline", { points: corners.join(" "), class: `${this.class(k)} study-line` });
      drawn.addEventListener("click", () => this.choose(k));
      return drawn;
    };
    this.data.outcomes.forEach((_, k) => void (k !== this.chosen && element.append(line(k))));
    if (this.chosen !== null) element.append(line(this.chosen));
    this.columns.forEach((c, k) => element.append(
      s("line", { x1: at(k), x2: at(k), y1: top, y2: height - bottom, class: "study-axis" }),
      s("text", { x: at(k), y: 14, "text-anchor": "middle" }, label(c)),
      s("text", { x: at(k), y: top - 6, "text-anchor": "middle" }, short(ranges[k][1])),
      s("text", { x: at(k), y: height - 6, "text-anchor": "middle" }, short(ranges[k][0]))));
    return element;
  }

  private async fetchCurves(): Promise<void> {
    const many = this.data.outcomes.length;
    const step = Math.max(1, Math.ceil(many / CURVES));
    const points = this.data.outcomes.flatMap((_, k) => (k % step === 0 ? [k] : []));
    const answer = await ask({ curves: points });
    this.fetched = (answer ?? []) as PointCurves[];
    this.drawCurves();
  }

  private drawCurves(): void {
    const [first] = this.fetched;
    if (!first) return this.curves.replaceChildren(h("p.note", {}, "No curves are there yet."));
    const all = this.fetched.filter((c) => c.names[this.channel] !== undefined);
    const range = (k: number) => extent(all.flatMap((c) => extent(c.columns[k])));
    const f = frame(range(0), range(this.channel), [first.names[0], first.names[this.channel]], `${first.names[this.channel]} of ${all.length} points`);
    all.forEach((c, i) => {
      const corners = c.columns[0].map((t, k) => `${f.x(t).toFixed(1)},${f.y(c.columns[this.channel][k]).toFixed(1)}`);
      const drawn = s("polyline", { points: corners.join(" "), class: `${this.class(c.point)} study-curve`, stroke: curveColour(i) });
      drawn.addEventListener("click", () => this.choose(c.point));
      f.inside.append(drawn);
    });
    const select = h("select", { "aria-label": "Channel", onchange: () => ((this.channel = Number(select.value)), this.drawCurves()) },
      ...first.names.slice(1).map((name, k) => h("option", { value: k + 1, selected: k + 1 === this.channel }, name)));
    this.curves.replaceChildren(h("div.study-choices", {}, h("label", {}, "Channel ", select)), f.element);
  }

  private table(): HTMLElement {
    const table: Table = {
      title: "Points",
      columns: [{ name: "point" }, ...this.columns.map(({ name, unit }) => ({ name, unit })), { name: "outcome" }],
      rows: this.data.outcomes.map((outcome, k) => [k, ...this.columns.map((c) => c.values[k]), outcome]),
    };
    const view = tableView(table);
    view.addEventListener("click", (e) => {
      const row = (e.target as HTMLElement).closest("tbody tr");
      const point = Number(row?.firstElementChild?.textContent ?? NaN);
      if (row && Number.isInteger(point)) this.choose(point);
    });
    return view;
  }

  /** Runs the point chosen, in a page of its own. */
  private async run(): Promise<void> {
    if (this.chosen === null) return;
    const page = window.open("", "_blank");
    const answer = (await ask({ open: this.chosen })) as { url: string } | null;
    if (page && answer) page.location.href = answer.url;
    else page?.close();
    if (answer) this.open.dataset.url = answer.url;
  }
}

async function ask(wish: object): Promise<unknown> {
  const answer = await fetch("./change", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) });
  return answer.ok ? answer.json() : null;
}
