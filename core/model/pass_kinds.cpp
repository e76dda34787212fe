// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/pass_kinds.h"

namespace pw {

std::array<bool, passKindCount> kindsOf(const Schedule& schedule)
{
    std::array<bool, passKindCount> has{};
    for (const Schedule::Places& places : schedule.places())
        for (const PassId id : {places.first, places.second})
            if (id.valid())
                has[static_cast<std::size_t>(schedule.kind(id))] = true;
    return has;
}

bool hasKind(const Schedule& schedule, PassKind kind)
{
    return kindsOf(schedule)[static_cast<std::size_t>(kind)];
}

} // namespace pw
