// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"
#include "core/trace/pass_example.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pw {

/// A stretch of a rank that looks like a pass. It is a proposal: nothing that the trace says.
struct ProposedPass
{
    TraceRankId rank{0}; ///< of `Trace::ranks`
    PassKind kind = PassKind::F;
    /// One F chunk laid over one backward chunk, part by part; the parts follow as passes with
    /// `inside`.
    bool overlapped = false;
    std::int32_t inside = -1; ///< place of the overlapped pass that this is a part of; −1: none
    Ticks start = 0;
    Ticks end = 0;
    std::int64_t items = 0;            ///< kernels, or operators where no device was recorded
    Ticks busy = 0;                    ///< sum of their times
    std::int32_t iteration = -1;       ///< counted by optimizer steps, from 0
    std::int32_t microBatch = -1;      ///< counted in the iteration; −1: not known
    StageId stage;                     ///< by an example; none: not known
    double confidence = 0;             ///< 0 to 1: share of its time that evidence speaks for
    std::vector<std::string> evidence; ///< sentences
};

/// What passes nobody labelled may be.
struct PassProposal
{
    std::vector<ProposedPass> passes; ///< by rank and start; parts behind what they are inside of
    std::vector<std::string> notes;   ///< what was found, sentences
    std::vector<std::string> unknown; ///< what cannot be known, and why
    /// Share of the time of all kernels (or operators) looked at that is in a proposal.
    double covered = 0;

    bool empty() const { return passes.empty(); }
};

struct ProposeOptions
{
    std::vector<PassExample> examples{};
    /// Asked now and then; false stops with what was found. May be empty.
    std::function<bool()> goOn{};
};

/// Proposes passes on the ranks whose spans name none.
///
/// Evidence is what launched a kernel (autograd's backward, an operator that a backward belongs to,
/// an optimizer's step), words in names of kernels, and sequences of kernels that come again. What
/// has none is told by its neighbours: the cheapest explanation of each stream counts, where every
/// change of kind costs. Stretches of one kind are cut at sends and receives, where autograd's
/// numbers lead to another backward, and where a sequence comes again as a whole.
///
/// @complexity O(n log n) for n kernels, and the length of an example for each place that has its
///             rarest piece
PassProposal propose(const Trace& trace, const ProposeOptions& options = {});

/// Takes proposals as passes: appends a track a rank with spans that are labelled, guessed, and as
/// confident as asked for. Parts of an overlapped pass count within it. `recover` finds the rest.
/// @return passes that were taken
std::int64_t acceptProposal(Trace& trace, const PassProposal& proposal, double confidence);

} // namespace pw
