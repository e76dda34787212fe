// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/phases.h"
#include "core/model/pipeline_spec.h"
#include "ui/timeline/heat_painter.h"
#include "ui/timeline/hover_card.h"
#include "ui/workspace/order_curves.h"

#include <QObject>
#include <QSize>

#include <optional>
#include <vector>

class QPainter;
class QWidget;

namespace pw::ui {

class LaneView;
class ViewRange;

/// A stretch of a lane in which nothing runs.
struct IdleStretch
{
    Ticks start = 0;
    Ticks end = 0;
    /// Why, as the rest of a sentence ("waits for B of micro-batch 3"); empty: there is nothing to
    /// be said of it.
    QString why;
};

/// Differences that colour the spans, and the one that has the full colour.
struct HeatShown
{
    HeatPtr heat; ///< null: spans have the colours of their kinds
    Ticks most = 0;
};

/// What a timeline workspace shows, wherever it comes from: an open schedule, a stored run, a row
/// of a comparison, a run that is under way. Lanes are all that a source must have; whatever else
/// it knows, the workspace shows.
///
/// Answers are of the lanes that `lanes` gives now. Everything is asked in the window's thread.
class TimelineSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// What shows the lanes: a `TimelineView` of `lanes`. A source whose slices cannot be held as
    /// spans makes a view of its own, and has no `lanes`.
    virtual LaneView* makeView(ViewRange& range, QWidget* parent);
    /// Paints everything into a strip.
    virtual void paintOverview(QPainter& painter, QSize pixels, const TimeScale& scale) const;
    /// Never null. Nested lanes stand behind those that they are inside of, see `Lane::depth`.
    virtual LanesPtr lanes() const = 0;
    /// Time that the axis reaches to at least, behind the last span; 0: as far as they do.
    virtual Ticks room() const { return 0; }
    /// The shape of what is shown, by which a search understands chunks.
    virtual const PipelineSpec& spec() const;

    /// What the pointer's card says, and in its `sentence` the status line. Without a title there
    /// is no card, only the sentence.
    /// @param span  under the pointer; invalid: idle time of the lane
    /// @param lane  −1: the pointer is over none
    virtual HoverNews describe(SpanRef span, int lane, double time) const;
    /// How a pass is called where it is told what happens.
    virtual QString passWords(const Pass& pass) const;
    /// The idle stretch of a lane at a time; none: it is busy, or nothing is known.
    virtual std::optional<IdleStretch> idle(int lane, Ticks time) const;

    /// Spans that wait for a span (+1), or that it waits for (−1); the first is where a walk goes,
    /// the others are those it could have come to.
    virtual std::vector<SpanRef> linked(SpanRef span, int direction) const;
    /// Arrows of the selected span.
    virtual std::vector<Arrow> arrows(SpanRef span) const;
    /// What belongs together with the selected span: the passes of its micro-batch.
    virtual std::vector<SpanRef> strand(SpanRef span) const;
    /// The chain that decides when all ends, in time order.
    virtual std::vector<SpanRef> critical() const;
    /// What is wrong with the spans; asked whenever they are selected or new.
    virtual WrongLayer wrong() const;

    /// None: it has no phases.
    virtual std::optional<PhasesOf> phases() const;
    /// @param lane  that a span is selected on; −1: none, the source chooses
    virtual Curves curves(Chart chart, int lane) const;
    /// Idle part by lane.
    virtual std::vector<BubbleRow> bubbles() const;
    /// What it was planned to be; none: there is no plan, and a trial that is shown stays.
    virtual std::optional<std::vector<BubbleRow>> plannedBubbles() const;
    virtual HeatShown heat() const;

    /// Of a source that has nothing yet.
    static const LanesPtr& noLanes();

Q_SIGNALS:
    /// The lanes are others, and all else with them.
    void lanesChanged();
    /// The lanes are the same, and more is known of them: links, reasons, curves.
    void moreKnown();
    void heatChanged();
};

} // namespace pw::ui
