// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/pages/page.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/view_range.h"
#include "ui/window/schedule_hover.h"

#include <QTimer>

#include <vector>

class QLabel;

namespace pw::ui {

class ChartStack;
class DragController;
class Overview;
class TimeRuler;

/// One open schedule: overview, time axis, lanes, memory and bubbles over one range of time.
class SchedulePage : public Page
{
    Q_OBJECT

public:
    explicit SchedulePage(QWidget* parent = nullptr);
    ~SchedulePage() override;

    ScheduleDocument& document() { return m_document; }
    const ScheduleDocument& document() const { return m_document; }
    TimelineView& timeline() { return *m_timeline; }
    ViewRange& range() { return m_range; }
    ChartStack& charts() { return *m_charts; }
    DragController& drag() { return *m_drag; }
    void setCriticalPathShown(bool shown);

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

Q_SIGNALS:
    /// Was saved to its path.
    void saved();
    /// The list of what is wrong is asked for.
    void problemsAsked();

private:
    void showResult();
    void showSelection();
    void showCharts();
    void showNotice();
    void showComputing();
    void showDrag();
    void tell(SpanRef span, int lane, double time);
    void walk(int direction);
    /// To another of those that the last walk could have come to.
    void walkAside(int direction);

    ScheduleDocument m_document;
    ViewRange m_range;
    Overview* m_overview;
    TimeRuler* m_ruler;
    TimelineView* m_timeline;
    ChartStack* m_charts;
    DragController* m_drag;
    ScheduleHover m_hover;
    HoverCard* m_card;
    QLabel* m_notice;
    QTimer m_noticeDelay; ///< what is computed in a moment needs no notice
    bool m_trialShown = false;
    Ticks m_room = 0; ///< that the time axis reaches to while an order is composed; 0: it is not
    std::vector<SpanRef> m_walkedTo; ///< ends of the last walk; the first was taken
    bool m_criticalShown = false;
};

} // namespace pw::ui
