// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { Axis } from "./axis";
import { coloursChanged, ink } from "./colours";
import { el } from "./dom";
import { entriesOf, Entry, labelOf, Lanes, Ready, Trial } from "./engine";
import { Box, larger, measureLetters, paintEntry, paintHatch, paintMemory, paintPass, paintRuler, paintText } from "./lane_painter";
import { plain, tr } from "./words";

/** What is under a point. */
export type Hit = { entry: Entry } | { ready: number } | { device: number } | undefined;

export interface LaneSettings {
  memory: boolean; ///< what each device holds, above its lane
  small?: boolean; ///< a picture: low lanes, no gestures
  share?: number; ///< of the window's height that the lanes may take; most of it where nothing is said
  shown: AbortSignal; ///< is aborted when the lanes leave the page
}

/** Times its end is what is seen of lanes at first. */
export const behind = 1.04;
const rulerHeight = 20;
const emptyEnd = 12e6;

/** The most that a device holds at once; its memory is flat: time, micro-batches. */
const mostHeld = (points: number[]): number => points.reduce((most, held, i) => (i % 2 === 1 ? Math.max(most, held) : most), 0);

/** Lanes on a canvas: passes, memory, what can come next, what a drag would give. It knows where things are; gestures and
 *  pages say what becomes of them. */
export class LaneView {
  readonly canvas: HTMLCanvasElement;
  selected: { device: number; position: number } | undefined;
  marked: number | undefined; ///< a device whose lane has a frame
  critical = false;
  playhead: number | undefined;
  drawn = 0; ///< frames, for tests
  lastFrame = 0; ///< milliseconds of the last one
  private lanes: Lanes | undefined;
  private rows: Entry[][] = [];
  private trial: Trial | undefined;
  private trialRows: Entry[][] = [];
  private ready: Ready[] = [];
  private goal: number | undefined;
  private fixed: number[] = [];
  private away: number[] = [];
  private gathers: number[][] = [];
  private room = 0;
  private guess: number | undefined;
  private pending = false;
  private sized = { lane: 0, memory: 0, each: 0 }; ///< of the last frame: asking the page for each pass takes longer than drawing it
  private readonly told: HTMLElement;

  /** @param axis  other lanes' to be seen with them */
  constructor(private readonly host: HTMLElement, private readonly settings: LaneSettings, readonly axis = new Axis()) {
    this.canvas = el("canvas", settings.small ? { role: "img" } : { tabindex: "0", role: "application" });
    this.told = el("ol", "for-readers");
    host.append(this.canvas, this.told);
    axis.watch(() => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(host);
    window.addEventListener("resize", () => this.redraw(), { signal: settings.shown });
    window.addEventListener(coloursChanged, () => this.draw(), { signal: settings.shown });
  }

  setLanes(lanes: Lanes): void {
    this.lanes = lanes;
    this.rows = entriesOf(lanes.lanes);
    this.trial = undefined;
    this.trialRows = [];
    this.fitEnd();
    this.tell();
    this.redraw();
  }
  /** While something is dragged: what the place would give. */
  setTrial(trial: Trial | undefined): void {
    this.trial = trial;
    this.trialRows = trial === undefined ? [] : entriesOf(trial.lanes);
    this.redraw();
  }
  setReady(ready: Ready[]): void {
    this.ready = ready;
    this.fitEnd();
    this.redraw();
  }
  /** Time that is seen at least, from the next lanes on: lanes that are being filled keep their scale. */
  setRoom(time: number): void {
    this.room = time;
  }
  /** A time that somebody has predicted for the end. */
  setGuess(time: number): void {
    this.guess = time;
    this.fitEnd();
    this.redraw();
  }
  setGoal(peak: number | undefined): void {
    this.goal = peak;
  }
  /** How many first entries of each device stay. */
  setFixed(fixed: number[]): void {
    this.fixed = fixed;
  }
  /** Whose activations wait in the host's memory, and where weights are gathered, as the engine says it. */
  setMarks(away: number[] = [], gathers: number[][] = []): void {
    this.away = away;
    this.gathers = gathers;
  }
  private isAway(entry: Entry): boolean {
    const cell = [entry.stage, entry.mb, entry.segment];
    return entry.kind === 0 && this.away.some((_, i) => i % 3 === 0 && cell.every((part, at) => part === this.away[i + at]));
  }
  entries(): Entry[][] {
    return this.rows;
  }
  readyPasses(): Ready[] {
    return this.ready;
  }
  segments(): number {
    return this.lanes?.segments ?? 1;
  }
  isFixed(entry: Entry): boolean {
    return entry.position < (this.fixed[entry.device] ?? 0);
  }
  entryAt(place: { device: number; position: number } | undefined): Entry | undefined {
    return place && this.rows[place.device]?.[place.position];
  }

  /** After a change of what is seen at least: the time that there is. */
  fitEnd(): void {
    const last = this.ready.reduce((most, one) => Math.max(most, one.end), this.lanes?.makespan ?? 0);
    const end = this.settings.small ? last : Math.max(last * behind, this.room, (this.guess ?? 0) * behind);
    this.axis.setEnd(end === 0 ? emptyEnd : end);
  }

  /** Pixels: the height of a lane, of the memory above it, and of both with the gap. */
  private measure(): { lane: number; memory: number; each: number } {
    const devices = Math.max(1, this.lanes?.devices ?? 1);
    if (this.settings.small) return { lane: devices > 4 ? 13 : 18, memory: 0, each: devices > 4 ? 15 : 20 };
    const narrow = this.host.clientWidth < 520;
    const share = this.settings.share ?? (window.innerHeight < 850 ? 0.5 : 0.6);
    const room = Math.max(share < 0.3 ? 80 : 200, window.innerHeight * (narrow ? 0.6 * share : share)) / devices;
    const lane = Math.max(share < 0.3 ? 9 : 20, Math.min(54 * larger(), room * 0.55));
    const memory = this.settings.memory ? Math.max(10, Math.min(34 * larger(), room * 0.28)) : 0;
    return { lane, memory, each: lane + memory + (this.settings.memory ? 14 : lane < 20 ? 2 : 6) };
  }
  private laneBox(device: number): Box {
    const { lane, memory, each } = this.sized;
    return { x: this.axis.left, y: (this.settings.small ? 2 : rulerHeight * larger() + 4) + device * each + memory + (memory > 0 ? 4 : 0), w: this.axis.width, h: lane };
  }
  private boxOf(device: number, start: number, end: number): Box {
    const lane = this.laneBox(device);
    const x = this.axis.x(start);
    return { ...lane, x, w: this.axis.x(end) - x };
  }

  /** Passes of a device that can come next share the height of its lane: each can be pressed. */
  readyBox(at: number): Box {
    const one = this.ready[at] as Ready;
    const box = this.boxOf(one.device, one.start, one.end);
    const rivals = this.ready.map((other, i) => ({ other, i })).filter(({ other }) => other.device === one.device);
    const h = box.h / rivals.length;
    return { ...box, y: box.y + h * rivals.findIndex(({ i }) => i === at), h };
  }
  /** Where an entry is drawn, in pixels of the canvas. */
  placeOf(what: { device: number; start: number; end: number }): Box {
    return this.boxOf(what.device, what.start, what.end);
  }
  deviceAt(y: number): number {
    const devices = this.lanes?.devices ?? 0;
    for (let device = 0; device < devices; ++device) {
      const box = this.laneBox(device);
      if (y >= box.y - this.sized.memory - 4 && y <= box.y + box.h + 4) return device;
    }
    return -1;
  }
  hit(x: number, y: number): Hit {
    const device = this.deviceAt(y);
    if (device < 0 || x < this.axis.left) return undefined;
    const box = this.laneBox(device);
    if (y < box.y || y > box.y + box.h) return { device };
    const time = this.axis.time(x);
    const entry = this.rows[device]?.find(one => one.start <= time && time < one.end);
    if (entry !== undefined) return { entry };
    const ready = this.ready.findIndex((one, i) => {
      const place = this.readyBox(i);
      return one.device === device && one.start <= time && time < one.end && y >= place.y && y <= place.y + place.h;
    });
    return ready >= 0 ? { ready } : { device };
  }

  redraw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const begin = performance.now();
      this.draw();
      this.drawn += 1;
      this.lastFrame = performance.now() - begin;
    });
  }

  private draw(): void {
    const width = this.host.clientWidth;
    if (width === 0 || this.lanes === undefined) return;
    measureLetters();
    this.sized = this.measure();
    const small = this.settings.small ?? false;
    this.axis.left = small ? 0 : width < 520 ? 30 : 92 * larger();
    this.axis.width = Math.max(10, width - this.axis.left - 2);
    const last = this.laneBox(this.lanes.devices - 1);
    const height = Math.ceil(last.y + last.h + 6);
    const scale = window.devicePixelRatio || 1;
    const canvas = this.canvas;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.height = `${height}px`;
    }
    const c = canvas.getContext("2d");
    if (c === null) return;
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    if (!small) paintRuler(c, this.axis, height - 4, time => `${plain(time / 1e6)} ms`);
    for (let device = 0; device < this.lanes.devices; ++device) this.drawLane(c, device, width);
    if (this.critical && this.trial === undefined) this.drawCritical(c);
    if (this.guess !== undefined) this.drawGuess(c, this.guess, height);
    if (this.playhead !== undefined) this.drawPlayhead(c, height);
  }

  private drawLane(c: CanvasRenderingContext2D, device: number, width: number): void {
    const lanes = this.trial ?? this.lanes;
    if (lanes === undefined) return;
    const box = this.laneBox(device);
    const narrow = width < 520;
    if (!this.settings.small) this.drawName(c, device, box, narrow, lanes);
    c.fillStyle = ink("lane");
    c.fillRect(box.x, box.y, box.w, box.h);
    c.save();
    c.beginPath();
    c.rect(this.axis.left, 0, this.axis.width, box.y + box.h + 10);
    c.clip();
    const rows = this.trial === undefined ? this.rows : this.trialRows;
    const row = rows[device] ?? [];
    const span = this.boxOf(device, 0, Math.max(lanes.makespan, 1));
    paintHatch(c, lanes.makespan > 0 ? span : box);
    const grabbed = new Set(this.trial?.grabbed ?? []);
    const blocked = new Set(lanes.blocked);
    const right = this.axis.left + this.axis.width;
    for (const entry of row) {
      const place = this.boxOf(device, entry.start, entry.end);
      if (place.x > right || place.x + place.w < this.axis.left) continue;
      const future = this.playhead !== undefined && entry.start > this.playhead;
      paintEntry(c, place, entry, this.segments(), grabbed.has(entry.id) ? "held" : future ? "dim" : "solid");
      if (blocked.has(entry.id)) this.frame(c, place, "refusal", 2);
      if (this.selected?.device === device && this.selected.position === entry.position && this.trial === undefined) this.frame(c, place, "text", 2);
      if (this.isAway(entry)) paintText(c, "⇡", place.x + place.w - 7, place.y + 8, "paper", true, 13, "center");
      if (this.trial === undefined && this.gathers[device]?.includes(entry.position)) paintText(c, "▼", place.x + 5, box.y, "text", true, 11, "center");
      if (this.isFixed(entry) && place.w > 10) paintText(c, "·", place.x + place.w - 5, place.y + 5, "paper", true, 14, "center");
    }
    if (this.trial === undefined)
      this.ready.forEach((one, at) => {
        if (one.device !== device) return;
        const place = this.readyBox(at);
        paintPass(c, place, { kind: one.pass.kind, mb: one.pass.micro_batch, chunk: one.chunk, segment: one.pass.segment }, this.segments(), "ghost");
        if (this.selected?.device === device && this.selected.position === row.length && this.firstReady(device) === at) this.frame(c, place, "text", 2);
      });
    if (device === this.marked) this.frame(c, { ...box, w: box.w - 1 }, "accent", 2);
    c.restore();
  }

  /** The first of the passes that can come next on a device; −1: none. */
  firstReady(device: number): number {
    return this.ready.findIndex(one => one.device === device);
  }

  private drawName(c: CanvasRenderingContext2D, device: number, box: Box, narrow: boolean, lanes: Lanes): void {
    const stages = lanes.stages[device] ?? [];
    paintText(c, narrow ? `d${device}` : tr("device %1", device), 2, box.y + (narrow || box.h < 28 * larger() ? box.h / 2 : box.h / 2 - 7 * larger()), "text", true, narrow ? 11 : 12);
    if (!narrow && box.h >= 28 * larger() && stages.length <= 6) paintText(c, stages.length === 1 ? tr("stage %1", stages[0] ?? 0) : tr("stages %1", stages.join(", ")), 2, box.y + box.h / 2 + 8 * larger(), "secondary", false, 10);
    const { memory } = this.sized;
    if (memory === 0) return;
    const most = Math.max(1, this.goal ?? 0, ...lanes.memory.map(mostHeld));
    const strip = { x: box.x, y: box.y - memory - 2, w: box.w, h: memory };
    paintMemory(c, this.axis, strip, lanes.memory[device] ?? [], most * 1.08, this.goal);
    const held = mostHeld(lanes.memory[device] ?? []);
    paintText(c, narrow ? plain(held, 3) : tr("holds %1 mb", plain(held, 3)), 2, strip.y + memory / 2, this.goal !== undefined && held > this.goal + 1e-6 ? "refusal" : "secondary", false, 10);
  }

  private frame(c: CanvasRenderingContext2D, box: Box, role: string, wide: number): void {
    c.strokeStyle = ink(role);
    c.lineWidth = wide;
    c.strokeRect(box.x + 1, box.y + 1, Math.max(1, box.w - 2), box.h - 2);
  }

  private drawCritical(c: CanvasRenderingContext2D): void {
    const all = this.rows.flat();
    const chain = (this.lanes?.critical ?? []).map(id => all[id]).filter((one): one is Entry => one !== undefined);
    c.save();
    c.beginPath();
    c.rect(this.axis.left, 0, this.axis.width, 1e5);
    c.clip();
    c.strokeStyle = ink("refusal");
    c.lineWidth = 2;
    c.beginPath();
    chain.forEach((entry, i) => {
      const box = this.boxOf(entry.device, entry.start, entry.end);
      const y = box.y + box.h - 3;
      if (i === 0) c.moveTo(box.x, y);
      else c.lineTo(box.x, y);
      c.lineTo(box.x + box.w, y);
    });
    c.stroke();
    c.restore();
  }

  /** A line at the guess, with its words in front of it. */
  private drawGuess(c: CanvasRenderingContext2D, time: number, height: number): void {
    const x = this.axis.x(time);
    c.strokeStyle = ink("accent");
    c.lineWidth = 2;
    c.setLineDash([5, 4]);
    c.beginPath();
    c.moveTo(x, 14 * larger());
    c.lineTo(x, height);
    c.stroke();
    c.setLineDash([]);
    paintText(c, tr("your guess"), x - 5, height - 9 * larger(), "accent", true, 11, "right", true);
  }

  private drawPlayhead(c: CanvasRenderingContext2D, height: number): void {
    const x = this.axis.x(this.playhead ?? 0);
    c.strokeStyle = ink("refusal");
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, 0);
    c.lineTo(x, height);
    c.stroke();
  }

  /** The lanes for those who hear the page: an item a device, its passes in order. */
  private tell(): void {
    this.told.replaceChildren(
      ...this.rows.map((row, device) => el("li", {}, `${tr("device %1", device)}: ${row.map(e => labelOf(e, this.segments()) + (e.two ? ` + ${labelOf(e.two, this.segments())}` : "")).join(", ") || tr("nothing yet")}`)),
    );
    if (this.settings.small) this.canvas.setAttribute("aria-label", tr("%1 devices, %2", this.rows.length, `${plain((this.lanes?.makespan ?? 0) / 1e6)} ms`));
    else this.canvas.setAttribute("aria-label", tr("Lanes of the devices. Arrows go from pass to pass."));
  }
}
