// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compared_schedule.h"

#include "ui/document/schedule_document.h"

namespace pw::ui {

ComparedPtr comparedSchedule(const ScheduleDocument& document, const QString& title)
{
    if (document.schedule() == nullptr)
        return nullptr;
    auto compared = std::make_shared<Compared>();
    compared->title = title;
    compared->schedule = document.schedule();
    compared->times = document.result();
    compared->lanes = document.lanes();
    compared->memory = wholePeak(*compared->schedule, document.costs(), compared->times);
    compared->costs = std::make_shared<const Costs>(document.costs());
    return compared;
}

} // namespace pw::ui
