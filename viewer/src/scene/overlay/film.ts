// The animation as a film: the canvas recorded while the motion plays once from its start.

import type { Playback } from "../../playback";

/** Frames a second. */
const RATE = 30;

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
      recorder.ondataavailable = (e) => parts.push(e.data);
      recorder.onstop = () => {
        this.recorder = null;
        playback.setLoop(loop);
        this.onState(false);
        done(new Blob(parts, { type: "video/webm" }));
      };
      recorder.start();
      this.draw();
      playback.play();
      const watch = () => {
        if (recorder.state === "inactive") return;
        if (playback.playing) return void requestAnimationFrame(watch);
        this.draw();
        // the last picture, too
        setTimeout(() => this.stop(), 1000 / RATE + 50);
      };
      requestAnimationFrame(watch);
    });
  }

  stop(): void {
    if (this.recorder?.state === "recording") this.recorder.stop();
    this.playback.pause();
  }
}
