// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/advice_report.h"

#include "app/gantt.h"
#include "app/study.h"
#include "app/text_table.h"
#include "core/advise/layer_costs.h"
#include "core/base/text.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <cmath>

namespace pw::app {

namespace {

constexpr int msDigits = 5;

std::string msText(double ticks)
{
    return millisecondText(static_cast<Ticks>(std::llround(ticks)), msDigits);
}

/// A gain as a change of the step: "−21.4 %".
std::string changeText(double gain)
{
    constexpr double whole = 100;
    const std::string text = plainNumber(std::abs(whole * gain), 3);
    return (text == "0" ? "±" : gain > 0 ? "−" : "+") + text + " %";
}

Bytes mostOf(const std::vector<Bytes>& peaks)
{
    return peaks.empty() ? 0 : *std::max_element(peaks.begin(), peaks.end());
}

std::string headText(const AdviceSource& source, const Screen& screen)
{
    constexpr double whole = 100;
    const WhatIfBase& base = source.base;
    std::string order = "an order of its own";
    if (base.family)
        if (const Result<const Family*> family = findFamily(base.family->id))
            order = std::string((*family)->title);
    std::string from = source.name + ": " + order + ", " + shapeText(base.schedule.spec());
    if (!source.layers.empty())
        from += ", layers " + layersText(source.layers);
    if (base.measured)
        from += "; " + countText(source.steps, "step") + ", replayed " +
                millisecondText(base.predicted.makespan, msDigits) + " of " +
                millisecondText(*base.measured, msDigits) + " (" +
                changeText(-base.residual().value_or(0)) + ")";
    return screen.bold("This step takes " + millisecondText(source.step, msDigits) +
                       ". Ranks compute " + plainNumber(whole * source.computing, 3) +
                       " % of it.") +
           "\n" + wrapped(capitalised(source.why) + ".", screen.width) +
           screen.paint(wrapped(from, screen.width), Role::Secondary) + "\n";
}

std::string memoryText(Bytes now, const AdvisedChange& one)
{
    if (one.promise.peaks.empty())
        return {};
    const Bytes more = mostOf(one.promise.peaks) - now;
    constexpr double gib = 1024.0 * 1024 * 1024;
    const std::string text = plainNumber(std::abs(static_cast<double>(more)) / gib, 3);
    return (text == "0" ? "±" : more > 0 ? "+" : "−") + text + " GiB";
}

std::string effortText(Effort effort)
{
    switch (effort) {
    case Effort::Number:
        return "a number";
    case Effort::File:
        return "a file";
    case Effort::Model:
        return "a cut";
    }
    return {};
}

std::string numbered(int number, const std::string& title)
{
    return (number < 10 ? " " : "") + std::to_string(number) + " " + title;
}

std::string tableText(const ToldAdvice& told, const Screen& screen)
{
    using Align = TextTable::Align;
    constexpr int little = 20, most = 90;
    std::vector<TextTable::Column> columns = {{"change", "", Align::Left, 0, most},
                                              {"step", "", Align::Right, 2, most},
                                              {"gain", "", Align::Right, 2, most},
                                              {"nine times in ten", "", Align::Right, 2, most},
                                              {"needs", "", Align::Left, 2}};
    const Result<std::vector<Bytes>> peaks = peaksNow(told.source);
    const bool memory = peaks && !peaks->empty();
    if (memory)
        columns.push_back({"memory", "", Align::Right, 2, little});
    TextTable table(screen, std::move(columns));
    int number = 0;
    for (const AdvisedChange& one : told.advice.changes) {
        const bool bound = one.what == ChangeKind::Bound;
        std::vector<std::string> cells = {
            bound ? "   " + one.title.english() : numbered(++number, one.title),
            msText(one.promise.step),
            screen.paint(changeText(one.promise.gain), bound ? Role::Secondary : Role::Good),
            bound ? "" : changeText(one.promise.low) + " … " + changeText(one.promise.high),
            bound ? one.todo.english() : effortText(one.effort)};
        if (memory)
            cells.push_back(memoryText(mostOf(*peaks), one));
        table.append(std::move(cells));
    }
    return told.advice.changes.empty() ? std::string() : table.text(0) + "\n";
}

std::string picturesText(const ToldAdvice& told, const Screen& screen)
{
    const WhatIfBase& base = told.source.base;
    const std::string now = gantt(base.schedule, base.predicted, screen);
    if (now.empty() || !told.chosen)
        return {};
    const AdvisedChange& one = told.advice.changes[*told.chosen];
    return screen.bold("as it is") + "\n" + now + "\n" + screen.bold(one.title) + "\n" +
           gantt(one.promise.prediction.schedule, one.promise.prediction.result, screen) + "\n";
}

/// Why two steps can be held against each other, or cannot, with the option that would help.
std::string whyText(const AfterCheck& check)
{
    return check.why + std::string(check.hint == AdviceHint::Layers ? " (--measured-layers)" : "");
}

std::string afterText(const ToldAdvice& told, const Screen& screen)
{
    const AfterCheck& check = *told.after;
    std::string out = screen.bold("Did it hold?") + "\n";
    if (check.change) {
        const AdvisedChange& one = told.advice.changes[*check.change];
        out += "  change    " + one.title + "\n";
    }
    out += "  before    " + msText(static_cast<double>(check.before)) + "\n";
    if (check.change)
        out += "  promised  " + msText(check.promised) + "  (" + msText(check.low) + " … " +
               msText(check.high) + ")\n";
    out += "  after     " + msText(static_cast<double>(check.after)) + "  " +
           changeText(check.gain) + "\n";
    out += wrapped(std::string(check.comparable ? "Comparable: " : "Not comparable: ") +
                       whyText(check) + ".",
                   screen.width);
    if (check.change) {
        if (check.comparable)
            out += screen.paint(check.held ? "The promise held.\n" : "The promise did not hold.\n",
                                check.held ? Role::Good : Role::Refusal);
        out += wrapped("Where the difference lies: " + check.where + ".", screen.width);
    }
    return out + "\n";
}

/// A note with the option that would help.
std::string noteText(const AdviceNote& note, const AdviceSource& source)
{
    const std::string& said = note.sentence;
    switch (note.hint) {
    case AdviceHint::None:
        break;
    case AdviceHint::Layers: {
        std::string example = "4";
        for (int stage = 1; stage < source.base.schedule.spec().stages(); ++stage)
            example += ",4";
        return said + ": --measured-layers says it, as in --measured-layers " + example;
    }
    case AdviceHint::Recomputed:
        return said + ": --recomputed all says that they do";
    }
    return said;
}

std::string notesText(const ToldAdvice& told, const Screen& screen)
{
    std::string out;
    for (const AdviceNote& note : told.advice.notes)
        out += wrapped(noteText(note, told.source) + ".", screen.width);
    const WhatIfBase& base = told.source.base;
    if (told.source.profiled)
        out += wrapped("A profiler was on, if this is a trace of one: it lengthens passes by some "
                       "3 %, more than waits, so gains of B/W families are the least certain.",
                       screen.width);
    if (!base.measured)
        out += wrapped("Nothing was measured, so only what is not known of a backward makes the "
                       "intervals.",
                       screen.width);
    return out.empty() ? out : screen.paint(out, Role::Secondary);
}

void changeJson(JsonText& json, const AdvisedChange& one)
{
    json.beginObject(JsonText::Layout::OneLine);
    json.member("what", name(one.what));
    json.member("title", std::string_view(one.title));
    const std::optional<FamilyChoice>& family = one.change.what.family;
    json.key("family");
    if (family)
        json.value(std::string_view(family->id));
    else
        json.null();
    json.key("parameters");
    json.beginObject(JsonText::Layout::OneLine);
    if (family) {
        json.member("micro_batches", family->options.microBatches);
        for (const auto& [key, value] : family->options.parameters)
            json.member(key, value);
    }
    json.endObject();
    json.numbers("split", one.split());
    json.member("split_proven", one.best);
    json.numbers("recompute", one.change.holding.recomputed);
    json.numbers("keep", one.change.holding.kept);
    json.numbers("offload", one.change.holding.offloaded);
    json.member("step_ms", one.promise.step / static_cast<double>(ticksPerMs));
    json.member("gain", one.promise.gain);
    json.member("low", one.promise.low);
    json.member("high", one.promise.high);
    json.numbers("peak_bytes", one.promise.peaks);
    json.member("todo", std::string_view(one.todo));
    json.member("effort", static_cast<int>(one.effort));
    json.member("assumed", std::string_view(one.promise.prediction.assumed));
    json.endObject();
}

void afterJson(JsonText& json, const AfterCheck& check)
{
    const auto ms = [](double ticks) { return ticks / static_cast<double>(ticksPerMs); };
    json.key("after");
    json.beginObject();
    json.key("change");
    if (check.change)
        json.value(static_cast<std::int64_t>(*check.change));
    else
        json.null();
    json.member("before_ms", ms(static_cast<double>(check.before)));
    json.member("promised_ms", ms(check.promised));
    json.member("low_ms", ms(check.low));
    json.member("high_ms", ms(check.high));
    json.member("after_ms", ms(static_cast<double>(check.after)));
    json.member("gain", check.gain);
    json.member("held", check.held);
    json.member("comparable", check.comparable);
    json.member("why", std::string_view(whyText(check)));
    json.member("passes_ms", ms(check.passes));
    json.member("messages_ms", ms(check.messages));
    json.member("rest_ms", ms(check.rest));
    json.member("where", std::string_view(check.where));
    json.endObject();
}

} // namespace

std::string adviceText(const ToldAdvice& told, const Screen& screen, bool drawn)
{
    std::string out = headText(told.source, screen);
    if (told.after != nullptr)
        out += afterText(told, screen);
    if (drawn)
        out += picturesText(told, screen);
    out += tableText(told, screen);
    if (told.chosen) {
        const AdvisedChange& one = told.advice.changes[*told.chosen];
        out += wrapped("For \"" + one.title + "\": " + one.todo + ".", screen.width);
    } else {
        out += "Nothing that was tried gains anything.\n";
    }
    return out + notesText(told, screen);
}

std::string adviceJson(const ToldAdvice& told)
{
    const AdviceSource& source = told.source;
    JsonText json;
    json.beginObject();
    json.member("from", std::string_view(source.name));
    json.member("step_ms", msFromTicks(source.step));
    json.member("computing", source.computing);
    json.member("why", std::string_view(capitalised(source.why)));
    json.key("family");
    if (source.base.family)
        json.value(std::string_view(source.base.family->id));
    else
        json.null();
    json.numbers("layers", source.layers);
    json.member("steps", static_cast<std::int64_t>(source.steps));
    json.member("step_spread", source.stepSpread);
    if (source.base.measured)
        json.member("measured_ms", msFromTicks(*source.base.measured));
    json.member("replayed_ms", msFromTicks(source.base.predicted.makespan));
    if (told.after != nullptr)
        afterJson(json, *told.after);
    json.key("changes");
    json.beginArray();
    for (const AdvisedChange& one : told.advice.changes)
        changeJson(json, one);
    json.endArray();
    json.key("notes");
    json.beginArray();
    for (const AdviceNote& note : told.advice.notes)
        json.value(std::string_view(noteText(note, told.source)));
    json.endArray();
    json.member("tried", told.advice.tried);
    json.endObject();
    return json.text();
}

std::string adviceNote(const AdviceSource& source, const AdvisedChange& change)
{
    const auto step = static_cast<double>(source.step);
    return change.title + ": " + change.todo + ".\n" + "Promised: a step of " +
           msText(change.promise.step) + " in the place of " + msText(step) + " (" +
           changeText(change.promise.gain) + "), nine times in ten between " +
           msText(step * (1 - change.promise.high)) + " and " +
           msText(step * (1 - change.promise.low)) + ".\n" +
           "Whether it held says: pipewright advise TRACE --after TRACE-OF-THE-CHANGED-RUN\n";
}

} // namespace pw::app
