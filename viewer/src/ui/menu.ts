// A button that opens a list below it; Escape, or a click or the focus elsewhere, closes it.

import { h } from "./dom";
import { icon, type IconName } from "./icons";

/** `fill` is asked for the rows whenever the list opens, and when a row says that others have changed (`again`). */
export function menu(label: string, name: IconName, fill: (again: () => void) => (Node | false | null)[]): HTMLDetailsElement {
  const list = h("div.menu-list");
  const summary = h("summary.tool", { title: label, "aria-label": label }, icon(name));
  const details = h("details.menu", {}, summary, list);
  const rows = (): void => list.replaceChildren(...fill(rows).filter((row): row is Node => row instanceof Node));
  // before it opens: `toggle` comes after, and would take rows away that someone has already touched
  summary.addEventListener("click", () => {
    if (details.open) return;
    rows();
    const at = summary.getBoundingClientRect();
    // panes scroll and cut off: the list stands above them
    list.style.top = `${Math.round(at.bottom + 4)}px`;
    list.style.right = `${Math.round(Math.max(4, window.innerWidth - at.right))}px`;
    list.style.maxHeight = `${Math.round(window.innerHeight - at.bottom - 12)}px`;
  });
  const leave = (e: Event) => {
    if (details.open && !details.contains(e.target as Node)) details.open = false;
  };
  document.addEventListener("pointerdown", leave);
  document.addEventListener("focusin", leave);
  details.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !details.open) return;
    details.open = false;
    summary.focus();
    e.stopPropagation();
  });
  // tests and keys may ask for rows before it was ever open
  rows();
  return details;
}

/** A row with a name and a choice. */
export function choice(label: string, options: [value: string, text: string][], value: string, change: (value: string) => void): HTMLElement {
  const select = h("select", { "aria-label": label, onchange: () => change(select.value) }, ...options.map(([v, text]) => h("option", { value: v }, text)));
  select.value = value;
  return h("label.menu-item.menu-choice", {}, label, select);
}

/** A row that is on or off. */
export function option(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
  const box = h("input", { type: "checkbox", onchange: () => change(box.checked) });
  box.checked = on;
  return h("label.menu-item", {}, box, label);
}

/** A row that does something. */
export function action(label: string, act: () => void): HTMLElement {
  return h("button.menu-item", { type: "button", onclick: act }, label);
}

export function heading(text: string): HTMLElement {
  return h("div.menu-heading", {}, text);
}
