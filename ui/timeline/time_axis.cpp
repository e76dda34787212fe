// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/time_axis.h"

#include "ui/timeline/view_range.h"

#include <QStyle>
#include <QStyleOption>
#include <QWidget>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace pw::ui {

namespace {

std::atomic<double> scaleOfLetters = 1;

} // namespace

double TimeAxis::letterScale()
{
    return scaleOfLetters;
}

void TimeAxis::setLetterScale(double scale)
{
    scaleOfLetters = std::max(1.0, scale);
}

int TimeAxis::letters(int usual)
{
    return static_cast<int>(std::lround(scaleOfLetters * usual));
}

int TimeAxis::gutter(const QWidget& view)
{
    QStyleOption option;
    option.initFrom(&view);
    return view.style()->pixelMetric(QStyle::PM_ScrollBarExtent, &option, &view);
}

double TimeAxis::right(const QWidget& view)
{
    return margin() + length(view);
}

int TimeAxis::margin(const ViewRange& range)
{
    return letters(usualMargin + range.widerTitles());
}

double TimeAxis::length(const QWidget& view)
{
    return std::max(1, view.width() - margin() - gutter(view));
}

double TimeAxis::length(const ViewRange& range, const QWidget& view)
{
    return std::max(1, view.width() - margin(range) - gutter(view));
}

QRectF TimeAxis::room(const QWidget& view)
{
    return {static_cast<double>(margin()), 0, length(view), static_cast<double>(view.height())};
}

QRectF TimeAxis::room(const ViewRange& range, const QWidget& view)
{
    return {static_cast<double>(margin(range)), 0, length(range, view),
            static_cast<double>(view.height())};
}

TimeScale TimeAxis::of(const ViewRange& range, const QWidget& view)
{
    return {range.begin(), range.length() / length(range, view),
            static_cast<double>(margin(range))};
}

TimeScale TimeAxis::ofAll(const ViewRange& range, const QWidget& view)
{
    return {range.farBegin(), (range.farEnd() - range.farBegin()) / length(range, view),
            static_cast<double>(margin(range))};
}

} // namespace pw::ui
