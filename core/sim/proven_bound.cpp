// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/proven_bound.h"

#include "core/base/text.h"

namespace pw {

Sentence ordersOf(const ProvenBound& bound)
{
    return bound.within == ProvenBound::Within::Caps
               ? said("of any order of this work within the memory limits")
               : said("of any order of this work in as much memory");
}

Sentence proofOf(const ProvenBound& bound)
{
    if (bound.searched)
        return said("every order was looked at");
    const std::string first = timeText(bound.first), work = timeText(bound.work);
    const std::string behind = timeText(bound.behind);
    if (bound.waits() == 0)
        return said("device %1 starts after %2 at the earliest, works for %3, and %4 follow behind "
                    "its last pass",
                    bound.device, first, work, behind);
    return said("device %1 starts after %2 at the earliest, works for %3, waits for at least %4, "
                "and %5 follow behind its last pass",
                bound.device, first, work, timeText(bound.waits()), behind);
}

} // namespace pw
