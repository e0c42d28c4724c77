// A study: its table, points as dots and as lines over all quantities, curves laid over each other. A point that is
// chosen anywhere is marked everywhere, and can be opened as a run.

import type { Table } from "../data";
import { at } from "../server";
import { h, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import { tableView } from "../ui/table";
import { onTheme, theme, toggleTheme } from "../ui/theme";
import { extent, frame, roomy, s, short } from "./axes";
import { label, type PointCurves, type StudyColumn, type StudyData } from "./data";
import { parallel } from "./parallel";

/** Curves that are laid over each other at most. */
const CURVES = 40;

export class StudyPage {
  private chosen: number | null = null;
  private columns: StudyColumn[] = [];
  private readonly count = h("span");
  private readonly picked = h("p.study-picked", { role: "status" });
  private readonly said = h("p.study-said", { role: "alert", hidden: true });
  private readonly open = h("button.small", { type: "button", disabled: true, onclick: () => void this.run() }, "Open run");
  private readonly steps: HTMLButtonElement[];
  private readonly choices = h("div.study-choices");
  /** What colours mean. */
  private readonly key = h("span.study-key");
  private readonly linesCard: HTMLElement;
  private readonly scatter = h("div");
  private readonly lines = h("div");
  private readonly curves = h("div");
  private readonly curvesCard: HTMLElement;
  private readonly table = h("div.study-table");
  private x = 0;
  private y = -1;
  /** The column that colours follow. */
  private tint = 0;
  private channel = 1;
  private fetched: PointCurves[] = [];

  constructor(
    private data: StudyData,
    host: HTMLElement,
  ) {
    const card = (title: string, ...content: HTMLElement[]) =>
      h("section.card", { "aria-label": title }, h("header.card-head", {}, h("h2", {}, title)), ...content);
    this.curvesCard = card("Curves", this.curves);
    this.linesCard = card("Parallel coordinates", this.lines);
    const step = (by: 1 | -1, name: string) => h("button.small", { type: "button", onclick: () => this.choose(this.beside(by)) }, name);
    this.steps = [step(-1, "Previous point"), step(1, "Next point")];
    const themeButton = h("button.tool", { type: "button", title: "Light or dark theme", "aria-label": "Light or dark theme", onclick: toggleTheme });
    const paint = () => themeButton.replaceChildren(icon(theme() === "dark" ? "sun" : "moon"));
    onTheme(() => {
      paint();
      this.draw();
    });
    paint();
    host.replaceChildren(
      h("header.bar", {}, h("div.brand", {}, h("h1", {}, data.name), this.count), h("div"), h("div.bar-tools", {}, ...this.steps, this.open, themeButton)),
      h(
        "main.study",
        { tabindex: 0 },
        h("div.study-point-line", {}, this.picked, this.said),
        card("Scatter", this.choices, this.scatter),
        this.curvesCard,
        this.linesCard,
        this.table,
      ),
    );
    document.title = `${data.name} · Kingpin`;
    this.update(data);
  }

  /** The study as it is now: one under way has more points. What was chosen stays. */
  update(data: StudyData): void {
    this.data = data;
    this.columns = [...data.parameters, ...data.scalars];
    if (this.y < 0) this.y = Math.min(this.columns.length - 1, data.parameters.length);
    const failed = data.outcomes.filter((o) => o.startsWith("failed")).length;
    setText(
      this.count,
      [`${data.outcomes.length} of ${data.points} points`, ...(failed > 0 ? [`${failed} failed`] : []), ...(data.note ? [data.note] : [])].join("; "),
    );
    this.choices.replaceChildren(
      this.choice("x axis", this.x, (k) => (this.x = k)),
      this.choice("y axis", this.y, (k) => (this.y = k)),
      this.choice("Colour", this.tint, (k) => (this.tint = k)),
      this.key,
    );
    this.linesCard.classList.toggle("wide", this.columns.length > 4);
    for (const b of this.steps) b.disabled = data.outcomes.length === 0;
    this.curvesCard.hidden = !data.curves;
    this.table.replaceChildren(tableView(this.rows(), { word: "Point", choose: (k) => this.choose(k), chosen: () => this.chosen }));
    this.draw();
    if (this.chosen === null) setText(this.picked, "Click a point, a line, a curve or a row to select it.");
    if (data.curves) void this.fetchCurves();
  }

  /** Marks a point everywhere. */
  choose(point: number): void {
    this.chosen = point;
    setText(this.picked, this.words(point));
    this.say(null);
    this.open.disabled = false;
    this.draw();
  }

  private beside(by: 1 | -1): number {
    const n = this.data.outcomes.length;
    return this.chosen === null ? (by > 0 ? 0 : n - 1) : (this.chosen + by + n) % n;
  }

  private words(point: number): string {
    const amount = ({ name, unit, values }: StudyColumn) => {
      const v = values[point];
      return `${name} = ${v === null ? "none" : short(v)}${v === null || unit === "" ? "" : ` ${unit}`}`;
    };
    return `Point ${point}: ${this.columns.map(amount).join(", ")} (${this.data.outcomes[point]})`;
  }

  private say(text: string | null): void {
    this.said.hidden = text === null;
    setText(this.said, text ?? "");
  }

  private choice(title: string, at: number, set: (k: number) => void): HTMLElement {
    const select = h(
      "select",
      {
        "aria-label": title,
        onchange: () => {
          set(Number(select.value));
          this.draw();
        },
      },
      ...this.columns.map((c, k) => h("option", { value: k, selected: k === at }, label(c))),
    );
    return h("label", {}, `${title} `, select);
  }

  private draw(): void {
    const [low, high] = extent(this.columns[this.tint].values);
    this.key.replaceChildren(short(low), h("i", { style: `background: linear-gradient(to right, ${hue(0)}, ${hue(1)})` }), short(high));
    this.scatter.replaceChildren(this.dots());
    const drawn = {
      chosen: this.chosen,
      style: (k: number) => this.style(k),
      class: (k: number) => this.class(k),
      words: (k: number) => this.words(k),
      choose: (k: number) => this.choose(k),
    };
    this.lines.replaceChildren(parallel(this.columns, this.data.outcomes.length, drawn));
    if (this.fetched.length > 0) this.drawCurves();
    for (const row of this.table.querySelectorAll<HTMLElement>("tr[data-row]")) {
      const here = Number(row.dataset.row) === this.chosen;
      row.classList.toggle("chosen", here);
      if (here) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  private class(point: number): string {
    return `study-point${point === this.chosen ? " chosen" : ""}${this.data.outcomes[point]?.startsWith("failed") ? " failed" : ""}`;
  }

  /** The colour of a point; those that are chosen or failed have one of their own. */
  private style(point: number): string {
    const { values } = this.columns[this.tint];
    const [low, high] = extent(values);
    const v = values[point];
    if (v === null || point === this.chosen || this.data.outcomes[point]?.startsWith("failed")) return "";
    const colour = hue((v - low) / (high - low));
    return `stroke: ${colour}; fill: ${colour}`;
  }

  /** What belongs to a point: it says which on hover, and chooses it. */
  private pointed(element: SVGElement, point: number): SVGElement {
    element.append(s("title", {}, this.words(point)));
    element.addEventListener("click", () => this.choose(point));
    return element;
  }

  private dots(): SVGElement {
    const [a, b] = [this.columns[this.x], this.columns[this.y]];
    const f = frame(roomy(a.values), roomy(b.values), [label(a), label(b)], `${label(b)} over ${label(a)}`);
    const dot = (k: number) => {
      const [v, w] = [a.values[k], b.values[k]];
      if (v === null || w === null) return;
      f.inside.append(
        this.pointed(s("circle", { cx: f.x(v), cy: f.y(w), r: k === this.chosen ? 6 : 3.5, class: this.class(k), style: this.style(k), "data-point": k }), k),
      );
    };
    a.values.forEach((_, k) => void (k !== this.chosen && dot(k)));
    if (this.chosen !== null) dot(this.chosen);
    return f.element;
  }

  private async fetchCurves(): Promise<void> {
    const many = this.data.outcomes.length;
    const step = Math.max(1, Math.ceil(many / CURVES));
    const points = this.data.outcomes.flatMap((_, k) => (k % step === 0 ? [k] : []));
    try {
      this.fetched = (await ask({ curves: points })) as PointCurves[];
    } catch (error) {
      return this.say(String((error as Error).message));
    }
    this.drawCurves();
  }

  private drawCurves(): void {
    const [first] = this.fetched;
    if (!first) return this.curves.replaceChildren(h("p.note", {}, "No curves yet."));
    const all = this.fetched.filter((c) => c.names[this.channel] !== undefined);
    const range = (k: number) => extent(all.flatMap((c) => extent(c.columns[k])));
    const f = frame(range(0), range(this.channel), [first.names[0], first.names[this.channel]], `${first.names[this.channel]} of ${all.length} points`);
    // the chosen one on top of the others
    const sorted = [...all].sort((p, q) => Number(p.point === this.chosen) - Number(q.point === this.chosen));
    for (const c of sorted) {
      const corners = c.columns[0].map((t, k) => `${f.x(t).toFixed(1)},${f.y(c.columns[this.channel][k]).toFixed(1)}`);
      f.inside.append(
        this.pointed(
          s("polyline", { points: corners.join(" "), class: `${this.class(c.point)} study-curve`, style: this.style(c.point), "data-point": c.point }),
          c.point,
        ),
      );
    }
    const select = h(
      "select",
      { "aria-label": "Channel", onchange: () => ((this.channel = Number(select.value)), this.drawCurves()) },
      ...first.names.slice(1).map((name, k) => h("option", { value: k + 1, selected: k + 1 === this.channel }, name)),
    );
    const many = this.data.outcomes.length;
    this.curves.replaceChildren(
      h("div.study-choices", {}, h("label", {}, "Channel ", select), h("span.note", {}, all.length < many ? `${all.length} of ${many} points` : "")),
      f.element,
    );
  }

  private rows(): Table {
    return {
      title: "Points",
      columns: [{ name: "point" }, ...this.columns.map(({ name, unit }) => ({ name, unit })), { name: "outcome" }],
      rows: this.data.outcomes.map((outcome, k) => [k, ...this.columns.map((c) => c.values[k]), outcome]),
    };
  }

  /** Runs the point chosen, in a page of its own. */
  private async run(): Promise<void> {
    if (this.chosen === null) return;
    const page = window.open("", "_blank");
    try {
      const { url: said, notice } = (await ask({ open: this.chosen })) as { url: string; notice: string | null };
      // the cookie is that of the name by which this page was asked for
      const url = Object.assign(new URL(said), { hostname: location.hostname }).href;
      if (page) page.location.href = url;
      this.say(page ? notice : `The browser blocked a new window: open ${url}`);
    } catch (error) {
      page?.close();
      this.say(String((error as Error).message));
    }
  }
}

/** A colour between two, by a part of the way. */
function hue(part: number): string {
  return `color-mix(in oklch, var(--curve-2) ${(100 * part).toFixed(1)}%, var(--curve-1))`;
}

/** What the server answers; an error with its words if it does not. */
async function ask(wish: object): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(at("change"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) });
  } catch {
    throw new Error("No response from the server. Check that kingpin is still running.");
  }
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
