// One of several small motions, to choose from.

import type { Mode } from "../data";
import { h } from "../ui/dom";

export class ModeChooser {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;

  constructor(
    private readonly modes: Mode[],
    private readonly show: (mode: Mode) => void,
  ) {
    this.select = h(
      "select",
      { onchange: () => this.show(this.modes[this.select.selectedIndex]) },
      ...modes.map((m, k) => h("option", { value: k }, `${k + 1}: ${m.name}`)),
    );
    this.element = h("label.mode-chooser", { title: "Next mode (N)" }, `Mode (of ${modes.length})`, this.select);
  }

  /** The mode after the one shown, or before it. */
  next(by: 1 | -1): void {
    const n = this.modes.length;
    this.select.selectedIndex = (this.select.selectedIndex + by + n) % n;
    this.show(this.modes[this.select.selectedIndex]);
  }
}
