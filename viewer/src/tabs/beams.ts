// What beams show: colours with their legend, and how large deformation is drawn.

import type { Colouring } from "../scene/beams/flexible";
import { gradient } from "../scene/beams/paint";
import type { Stage } from "../scene/stage";
import { h, setText } from "../ui/dom";
import { ticks } from "../ui/numbers";
import { onTheme, theme } from "../ui/theme";

/** What a colour is called of beams, of meshes, and its unit. */
const NAMES: Record<Colouring, [string, string, string]> = {
  displacement: ["Displacement", "Displacement", "m"],
  strain: ["Axial strain", "Equivalent strain", ""],
  stress: ["Axial stress", "Stress (von Mises)", "Pa"],
};
const CHOICES: Record<Colouring | "none", string> = { none: "none", displacement: "displacement", strain: "strain", stress: "stress" };
const TIMES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export class BeamControls {
  /** Rows of the menu. */
  readonly items: HTMLElement[];
  readonly legend = h("div.beam-legend", { hidden: true, role: "img" });
  private readonly colour: HTMLSelectElement;
  private readonly times: HTMLSelectElement;
  private readonly title = h("div.legend-title");
  private readonly bar = h("div.legend-bar");
  private readonly ends = h("div.legend-ends");
  private readonly note = h("div.legend-note");

  constructor(private stage: Stage) {
    const choices = ["none", ...stage.beams.colourings] as const;
    this.colour = h("select", { onchange: () => this.show() }, ...choices.map((c) => h("option", { value: c }, CHOICES[c])));
    this.times = h("select", { onchange: () => this.show() }, ...TIMES.map((t) => h("option", { value: t }, `×${t}`)));
    this.items = [
      h("label.menu-item.menu-choice", {}, stage.beams.kinds.meshes ? "Colour of flexible bodies" : "Colour of beams", this.colour),
      h("label.menu-item.menu-choice", {}, "Deformation", this.times),
    ];
    this.legend.append(this.title, this.bar, this.ends, this.note);
    onTheme(() => this.describe());
  }

  /** Another stage that shows what the one before did. */
  use(stage: Stage): void {
    this.stage = stage;
    this.show();
  }

  /** The colour after the one shown, or before it. */
  nextColour(by: 1 | -1): void {
    const n = this.colour.options.length;
    this.colour.selectedIndex = (this.colour.selectedIndex + by + n) % n;
    this.show();
  }

  /** One notch more deformation, or less. */
  magnify(by: 1 | -1): void {
    this.times.selectedIndex = Math.max(0, Math.min(TIMES.length - 1, this.times.selectedIndex + by));
    this.show();
  }

  /** Frames have come: the range may be wider. */
  describe(): void {
    const { beams } = this.stage;
    const range = beams.range();
    const by = beams.colouring;
    this.bar.hidden = this.ends.hidden = by === null;
    this.title.hidden = by === null;
    if (range && by) {
      const { kinds } = beams;
      const [axial, equivalent, unit] = NAMES[by];
      const name = !kinds.meshes ? axial : !kinds.beams || axial === equivalent ? equivalent : `${axial}, ${equivalent.toLowerCase()}`;
      setText(this.title, unit ? `${name}, ${unit}` : name);
      this.bar.style.background = gradient(theme() === "dark");
      const at = range.high > range.low ? [range.low, (range.low + range.high) / 2, range.high] : [range.low];
      const size = Math.max(Math.abs(range.low), Math.abs(range.high));
      // all with the digits that the largest has
      const step = 10 ** (Math.floor(Math.log10(size || 1)) - 2);
      this.ends.replaceChildren(...ticks(at, step).map((text) => h("span", {}, /[1-9]/.test(text.split("·")[0]) ? text : "0")));
    }
    const since = by === "displacement" || (by !== null && !beams.rested);
    const notes = [since && "relative to the start", beams.magnification !== 1 && `deformation ×${beams.magnification}`].filter(Boolean);
    setText(this.note, notes.join(", "));
    this.note.hidden = notes.length === 0;
    this.legend.hidden = by === null && notes.length === 0;
    const [first, last] = [this.ends.firstChild, this.ends.lastChild].map((e) => e?.textContent);
    this.legend.setAttribute("aria-label", `${by ? `${this.title.textContent}: ${first} to ${last} ` : ""}${this.note.textContent}`);
  }

  private show(): void {
    const { beams } = this.stage;
    beams.magnification = Number(this.times.value);
    beams.colour(this.colour.value === "none" ? null : (this.colour.value as Colouring));
    this.describe();
    this.stage.update();
  }
}
