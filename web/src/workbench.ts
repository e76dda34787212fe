// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { button, el } from "./dom";
import { Answer, Engine, Entry, labelOf, Lanes, Sentence, State, Trial } from "./engine";
import { Gestures, LaneHandlers } from "./gestures";
import { LaneView } from "./lane_view";
import { percent, plain, sentence, timeText, tr } from "./words";

/** What the page around the lanes does. */
export interface BenchHooks {
  changed(state: State): void;
  /** Whether a pass may be given another time. */
  timesFree?: boolean;
  /** Instead of an explanation: what a double click on a pass does. */
  activated?(entry: Entry): void;
  readyPlaced?(at: number): void;
  /** Is aborted when the lanes leave the page. */
  shown: AbortSignal;
}

const playSeconds = 10;

/** The lanes with what is done to them: dragging, undo, play, the critical path, and a line that says what happens. */
export class Workbench implements LaneHandlers {
  readonly view: LaneView;
  readonly root = el("section", "bench");
  readonly bar = el("div", { class: "bar", role: "toolbar" });
  private state: State | undefined;
  private readonly said = el("p", { class: "said", role: "status", "aria-live": "polite" });
  private readonly figures = el("p", "figures");
  private readonly about = el("div", "about");
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly playButton: HTMLButtonElement;
  private readonly chainButton: HTMLButtonElement;
  private playing = false;

  constructor(private readonly engine: Engine, private readonly hooks: BenchHooks) {
    this.undoButton = button(tr("Undo"), "undo", () => this.undo());
    this.redoButton = button(tr("Redo"), "redo", () => this.redo());
    this.playButton = button(tr("Play"), "play", () => this.play());
    this.chainButton = button(tr("Critical path"), "chain", () => this.toggleChain());
    const fit = button(tr("Whole"), "fit", () => {
      this.view.axis.fit();
      this.view.redraw();
    });
    this.bar.append(this.undoButton, this.redoButton, this.playButton, this.chainButton, fit);
    const lanes = el("div", "lanes");
    this.root.append(this.bar, lanes, this.said, this.figures, this.about);
    this.view = new LaneView(lanes, { memory: true, shown: hooks.shown });
    new Gestures(this.view, this);
  }

  /** Shows an answer of the engine, or says why not. @returns whether it was done */
  take(answer: Answer<State>): boolean {
    if (answer.ok === undefined) {
      this.refuse(answer.refused);
      return false;
    }
    this.show(answer.ok);
    return true;
  }

  show(state: State): void {
    this.state = state;
    this.view.playhead = undefined;
    this.playing = false;
    this.view.setLanes(state);
    this.view.setReady(this.readyShown(state));
    this.undoButton.disabled = !state.undo;
    this.redoButton.disabled = !state.redo;
    this.playButton.disabled = state.makespan === 0;
    this.chainButton.disabled = state.critical === undefined;
    this.playButton.textContent = tr("Play");
    this.tellFigures(state);
    this.about.replaceChildren();
    this.say("");
    this.hooks.changed(state);
  }
  /** Which of the passes that can come next are shown; pages decide. */
  readyShown: (state: State) => NonNullable<State["ready"]> = () => [];

  current(): State | undefined {
    return this.state;
  }

  say(words: string): void {
    this.said.textContent = words;
    this.said.classList.remove("refusal");
  }
  refuse(why: Sentence): void {
    this.said.textContent = sentence(why);
    this.said.classList.add("refusal");
  }

  private tellFigures(lanes: Lanes): void {
    // An order that never ends has no figures.
    const ends = lanes.blocked.length === 0;
    const parts = [`${tr("makespan")} ${ends ? timeText(lanes.makespan) : "–"}`];
    if (ends && lanes.makespan > 0)
      parts.push(
        `${tr("span bubble")} ${percent(lanes.span_bubble[1])}`,
        `${tr("wall bubble")} ${percent(lanes.wall_bubble[1])}`,
        `${tr("peak")} ${plain(lanes.peak)} mb`,
      );
    this.figures.textContent = parts.join("  ·  ");
  }

  // Gestures.

  select(entry: Entry | undefined): void {
    this.view.redraw();
    if (entry === undefined) return this.about.replaceChildren();
    this.say(`${labelOf(entry, this.view.segments())}, ${tr("device %1", entry.device)}, ${timeText(entry.start)} – ${timeText(entry.end)}`);
    this.explain("entry", { device: entry.device, position: entry.position });
    if (this.hooks.timesFree && entry.two === undefined) this.about.append(this.ownTime(entry));
  }
  /** A time of its own for one pass. */
  private ownTime(entry: Entry): HTMLElement {
    const input = el("input", { id: "own-time", type: "number", min: "0", step: "any", value: plain((entry.end - entry.start) / 1e6, 9) });
    input.addEventListener("change", () => {
      const time = Math.round(Number(input.value) * 1e6);
      if (input.value === "" || !Number.isFinite(time)) return;
      if (this.take(this.engine.call("pass_time", { device: entry.device, position: entry.position, time }))) this.select(this.view.entryAt(entry));
    });
    return el("label", "row", el("span", {}, tr("This pass alone takes")), input, el("span", "unit", "ms"));
  }
  idle(device: number, time: number): void {
    this.view.redraw();
    if (this.state !== undefined && time >= 0 && time < this.state.makespan) this.explain("time", { device, time });
  }
  private explain(what: "entry" | "time", where: { device: number; position?: number; time?: number }): void {
    this.about.replaceChildren();
    if (this.state?.complete !== true) return;
    const told = this.engine.call("explain", { what, ...where }).ok;
    if (told === undefined) return;
    this.about.append(el("h3", {}, sentence(told.title)), ...told.sentences.map(one => el("p", {}, sentence(one))));
  }
  /** Goes the way of a drag once: a browser compiles at the first call, which would be the first frame's wait. */
  prepare({ device, position }: Entry): void {
    this.engine.call("grab", { device, position });
    this.engine.call("drag", { offset: 0 });
    this.engine.call("release", {});
  }
  grab(entry: Entry, whole: boolean): boolean {
    if (this.view.isFixed(entry)) {
      this.refuse(tr("The first passes of this device are locked here."));
      return false;
    }
    const answer = this.engine.call("grab", { device: entry.device, position: entry.position, whole });
    if (answer.ok === undefined) this.refuse(answer.refused);
    return answer.ok !== undefined;
  }
  drag(offset: number): void {
    const trial = this.engine.call("drag", { offset });
    if (trial.ok !== undefined) this.preview(trial.ok);
  }
  /** What a place would give: the lanes, the figures, and why not. */
  preview(trial: Trial): void {
    this.view.setTrial(trial);
    this.tellFigures(trial);
    if (trial.refusal !== undefined) this.refuse(trial.refusal);
    else this.say(this.state === undefined || this.state.makespan === 0 || trial.makespan === this.state.makespan ? "" : tr("makespan %1, %2 before", timeText(trial.makespan), timeText(this.state.makespan)));
  }
  drop(offset: number): void {
    const words = this.said.textContent ?? "";
    const refused = this.said.classList.contains("refusal");
    this.take(this.engine.call("drop", { offset }));
    if (refused) this.refuse(words);
  }
  cancel(): void {
    this.engine.call("release", {});
    this.view.setTrial(undefined);
    if (this.state !== undefined) this.show(this.state);
  }
  activate(entry: Entry): void {
    this.hooks.activated?.(entry);
  }
  placeReady(at: number): void {
    this.hooks.readyPlaced?.(at);
  }
  move(entry: Entry, by: number): void {
    const to = entry.position + by;
    if (to < 0 || to >= (this.view.entries()[entry.device]?.length ?? 0) || this.view.isFixed(entry)) return;
    if (this.take(this.engine.call("move", { device: entry.device, position: entry.position, to }))) {
      this.view.selected = { device: entry.device, position: to };
      const moved = this.view.entryAt(this.view.selected);
      if (moved !== undefined) this.say(`${labelOf(moved, this.view.segments())}: ${timeText(moved.start)} – ${timeText(moved.end)}`);
    }
  }
  remove(entry: Entry): void {
    if (!this.view.isFixed(entry)) this.take(this.engine.call("remove", { device: entry.device, position: entry.position }));
  }
  undo(): void {
    this.take(this.engine.call("undo", {}));
  }
  redo(): void {
    this.take(this.engine.call("redo", {}));
  }
  private toggleChain(): void {
    this.view.critical = !this.view.critical;
    this.chainButton.setAttribute("aria-pressed", String(this.view.critical));
    this.view.redraw();
  }
  play(): void {
    if (this.state === undefined || this.state.makespan === 0) return;
    this.playing = !this.playing;
    this.playButton.textContent = this.playing ? tr("Pause") : tr("Play");
    if (!this.playing) return;
    const end = this.state.makespan;
    let now = this.view.playhead !== undefined && this.view.playhead < end ? this.view.playhead : 0;
    let last = performance.now();
    const step = (): void => {
      if (!this.playing || this.hooks.shown.aborted) return;
      const at = performance.now();
      now += ((at - last) / 1000) * (end / playSeconds);
      last = at;
      this.view.playhead = now < end ? now : undefined;
      this.playing = now < end;
      if (!this.playing) this.playButton.textContent = tr("Play");
      this.view.redraw();
      if (this.playing) requestAnimationFrame(step);
    };
    step();
  }
}

/** Tiles that are dragged onto a lane: each is a kind of pass. By key, Enter on a tile places its pass behind those of the
 *  device that the arrows are on. */
export function tiles(engine: Engine, bench: Workbench, kinds: string[]): HTMLElement {
  const row = el("div", { class: "tiles", role: "group", "aria-label": tr("Passes to place") });
  for (const kind of kinds) {
    const tile = el("button", { type: "button", class: `tile kind-${kind}`, "data-kind": kind, title: tr("Drag onto a lane") }, kind);
    tile.style.touchAction = "none";
    tile.addEventListener("pointerdown", down => {
      tile.setPointerCapture(down.pointerId);
      let at: { device: number; time: number } | undefined;
      const over = (e: PointerEvent): void => {
        const box = bench.view.canvas.getBoundingClientRect();
        const device = bench.view.deviceAt(e.clientY - box.top);
        at = device < 0 || e.clientX < box.left || e.clientX > box.right ? undefined : { device, time: Math.max(0, Math.round(bench.view.axis.time(e.clientX - box.left))) };
        if (at === undefined) return bench.view.setTrial(undefined);
        const trial = engine.call("try", { kind, ...at });
        if (trial.ok !== undefined) return bench.preview(trial.ok);
        bench.view.setTrial(undefined);
        bench.refuse(trial.refused);
      };
      const done = (): void => {
        tile.removeEventListener("pointermove", over);
        tile.removeEventListener("pointerup", dropped);
        tile.removeEventListener("pointercancel", done);
        bench.view.setTrial(undefined);
      };
      const dropped = (): void => {
        done();
        if (at !== undefined) bench.take(engine.call("place", { kind, ...at }));
      };
      tile.addEventListener("pointermove", over);
      tile.addEventListener("pointerup", dropped);
      tile.addEventListener("pointercancel", done);
    });
    // By key: behind the passes of the device that the arrows are on.
    tile.addEventListener("keydown", e => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      const device = bench.view.selected?.device ?? 0;
      bench.take(engine.call("place", { kind, device, time: bench.current()?.makespan ?? 0 }));
    });
    row.append(tile);
  }
  return row;
}
