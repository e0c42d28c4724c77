// The stretch of time that charts show, shared by all of them.

export class TimeRange {
  min: number;
  max: number;
  /** Whether all of it is shown. */
  whole = true;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private start: number,
    private end: number,
  ) {
    this.min = start;
    this.max = this.end;
    this.pad();
  }

  onChange(listener: () => void): () => void {
    this.listeners.push(listener);
    return () => void this.listeners.splice(this.listeners.indexOf(listener), 1);
  }

  /** The data reach further. */
  extend(start: number, end: number): void {
    this.start = start;
    this.end = end;
    if (this.whole) this.reset();
  }

  reset(): void {
    this.whole = true;
    this.min = this.start;
    this.max = this.end;
    this.pad();
    this.tell();
  }

  /** A factor below 1 shows less time, about `at`. */
  zoom(at: number, factor: number): void {
    const least = (this.end - this.start) * 1e-5;
    const span = Math.max(least, (this.max - this.min) * factor);
    const f = (at - this.min) / (this.max - this.min);
    this.set(at - f * span, at + (1 - f) * span);
  }

  pan(by: number): void {
    this.set(this.min + by, this.max + by);
  }

  set(min: number, max: number): void {
    const span = Math.min(max - min, this.end - this.start);
    if (!(span > 0)) return;
    if (span >= (this.end - this.start) * (1 - 1e-9)) return this.reset();
    this.min = Math.max(this.start, Math.min(this.end - span, min));
    this.max = this.min + span;
    this.whole = false;
    this.tell();
  }

  private pad(): void {
    if (!(this.max > this.min)) this.max = this.min + 1;
  }
  private tell(): void {
    for (const l of this.listeners) l();
  }
}
