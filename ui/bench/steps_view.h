// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"
#include "ui/models/lanes.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

#include <array>

class QLabel;

namespace pw::ui {

class StepCard;
class TimelineView;

/// The way of a block to an order, a stage a card: repeated, squeezed, reordered. A stage is made
/// when it is asked for, and follows the block from then on. Below, the chosen one as a timeline.
class StepsView : public QWidget
{
    Q_OBJECT

public:
    explicit StepsView(BenchModel& model, QWidget* parent = nullptr);
    ~StepsView() override;

    /// Makes the stage, and those before it, and shows it.
    void choose(BenchStage stage);
    /// Stages that are made, from the first on.
    int reached() const { return m_reached; }
    BenchStage chosen() const { return m_chosen; }
    StepCard& card(BenchStage stage) const { return *m_cards[static_cast<std::size_t>(stage)]; }
    TimelineView& timeline() { return *m_timeline; }
    /// What the chosen stage changed, in a sentence.
    QString changeText() const;

Q_SIGNALS:
    /// Another stage is made or chosen.
    void shown();
    void told(const QString& sentence, bool refusal);

private:
    void showModel();
    void showTimeline();
    void tell(SpanRef span);

    BenchModel& m_model;
    ViewRange m_range;
    std::array<StepCard*, benchStages> m_cards{};
    std::array<LanesPtr, benchStages> m_lanes;
    TimelineView* m_timeline;
    QLabel* m_change;
    int m_reached = 0;
    BenchStage m_chosen = BenchStage::Repeated;
};

} // namespace pw::ui
