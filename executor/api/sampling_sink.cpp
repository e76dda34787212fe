// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/sampling_sink.h"

#include <algorithm>
#include <iterator>

namespace pw::exec {

std::vector<RecordedPass> SamplingSink::extremes() const
{
    std::vector<RecordedPass> all;
    for (const auto& [entry, both] : m_extremes) {
        all.push_back(both.shortest);
        all.push_back(both.longest);
    }
    return all;
}

void SamplingSink::passes(std::span<const RecordedPass> batch)
{
    for (const RecordedPass& pass : batch) {
        note(pass.iteration);
        if (keeps(pass.iteration))
            m_record.passes.push_back(pass);
        else
            takeExtremes(pass);
    }
    thinOut();
}

void SamplingSink::messages(std::span<const RecordedMessage> batch)
{
    for (const RecordedMessage& message : batch) {
        note(message.iteration);
        if (keeps(message.iteration))
            m_record.messages.push_back(message);
    }
    thinOut();
}

void SamplingSink::memory(std::span<const MemorySample> batch)
{
    for (const MemorySample& sample : batch) {
        const auto [peak, first] = m_peaks.try_emplace(sample.rank, sample);
        const bool most = first || sample.activation() > peak->second.activation();
        if (most)
            peak->second = sample;
        if (most || keeps(sample.iteration))
            m_record.memory.push_back(sample);
    }
}

void SamplingSink::copies(std::span<const RecordedCopy> batch)
{
    for (const RecordedCopy& copy : batch)
        if (keeps(copy.iteration))
            m_record.copies.push_back(copy);
}

void SamplingSink::note(std::int32_t iteration)
{
    if (iteration >= 0 && keeps(iteration))
        m_kept.insert(iteration);
}

void SamplingSink::takeExtremes(const RecordedPass& pass)
{
    if (!pass.entry.valid())
        return;
    const auto [at, first] =
        m_extremes.try_emplace({pass.entry, pass.pass.kind}, Extremes{pass, pass});
    const auto length = [](const RecordedPass& one) { return one.end - one.start; };
    if (length(pass) < length(at->second.shortest))
        at->second.shortest = pass;
    if (length(pass) > length(at->second.longest))
        at->second.longest = pass;
}

/// Leaves every second iteration while there are too many.
void SamplingSink::thinOut()
{
    while (m_kept.size() >= mostIterations ||
           (m_kept.size() >= 2 * fewIterations &&
            m_record.passes.size() + m_record.messages.size() > mostRecords)) {
        m_stride *= 2;
        const auto goes = [this](const auto& record) { return !keeps(record.iteration); };
        const auto leave = [&goes](auto& list) {
            list.erase(std::remove_if(list.begin(), list.end(), goes), list.end());
        };
        for (const RecordedPass& pass : m_record.passes)
            if (goes(pass))
                takeExtremes(pass);
        leave(m_record.passes);
        leave(m_record.messages);
        leave(m_record.copies);
        const auto isPeak = [this](const MemorySample& sample) {
            const MemorySample& peak = m_peaks.at(sample.rank);
            return sample.time == peak.time && sample.iteration == peak.iteration;
        };
        m_record.memory.erase(std::remove_if(m_record.memory.begin(), m_record.memory.end(),
                                             [&](const MemorySample& sample) {
                                                 return goes(sample) && !isPeak(sample);
                                             }),
                              m_record.memory.end());
        for (auto at = m_kept.begin(); at != m_kept.end();)
            at = keeps(*at) ? std::next(at) : m_kept.erase(at);
    }
}

} // namespace pw::exec
