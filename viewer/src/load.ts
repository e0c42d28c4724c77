// Where the data come from: the page itself, or the server beside it.

import type { KingpinData } from "./data";
import { check, type Problem } from "./check";
import { at } from "./server";
import { STUDY, type StudyData } from "./study/data";
import { unitText } from "./ui/numbers";

export class LoadError extends Error {
  constructor(
    message: string,
    readonly problems: Problem[] = [],
    /** What the server says, line by line. */
    readonly report: string = "",
  ) {
    super(message);
  }
}

export interface Loaded {
  data: KingpinData | StudyData;
  /** Whether more may come through ./live. */
  served: boolean;
}

export async function load(): Promise<Loaded> {
  const block = document.getElementById("kingpin-data");
  const inline = block?.textContent?.trim() ?? "";
  if (inline !== "") {
    const data = parse(inline, "the data in this page");
    if (block) block.textContent = ""; // megabytes of text are not needed twice
    return { data, served: false };
  }
  return { data: await fetchData(), served: true };
}

export async function fetchData(): Promise<KingpinData | StudyData> {
  if (location.protocol === "file:") {
    throw new LoadError("This page contains no data. It is a template for the report page of kingpin.");
  }
  let answer: Response;
  try {
    answer = await fetch(at("data.json"), { cache: "no-store" });
  } catch {
    throw new LoadError("No response from the server. Check that kingpin is still running.");
  }
  if (answer.status === 422) throw new LoadError("The model has errors. This page is updated when the model file is saved.", [], await answer.text());
  if (answer.status === 403) throw new LoadError(await answer.text());
  if (!answer.ok) throw new LoadError(`The server returned no data for this page (data.json: ${answer.status} ${answer.statusText}).`);
  return parse(await answer.text(), "data.json");
}

export function isStudy(data: KingpinData | StudyData | null): data is StudyData {
  return (data as { format?: string } | null)?.format === STUDY;
}

function parse(text: string, what: string): KingpinData | StudyData {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (e) {
    throw new LoadError(`${what[0].toUpperCase()}${what.slice(1)} cannot be read as JSON: ${(e as Error).message}`);
  }
  if (isStudy(value as KingpinData | StudyData | null)) {
    const study = value as StudyData;
    for (const c of [...study.parameters, ...study.scalars]) c.unit = unitText(c.unit);
    return study;
  }
  const problems = check(value);
  if (problems.length > 0) throw new LoadError(`${what[0].toUpperCase()}${what.slice(1)} cannot be shown:`, problems);
  const data = value as KingpinData;
  for (const c of data.channels) c.unit = unitText(c.unit);
  for (const p of data.model.parameters ?? []) if (p.unit) p.unit = unitText(p.unit);
  for (const t of [...(data.tables ?? []), ...(data.topology?.tables ?? [])]) {
    for (const c of t.columns) if (c.unit) c.unit = unitText(c.unit);
  }
  return data;
}
