// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Words that the manual explains, in the texts of lessons: the first place of each has dots below, and says what it means.
import { el } from "./dom";
import { currentLanguage } from "./words";

/** By language, flat: how a word stands in texts, with ", " between, and what it means. */
export type GlossaryData = Record<string, string[]>;

const shortest = 3; ///< letters; F, B, W, BW, R and U stand in every sentence

interface Finder {
  pattern: RegExp;
  meanings: Map<string, string>; ///< by form, in small letters
}

export class Glossary {
  private readonly finders = new Map<string, Finder | undefined>();
  private readonly card = el("div", { class: "meaning", role: "tooltip", id: "meaning" });
  private shown: HTMLElement | undefined;
  private told = new Set<string>(); ///< meanings, since the page began anew

  constructor(private readonly data: GlossaryData, root: HTMLElement) {
    this.card.hidden = true;
    root.append(this.card);
    window.addEventListener("keydown", e => e.key === "Escape" && this.hide());
    window.addEventListener("scroll", () => this.hide(), true);
    window.addEventListener("pointerdown", e => e.target !== this.shown && this.hide());
  }

  private finder(): Finder | undefined {
    const language = currentLanguage();
    if (!this.finders.has(language)) this.finders.set(language, this.made(this.data[language] ?? [], language));
    return this.finders.get(language);
  }
  private made(flat: string[], language: string): Finder | undefined {
    const meanings = new Map<string, string>();
    for (let i = 0; i + 1 < flat.length; i += 2)
      for (const form of (flat[i] ?? "").split(", ")) if (form.length >= shortest) meanings.set(form.toLowerCase(), `${(flat[i] ?? "").split(", ")[0]}: ${flat[i + 1]}`);
    if (meanings.size === 0) return undefined;
    // The longest first: "span bubble" before "bubble". English words have their plural; other languages list their forms.
    const forms = [...meanings.keys()].sort((a, b) => b.length - a.length).map(form => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return { pattern: new RegExp(`(?<![\\p{L}\\p{N}_-])(${forms.join("|")})${language === "en" ? "(?:es|s)?" : ""}(?![\\p{L}\\p{N}_-])`, "giu"), meanings };
  }

  /** Another text begins, in which every word is new. */
  begin(): void {
    this.hide();
    this.told.clear();
  }
  /** Marks the words in paragraphs, each once, outside of code. */
  explain(paragraphs: HTMLElement[]): HTMLElement[] {
    const finder = this.finder();
    if (finder === undefined) return paragraphs;
    for (const paragraph of paragraphs) {
      const texts: Text[] = [];
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (walker.currentNode.parentElement?.tagName !== "CODE") texts.push(walker.currentNode as Text);
      for (const text of texts) text.replaceWith(...this.cut(text.data, finder));
    }
    return paragraphs;
  }
  private cut(text: string, finder: Finder): (Node | string)[] {
    const parts: (Node | string)[] = [];
    let done = 0;
    for (const found of text.matchAll(finder.pattern)) {
      const meaning = finder.meanings.get((found[1] ?? "").toLowerCase()) ?? "";
      if (this.told.has(meaning)) continue;
      this.told.add(meaning);
      const [place = ""] = found;
      parts.push(text.slice(done, found.index), this.word(place, meaning));
      done = (found.index ?? 0) + place.length;
    }
    parts.push(text.slice(done));
    return parts.filter(part => part !== "");
  }

  private word(words: string, meaning: string): HTMLElement {
    const place = el("span", { class: "word", tabindex: "0", role: "button", "aria-expanded": "false" }, words);
    const show = (): void => this.show(place, meaning);
    place.addEventListener("pointerenter", show);
    place.addEventListener("pointerleave", e => e.pointerType === "mouse" && this.hide());
    place.addEventListener("focus", show);
    place.addEventListener("blur", () => this.hide());
    place.addEventListener("click", show);
    place.addEventListener("keydown", e => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      show();
    });
    return place;
  }
  private show(place: HTMLElement, meaning: string): void {
    this.hide();
    this.shown = place;
    place.setAttribute("aria-expanded", "true");
    place.setAttribute("aria-describedby", "meaning");
    this.card.textContent = meaning;
    this.card.hidden = false;
    const box = place.getBoundingClientRect(), own = this.card.getBoundingClientRect();
    this.card.style.left = `${Math.max(8, Math.min(box.left, document.documentElement.clientWidth - own.width - 8))}px`;
    this.card.style.top = `${box.bottom + own.height + 12 < window.innerHeight ? box.bottom + 6 : Math.max(4, box.top - own.height - 6)}px`;
  }
  private hide(): void {
    this.card.hidden = true;
    this.shown?.setAttribute("aria-expanded", "false");
    this.shown?.removeAttribute("aria-describedby");
    this.shown = undefined;
  }
}
