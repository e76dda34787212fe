// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/verdict_report.h"

#include "app/text_table.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pw::app {

namespace {

constexpr double percent = 100;
constexpr std::size_t mostChanges = 3;

std::string_view wordsOf(RunTrait trait)
{
    switch (trait) {
    case RunTrait::Model:
        return "the model";
    case RunTrait::MicroBatches:
        return "micro-batches of a step";
    case RunTrait::Batch:
        return "samples of a micro-batch";
    case RunTrait::Ranks:
        return "ranks";
    case RunTrait::Replicas:
        return "replicas";
    case RunTrait::Machine:
        return "the machine";
    case RunTrait::Backend:
        return "the backend";
    case RunTrait::Profiler:
        return "the profiler";
    }
    return {};
}

std::string sizeText(const RunVerdict& verdict)
{
    return plainNumber(percent * std::abs(verdict.change()), 3) + " %";
}

std::string outcomeText(const RunVerdict& verdict)
{
    const std::string noise = timeText(verdict.noise) + " is what steps vary by";
    switch (verdict.outcome) {
    case VerdictOutcome::NotComparable:
        return "not comparable";
    case VerdictOutcome::TooFewSteps:
        return "too few steps to say: " + std::to_string(verdict.stepsBefore) + " and " +
               std::to_string(verdict.stepsAfter) + ", and three each are needed";
    case VerdictOutcome::NoDifference:
        return "no difference: " + sizeText(verdict) + ", and " + noise;
    case VerdictOutcome::Better:
        return "better: a step is " + sizeText(verdict) + " shorter; " + noise;
    case VerdictOutcome::Worse:
        return "worse: a step is " + sizeText(verdict) + " longer; " + noise;
    }
    return {};
}

std::string changeText(const PassChange& change)
{
    const Ticks grown = change.after - change.before;
    return std::string(name(change.kind)) + " of stage " + std::to_string(change.stage.value) +
           (change.route > 0 ? ", route " + std::to_string(change.route) : "") + ": " +
           timeText(change.before) + " → " + timeText(change.after) + ", " +
           timeText(std::abs(change.ofStep())) + (grown > 0 ? " more" : " less") +
           " work in a step";
}

} // namespace

std::string verdictText(const RunVerdict& verdict, const Screen& screen)
{
    std::string out = screen.bold("Verdict") + "\n";
    out += wrapped(outcomeText(verdict), screen.width, 2);
    out += wrapped("a step takes " + timeText(verdict.before) + " in the median of " +
                       std::to_string(verdict.stepsBefore) + ", and " + timeText(verdict.after) +
                       " in that of " + std::to_string(verdict.stepsAfter),
                   screen.width, 2);
    for (const TraitDifference& one : verdict.differences)
        out += wrapped(std::string(wordsOf(one.trait)) + ": " + one.before + " → " + one.after,
                       screen.width, 4, 2);
    if (!verdict.unknown.empty()) {
        std::string list;
        for (const RunTrait trait : verdict.unknown)
            list += (list.empty() ? "" : ", ") + std::string(wordsOf(trait));
        out += wrapped("not known of both: " + list, screen.width, 4, 2);
    }
    for (std::size_t i = 0; i < std::min(verdict.changes.size(), mostChanges); ++i)
        out += wrapped(changeText(verdict.changes[i]), screen.width, 4, 2);
    return out;
}

void verdictJson(JsonText& json, const RunVerdict* verdict)
{
    json.key("verdict");
    if (verdict == nullptr) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("outcome", name(verdict->outcome));
    json.member("comparable", verdict->differences.empty());
    json.key("differences");
    json.beginArray();
    for (const TraitDifference& one : verdict->differences) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("what", name(one.trait));
        json.member("before", std::string_view(one.before));
        json.member("after", std::string_view(one.after));
        json.endObject();
    }
    json.endArray();
    json.key("unknown");
    json.beginArray(JsonText::Layout::OneLine);
    for (const RunTrait trait : verdict->unknown)
        json.value(name(trait));
    json.endArray();
    json.member("steps_before", verdict->stepsBefore);
    json.member("steps_after", verdict->stepsAfter);
    json.member("step_before_ns", verdict->before);
    json.member("step_after_ns", verdict->after);
    json.member("change", verdict->change());
    json.member("noise_ns", verdict->noise);
    json.key("changes");
    json.beginArray();
    for (const PassChange& one : verdict->changes) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("kind", name(one.kind));
        json.member("stage", one.stage);
        json.member("route", one.route);
        json.member("before_ns", one.before);
        json.member("after_ns", one.after);
        json.member("of_step_ns", one.ofStep());
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

} // namespace pw::app
