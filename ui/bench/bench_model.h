// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/block/collisions.h"
#include "core/block/lifespan.h"
#include "core/block/reorder.h"
#include "core/block/timed_block.h"
#include "core/cost/cost_origin.h"
#include "core/edit/sketch.h"
#include "core/io/project_file.h"
#include "ui/bench/bench_costs.h"
#include "ui/bench/bench_sheet.h"
#include "ui/bench/placement_shape.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>
#include <variant>
#include <vector>

namespace pw::ui {

/// What follows from a block as it is drawn.
struct BenchFindings
{
    /// Why the block is not whole: what is missing, or has no place; empty where it is.
    QString unfinished;
    /// Why it cannot be repeated, the first reason of all; empty where it can.
    QString refusal;
    std::vector<Collision> collisions;
    std::vector<Ticks> work;                ///< of one block, by device
    std::vector<DeviceLifespans> lifespans; ///< by device; none of a block that is not whole
};

/// The way of a block to an order.
enum class BenchStage
{
    Repeated,
    Squeezed,
    Reordered
};

constexpr int benchStages = 3;

/// A building block on the bench: what a person draws, its history, and what follows from it.
///
/// A change that is refused leaves everything as it is. While something is dragged, `block` and
/// what follows are of the trial; `clearTrial` takes it back.
class BenchModel : public QObject
{
    Q_OBJECT

public:
    /// More is neither drawn nor assembled: a bench answers at once.
    static constexpr int mostDevices = 64;
    static constexpr int mostMicroBatches = 512;
    static constexpr std::size_t mostPasses = 2'000;
    static constexpr std::size_t mostAssembled = 60'000;
    static constexpr std::size_t mostTimedWhileTrying = 2'000;

    /// Begins with the V-Half block on four devices.
    explicit BenchModel(QObject* parent = nullptr);

    const BuildingBlock& block() const { return m_trial ? *m_trial : m_sheet.block; }
    bool trying() const { return m_trial.has_value(); }
    int microBatches() const { return m_sheet.microBatches; }
    QUndoStack& undoStack() { return m_undo; }
    const QUndoStack& undoStack() const { return m_undo; }
    const BenchFindings& findings() const { return m_findings; }
    /// Repeated, squeezed and reordered for `microBatches`, or why not; made when it is asked for.
    const Result<Assembly>& assembly() const;

    /// None: times are units alone.
    const std::optional<BenchCosts>& costs() const { return m_costs; }
    void setCosts(std::optional<BenchCosts> costs);
    /// The block in milliseconds and bytes, or why not; null: there are no costs, the block cannot
    /// be repeated, or it would take long while something is dragged.
    const Result<TimedBlock>* timed() const;
    /// An arrangement as it runs with the costs; none where there are none, or it cannot.
    std::optional<SimResult> run(const Arrangement& arrangement) const;

    QString title() const;
    PlacementShape shape() const { return shapeOf(m_sheet.block); }
    /// Stages of a device; of unequal ones the most.
    int chunks() const { return chunksOf(m_sheet.block); }
    /// What one key press moves: a tenth of the shortest pass where units are much finer, else 1.
    Ticks grid() const;

    /// A block of a family, with the bench's devices where the family takes them.
    Result<void> startFromFamily(const QString& id);
    /// A block that exists. @param text  of the menu
    Result<void> start(BuildingBlock block, const QString& text);
    /// No passes, in the shape that is there.
    void clear();

    void setTitle(const QString& title);
    Result<void> setMicroBatches(int count);
    Result<void> setInterval(Ticks interval);
    /// The least interval at which nothing collides.
    Result<void> setLeastInterval();
    /// The family's block for so many devices, or a plain one where the block is not a family's.
    Result<void> setDevices(int devices);
    /// A plain block in another placement. @param chunks  stages of a device; of a zigzag even
    Result<void> setPlacement(PlacementShape shape, int chunks);

    /// @param nudge  merges with the nudge of the same passes before it to one step of the history
    Result<void> move(const std::vector<Pass>& passes, Ticks by, InTheWay others, bool nudge);
    Result<void> resize(const std::vector<Pass>& passes, Ticks duration);
    Result<void> split(const std::vector<Pass>& passes);
    Result<void> join(const std::vector<Pass>& passes);
    Result<void> add(const BlockPass& placed);
    Result<void> remove(const std::vector<Pass>& passes);
    Result<void> fillWeights();
    Result<void> complete();

    /// As `move` and `setInterval`, to be looked at only. A place that is refused shows the block
    /// without the change.
    Result<void> tryMove(const std::vector<Pass>& passes, Ticks by, InTheWay others);
    Result<void> tryInterval(Ticks interval);
    void clearTrial();

Q_SIGNALS:
    /// The block, a trial, or what follows is new.
    void changed();

private:
    Result<BenchSheet> familySheet(FamilyChoice choice, int devices) const;
    Result<void> change(BenchSheet next, const QString& text, const QString& merge = {});
    /// A change to what is drawn: it is not a family's block any more.
    Result<void> redraw(Result<BuildingBlock> next, const QString& text, const QString& merge = {});
    void show(const BenchSheet& sheet);
    void refresh();

    BenchSheet m_sheet;
    std::optional<BuildingBlock> m_trial;
    BenchFindings m_findings;
    mutable std::optional<Result<Assembly>> m_assembly;
    std::optional<BenchCosts> m_costs;
    mutable std::optional<Result<TimedBlock>> m_timed;
    QUndoStack m_undo;
};

/// What a bench finds of a block.
BenchFindings findingsOf(const BuildingBlock& block);

/// The arrangement at a stage of an assembly, with its figures.
const AssemblyStage& stageOf(const Assembly& assembly, BenchStage stage);

/// Costs with the times that a block's passes were drawn with, a unit being a millisecond; uniform
/// ones where they say the same.
std::variant<UniformCosts, Costs> drawnCosts(const Arrangement& arrangement);

/// A project with an arrangement as its schedule and the block it is made of.
Project projectOf(const BuildingBlock& block, const Arrangement& arrangement);

} // namespace pw::ui
