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

Sentence listed(const std::vector<int>& numbers)
{
    constexpr std::size_t most = 8;
    if (numbers.empty())
        return {};
    const bool row = numbers.size() > 2 &&
                     numbers.back() - numbers.front() == static_cast<int>(numbers.size()) - 1;
    if (row)
        return said("%1 to %2", numbers.front(), numbers.back());
    const bool all = numbers.size() <= most;
    const std::size_t named = all ? numbers.size() - 1 : most;
    std::string words;
    for (std::size_t i = 0; i < named; ++i)
        words += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
    if (!all)
        return said("%1 and %2 more", words, numbers.size() - most);
    if (words.empty())
        return std::to_string(numbers.back());
    return said("%1 and %2", words, numbers.back());
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

/// What a device keeps at its peak, and for how long.
Sentence whatIsHeld(const Asked& asked, DeviceId device, const std::vector<int>& held)
{
    const Sentence which = held.size() == 1
                               ? said("micro-batch %1", held.front())
                               : said("%1 micro-batches, %2", held.size(), listed(held));
    const std::string kept = timeText(meanKept(asked, device));
    if (asked.result().copies.empty())
        return said("Then it keeps activations of %1: each stays from its first forward there "
                    "until its backward frees it, %2 in the mean.",
                    which, kept);
    return said("Then it keeps activations of %1: each stays from its first forward there until "
                "its backward frees it, %2 in the mean, less what is in the host's memory "
                "meanwhile.",
                which, kept);
}

/// Idle time of a device before its first pass, between, and behind its last one.
std::array<Ticks, 3> idleParts(const SimResult& result, DeviceId device)
{
    const DeviceResult& one = result.devices[static_cast<std::size_t>(device)];
    return {one.firstStart, one.span() - one.busy, result.makespan - one.lastEnd};
}

Sentence worstGap(const Asked& asked, DeviceId device, Explanation& explanation)
{
    const auto all = gaps(asked.schedule(), asked.costs(), asked.result(), device);
    if (all.empty())
        return said("Device %1 never idles: only less work, or more devices, would end sooner.",
                    device);
    const auto longest = std::max_element(all.begin(), all.end(), [](const Gap& a, const Gap& b) {
        return a.end - a.start < b.end - b.start;
    });
    const std::string from = timeText(longest->start), to = timeText(longest->end);
    if (longest->next < 0)
        return said("The longest stretch is from %1 to %2, behind its last pass.", from, to);
    explanation.entries.push_back(longest->next);
    if (longest->reason == WaitReason::Memory)
        return said("The longest stretch is from %1 to %2: %3.", from, to, longest->text);
    return said("The longest stretch is from %1 to %2: %3 %4.", from, to, asked.name(longest->next),
                longest->text);
}

/// How long a schedule takes beside what no order goes below, and why none does.
Sentence againstBound(Ticks makespan, const ProvenBound& bound)
{
    const Sentence proof = proofOf(bound);
    const std::string time = timeText(bound.time);
    if (!bound.fits)
        return said("It holds more than the memory limits; no order within them takes less than "
                    "%1: %2.",
                    time, proof);
    const bool capped = bound.within == ProvenBound::Within::Caps;
    if (makespan == bound.time)
        return capped
                   ? said("No order of this work within the memory limits takes less: %1.", proof)
                   : said("No order of this work in as much memory takes less: %1.", proof);
    const std::string more = explainedPercent(makespan - bound.time, bound.time);
    return capped ? said("No order of this work within the memory limits takes less than %1; this "
                         "one takes %2 longer: %3.",
                         time, more, proof)
                  : said("No order of this work in as much memory takes less than %1; this one "
                         "takes %2 longer: %3.",
                         time, more, proof);
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
        explanation.title = said("Idle time");
        const std::string idle = timeText(room - busy);
        const std::string rate = explainedPercent(room - busy, room);
        const std::string most = timeText(wallBubble(result, shown).idle);
        explanation.sentences[0] =
            schedule.devices() == 1
                ? said("In %1 the one device works %2 and idles %3: %4.", timeText(result.makespan),
                       timeText(busy), idle, rate)
                : said("In %1 the %2 devices work %3 together and idle %4: %5; device %6 idles "
                       "most, %7.",
                       timeText(result.makespan), schedule.devices(), timeText(busy), idle, rate,
                       shown, most);
    } else {
        const Bubble wall = wallBubble(result, device), span = spanBubble(result, device);
        explanation.title = said("Idle time of device %1", device);
        explanation.sentences[0] =
            said("Device %1 idles %2 of the makespan of %3, %4, and between its own first start "
                 "and last end %5 of %6, %7.",
                 device, timeText(wall.idle), timeText(wall.within),
                 explainedPercent(wall.idle, wall.within), timeText(span.idle),
                 timeText(span.within), explainedPercent(span.idle, span.within));
    }
    const auto [before, between, after] = idleParts(result, shown);
    explanation.sentences[1] =
        said("Of the idle time of device %1, %2 lie before its first pass, %3 between its passes "
             "and %4 behind its last one; the first and the last do not grow with the number of "
             "micro-batches.",
             shown, timeText(before), timeText(between), timeText(after));
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
    explanation.title = said("Memory of device %1", shown);
    if (changes.empty()) {
        explanation.sentences = {said("Device %1 keeps no activation.", shown),
                                 said("Its passes are not said to leave any behind."),
                                 said("So nothing limits its order but time.")};
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
    const Sentence share = explainedShare(own.peakShare);
    const Sentence amount =
        own.peakActivation > 0 ? said("%1, %2", share, byteText(own.peakActivation)) : share;
    const std::string when = timeText(changes[at].time);
    const Sentence begins = asked.name(changes[at].entry);
    if (changes[at].time < asked.start(changes[at].entry))
        explanation.sentences[0] = said("Device %1 holds the most at %2, when the activation of %3 "
                                        "begins to come back: %4.",
                                        shown, when, begins, amount);
    else
        explanation.sentences[0] = said("Device %1 holds the most at %2, when %3 starts: %4.",
                                        shown, when, begins, amount);
    explanation.sentences[1] = whatIsHeld(asked, shown, held);
    const DeviceId other(shown == least ? most : least);
    const Share others = result.devices[static_cast<std::size_t>(other)].peakShare;
    if (other == shown || others == own.peakShare)
        explanation.sentences[2] = said("All devices have the same peak.");
    else
        explanation.sentences[2] =
            said("Device %1 holds %2 at most, since it keeps a micro-batch "
                 "for %3 in the mean.",
                 other, explainedShare(others), timeText(meanKept(asked, other)));
    return explanation;
}

Explanation explainMakespan(const Schedule& schedule, const Costs& costs, const SimResult& result,
                            const ProvenBound& bound)
{
    const Asked asked(schedule, costs, result);
    Explanation explanation;
    explanation.title = said("Makespan");
    const std::vector<CriticalEntry> path = criticalPath(schedule, costs, result);
    Ticks work = 0;
    int changes = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        work += asked.end(path[i].entry) - asked.start(path[i].entry);
        changes +=
            i > 0 && asked.deviceOf(path[i].entry) != asked.deviceOf(path[i - 1].entry) ? 1 : 0;
        explanation.entries.push_back(path[i].entry);
    }
    explanation.sentences[0] = said("The whole takes %1: a chain of %2 passes that take %3, and %4 "
                                    "of messages and waits between them.",
                                    timeText(result.makespan), path.size(), timeText(work),
                                    timeText(result.makespan - work));
    explanation.sentences[1] = againstBound(result.makespan, bound);
    const Sentence first = path.empty() ? said("nothing") : asked.name(path.front().entry);
    const Sentence last = path.empty() ? said("nothing") : asked.name(path.back().entry);
    explanation.sentences[2] =
        said("The chain goes from device to device %1, begins with %2 and ends with %3: only what "
             "shortens a pass of it moves the end.",
             counted(changes, "%1 time", "%1 times"), first, last);
    return explanation;
}

} // namespace pw
