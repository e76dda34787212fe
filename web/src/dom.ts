// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

type Child = Node | string;

/** An element with attributes, or its class alone, and children; a text stays a text, whatever it holds. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> | string = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (typeof attributes === "string") made.className = attributes;
  else for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function button(words: string, id: string, pressed: () => void): HTMLButtonElement {
  const made = el("button", { type: "button", id }, words);
  made.addEventListener("click", pressed);
  return made;
}

/** Paragraphs with **bold** and `code`, as lessons have them. */
export function marked(text: string): HTMLElement[] {
  return text.split(/\n\n+/).map(paragraph => {
    const p = el("p");
    for (const part of paragraph.split(/(\*\*[^*]+\*\*|`[^`]+`)/)) {
      if (/^\*\*[^*]+\*\*$/.test(part)) p.append(el("strong", {}, part.slice(2, -2)));
      else if (/^`[^`]+`$/.test(part)) p.append(el("code", {}, part.slice(1, -1)));
      else if (part !== "") p.append(part);
    }
    return p;
  });
}

/** Saves a text as a file of the person's. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** What a person has kept in this browser; a browser that keeps nothing is no reason to stop. */
export const kept = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(`pipewright.${key}`);
    } catch {
      return null;
    }
  },
  write(key: string, value: string): boolean {
    try {
      localStorage.setItem(`pipewright.${key}`, value);
      return true;
    } catch {
      return false;
    }
  },
  forget(): void {
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith("pipewright.")) localStorage.removeItem(key);
    } catch {
      // Nothing was kept.
    }
  },
};
