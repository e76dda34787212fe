// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/trace/records.h"

#include <span>
#include <utility>
#include <vector>

namespace pw {

/// How much longer the messages of an iteration took than on links that nothing slows down: the
/// mean over its time. A message stands for the time from halfway to the one before it to halfway
/// to the one after it, so that a slow time, in which few messages come, counts in full.
class MessageSlowdown
{
public:
    /// @param costs     what messages take on free links; with what the links are at their best
    /// @param messages  of any iterations; reductions among them are left out
    /// @param span      when the iteration began and ended
    MessageSlowdown(const Costs& costs, const PipelineSpec& spec,
                    std::span<const RecordedMessage> messages, std::int32_t iteration,
                    std::pair<Ticks, Ticks> span);

    /// Of all links; 1 without messages that take time.
    double mean() const { return m_mean; }
    /// Of a link, from·p + to; of one that nothing went over, the mean of the others.
    double of(std::size_t link) const { return m_links[link]; }

private:
    struct Sample
    {
        Ticks time = 0;
        double factor = 1;
    };
    static double meanOf(std::vector<Sample>& samples, std::pair<Ticks, Ticks> span, double none);

    std::vector<double> m_links; ///< from·p + to
    double m_mean = 1;
};

} // namespace pw
