// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <map>
#include <optional>
#include <string>

namespace pw {

/// What can be said of a project in numbers, by name; times are milliseconds, rates 0 … 1.
///
/// Always p, m, v (chunks a device), k (segments), steps, stages, copies (routes), T_c, and of
/// uniform times T_F, T_B, T_W, T_BW, T_pair of a full device share and the stash; F.s, B.s, W.s,
/// BW.s of stage s and its first segment. Of a whole order: time, work, peak, wall, span, idle
/// (outside passes, within the makespan), gap (inside the device's own span), messages, each
/// (messages of one micro-batch), versions; of device d: work.d, peak.d, idle.d, gap.d, warm.d (its
/// forwards before the first backward); of a pass of it: begins.d.F0, ends.d.F0. Of a block:
/// interval, load (work of the busiest device), alive, alive.d, at.d.F0, life.s of stage s, in its
/// own units.
using FactFigures = std::map<std::string, double>;
FactFigures factFigures(const Project& project);

/// The names that the texts of a step may use in their marks: those of the lesson's facts; `level`
/// for what the step's level begins with, `demo` for its demonstration played to the end, `par` and
/// `goal` for its numbers; `picture` and `picture2` … for its pictures. Figures are behind a point:
/// "gpipe.peak".
class StepNames
{
public:
    /// @param lesson, step  have to outlive this
    StepNames(const Lesson& lesson, const LessonStep& step)
        : m_lesson(lesson)
        , m_step(step)
    {
    }

    /// The value of a name; names without a point are those of facts that are given, and figures of
    /// the level. None: there is no such name.
    std::optional<double> find(const std::string& name) const;

private:
    std::optional<FactFigures> figuresOf(const std::string& object) const;
    std::optional<FactFigures> figuresOfLevel(const std::string& object) const;

    const Lesson& m_lesson;
    const LessonStep& m_step;
    mutable std::map<std::string, std::optional<FactFigures>> m_known;
};

/// What is wrong with the marked numbers of a lesson, each a sentence with the step and the
/// language; empty: all come out as they are written, languages mark the same, and no wrong answer
/// to a question is as good as the right one.
std::vector<std::string> checkNumbers(const Lesson& lesson);

/// Numbers of a lesson that nothing checks, as `bareNumbers`, with step and language. Wrong answers
/// may have any.
std::vector<std::string> uncheckedNumbers(const Lesson& lesson);

} // namespace pw
