// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/recording_sink.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace pw::exec {

/// Keeps what a run of any length says in memory that has a bound: all records of iterations that
/// are evenly spaced, each one while there are few. Beside these of every rank the sample of memory
/// with the most activations, and of every entry the passes that took the least and the most.
class SamplingSink : public RecordingSink
{
public:
    static constexpr std::size_t mostIterations = 512;
    /// Passes and messages; beyond it fewer iterations are kept, but no less than `fewIterations`.
    static constexpr std::size_t mostRecords = std::size_t{1} << 20;
    static constexpr std::size_t fewIterations = 16;

    /// Of the iterations each so many-th is kept, from 0.
    std::int32_t stride() const { return m_stride; }
    /// The passes that took the least and the most of their entry, in iterations that are not kept.
    std::vector<RecordedPass> extremes() const;

    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void copies(std::span<const RecordedCopy> batch) override;

private:
    struct Extremes
    {
        RecordedPass shortest;
        RecordedPass longest;
    };

    /// Warm-up always is.
    bool keeps(std::int32_t iteration) const { return iteration < 0 || iteration % m_stride == 0; }
    void note(std::int32_t iteration);
    void takeExtremes(const RecordedPass& pass);
    void thinOut();

    std::int32_t m_stride = 1;
    std::set<std::int32_t> m_kept; // iterations, without warm-up
    std::map<std::pair<EntryId, PassKind>, Extremes> m_extremes;
    std::map<RankId, MemorySample> m_peaks; // of all iterations
};

} // namespace pw::exec
