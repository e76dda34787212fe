// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// `pipewright lesson export`: lessons to take, from the same files as in the studio.
import { button, download, el, kept, marked } from "./dom";
import type { Engine } from "./engine";
import { Glossary, GlossaryData } from "./glossary";
import { LaneView } from "./lane_view";
import { LevelPanel, LevelText } from "./level_panel";
import { Progress, shuffled } from "./progress";
import { currentLanguage, LessonText, lessonText, setLanguage, tr } from "./words";

export interface CourseData {
  mode: "course";
  title: string;
  languages: string[]; ///< those of `--language`; all of the lessons' where none was given
  lessons: { id: string; text: string }[];
  glossary: GlossaryData;
}

interface Step {
  title: LessonText;
  text: LessonText;
  pictures?: { caption?: LessonText }[];
  questions?: { ask: LessonText; answers: LessonText[]; right: number; why: LessonText }[];
  level?: LevelText;
}

interface Lesson {
  title: LessonText;
  summary: LessonText;
  source?: string;
  steps: Step[];
}

/** A place in the link: "#5-4" is level 4 of lesson 5, "#5" its beginning; behind it a teacher's options, each with "&":
 *  unlock opens all lessons, no-solutions takes demonstrations away, lang=de. */
interface Link {
  lesson: number;
  level: number;
  options: string[];
}

/** What a hash says; one that was cut off within a letter says nothing. */
function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#/, ""));
  } catch {
    return "";
  }
}

function linkOf(hash: string): Link {
  const [place = "", ...options] = decoded(hash).split("&");
  const found = /^(\d+)(?:-(\d+))?$/.exec(place);
  return { lesson: found ? Number(found[1]) : 0, level: found?.[2] ? Number(found[2]) : 0, options: found || place === "" ? options : [place, ...options] };
}

export class CoursePage {
  panel: LevelPanel | undefined;
  private readonly lessons: { id: string; text: string; lesson: Lesson }[];
  private readonly progress: Progress;
  private readonly glossary: Glossary;
  private options: string[];
  private at = { lesson: 0, step: 0 };
  private readonly head = el("header", "top");
  private readonly aside = el("aside", "side lesson");
  private readonly main = el("main");
  private next: HTMLButtonElement | undefined;
  private shown = new AbortController(); ///< of the step that is seen
  private guess: number | undefined; ///< of the end of the level, by an answer

  constructor(private readonly engine: Engine, private readonly data: CourseData, root: HTMLElement, preferred: string) {
    document.title = data.title;
    this.lessons = data.lessons.map(one => ({ ...one, lesson: JSON.parse(one.text) as Lesson }));
    this.progress = new Progress(engine);
    const link = linkOf(location.hash);
    this.options = link.options;
    const asked = this.options.find(option => option.startsWith("lang="))?.slice(5) ?? kept.read("language") ?? preferred;
    setLanguage(data.languages.includes(asked) ? asked : data.languages[0] ?? "en");
    root.append(this.head, el("div", "room", this.aside, this.main));
    this.glossary = new Glossary(data.glossary, document.body);
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("pagehide", () => this.panel?.stop());
    this.follow();
  }

  private follow(): void {
    const link = linkOf(location.hash);
    if (link.options.length > 0) this.options = link.options;
    const last = (kept.read("last") ?? "").split(" ").map(Number);
    if (link.lesson < 1 || link.lesson > this.lessons.length) {
      const [lesson = 0, step = 0] = last;
      return this.open(this.lessons[lesson] === undefined ? 0 : lesson, step || 0);
    }
    const steps = this.lessons[link.lesson - 1]?.lesson.steps ?? [];
    const withLevel = steps.map((step, i) => (step.level ? i : -1)).filter(i => i >= 0);
    const step = link.level > 0 ? withLevel[link.level - 1] ?? 0 : 0;
    if (this.at.lesson === link.lesson - 1 && this.at.step === step && this.panel !== undefined) return;
    this.open(link.lesson - 1, step);
  }

  private numberOf(lesson: number, step: number): number {
    return (this.lessons[lesson]?.lesson.steps ?? []).slice(0, step).filter(one => one.level).length;
  }
  private isOpen(lesson: number): boolean {
    return this.options.includes("unlock") || lesson === 0 || this.progress.isReached(this.lessons[lesson]?.id ?? "");
  }

  private open(lesson: number, step: number): void {
    const one = this.lessons[lesson];
    if (one === undefined) return;
    this.at = { lesson, step: Math.max(0, Math.min(Math.trunc(step), one.lesson.steps.length - 1)) };
    this.progress.reach(one.id);
    kept.write("last", `${lesson} ${this.at.step}`);
    this.panel?.stop();
    this.panel = undefined;
    this.glossary.begin();
    this.shown.abort();
    this.shown = new AbortController();
    const read = this.engine.call("lesson", { id: one.id, text: one.text });
    if (read.ok === undefined) return;
    const now = one.lesson.steps[this.at.step];
    if (now === undefined) return;
    const level = this.numberOf(lesson, this.at.step);
    const behind = this.options.map(option => `&${option}`).join("");
    history.replaceState(null, "", `#${lesson + 1}${now.level ? `-${level + 1}` : ""}${behind}`);
    this.showHead();
    this.showStep(one, now, level);
    window.scrollTo(0, 0);
  }

  private showHead(): void {
    const menu = el("select", { id: "lessons", "aria-label": tr("Lessons") });
    this.lessons.forEach((one, i) => {
      const levels = one.lesson.steps.filter(step => step.level).length;
      const solved = Array.from({ length: levels }, (_, n) => this.progress.of(one.id, n)?.solved === true).filter(Boolean).length;
      const option = el("option", { value: String(i) }, `${i + 1}. ${lessonText(one.lesson.title)} (${solved}/${levels})`);
      option.disabled = !this.isOpen(i);
      option.selected = i === this.at.lesson;
      menu.append(option);
    });
    menu.addEventListener("change", () => this.open(Number(menu.value), 0));
    const languages = this.data.languages.map(code => {
      const one = button(code.toUpperCase(), `language-${code}`, () => {
        setLanguage(code);
        kept.write("language", code);
        const inHand = this.panel?.inHand();
        this.open(this.at.lesson, this.at.step);
        if (inHand !== undefined) this.panel?.goOn(inHand);
      });
      one.setAttribute("aria-pressed", String(code === currentLanguage()));
      return one;
    });
    this.head.replaceChildren(
      el("strong", {}, this.data.title), menu, el("span", { class: "totals", id: "totals" }),
      button(tr("Save my results…"), "save-results", () => this.saveResults()), ...(languages.length > 1 ? languages : []),
    );
    this.showTotals();
  }

  /** Predictions are counted apart from medals. */
  private showTotals(): void {
    const { solved, medals } = this.progress.totals();
    const { right, of } = this.progress.predictions();
    const shown = document.getElementById("totals") ?? this.head.querySelector("#totals");
    if (shown !== null) shown.textContent = tr("Solved: %1, medals: %2", solved, medals) + (of > 0 ? tr(", predicted: %1 of %2", right, of) : "");
  }

  private saveResults(): void {
    const who = window.prompt(tr("Your name, as the teacher will read it:"), kept.read("who") ?? "");
    if (who === null) return;
    kept.write("who", who);
    this.panel?.stop();
    download(`${who.replace(/[^\p{L}\d]+/gu, "-") || "results"}.json`, this.progress.file(who));
  }

  private showStep(one: { id: string; lesson: Lesson }, step: Step, level: number): void {
    const steps = one.lesson.steps;
    const dots = steps.map((_, i) => el("i", i < this.at.step ? "past" : i === this.at.step ? "now" : ""));
    const content: HTMLElement[] = [
      el("p", "where", tr("Lesson %1 of %2: %3 · step %4 of %5", this.at.lesson + 1, this.lessons.length, lessonText(one.lesson.title), this.at.step + 1, steps.length)),
      el("div", { class: "dots", "aria-hidden": "true" }, ...dots), el("h1", {}, lessonText(step.title)), ...this.glossary.explain(marked(lessonText(step.text))),
    ];
    this.main.replaceChildren();
    this.guess = undefined;
    (step.pictures ?? []).forEach((picture, i) => content.push(this.picture(i, lessonText(picture.caption))));
    (step.questions ?? []).forEach((question, i) => content.push(this.question(one.id, i, question)));
    const unanswered = (step.questions ?? []).some((_, i) => this.progress.answerOf(`${one.id} ${this.at.step} ${i}`) === undefined);
    this.next = button(tr("Next ›"), "next", () => this.walk(1));
    if (step.level !== undefined) {
      const settings = { solutions: !this.options.includes("no-solutions"), parHidden: unanswered, met: this.met(), explain: (text: HTMLElement[]) => this.glossary.explain(text), shown: this.shown.signal };
      this.panel = new LevelPanel(this.engine, this.progress, { lesson: one.id, step: this.at.step, level }, step.level, settings, solved => this.judged(solved));
      content.push(this.panel.root);
      this.main.append(this.panel.bench.root);
      if (this.panel.block !== undefined) this.main.append(this.panel.block.root);
      this.placeStand(this.panel);
      this.showGuess();
    }
    const skip = button(tr("Skip"), "skip", () => this.walk(1));
    skip.hidden = step.level === undefined;
    const last = this.at.lesson === this.lessons.length - 1 && this.at.step === steps.length - 1;
    this.next.disabled = last || step.level !== undefined;
    skip.hidden = skip.hidden || last;
    const back = button(tr("‹ Back"), "back", () => this.walk(-1));
    back.disabled = this.at.lesson === 0 && this.at.step === 0;
    content.push(el("nav", "way", back, skip, this.next));
    if (one.lesson.source) content.push(el("p", "hint", one.lesson.source));
    content.push(
      button(tr("Forget my progress"), "forget", () => {
        if (!window.confirm(tr("Forget all that was solved in this browser?"))) return;
        kept.forget();
        location.reload();
      }),
    );
    this.aside.replaceChildren(...content);
    this.aside.scrollTop = 0;
    this.judgedNow();
  }

  /** Goals and medals stand below the lanes, where they are seen; on a narrow screen below the task. */
  private placeStand(panel: LevelPanel): void {
    const wide = window.matchMedia("(min-width: 900px)");
    const place = (): void => (wide.matches ? this.main.append(panel.stand) : panel.help.before(panel.stand));
    place();
    wide.addEventListener("change", place, { signal: this.shown.signal });
  }
  private showGuess(): void {
    if (this.guess !== undefined) this.panel?.bench.view.setGuess(this.guess);
  }

  private judgedNow(): void {
    const state = this.panel?.bench.current();
    if (state?.standing !== undefined) this.judged(state.standing.solved);
  }
  private judged(solved: boolean): void {
    const last = this.at.lesson === this.lessons.length - 1 && this.at.step === (this.lessons[this.at.lesson]?.lesson.steps.length ?? 0) - 1;
    if (this.next !== undefined && solved) this.next.disabled = last;
    this.showTotals();
  }

  private walk(by: number): void {
    const step = this.at.step + by;
    const steps = this.lessons[this.at.lesson]?.lesson.steps.length ?? 0;
    if (step >= 0 && step < steps) return this.open(this.at.lesson, step);
    const lesson = this.at.lesson + by;
    if (this.lessons[lesson] === undefined) return;
    this.open(lesson, by > 0 ? 0 : (this.lessons[lesson]?.lesson.steps.length ?? 1) - 1);
  }

  private picture(number: number, caption: string): HTMLElement {
    const host = el("div", "lanes");
    const lanes = this.engine.call("picture", { step: this.at.step, picture: number }).ok;
    if (lanes !== undefined) new LaneView(host, { memory: false, small: true, shown: this.shown.signal }).setLanes(lanes);
    return el("figure", {}, host, el("figcaption", {}, caption));
  }

  /** Ids of the families that were shown up to this step; the names of others say nothing yet. */
  private met(): Set<string> {
    const seen = this.lessons.slice(0, this.at.lesson).map(one => one.lesson.steps);
    seen.push((this.lessons[this.at.lesson]?.lesson.steps ?? []).slice(0, this.at.step + 1));
    return new Set([...JSON.stringify(seen).matchAll(/"family":"([^"]+)"/g)].map(found => found[1] ?? ""));
  }

  /** Predict first: the answers in an order of this person's own, then the reveal. */
  private question(lesson: string, number: number, question: NonNullable<Step["questions"]>[number]): HTMLElement {
    const key = `${lesson} ${this.at.step} ${number}`;
    const why = el("div", { role: "status" });
    const guess = this.engine.call("guess", { step: this.at.step, question: number }).ok;
    const said = guess?.answers ?? [];
    /** An answer as a length beside the other one. */
    const bar = (words: string, at: number): HTMLElement[] => {
      const length = el("i");
      length.style.width = `${(100 * (said[at] ?? 0)) / Math.max(...said)}%`;
      return [el("span", {}, words), el("div", {}, length)];
    };
    const card = el("div", "question", el("h3", {}, tr("Before you go on: predict")), ...marked(lessonText(question.ask)));
    const buttons: HTMLButtonElement[] = [];
    const reveal = (chosen: number): void => {
      const right = chosen === question.right;
      const reason = lessonText(question.why);
      why.replaceChildren(...marked(right ? tr("**Right.** %1", reason) : tr("**Not quite.** %1", reason)));
      if (said.length > 0) why.append(el("div", { class: "guess", "aria-hidden": "true" }, ...bar(tr("your guess"), chosen), ...bar(tr("it is"), question.right)));
      if (guess?.of_level === true) this.guess = (said[chosen] ?? 0) * 1e6;
      this.showGuess();
      for (const one of buttons) {
        one.classList.toggle("right", Number(one.dataset.answer) === question.right);
        one.classList.toggle("chosen", Number(one.dataset.answer) === chosen);
        one.disabled = true;
      }
    };
    for (const answer of shuffled(question.answers.length, this.progress.seed, key)) {
      const one = button(lessonText(question.answers[answer]).replace(/\*\*|`/g, ""), "", () => {
        this.progress.answer(key, answer, answer === question.right);
        reveal(answer);
        this.panel?.showPar();
        this.showTotals();
      });
      one.removeAttribute("id");
      one.dataset.answer = String(answer);
      buttons.push(one);
      card.append(one);
    }
    card.append(why);
    const before = this.progress.answerOf(key);
    if (before !== undefined) reveal(before);
    return card;
  }
}
