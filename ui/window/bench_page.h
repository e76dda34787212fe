// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_panel.h"
#include "ui/pages/page.h"

#include <QPointer>

#include <optional>

namespace pw::ui {

class MainWindow;
class SchedulePage;

/// The building-block bench as a tab, so that it has the room that drawing needs and a history of
/// its own. It works for the schedule that was in front last.
class BenchPage : public Page
{
    Q_OBJECT

public:
    explicit BenchPage(MainWindow& window);
    ~BenchPage() override;

    BenchPanel& panel() { return *m_panel; }
    /// The schedule that arrangements and blocks go to; null: none is open.
    SchedulePage* target() const { return m_target; }
    void setTarget(SchedulePage* target);
    /// Works on the first block of a level: what is drawn is the level's block at once, and what
    /// changes there is on the bench. Until another target comes.
    void bindTo(SchedulePage& level);

    /// Of the stages from a block to its schedule.
    std::vector<TimelineView*> timelines() override;
    /// The block, then these stages.
    std::vector<LaneView*> laneViews() override;
    QLineEdit* searchField() override;
    void findNext(int direction) override;
    QString title() const override;
    bool modified() const override { return !m_bound && !m_panel->model().undoStack().isClean(); }
    /// Keeps the block among those of the target.
    bool save(bool ask) override;
    QUndoStack* undoStack() override { return &m_panel->model().undoStack(); }
    QString figures() const override;

    /// The arrangement becomes the target's schedule as one step of its history, or a new tab.
    Result<void> use(bool newTab);
    /// The block among the target's own blocks; a block that came from here before is replaced.
    Result<void> keep();

private:
    Result<BuildingBlock> strand() const;
    Result<BenchCosts> scheduleCosts() const;
    void askModel();
    void carryToLevel();
    void takeFromLevel();

    MainWindow& m_window;
    BenchPanel* m_panel;
    QPointer<SchedulePage> m_target;
    std::optional<BuildingBlock> m_kept; ///< as it stands in the target
    QMetaObject::Connection m_levelChanges;
    bool m_bound = false;    ///< to the block of a level
    bool m_carrying = false; ///< between the bench and the level
};

} // namespace pw::ui
