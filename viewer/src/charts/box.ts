// A chart with its legend: names, values at the time shown, a way to take curves out again; over the time, over another
// curve, or as a spectrum.

import { csv, fileName, pictureOf, save } from "../files";
import type { Playback } from "../playback";
import { h, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import { cssColour, curveColour } from "../ui/theme";
import { inUnit, shown, type Shown } from "../units";
import type { TimeRange } from "./axis";
import { alike } from "./calculus";
import { drawing } from "./drawing";
import { spectrum } from "./fft";
import { chartMenu } from "./menu";
import { Plot, type PlotOptions, type Values } from "./plot";
import type { Operation, Signals } from "./signals";
import { StatisticsTable } from "./statistics";
import { StillChart, type StillCurves } from "./still";

export interface BoxActions {
  activate(box: ChartBox): void;
  remove(box: ChartBox): void;
  changed(): void;
  /** Whether every drag draws a box to zoom to. */
  boxing(): boolean;
}

interface Entry {
  id: number;
  colour: number;
  value: HTMLElement;
}

export const LOOKS = ["time", "xy", "spectrum"] as const;
export type Look = (typeof LOOKS)[number];

export class ChartBox {
  readonly element: HTMLElement;
  readonly plot: Plot;
  readonly still = new StillChart();
  look: Look = "time";
  /** The curve that is x, if they are shown over one. */
  over = -1;
  private readonly legend = h("div.legend");
  private readonly numbers: StatisticsTable;
  private readonly empty = h("p.chart-empty", {}, "Select channels in the list, or click a body and then one of its channels.");
  private entries: Entry[] = [];
  /** Units of this chart alone, by SI unit. */
  private readonly units = new Map<string, string>();
  private right = 0;

  constructor(
    readonly signals: Signals,
    private readonly playback: Playback,
    private readonly range: TimeRange,
    private readonly actions: BoxActions,
    private readonly model: string,
  ) {
    this.plot = new Plot(this.options(), range, playback, actions.boxing);
    this.numbers = new StatisticsTable();
    const close = h(
      "button.ghost.chart-close",
      { type: "button", "aria-label": "Remove this chart", title: "Remove this chart", onclick: () => actions.remove(this) },
      icon("close"),
    );
    this.element = h(
      "div.chart",
      { role: "group", "aria-label": "Chart", onpointerdown: () => actions.activate(this), onfocusin: () => actions.activate(this) },
      h("header.chart-head", {}, this.legend, chartMenu(this), close),
      this.numbers.element,
      this.plot.element,
      this.still.element,
      this.empty,
    );
    range.onChange(() => this.windowChanged());
  }

  get plotted(): number[] {
    return this.entries.map((e) => e.id);
  }
  has(id: number): boolean {
    return this.entries.some((e) => e.id === id);
  }

  /** Colour of a plotted curve. */
  colour(id: number): string | null {
    const e = this.entries.find((x) => x.id === id);
    return e ? curveColour(e.colour) : null;
  }

  add(id: number): void {
    if (id < 0 || this.has(id)) return;
    // the first colour that is free, so that the others keep theirs
    let colour = 0;
    while (this.entries.some((e) => e.colour === colour && this.signals.latest(e.id) < 0)) colour++;
    const latest = this.signals.latest(id);
    if (latest >= 0) colour = this.entries.find((e) => e.id === latest)?.colour ?? colour;
    this.entries.push({ id, colour, value: h("span.value") });
    this.rebuild();
  }

  remove(id: number): void {
    this.entries = this.entries.filter((e) => e.id !== id);
    if (this.over === id) this.over = -1;
    this.rebuild();
  }

  /** Adds what is made of plotted curves. */
  make(operation: Operation, a: number, b: number): void {
    this.add(this.signals.make(operation, a, b));
    this.actions.changed();
  }

  show(look: Look, over = this.over): void {
    this.look = look;
    this.over = look === "xy" && over < 0 ? (this.entries[0]?.id ?? -1) : over;
    this.rebuild();
  }

  get statistics(): boolean {
    return !this.numbers.element.hidden;
  }
  set statistics(on: boolean) {
    this.numbers.element.hidden = !on;
    this.windowChanged();
  }

  /** SI units of the curves, each once. */
  unitsUsed(): string[] {
    return [...new Set(this.entries.map((e) => this.signals.unit(e.id)))];
  }
  shownUnit(unit: string): Shown {
    const own = this.units.get(unit);
    return (own === undefined ? null : inUnit(unit, own)) ?? shown(unit);
  }
  setUnit(unit: string, wanted: string): void {
    this.units.set(unit, wanted);
    this.plot.resetHeights();
    this.rebuild();
    this.actions.changed();
  }

  /** Axes that this chart has on its right. */
  get rightAxes(): number {
    return this.look === "time" ? Math.max(0, new Set(this.entries.map((e) => this.shownUnit(this.signals.unit(e.id)).unit)).size - 1) : 0;
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
    const some = this.entries.length > 0;
    this.legend.replaceChildren(...this.entries.filter((e) => this.signals.latest(e.id) < 0).map((e) => this.chip(e)));
    this.empty.hidden = some;
    this.element.setAttribute("aria-label", some ? `Chart of ${this.entries.map((e) => this.signals.name(e.id)).join(", ")}` : "Empty chart");
    this.plot.element.hidden = !some || this.look !== "time";
    this.still.element.hidden = !some || this.look === "time";
    this.plot.rebuild(this.options());
    this.windowChanged();
    this.showTime();
  }

  /** The same curves with more numbers. */
  refresh(): void {
    this.plot.refresh();
    this.windowChanged();
    this.showTime();
  }

  showTime(): void {
    const { signals, playback } = this;
    this.plot.showTime();
    const values = this.entries.map((e) => signals.value(e.id, playback.time));
    this.entries.forEach((e, k) => setText(e.value, signals.text(e.id, values[k], this.shownUnit(signals.unit(e.id)))));
    if (this.look !== "xy" || this.over < 0) return;
    const at = (id: number) => signals.value(id, playback.time) * this.shownUnit(signals.unit(id)).factor;
    this.still.dots(this.upright().map((e) => [at(this.across(e.id)), at(e.id)]));
  }

  /** Curves that are shown over another. */
  private upright(): Entry[] {
    if (this.look !== "xy") return this.entries;
    return this.entries.filter(({ id }) => this.across(id) >= 0 && this.across(id) !== id);
  }

  /** What a curve is shown over: of another run, that of the same run; -1 if it has none. */
  private across(id: number): number {
    const { signals, over } = this;
    const run = signals.run(id);
    if (over < 0 || run === signals.run(over)) return over;
    return over < signals.channels.length && run > 0 ? signals.other(over, run - 1) : -1;
  }

  /** What depends on the stretch of time shown. */
  private windowChanged(): void {
    const { signals, range } = this;
    if (this.statistics) {
      this.numbers.show(
        this.entries.map((e) => {
          const { unit, factor } = this.shownUnit(signals.unit(e.id));
          return { name: signals.name(e.id), unit, factor, t: signals.times(e.id), y: signals.series(e.id), settled: (x: number) => signals.settled(e.id, x) };
        }),
        range.min,
        range.max,
      );
    }
    if (this.look !== "time") this.still.show(this.look === "xy" ? this.xy() : this.spectra());
  }

  private xy(): StillCurves {
    const { signals, range } = this;
    const list = this.upright();
    const { unit, factor } = this.over < 0 ? { unit: "", factor: 1 } : this.shownUnit(signals.unit(this.over));
    if (this.over < 0) return { label: "", curves: [] };
    const scaled = (t: ArrayLike<number>, values: Values, by: number) =>
      Array.from(values, (v) => (v === null ? null : v * by)).filter((_, i) => t[i] >= range.min && t[i] <= range.max);
    const name = signals.name(this.over);
    return {
      label: unit ? `${name}, ${unit}` : name,
      curves: list.map((e) => {
        const own = this.shownUnit(signals.unit(e.id));
        const [t, x, y] = signals.aligned([this.across(e.id), e.id]);
        const colour = signals.latest(e.id) < 0 ? curveColour(e.colour) : faint(curveColour(e.colour));
        return {
          name: signals.name(e.id),
          colour,
          dashed: this.dashed(e),
          axis: 0,
          unit: own.unit,
          x: scaled(t, x, factor).map((v) => v ?? NaN),
          y: scaled(t, y, own.factor),
          rising: false,
        };
      }),
    };
  }

  private spectra(): StillCurves {
    const { signals, range } = this;
    return {
      label: "frequency, Hz",
      log: true,
      curves: this.entries.flatMap((e) => {
        const { unit, factor } = this.shownUnit(signals.unit(e.id));
        const found = spectrum(signals.times(e.id), signals.series(e.id), range.min, range.max);
        if (!found) return [];
        const colour = signals.latest(e.id) < 0 ? curveColour(e.colour) : faint(curveColour(e.colour));
        return [
          {
            name: signals.name(e.id),
            colour,
            dashed: this.dashed(e),
            axis: 0,
            unit,
            x: found.frequencies,
            y: found.amplitudes.map((a) => a * factor),
            rising: true,
          },
        ];
      }),
    };
  }

  /** The curves as a file: a picture, or their numbers in the units shown. */
  async save(kind: "png" | "svg" | "csv"): Promise<void> {
    const name = `${fileName(this.model, ...this.entries.slice(0, 3).map((e) => this.signals.name(e.id)))}.${kind}`;
    if (kind === "csv") return save(name, this.csv(), "text/csv;charset=utf-8");
    const plain = this.look === "time" ? this.plot.snapshot() : this.still.snapshot();
    if (!plain) return;
    const svg = drawing({ ...plain, height: plain.height + 20, legend: true, paper: cssColour("--panel"), ink: cssColour("--text"), font: "sans-serif" });
    if (kind === "svg") save(name, svg, "image/svg+xml");
    else save(name, await pictureOf(svg, plain.width, plain.height + 20));
  }

  /** Times in the stretch shown, and all curves. */
  csv(): string {
    const { signals, range } = this;
    if (this.look === "spectrum") {
      const { curves } = this.spectra();
      return csv(["frequency [Hz]", ...curves.map((c) => `${c.name} [${c.unit}]`)], [curves[0]?.x ?? [], ...curves.map((c) => c.y)]);
    }
    const [t, ...ys] = signals.aligned(this.plotted);
    const inside = (_: unknown, i: number) => t[i] >= range.min && t[i] <= range.max;
    const units = this.plotted.map((id) => this.shownUnit(signals.unit(id)));
    const names = this.plotted.map((id, k) => (units[k].unit ? `${signals.name(id)} [${units[k].unit}]` : signals.name(id)));
    return csv(
      ["time [s]", ...names],
      [Array.from(t).filter(inside), ...ys.map((y, k) => Array.from(y, (v) => (v === null ? null : v * units[k].factor)).filter(inside))],
    );
  }

  /** The curve before a curve that hides it, or is hidden by it. */
  private twin(e: Entry): Entry | null {
    const before = this.entries.slice(0, this.entries.indexOf(e));
    const { signals } = this;
    return (
      before.find(
        (b) => signals.unit(b.id) === signals.unit(e.id) && signals.run(b.id) === signals.run(e.id) && alike(signals.series(b.id), signals.series(e.id)),
      ) ?? null
    );
  }

  /** Whether it hides another, or belongs to another run. */
  private dashed(e: Entry): boolean {
    return this.twin(e) !== null || (this.signals.run(e.id) > 0 && this.signals.latest(e.id) < 0);
  }

  private chip(e: Entry): HTMLElement {
    const name = this.signals.name(e.id);
    const twin = this.twin(e);
    const out = () => {
      this.remove(e.id);
      this.actions.changed();
    };
    const same = twin && h("span.twin", { title: `Identical to ${this.signals.name(twin.id)}` }, `= ${this.signals.name(twin.id)}`);
    const chip = h(
      "span.chip",
      { title: name },
      h("i.swatch"),
      h("span.chip-name", {}, name),
      same,
      e.value,
      h("span.unit", {}, this.shownUnit(this.signals.unit(e.id)).unit),
      h("button.ghost", { type: "button", "aria-label": `Remove ${name}`, title: "Remove", onclick: out }, icon("close")),
    );
    chip.style.setProperty("--swatch", curveColour(e.colour));
    return chip;
  }

  private options(): PlotOptions {
    const { entries, signals } = this;
    const units = entries.map((e) => this.shownUnit(signals.unit(e.id)));
    const scaled = (values: Values, by: number): Values => (by === 1 ? values : Array.from(values, (v) => (v === null ? null : v * by)));
    return {
      right: this.right,
      curves: entries.map((e, k) => ({
        name: signals.name(e.id),
        unit: units[k].unit,
        colour: signals.latest(e.id) < 0 ? curveColour(e.colour) : faint(curveColour(e.colour)),
        dashed: this.dashed(e),
        text: (v: number) => signals.text(e.id, v / units[k].factor, units[k]),
      })),
      data: () => {
        const [t, ...ys] = signals.aligned(entries.map((e) => e.id));
        return [t, ...ys.map((y, k) => scaled(y, units[k].factor))];
      },
    };
  }
}

/** A colour that stays behind. */
function faint(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}59` : colour;
}
