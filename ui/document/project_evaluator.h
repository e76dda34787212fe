// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/edit/edit.h"
#include "core/io/made_schedule.h"
#include "core/io/project_file.h"
#include "core/sim/draft_times.h"
#include "core/sim/simulator.h"
#include "ui/models/lanes.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace pw::ui {

/// What follows from a project: its orders with their times, and what is wrong with them.
struct ProjectEvaluation
{
    SchedulePtr schedule;      ///< null unless the draft is whole and runs
    std::optional<Draft> made; ///< of a family, where it does not run
    Costs costs;
    DraftTimes times; ///< of every entry of the draft
    Problems problems;
    std::optional<Error> failure; ///< why the family makes nothing
    bool unmade = false;          ///< the family was not asked yet
    LanesPtr lanes;
    std::int64_t simulationTime = 0; ///< nanoseconds
};

/// Evaluates projects, one after the other; keeps its buffers from one to the next.
class ProjectEvaluator
{
public:
    /// Asks the family of a project for its schedule, and simulates. A family that refuses is a
    /// `failure`.
    ProjectEvaluation evaluate(const Project& project);
    /// What there is of a project whose family was not asked: lanes without a pass.
    ProjectEvaluation withoutFamily(const Project& project);

private:
    void simulate(const Project& project, ProjectEvaluation& evaluation);

    Simulator m_schedule;
    DraftSimulator m_draft;
};

/// The rule that a draft breaks and the one before did not, in a sentence; empty: none.
QString brokenRule(const ProjectEvaluation& before, const ProjectEvaluation& after,
                   const PipelineSpec& spec);

/// Why there is no schedule, in a sentence; empty where there is one.
QString problemOf(const ProjectEvaluation& evaluation, const PipelineSpec& spec);

} // namespace pw::ui
