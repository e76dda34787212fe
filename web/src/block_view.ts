// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { coloursChanged, ink } from "./colours";
import { button, el } from "./dom";
import { Block, BlockPass, Engine, kindNames } from "./engine";
import { Box, larger, measureLetters, paintHatch, paintPass, paintText } from "./lane_painter";
import { plain, sentence, tr } from "./words";
import type { Workbench } from "./workbench";

const laneHeight = 38;
const lifeHeight = 14;
const top = 22;

/** A building block to draw on: its passes are dragged along their devices, unit by unit, between its repetitions; below, how
 *  long each activation lives. What a pass would run into moves away. */
export class BlockView {
  readonly root = el("section", "block");
  readonly canvas = el("canvas", { tabindex: "0", role: "application", "aria-label": tr("The block. Arrows go from pass to pass, with Shift the pass moves.") });
  private block: Block | undefined;
  private shown: Block | undefined;
  private selected = -1;
  private held: { pass: number; x: number; by: number } | undefined;
  private unit = 20;
  private left = 70;
  private readonly said = el("p", { class: "said", role: "status" });
  private readonly folded = el("p", "figures");
  private readonly interval = el("output", { id: "interval" });
  private readonly told = el("ol", "for-readers");

  /** @param shown  is aborted when the block leaves the page */
  constructor(private readonly engine: Engine, private readonly bench: Workbench, shown: AbortSignal) {
    const step = (by: number, words: string, id: string): HTMLButtonElement =>
      button(words, id, () => this.block && this.bench.take(this.engine.call("block_interval", { interval: Math.max(1, this.block.interval + by) })));
    const bar = el("div", "bar", el("span", {}, tr("Interval")), step(-1, "−", "interval-less"), this.interval, step(1, "+", "interval-more"));
    const host = el("div", "lanes", this.canvas);
    this.root.append(bar, host, this.folded, this.said, this.told);
    new ResizeObserver(() => this.draw()).observe(host);
    window.addEventListener("resize", () => this.draw(), { signal: shown });
    window.addEventListener(coloursChanged, () => this.draw(), { signal: shown });
    this.canvas.style.touchAction = "pan-y";
    this.canvas.addEventListener("pointerdown", e => this.down(e));
    this.canvas.addEventListener("pointermove", e => this.moved(e));
    this.canvas.addEventListener("pointerup", () => this.up());
    this.canvas.addEventListener("pointercancel", () => this.cancel());
    this.canvas.addEventListener("keydown", e => this.key(e));
  }

  setBlock(block: Block): void {
    this.block = block;
    this.shown = block;
    this.interval.textContent = String(block.interval);
    this.tell(block);
    this.draw();
  }

  private tell(block: Block): void {
    const wrong = block.problem ?? block.collisions[0]?.text;
    this.said.textContent = wrong === undefined ? tr("Repeats without collision.") : sentence(wrong);
    this.said.classList.toggle("refusal", wrong !== undefined);
    this.folded.textContent = block.lives.map((device, d) => `${tr("device %1", d)}: ${tr("peak %1 mb", plain(device.peak))}`).join("  ·  ");
    this.told.replaceChildren(
      ...Array.from({ length: block.devices }, (_, d) =>
        el("li", {}, `${tr("device %1", d)}: ${block.passes.filter(p => p[0] === d).sort((a, b) => a[1] - b[1]).map(p => `${nameOf(p)} ${p[1]}–${p[2]}`).join(", ")}`)),
    );
  }

  private get each(): number {
    return (laneHeight + lifeHeight * this.chunks() + 14) * larger();
  }
  private chunks(): number {
    return 1 + Math.max(0, ...(this.shown?.passes ?? []).map(p => p[4]));
  }
  private box(pass: BlockPass, shift = 0): Box {
    return { x: this.left + (pass[1] + shift) * this.unit, y: top * larger() + pass[0] * this.each, w: (pass[2] - pass[1]) * this.unit, h: laneHeight * larger() };
  }
  /** Where a pass is drawn, for tests. */
  placeOf(pass: number): Box | undefined {
    const one = this.block?.passes[pass];
    return one && this.box(one);
  }
  pixelsPerUnit(): number {
    return this.unit;
  }
  current(): Block | undefined {
    return this.block;
  }

  /** Of passes over each other the one that is seen. */
  private hit(x: number, y: number): number {
    const passes = this.block?.passes ?? [];
    for (let number = passes.length - 1; number >= 0; --number) {
      const box = this.box(passes[number] as BlockPass);
      if (x >= box.x && x < box.x + box.w && y >= box.y && y <= box.y + box.h) return number;
    }
    return -1;
  }
  private down(e: PointerEvent): void {
    const pass = this.hit(e.offsetX, e.offsetY);
    this.selected = pass;
    if (pass >= 0 && e.button === 0) {
      this.held = { pass, x: e.offsetX, by: 0 };
      this.canvas.setPointerCapture(e.pointerId);
    }
    this.draw();
  }
  private moved(e: PointerEvent): void {
    if (this.held === undefined) {
      this.canvas.style.cursor = this.hit(e.offsetX, e.offsetY) >= 0 ? "grab" : "default";
      return;
    }
    const by = Math.round((e.offsetX - this.held.x) / this.unit);
    if (by === this.held.by) return;
    this.held.by = by;
    const trial = this.engine.call("block_try", { pass: this.held.pass, by });
    if (trial.ok !== undefined) {
      this.shown = trial.ok.block;
      this.tell(trial.ok.block);
    } else {
      this.said.textContent = sentence(trial.refused);
      this.said.classList.add("refusal");
    }
    this.draw();
  }
  private up(): void {
    const held = this.held;
    this.held = undefined;
    if (held === undefined) return;
    this.shown = this.block;
    if (held.by !== 0) this.move(held.pass, held.by);
    else this.draw();
  }
  private cancel(): void {
    this.held = undefined;
    if (this.block !== undefined) this.setBlock(this.block);
  }
  private move(pass: number, by: number): void {
    const answer = this.engine.call("block_move", { pass, by });
    if (answer.ok === undefined) {
      this.cancel();
      this.said.textContent = sentence(answer.refused);
      this.said.classList.add("refusal");
    } else this.bench.take(answer);
  }
  private key(e: KeyboardEvent): void {
    if (this.block === undefined) return;
    const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (e.key === "Escape") this.cancel();
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") return this.bench.undo();
    if (by === 0) return;
    e.preventDefault();
    const order = this.block.passes.map((pass, i) => ({ pass, i })).sort((a, b) => a.pass[1] - b.pass[1] || a.pass[0] - b.pass[0]);
    if (e.shiftKey && this.selected >= 0) return this.move(this.selected, by);
    const at = order.findIndex(one => one.i === this.selected);
    this.selected = (order[Math.max(0, Math.min(order.length - 1, at + by))] ?? { i: -1 }).i;
    this.draw();
  }

  private draw(): void {
    const block = this.shown;
    const host = this.canvas.parentElement;
    if (block === undefined || host === null || host.clientWidth === 0) return;
    const width = host.clientWidth;
    measureLetters();
    this.left = width < 520 ? 28 : 78 * larger();
    const end = Math.max(block.interval * 2, ...block.passes.map(p => p[2])) + 2;
    if (this.held === undefined) this.unit = Math.max(9, Math.min(36 * larger(), (width - this.left - 4) / end));
    const height = top * larger() + block.devices * this.each;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.height = `${height}px`;
    const c = this.canvas.getContext("2d");
    if (c === null) return;
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    for (let t = 0; this.left + t * this.unit < width; ++t) {
      const edge = t % block.interval === 0;
      c.fillStyle = ink(edge ? "secondary" : "line");
      c.fillRect(Math.round(this.left + t * this.unit), edge ? 4 : (top - 4) * larger(), 1, height);
      if (edge) paintText(c, String(t), this.left + t * this.unit + 4, 10 * larger(), "secondary", false, 10);
    }
    for (let d = 0; d < block.devices; ++d) this.drawDevice(c, block, d, width);
  }

  private drawDevice(c: CanvasRenderingContext2D, block: Block, device: number, width: number): void {
    const y = top * larger() + device * this.each;
    paintText(c, this.left < 50 ? `d${device}` : tr("device %1", device), 2, y + (laneHeight / 2) * larger(), "text", true, this.left < 50 ? 11 : 12);
    paintHatch(c, { x: this.left, y, w: width - this.left, h: laneHeight * larger() });
    const colliding = block.collisions.filter(one => one.device === device);
    c.save();
    c.beginPath();
    c.rect(this.left, 0, width - this.left, 1e4);
    c.clip();
    block.passes.forEach(pass => {
      if (pass[0] !== device) return;
      const look = { kind: pass[3], mb: 0, chunk: pass[4], segment: 0 };
      const times = Math.ceil(width / (this.unit * block.interval));
      for (let shift = -times; shift <= times; ++shift) {
        const box = this.box(pass, shift * block.interval);
        if (shift === 0 || box.x > width || box.x + box.w < this.left) continue;
        paintPass(c, box, { ...look, mb: shift }, 1, "ghost");
      }
    });
    block.passes.forEach((pass, number) => {
      if (pass[0] !== device) return;
      const look = { kind: pass[3], mb: 0, chunk: pass[4], segment: 0 };
      const box = this.box(pass);
      paintPass(c, box, look, 1, this.held?.pass === number ? "held" : "solid");
      if (this.selected === number) this.frame(c, box, "text");
      if (colliding.some(one => meets(pass, one.residue, block.interval))) this.frame(c, box, "refusal");
    });
    // Lives: a line from the F to the pass that frees the activation.
    for (const [from, to, chunk] of block.lives[device]?.cells ?? []) {
      const line = y + (laneHeight + 6 + chunk * lifeHeight) * larger();
      c.fillStyle = ink(chunk > 0 ? "forward-tint" : "forward");
      c.fillRect(this.left + from * this.unit, line, (to - from) * this.unit, 5);
      paintText(c, String(to - from), this.left + to * this.unit + 4, line + 3, "secondary", false, 10);
    }
    c.restore();
  }

  private frame(c: CanvasRenderingContext2D, box: Box, role: string): void {
    c.strokeStyle = ink(role);
    c.lineWidth = 2;
    c.strokeRect(box.x + 1, box.y + 1, box.w - 2, box.h - 2);
  }
}

function meets(pass: BlockPass, residue: number, interval: number): boolean {
  for (let t = pass[1]; t < pass[2]; ++t) if (((t % interval) + interval) % interval === residue) return true;
  return false;
}

function nameOf(pass: BlockPass): string {
  return `${kindNames[pass[3]]}${pass[4] > 0 ? `.${pass[4]}` : ""}`;
}
