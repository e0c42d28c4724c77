// The animation as a film: the canvas recorded while the motion plays once from its start.

import type { Playback } from "../../playback";

/** Frames a second. */
const RATE = 30;
/** Time between two parts of a film, ms. */
const SLICE = 100;
/** Pictures behind the end, so that the last one is in the film. */
const BEHIND = 5;
/** Bytes that are more than the head of a film without pictures. */
const LEAST = 1000;

export class Film {
  private recorder: MediaRecorder | null = null;
  /** Called when recording begins or ends. */
  onState: (recording: boolean) => void = () => {};

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly playback: Playback,
    /** Draws a picture, since a canvas that is not drawn gives no frames. */
    private readonly draw: () => void,
  ) {}

  get recording(): boolean {
    return this.recorder !== null;
  }

  /** Plays the motion once and gives it as WebM; stopped early, what there is of it. */
  record(): Promise<Blob> {
    const { playback } = this;
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
    const stream = this.canvas.captureStream(RATE);
    const recorder = (this.recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 }));
    const parts: Blob[] = [];
    const loop = playback.loop;
    playback.pause();
    playback.setLoop(false);
    playback.toStart();
    this.onState(true);
    return new Promise((done) => {
      recorder.onstop = () => {
        this.recorder = null;
        playback.setLoop(loop);
        this.onState(false);
        done(new Blob(parts, { type: "video/webm" }));
      };
      // a recorder that has not begun would miss the start, and one that gets nothing gives nothing
      let filled = false;
      let after = 0;
      recorder.ondataavailable = (e) => {
        parts.push(e.data);
        filled ||= parts.reduce((sum, part) => sum + part.size, 0) > LEAST;
      };
      recorder.onstart = () => {
        playback.play();
        requestAnimationFrame(watch);
      };
      const watch = () => {
        if (recorder.state === "inactive") return;
        this.draw();
        if (!playback.playing) after++;
        if (after > BEHIND && filled) return this.stop();
        requestAnimationFrame(watch);
      };
      this.draw();
      recorder.start(SLICE);
    });
  }

  stop(): void {
    if (this.recorder?.state === "recording") this.recorder.stop();
    this.playback.pause();
  }
}
