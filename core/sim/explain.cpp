// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/explain.h"

#include "core/base/text.h"
#include "core/sim/last_input.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <optional>

namespace pw {

namespace {

class Explainer
{
public:
    Explainer(const Schedule& schedule, const Costs& costs, const SimResult& result)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_result(result)
    {
    }

    std::optional<InputArrival> lastInput(EntryId entry) const
    {
        return pw::lastInput(m_schedule, m_costs, m_result, entry);
    }

    /// The copy that an entry waited for until it started; null where it did not.
    const HostCopy* lateCopy(EntryId entry) const
    {
        const Ticks start = m_result.start[static_cast<std::size_t>(entry)];
        for (const HostCopy& copy : m_result.copies)
            if (copy.needed == entry && copy.wait > 0 && copy.backEnd == start)
                return &copy;
        return nullptr;
    }

    Sentence producerText(const InputArrival& input) const
    {
        return said("%1 (device %2)", describe(m_schedule.pass(input.producer), m_schedule.spec()),
                    m_schedule.device(input.producer));
    }

    const Schedule& schedule() const { return m_schedule; }

private:
    const Schedule& m_schedule;
    const Costs& m_costs;
    const SimResult& m_result;
};

/// Finds F passes that could have run in a gap, were it not for a cap.
class CapWatch
{
public:
    CapWatch(const Schedule& schedule, const Costs& costs, const SimResult& result, DeviceId device)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_copies(result.copies)
        , m_device(device)
    {
        if (!costs.memoryCap.empty())
            m_cap = costs.memoryCap[static_cast<std::size_t>(device)];
        if (m_cap > 0) {
            m_standing = standingMemory(costs, schedule.spec())[device.index()];
            m_curve = memoryCurve(schedule, costs, result, device);
        }
        if (costs.shareCap > 0)
            countShares();
        if (m_cap > 0 || costs.shareCap > 0)
            findForwards();
    }

    /// The F that was ready by `from` but would not have fitted; none where memory is not the
    /// reason.
    std::optional<Pass> blocked(const Explainer& explainer, EntryId after, Ticks from) const
    {
        if (m_cap == 0 && m_costs.shareCap == 0)
            return std::nullopt;
        const EntryId begin = m_schedule.begin(m_device);
        const EntryId forward(m_nextForward[static_cast<std::size_t>(after - begin)]);
        // The gap's own next pass waits for its input, not for memory.
        if (forward == after || forward == m_schedule.end(m_device))
            return std::nullopt;
        const auto input = explainer.lastInput(forward);
        if (input && input->there > from)
            return std::nullopt;
        const Pass pass = m_schedule.entry(forward).pass;
        const auto adds = activationChange(cost(pass), pass.kind, m_schedule.recomputed(pass));
        const bool bytes = m_cap > 0 && bytesAt(from, adds.bytes) > m_cap;
        const Share held = after == begin || m_shares.empty()
                               ? 0
                               : m_shares[static_cast<std::size_t>(after - 1 - begin)];
        const bool share =
            m_costs.shareCap > 0 && held - away(after, from) + adds.share > m_costs.shareCap;
        if (!bytes && !share)
            return std::nullopt;
        return pass;
    }

private:
    /// All that is held at a time, with more activations than there are.
    Bytes bytesAt(Ticks time, Bytes more) const
    {
        auto it = std::upper_bound(
            m_curve.begin(), m_curve.end(), time,
            [](Ticks value, const MemoryPoint& point) { return value < point.time; });
        if (it == m_curve.begin())
            return more;
        const MemoryPoint& point = *std::prev(it);
        return point.of(MemoryKind::Versions) + m_standing.with(point.activation() + more);
    }

    /// Of what passes before an entry have left, what is on the host alone at a time.
    Share away(EntryId entry, Ticks time) const
    {
        Share share = 0;
        for (const HostCopy& copy : m_copies)
            if (copy.device == m_device && copy.forward < entry && copy.outEnd <= time &&
                (copy.needed < 0 || copy.backStart > time))
                share += copy.share;
        return share;
    }

    const ActivationCost& cost(const Pass& pass) const
    {
        return m_costs.activation[cellIndex(m_schedule.spec(), pass.stage, pass.segment)];
    }

    void countShares()
    {
        Share now = 0;
        auto count = [&](const Pass& pass) {
            now += activationChange(cost(pass), pass.kind, m_schedule.recomputed(pass)).share;
        };
        for (const EntryId i : m_schedule.entries(m_device)) {
            const OrderEntry entry = m_schedule.entry(i);
            count(entry.pass);
            if (entry.paired)
                count(entry.partner);
            m_shares.push_back(now);
        }
    }

    /// For every entry the next one from it on that begins with an F.
    void findForwards()
    {
        EntryId next = m_schedule.end(m_device);
        m_nextForward.resize(static_cast<std::size_t>(next - m_schedule.begin(m_device)));
        for (EntryId i(next); i-- > m_schedule.begin(m_device);) {
            if (m_schedule.places()[static_cast<std::size_t>(i)].kind() == PassKind::F)
                next = i;
            m_nextForward[static_cast<std::size_t>(i - m_schedule.begin(m_device))] = next;
        }
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    const std::vector<HostCopy>& m_copies;
    DeviceId m_device{0};
    Bytes m_cap = 0;
    StandingMemory m_standing;
    std::vector<MemoryPoint> m_curve;
    std::vector<Share> m_shares;             // held after each entry
    std::vector<std::int32_t> m_nextForward; // by entry, see `findForwards`
};

Gap explained(const Explainer& explainer, const CapWatch& watch, Gap gap)
{
    const PipelineSpec& spec = explainer.schedule().spec();
    if (const HostCopy* copy = explainer.lateCopy(gap.next)) {
        gap.reason = WaitReason::Reload;
        gap.cause = copy->cell;
        gap.text = said("waits for its activation, which comes back from the host from %1 to %2",
                        millisecondText(copy->backStart), millisecondText(copy->backEnd));
        return gap;
    }
    if (const auto pass = watch.blocked(explainer, gap.next, gap.start)) {
        gap.reason = WaitReason::Memory;
        gap.cause = *pass;
        gap.text =
            said("%1 could run, but there is no memory for its activation", describe(*pass, spec));
        return gap;
    }
    const auto input = explainer.lastInput(gap.next);
    if (!input || input->there < gap.end) {
        // Nothing but a committed message can hold an entry beyond its inputs.
        gap.reason = WaitReason::Message;
        gap.text = said("waits until the receiver of its last result has come to the receive");
        return gap;
    }
    const Ticks flight = input->there - input->produced;
    gap.cause = explainer.schedule().pass(input->producer);
    const bool onlyMessage = flight > 0 && input->produced <= gap.start;
    gap.reason = onlyMessage ? WaitReason::Message : WaitReason::Dependency;
    const Sentence producer = explainer.producerText(*input);
    if (onlyMessage)
        gap.text = said("waits for the message of %1", producer);
    else if (flight > 0)
        gap.text = said("waits for %1, which ends at %2, and %3 for its message", producer,
                        millisecondText(input->produced), millisecondText(flight));
    else
        gap.text =
            said("waits for %1, which ends at %2", producer, millisecondText(input->produced));
    return gap;
}

} // namespace

std::vector<CriticalEntry> criticalPath(const Schedule& schedule, const Costs& costs,
                                        const SimResult& result)
{
    std::vector<CriticalEntry> path;
    if (result.end.empty())
        return path;
    const Explainer explainer(schedule, costs, result);
    EntryId entry(std::max_element(result.end.begin(), result.end.end()) - result.end.begin());
    while (entry >= 0) {
        const Ticks start = result.start[static_cast<std::size_t>(entry)];
        const Schedule::Places& here = schedule.places()[static_cast<std::size_t>(entry)];
        const bool first = entry == schedule.begin(schedule.device(here.first));
        const bool afterOther = !first && result.end[static_cast<std::size_t>(entry - 1)] == start;
        const auto input = explainer.lastInput(entry);
        if (!first && explainer.lateCopy(entry) != nullptr) {
            path.push_back({entry, WaitReason::Reload});
            --entry;
        } else if (afterOther) {
            path.push_back({entry, WaitReason::Order});
            --entry;
        } else if (input && input->there == start) {
            const bool flight = input->there > input->produced;
            path.push_back({entry, flight ? WaitReason::Message : WaitReason::Dependency});
            entry = schedule.entryOf(input->producer);
        } else {
            // The first entry of all, or one held by a committed message: its own device is the way
            // back.
            path.push_back({entry, first ? WaitReason::Start : WaitReason::Message});
            entry = EntryId(first ? -1 : entry - 1);
        }
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<Gap> gaps(const Schedule& schedule, const Costs& costs, const SimResult& result,
                      DeviceId device)
{
    std::vector<Gap> found;
    const Explainer explainer(schedule, costs, result);
    const CapWatch watch(schedule, costs, result, device);
    Ticks now = 0;
    for (const EntryId i : schedule.entries(device)) {
        const Ticks start = result.start[static_cast<std::size_t>(i)];
        if (start > now) {
            Gap gap;
            gap.device = device;
            gap.start = now;
            gap.end = start;
            gap.next = i;
            found.push_back(explained(explainer, watch, gap));
        }
        now = result.end[static_cast<std::size_t>(i)];
    }
    if (now < result.makespan) {
        Gap gap;
        gap.device = device;
        gap.start = now;
        gap.end = result.makespan;
        gap.text = said("nothing left to do");
        found.push_back(gap);
    }
    return found;
}

} // namespace pw
