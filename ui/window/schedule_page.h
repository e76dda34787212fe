// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/pages/page.h"
#include "ui/timeline/empty_note.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workspace/timeline_workspace.h"

#include <QTimer>

#include <vector>

class QLabel;

namespace pw::ui {

class ChartStack;
class DragController;
class ScheduleSource;

/// One open schedule in a timeline workspace, to be edited: drags, trials, what is wrong, its file.
class SchedulePage : public Page
{
    Q_OBJECT
    Q_PROPERTY(QString locked READ locked WRITE setLocked NOTIFY lockedChanged)

public:
    explicit SchedulePage(QWidget* parent = nullptr);
    ~SchedulePage() override;

    ScheduleDocument& document() { return m_document; }
    const ScheduleDocument& document() const { return m_document; }
    TimelineWorkspace* workspace() override { return m_workspace; }
    int linesWanted() const override { return 38; } // two lanes, and with the room five
    TimelineView& timeline() { return m_workspace->timeline(); }
    ViewRange& range() { return m_workspace->range(); }
    ChartStack& charts() { return m_workspace->charts(); }
    DragController& drag() { return *m_drag; }
    /// Why times, kinds and memory are given and not to be changed; empty: they may be.
    const QString& locked() const { return m_locked; }
    void setLocked(const QString& why)
    {
        if (m_locked == why)
            return;
        m_locked = why;
        showNotice();
        Q_EMIT lockedChanged();
        Q_EMIT figuresChanged(); // what is still to be placed counts in a level's goals
    }

    /// What empty lanes wait for.
    EmptyLanes waiting() const { return m_waiting; }
    void setWaiting(EmptyLanes what)
    {
        m_waiting = what;
        Q_EMIT lockedChanged();
    }

    /// What would be there if something that is dragged were dropped now: its blocks over the
    /// lanes, lighter curves in the charts, and its numbers with their differences.
    ///
    /// @param times    of the draft
    /// @param hint     beside the pointer; a refusal is in the colour of refusals
    /// @param schedule the draft as a schedule, where its maker has it
    void showTrial(const Draft& draft, const DraftTimes& times, std::vector<Ghost> ghosts,
                   const QString& hint, bool refusal, const Schedule* schedule = nullptr);
    /// Back to what is there.
    void clearTrial();

    QString title() const override { return m_document.title(); }
    QString detail() const override { return m_document.path(); }
    bool modified() const override { return m_document.modified(); }
    bool save(bool ask) override;
    QUndoStack* undoStack() override { return &m_document.undoStack(); }
    QString whyNoFigure() const override { return {}; }
    FigureContent figure() const override { return figureOf(m_document); }
    QString figures() const override;
    /// The most activation that a level allows, as a line in the chart; none: no level.
    void setPeakGoal(std::optional<Share> most);

Q_SIGNALS:
    /// Why the page may not be changed is another reason, or none.
    void lockedChanged();
    /// Was saved to its path.
    void saved();
    /// The list of what is wrong is asked for.
    void problemsAsked();

private:
    void makeNotice();
    bool awaited() const;
    void showNotice();
    void showComputing();
    void showDrag();

    ScheduleDocument m_document;
    ScheduleSource* m_source; ///< of the workspace
    TimelineWorkspace* m_workspace;
    DragController* m_drag;
    QLabel* m_notice;
    QString m_locked;
    EmptyLanes m_waiting = EmptyLanes::Anything;
    QTimer m_noticeDelay; ///< what is computed in a moment needs no notice
    bool m_trialShown = false;
};

} // namespace pw::ui
