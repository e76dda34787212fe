// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import type { Axis } from "./axis";
import { ink, passColours, textOn } from "./colours";
import { Figure } from "./figure";
import { Measure, ShownStep, StepOfJob } from "./job_data";
import { larger, measureLetters, paintText } from "./lane_painter";
import { plain, timeText, tr } from "./words";

const furthest = 1.5; ///< usual steps that the strip is high
const slow = 1.05; ///< usual steps from which a bar has another colour

/** All steps of a job as bars, as high as they took; a press goes to one, arrows to the next. */
export class StepStrip extends Figure {
  private at = 0;
  constructor(private readonly steps: StepOfJob[], private readonly usual: number, private readonly chosen: (step: number) => void) {
    super("slider", tr("Steps of the job"));
    this.canvas.setAttribute("aria-valuemin", "0");
    this.canvas.setAttribute("aria-valuemax", String(steps.length - 1));
    const press = (e: PointerEvent): void => {
      const step = Math.floor((e.offsetX * steps.length) / Math.max(1, this.canvas.clientWidth));
      if (step >= 0 && step < steps.length) this.chosen(step);
    };
    this.canvas.style.touchAction = "pan-y";
    this.canvas.addEventListener("pointerdown", press);
    this.canvas.addEventListener("pointermove", e => e.buttons > 0 && press(e));
    this.canvas.addEventListener("keydown", e => {
      const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: steps.length - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      if (to >= 0 && to < steps.length) this.chosen(to);
    });
  }
  /** "step 21: 5.57 s, +0.4 % against the median" */
  words(step: number): string {
    const one = this.steps[step];
    if (one === undefined) return "";
    const off = (one.time / this.usual - 1) * 100;
    const length = tr("step %1: %2, %3 against the median", one.number, timeText(one.time), `${off < 0 ? "−" : "+"}${plain(Math.abs(off), 3)} %`);
    return one.counts ? length : tr("%1; it does not count", length);
  }
  show(step: number): void {
    this.at = step;
    this.canvas.setAttribute("aria-valuenow", String(step));
    this.canvas.setAttribute("aria-valuetext", this.words(step));
    this.redraw();
  }
  protected height(): number {
    return 40 * larger();
  }
  protected paint(c: CanvasRenderingContext2D, width: number, height: number): void {
    c.fillStyle = ink("lane");
    c.fillRect(0, 0, width, height);
    const across = width / Math.max(1, this.steps.length), gap = across >= 4 ? 1 : 0;
    this.steps.forEach((one, i) => {
      const high = (Math.min(furthest, one.time / this.usual) / furthest) * (height - 2);
      c.fillStyle = i === this.at ? ink("accent") : !one.counts ? ink("line") : one.time > slow * this.usual ? ink("later") : ink("secondary");
      c.globalAlpha = i === this.at || !one.counts || one.time > slow * this.usual ? 1 : 0.55;
      c.fillRect(i * across, height - high, Math.max(i === this.at ? 3 : 1, across - gap), high);
    });
    c.globalAlpha = 1;
  }
}

const kinds = 6;

/** Workers by what they are busy with, on the axis of the lanes below: a column is as high as their part of all. */
export class BusyStrip extends Figure {
  private step: ShownStep | undefined;
  constructor(private readonly axis: Axis) {
    super("img", tr("All workers by what they are busy with"));
    this.canvas.tabIndex = -1;
    axis.watch(() => this.redraw());
  }
  show(step: ShownStep | undefined): void {
    this.step = step;
    this.root.hidden = step === undefined;
    this.redraw();
  }
  protected height(): number {
    return 46 * larger();
  }
  protected paint(c: CanvasRenderingContext2D, width: number, height: number): void {
    const { step, axis } = this;
    if (step === undefined) return;
    measureLetters();
    c.fillStyle = ink("lane");
    c.fillRect(axis.left, 0, axis.width, height);
    paintText(c, width < 520 ? tr("all") : tr("all workers"), 2, height / 2, "text", true, 11);
    c.save();
    c.beginPath();
    c.rect(axis.left, 0, axis.width, height);
    c.clip();
    const columns = step.busy.length / kinds;
    for (let column = 0; column < columns; ++column) {
      const from = axis.x((column * step.length) / columns), to = axis.x(((column + 1) * step.length) / columns);
      let y = height;
      for (let kind = 0; kind < kinds; ++kind) {
        const high = ((step.busy[column * kinds + kind] ?? 0) / 1000) * height;
        c.fillStyle = passColours(kind, 0).ground;
        c.fillRect(from, y - high, to - from + 0.5, high);
        y -= high;
      }
    }
    c.restore();
  }
}

export interface Worker {
  replica: number;
  device: number;
}

/** One figure of every worker as a colour: a column a replica, a row a device. Many replicas share rows of the page. */
export class WorkerMap extends Figure {
  private values: (number | null)[] = [];
  private measure: Measure = "work";
  private current: Worker | undefined;
  constructor(private readonly replicas: number, private readonly devices: number, private readonly chosen: (worker: Worker) => void) {
    super("application", tr("Map of all workers"));
    this.canvas.addEventListener("pointerdown", e => {
      const worker = this.workerAt(e.offsetX, e.offsetY);
      if (worker !== undefined) this.chosen(worker);
    });
    this.canvas.addEventListener("keydown", e => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (by === undefined) return;
      e.preventDefault();
      const at = this.current ?? { replica: 0, device: 0 };
      const to = { replica: at.replica + (by[0] as number), device: at.device + (by[1] as number) };
      if (to.replica >= 0 && to.replica < replicas && to.device >= 0 && to.device < devices) this.chosen(to);
    });
  }
  show(measure: Measure, values: (number | null)[], current: Worker | undefined, words: string): void {
    this.measure = measure;
    this.values = values;
    this.current = current;
    this.canvas.setAttribute("aria-description", words);
    this.redraw();
  }

  /** Pixels: a cell, what stands beside and above, columns of a band, and its height. */
  private sizes(width: number): { w: number; h: number; left: number; top: number; across: number; band: number } {
    const left = (width < 520 ? 26 : 62) * larger(), top = 16 * larger();
    const w = Math.max(14, Math.min(46 * larger(), (width - left) / this.replicas));
    const h = this.devices > 24 ? 12 : 24 * larger();
    const across = Math.max(1, Math.min(this.replicas, Math.floor((width - left) / w)));
    return { w, h, left, top, across, band: top + this.devices * h + 8 };
  }
  /** Where a worker is on the canvas. */
  boxOf(worker: Worker): { x: number; y: number; w: number; h: number } {
    const { w, h, left, top, across, band } = this.sizes(this.root.clientWidth);
    return { x: left + (worker.replica % across) * w, y: Math.floor(worker.replica / across) * band + top + worker.device * h, w: w - 1, h: h - 1 };
  }
  private workerAt(x: number, y: number): Worker | undefined {
    const { w, h, left, top, across, band } = this.sizes(this.root.clientWidth);
    const column = Math.floor((x - left) / w), row = Math.floor(y / band);
    const worker = { replica: row * across + column, device: Math.floor((y - row * band - top) / h) };
    return column >= 0 && column < across && worker.replica < this.replicas && worker.device >= 0 && worker.device < this.devices ? worker : undefined;
  }
  protected height(width: number): number {
    const { across, band } = this.sizes(width);
    return Math.ceil(this.replicas / across) * band;
  }

  /** −1 … 1 */
  private partOf(value: number, low: number, high: number): number {
    if (this.measure === "work") return (value - 1) / Math.max(0.5, high - 1, 1 - low);
    return high > low ? (value - low) / (high - low) : 0;
  }
  protected paint(c: CanvasRenderingContext2D, width: number): void {
    measureLetters();
    const known = this.values.filter((one): one is number => one !== null);
    const low = Math.min(...known), high = Math.max(...known);
    const { w, left, top, across } = this.sizes(width);
    const every = Math.max(1, Math.ceil((22 * larger()) / w));
    for (let replica = 0; replica < this.replicas; ++replica) {
      for (let device = 0; device < this.devices; ++device) this.paintCell(c, { replica, device }, low, high);
      const head = this.boxOf({ replica, device: 0 });
      if ((replica % across) % every === 0) paintText(c, String(replica), head.x + head.w / 2, head.y - top / 2, "secondary", false, 10, "center");
      if (replica % across !== 0) continue;
      for (let device = 0; device < this.devices; device += head.h < 14 ? 4 : 1) {
        const box = this.boxOf({ replica, device });
        paintText(c, width < 520 ? `d${device}` : tr("device %1", device), left - 6, box.y + box.h / 2, "secondary", false, 10, "right");
      }
    }
    if (this.current === undefined) return;
    const box = this.boxOf(this.current);
    c.strokeStyle = ink("accent");
    c.lineWidth = 2.5;
    c.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
  }
  private paintCell(c: CanvasRenderingContext2D, worker: Worker, low: number, high: number): void {
    const box = this.boxOf(worker);
    const value = this.values[worker.replica * this.devices + worker.device] ?? null;
    c.fillStyle = ink(value === null ? "lane" : "same");
    c.fillRect(box.x, box.y, box.w, box.h);
    if (value === null) return;
    const part = this.partOf(value, low, high);
    // The root shows small differences that a straight scale would hide.
    const size = Math.sqrt(Math.min(1, Math.abs(part)));
    c.globalAlpha = size;
    c.fillStyle = ink(part < 0 ? "sooner" : "later");
    c.fillRect(box.x, box.y, box.w, box.h);
    c.globalAlpha = 1;
    const words = this.measure === "work" ? `${value.toFixed(2)}×` : this.measure === "idle" ? String(Math.round(value * 100)) : "";
    if (Math.abs(part) < 0.1 || words === "" || box.h < 12) return;
    c.font = `${10 * larger()}px system-ui, sans-serif`;
    if (c.measureText(words).width > box.w - 2) return;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = size > 0.6 ? textOn(part < 0 ? "sooner" : "later") : ink("text");
    c.fillText(words, box.x + box.w / 2, box.y + box.h / 2);
  }
}
