// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import type { Axis } from "./axis";
import { ink, passColours } from "./colours";
import { Entry, kindNames } from "./engine";

/** What a pass looks like, wherever it is drawn. */
export interface Look {
  kind: number;
  mb: number;
  chunk: number;
  segment: number;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export type Manner = "solid" | "ghost" | "held" | "dim";

const font = "system-ui, sans-serif";
const usualFont = 15;
let letters = 1;

/** By how much letters and lanes are larger than on a usual screen: canvases follow the page's own size of letters. */
export const larger = (): number => letters;
export function measureLetters(): void {
  letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / usualFont || 1;
}
const px = (size: number): string => `${Math.round(size * letters * 10) / 10}px ${font}`;

/** A pass as the studio draws it: colour by kind, tint by chunk, kind over micro-batch. */
export function paintPass(c: CanvasRenderingContext2D, box: Box, look: Look, segments: number, manner: Manner = "solid"): void {
  const { ground, text } = passColours(look.kind, look.chunk);
  const gap = box.w > 6 ? 0.5 : 0;
  c.globalAlpha = manner === "ghost" ? 0.38 : manner === "dim" ? 0.25 : 1;
  c.fillStyle = ground;
  c.beginPath();
  roundRect(c, box.x + gap, box.y, Math.max(1, box.w - 2 * gap), box.h, box.w > 8 ? 2.5 : 0);
  c.fill();
  if (look.kind === 3 && box.h > 14) {
    c.fillStyle = passColours(2, look.chunk).ground;
    c.fillRect(box.x + gap, box.y + box.h - 4, Math.max(1, box.w - 2 * gap), 3);
  }
  if (manner === "held" || manner === "ghost") {
    c.strokeStyle = ink("accent");
    c.lineWidth = manner === "held" ? 2 : 1;
    c.setLineDash(manner === "held" ? [] : [3, 3]);
    c.stroke();
    c.setLineDash([]);
  }
  c.fillStyle = manner === "ghost" ? ink("text") : text;
  if (manner === "ghost") c.globalAlpha = 0.8;
  paintLabel(c, box, look, segments);
  c.globalAlpha = 1;
}

const widths = new Map<string, number>();

/** The width of a text; a few hundred of them are asked for in every frame. */
function wide(c: CanvasRenderingContext2D, font: string, text: string): number {
  const key = font + text;
  let known = widths.get(key);
  if (known === undefined) {
    c.font = font;
    widths.set(key, (known = c.measureText(text).width));
  }
  return known;
}

/** Writes a text as large as it fits, down to letters that can still be read. */
function fitText(c: CanvasRenderingContext2D, text: string, x: number, y: number, room: number, size: number, bold = ""): boolean {
  for (; size >= 7; size -= 1.5) {
    const font = bold + px(size);
    if (wide(c, font, text) > room) continue;
    c.font = font;
    c.fillText(text, x, y);
    return true;
  }
  return false;
}

function paintLabel(c: CanvasRenderingContext2D, box: Box, look: Look, segments: number): void {
  const kind = kindNames[look.kind] ?? "";
  const number = `${look.mb}${look.chunk > 0 && box.w > 34 ? `.${look.chunk}` : ""}${segments > 1 && look.kind < 5 ? `/${look.segment}` : ""}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  const middle = box.x + box.w / 2;
  if (box.h >= 30 * letters && box.w >= 10) {
    fitText(c, kind, middle, box.y + box.h / 2 - 7 * letters, box.w - 2, 11, "600 ");
    fitText(c, number, middle, box.y + box.h / 2 + 7 * letters, box.w - 1, 11);
  } else if (box.h >= 11) {
    const size = Math.min(11, box.h / letters - 2), y = box.y + box.h / 2;
    if (wide(c, px(size), kind + number) < box.w - 2) fitText(c, kind + number, middle, y, box.w, size);
    else fitText(c, number, middle, y, box.w - 1, size);
  }
}

/** An entry: a pass, or an overlapped pair with its second pass below. */
export function paintEntry(c: CanvasRenderingContext2D, box: Box, entry: Entry, segments: number, manner: Manner): void {
  if (entry.two === undefined) return paintPass(c, box, entry, segments, manner);
  paintPass(c, { ...box, h: box.h / 2 - 0.5 }, entry, segments, manner);
  paintPass(c, { ...box, y: box.y + box.h / 2 + 0.5, h: box.h / 2 - 0.5 }, entry.two, segments, manner);
}

/** Idle time: the hatch of the studio. */
export function paintHatch(c: CanvasRenderingContext2D, box: Box): void {
  c.save();
  c.beginPath();
  c.rect(box.x, box.y, box.w, box.h);
  c.clip();
  c.strokeStyle = ink("hatch");
  c.lineWidth = 0.6;
  c.beginPath();
  for (let x = box.x - (box.x % 7) - box.h; x < box.x + box.w; x += 7) {
    c.moveTo(x, box.y + box.h);
    c.lineTo(x + box.h, box.y);
  }
  c.stroke();
  c.restore();
}

export function paintRuler(c: CanvasRenderingContext2D, axis: Axis, bottom: number, words: (time: number) => string): void {
  c.font = px(10);
  c.textBaseline = "top";
  c.lineWidth = 1;
  const right = axis.left + axis.width;
  let written = 0;
  for (const time of axis.ticks(64 * letters)) {
    const x = axis.x(time);
    if (x < axis.left - 0.5) continue;
    c.strokeStyle = ink("line");
    c.beginPath();
    c.moveTo(x + 0.5, 3);
    c.lineTo(x + 0.5, bottom);
    c.stroke();
    c.fillStyle = ink("secondary");
    const text = words(time);
    const wide = c.measureText(text).width;
    // The last one stands before its line where the edge would cut it.
    c.textAlign = "left";
    const at = x + 4 + wide > right ? x - 4 - wide : x + 4;
    if (at < written + 6) continue;
    c.fillText(text, at, 3);
    written = at + wide;
  }
}

/** What a device holds, as steps over its lane, with the most that a goal allows. */
export function paintMemory(c: CanvasRenderingContext2D, axis: Axis, box: Box, points: number[], most: number, goal: number | undefined): void {
  const y = (held: number): number => box.y + box.h - (held / most) * box.h;
  const right = axis.left + axis.width;
  c.save();
  c.beginPath();
  c.rect(axis.left, box.y - 1, axis.width, box.h + 2);
  c.clip();
  c.beginPath();
  let held = 0;
  c.moveTo(axis.left, y(0));
  for (let i = 0; i < points.length; i += 2) {
    const x = Math.min(right, axis.x(points[i] ?? 0));
    c.lineTo(x, y(held));
    held = points[i + 1] ?? 0;
    c.lineTo(x, y(held));
  }
  c.lineTo(right, y(held));
  c.strokeStyle = ink("forward");
  c.lineWidth = 1.5;
  c.stroke();
  c.lineTo(right, box.y + box.h);
  c.lineTo(axis.left, box.y + box.h);
  c.globalAlpha = 0.14;
  c.fillStyle = ink("forward");
  c.fill();
  c.globalAlpha = 1;
  if (goal !== undefined) {
    c.strokeStyle = ink("refusal");
    c.setLineDash([5, 3]);
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(axis.left, y(goal));
    c.lineTo(right, y(goal));
    c.stroke();
    c.setLineDash([]);
  }
  c.restore();
}

/** @param grounded  over things that would be read with it; where the text ends at x */
export function paintText(c: CanvasRenderingContext2D, words: string, x: number, y: number, role: string, bold = false, size = 11, align: CanvasTextAlign = "left", grounded = false): void {
  c.font = `${bold ? "600 " : ""}${px(size)}`;
  c.textAlign = align;
  c.textBaseline = "middle";
  if (grounded) {
    c.fillStyle = ink("paper");
    const w = wide(c, c.font, words) + 6, h = 1.5 * size * letters;
    c.fillRect(x - w + 3, y - h / 2, w, h);
  }
  c.fillStyle = ink(role);
  c.fillText(words, x, y);
}

function roundRect(c: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, radius: number): void {
  const r = Math.min(radius, w / 2, h / 2);
  c.moveTo(x + r, y);
  c.arcTo(x + w, y, x + w, y + h, r);
  c.arcTo(x + w, y + h, x, y + h, r);
  c.arcTo(x, y + h, x, y, r);
  c.arcTo(x, y, x + w, y, r);
  c.closePath();
}
