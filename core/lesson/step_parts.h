// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/par.h"

#include <optional>
#include <string>
#include <string_view>

namespace pw {

/// What a step of a lesson has beside its words, as lines that a person edits. A field that is none
/// stays as it is.
struct StepParts
{
    /// A block for each, with an empty line between: the question, "- an answer", "+ the right
    /// one",
    /// "= why".
    std::optional<std::string> questions;
    std::optional<std::string> goals;   ///< a line each: "complete", "makespan_ms 33", or JSON
    std::optional<std::string> passes;  ///< of a level of orders: "F BW"
    std::optional<std::string> choices; ///< a line each: "gpipe 8 16 chunks=2", or JSON
    /// Of the demonstration, a line each: "place 0 F0", "move 0 3 1", "shift 1:B0.1 -2", or JSON.
    std::optional<std::string> acts;
    /// What stands in a level becomes what it begins with, or what its demonstration ends with.
    std::optional<Project> start, demonstration;
    std::optional<LessonPar> par;
};

/// The lines of a step in a language. @error  as of `readLesson`; BadValue  no such step
Result<StepParts> stepParts(std::string_view lesson, std::size_t step,
                            std::string_view language = "en");

/// What was done in a level between two of its states, as lines of its demonstration.
/// @error BadValue  a state that is none of the level
Result<std::string> actLinesBetween(const LessonLevel& level, const Project& before,
                                    const Project& after);

/// A lesson file with other parts of a step.
/// @error BadValue  no such step, or one without a level; a line that means nothing, with it; what
///                  stands cannot become a start or a demonstration of such a level
/// @error           as of `readLesson`, of the file as it is or as it would be
Result<std::string> withParts(std::string_view lesson, std::size_t step, const StepParts& parts,
                              std::string_view language = "en");

/// What a check of a step has found.
struct StepCheck
{
    std::optional<LessonPar> par;      ///< that was proven, of the medals that the file has
    std::vector<std::string> problems; ///< with that par; sentences. Empty: it can be played
};

/// Proves the par of a step's level, and checks the level with it.
/// @error  as of `readLesson`; BadValue  the step has no level
Result<StepCheck> checkStep(std::string_view lesson, std::size_t step,
                            std::int64_t mostNodes = usualParNodes);

} // namespace pw
