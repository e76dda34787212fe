// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/explanation.h"

#include "core/sim/explain.h"
#include "core/sim/explanation_parts.h"

namespace pw {

using namespace explaining; // NOLINT(google-build-using-namespace): its own parts

namespace {

/// Why an entry does not start sooner.
std::string whyThen(const Asked& asked, EntryId entry, Explanation& explanation)
{
    const DeviceId device = asked.deviceOf(entry);
    const bool first = entry == asked.schedule().begin(device);
    const Ticks start = asked.start(entry);
    const Ticks free = first ? 0 : asked.end(entry - 1);
    const auto input = asked.lastInput(entry);
    for (const HostCopy& copy : asked.result().copies)
        if (copy.needed == entry && copy.wait > 0 && copy.backEnd == start)
            return "It waits for its activation, which comes back from the host from " +
                   timeText(copy.backStart) + " to " + timeText(start) +
                   (start > free ? "; the device idles " + timeText(start - free) + " before it."
                                 : ".");
    if (start == free && !first) {
        explanation.entries.push_back(entry - 1);
        std::string words = "It starts as soon as " + onDevice(device) +
                            " is free: " + asked.name(entry - 1) + " ends at " + timeText(free);
        if (input && input->there <= start)
            words += start > input->there ? ", and all that it needs was there " +
                                                timeText(start - input->there) + " before"
                                          : ", and all that it needs comes at the same moment";
        return words + ".";
    }
    if (!input)
        return first && start == 0
                   ? "It needs nothing that another pass makes, and is the first on "
                     "its device."
                   : "It waits for the device that takes its last message.";
    if (input->there < start)
        return "What it needs was there at " + timeText(input->there) +
               "; the device was held up by a message until " + timeText(start) + ".";
    explanation.entries.push_back(input->entry);
    const DeviceId from = asked.deviceOf(input->entry);
    std::string words = "It waits for " + asked.name(input->entry);
    words += from == device ? " on the same device" : " on " + onDevice(from);
    words += ", which ends at " + timeText(input->produced);
    if (input->there > input->produced)
        words += ", and " + timeText(input->there - input->produced) + " for the message";
    if (start > free)
        words += "; the device idles " + timeText(start - free) + " before it";
    return words + ".";
}

/// What a longer entry would do to the end.
std::string whatIfLonger(const Asked& asked, EntryId entry)
{
    const Ticks length = asked.end(entry) - asked.start(entry);
    const Ticks by = std::max<Ticks>(length / 2, 1);
    const auto moved = asked.endMoves(entry, by);
    if (!moved)
        return "It is a pair: both of its passes start and end together.";
    const std::string half = "Were it " + timeText(by) + " longer, ";
    if (*moved <= 0)
        return half + "the end would not move: what comes after it has that much room.";
    if (*moved >= by)
        return half + "the whole would end " + timeText(*moved) +
               " later: it is on the critical path.";
    return half + "the whole would end " + timeText(*moved) + " later; the other " +
           timeText(by - *moved) + " would go into idle time.";
}

/// What would follow from less idle time.
std::string whatIfSooner(const Asked& asked, const Gap& gap)
{
    const SimResult& result = asked.result();
    if (gap.next < 0)
        return "The others still work, so this device waits for the end of the step; it has done "
               "its " +
               timeText(result.devices[static_cast<std::size_t>(gap.device)].busy) + " of work.";
    const auto cause =
        gap.reason == WaitReason::Dependency || gap.reason == WaitReason::Message
            ? std::optional(asked.schedule().entryOf(asked.schedule().table().id(gap.cause)))
            : std::nullopt;
    if (gap.reason == WaitReason::Reload)
        return "A faster link to the host, or the activation kept on the device, would fill it.";
    if (!cause)
        return "A higher limit on memory, or an order that frees sooner, would fill it.";
    const Ticks length = asked.end(*cause) - asked.start(*cause);
    const Ticks by = std::min(gap.end - gap.start, length);
    const auto moved = by > 0 ? asked.endMoves(*cause, -by) : std::nullopt;
    if (!moved)
        return "What it waits for takes no time of its own that could be less.";
    const std::string less = "Were " + asked.name(*cause) + " shorter by " + timeText(by) + ", ";
    return *moved < 0 ? less + "the whole would end " + timeText(-*moved) + " sooner."
                      : less + "the whole would end no sooner: other passes hold the end.";
}

Explanation explainGap(const Asked& asked, const Gap& gap, const std::vector<Gap>& all)
{
    const Ticks length = gap.end - gap.start;
    const Ticks makespan = asked.result().makespan;
    Explanation explanation;
    explanation.title = capital(onDevice(gap.device)) + " idles";
    Ticks idle = 0;
    for (const Gap& one : all)
        idle += one.end - one.start;
    explanation.sentences[0] = capital(onDevice(gap.device)) + " idles from " +
                               timeText(gap.start) + " to " + timeText(gap.end) + ": " +
                               timeText(length) + " of the " + timeText(idle) +
                               " that it idles in all, and " + explainedPercent(length, makespan) +
                               " of the makespan of " + timeText(makespan) + ".";
    if (gap.next >= 0) {
        explanation.entries.push_back(gap.next);
        const bool waits = gap.reason == WaitReason::Memory;
        explanation.sentences[1] =
            waits ? capital(gap.text) + "."
                  : capital(asked.name(gap.next)) + " comes next: it " + gap.text + ".";
        if (gap.reason == WaitReason::Dependency || gap.reason == WaitReason::Message)
            if (const PassId id = asked.schedule().table().id(gap.cause); asked.schedule().has(id))
                explanation.entries.push_back(asked.schedule().entryOf(id));
    } else {
        explanation.sentences[1] = "Its last pass has ended, and it has nothing left to do.";
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
    explanation.title = capital(asked.name(entry));
    explanation.sentences[0] = explanation.title + " runs on " + onDevice(asked.deviceOf(entry)) +
                               " from " + timeText(start) + " to " + timeText(end) + ": " +
                               timeText(end - start) + ", " +
                               explainedPercent(end - start, result.makespan) +
                               " of the makespan of " + timeText(result.makespan) + ".";
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
    return fail(ErrorCode::BadValue, "nothing is known of %1 at %2", onDevice(device),
                timeText(time));
}

} // namespace pw
