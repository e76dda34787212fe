// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The studio's own colours (core/io/colors.cpp), which the engine or the data tells; here they become variables of the page.
import type { Colours } from "./engine";

let now: Colours = {};
const dark = matchMedia("(prefers-color-scheme: dark)");
const print = matchMedia("print");
let printing = false;

/** Listeners of the window draw at once: a printer does not wait for a frame. */
export const coloursChanged = "pipewright-colours";

export function prepareColours(told: { light: Colours; dark: Colours } | undefined): void {
  if (told === undefined) throw new Error("no colours");
  const apply = (): void => {
    const ground = dark.matches && !printing && !print.matches ? "dark" : "light";
    now = told[ground];
    for (const [role, [hex]] of Object.entries(now)) document.documentElement.style.setProperty(`--${role}`, hex);
    document.documentElement.dataset.ground = ground;
    window.dispatchEvent(new Event(coloursChanged));
  };
  dark.addEventListener("change", apply);
  print.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => { printing = true; apply(); });
  window.addEventListener("afterprint", () => { printing = false; apply(); });
  apply();
}

export function ink(role: string): string {
  return now[role]?.[0] ?? "#888";
}

/** The colour of a text on the colour of a role. */
export function textOn(role: string): string {
  return now[role]?.[1] === true ? "#ffffff" : "#1f2933";
}

const roles = ["forward", "backward", "weight", "backward", "recompute", "update"];

/** Ground and text of a pass: the first chunk of a device in full, later ones as tint. */
export function passColours(kind: number, chunk: number): { ground: string; text: string } {
  const [ground, white] = now[(roles[kind] ?? "update") + (chunk > 0 ? "-tint" : "")] ?? ["#888", true];
  return { ground, text: white ? "#ffffff" : "#1f2933" };
}
