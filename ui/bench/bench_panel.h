// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"
#include "ui/timeline/view_range.h"

#include <QHash>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QSpinBox;

namespace pw::ui {

class BlockFind;
class BlockStartMenu;
class BlockTimesMenu;
class BlockView;
class FlowLayout;
class ResidueView;
class StepsView;

/// The building-block bench: fields of the block, where it is drawn, its folded interval and peaks,
/// and the stages from block to order.
class BenchPanel : public QWidget
{
    Q_OBJECT

public:
    explicit BenchPanel(QWidget* parent = nullptr);
    ~BenchPanel() override;

    BenchModel& model() { return m_model; }
    const BenchModel& model() const { return m_model; }
    BlockView& blockView() { return *m_block; }
    ResidueView& residueView() { return *m_residues; }
    StepsView& steps() { return *m_steps; }
    BlockFind& find() { return *m_find; }
    /// What a block can be started from: families, the selected micro-batch, own blocks, nothing.
    QMenu& startMenu() const;
    /// What is done with passes and blocks, by name: complete, fill, split, join, remove, least.
    QAction* action(const QString& name) const { return m_actions.value(name); }

    /// Where else blocks come from. Both may be empty.
    /// @param own     blocks of the schedule that the bench works for
    /// @param strand  the selected micro-batch of its timeline as a block, or why there is none
    void setSources(std::function<std::vector<BuildingBlock>()> own,
                    std::function<Result<BuildingBlock>()> strand);
    /// The costs of the schedule that the bench works for, or why they are of no use here.
    void setScheduleCosts(std::function<Result<BenchCosts>()> costs);
    /// What times and bytes can be of, by name: units, own, model, schedule.
    QMenu& timesMenu() const;
    /// Title of the schedule that the bench works for; empty: there is none.
    void setTarget(const QString& title);

    /// Says a sentence in the line of the block's state until the block changes.
    void say(const QString& sentence, bool refusal);
    /// The arrangement to use: of the chosen stage, or reordered where none was made.
    Result<Arrangement> arrangement() const;

Q_SIGNALS:
    void useAsked(bool newTab);
    void keepAsked();
    /// Times of a model are wanted.
    void modelAsked();
    void told(const QString& sentence);

private:
    QWidget* fields();
    void addName(QWidget* all, FlowLayout* line);
    void addTools(QWidget* all, FlowLayout* line);
    QWidget* uses();
    QAction* makeAction(const QString& name, const QString& label, const QKeySequence& key,
                        const QString& tip, const std::function<Result<void>()>& run);
    void showModel();
    void showState();
    void showSelection();
    /// Says why something was refused, and puts the fields back.
    void report(const Result<void>& done);
    /// The chosen passes, or all where none is chosen.
    std::vector<Pass> chosenOrAll() const;

    BenchModel m_model;
    QHash<QString, QAction*> m_actions;
    BlockStartMenu* m_startMenu;
    BlockTimesMenu* m_timesMenu;
    ViewRange m_units; ///< of the block
    BlockView* m_block;
    ResidueView* m_residues;
    StepsView* m_steps;
    BlockFind* m_find = nullptr;
    QLineEdit* m_name = nullptr;
    QSpinBox* m_devices = nullptr;
    QComboBox* m_placement = nullptr;
    QSpinBox* m_chunks = nullptr;
    QSpinBox* m_interval = nullptr;
    QSpinBox* m_microBatches = nullptr;
    QSpinBox* m_duration = nullptr;
    QLabel* m_state;
    QLabel* m_times; ///< the same in milliseconds and bytes
    QPushButton* m_use = nullptr;
    QString m_said;
    bool m_saidIsRefusal = false;
    bool m_showing = false; ///< fields are being filled, not edited
};

} // namespace pw::ui
