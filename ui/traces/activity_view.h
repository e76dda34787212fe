// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/lane_view.h"
#include "ui/traces/activity_picture.h"
#include "ui/traces/slice_geometry.h"
#include "ui/traces/slice_selection.h"
#include "ui/traces/slice_walk.h"
#include "ui/traces/slice_words.h"
#include "ui/traces/text_card.h"

#include <memory>
#include <optional>
#include <vector>

namespace pw::ui {

/// The rows of a trace over a range of time: rank ▸ device ▸ stream and rank ▸ process ▸ thread,
/// slices nested in each other. A click on a title folds it, a click on a slice selects it; all
/// else is as in every view of lanes.
class ActivityView : public LaneView
{
    Q_OBJECT

public:
    explicit ActivityView(ViewRange& range, QWidget* parent = nullptr);
    ~ActivityView() override;

    void setActivity(ShownActivityPtr activity);
    const ShownActivityPtr& activity() const { return m_activity; }
    const LaneRows& rows() const { return m_rows; }
    void toggle(std::size_t key);
    /// Shows rows of some ranks, in groups; those that are pinned stay so where they are shown.
    void setRanks(const RankRows& ranks);

    const std::optional<ChosenSlice>& chosen() const { return m_selection.slice(); }
    /// The idle time that is selected, in place of a slice.
    const std::optional<ChosenGap>& chosenGap() const { return m_selection.gap(); }
    /// For which rank a slice waits; none: for nobody, or that is not known.
    std::optional<PeerShare> waitOf(const ActivitySlice& slice) const
    {
        return words().waitOf(slice);
    }

    /// What the colours of slices tell.
    void setColorBy(SliceColors by);
    /// The arrows of the selected slice.
    const std::vector<SliceLink>& arrows() const { return m_selection.arrows(); }

    /// Marks slices by their names, see `FoundSlices::search`.
    /// @return  why it cannot be; empty: it can
    QString search(const QString& words);
    /// Marks the slices of one name; −1: none.
    void searchName(std::int32_t name);
    const FoundSlices& found() const { return m_found; }
    /// Selects the next slice that was searched for, behind the selected one (+1) or before it
    /// (−1), and shows it. @return  false: there is none
    bool showNext(int direction = 1);
    /// Selects the slice of a span, and shows it.
    void showSpan(std::int32_t span) { goTo(span); }

    /// What is under a point of the viewport; none: nothing.
    std::optional<ChosenSlice> sliceAt(QPoint point) const { return geometry().sliceAt(point); }
    /// The whole name of a slice, and of several that stand as one how many.
    QString nameOf(const ActivitySlice& slice) const { return words().nameOf(slice); }
    /// Where a slice is, in the viewport.
    QRectF boxOf(const ChosenSlice& one) const { return geometry().boxOf(one); }

Q_SIGNALS:
    void told(const QString& sentence);
    /// Something is to be shown that lies in no row: all ranks have rows again.
    void allRanksShown();
    /// Why streams idle can be asked now: it is worked out beside the window.
    void gapsKnown();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

    std::optional<TimeStretch> currentTimes() const override { return m_selection.times(); }
    int currentLane() const override { return m_selection.lane(); }
    void clearSelection() override { choose(std::nullopt); }
    void stepAlong(int direction) override;
    void stepAcross(int direction) override;
    void walk(int direction) override { goTo(m_selection.walk(direction)); }
    void walkAside(int direction) override { goTo(m_selection.walkAside(direction)); }
    void open() override;
    double snapped(double time, QPointF at) const override;
    int laneAt(QPointF point) const override { return geometry().laneAt(point); }
    void relayout() override;
    bool pressLanes(QMouseEvent& event) override;
    void moveLanes(QMouseEvent& event) override;
    void releaseLanes(QMouseEvent&) override {}
    void clickLanes(QPointF point) override;
    bool pressTitle(QPointF point) override;
    bool giveUp() override { return false; }

private:
    void findGaps();
    void makeRows();
    void choose(std::optional<ChosenSlice> slice, std::optional<ChosenGap> gap = {});
    /// Selects a slice, opens what its lane is folded into, and shows it; none: nothing.
    void goTo(const std::optional<ChosenSlice>& slice);
    /// Likewise the slice of a span; −1: nothing.
    void goTo(std::int32_t span);
    SliceWalk sliceWalk() const { return {*m_activity, m_rows}; }
    SliceWords words() const { return {*m_activity, m_gaps.get()}; }
    SliceGeometry geometry() const { return {m_activity.get(), m_rows, frame(), scale()}; }
    ActivityPicture::Frame frame() const;
    std::optional<ChosenGap> gapAt(QPointF point) const;
    /// Paints the whole picture of the rows when it is next shown.
    void repaintRows();
    void hover(QPoint point);
    void hideCard();

    ShownActivityPtr m_activity;
    RankRows m_ranks;
    SliceSelection m_selection;
    std::shared_ptr<const IdleGaps> m_gaps; ///< null: not yet known
    FoundSlices m_found;
    TextCard* m_card;
    ActivityPicture m_picture;
};

} // namespace pw::ui
