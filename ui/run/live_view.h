// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/live_lanes.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace pw::ui {

class EmptyNote;
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
    /// What stands in the place of lanes where none has come.
    void setEmptyText(const QString& sentence);
    /// The plan shows up to here; the range holds both.
    void setPlanEnd(Ticks end);
    /// The run in the store that can be opened; 0: none.
    void setStored(qint64 number);
    /// Whether its times can be taken over. @param far  the plan's say nothing of this machine
    void setUsable(bool usable, bool far);
    TimelineView& timeline();

Q_SIGNALS:
    void closeAsked();
    void openAsked(qint64 number);
    /// The times of the run are to become the costs of the schedule.
    void timesAsked(qint64 number);
    /// And with them a better order is to be looked for, and to run.
    void againAsked(qint64 number);
    /// What is under the pointer, in a sentence; empty: nothing.
    void told(const QString& sentence);

private:
    void holdBoth(bool complete);
    void showEmpty();

    ViewRange& m_range;
    LiveSource* m_source;
    TimelineWorkspace* m_workspace;
    QLabel* m_heading;
    EmptyNote* m_empty;
    QToolButton* m_open;
    QToolButton* m_times;
    QToolButton* m_again;
    qint64 m_stored = 0;
    Ticks m_planEnd = 0;
    Ticks m_shownEnd = 0;
};

} // namespace pw::ui
