// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/live_lanes.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace pw::ui {

class LiveSource;
class TimelineView;
class TimelineWorkspace;

/// A run as it happens, below its plan and on the same axis of time: a line that says how far it
/// is, and the lanes of one iteration.
class LiveView : public QWidget
{
    Q_OBJECT

public:
    /// @param range  of the plan; grows where the run takes longer
    explicit LiveView(ViewRange& range, QWidget* parent = nullptr);

    void setHeading(const QString& heading);
    /// Null lanes: nothing has come yet.
    void setLanes(const IterationLanes& lanes);
    /// The plan shows up to here; the range holds both.
    void setPlanEnd(Ticks end);
    /// The run in the store that can be opened; 0: none.
    void setStored(qint64 number);
    TimelineView& timeline();

Q_SIGNALS:
    void closeAsked();
    void openAsked(qint64 number);
    /// What is under the pointer, in a sentence; empty: nothing.
    void told(const QString& sentence);

private:
    void holdBoth(bool complete);

    ViewRange& m_range;
    LiveSource* m_source;
    TimelineWorkspace* m_workspace;
    QLabel* m_heading;
    QToolButton* m_open;
    qint64 m_stored = 0;
    Ticks m_planEnd = 0;
    Ticks m_shownEnd = 0;
};

} // namespace pw::ui
