// The charts of the Motion tab, one below the other, and which of them gets the next channel.

import { onUnits } from "../units";
import type { Playback } from "../playback";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import type { TimeRange } from "./axis";
import { ChartBox } from "./box";
import type { Plot } from "./plot";
import type { Signals } from "./signals";

export class ChartPanel {
  readonly element: HTMLElement;
  /** Called when other channels are plotted. */
  onChange: () => void = () => {};
  private readonly list = h("div.chart-list");
  private boxes: ChartBox[] = [];
  private active: ChartBox | null = null;
  /** Whether drags in charts draw boxes. */
  private boxing = false;
  private readonly boxButton = h(
    "button.ghost",
    { type: "button", title: "Box zoom (Z)", "aria-label": "Box zoom", "aria-pressed": "false", onclick: () => this.toggleBoxing() },
    icon("box"),
  );

  constructor(
    readonly signals: Signals,
    private readonly playback: Playback,
    readonly range: TimeRange,
    private readonly model: string,
  ) {
    const middle = () => {
      const t = this.playback.time;
      return t >= range.min && t <= range.max ? t : (range.min + range.max) / 2;
    };
    const button = (label: string, name: Parameters<typeof icon>[0], action: () => void) =>
      h("button.ghost", { type: "button", title: label, "aria-label": label, onclick: action }, icon(name));
    this.element = h(
      "div.charts",
      { "aria-label": "Charts" },
      h(
        "div.pane-head",
        {},
        h("h2", {}, "Charts"),
        h("span.spacer"),
        this.boxButton,
        button("Zoom in", "plus", () => range.zoom(middle(), 0.6)),
        button("Zoom out", "minus", () => range.zoom(middle(), 1 / 0.6)),
        button("Fit", "reset", () => this.showAll()),
        h("button.small", { type: "button", onclick: () => this.activate(this.add()) }, icon("plus"), "Chart"),
      ),
      this.list,
    );
    onUnits(() => this.theme());
  }

  toggleBoxing(): void {
    this.boxing = !this.boxing;
    this.boxButton.setAttribute("aria-pressed", String(this.boxing));
    this.list.classList.toggle("boxing", this.boxing);
  }

  /** All of the time and all heights. */
  private showAll(): void {
    for (const b of this.boxes) {
      b.plot.resetHeights();
      b.still.reset();
    }
    this.range.reset();
  }

  /** The charts asked for, or a sensible one. */
  start(wanted: string[][] | undefined): void {
    const { channels, store } = this.signals;
    const byName = new Map(channels.map((c, i) => [c.name, i]));
    for (const names of wanted ?? []) {
      const box = this.add();
      for (const n of names) {
        const i = byName.get(n);
        if (i !== undefined) for (const id of [i, ...this.signals.others(i)]) box.add(id);
      }
    }
    if (this.boxes.length === 0) {
      const box = this.add();
      // what the model measures says most; otherwise the first thing that moves
      const measured = channels.findIndex((c) => c.of === undefined);
      const moving = channels.findIndex((_, i) => store.stride[i] === 1);
      const first = measured >= 0 ? measured : moving;
      if (first >= 0) for (const id of [first, ...this.signals.others(first)]) box.add(id);
    }
    this.activate(this.boxes[0]);
    this.changed();
  }

  /** Another run is there: what is plotted is compared with it. */
  compare(): void {
    for (const b of this.boxes) for (const id of b.plotted) for (const other of this.signals.others(id)) b.add(other);
    this.changed();
  }

  /** Channels of each chart, by name. */
  names(): string[][] {
    const { channels } = this.signals;
    return this.boxes.map((b) => b.plotted.filter((id) => id < channels.length).map((id) => channels[id].name));
  }

  get plotted(): number[] {
    return this.boxes.flatMap((b) => b.plotted);
  }
  colour(channel: number): string | null {
    for (const b of this.boxes) {
      const c = b.colour(channel);
      if (c) return c;
    }
    return null;
  }

  /** Into the active chart, or out of all of them. */
  toggle(channel: number): void {
    const holders = this.boxes.filter((b) => b.has(channel));
    const all = [channel, ...this.signals.others(channel)];
    for (const b of holders) for (const id of all) b.remove(id);
    if (holders.length === 0) {
      const box = this.active ?? this.activate(this.add());
      for (const id of all) box.add(id);
    }
    this.changed();
  }

  showTime(): void {
    for (const b of this.boxes) b.showTime();
  }
  refresh(): void {
    for (const b of this.boxes) b.refresh();
  }
  theme(): void {
    for (const b of this.boxes) b.rebuild();
    this.changed();
  }
  /** All charts, for tests. */
  plots(): Plot[] {
    return this.boxes.map((b) => b.plot);
  }
  cursor(): number | null {
    return this.boxes[0]?.plot.cursor() ?? null;
  }

  private changed(): void {
    const right = this.boxes.reduce((most, b) => Math.max(most, b.rightAxes), 0);
    for (const b of this.boxes) b.alignTo(right);
    this.onChange();
  }

  private add(): ChartBox {
    const box = new ChartBox(
      this.signals,
      this.playback,
      this.range,
      {
        activate: (b) => this.activate(b),
        remove: (b) => this.drop(b),
        changed: () => this.changed(),
        boxing: () => this.boxing,
      },
      this.model,
    );
    this.boxes.push(box);
    this.list.append(box.element);
    box.rebuild();
    return box;
  }

  private drop(box: ChartBox): void {
    box.plot.destroy();
    box.element.remove();
    this.boxes = this.boxes.filter((b) => b !== box);
    if (this.boxes.length === 0) this.add();
    if (this.active === box) this.activate(this.boxes[0]);
    this.changed();
  }

  private activate(box: ChartBox): ChartBox {
    this.active = box;
    for (const b of this.boxes) b.activate(b === box && this.boxes.length > 1);
    return box;
  }
}
