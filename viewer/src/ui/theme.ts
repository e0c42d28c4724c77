// Light and dark: that of the system until the user chooses.

import { enlist } from "../lifetime";

export type Theme = "light" | "dark";
const KEY = "kingpin-theme";

const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners: ((theme: Theme) => void)[] = [];

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null; // pages opened from disk may have no storage
  }
}

export function theme(): Theme {
  return stored() ?? chosen ?? (system.matches ? "dark" : "light");
}

let chosen: Theme | null = null;

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const l of listeners) l(theme());
}

export function toggleTheme(): void {
  chosen = theme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // kept for this visit only
  }
  apply();
}

export function onTheme(listener: (theme: Theme) => void): void {
  enlist(listeners, listener);
}

export function startTheme(): void {
  system.addEventListener("change", apply);
  apply();
}

/** A colour of the style sheet. */
export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Colour of the n-th curve. */
export function curveColour(n: number): string {
  return cssColour(`--curve-${(n % 8) + 1}`);
}
