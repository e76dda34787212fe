// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/last_input.h"

#include "core/sim/dependencies.h"

#include <vector>

namespace pw {

namespace {

InputArrival arrivalOf(const Schedule& schedule, const Costs& costs, const SimResult& result,
                       PassId consumer, const Dependency& need)
{
    InputArrival found;
    found.producer = need.producer;
    found.entry = schedule.entryOf(need.producer);
    found.produced = found.there = result.end[static_cast<std::size_t>(found.entry)];
    if (need.message) {
        const Bytes bytes = messageBytes(costs, schedule.spec(), schedule.pass(need.producer),
                                         schedule.kind(consumer));
        found.there = arrival(costs, schedule.spec(), schedule.device(need.producer),
                              schedule.device(consumer), bytes, found.produced);
    }
    return found;
}

} // namespace

std::optional<InputArrival> lastInput(const Schedule& schedule, const Costs& costs,
                                      const SimResult& result, EntryId entry)
{
    std::optional<InputArrival> last;
    std::vector<Dependency> needs;
    const Schedule::Places& here = schedule.places()[static_cast<std::size_t>(entry)];
    for (const PassId id : {here.first, here.second}) {
        if (!id.valid())
            continue;
        needs.clear();
        Dependencies(schedule).append(id, needs);
        for (const Dependency& need : needs) {
            const InputArrival input = arrivalOf(schedule, costs, result, id, need);
            if (!last || cameLater(input, *last))
                last = input;
        }
    }
    return last;
}

} // namespace pw
