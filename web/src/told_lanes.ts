// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { button, el } from "./dom";
import { Entry, labelOf, Lanes } from "./engine";
import { Gestures, LaneHandlers } from "./gestures";
import { behind, LaneView } from "./lane_view";
import { timeText, tr } from "./words";

const playSeconds = 10;

/** Lanes to look at: zoom and pan, walk from pass to pass, play. Nothing moves, nothing is computed. */
export class ToldLanes implements LaneHandlers {
  readonly root = el("section", "told");
  readonly view: LaneView;
  private readonly host = el("div", "lanes");
  private readonly head = el("h2");
  private playing = false;
  private end = 0;

  /** @param said  is told what is under the pointer, a sentence
   *  @param share  of the window's height
   *  @param axis  of other lanes, to be seen with them */
  constructor(private readonly said: (words: string) => void, share: number, private readonly selected: (device: number) => void = () => undefined, axis?: LaneView["axis"]) {
    this.root.append(this.head, this.host);
    this.view = new LaneView(this.host, { memory: false, share, shown: new AbortController().signal }, axis);
    new Gestures(this.view, this);
  }

  /** @param end  of what is seen with them on the same axis */
  show(title: string, lanes: Lanes | undefined, end: number): void {
    this.root.hidden = lanes === undefined;
    this.head.textContent = title;
    this.playing = false;
    if (lanes === undefined) return;
    this.end = end;
    this.view.playhead = undefined;
    this.view.setRoom(end * behind);
    this.view.setLanes(lanes);
  }
  /** Play and the whole, for lanes on one axis. */
  static bar(all: () => ToldLanes[]): HTMLElement {
    const play = button(tr("Play"), "play", () => all().forEach(one => one.play()));
    const fit = button(tr("Whole"), "fit", () => all().forEach(one => one.view.axis.fit()));
    return el("div", { class: "bar", role: "toolbar" }, play, fit);
  }

  select(entry: Entry | undefined): void {
    this.view.redraw();
    if (entry === undefined) return this.said("");
    this.said(`${labelOf(entry, this.view.segments())}, ${tr("device %1", entry.device)}, ${timeText(entry.start)} – ${timeText(entry.end)}`);
    this.selected(entry.device);
  }
  idle(device: number, time: number): void {
    this.view.redraw();
    const row = this.view.entries()[device] ?? [];
    const from = row.reduce((most, one) => (one.end <= time ? Math.max(most, one.end) : most), 0);
    const to = row.find(one => one.start > time)?.start ?? this.end;
    if (to > from) this.said(tr("Device %1 idles for %2", device, timeText(to - from)));
    this.selected(device);
  }
  play(): void {
    this.playing = !this.playing;
    if (!this.playing) return;
    let last = performance.now();
    if (this.view.playhead === undefined || this.view.playhead >= this.end) this.view.playhead = 0;
    const step = (now: number): void => {
      if (!this.playing) return;
      this.view.playhead = (this.view.playhead ?? 0) + ((now - last) / 1000 / playSeconds) * this.end;
      last = now;
      if (this.view.playhead >= this.end) {
        this.playing = false;
        this.view.playhead = undefined;
      }
      this.view.redraw();
      if (this.playing) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  activate(entry: Entry): void {
    this.select(entry);
  }
  // What was measured or promised stays as it is.
  grab(): boolean {
    return false;
  }
  drag(): void {}
  drop(): void {}
  cancel(): void {}
  placeReady(): void {}
  move(): void {}
  remove(): void {}
  undo(): void {}
  redo(): void {}
}
