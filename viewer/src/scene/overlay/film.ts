// The animation as a film: recorded while the motion plays once from its start, or picture by picture as a GIF.

import type { Playback } from "../../playback";
import { Gif } from "./gif";
import { lasting } from "./webm";

/** Frames of a film a second. */
const RATE = 30;
/** Time between two parts of a film, ms. */
const SLICE = 100;
/** Pictures behind the end, so that the last one is in the film. */
const BEHIND = 5;
/** Bytes that are more than the head of a film without pictures. */
const LEAST = 1000;
/** Hundredths of a second between two pictures of a GIF; how many there are at most, and how wide they are. */
const BETWEEN = 5;
const MOST = 200;
const WIDEST = 640;

/** Draws the picture as it is now on another canvas. */
export type Draw = (onto: HTMLCanvasElement) => void;

export class Film {
  private recorder: MediaRecorder | null = null;
  private drawing = false;
  /** Called when recording begins or ends. */
  onState: (recording: boolean) => void = () => {};

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly playback: Playback,
    private readonly draw: Draw,
  ) {}

  get recording(): boolean {
    return this.recorder !== null || this.drawing;
  }

  /** Plays the motion once and gives it as WebM; stopped early, what there is of it. */
  record(): Promise<Blob> {
    const { playback } = this;
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
    const sheet = this.sheet(this.canvas.width);
    this.draw(sheet);
    const recorder = (this.recorder = new MediaRecorder(sheet.captureStream(RATE), { mimeType: type, videoBitsPerSecond: 8e6 }));
    const parts: Blob[] = [];
    const loop = playback.loop;
    playback.pause();
    playback.setLoop(false);
    playback.toStart();
    this.onState(true);
    return new Promise((done) => {
      let began = performance.now();
      recorder.onstop = () => {
        this.recorder = null;
        playback.setLoop(loop);
        this.onState(false);
        const ms = performance.now() - began;
        void new Blob(parts).arrayBuffer().then((bytes) => done(new Blob([lasting(new Uint8Array(bytes), ms)], { type: "video/webm" })));
      };
      // a recorder that has not begun would miss the start, and one that gets nothing gives nothing
      let filled = false;
      let after = 0;
      recorder.ondataavailable = (e) => {
        parts.push(e.data);
        filled ||= parts.reduce((sum, part) => sum + part.size, 0) > LEAST;
      };
      recorder.onstart = () => {
        began = performance.now();
        playback.play();
        requestAnimationFrame(watch);
      };
      const watch = () => {
        if (recorder.state === "inactive") return;
        this.draw(sheet);
        if (!playback.playing) after++;
        if (after > BEHIND && filled) return this.stop();
        requestAnimationFrame(watch);
      };
      recorder.start(SLICE);
    });
  }

  /** Draws the motion picture by picture, as fast as it plays, and gives it as GIF; stopped early, what there is of it. */
  async pictures(start: number, end: number): Promise<Blob> {
    const { playback } = this;
    const time = playback.time;
    const lasts = (end - start) / playback.speed;
    const count = Math.max(2, Math.min(MOST, Math.round((100 * lasts) / BETWEEN)));
    const sheet = this.sheet(Math.min(WIDEST, this.canvas.clientWidth));
    const gif = new Gif(sheet.width, sheet.height);
    playback.pause();
    this.drawing = true;
    this.onState(true);
    for (let k = 0; k < count && this.drawing; k++) {
      playback.set(start + ((end - start) * k) / (count - 1));
      await new Promise((next) => requestAnimationFrame(next));
      this.draw(sheet);
      const pixels = sheet.getContext("2d")?.getImageData(0, 0, sheet.width, sheet.height).data;
      if (pixels) gif.add(pixels, Math.max(2, Math.round((100 * lasts) / count)));
    }
    this.drawing = false;
    this.onState(false);
    playback.set(time);
    return gif.blob();
  }

  stop(): void {
    this.drawing = false;
    if (this.recorder?.state === "recording") this.recorder.stop();
    this.playback.pause();
  }

  private sheet(width: number): HTMLCanvasElement {
    const sheet = document.createElement("canvas");
    // many films have pictures of even sizes only
    [sheet.width, sheet.height] = [width, (width * this.canvas.height) / Math.max(1, this.canvas.width)].map((n) => 2 * Math.max(1, Math.round(n / 2)));
    return sheet;
  }
}
