// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_beam.h"

#include <algorithm>
#include <limits>

namespace pw {
namespace {

constexpr std::size_t beamBytes = 48u << 20;

} // namespace

ZeroBubbleBeam::ZeroBubbleBeam(const ZeroBubbleProblem& problem, const ZeroBubbleBound& bound)
    : m_bound(bound)
    , m_shape(problem, bound)
    , m_devices(problem.devices)
    , m_microBatches(problem.microBatches)
    , m_exact(std::all_of(problem.backwardMemory.begin(), problem.backwardMemory.end(),
                          [](std::int64_t delta) { return delta <= 0; }))
    , m_lookAhead(m_shape, bound)
    , m_seen(m_shape)
{
}

int ZeroBubbleBeam::widestBeam() const
{
    const std::size_t passes = 3 * at(m_devices) * at(m_microBatches);
    const std::size_t each = 2 * m_shape.words() * sizeof(Ticks) + passes * sizeof(Trace);
    return static_cast<int>(std::min<std::size_t>(beamBytes / each, 1u << 20));
}

/// The passes that a device can run next: their input is known and memory allows them.
void ZeroBubbleBeam::collect(const ZeroBubblePartial& state, DeviceId device, Choice& choice) const
{
    const std::size_t j = at(device);
    const ZeroBubbleStage& stage = m_shape.stage(j);
    const Ticks f = state.forwards[j];
    const Ticks b = state.backwards[j];
    const Ticks w = state.weights[j];
    const std::int64_t held = f * stage.delta[zbF] + b * stage.delta[zbB] + w * stage.delta[zbW];
    const Ticks clock = state.clock[j];
    // a B that adds memory must still fit once every pending W is done
    const std::int64_t reserved = std::max<std::int64_t>(0, stage.delta[zbB]);
    choice.open[zbF] = f < m_microBatches && (device == 0 || f < state.forwards[j - 1]) &&
                       held + stage.delta[zbF] <= stage.limit &&
                       (f + 1 - b) * stage.delta[zbF] + reserved <= stage.limit;
    choice.open[zbB] = b < f && (device + 1 == m_devices || b < state.backwards[j + 1]) &&
                       held + stage.delta[zbB] <= stage.limit;
    choice.open[zbW] = w < b;
    choice.start[zbF] = choice.start[zbB] = choice.start[zbW] = clock;
    if (choice.open[zbF] && device > 0)
        choice.start[zbF] =
            std::max(clock, state.forwardEnd[m_shape.cell(device - 1, f)] + stage.fromAbove);
    if (choice.open[zbB] && device + 1 < m_devices)
        choice.start[zbB] =
            std::max(clock, state.backwardEnd[m_shape.cell(device + 1, b)] + stage.fromBelow);
    choice.device = device;
    choice.firstEnd = std::numeric_limits<Ticks>::max();
    for (int kind = 0; kind < 3; ++kind) {
        if (choice.open[kind])
            choice.firstEnd = std::min(choice.firstEnd, choice.start[kind] + stage.duration[kind]);
    }
}

/// The device that can end a pass first, and the passes that would start before that end.
ZeroBubbleBeam::Choice ZeroBubbleBeam::choose(const ZeroBubblePartial& state) const
{
    Choice best;
    best.firstEnd = std::numeric_limits<Ticks>::max();
    for (const DeviceId device : Ids<DeviceId>(m_devices)) {
        Choice choice;
        collect(state, device, choice);
        if (choice.firstEnd < best.firstEnd)
            best = choice;
    }
    if (best.device < 0)
        return best;
    const ZeroBubbleStage& stage = m_shape.stage(at(best.device));
    for (int kind = 0; kind < 3; ++kind) {
        // the first to end itself may take no time
        best.open[kind] =
            best.open[kind] && (best.start[kind] < best.firstEnd ||
                                best.start[kind] + stage.duration[kind] == best.firstEnd);
    }
    return best;
}

/// What the device's own work and its next passes say about the final span.
Ticks ZeroBubbleBeam::deviceBound(const ZeroBubblePartial& state, DeviceId device) const
{
    const std::size_t j = at(device);
    const ZeroBubbleStage& stage = m_shape.stage(j);
    const Ticks m = m_microBatches;
    const Ticks f = state.forwards[j];
    const Ticks b = state.backwards[j];
    const Ticks clock = state.clock[j];
    Ticks bound = clock + (m - f) * stage.duration[zbF] + (m - b) * stage.duration[zbB] +
                  (m - state.weights[j]) * stage.duration[zbW] - stage.firstStart;
    if (f < m) {
        Ticks start = clock;
        if (device > 0 && f < state.forwards[j - 1])
            start =
                std::max(start, state.forwardEnd[m_shape.cell(device - 1, f)] + stage.fromAbove);
        bound = std::max(bound,
                         start + stage.duration[zbF] + m_bound.tailF(device, static_cast<int>(f)));
    }
    if (b < m) {
        Ticks start = clock;
        if (device + 1 < m_devices && b < state.backwards[j + 1])
            start =
                std::max(start, state.backwardEnd[m_shape.cell(device + 1, b)] + stage.fromBelow);
        bound = std::max(bound,
                         start + stage.duration[zbB] + m_bound.tailB(device, static_cast<int>(b)));
    }
    return bound;
}

/// Adds the extensions of a partial schedule that can still end below the given span.
void ZeroBubbleBeam::extend(int parent, Effort effort, Ticks below)
{
    const ZeroBubblePartial state = m_shape.view(&m_current[at(parent) * m_shape.words()]);
    const Choice choice = choose(state);
    m_work += m_devices;
    if (choice.device < 0)
        return;
    const DeviceId j(choice.device);
    const int from = std::max<int>(0, j - 1);
    const int to = std::min<int>(m_devices - 1, j + 1);
    Ticks otherBound = 0;
    Ticks otherSum = 0;
    for (const DeviceId k : Ids<DeviceId>(m_devices)) {
        if (k < from || k > to) {
            const Ticks bound = deviceBound(state, k);
            otherBound = std::max(otherBound, bound);
            otherSum += bound;
        }
    }
    const Ticks clock = state.clock[at(j)];
    const bool lookAhead = m_lookAhead.pays();
    for (int kind = 0; kind < 3; ++kind) {
        if (!choice.open[kind])
            continue;
        m_shape.apply(state, j, kind, choice.start[kind]);
        Ticks bound = otherBound;
        Ticks sum = otherSum;
        for (DeviceId k(from); k <= to; ++k) {
            const Ticks own = deviceBound(state, k);
            bound = std::max(bound, own);
            sum += own;
        }
        m_work += 3;
        if (bound < below && (!lookAhead || m_lookAhead.mayStayBelow(state, below, m_work)))
            m_extensions.push_back({10 * m_devices * bound + effort.meanTenths * sum, parent,
                                    static_cast<std::uint16_t>(j), static_cast<std::uint8_t>(kind),
                                    choice.start[kind]});
        m_shape.revert(state, j, kind, clock);
    }
}

/// Makes the best extensions the current partial schedules; true if none was dropped but dominated
/// ones.
bool ZeroBubbleBeam::keep(Effort effort)
{
    std::sort(m_extensions.begin(), m_extensions.end(), [](const Extension& a, const Extension& b) {
        if (a.score != b.score)
            return a.score < b.score;
        return a.parent != b.parent ? a.parent < b.parent : a.kind < b.kind;
    });
    if (effort.width == 1 && !m_extensions.empty()) {
        // nothing to compare: grow the one partial schedule where it is
        const Extension& only = m_extensions.front();
        m_shape.apply(m_shape.view(m_current.data()), DeviceId(only.device), only.kind, only.start);
        m_traces.push_back({m_currentTrace.front(), only.device, only.kind});
        m_currentTrace.front() = static_cast<int>(m_traces.size()) - 1;
        return m_extensions.size() == 1;
    }
    const std::size_t size = m_shape.words();
    const std::size_t most = std::min(m_extensions.size(), at(effort.width));
    m_seen.clear(most);
    m_next.resize(std::max(m_next.size(), (most + 1) * size));
    m_nextTrace.clear();
    bool all = true;
    int count = 0;
    for (const Extension& extension : m_extensions) {
        if (count == static_cast<int>(most)) {
            // the rest may all be dominated, but that is not looked into
            all = false;
            break;
        }
        Ticks* const target = &m_next[at(count) * size];
        std::copy_n(&m_current[at(extension.parent) * size], size, target);
        m_work += static_cast<std::int64_t>(size / 16);
        const ZeroBubblePartial state = m_shape.view(target);
        m_shape.apply(state, DeviceId(extension.device), extension.kind, extension.start);
        if (!m_seen.add(state, m_next.data()))
            continue;
        m_nextTrace.push_back(static_cast<int>(m_traces.size()));
        m_traces.push_back(
            {m_currentTrace[at(extension.parent)], extension.device, extension.kind});
        ++count;
    }
    m_current.swap(m_next);
    m_currentTrace.swap(m_nextTrace);
    m_count = count;
    return all;
}

ZeroBubbleBeam::Outcome ZeroBubbleBeam::finish(bool complete) const
{
    Outcome outcome;
    outcome.complete = complete && m_exact;
    int best = -1;
    for (int x = 0; x < m_count; ++x) {
        const ZeroBubblePartial state = m_shape.view(&m_current[at(x) * m_shape.words()]);
        Ticks span = 0;
        for (int j = 0; j < m_devices; ++j)
            span = std::max(span, state.clock[at(j)] - m_shape.stage(at(j)).firstStart);
        if (span < outcome.best.span) {
            outcome.best.span = span;
            best = x;
        }
    }
    if (best < 0)
        return outcome;
    const std::size_t length = 3 * at(m_microBatches);
    outcome.best.kinds.resize(at(m_devices) * length);
    std::vector<std::size_t> left(at(m_devices), length);
    for (int t = m_currentTrace[at(best)]; t >= 0; t = m_traces[at(t)].parent) {
        const std::size_t j = at(m_traces[at(t)].device);
        outcome.best.kinds[j * length + --left[j]] = m_traces[at(t)].kind;
    }
    return outcome;
}

ZeroBubbleBeam::Outcome ZeroBubbleBeam::run(Effort effort, Ticks below, ZeroBubbleBudget& budget)
{
    m_current.assign(std::max(m_current.size(), m_shape.words()), 0);
    m_currentTrace.assign(1, -1);
    m_traces.clear();
    m_lookAhead.reset();
    m_count = 1;
    bool complete = true;
    const int passes = 3 * m_devices * m_microBatches;
    for (int depth = 0; depth < passes; ++depth) {
        m_extensions.clear();
        m_work = 0;
        for (int x = 0; x < m_count; ++x)
            extend(x, effort, below);
        if ((depth & 7) == 0)
            budget.lookAtClock();
        if (budget.spent())
            return {};
        complete = keep(effort) && complete;
        budget.work -= m_work;
        if (m_count == 0)
            return {{}, complete && m_exact};
    }
    return finish(complete);
}

} // namespace pw
