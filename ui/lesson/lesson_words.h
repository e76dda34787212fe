// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/ready.h"
#include "core/lesson/standing.h"

#include <QString>

namespace pw::ui {

// What the core says about a level, in the language of the window.

/// Where a goal stands: "5 of 8", "21 ms so far"; English is that of `GoalStanding::nowText`.
QString standingWords(const LessonGoal& goal, const GoalStanding& now, const Standing& standing);

/// Why the level does not count as it stands; empty: nothing is in its way.
QString troubleWords(const Standing& standing, const PipelineSpec& spec);

/// Why no more passes were placed: a sentence.
QString readyWords(const ReadyRun& run, const PipelineSpec& spec);

/// A schedule that a level lets one choose: "GPipe, 16 micro-batches".
QString choiceWords(const FamilyChoice& choice);

/// What an act of a demonstration does: "F0 F1 at the end of device 0".
QString actWords(const LessonAct& act);

/// That a level is solved, and with how many medals. @param shown  by the demonstration
/// What passes of a level take, a line for each stage where they differ; empty: as usual, or the
/// level changes it.
QString timesWords(const LessonLevel& level);

QString solvedWords(const Standing& standing, bool shown);

} // namespace pw::ui
