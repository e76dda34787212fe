// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/kernel_runs.h"
#include "core/reading/pass_words.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pw {

/// A pass of a rank: a part of `KernelRuns::kernels`.
struct KernelPass
{
    std::size_t first = 0;
    std::size_t end = 0;
    bool forward = false;
    // Of several chunks a rank. −1: the rank's own stage, counted
    std::int32_t stage = -1;
    std::int32_t microBatch = -1;
};

/// The passes of a rank in a step.
struct StepPasses
{
    std::vector<KernelPass> passes; ///< as they ran
    bool alike = false; ///< nothing tells its forwards from its backwards but the order of others
    std::string why;    ///< it has none, a part of a sentence; empty: it has
};

/// Cuts the runs of ranks into passes, stage by stage: a pass of a stage between others ends with a
/// send, so its runs are passes. The first stage sends after forwards, so its runs end with one;
/// the last sends after backwards. Where these begin the words tell: a pass is a repeated word of
/// kernels.
class StageCuts
{
public:
    explicit StageCuts(const Trace& trace)
        : m_trace(trace)
        , m_words(trace.names)
    {
    }

    using Ranks = std::vector<const KernelRuns*>;       ///< of one stage
    using Steps = std::vector<std::vector<StepPasses>>; ///< by rank, then as `KernelRuns::steps`

    /// What is learned here serves the stages that follow: those between others come first, the
    /// last stage last.
    Steps between(const Ranks& ranks);
    Steps first(const Ranks& ranks);
    Steps last(const Ranks& ranks);

    /// The largest part of a forward and its backward on the last stage that may be of either.
    double doubtful() const { return m_doubtful; }

private:
    PassWord wordOf(const KernelRuns& runs, std::size_t first, std::size_t end) const;

    StepPasses stepBetween(const KernelRuns& runs, const StepRuns& step, const PassWord& forward,
                           const PassWord& backward);

    PassWord firstForward(const Ranks& ranks) const;
    std::set<PassWord> firstBackwards(const Ranks& ranks, const PassWord& forward) const;
    StepPasses stepOfFirst(const KernelRuns& runs, const StepRuns& step, const PassWord& forward,
                           const std::set<PassWord>& backwards);
    std::optional<WordCuts> cutRest(const PassWord& rest, const std::set<PassWord>& backwards,
                                    std::size_t count) const;

    StepPasses stepOfLast(const KernelRuns& runs, const StepRuns& step);
    bool appendPair(const KernelRuns& runs, const KernelRun& run, StepPasses& out);
    bool appendSeveral(const KernelRuns& runs, const KernelRun& run, std::size_t forwards,
                       std::size_t backward, StepPasses& out);

    const Trace& m_trace;
    PassWords m_words;
    double m_doubtful = 0;
};

} // namespace pw
