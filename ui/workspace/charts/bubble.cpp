// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/timeline_chart.h"

#include <QCoreApplication>

namespace pw::ui::charts {

TimelineChart bubble();
TimelineChart bubble()
{
    return {.id = bubbleChart,
            .title = QT_TRANSLATE_NOOP("TimelineChart", "Bubble"),
            .menu = QT_TRANSLATE_NOOP("TimelineChart", "&Bubble"),
            .place = 20,
            .usual = true,
            .curves = nullptr,
            .lastIsTrial = false};
}

} // namespace pw::ui::charts
