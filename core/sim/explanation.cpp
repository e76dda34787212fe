// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/explanation.h"

#include "core/sim/explain.h"
#include "core/sim/explanation_parts.h"

namespace pw {

using namespace explaining; // NOLINT(google-build-using-namespace): its own parts

namespace {

/// Of an entry that waits for an input.
Sentence waitsForInput(const Asked& asked, DeviceId device, const InputArrival& input, Ticks start,
                       Ticks free)
{
    const DeviceId from = asked.deviceOf(input.entry);
    const Sentence pass = asked.name(input.entry);
    const Sentence there =
        from == device ? said("%1 on the same device", pass) : said("%1 on device %2", pass, from);
    const std::string end = timeText(input.produced);
    const std::string message = timeText(input.there - input.produced);
    const std::string idle = timeText(start - free);
    const bool travels = input.there > input.produced;
    if (start > free && travels)
        return said("It waits for %1, which ends at %2, and %3 for the message; the device idles "
                    "%4 before it.",
                    there, end, message, idle);
    if (start > free)
        return said("It waits for %1, which ends at %2; the device idles %3 before it.", there, end,
                    idle);
    if (travels)
        return said("It waits for %1, which ends at %2, and %3 for the message.", there, end,
                    message);
    return said("It waits for %1, which ends at %2.", there, end);
}

/// Why an entry does not start sooner.
Sentence whyThen(const Asked& asked, EntryId entry, Explanation& explanation)
{
    const DeviceId device = asked.deviceOf(entry);
    const bool first = entry == asked.schedule().begin(device);
    const Ticks start = asked.start(entry);
    const Ticks free = first ? 0 : asked.end(entry - 1);
    const auto input = asked.lastInput(entry);
    for (const HostCopy& copy : asked.result().copies) {
        if (copy.needed != entry || copy.wait <= 0 || copy.backEnd != start)
            continue;
        if (start > free)
            return said("It waits for its activation, which comes back from the host from %1 to "
                        "%2; the device idles %3 before it.",
                        timeText(copy.backStart), timeText(start), timeText(start - free));
        return said("It waits for its activation, which comes back from the host from %1 to %2.",
                    timeText(copy.backStart), timeText(start));
    }
    if (start == free && !first) {
        explanation.entries.push_back(entry - 1);
        const Sentence before = asked.name(entry - 1);
        if (!input || input->there > start)
            return said("It starts as soon as device %1 is free: %2 ends at %3.", device, before,
                        timeText(free));
        if (start > input->there)
            return said("It starts as soon as device %1 is free: %2 ends at %3, and all that it "
                        "needs was there %4 before.",
                        device, before, timeText(free), timeText(start - input->there));
        return said("It starts as soon as device %1 is free: %2 ends at %3, and all that it needs "
                    "comes at the same moment.",
                    device, before, timeText(free));
    }
    if (!input && first && start == 0)
        return said("It needs nothing that another pass makes, and is the first on its device.");
    if (!input)
        return said("It waits for the device that takes its last message.");
    if (input->there < start)
        return said("What it needs was there at %1; the device was held up by a message until %2.",
                    timeText(input->there), timeText(start));
    explanation.entries.push_back(input->entry);
    return waitsForInput(asked, device, *input, start, free);
}

/// What a longer entry would do to the end.
Sentence whatIfLonger(const Asked& asked, EntryId entry)
{
    const Ticks length = asked.end(entry) - asked.start(entry);
    const Ticks by = std::max<Ticks>(length / 2, 1);
    const auto moved = asked.endMoves(entry, by);
    if (!moved)
        return said("It is a pair: both of its passes start and end together.");
    if (*moved <= 0)
        return said("Were it %1 longer, the end would not move: what comes after it has that much "
                    "room.",
                    timeText(by));
    if (*moved >= by)
        return said("Were it %1 longer, the whole would end %2 later: it is on the critical path.",
                    timeText(by), timeText(*moved));
    return said("Were it %1 longer, the whole would end %2 later; the other %3 would go into idle "
                "time.",
                timeText(by), timeText(*moved), timeText(by - *moved));
}

/// What would follow from less idle time.
Sentence whatIfSooner(const Asked& asked, const Gap& gap)
{
    const SimResult& result = asked.result();
    if (gap.next < 0)
        return said("The others still work, so this device waits for the end of the step; it has "
                    "done its %1 of work.",
                    timeText(result.devices[static_cast<std::size_t>(gap.device)].busy));
    const auto cause =
        gap.reason == WaitReason::Dependency || gap.reason == WaitReason::Message
            ? std::optional(asked.schedule().entryOf(asked.schedule().table().id(gap.cause)))
            : std::nullopt;
    if (gap.reason == WaitReason::Reload)
        return said("A faster link to the host, or the activation kept on the device, would fill "
                    "it.");
    if (!cause)
        return said("A higher limit on memory, or an order that frees sooner, would fill it.");
    const Ticks length = asked.end(*cause) - asked.start(*cause);
    const Ticks by = std::min(gap.end - gap.start, length);
    const auto moved = by > 0 ? asked.endMoves(*cause, -by) : std::nullopt;
    if (!moved)
        return said("What it waits for takes no time of its own that could be less.");
    if (*moved < 0)
        return said("Were %1 shorter by %2, the whole would end %3 sooner.", asked.name(*cause),
                    timeText(by), timeText(-*moved));
    return said("Were %1 shorter by %2, the whole would end no sooner: other passes hold the end.",
                asked.name(*cause), timeText(by));
}

Explanation explainGap(const Asked& asked, const Gap& gap, const std::vector<Gap>& all)
{
    const Ticks length = gap.end - gap.start;
    const Ticks makespan = asked.result().makespan;
    Explanation explanation;
    explanation.title = said("Device %1 idles", gap.device);
    Ticks idle = 0;
    for (const Gap& one : all)
        idle += one.end - one.start;
    explanation.sentences[0] =
        said("Device %1 idles from %2 to %3: %4 of the %5 that it idles in "
             "all, and %6 of the makespan of %7.",
             gap.device, timeText(gap.start), timeText(gap.end), timeText(length), timeText(idle),
             explainedPercent(length, makespan), timeText(makespan));
    if (gap.next >= 0) {
        explanation.entries.push_back(gap.next);
        if (gap.reason == WaitReason::Memory)
            explanation.sentences[1] = said("%1.", gap.text);
        else
            explanation.sentences[1] =
                said("%1 comes next: it %2.", asked.name(gap.next), gap.text);
        if (gap.reason == WaitReason::Dependency || gap.reason == WaitReason::Message)
            if (const PassId id = asked.schedule().table().id(gap.cause); asked.schedule().has(id))
                explanation.entries.push_back(asked.schedule().entryOf(id));
    } else {
        explanation.sentences[1] = said("Its last pass has ended, and it has nothing left to do.");
    }
    explanation.sentences[2] = whatIfSooner(asked, gap);
    return explanation;
}

} // namespace

Explanation explainEntry(const Schedule& schedule, const Costs& costs, const SimResult& result,
                         EntryId entry)
{
    const Asked asked(schedule, costs, result);
    Explanation explanation;
    explanation.entries = {entry};
    const Ticks start = asked.start(entry), end = asked.end(entry);
    explanation.title = asked.name(entry);
    explanation.sentences[0] =
        said("%1 runs on device %2 from %3 to %4: %5, %6 of the makespan of %7.", explanation.title,
             asked.deviceOf(entry), timeText(start), timeText(end), timeText(end - start),
             explainedPercent(end - start, result.makespan), timeText(result.makespan));
    explanation.sentences[1] = whyThen(asked, entry, explanation);
    explanation.sentences[2] = whatIfLonger(asked, entry);
    return explanation;
}

Result<Explanation> explainAt(const Schedule& schedule, const Costs& costs, const SimResult& result,
                              DeviceId device, Ticks time)
{
    if (auto known = checkDevice(schedule, device); !known || device < 0)
        return fail(ErrorCode::BadValue,
                    known ? "a device has to be named" : known.error().message);
    if (time < 0 || time >= result.makespan)
        return fail(ErrorCode::BadValue, "%1 is not within the makespan of %2", timeText(time),
                    timeText(result.makespan));
    for (const EntryId i : schedule.entries(device)) {
        const auto at = static_cast<std::size_t>(i);
        if (result.start[at] <= time && time < result.end[at])
            return explainEntry(schedule, costs, result, i);
    }
    const auto all = gaps(schedule, costs, result, device);
    for (const Gap& gap : all)
        if (gap.start <= time && time < gap.end)
            return explainGap(Asked(schedule, costs, result), gap, all);
    return fail(ErrorCode::BadValue, "nothing is known of device %1 at %2", device, timeText(time));
}

} // namespace pw
