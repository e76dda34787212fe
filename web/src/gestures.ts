// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { Entry, labelOf } from "./engine";
import type { LaneView } from "./lane_view";
import { timeText } from "./words";

/** What a page does about gestures on its lanes. */
export interface LaneHandlers {
  select(entry: Entry | undefined): void;
  idle(device: number, time: number): void;
  /** A press that may become a drag. */
  prepare?(entry: Entry): void;
  /** @returns whether the entry may be dragged */
  grab(entry: Entry, whole: boolean): boolean;
  drag(offset: number): void;
  drop(offset: number): void;
  cancel(): void;
  activate(entry: Entry): void;
  placeReady(at: number): void;
  move(entry: Entry, by: number): void;
  remove(entry: Entry): void;
  undo(): void;
  redo(): void;
  play(): void;
}

const moveBegins = 4; ///< pixels, from which on a press is a drag
const doubleTap = 400; ///< milliseconds between the two presses of a double click

/** Mouse, touch, pen and keys on lanes. A finger that goes up or down scrolls the page; one that goes sideways on a pass drags
 *  it, elsewhere it pans; two zoom. */
export class Gestures {
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private pressed: { x: number; y: number; entry?: Entry; whole: boolean } | undefined;
  private doing: "drag" | "pan" | "pinch" | undefined;
  private offset = 0;
  private lastPress = { time: 0, x: 0, y: 0 };
  private pinch = 0;

  constructor(private readonly view: LaneView, private readonly to: LaneHandlers) {
    const canvas = view.canvas;
    canvas.style.touchAction = "pan-y";
    canvas.addEventListener("pointerdown", e => this.down(e));
    canvas.addEventListener("pointermove", e => this.moved(e));
    canvas.addEventListener("pointerup", e => this.up(e));
    canvas.addEventListener("pointercancel", e => this.cancelled(e));
    canvas.addEventListener("wheel", e => this.wheel(e), { passive: false });
    canvas.addEventListener("keydown", e => this.key(e));
  }

  private down(e: PointerEvent): void {
    this.view.canvas.focus({ preventScroll: true });
    this.pointers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    if (this.pointers.size === 2) {
      if (this.doing === "drag") this.to.cancel();
      this.doing = "pinch";
      this.pinch = this.spread().wide;
      return;
    }
    if (e.button !== 0 || this.pointers.size > 2) return;
    const hit = this.view.hit(e.offsetX, e.offsetY);
    const entry = hit !== undefined && "entry" in hit ? hit.entry : undefined;
    if (entry) this.to.prepare?.(entry);
    this.pressed = { x: e.offsetX, y: e.offsetY, whole: e.altKey, ...(entry && { entry }) };
    this.view.canvas.setPointerCapture(e.pointerId);
  }

  private moved(e: PointerEvent): void {
    const before = this.pointers.get(e.pointerId);
    if (before === undefined) return this.point(e);
    this.pointers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    if (this.doing === "pinch") {
      if (this.pointers.size < 2) return; // one finger is up already, the other still moves
      const { wide, middle } = this.spread();
      this.view.axis.zoom(this.pinch / Math.max(1, wide), middle);
      this.pinch = wide;
      return this.view.redraw();
    }
    if (this.pressed === undefined) return;
    const by = e.offsetX - this.pressed.x;
    if (this.doing === undefined && Math.abs(by) >= moveBegins) {
      const entry = this.pressed.entry;
      this.doing = entry !== undefined && this.to.grab(entry, this.pressed.whole) ? "drag" : "pan";
    }
    if (this.doing === "drag") {
      const axis = this.view.axis;
      this.offset = Math.round((by * (axis.to - axis.from)) / axis.width);
      this.to.drag(this.offset);
    } else if (this.doing === "pan") {
      this.view.axis.pan(e.offsetX - before.x);
      this.view.redraw();
    }
  }

  /** The pointer says what a press would do. */
  private point(e: PointerEvent): void {
    const hit = this.view.hit(e.offsetX, e.offsetY);
    this.view.canvas.title = hit !== undefined && "entry" in hit ? `${labelOf(hit.entry, this.view.segments())}: ${timeText(hit.entry.start)} – ${timeText(hit.entry.end)}` : "";
    this.view.canvas.style.cursor = hit === undefined || "device" in hit ? "default" : "ready" in hit ? "pointer" : "grab";
  }

  private up(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    if (this.doing === "drag") this.to.drop(this.offset);
    else if (this.doing === undefined && this.pressed !== undefined) this.press(e);
    if (this.pointers.size === 0) {
      this.doing = undefined;
      this.pressed = undefined;
    }
  }

  private press(e: PointerEvent): void {
    const hit = this.view.hit(e.offsetX, e.offsetY);
    const again = e.timeStamp - this.lastPress.time < doubleTap && Math.hypot(e.offsetX - this.lastPress.x, e.offsetY - this.lastPress.y) < 12;
    this.lastPress = again ? { time: 0, x: 0, y: 0 } : { time: e.timeStamp, x: e.offsetX, y: e.offsetY };
    if (hit === undefined) return this.to.select(undefined);
    if ("ready" in hit) return this.to.placeReady(hit.ready);
    if ("device" in hit) {
      this.view.selected = undefined;
      return this.to.idle(hit.device, Math.round(this.view.axis.time(e.offsetX)));
    }
    this.view.selected = { device: hit.entry.device, position: hit.entry.position };
    this.view.redraw();
    if (again) this.to.activate(hit.entry);
    else this.to.select(hit.entry);
  }

  private cancelled(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    if (this.doing === "drag") this.to.cancel();
    this.doing = undefined;
    this.pressed = undefined;
  }

  private spread(): { wide: number; middle: number } {
    const [a, b] = [...this.pointers.values()];
    if (a === undefined || b === undefined) return { wide: 1, middle: 0 };
    return { wide: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)), middle: (a.x + b.x) / 2 };
  }

  /** With Ctrl it zooms, sideways it pans; else the page scrolls. */
  private wheel(e: WheelEvent): void {
    if (e.ctrlKey) this.view.axis.zoom(Math.exp(e.deltaY * 0.002), e.offsetX);
    else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) this.view.axis.pan(-(e.deltaX || e.deltaY));
    else return;
    e.preventDefault();
    this.view.redraw();
  }

  private key(e: KeyboardEvent): void {
    if (this.doing === "drag" && e.key === "Escape") {
      this.to.cancel();
      this.doing = "pan";
      return e.preventDefault();
    }
    if ((e.ctrlKey || e.metaKey) && !e.altKey) {
      const key = e.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      e.preventDefault();
      return key === "y" || e.shiftKey ? this.to.redo() : this.to.undo();
    }
    if (e.altKey || e.metaKey) return;
    if (this.walk(e) || this.look(e)) {
      e.preventDefault();
      this.view.redraw();
    }
  }

  /** Arrows: from pass to pass; with Shift the pass goes along. */
  private walk(e: KeyboardEvent): boolean {
    const rows = this.view.entries();
    const at = this.view.selected ?? { device: 0, position: -1 };
    const entry = this.view.entryAt(at);
    const row = rows[at.device] ?? [];
    const last = row.length - (this.view.firstReady(at.device) >= 0 ? 0 : 1);
    if (e.key === "ArrowRight" || e.key === "ArrowLeft") {
      const by = e.key === "ArrowRight" ? 1 : -1;
      if (e.shiftKey && entry !== undefined) this.to.move(entry, by);
      else this.goTo(at.device, Math.max(0, Math.min(last, at.position + by)));
      return true;
    }
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      const device = Math.max(0, Math.min(rows.length - 1, at.device + (e.key === "ArrowDown" ? 1 : -1)));
      const time = entry?.start ?? 0;
      const near = (rows[device] ?? []).findIndex(one => one.end > time);
      this.goTo(device, near >= 0 ? near : (rows[device] ?? []).length);
      return true;
    }
    if (e.key === "Enter") {
      const ready = this.view.firstReady(at.device);
      if (entry !== undefined) this.to.activate(entry);
      else if (ready >= 0) this.to.placeReady(ready);
      return true;
    }
    if ((e.key === "Delete" || e.key === "Backspace") && entry !== undefined) {
      this.to.remove(entry);
      return true;
    }
    return false;
  }

  private goTo(device: number, position: number): void {
    this.view.selected = { device, position };
    const entry = this.view.entryAt(this.view.selected);
    if (entry !== undefined) this.view.axis.reveal(entry.start, entry.end);
    this.to.select(entry);
  }

  /** W, S, A, D and F as in the studio; Space plays. */
  private look(e: KeyboardEvent): boolean {
    const axis = this.view.axis;
    const middle = axis.left + axis.width / 2;
    const steps: Record<string, () => void> = {
      w: () => axis.zoom(0.8, middle),
      s: () => axis.zoom(1.25, middle),
      a: () => axis.pan(axis.width * 0.1),
      d: () => axis.pan(-axis.width * 0.1),
      f: () => axis.fit(),
      " ": () => this.to.play(),
    };
    const step = steps[e.key.toLowerCase()];
    step?.();
    return step !== undefined;
  }
}
