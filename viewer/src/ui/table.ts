// Tables: sorted by a click on a heading, found by typing, long ones in portions.

import type { Cell, Entry, Table } from "../data";
import { ROUND_OFF, settled } from "../scales";
import { h } from "./dom";
import { cellText } from "./numbers";

const PORTION = 200;

const shown = (c: Cell, scale = 0): string => (c === null ? "–" : typeof c === "number" ? cellText(settled(c, ROUND_OFF * scale)) : c);

/** For each column the greatest number of all columns of its unit: round-off is measured against it. */
function scales(table: Table): number[] {
  const most = new Map<string, number>();
  const key = (k: number) => table.columns[k].unit ?? `column ${k}`;
  for (const row of table.rows) {
    row.forEach((c, k) => {
      if (typeof c === "number" && Number.isFinite(c)) most.set(key(k), Math.max(most.get(key(k)) ?? 0, Math.abs(c)));
    });
  }
  // a list of parameters mixes units: there every number stands for itself
  return table.columns.map((c, k) => (c.unit ? (most.get(key(k)) ?? 0) : 0));
}

/** What becomes of a row that is chosen; the first cell is its button. */
export interface Rows {
  /** What a row is. */
  word: string;
  choose(row: number): void;
  chosen(): number | null;
}

export function tableView(table: Table, rows?: Rows): HTMLElement {
  const numeric = table.columns.map((_, k) => table.rows.every((r) => r[k] === null || typeof r[k] === "number" || r[k] === undefined));
  const scale = scales(table);
  let order = table.rows.map((_, i) => i);
  let sorted: { column: number; down: boolean } | null = null;
  let words = "";
  let limit = PORTION;
  const body = h("tbody");
  const more = h("button.small", { type: "button", onclick: () => ((limit = Infinity), fill()) });

  const heads = table.columns.map((c, k) =>
    h(
      "th",
      { scope: "col", class: numeric[k] ? "number" : null },
      h("button", { type: "button", title: "Sort", onclick: () => sort(k) }, c.name, c.unit ? h("span.unit", {}, c.unit) : null),
    ),
  );

  function sort(k: number): void {
    sorted = sorted?.column === k ? (sorted.down ? null : { column: k, down: true }) : { column: k, down: false };
    order = table.rows.map((_, i) => i);
    if (sorted) {
      const sign = sorted.down ? -1 : 1;
      order.sort((a, b) => sign * compare(table.rows[a][k], table.rows[b][k]));
    }
    heads.forEach((th, i) => th.setAttribute("aria-sort", sorted?.column !== i ? "none" : sorted.down ? "descending" : "ascending"));
    fill();
  }

  function line(i: number): HTMLElement {
    const text = (k: number) => shown(table.rows[i][k] ?? null, scale[k]);
    const cell = (k: number) =>
      h(
        "td",
        { class: numeric[k] ? "number" : null },
        rows && k === 0 ? h("button.row", { type: "button", "aria-label": `${rows.word} ${text(k)}` }, text(k)) : text(k),
      );
    const tr = h("tr", {}, ...table.columns.map((_, k) => cell(k)));
    if (!rows) return tr;
    tr.dataset.row = String(i);
    tr.classList.toggle("chosen", rows.chosen() === i);
    tr.addEventListener("click", () => rows.choose(i));
    return tr;
  }

  function fill(): void {
    const found = words === "" ? order : order.filter((i) => table.rows[i].some((c, k) => shown(c, scale[k]).toLowerCase().includes(words)));
    body.replaceChildren(...found.slice(0, limit).map(line));
    more.hidden = found.length <= limit;
    more.textContent = `Show all ${found.length} rows`;
  }
  fill();

  const find =
    table.rows.length > 12 &&
    h("input.find", {
      type: "search",
      placeholder: "Filter",
      "aria-label": `Filter ${table.title}`,
      oninput: (e: InputEvent) => ((words = (e.target as HTMLInputElement).value.toLowerCase()), fill()),
    });
  return h(
    "section.card.table-card",
    { "aria-label": table.title },
    h("header.card-head", {}, h("h2", {}, table.title), h("span.count", {}, String(table.rows.length)), h("span.spacer"), find),
    table.note ? h("p.note", {}, table.note) : null,
    h("div.table-scroll", { tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body)),
    more,
  );
}

function compare(a: Cell | undefined, b: Cell | undefined): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a ?? "").localeCompare(String(b ?? ""), undefined, { numeric: true });
}

/** Names and values, one pair per line. */
export function entryList(title: string, entries: Entry[]): HTMLElement {
  return h(
    "section.card",
    { "aria-label": title },
    h("header.card-head", {}, h("h2", {}, title)),
    h("dl.entries", {}, ...entries.flatMap((e) => [h("dt", {}, e.name), h("dd", {}, shown(e.value), e.unit ? h("span.unit", {}, e.unit) : null)])),
  );
}
