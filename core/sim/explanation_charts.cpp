// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/sim/explain.h"
#include "core/sim/explanation.h"
#include "core/sim/explanation_parts.h"
#include "core/sim/metrics.h"

#include <array>

namespace pw {

using namespace explaining; // NOLINT(google-build-using-namespace): its own parts

namespace {

/// Activation of a device over time, as changes in time order; what is released counts before what
/// is added at the same time.
struct ShareChange
{
    Ticks time = 0;
    Share by = 0;
    EntryId entry{0};
};

std::vector<ShareChange> shareChanges(const Asked& asked, DeviceId device)
{
    std::vector<ShareChange> changes;
    const Schedule& schedule = asked.schedule();
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        const auto count = [&](const Pass& pass) {
            if (pass.kind == PassKind::U)
                return;
            const ActivationCost& cost =
                asked.costs().activation[cellIndex(schedule.spec(), pass.stage, pass.segment)];
            const Share by = activationChange(cost, pass.kind, schedule.recomputed(pass)).share;
            if (by != 0)
                changes.push_back({by > 0 ? asked.start(i) : asked.end(i), by, i});
        };
        count(entry.pass);
        if (entry.paired)
            count(entry.partner);
    }
    for (const HostCopy& copy : asked.result().copies) {
        if (copy.device != device || copy.share == 0)
            continue;
        changes.push_back({copy.outEnd, -copy.share, copy.forward});
        if (copy.needed >= 0)
            changes.push_back({copy.backStart, copy.share, copy.needed});
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const ShareChange& a, const ShareChange& b) {
                         return a.time != b.time ? a.time < b.time : a.by < b.by;
                     });
    return changes;
}

/// Until a time, the micro-batches that a device holds something of, by number.
std::vector<int> heldMicroBatches(const Asked& asked, const std::vector<ShareChange>& changes,
                                  std::size_t until)
{
    std::vector<std::pair<int, Share>> held;
    for (std::size_t i = 0; i <= until; ++i) {
        const int micro = asked.schedule().entry(changes[i].entry).pass.microBatch;
        const auto found = std::find_if(held.begin(), held.end(),
                                        [&](const auto& one) { return one.first == micro; });
        if (found == held.end())
            held.emplace_back(micro, changes[i].by);
        else
            found->second += changes[i].by;
    }
    std::vector<int> numbers;
    for (const auto& [micro, share] : held)
        if (share > 0)
            numbers.push_back(micro);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::string listed(const std::vector<int>& numbers)
{
    constexpr std::size_t most = 8;
    const bool row = numbers.size() > 2 &&
                     numbers.back() - numbers.front() == static_cast<int>(numbers.size()) - 1;
    if (row)
        return std::to_string(numbers.front()) + " to " + std::to_string(numbers.back());
    std::string words;
    for (std::size_t i = 0; i < std::min(numbers.size(), most); ++i)
        words += (i == 0                    ? ""
                  : i + 1 == numbers.size() ? " and "
                                            : ", ") +
                 std::to_string(numbers[i]);
    if (numbers.size() > most)
        words += " and " + std::to_string(numbers.size() - most) + " more";
    return words;
}

/// How long the device keeps a micro-batch: from its first start to its last end there, the mean.
Ticks meanKept(const Asked& asked, DeviceId device)
{
    const Schedule& schedule = asked.schedule();
    const auto count = static_cast<std::size_t>(schedule.spec().totalMicroBatches());
    std::vector<Ticks> from(count, -1), to(count, 0);
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        for (const Pass* pass : {&entry.pass, entry.paired ? &entry.partner : nullptr}) {
            if (pass == nullptr || pass->kind == PassKind::U)
                continue;
            const auto micro = static_cast<std::size_t>(pass->microBatch);
            if (from[micro] < 0)
                from[micro] = asked.start(i);
            to[micro] = std::max(to[micro], asked.end(i));
        }
    }
    double sum = 0;
    int there = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (from[i] < 0)
            continue;
        sum += static_cast<double>(to[i] - from[i]);
        ++there;
    }
    return there > 0 ? static_cast<Ticks>(sum / there + 0.5) : 0;
}

/// Idle time of a device before its first pass, between, and behind its last one.
std::array<Ticks, 3> idleParts(const SimResult& result, DeviceId device)
{
    const DeviceResult& one = result.devices[static_cast<std::size_t>(device)];
    return {one.firstStart, one.span() - one.busy, result.makespan - one.lastEnd};
}

std::string worstGap(const Asked& asked, DeviceId device, Explanation& explanation)
{
    const auto all = gaps(asked.schedule(), asked.costs(), asked.result(), device);
    if (all.empty())
        return capital(onDevice(device)) + " never idles: only less work, or more devices, would "
                                           "end sooner.";
    const auto longest = std::max_element(all.begin(), all.end(), [](const Gap& a, const Gap& b) {
        return a.end - a.start < b.end - b.start;
    });
    if (longest->next >= 0)
        explanation.entries.push_back(longest->next);
    std::string words =
        "The longest stretch is from " + timeText(longest->start) + " to " + timeText(longest->end);
    if (longest->next < 0)
        return words + ", behind its last pass.";
    if (longest->reason == WaitReason::Memory)
        return words + ": " + longest->text + ".";
    return words + ": " + asked.name(longest->next) + " " + longest->text + ".";
}

} // namespace

Result<Explanation> explainBubble(const Schedule& schedule, const Costs& costs,
                                  const SimResult& result, DeviceId device)
{
    PW_DO(checkDevice(schedule, device));
    const Asked asked(schedule, costs, result);
    Explanation explanation;
    DeviceId shown(device);
    if (device < 0) {
        Ticks busy = 0;
        shown = DeviceId(0);
        for (const DeviceId d : Ids<DeviceId>(schedule.devices())) {
            const auto at = static_cast<std::size_t>(d);
            busy += result.devices[at].busy;
            if (result.devices[at].busy < result.devices[static_cast<std::size_t>(shown)].busy)
                shown = d;
        }
        const Ticks room = result.makespan * schedule.devices();
        explanation.title = "Idle time";
        explanation.sentences[0] =
            "In " + timeText(result.makespan) +
            (schedule.devices() == 1
                 ? " the one device works " + timeText(busy) + " and idles "
                 : " the " + std::to_string(schedule.devices()) + " devices work " +
                       timeText(busy) + " together and idle ") +
            timeText(room - busy) + ": " + explainedPercent(room - busy, room) + "; " +
            onDevice(shown) + " idles most, " + timeText(wallBubble(result, shown).idle) + ".";
    } else {
        const Bubble wall = wallBubble(result, device), span = spanBubble(result, device);
        explanation.title = "Idle time of " + onDevice(device);
        explanation.sentences[0] =
            capital(onDevice(device)) + " idles " + timeText(wall.idle) + " of the makespan of " +
            timeText(wall.within) + ", " + explainedPercent(wall.idle, wall.within) +
            ", and between its own first start and last end " + timeText(span.idle) + " of " +
            timeText(span.within) + ", " + explainedPercent(span.idle, span.within) + ".";
    }
    const auto [before, between, after] = idleParts(result, shown);
    explanation.sentences[1] = "Of the idle time of " + onDevice(shown) + ", " + timeText(before) +
                               " lie before its first pass, " + timeText(between) +
                               " between its passes and " + timeText(after) +
                               " behind its last one; the first and the last do not grow with the "
                               "number of micro-batches.";
    explanation.sentences[2] = worstGap(asked, shown, explanation);
    return explanation;
}

Result<Explanation> explainMemory(const Schedule& schedule, const Costs& costs,
                                  const SimResult& result, DeviceId device)
{
    PW_DO(checkDevice(schedule, device));
    const Asked asked(schedule, costs, result);
    int least = 0, most = 0;
    for (int d = 1; d < schedule.devices(); ++d) {
        const auto peak = [&](int one) {
            return result.devices[static_cast<std::size_t>(one)].peakShare;
        };
        least = peak(d) < peak(least) ? d : least;
        most = peak(d) > peak(most) ? d : most;
    }
    const DeviceId shown(device < 0 ? most : device);
    const DeviceResult& own = result.devices[static_cast<std::size_t>(shown)];
    const std::vector<ShareChange> changes = shareChanges(asked, shown);
    Explanation explanation;
    explanation.title = "Memory of " + onDevice(shown);
    if (changes.empty()) {
        explanation.sentences = {capital(onDevice(shown)) + " keeps no activation.",
                                 "Its passes are not said to leave any behind.",
                                 "So nothing limits its order but time."};
        return explanation;
    }
    Share now = 0, top = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        now += changes[i].by;
        if (now > top) {
            top = now;
            at = i;
        }
    }
    explanation.entries = {changes[at].entry};
    const std::vector<int> held = heldMicroBatches(asked, changes, at);
    explanation.sentences[0] =
        capital(onDevice(shown)) + " holds the most at " + timeText(changes[at].time) + ", when " +
        (changes[at].time < asked.start(changes[at].entry)
             ? "the activation of " + asked.name(changes[at].entry) + " begins to come back: "
             : asked.name(changes[at].entry) + " starts: ") +
        explainedShare(own.peakShare) +
        (own.peakActivation > 0 ? ", " + byteText(own.peakActivation) : "") + ".";
    explanation.sentences[1] =
        "Then it keeps activations of " +
        (held.size() == 1 ? "micro-batch " : std::to_string(held.size()) + " micro-batches, ") +
        listed(held) + ": each stays from its first forward there until its backward frees it, " +
        timeText(meanKept(asked, shown)) + " in the mean" +
        (result.copies.empty() ? "." : ", less what is in the host's memory meanwhile.");
    const DeviceId other(shown == least ? most : least);
    explanation.sentences[2] =
        other == shown || result.devices[static_cast<std::size_t>(other)].peakShare == own.peakShare
            ? "All devices have the same peak."
            : capital(onDevice(other)) + " holds " +
                  explainedShare(result.devices[static_cast<std::size_t>(other)].peakShare) +
                  " at most, since it keeps a micro-batch for " + timeText(meanKept(asked, other)) +
                  " in the mean.";
    return explanation;
}

Explanation explainMakespan(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    const Asked asked(schedule, costs, result);
    Explanation explanation;
    explanation.title = "Makespan";
    const std::vector<CriticalEntry> path = criticalPath(schedule, costs, result);
    Ticks work = 0;
    int changes = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        work += asked.end(path[i].entry) - asked.start(path[i].entry);
        changes +=
            i > 0 && asked.deviceOf(path[i].entry) != asked.deviceOf(path[i - 1].entry) ? 1 : 0;
        explanation.entries.push_back(path[i].entry);
    }
    explanation.sentences[0] = "The whole takes " + timeText(result.makespan) + ": a chain of " +
                               std::to_string(path.size()) + " passes that take " + timeText(work) +
                               ", and " + timeText(result.makespan - work) +
                               " of messages and waits between them.";
    Ticks most = 0;
    DeviceId busiest{0};
    for (const DeviceId d : Ids<DeviceId>(schedule.devices()))
        if (result.devices[static_cast<std::size_t>(d)].busy > most) {
            most = result.devices[static_cast<std::size_t>(d)].busy;
            busiest = d;
        }
    explanation.sentences[1] = capital(onDevice(busiest)) + " has the most work, " +
                               timeText(most) +
                               ", so no order of these passes ends sooner; this "
                               "one takes " +
                               explainedPercent(result.makespan - most, most) + " longer.";
    explanation.sentences[2] =
        "The chain goes from device to device " + countText(changes, "time") + ", begins with " +
        (path.empty() ? "nothing" : asked.name(path.front().entry)) + " and ends with " +
        (path.empty() ? "nothing" : asked.name(path.back().entry)) +
        ": only what shortens a pass of it moves the end.";
    return explanation;
}

} // namespace pw
