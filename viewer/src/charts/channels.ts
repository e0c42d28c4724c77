// The list of channels: thousands of them, found by typing, only those in sight in the page.

import type { BeamNodes } from "../beams";
import type { Channel, Model } from "../data";
import { h, perFrame, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import { cellText } from "../ui/numbers";
import { onUnits, shown } from "../units";
import { Grouping, type GroupBy } from "./grouping";
import type { Signals } from "./signals";

const ROW = 28;
type Item = { group: string; count: number } | { channel: number };

interface Row {
  element: HTMLElement;
  swatch: HTMLElement;
  name: HTMLElement;
  value: HTMLElement;
  unit: HTMLElement;
  item: Item | null;
}

export class ChannelList {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  private readonly channels: Channel[];
  private readonly words: string[];
  private readonly scroller: HTMLElement;
  private readonly sheet = h("div.channel-sheet");
  private readonly count = h("span.count", { "aria-live": "polite" });
  private readonly filter = h("div.filter", { hidden: true });
  /** Groups that are folded; those of beams are at first, and all where there are many. */
  private closed: Set<string>;
  private readonly grouping: Grouping;
  /** How many are found outside of the selection, and a way there. */
  private readonly elsewhere = h("div.elsewhere", { hidden: true, role: "status" });
  private items: Item[] = [];
  private rows: Row[] = [];
  private body = -1;
  /** The row that keys are about. */
  private current = 0;
  private terms: string[] = [];
  onBody: (body: number) => void = () => {};

  constructor(
    private readonly model: Model,
    private readonly nodes: BeamNodes,
    private readonly signals: Signals,
    private readonly colour: (channel: number) => string | null,
    private readonly toggle: (channel: number) => void,
  ) {
    this.grouping = new Grouping(model, nodes);
    this.closed = new Set(this.grouping.folded(signals.channels));
    this.channels = signals.channels;
    this.words = this.channels.map((c) => `${c.name} ${c.unit} ${c.group}`.toLowerCase());
    this.search = h("input", {
      type: "search",
      placeholder: "Find channels",
      "aria-label": "Find channels",
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => this.seek(),
      onkeydown: (e: KeyboardEvent) => this.key(e),
    });
    this.scroller = h(
      "div.channel-rows",
      {
        tabindex: "0",
        role: "listbox",
        "aria-multiselectable": "true",
        "aria-label": "Channels",
        onscroll: () => this.draw(),
        onkeydown: (e: KeyboardEvent) => this.move(e),
        onfocus: () => this.draw(),
        onblur: () => this.draw(),
      },
      this.sheet,
    );
    this.element = h(
      "aside.channels",
      { "aria-label": "Channels" },
      h("div.pane-head", {}, h("h2", {}, "Channels"), h("span.spacer"), this.count, this.chooser()),
      h("label.search", {}, icon("search"), this.search, h("kbd", {}, "/")),
      this.filter,
      this.elsewhere,
      this.scroller,
    );
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    onUnits(() => this.draw());
    this.seek();
  }

  private text(channel: number): string {
    return this.signals.text(channel, this.signals.store.value(channel));
  }

  /** Only what belongs to a body, its joints and its forces; -1 for everything. */
  select(body: number): void {
    this.body = body;
    this.filter.hidden = body < 0;
    if (body >= 0) {
      const b = this.model.bodies[body];
      const beam = this.nodes.named(body);
      const clear = h(
        "button.ghost",
        { type: "button", "aria-label": "Show channels of all bodies", title: "Show all", onclick: () => this.onBody(-1) },
        icon("close"),
      );
      this.filter.replaceChildren(
        h(
          "div.filter-text",
          {},
          h("strong", {}, beam?.name ?? b.name),
          h(
            "span",
            {},
            beam
              ? beam.kind === "Beam"
                ? `node ${this.nodes.node(body)}`
                : this.nodes.leads(body)
                  ? "flexible"
                  : this.nodes.node(body)
              : `${cellText(b.mass)} kg`,
          ),
        ),
        clear,
      );
    }
    this.seek();
  }

  /** Other channels are plotted. */
  mark(): void {
    this.draw();
  }

  /** Values at the time sought last. */
  readonly showTime = perFrame(() => {
    for (const r of this.rows) {
      if (r.item && "channel" in r.item) setText(r.value, this.text(r.item.channel));
    }
  });

  private related(c: Channel): boolean {
    if (this.body < 0) return true;
    const beam = this.nodes.beam(this.body);
    if (!c.of) return beam >= 0 && this.nodes.ofChannel(c) === beam;
    const [kind, index] = c.of;
    if (kind === "beam") return beam >= 0 && this.nodes.ofChannel(c) === beam;
    if (kind === "body") return index === this.body || (beam >= 0 && this.nodes.beam(index) === beam);
    const list = kind === "joint" ? this.model.joints : kind === "force" ? this.model.forces : (this.model.drivers ?? []);
    return list[index]?.bodies.some((b) => b === this.body || (beam >= 0 && this.nodes.beam(b) === beam)) ?? false;
  }

  private seek(): void {
    this.terms = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = new Map<string, number[]>();
    let found = 0;
    let outside = 0;
    const order = this.channels.map((_, i) => i).sort((a, b) => this.grouping.rank(this.channels[a]) - this.grouping.rank(this.channels[b]) || a - b);
    order.forEach((i) => {
      const c = this.channels[i];
      if (!this.terms.every((t) => this.words[i].includes(t))) return;
      if (!this.related(c)) return void outside++;
      found++;
      const group = this.grouping.heading(c, this.body);
      const list = groups.get(group);
      if (list) list.push(i);
      else groups.set(group, [i]);
    });
    this.items = [];
    for (const [group, list] of groups) {
      this.items.push({ group, count: list.length });
      if (!this.folded(group)) for (const channel of list) this.items.push({ channel });
    }
    this.tellElsewhere(found, outside);
    setText(this.count, found === this.channels.length ? String(found) : `${found} of ${this.channels.length}`);
    this.sheet.style.height = `${this.items.length * ROW}px`;
    this.scroller.scrollTop = 0;
    this.current = Math.max(
      0,
      this.items.findIndex((i) => "channel" in i),
    );
    this.draw();
  }

  /** What is searched for or selected is not folded away, but for beams with all their nodes. */
  private folded(group: string): boolean {
    if (this.terms.length > 0 || !this.closed.has(group)) return false;
    return this.body < 0 || this.nodes.groups().includes(group);
  }

  /** Says that a search is inside of a selection, or has found nothing. */
  private tellElsewhere(found: number, outside: number): void {
    const nothing = found + outside === 0;
    this.elsewhere.hidden = this.terms.length === 0 || (this.body < 0 && !nothing);
    if (this.elsewhere.hidden) return;
    if (nothing) return void this.elsewhere.replaceChildren(h("span", {}, `No channel name contains “${this.search.value.trim()}”.`));
    const name = this.nodes.named(this.body)?.name ?? this.model.bodies[this.body].name;
    this.elsewhere.replaceChildren(
      h("span", {}, `${found} in ${name}, ${outside} elsewhere`),
      outside > 0 ? h("button.small", { type: "button", onclick: () => this.onBody(-1) }, "Search everywhere") : "",
    );
  }

  /** Headings by body and joint, or by the kind of number. */
  private chooser(): HTMLElement {
    const select = h(
      "select.grouping",
      {
        "aria-label": "Grouping of channels",
        title: "Grouping",
        onchange: () => {
          this.grouping.by = select.value as GroupBy;
          this.closed = new Set(this.grouping.folded(this.channels));
          this.seek();
        },
      },
      h("option", { value: "owner" }, "by body"),
      h("option", { value: "kind" }, "by kind"),
    );
    return select;
  }

  private key(e: KeyboardEvent): void {
    const first = this.items.find((i) => "channel" in i);
    if (e.key === "Enter" && this.terms.length > 0 && first && "channel" in first) this.toggle(first.channel);
    else if (e.key === "Escape") {
      this.search.value = "";
      this.search.blur();
      this.seek();
    } else return;
    e.preventDefault();
  }

  /** Keys of the list: arrows go from row to row, space and enter plot or fold. */
  private move(e: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 1);
    const last = this.items.length - 1;
    const to = { ArrowUp: this.current - 1, ArrowDown: this.current + 1, PageUp: this.current - page, PageDown: this.current + page, Home: 0, End: last }[
      e.key
    ];
    const item = this.items[this.current];
    if (e.ctrlKey || e.altKey || e.metaKey || !item) return;
    if (to !== undefined) {
      this.current = Math.max(0, Math.min(last, to));
      const top = this.current * ROW;
      if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
      else if (top + ROW > this.scroller.scrollTop + this.scroller.clientHeight) this.scroller.scrollTop = top + ROW - this.scroller.clientHeight;
    } else if (e.key === " " || e.key === "Enter") this.choose(item);
    else return;
    e.preventDefault();
    e.stopPropagation();
    this.draw();
  }

  private draw(): void {
    const height = this.scroller.clientHeight;
    if (height === 0) return;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 2);
    const wanted = Math.min(this.items.length - first, Math.ceil(height / ROW) + 4);
    while (this.rows.length < wanted) this.rows.push(this.makeRow());
    this.rows.forEach((row, k) => {
      const item = k < wanted ? this.items[first + k] : null;
      row.item = item ?? null;
      row.element.hidden = !item;
      if (item) this.fill(row, item, first + k);
    });
    const focused = document.activeElement === this.scroller ? this.rows[this.current - first] : undefined;
    for (const row of this.rows) row.element.classList.toggle("current", row === focused);
    if (focused && !focused.element.hidden) this.scroller.setAttribute("aria-activedescendant", focused.element.id);
    else this.scroller.removeAttribute("aria-activedescendant");
  }

  private makeRow(): Row {
    const swatch = h("i.swatch");
    const name = h("span.name");
    const value = h("span.value");
    const unit = h("span.unit");
    const element = h("div.channel-row", { role: "option", id: `channel-row-${this.rows.length}`, onclick: () => this.click(row) }, swatch, name, value, unit);
    const row: Row = { element, swatch, name, value, unit, item: null };
    this.sheet.append(element);
    return row;
  }

  private click(row: Row): void {
    if (!row.item) return;
    this.current = this.items.indexOf(row.item);
    this.choose(row.item);
  }

  /** Plots a channel, or takes it out; folds a group, or unfolds it. */
  private choose(item: Item): void {
    if ("channel" in item) return this.toggle(item.channel);
    if (!this.closed.delete(item.group)) this.closed.add(item.group);
    const at = this.scroller.scrollTop;
    this.seek();
    this.current = this.items.findIndex((i) => "group" in i && i.group === item.group);
    this.scroller.scrollTop = at;
    this.draw();
  }

  private fill(row: Row, item: Item, index: number): void {
    row.element.style.transform = `translateY(${index * ROW}px)`;
    const heading = "group" in item;
    row.element.classList.toggle("heading", heading);
    if (heading) {
      row.element.classList.toggle("closed", this.folded(item.group));
      row.element.classList.remove("plotted");
      row.element.removeAttribute("title");
      row.element.removeAttribute("aria-selected");
      setText(row.name, item.group);
      setText(row.value, "");
      setText(row.unit, String(item.count));
      return;
    }
    const c = this.channels[item.channel];
    const colour = this.colour(item.channel);
    row.element.classList.toggle("plotted", colour !== null);
    row.element.classList.remove("closed");
    row.element.setAttribute("aria-selected", String(colour !== null));
    row.element.style.setProperty("--swatch", colour ?? "transparent");
    row.element.title = `${c.name}${c.unit ? `, ${c.unit}` : ""} (${c.group})`;
    this.highlight(row.name, c.name);
    setText(row.value, this.text(item.channel));
    setText(row.unit, shown(c.unit).unit);
  }

  /** The name with the letters searched for set off. */
  private highlight(e: HTMLElement, name: string): void {
    const lower = name.toLowerCase();
    const hits = this.terms
      .map((t) => [lower.indexOf(t), t.length])
      .filter(([at]) => at >= 0)
      .sort((a, b) => a[0] - b[0]);
    if (hits.length === 0) return setText(e, name);
    const parts: (Node | string)[] = [];
    let at = 0;
    for (const [start, length] of hits) {
      if (start < at) continue;
      parts.push(name.slice(at, start), h("mark", {}, name.slice(start, start + length)));
      at = start + length;
    }
    e.replaceChildren(...parts, name.slice(at));
  }
}
