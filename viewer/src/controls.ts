// Parameters that can be moved: a slider and a field each, what the server says of the run, and a way to keep a value.

import type { Control } from "./data";
import { h, setText } from "./ui/dom";
import { reading } from "./ui/numbers";

export interface ControlActions {
  set(name: string, value: string): Promise<void>;
  keep(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Steps of a slider. */
const STEPS = 1000;
/** Wishes that a hand on a slider sends in a second at most. */
const RATE = 25;

interface Row {
  control: Control;
  slider: HTMLInputElement;
  field: HTMLInputElement;
  keep: HTMLButtonElement;
  back: HTMLButtonElement;
}

export class ControlPanel {
  readonly element: HTMLElement;
  private readonly rows = new Map<string, Row>();
  private readonly list = h("div.controls-list");
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the run" });
  private readonly running = h("div.controls-run", { hidden: true }, this.bar, h("span.controls-time"), h("button.small", { type: "button", onclick: () => void this.actions.stop() }, "Stop"));
  private readonly said = h("pre.controls-trouble", { hidden: true, role: "alert", tabindex: 0 });
  /** What is to be sent next. */
  private next: [string, string] | null = null;
  private waiting = false;

  constructor(
    controls: Control[],
    private readonly actions: ControlActions,
  ) {
    const open = h("details.controls", { open: true }, h("summary", {}, "Parameters"), this.running, this.list);
    this.element = h("div.controls-pane", { role: "group", "aria-label": "Parameters" }, open, this.said);
    this.show(controls);
  }

  /** How far a run is that takes a while; null when it is over. */
  progress(at: { t: number; t_end: number } | null): void {
    this.running.hidden = at === null;
    if (!at) return;
    this.bar.value = at.t_end > 0 ? at.t / at.t_end : 0;
    setText(this.running.querySelector(".controls-time") as HTMLElement, `t = ${at.t.toPrecision(3)} s of ${at.t_end} s`);
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

  /** The parameters as the server knows them; what is under the hand stays. */
  show(controls: Control[]): void {
    const names = controls.map((c) => c.name).join("\n");
    if (names !== [...this.rows.keys()].join("\n")) {
      this.rows.clear();
      this.list.replaceChildren(...controls.map((c) => this.row(c)));
      this.element.hidden = controls.length === 0;
    }
    for (const control of controls) {
      const row = this.rows.get(control.name);
      if (!row) continue;
      row.control = control;
      const held = document.activeElement === row.slider || document.activeElement === row.field || this.next?.[0] === control.name;
      if (!held) this.write(row, control.value);
      row.keep.hidden = row.back.hidden = !control.changed;
    }
  }

  private row(control: Control): HTMLElement {
    const { name, unit } = control;
    const slider = h("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": name, oninput: () => this.moved(name, this.of(row, Number(slider.value))) });
    const field = h("input.controls-number", { type: "text", inputmode: "decimal", "aria-label": `Value of ${name}`, onchange: () => {
      const value = Number(field.value);
      if (field.value.trim() !== "" && Number.isFinite(value)) this.moved(name, value);
      else this.write(row, row.control.value);
    } });
    const keep = h("button.small", { type: "button", hidden: true, title: "Write this value into the model file", onclick: () => void this.actions.keep(name) }, "Set as new value");
    const back = h("button.small", { type: "button", hidden: true, title: "The value of the model file", onclick: () => this.moved(name, row.control.own) }, "Back");
    const row: Row = { control, slider, field, keep, back };
    this.rows.set(name, row);
    return h("div.control", {}, h("span.control-name", { title: name }, name), slider, field, h("span.unit", {}, unit), h("span.control-buttons", {}, keep, back));
  }

  /** The value at a step of a slider. */
  private of({ control: { min, max } }: Row, step: number): number {
    return Number((min + ((max - min) * step) / STEPS).toPrecision(6));
  }

  private write(row: Row, value: number): void {
    const { min, max } = row.control;
    row.field.value = String(Number(value.toPrecision(10)));
    row.slider.value = String(max > min ? Math.round(((value - min) / (max - min)) * STEPS) : 0);
    row.slider.setAttribute("aria-valuetext", `${reading(value, Math.max(Math.abs(min), Math.abs(max)))} ${row.control.unit}`);
  }

  /** A value was chosen: sent at once, or when the one before has been on its way for a moment. */
  private moved(name: string, value: number): void {
    const row = this.rows.get(name);
    if (!row) return;
    this.write(row, value);
    const { unit } = row.control;
    this.next = [name, unit === "" ? String(value) : `${value} ${unit}`];
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
