// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { coloursChanged } from "./colours";
import { el } from "./dom";

/** A canvas that is as wide as its place and drawn anew when that, the ground or its content changes. */
export abstract class Figure {
  readonly root = el("div", "figure");
  readonly canvas = el("canvas", { tabindex: "0" });
  private pending = false;

  constructor(role: string, words: string) {
    this.canvas.setAttribute("role", role);
    this.canvas.setAttribute("aria-label", words);
    this.root.append(this.canvas);
    new ResizeObserver(() => this.redraw()).observe(this.root);
    window.addEventListener(coloursChanged, () => this.draw());
  }

  redraw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  /** Pixels of the page. */
  protected abstract height(width: number): number;
  protected abstract paint(c: CanvasRenderingContext2D, width: number, height: number): void;

  private draw(): void {
    const width = this.root.clientWidth;
    const c = this.canvas.getContext("2d");
    if (width === 0 || c === null) return;
    const height = this.height(width), scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.height = `${height}px`;
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    this.paint(c, width, height);
  }
}
