// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/view_range.h"
#include "ui/workspace/timeline_source.h"

#include <QPointer>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QVBoxLayout;

namespace pw::ui {

class ChartStack;
class FindBar;
class KindLegend;
class LaneView;
class Overview;
class PhaseBands;
class Playback;
class StretchLine;
class TimelineView;

/// A timeline and what helps to see it, over one source: overview, axis, phases, lanes, charts and
/// legend over one range of time, the search, the playback, the card at the pointer, keys that walk
/// along links. Knows nothing of where its lanes come from. Around a view that the source has made
/// itself stand overview and axis; what knows passes is left out.
class TimelineWorkspace : public QWidget
{
    Q_OBJECT

public:
    /// Everything, over a range of its own. @param source  the workspace takes it
    explicit TimelineWorkspace(TimelineSource* source, QWidget* parent = nullptr);
    /// The lanes alone, over a range that somebody else has: who has it says what its whole is.
    TimelineWorkspace(TimelineSource* source, ViewRange& shared, QWidget* parent = nullptr);
    ~TimelineWorkspace() override;

    const TimelineSource& source() const { return *m_source; }
    ViewRange& range() { return m_range; }
    /// What the source has made to show its lanes.
    LaneView& view() { return *m_view; }
    /// @pre the source has no view of its own
    TimelineView& timeline() { return *m_timeline; }
    /// @pre the workspace has everything, and the source no view of its own
    ChartStack& charts() { return *m_charts; }

    /// What stands around the lanes; null where the workspace has the lanes alone. Of a search and
    /// a playback that stand somewhere else the workspace knows, too.
    Overview* overview() { return m_overview; }
    KindLegend* legend() { return m_legend; }
    FindBar* findBar();
    Playback* playback();

    /// Puts a line between the axis and the lanes.
    void addBelowAxis(QWidget* line);
    /// A search in these lanes, and a playback of them, to be put somewhere else; the workspace
    /// tells them what its source is. There is one of each at a time.
    FindBar* makeFindBar(QWidget* parent);
    Playback* makePlayback(QWidget* parent);

    /// Warm-up, steady phase and cool-down above the lanes; not shown at first.
    void setPhasesShown(bool shown);
    /// Outlines the passes of the selected one's micro-batch.
    void setStrandShown(bool shown);
    /// Marks the chain that decides when all ends.
    void setCriticalShown(bool shown);
    bool criticalShown() const { return m_criticalShown; }

Q_SIGNALS:
    void criticalShownChanged(bool shown);
    /// What is selected, or what is known of it.
    void selectionChanged();
    /// Another stretch of time is marked; the view says which.
    void stretchChanged();
    /// What is under the pointer, in a sentence; empty: nothing.
    void told(const QString& sentence);

private:
    TimelineWorkspace(TimelineSource* source, ViewRange* shared, QWidget* parent);

    void assemble();
    void assembleTools();
    void connectSource();
    void connectParts();
    void showLanes();
    void showSelection();
    void showCharts();
    void showPhases(SpanRef current);
    void showPointer(std::optional<double> time);
    void tell(SpanRef span, int lane, double time);
    void walk(int direction);
    /// To another of those that the last walk could have come to.
    void walkAside(int direction);

    TimelineSource* m_source;
    std::unique_ptr<ViewRange> m_ownRange; ///< null: it is shared
    ViewRange& m_range;
    LaneView* m_view;
    TimelineView* m_timeline;    ///< the same; null where the source has a view of its own
    HoverCard* m_card = nullptr; ///< of a timeline
    QVBoxLayout* m_layout;
    Overview* m_overview = nullptr;
    PhaseBands* m_phases = nullptr;
    ChartStack* m_charts = nullptr;
    KindLegend* m_legend = nullptr;
    StretchLine* m_stretch = nullptr;
    QPointer<FindBar> m_find;
    QPointer<Playback> m_playback;
    std::vector<SpanRef> m_walkedTo; ///< ends of the last walk; the first was taken
    bool m_strandShown = true;
    bool m_criticalShown = false;
};

} // namespace pw::ui
