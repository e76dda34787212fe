// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/idle_gaps.h"
#include "core/trace/activity_links.h"
#include "ui/timeline/lane_view.h"
#include "ui/traces/activity_picture.h"
#include "ui/traces/slice_walk.h"
#include "ui/traces/text_card.h"

#include <memory>
#include <optional>
#include <vector>

namespace pw::ui {

/// Idle time of a stream.
struct ChosenGap
{
    int lane = -1;
    IdleGap gap;
};

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

    const std::optional<ChosenSlice>& chosen() const { return m_chosen; }
    /// The idle time that is selected, in place of a slice.
    const std::optional<ChosenGap>& chosenGap() const { return m_gap; }
    /// For which rank a slice waits; none: for nobody, or that is not known.
    std::optional<PeerShare> waitOf(const ActivitySlice& slice) const;

    /// What the colours of slices tell.
    void setColorBy(SliceColors by);
    /// The arrows of the selected slice.
    const std::vector<SliceLink>& arrows() const { return m_links; }

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
    std::optional<ChosenSlice> sliceAt(QPoint point) const;
    /// The whole name of a slice, and of several that stand as one how many.
    QString nameOf(const ActivitySlice& slice) const;
    /// Where a slice is, in the viewport.
    QRectF boxOf(const ChosenSlice& one) const;

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

    std::optional<TimeStretch> currentTimes() const override;
    int currentLane() const override
    {
        return m_chosen ? m_chosen->lane : m_gap ? m_gap->lane : -1;
    }
    void clearSelection() override { choose(std::nullopt); }
    void stepAlong(int direction) override;
    void stepAcross(int direction) override;
    void walk(int direction) override;
    void walkAside(int direction) override;
    void open() override;
    double snapped(double time, QPointF at) const override;
    int laneAt(QPointF point) const override;
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
    void choose(std::optional<ChosenSlice> chosen, std::optional<ChosenGap> gap = {});
    /// Selects a slice, opens what its lane is folded into, and shows it; none: nothing.
    void goTo(const std::optional<ChosenSlice>& slice);
    void goTo(std::int32_t span);
    SliceWalk walk() const { return {*m_activity, m_rows}; }
    std::optional<ChosenGap> gapAt(QPointF point) const;
    const LaneRows::Row* rowAt(QPointF point) const;
    /// Paints the whole picture of the rows when it is next shown.
    void repaintRows();

    PixelScale pixelScale() const { return {scale(), devicePixelRatioF()}; }
    ActivityPicture::Frame frame() const;
    void paintChosen(QPainter& painter) const;
    void paintGap(QPainter& painter) const;
    void paintArrows(QPainter& painter) const;
    /// Where the slice of a span is, in the viewport; empty where its lane is folded away.
    QRectF boxOfSpan(std::int32_t span) const;
    void hover(QPoint point);
    void hideCard();

    ShownActivityPtr m_activity;
    RankRows m_ranks;
    std::optional<ChosenSlice> m_chosen;
    std::optional<ChosenGap> m_gap;
    std::shared_ptr<const IdleGaps> m_gaps; ///< null: not yet known
    std::vector<SliceLink> m_links;         ///< of the selected slice
    std::vector<std::int32_t> m_walkedTo;   ///< spans at the ends of the last walk; one was taken
    FoundSlices m_found;
    TextCard* m_card;
    ActivityPicture m_picture;
};

} // namespace pw::ui
