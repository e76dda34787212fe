// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The studio's own colours (core/io/colors.cpp), which the engine or the data tells; here they become variables of the page.
import type { Colours } from "./engine";

let both: { light: Colours; dark: Colours } | undefined;
const dark = matchMedia("(prefers-color-scheme: dark)");
const print = matchMedia("print");
let printing = false;

/** Listeners of the window draw at once: a printer does not wait for a frame. */
export const coloursChanged = "pipewright-colours";

export function prepareColours(told: { light: Colours; dark: Colours } | undefined): void {
  if (told === undefined) throw new Error("no colours");
  both = told;
  const apply = (): void => {
    const now = colours();
    for (const [role, [hex]] of Object.entries(now)) document.documentElement.style.setProperty(`--${role}`, hex);
    document.documentElement.dataset.ground = isDark() ? "dark" : "light";
    window.dispatchEvent(new Event(coloursChanged));
  };
  dark.addEventListener("change", apply);
  print.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => { printing = true; apply(); });
  window.addEventListener("afterprint", () => { printing = false; apply(); });
  apply();
}

const isDark = (): boolean => dark.matches && !printing && !print.matches;

export function colours(): Colours {
  if (both === undefined) throw new Error("no colours");
  return isDark() ? both.dark : both.light;
}

export function ink(role: string): string {
  return colours()[role]?.[0] ?? "#888";
}

/** The colour of a text on the colour of a role. */
export function textOn(role: string): string {
  return colours()[role]?.[1] === true ? "#ffffff" : "#1f2933";
}

const roles = ["forward", "backward", "weight", "backward", "recompute", "update"];

/** Ground and text of a pass: the first chunk of a device in full, later ones as tint. */
export function passColours(kind: number, chunk: number): { ground: string; text: string } {
  const [ground, white] = colours()[(roles[kind] ?? "update") + (chunk > 0 ? "-tint" : "")] ?? ["#888", true];
  return { ground, text: white ? "#ffffff" : "#1f2933" };
}
