// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QFontMetrics>
#include <QString>

namespace pw::ui {

/// What stands on the tab of a page: the title, its middle left out where it is so long that other
/// tabs, or its own button, would have no room. The end stays: it tells equal titles apart.
inline QString tabTitle(const QString& title, const QFontMetrics& metrics)
{
    constexpr int letters = 36;
    const QString line = title.simplified();
    return metrics.elidedText(line, Qt::ElideMiddle, letters * metrics.averageCharWidth());
}

} // namespace pw::ui
