// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_beam.h"

#include <algorithm>
#include <limits>

namespace pw {
namespace {

constexpr std::size_t beamBytes = 48u << 20;

/// Looking ahead over every pass costs much and pays only where the beam can become exhaustive.
constexpr int lookAheadCells = 512;

/// Where it rules out less than one in thirty, only one in sixteen partial schedules is looked at.
constexpr std::int64_t lookAheadGain = 30;
constexpr std::int64_t lookAheadSample = 16;

} // namespace

ZeroBubbleBeam::ZeroBubbleBeam(const ZeroBubbleProblem& problem, const ZeroBubbleBound& bound)
    : m_bound(bound)
    , m_devices(problem.devices)
    , m_microBatches(problem.microBatches)
    , m_exact(std::all_of(problem.backwardMemory.begin(), problem.backwardMemory.end(),
                          [](std::int64_t delta) { return delta <= 0; }))
    , m_stages(at(problem.devices))
    , m_headF(at(problem.devices) * at(problem.microBatches))
    , m_headB(m_headF.size())
{
    for (int j = 0; j < m_devices; ++j) {
        Stage& stage = m_stages[at(j)];
        stage.duration[zbF] = problem.forward[at(j)];
        stage.duration[zbB] = problem.backward[at(j)];
        stage.duration[zbW] = problem.weight[at(j)];
        stage.delta[zbF] = problem.forwardMemory[at(j)];
        stage.delta[zbB] = problem.backwardMemory[at(j)];
        stage.delta[zbW] = problem.weightMemory[at(j)];
        stage.limit = problem.memoryLimit[at(j)];
        stage.fromAbove = j > 0 ? problem.forwardLatency[at(j - 1)] : 0;
        stage.fromBelow = j + 1 < m_devices ? problem.backwardLatency[at(j)] : 0;
        stage.firstStart = bound.firstStart(j);
    }
}

std::size_t ZeroBubbleBeam::words() const
{
    return 2 * at(m_devices) * at(m_microBatches) + 4 * at(m_devices);
}

int ZeroBubbleBeam::widestBeam() const
{
    const std::size_t passes = 3 * at(m_devices) * at(m_microBatches);
    const std::size_t each = 2 * words() * sizeof(Ticks) + passes * sizeof(Trace);
    return static_cast<int>(std::min<std::size_t>(beamBytes / each, 1u << 20));
}

ZeroBubbleBeam::State ZeroBubbleBeam::view(Ticks* words) const
{
    const std::size_t p = at(m_devices);
    const std::size_t cells = p * at(m_microBatches);
    Ticks* const clock = words + 2 * cells;
    return {words, words + cells, clock, clock + p, clock + 2 * p, clock + 3 * p};
}

/// The passes that a device can run next: their input is known and memory allows them.
void ZeroBubbleBeam::collect(const State& state, DeviceId device, Choice& choice) const
{
    const std::size_t j = at(device);
    const Stage& stage = m_stages[j];
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
            std::max(clock, state.forwardEnd[cell(device - 1, f)] + stage.fromAbove);
    if (choice.open[zbB] && device + 1 < m_devices)
        choice.start[zbB] =
            std::max(clock, state.backwardEnd[cell(device + 1, b)] + stage.fromBelow);
    choice.device = device;
    choice.firstEnd = std::numeric_limits<Ticks>::max();
    for (int kind = 0; kind < 3; ++kind) {
        if (choice.open[kind])
            choice.firstEnd = std::min(choice.firstEnd, choice.start[kind] + stage.duration[kind]);
    }
}

/// The device that can end a pass first, and the passes that would start before that end.
ZeroBubbleBeam::Choice ZeroBubbleBeam::choose(const State& state) const
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
    const Stage& stage = m_stages[at(best.device)];
    for (int kind = 0; kind < 3; ++kind) {
        // the first to end itself may take no time
        best.open[kind] =
            best.open[kind] && (best.start[kind] < best.firstEnd ||
                                best.start[kind] + stage.duration[kind] == best.firstEnd);
    }
    return best;
}

/// What the device's own work and its next passes say about the final span.
Ticks ZeroBubbleBeam::deviceBound(const State& state, DeviceId device) const
{
    const std::size_t j = at(device);
    const Stage& stage = m_stages[j];
    const Ticks m = m_microBatches;
    const Ticks f = state.forwards[j];
    const Ticks b = state.backwards[j];
    const Ticks clock = state.clock[j];
    Ticks bound = clock + (m - f) * stage.duration[zbF] + (m - b) * stage.duration[zbB] +
                  (m - state.weights[j]) * stage.duration[zbW] - stage.firstStart;
    if (f < m) {
        Ticks start = clock;
        if (device > 0 && f < state.forwards[j - 1])
            start = std::max(start, state.forwardEnd[cell(device - 1, f)] + stage.fromAbove);
        bound = std::max(bound,
                         start + stage.duration[zbF] + m_bound.tailF(device, static_cast<int>(f)));
    }
    if (b < m) {
        Ticks start = clock;
        if (device + 1 < m_devices && b < state.backwards[j + 1])
            start = std::max(start, state.backwardEnd[cell(device + 1, b)] + stage.fromBelow);
        bound = std::max(bound,
                         start + stage.duration[zbB] + m_bound.tailB(device, static_cast<int>(b)));
    }
    return bound;
}

/// The earliest time at which memory lets F i of stage j start, given the look ahead so far.
Ticks ZeroBubbleBeam::forwardAfterMemory(const State& state, int j, int i) const
{
    const Stage& stage = m_stages[at(j)];
    const Ticks done = state.backwards[at(j)];
    const Ticks clock = state.clock[at(j)];
    const int fewest = m_bound.neededB(j, i);
    Ticks best = std::numeric_limits<Ticks>::max();
    for (Ticks b = std::max<Ticks>(fewest, done); b <= i; ++b) {
        const Ticks lastB = b > done ? m_headB[cell(j, b - 1)] : clock;
        if (lastB >= best)
            break;
        const int needed = m_bound.neededW(j, i, static_cast<int>(b - fewest));
        const Ticks w = std::max<Ticks>(0, needed - state.weights[at(j)]);
        const Ticks work = clock + (i - state.forwards[at(j)]) * stage.duration[zbF] +
                           (b - done) * stage.duration[zbB] + w * stage.duration[zbW];
        best = std::min(best,
                        std::max(lastB + (needed == b && w > 0 ? stage.duration[zbW] : 0), work));
        if (w == 0)
            break;
    }
    return best;
}

/// Looks ahead over every pass that is left; false if some device must end at `below` or later.
bool ZeroBubbleBeam::staysBelow(const State& state, Ticks below)
{
    const int p = m_devices;
    int first = m_microBatches;
    for (int j = 0; j < p; ++j)
        first = std::min(first, static_cast<int>(state.backwards[at(j)]));
    m_work += static_cast<std::int64_t>(2) * p * (m_microBatches - first);
    for (int i = first; i < m_microBatches; ++i) {
        for (int j = 0; j < p; ++j) {
            const Stage& stage = m_stages[at(j)];
            const std::size_t c = cell(j, i);
            const int f = static_cast<int>(state.forwards[at(j)]);
            if (i < f) {
                m_headF[c] = state.forwardEnd[c];
                continue;
            }
            Ticks start = state.clock[at(j)] + (i - f) * stage.duration[zbF];
            if (j > 0)
                start = std::max(start, m_headF[cell(j - 1, i)] + stage.fromAbove);
            if (m_bound.neededB(j, i) > 0)
                start = std::max(start, forwardAfterMemory(state, j, i));
            if (i > f)
                start = std::max(start, m_headF[c - 1]);
            m_headF[c] = start + stage.duration[zbF];
            if (m_headF[c] + m_bound.tailF(j, i) >= below)
                return false;
        }
        for (int j = p - 1; j >= 0; --j) {
            const Stage& stage = m_stages[at(j)];
            const std::size_t c = cell(j, i);
            const int b = static_cast<int>(state.backwards[at(j)]);
            if (i < b) {
                m_headB[c] = state.backwardEnd[c];
                continue;
            }
            const Ticks forwards = std::max<Ticks>(0, i + 1 - state.forwards[at(j)]);
            Ticks start =
                state.clock[at(j)] + (i - b) * stage.duration[zbB] + forwards * stage.duration[zbF];
            start = std::max(start, m_headF[c]);
            if (j + 1 < p)
                start = std::max(start, m_headB[cell(j + 1, i)] + stage.fromBelow);
            if (i > b)
                start = std::max(start, m_headB[c - 1]);
            m_headB[c] = start + stage.duration[zbB];
            if (m_headB[c] + m_bound.tailB(j, i) >= below)
                return false;
        }
    }
    return true;
}

/// Looks ahead unless that was of little use so far.
bool ZeroBubbleBeam::mayStayBelow(const State& state, Ticks below)
{
    ++m_asked;
    if (m_ruledOut * lookAheadGain < m_looked && m_asked % lookAheadSample != 0)
        return true;
    ++m_looked;
    const bool may = staysBelow(state, below);
    m_ruledOut += may ? 0 : 1;
    return may;
}

void ZeroBubbleBeam::apply(const State& state, DeviceId device, int kind, Ticks start) const
{
    const std::size_t j = at(device);
    const Ticks end = start + m_stages[j].duration[kind];
    state.clock[j] = end;
    if (kind == zbF)
        state.forwardEnd[cell(device, state.forwards[j]++)] = end;
    else if (kind == zbB)
        state.backwardEnd[cell(device, state.backwards[j]++)] = end;
    else
        ++state.weights[j];
}

/// Takes the last pass back. Its end stays in the tables, above the counts.
void ZeroBubbleBeam::revert(const State& state, DeviceId device, int kind, Ticks clock) const
{
    const std::size_t j = at(device);
    state.clock[j] = clock;
    --(kind == zbF ? state.forwards : kind == zbB ? state.backwards : state.weights)[j];
}

/// Adds the extensions of a partial schedule that can still end below the given span.
void ZeroBubbleBeam::extend(int parent, Effort effort, Ticks below)
{
    const State state = view(&m_current[at(parent) * words()]);
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
    const bool lookAhead = m_devices * m_microBatches <= lookAheadCells;
    for (int kind = 0; kind < 3; ++kind) {
        if (!choice.open[kind])
            continue;
        apply(state, j, kind, choice.start[kind]);
        Ticks bound = otherBound;
        Ticks sum = otherSum;
        for (DeviceId k(from); k <= to; ++k) {
            const Ticks own = deviceBound(state, k);
            bound = std::max(bound, own);
            sum += own;
        }
        m_work += 3;
        if (bound < below && (!lookAhead || mayStayBelow(state, below)))
            m_extensions.push_back({10 * m_devices * bound + effort.meanTenths * sum, parent,
                                    static_cast<std::uint16_t>(j), static_cast<std::uint8_t>(kind),
                                    choice.start[kind]});
        revert(state, j, kind, clock);
    }
}

/// True if a partial schedule with the same passes is nowhere later.
bool ZeroBubbleBeam::dominated(const State& state, std::uint64_t key) const
{
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t slot = key & mask; m_table[slot] >= 0; slot = (slot + 1) & mask) {
        const std::size_t index = at(m_table[slot]);
        if (m_keys[index] != key)
            continue;
        const State other = view(const_cast<Ticks*>(&m_next[index * words()]));
        bool sooner = true;
        for (int j = 0; j < m_devices && sooner; ++j) {
            const std::size_t k = at(j);
            sooner = other.clock[k] <= state.clock[k] && other.forwards[k] == state.forwards[k] &&
                     other.backwards[k] == state.backwards[k] &&
                     other.weights[k] == state.weights[k];
            // outputs that the neighbours still wait for
            if (j + 1 < m_devices) {
                for (Ticks i = state.forwards[k + 1]; i < state.forwards[k] && sooner; ++i)
                    sooner = other.forwardEnd[cell(j, i)] <= state.forwardEnd[cell(j, i)];
            }
            if (j > 0) {
                for (Ticks i = state.backwards[k - 1]; i < state.backwards[k] && sooner; ++i)
                    sooner = other.backwardEnd[cell(j, i)] <= state.backwardEnd[cell(j, i)];
            }
        }
        if (sooner)
            return true;
    }
    return false;
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
        apply(view(m_current.data()), DeviceId(only.device), only.kind, only.start);
        m_traces.push_back({m_currentTrace.front(), only.device, only.kind});
        m_currentTrace.front() = static_cast<int>(m_traces.size()) - 1;
        return m_extensions.size() == 1;
    }
    const std::size_t size = words();
    const std::size_t most = std::min(m_extensions.size(), at(effort.width));
    std::size_t slots = 16;
    while (slots < 2 * most)
        slots *= 2;
    m_table.assign(slots, -1);
    m_keys.clear();
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
        const State state = view(target);
        apply(state, DeviceId(extension.device), extension.kind, extension.start);
        std::uint64_t key = 1469598103934665603u;
        for (int k = 0; k < 3 * m_devices; ++k)
            key = (key ^ static_cast<std::uint64_t>(state.forwards[k])) * 1099511628211u;
        key ^= key >> 29;
        if (dominated(state, key))
            continue;
        const std::size_t mask = slots - 1;
        std::size_t slot = key & mask;
        while (m_table[slot] >= 0)
            slot = (slot + 1) & mask;
        m_table[slot] = count;
        m_keys.push_back(key);
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
        const State state = view(const_cast<Ticks*>(&m_current[at(x) * words()]));
        Ticks span = 0;
        for (int j = 0; j < m_devices; ++j)
            span = std::max(span, state.clock[at(j)] - m_stages[at(j)].firstStart);
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
    m_current.assign(std::max(m_current.size(), words()), 0);
    m_currentTrace.assign(1, -1);
    m_traces.clear();
    m_asked = m_looked = m_ruledOut = 0;
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
