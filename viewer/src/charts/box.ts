// A chart with its legend: names, values at the time shown, a way to take curves out again.

import type { Channel } from "../data";
import type { FrameStore } from "../frames";
import type { Scales } from "../scales";
import type { Playback } from "../playback";
import { h, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import { curveColour } from "../ui/theme";
import type { TimeRange } from "./axis";
import { Plot, type PlotOptions, type Values } from "./plot";

export interface BoxActions {
  activate(box: ChartBox): void;
  remove(box: ChartBox): void;
  changed(): void;
}

interface Entry {
  channel: number;
  colour: number;
  value: HTMLElement;
}

export class ChartBox {
  readonly element: HTMLElement;
  readonly plot: Plot;
  private readonly legend = h("div.legend");
  private readonly empty = h("p.chart-empty", {}, "Choose channels in the list, or click a body and then one of its channels.");
  private entries: Entry[] = [];
  private right = 0;

  constructor(
    private readonly channels: Channel[],
    private readonly store: FrameStore,
    private readonly scales: Scales,
    playback: Playback,
    range: TimeRange,
    private readonly actions: BoxActions,
  ) {
    this.plot = new Plot(this.options(), range, playback);
    const close = h("button.ghost.chart-close", { type: "button", "aria-label": "Remove this chart", title: "Remove this chart", onclick: () => actions.remove(this) }, icon("close"));
    this.element = h("section.chart", { "aria-label": "Chart", onpointerdown: () => actions.activate(this), onfocusin: () => actions.activate(this) },
      h("header.chart-head", {}, this.legend, close), this.plot.element, this.empty);
  }

  get plotted(): number[] {
    return this.entries.map((e) => e.channel);
  }

  has(channel: number): boolean {
    return this.entries.some((e) => e.channel === channel);
  }

  /** Colour of a plotted channel. */
  colour(channel: number): string | null {
    const e = this.entries.find((x) => x.channel === channel);
    return e ? curveColour(e.colour) : null;
  }

  add(channel: number): void {
    if (this.has(channel)) return;
    // the first colour that is free, so that the others keep theirs
    let colour = 0;
    while (this.entries.some((e) => e.colour === colour)) colour++;
    this.entries.push({ channel, colour, value: h("span.value") });
    this.rebuild();
  }

  remove(channel: number): void {
    this.entries = this.entries.filter((e) => e.channel !== channel);
    this.rebuild();
  }

  /** Axes that this chart has on its right. */
  get rightAxes(): number {
    return Math.max(0, new Set(this.entries.map((e) => this.channels[e.channel].unit)).size - 1);
  }

  /** Leaves room for as many, so that all charts line up. */
  alignTo(right: number): void {
    if (right === this.right) return;
    this.right = right;
    this.plot.rebuild(this.options());
  }

  activate(on: boolean): void {
    this.element.classList.toggle("active", on);
  }

  rebuild(): void {
    this.legend.replaceChildren(...this.entries.map((e) => this.chip(e)));
    this.empty.hidden = this.entries.length > 0;
    this.plot.element.hidden = this.entries.length === 0;
    this.plot.rebuild(this.options());
    this.showTime();
  }

  showTime(): void {
    this.plot.showTime();
    for (const e of this.entries) setText(e.value, this.scales.text(e.channel));
  }

  private chip(e: Entry): HTMLElement {
    const { name, unit } = this.channels[e.channel];
    const out = () => {
      this.remove(e.channel);
      this.actions.changed();
    };
    const chip = h("span.chip", { title: name }, h("i.swatch"), h("span.chip-name", {}, name), e.value, h("span.unit", {}, unit),
      h("button.ghost", { type: "button", "aria-label": `Remove ${name}`, title: "Remove", onclick: out }, icon("close")));
    chip.style.setProperty("--swatch", curveColour(e.colour));
    return chip;
  }

  private options(): PlotOptions {
    const { entries, channels, store, scales } = this;
    const values = (k: number) => (scales.isZero(k) ? new Float64Array(store.count) : store.series(k)) as Values;
    return {
      right: this.right,
      curves: entries.map((e) => ({ name: channels[e.channel].name, unit: channels[e.channel].unit, colour: curveColour(e.colour), text: (v: number) => scales.text(e.channel, v) })),
      data: () => [store.t(), ...entries.map((e) => values(e.channel))],
    };
  }
}
