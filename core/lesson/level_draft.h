// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/par.h"
#include "core/model/schedule.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// A level that is being made of a schedule: its times are locked, its order is to be found. A
/// value; `levelOf` makes the level of it and `proveDraft` its par.
struct LevelDraft
{
    std::string title;     ///< of the lesson
    std::string summary;   ///< of the lesson, a line
    std::string stepTitle; ///< empty: as the lesson
    std::string text;      ///< paragraphs with marks
    std::string task;
    std::string say, show; ///< hints
    int steps = 2;         ///< of the demonstration that the third hint does
    PipelineSpec spec;     ///< one route and segment
    Costs costs;           ///< by stage; what a lesson can say of them
    std::vector<PassKind> kinds;
    DeviceOrders order; ///< that it was made from
    Ticks makespan = 0; ///< of that order
    std::vector<int>
        firstOnes;       ///< by device, entries of the order that stand at first; empty: none
    bool locked = false; ///< those stay
    // Goals; that every pass stands is always one.
    std::optional<Ticks> latest;
    std::optional<Share> cap;
    bool sameOrder = false; ///< the order is the one that it was made from
    ParProof proof;         ///< of `proveDraft`
};

/// What a draft is made of.
struct LevelSource
{
    const Schedule& schedule;
    const Costs& costs;
    std::string title;
    int microBatches = 0;  ///< the first so many of them; 0: all
    bool measured = false; ///< the times are those of a run or a trace
};

/// A draft with a goal on the time: no longer than the order that it is made from takes with the
/// times that a lesson can say.
/// @error BadValue  more than lessons can say: routes, segments, updates, overlapped pairs, split
///                  backwards beside others, times of single passes, links that differ
Result<LevelDraft> levelDraftOf(const LevelSource& source);

/// The level of a draft; its demonstration is the fastest order that was found.
LessonLevel levelOf(const LevelDraft& draft);

/// Finds and proves the par, and keeps it in the draft.
/// @error BadValue  no order meets the goals, or the par is not proven in so many choices, and why
Result<void> proveDraft(LevelDraft& draft, std::int64_t mostNodes = usualParNodes);

/// The draft of the most micro-batches, halved as often as needed, whose par can be proven.
/// @error  of the smallest one
Result<LevelDraft> provenDraftOf(LevelSource source, std::int64_t mostNodes = usualParNodes);

/// A lesson file with the level. @pre the draft is proven
std::string writeLevelLesson(const LevelDraft& draft);

/// A lesson file with the level as one more step at its end. @pre the draft is proven
/// @error  as of `readLesson`
Result<std::string> withLevel(std::string_view lesson, const LevelDraft& draft);

/// The words of a step of a lesson; a field that is none stays as it is.
struct StepWords
{
    std::optional<std::string> title, text, task, say, show;
    std::optional<std::string> lessonTitle, summary; ///< of the lesson itself
};

/// A lesson file with other words in a step; words of other languages stay.
/// @param step  from 0
/// @error BadValue  no such step, or task and hints of a step without a level
/// @error           as of `readLesson`, of the file as it is or as it would be
Result<std::string> withWords(std::string_view lesson, std::size_t step, const StepWords& words,
                              std::string_view language = "en");

} // namespace pw
