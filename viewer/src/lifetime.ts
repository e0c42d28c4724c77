// How long listeners of the whole page live: until the page is put together anew.

let alive = new AbortController();

/** Ends with what is shown now. */
export function lifetime(): AbortSignal {
  return alive.signal;
}

/** A life that ends with what is shown now, or before. */
export function within(): AbortController {
  const own = new AbortController();
  lifetime().addEventListener("abort", () => own.abort(), { signal: own.signal });
  return own;
}

/** What was shown is over. */
export function renew(): void {
  alive.abort();
  alive = new AbortController();
}

/** Adds to a list for as long as what is shown lives. */
export function enlist<T>(list: T[], item: T): void {
  list.push(item);
  lifetime().addEventListener("abort", () => {
    const at = list.indexOf(item);
    if (at >= 0) list.splice(at, 1);
  });
}
