// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/time_axis.h"

#include "ui/timeline/view_range.h"

#include <QStyle>
#include <QStyleOption>
#include <QWidget>

#include <algorithm>

namespace pw::ui {

int TimeAxis::gutter(const QWidget& view)
{
    QStyleOption option;
    option.initFrom(&view);
    return view.style()->pixelMetric(QStyle::PM_ScrollBarExtent, &option, &view);
}

double TimeAxis::right(const QWidget& view)
{
    return margin + length(view);
}

double TimeAxis::length(const QWidget& view)
{
    return std::max(1, view.width() - margin - gutter(view));
}

QRectF TimeAxis::room(const QWidget& view)
{
    return {margin, 0, length(view), static_cast<double>(view.height())};
}

TimeScale TimeAxis::of(const ViewRange& range, const QWidget& view)
{
    return {range.begin(), range.length() / length(view), margin};
}

TimeScale TimeAxis::ofAll(const ViewRange& range, const QWidget& view)
{
    return {range.farBegin(), (range.farEnd() - range.farBegin()) / length(view), margin};
}

} // namespace pw::ui
