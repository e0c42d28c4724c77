// Elements in one expression.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((e: never) => void)>;

/** `h("button.icon", { onclick }, "Play")`: tag and classes, attributes or listeners, children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K | `${K}.${string}`,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [name, ...classes] = tag.split(".");
  const e = document.createElement(name) as HTMLElementTagNameMap[K];
  if (classes.length > 0) e.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) e.setAttribute(key, "");
    else e.setAttribute(key, String(value));
  }
  append(e, children);
  return e;
}

export function append(parent: Node, children: Child[]): void {
  for (const c of children) {
    if (c !== null && c !== undefined && c !== false) parent.appendChild(typeof c === "string" ? document.createTextNode(c) : c);
  }
}

/** Sets the text only where it differs, so that nothing is laid out in vain. */
export function setText(e: Node, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}

/** Calls at most once per animation frame. */
export function perFrame(action: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      action();
    });
  };
}

/** A sentence whose names in backticks are set apart. */
export function quoted(text: string): (Node | string)[] {
  return text.split(/`([^`]+)`/).map((part, k) => (k % 2 === 1 ? h("b", {}, part) : part));
}
