// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/time_axis.h"
#include "ui/timeline/view_range.h"

#include <QAbstractScrollArea>

#include <optional>
#include <utility>

namespace pw::ui {

/// From when to when; the first is before the second.
using TimeStretch = std::pair<Ticks, Ticks>;

/// Lanes over a range of time, whatever they are made of: what those need to know who put axis,
/// overview and sums around them.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit LaneView(ViewRange& range, QWidget* parent = nullptr);

    ViewRange& range() { return m_range; }
    /// Where times are on the viewport.
    TimeScale scale() const { return TimeAxis::of(m_range, *this); }

    /// The stretch of time that is marked, all lanes through; none: nothing.
    virtual std::optional<TimeStretch> stretch() const = 0;
    virtual void setStretch(std::optional<TimeStretch> stretch) = 0;

Q_SIGNALS:
    void selectionChanged();
    void stretchChanged();

protected:
    ViewRange& m_range;
};

} // namespace pw::ui
