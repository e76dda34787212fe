// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

/** The part of time that is seen, and the pixels that it is seen in. Lanes below each other have one together. */
export class Axis {
  from = 0;
  to = 1;
  left = 0;
  width = 1;
  private end = 1;
  private readonly watching: (() => void)[] = [];

  /** Has a function called whenever another part is seen. */
  watch(moved: () => void): void {
    this.watching.push(moved);
  }

  /** All of what there is, when it is another length than before and was seen whole. */
  setEnd(end: number): void {
    const whole = this.isWhole();
    this.end = Math.max(1, end);
    if (whole) this.fit();
  }
  isWhole(): boolean {
    return this.from <= 0 && this.to >= this.end;
  }
  fit(): void {
    this.from = 0;
    this.to = this.end;
    this.tell();
  }
  private tell(): void {
    for (const moved of this.watching) moved();
  }
  x(time: number): number {
    return this.left + ((time - this.from) * this.width) / (this.to - this.from);
  }
  time(x: number): number {
    return this.from + ((x - this.left) * (this.to - this.from)) / this.width;
  }
  zoom(factor: number, aroundX: number): void {
    const around = this.time(aroundX);
    const span = Math.min(this.end * 1.5, Math.max(this.end / 2000, (this.to - this.from) * factor));
    this.set(around - ((aroundX - this.left) / this.width) * span, span);
  }
  pan(pixels: number): void {
    const span = this.to - this.from;
    this.set(this.from - (pixels * span) / this.width, span);
  }
  /** Brings a stretch into sight. */
  reveal(from: number, to: number): void {
    const span = this.to - this.from;
    if (from < this.from) this.set(from - span * 0.1, span);
    else if (to > this.to) this.set(to - span * 0.9, span);
  }
  private set(from: number, span: number): void {
    this.from = Math.max(-0.1 * span, Math.min(from, this.end * 1.5 - span));
    if (span >= this.end) this.from = 0;
    this.to = this.from + span;
    this.tell();
  }
  /** Round times for a ruler, none nearer than so many pixels. */
  ticks(pixels: number): number[] {
    const least = ((this.to - this.from) * pixels) / this.width;
    const ten = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map(n => n * ten).find(n => n >= least) ?? ten * 10;
    const found: number[] = [];
    for (let t = Math.ceil(Math.max(0, this.from) / step) * step; t <= this.to; t += step) found.push(t);
    return found;
  }
}
