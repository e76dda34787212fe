// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/draft.h"

namespace pw {

Draft draftOf(const Schedule& schedule)
{
    return {schedule.spec(), schedule.orders()};
}

std::string placed(const Problem& problem)
{
    if (problem.position < 0)
        return problem.text;
    return "device " + std::to_string(problem.device) + ", entry " +
           std::to_string(problem.position) + ": " + problem.text;
}

} // namespace pw
