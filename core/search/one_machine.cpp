// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/one_machine.h"

#include <queue>

#include <algorithm>
#include <utility>

namespace pw {

Ticks onePreemptiveMachine(std::vector<MachineJob>& jobs, Ticks from)
{
    std::sort(jobs.begin(), jobs.end(),
              [](const MachineJob& a, const MachineJob& b) { return a.head < b.head; });
    std::priority_queue<std::pair<Ticks, Ticks>> open; // tail, time left
    Ticks now = from, most = 0;
    std::size_t next = 0;
    while (next < jobs.size() || !open.empty()) {
        if (open.empty())
            now = std::max(now, jobs[next].head);
        while (next < jobs.size() && jobs[next].head <= now) {
            open.emplace(jobs[next].tail, jobs[next].time);
            ++next;
        }
        const auto [tail, left] = open.top();
        open.pop();
        const Ticks until = next < jobs.size() ? std::min(now + left, jobs[next].head) : now + left;
        if (until < now + left)
            open.emplace(tail, left - (until - now));
        else
            most = std::max(most, until + tail);
        now = until;
    }
    return most;
}

} // namespace pw
