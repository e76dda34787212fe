// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/draft.h"

namespace pw {

Draft draftOf(const Schedule& schedule)
{
    return {schedule.spec(), schedule.orders()};
}

} // namespace pw
