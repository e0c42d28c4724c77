// Where the server of this page answers.

/** Address of one of its answers. A page in a frame has no cookie: there the token of its own address goes with every request. */
export function at(path: string, parameters: Record<string, string | number> = {}): string {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  const token = new URLSearchParams(location.search).get("token");
  if (token !== null) query.set("token", token);
  const text = query.toString();
  return text === "" ? `./${path}` : `./${path}?${text}`;
}
