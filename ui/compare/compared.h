// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/end_shift.h"
#include "core/analysis/pass_histogram.h"
#include "core/trace/records.h"
#include "ui/models/lanes.h"
#include "ui/models/whole_peak.h"
#include "ui/timeline/heat_painter.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace pw::ui {

/// A timeline that is compared with others: an open schedule, an iteration of a run, its plan, a
/// pinned one. Immutable once made and shared.
struct Compared
{
    QString title; ///< "run 17 · ZB-V"
    QString about; ///< "iteration 3", "plan"; may be empty
    std::shared_ptr<const Schedule> schedule;
    SimResult times;
    LanesPtr lanes;
    WholePeak memory; ///< of the fullest device; unknown where nothing has a size
    /// What keeps it: the costs of what is simulated, or the run that was measured.
    std::shared_ptr<const Costs> costs;
    std::int64_t run = 0; ///< 0: none
    std::int32_t iteration = 0;

    /// Micro-batches a second.
    double throughput() const;
};

using ComparedPtr = std::shared_ptr<const Compared>;

/// How long the passes of a run took in all its iterations that count, and what it learnt.
struct RunLengths
{
    PassLengths lengths;
    std::int64_t iterations = 0;
    std::vector<StepLoss> losses{}; ///< by step; none where nothing was trained
    QString training{};             ///< all that it was trained with but for the seed
};

using RunLengthsPtr = std::shared_ptr<const RunLengths>;

/// How long the passes of a timeline take; both halves of an overlapped pair take as long as it.
PassLengths lengthsOf(const Compared& timeline);

/// How a timeline differs from the one above it.
struct Difference
{
    HeatPtr moved; ///< how much later each span ends
    HeatPtr grown; ///< how much longer it takes; B and W as long as the two against a BW
    EndShifts shifts;
    std::int64_t matched = 0;   ///< entries whose work both do; a BW does that of a B and a W
    std::int64_t onlyHere = 0;  ///< entries whose work the one above does not do
    std::int64_t onlyThere = 0; ///< and the other way round
};

using DifferencePtr = std::shared_ptr<const Difference>;

/// A row of a comparison, as its tables and words need it.
struct ComparedRow
{
    QString title;
    QString problem;          ///< why it cannot be shown; empty: it can, or is awaited
    ComparedPtr timeline;     ///< null while it is awaited
    DifferencePtr difference; ///< to the row above; null where there is none, or not yet
    RunLengthsPtr lengths;    ///< null: those of the timeline count
    SpanRef current;          ///< the span that is selected; invalid: none
};

/// @complexity O(entries of both)
DifferencePtr differenceOf(const Compared& before, const Compared& after);

} // namespace pw::ui
