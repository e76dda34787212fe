// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chunk_orders.h"
#include "core/reading/pass_words.h"
#include "core/reading/stage_cuts.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace pw {

/// Cuts the runs of ranks into the passes of an order that is known. A run is what the order has
/// from one send to the next: mostly one pass, whose kernels tell the same pass of other
/// micro-batches where a run is several.
class ChunkCuts
{
public:
    explicit ChunkCuts(const Trace& trace)
        : m_trace(trace)
        , m_words(trace.names)
    {
    }

    /// What is learned here serves the devices that follow: those between others come first, the
    /// last one last.
    /// @param ranks   of one device
    /// @param passes  of it; runs of a step that sends otherwise are cut into none
    StageCuts::Steps cut(const StageCuts::Ranks& ranks, const std::vector<SentPass>& passes);

    /// As of `StageCuts`.
    double doubtful() const { return m_doubtful; }

private:
    /// A run, or what is behind the last one.
    struct Part
    {
        std::size_t first = 0; ///< of the kernels of its rank
        PassWord word;
        std::span<const SentPass> passes;
        bool begins = false;  ///< of a step: what prepares it may stand before
        bool ends = false;    ///< what updates may stand behind
        std::size_t lead = 0; ///< kernels before its passes
        WordCuts cuts;        ///< empty: not yet
    };
    using Parts = std::vector<Part>;

    Parts partsOf(const KernelRuns& runs, const StepRuns& step,
                  const std::vector<SentPass>& passes) const;
    void learn(const SentPass& pass, const PassWord& word);
    bool cutKnown(Part& part, bool pairs);
    std::optional<WordCuts> cutPair(const PassWord& word, std::span<const SentPass> passes);
    bool cutEnd(Part& part);
    bool cutBegin(Part& part);
    StepPasses stepOf(const Parts& parts) const;

    const Trace& m_trace;
    PassWords m_words;
    std::map<std::int32_t, std::set<PassWord>> m_known; // of the device at hand, by kind and stage
    double m_doubtful = 0;
};

} // namespace pw
