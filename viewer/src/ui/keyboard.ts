// Keys of the whole page; see help.ts for the list.

import { lifetime } from "../lifetime";

export type Keys = Record<string, (e: KeyboardEvent) => void>;

export function keyboard(keys: Keys): void {
  document.addEventListener(
    "keydown",
    (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
      const target = e.target as HTMLElement;
      const typing = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
      if (typing && e.key !== "Escape") return;
      // so does what scrolls or chooses by arrows; the slider of the time is that of the page
      if (/^(Arrow|Home$|End$|Page)/.test(e.key) && target.closest("[role=listbox], [role=tablist], .table-scroll, .controls-pane, .menu-list")) return;
      // a focused button keeps space and enter for itself
      if ((e.key === " " || e.key === "Enter") && target.matches("button, summary, input, a")) return;
      const action = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
      if (!action) return;
      e.preventDefault();
      action(e);
    },
    { signal: lifetime() },
  );
}
