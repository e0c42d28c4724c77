// Files that the page hands out.

/** Lets the browser keep something under a name. */
export function save(name: string, content: Blob | string, type = "text/plain;charset=utf-8"): void {
  const address = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads it later
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A name without what file systems do not like. */
export function fileName(...parts: string[]): string {
  return (
    parts
      .join("-")
      .replace(/[^\p{L}\p{N}._-]+/gu, "_")
      .replace(/^[_.]+|[_.]+$/g, "")
      .slice(0, 80) || "kingpin"
  );
}

/** A picture of SVG, twice as fine as its numbers say. */
export async function pictureOf(svg: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return asPng(canvas);
}

export function asPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the picture is empty"))), "image/png"));
}

/** Rows of numbers, with a line of names; gaps are empty. */
export function csv(names: string[], columns: ArrayLike<number | null>[]): string {
  const cell = (name: string) => (/[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
  const rows = [names.map(cell).join(",")];
  for (let i = 0; i < (columns[0]?.length ?? 0); i++) {
    rows.push(columns.map((c) => (c[i] === null || !Number.isFinite(c[i]) ? "" : String(c[i]))).join(","));
  }
  return rows.join("\n") + "\n";
}
