// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/clock_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace pw {

namespace {

/// Of messages from one device to another those that bound anything: the hull of the points
/// (sent, −received) towards later sending and earlier arrival.
std::vector<std::int32_t> hullOf(std::span<const ClockMessage> messages,
                                 std::vector<std::int32_t> of)
{
    const auto at = [&](std::int32_t i) -> const ClockMessage& {
        return messages[static_cast<std::size_t>(i)];
    };
    std::sort(of.begin(), of.end(), [&](std::int32_t a, std::int32_t b) {
        return std::pair(at(a).sent, -at(a).received) < std::pair(at(b).sent, -at(b).received);
    });
    std::vector<std::int32_t> hull;
    // Exact to far below a tick: windows are differences here, and not times since 1970.
    const auto below = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
        const auto run = [](Ticks from, Ticks to) { return static_cast<long double>(to - from); };
        return run(at(a).sent, at(b).sent) * run(at(c).received, at(a).received) >=
               run(at(a).sent, at(c).sent) * run(at(b).received, at(a).received);
    };
    for (const std::int32_t i : of) {
        while (hull.size() > 1 && below(hull[hull.size() - 2], hull.back(), i))
            hull.pop_back();
        hull.push_back(i);
    }
    return hull;
}

} // namespace

ClockProgram::ClockProgram(std::span<const ClockMessage> messages,
                           std::span<const ClockWindow> windows)
    : m_messages(messages)
    , m_windows(windows)
    , m_variable(windows.size(), -1)
    , m_rough(windows.size(), 0)
{
    std::map<std::pair<DeviceId, DeviceId>, std::vector<std::int32_t>> pairs;
    for (std::size_t i = 0; i < messages.size(); ++i)
        pairs[{messages[i].from, messages[i].to}].push_back(static_cast<std::int32_t>(i));
    for (auto& [pair, list] : pairs)
        m_pairs.emplace_back(pair, hullOf(messages, std::move(list)));
    findRough();
}

LinearProgram ClockProgram::program(std::size_t more, Ticks loose)
{
    std::vector<double> box(m_count, m_reach);
    box.resize(m_count + more, 2);
    LinearProgram program(std::move(box));
    m_messageOfRow.clear();
    for (const auto& [pair, hull] : m_pairs)
        for (const std::int32_t message : hull)
            addMessage(message, loose, program);
    for (const DeviceId device : Ids<DeviceId>(DeviceId(1), DeviceId(m_windows.size()))) {
        const std::int32_t place = variable(device);
        if (place < 0)
            continue;
        const double most = length(device) * mostDrift / millionths;
        for (const double sign : {1.0, -1.0}) {
            const std::array<LinearTerm, 2> terms = {LinearTerm{place, -sign},
                                                     LinearTerm{place + 1, sign}};
            program.add(terms, most);
        }
    }
    return program;
}

std::int32_t ClockProgram::messageOf(std::int32_t row) const
{
    return static_cast<std::size_t>(row) < m_messageOfRow.size()
               ? m_messageOfRow[static_cast<std::size_t>(row)]
               : -1;
}

double ClockProgram::length(DeviceId device) const
{
    return static_cast<double>(
        std::max<Ticks>(1, m_windows[device.index()].last - m_windows[device.index()].first));
}

/// Offsets without drift, device after device along messages, so that what is left is small
/// beside the precision of a double.
void ClockProgram::findRough()
{
    const std::size_t devices = m_windows.size();
    std::vector<bool> reached(devices, false);
    if (devices > 0)
        reached[0] = true;
    for (bool more = true; more;) {
        more = false;
        std::map<DeviceId, std::pair<std::optional<Ticks>, std::optional<Ticks>>> bounds;
        for (const auto& [pair, hull] : m_pairs) {
            const std::size_t from = pair.first.index();
            const std::size_t to = pair.second.index();
            for (const std::int32_t i : hull) {
                const Ticks early = m_messages[static_cast<std::size_t>(i)].early();
                if (reached[from] && !reached[to]) {
                    std::optional<Ticks>& low = bounds[pair.second].first;
                    low = std::max(low.value_or(m_rough[from] + early), m_rough[from] + early);
                } else if (reached[to] && !reached[from]) {
                    std::optional<Ticks>& high = bounds[pair.first].second;
                    high = std::min(high.value_or(m_rough[to] - early), m_rough[to] - early);
                }
            }
        }
        for (const auto& [device, bound] : bounds) {
            const std::size_t at = device.index();
            const auto& [low, high] = bound;
            m_rough[at] = low && high ? *low + (*high - *low) / 2 : low ? *low : *high;
            reached[at] = true;
            m_variable[at] = static_cast<std::int32_t>(m_count);
            m_count += 2;
            more = true;
        }
    }
    double widest = 1;
    for (const auto& [pair, hull] : m_pairs)
        if (reached[pair.first.index()])
            for (const std::int32_t i : hull)
                widest = std::max(widest, std::abs(slack(i)));
    for (const DeviceId device : Ids<DeviceId>(devices))
        widest = std::max(widest, length(device) * mostDrift / millionths);
    m_reach = 16 * static_cast<double>(devices + 1) * widest;
}

/// Time that is left between sending and arrival after the rough corrections.
double ClockProgram::slack(std::int32_t i) const
{
    const ClockMessage& message = m_messages[static_cast<std::size_t>(i)];
    return static_cast<double>(rough(message.to) - rough(message.from) - message.early());
}

void ClockProgram::addMessage(std::int32_t i, Ticks loose, LinearProgram& program)
{
    const ClockMessage& message = m_messages[static_cast<std::size_t>(i)];
    std::vector<LinearTerm> terms;
    const auto append = [&](DeviceId device, Ticks time, double sign) {
        const std::int32_t place = variable(device);
        if (place < 0)
            return;
        const double part =
            static_cast<double>(time - m_windows[device.index()].first) / length(device);
        terms.push_back({place, sign * (1 - part)});
        terms.push_back({place + 1, sign * part});
    };
    append(message.from, message.sent, 1);
    append(message.to, message.received, -1);
    if (terms.empty())
        return; // between devices that nothing connects with device 0
    program.add(terms, slack(i) + static_cast<double>(loose));
    m_messageOfRow.push_back(i);
}

} // namespace pw
