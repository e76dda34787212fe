// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/run_marks.h"

#include <algorithm>
#include <limits>

namespace pw {

void RunMark::copy(const Schedule& schedule, const SimResult& kept, const RunMark* from,
                   SimResult& result) const
{
    const bool whole = from == nullptr || result.start.size() != kept.start.size();
    result.start.resize(kept.start.size());
    result.end.resize(kept.end.size());
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const std::int32_t next = devices[device.index()].next;
        const std::int32_t first = std::min(next, whole ? schedule.begin(device).value
                                                        : from->devices[device.index()].next);
        std::copy(kept.start.begin() + first, kept.start.begin() + next,
                  result.start.begin() + first);
        std::copy(kept.end.begin() + first, kept.end.begin() + next, result.end.begin() + first);
    }
}

void MessageSlack::narrow(const MessageSlack& other)
{
    most = std::min(most, other.most);
    exact = exact || other.exact;
}

bool MessageSlack::allows(Ticks message, Ticks receiver) const
{
    return exact ? message == receiver : message - receiver <= most;
}

std::vector<Ticks> RunMarks::times(const SimResult& kept, std::size_t places)
{
    constexpr std::size_t most = 32, mostBytes = std::size_t{64} << 20;
    const std::size_t count =
        std::clamp<std::size_t>(mostBytes / (places * sizeof(Ticks)), 1, most);
    std::vector<Ticks> times;
    for (std::size_t i = 1; i <= count; ++i)
        times.push_back(kept.makespan / static_cast<Ticks>(count + 1) * static_cast<Ticks>(i));
    return times;
}

void RunMarks::begin(std::size_t places)
{
    m_marks.clear();
    m_markBehind.assign(places, std::numeric_limits<std::uint8_t>::max());
    m_before.clear();
}

void RunMarks::awaited(const SentMessage& message, std::size_t link)
{
    if (m_marks.empty())
        return;
    const std::size_t behind = m_markBehind[static_cast<std::size_t>(message.place)];
    for (std::size_t at = behind; at < m_marks.size(); ++at)
        m_marks[at].open.push_back(message);
    if (behind < m_marks.size()) {
        m_marks.back().due.push_back(message);
        return;
    }
    LinkSlack& all = m_marks.back().links[link];
    all.from = message.from;
    all.to = message.to;
    all.slack.narrow(message.slack);
}

void RunMarks::beginPeaks(std::vector<LaneProgress>& devices)
{
    m_before.resize(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        m_before[i] = {devices[i].peakShare, devices[i].peakBytes};
        devices[i].peakShare = devices[i].share;
        devices[i].peakBytes = devices[i].bytes;
    }
}

void RunMarks::endPeaks(std::vector<LaneProgress>& devices)
{
    if (!m_marks.empty())
        m_marks.back().peaks.resize(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (!m_marks.empty())
            m_marks.back().peaks[i] = {devices[i].peakShare, devices[i].peakBytes};
        devices[i].peakShare = std::max(devices[i].peakShare, m_before[i].share);
        devices[i].peakBytes = std::max(devices[i].peakBytes, m_before[i].bytes);
    }
}

void RunMarks::add(RunMark mark, std::size_t links)
{
    mark.links.resize(links);
    m_marks.push_back(std::move(mark));
}

std::size_t RunMarks::firstBehind(Ticks time) const
{
    const auto first =
        std::upper_bound(m_marks.begin(), m_marks.end(), time,
                         [](Ticks until, const RunMark& mark) { return until < mark.time; });
    return static_cast<std::size_t>(first - m_marks.begin());
}

const RunMark* RunMarks::before(Ticks time) const
{
    const std::size_t count = firstBehind(time);
    return count == 0 ? nullptr : &m_marks[count - 1];
}

/// By how much each device is later than it was at a mark. @return false where one is elsewhere
bool RunMarks::findShifts(const RunMark& mark, const std::vector<LaneProgress>& now)
{
    m_shifts.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].next != mark.devices[i].next)
            return false;
        m_shifts[i] = now[i].free - mark.devices[i].free;
    }
    return true;
}

/// By how much a message of before a mark is later. Only until `at` the run has been simulated.
Ticks RunMarks::shiftOf(const SentMessage& message, std::size_t at, const RunMark& mark,
                        const std::vector<Ticks>& finish) const
{
    const auto place = static_cast<std::size_t>(message.place);
    return m_markBehind[place] > at ? m_shifts[message.from.index()]
                                    : finish[place] - mark.finish[place];
}

/// Whether all goes like it did from a mark to the next.
bool RunMarks::alike(std::size_t at, const RunMark& mark, const std::vector<Ticks>& finish) const
{
    return std::all_of(mark.due.begin(), mark.due.end(),
                       [&](const SentMessage& message) {
                           return message.slack.allows(shiftOf(message, at, mark, finish),
                                                       m_shifts[message.to.index()]);
                       }) &&
           std::all_of(mark.links.begin(), mark.links.end(), [&](const LinkSlack& link) {
               return link.slack.allows(m_shifts[link.from.index()], m_shifts[link.to.index()]);
           });
}

/// What has ended until a mark: of what nobody asks any more, only that it has.
void RunMarks::takeFinish(std::size_t at, const RunMark& mark, std::vector<Ticks>& finish)
{
    m_openFinish.clear();
    for (const SentMessage& message : mark.open)
        m_openFinish.push_back(mark.finish[static_cast<std::size_t>(message.place)] +
                               shiftOf(message, at, mark, finish));
    finish = mark.finish;
    for (std::size_t i = 0; i < mark.open.size(); ++i)
        finish[static_cast<std::size_t>(mark.open[i].place)] = m_openFinish[i];
}

std::size_t RunMarks::skip(std::size_t at, const Schedule& schedule, const SimResult& kept,
                           std::vector<LaneProgress>& now, std::vector<Ticks>& finish,
                           SimResult& result)
{
    if (!findShifts(m_marks[at], now))
        return at;
    std::size_t to = at;
    while (to < m_marks.size() && alike(at, m_marks[to], finish))
        ++to;
    if (to == at)
        return at;
    const RunMark* const mark = to < m_marks.size() ? &m_marks[to] : nullptr;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const std::size_t i = device.index();
        const Ticks shift = m_shifts[i];
        LaneProgress& is = now[i];
        const std::int32_t last = mark != nullptr ? mark->devices[i].next : schedule.end(device);
        for (auto entry = static_cast<std::size_t>(is.next); entry < static_cast<std::size_t>(last);
             ++entry) {
            result.start[entry] = kept.start[entry] + shift;
            result.end[entry] = kept.end[entry] + shift;
        }
        HeldPeaks peaks{is.peakShare, is.peakBytes};
        for (std::size_t passed = at; passed < to; ++passed) {
            peaks.share = std::max(peaks.share, m_marks[passed].peaks[i].share);
            peaks.bytes = std::max(peaks.bytes, m_marks[passed].peaks[i].bytes);
        }
        if (mark != nullptr) {
            is = mark->devices[i];
            is.free += shift;
        } else {
            is.busy = kept.devices[i].busy;
        }
        is.peakShare = peaks.share;
        is.peakBytes = peaks.bytes;
        is.next = is.last = last;
    }
    if (mark != nullptr)
        takeFinish(at, *mark, finish);
    return to;
}

void leaveOut(const Schedule& schedule, const std::vector<LaneProgress>& devices, SimResult& result)
{
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const std::int32_t next = devices[device.index()].next, last = schedule.end(device);
        std::fill(result.start.begin() + next, result.start.begin() + last, Simulator::never);
        std::fill(result.end.begin() + next, result.end.begin() + last, Simulator::never);
    }
}

} // namespace pw
