// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/message_slowdown.h"

#include <algorithm>

namespace pw {

MessageSlowdown::MessageSlowdown(const Costs& costs, const PipelineSpec& spec,
                                 std::span<const RecordedMessage> messages, std::int32_t iteration,
                                 std::pair<Ticks, Ticks> span)
    : m_links(static_cast<std::size_t>(spec.devices) * static_cast<std::size_t>(spec.devices))
{
    // A sender that is late shortens what is left of its message; no link is faster than ever.
    double least = costs.linkTrace.empty() ? 1 : costs.linkTrace.front().slowdown;
    for (const LinkPhase& phase : costs.linkTrace)
        least = std::min(least, phase.slowdown);
    std::vector<std::vector<Sample>> samples(m_links.size() + 1);
    const auto known = [&spec](RankId rank) { return rank >= 0 && rank < spec.devices; };
    for (const RecordedMessage& message : messages) {
        if (message.iteration != iteration || message.message < 0 || !known(message.from) ||
            !known(message.to))
            continue;
        const Ticks nominal =
            nominalMessageTime(costs, spec, deviceOf(message.from), deviceOf(message.to),
                               messageBytes(costs, spec, message.producer, message.producer.kind));
        if (nominal <= 0)
            continue;
        const double factor = std::max(
            least, (static_cast<double>(message.ended) - static_cast<double>(message.started)) /
                       static_cast<double>(nominal));
        const Sample sample{message.started / 2 + message.ended / 2, factor};
        const int link = message.from * spec.devices + message.to;
        samples[static_cast<std::size_t>(link)].push_back(sample);
        samples.back().push_back(sample);
    }
    m_mean = meanOf(samples.back(), span, 1);
    for (std::size_t link = 0; link < m_links.size(); ++link)
        m_links[link] = meanOf(samples[link], span, m_mean);
}

double MessageSlowdown::meanOf(std::vector<Sample>& samples, std::pair<Ticks, Ticks> span,
                               double none)
{
    if (samples.empty())
        return none;
    std::sort(samples.begin(), samples.end(),
              [](const Sample& a, const Sample& b) { return a.time < b.time; });
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Ticks from = i == 0 ? span.first : samples[i - 1].time / 2 + samples[i].time / 2;
        const Ticks to =
            i + 1 == samples.size() ? span.second : samples[i].time / 2 + samples[i + 1].time / 2;
        const double weight = std::max(0.0, static_cast<double>(to) - static_cast<double>(from));
        sum += weight * samples[i].factor;
        all += weight;
    }
    return all > 0 ? sum / all : samples.front().factor;
}

} // namespace pw
