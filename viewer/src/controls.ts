// Parameters that can be moved: a slider and a field each, what the server says of the run, and a way to keep a value.

import type { Control, Parameter } from "./data";
import { h, setText } from "./ui/dom";
import { cellText, reading, roundBelow, unitText } from "./ui/numbers";

export interface ControlActions {
  set(name: string, value: string): Promise<void>;
  /** Writes the value into the file. */
  keep(name: string): Promise<void>;
  /** The value of the file again. */
  back(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Least steps of a slider, unless the file says how far values are apart. */
const STEPS = 1000;
/** Wishes that a hand on a slider sends in a second at most. */
const RATE = 25;

interface Row {
  control: Control;
  /** None for what is computed. */
  slider: HTMLInputElement | null;
  field: HTMLInputElement;
  /** What is computed comes to this. */
  result: HTMLElement;
  element: HTMLElement;
  /** What was wished for last, until it is there. */
  wish: string | null;
}

export class ControlPanel {
  /** Sliders and fields. */
  readonly element: HTMLElement;
  /** How far a run is, and what is wrong: to stand beside the picture. */
  readonly news: HTMLElement;
  private readonly rows = new Map<string, Row>();
  private readonly list = h("div.controls-list");
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the run" });
  private readonly at = h("span.controls-time");
  private readonly running = h(
    "div.controls-run",
    { hidden: true },
    this.bar,
    this.at,
    h("button.small", { type: "button", onclick: () => void this.actions.stop() }, "Stop"),
  );
  private readonly said = h("pre.controls-trouble", { hidden: true, role: "alert", tabindex: 0 });
  /** What is to be sent next. */
  private next: [string, string] | null = null;
  private waiting = false;

  constructor(
    controls: Control[],
    private readonly actions: ControlActions,
  ) {
    const open = h("details.controls", { open: true }, h("summary", {}, h("h2", {}, "Parameters")), this.list);
    this.element = h("section.controls-pane", { "aria-label": "Parameters" }, open);
    this.news = h("div.stage-news", {}, this.running, this.said);
    this.show(controls);
  }

  /** How far a run is that takes a while; null when it is over. */
  progress(at: { t: number; t_end: number } | null): void {
    this.running.hidden = at === null;
    if (!at) return;
    this.bar.value = at.t_end > 0 ? at.t / at.t_end : 0;
    setText(this.at, `t = ${at.t.toPrecision(3)} s of ${cellText(at.t_end)} s`);
  }

  /** What is wrong, beside the last good picture; null when nothing is. */
  trouble(text: string | null): void {
    this.said.hidden = text === null;
    setText(this.said, text ?? "");
  }

  /** The newest motion is shown. */
  settled(): void {
    this.element.dataset.updates = String(Number(this.element.dataset.updates ?? 0) + 1);
  }

  /** The parameters as the server knows them, with the values of the run; what is under the hand stays. */
  show(given: Control[], values: Parameter[] = []): void {
    // what can be moved comes before what follows from it
    const controls = [...given].sort((a, b) => Number(a.text !== undefined) - Number(b.text !== undefined));
    const kinds = (list: Iterable<Control>) =>
      [...list].map((c) => `${c.name} ${c.about} ${c.unit} ${c.step} ${c.text === undefined} ${c.step && c.max - c.min}`).join("\n");
    if (kinds(controls) !== kinds([...this.rows.values()].map((r) => r.control))) {
      this.rows.clear();
      this.list.replaceChildren(...controls.map((c) => this.row(c)));
      this.element.hidden = controls.length === 0;
    }
    for (const control of controls) {
      const row = this.rows.get(control.name);
      if (!row) continue;
      row.control = control;
      const text = wording(control);
      if (row.wish === text) row.wish = null;
      const typing = document.activeElement === row.field && row.field.value !== row.field.defaultValue;
      if (row.wish === null && !typing) this.write(row, control.text ?? String(control.value));
      row.element.classList.toggle("changed", control.changed);
      row.element.classList.toggle("wished", row.wish !== null);
      const value = values.find((p) => p.name === control.name);
      setText(row.result, control.text === undefined || value?.value == null ? "" : `= ${cellText(value.value)}${value.unit ? ` ${value.unit}` : ""}`);
    }
  }

  private row(control: Control): HTMLElement {
    const { name, unit } = control;
    const computed = control.text !== undefined;
    const slider = computed
      ? null
      : h("input", {
          type: "range",
          min: 0,
          max: steps(control),
          step: 1,
          "aria-label": name,
          oninput: () => this.moved(row, this.of(row.control, Number(slider?.value))),
        });
    const field = h("input.controls-number", {
      type: "text",
      inputmode: computed ? "text" : "decimal",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": `Value of ${name}`,
      onchange: () => {
        if (field.value.trim() === "") this.write(row, field.defaultValue);
        else this.moved(row, field.value.trim());
      },
    });
    const keep = h(
      "button.small.control-keep",
      { type: "button", title: "Save this value to the model file", "aria-label": `Save to file: ${name}`, onclick: () => void this.actions.keep(name) },
      "Save to file",
    );
    const back = h(
      "button.small",
      {
        type: "button",
        title: "Reset to the value of the model file",
        "aria-label": `Reset ${name}`,
        onclick: () => {
          this.next = this.next?.[0] === name ? null : this.next;
          row.wish = null;
          element.classList.remove("wished");
          void this.actions.back(name);
        },
      },
      "Reset",
    );
    const result = h("span.control-result");
    const element = h(
      "div.control",
      { class: computed ? "control computed" : "control" },
      h("span.control-name", { title: control.about ? `${name}: ${control.about}` : name }, ...breakable(name)),
      field,
      h("span.unit", {}, computed ? "" : unitText(unit)),
      slider,
      result,
      h("span.control-buttons", {}, keep, back),
    );
    const row: Row = { control, slider, field, result, element, wish: null };
    this.rows.set(name, row);
    this.write(row, control.text ?? String(control.value));
    return element;
  }

  /** The value at a step of a slider. */
  private of(control: Control, step: number): string {
    const { min, max } = control;
    return String(Number(Math.min(max, min + step * apart(control)).toPrecision(6)));
  }

  private write(row: Row, text: string): void {
    const { min, max, unit } = row.control;
    const value = Number(text);
    row.field.value = row.field.defaultValue = Number.isFinite(value) ? String(Number(value.toPrecision(10))) : text;
    if (!row.slider || !Number.isFinite(value)) return;
    row.slider.max = String(steps(row.control));
    row.slider.value = String(max > min ? Math.round((value - min) / apart(row.control)) : 0);
    row.slider.setAttribute("aria-valuetext", `${reading(value, Math.max(Math.abs(min), Math.abs(max)))} ${unit}`);
  }

  /** A value was chosen: sent at once, or when the one before has been on its way for a moment. */
  private moved(row: Row, text: string): void {
    this.write(row, text);
    const { name, unit, text: computed } = row.control;
    // a number is meant in the unit beside it; whatever else is typed speaks for itself
    const number = computed === undefined ? numberOf(text) : null;
    const written = number === null ? text : String(number);
    const value = number !== null && unit !== "" ? `${written} ${unit}` : written;
    row.wish = number === null ? null : value;
    this.next = [name, value];
    // until it is there it may be taken back, but not be written: perhaps it cannot be run
    row.element.classList.add("wished");
    // the buttons below it are to be seen, too
    row.element.scrollIntoView({ block: "nearest" });
    if (!this.waiting) void this.send();
  }

  private async send(): Promise<void> {
    this.waiting = true;
    while (this.next) {
      const [name, value] = this.next;
      this.next = null;
      await Promise.all([this.actions.set(name, value), new Promise((done) => setTimeout(done, 1000 / RATE))]);
    }
    this.waiting = false;
  }
}

/** How far values on the slider of a parameter are apart: a round number. */
function apart({ min, max, step }: Control): number {
  return step ?? (max > min ? roundBelow(((max - min) / STEPS) * (1 + 1e-9)) : 1);
}

/** Steps of the slider of a parameter. */
function steps(control: Control): number {
  const { min, max, step } = control;
  const count = (max - min) / apart(control);
  return Math.max(1, step === undefined ? Math.ceil(count - 1e-6) : Math.round(count));
}

/** A name that goes on in the next line behind its parts. */
function breakable(name: string): (string | HTMLElement)[] {
  return name.split(/(?<=[_.])/).flatMap((part, k) => (k > 0 ? [h("wbr"), part] : [part]));
}

/** The number that a text is, as models write numbers: not `0x10`, not nothing; null if it is none. */
function numberOf(text: string): number | null {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : null;
}

/** The value of a parameter as it is sent. */
function wording({ text, value, unit }: Control): string {
  return text ?? (unit === "" ? String(value) : `${value} ${unit}`);
}
