// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/training_worker.h"

#include <algorithm>
#include <utility>

// What a worker does with an entry: take what its passes keep, run them, give back what they leave.

namespace pw::exec {

namespace {

bool leavesOutWeights(const RunPlan& plan, int iteration, const Pass& pass)
{
    return std::any_of(plan.faults.begin(), plan.faults.end(), [&](const InjectedFault& fault) {
        return fault.kind == FaultKind::SkipWeight && fault.iteration == iteration &&
               fault.pass.kind == pass.kind && fault.pass.stage == pass.stage &&
               fault.pass.microBatch == pass.microBatch && fault.pass.segment == pass.segment;
    });
}

} // namespace

Result<Computed> TrainingWorker::compute(const OrderEntry& entry)
{
    std::vector<Running> passes;
    passes.push_back({entry.pass});
    if (entry.paired)
        passes.push_back({entry.partner});
    m_onHost.settle();
    for (const Running& running : passes) {
        if (const Result<void> back = beOnDevice(running.pass); !back)
            return fail(back.error());
    }
    Computed computed;
    computed.start = m_ops->mark();
    m_scratch.setOverlapping(entry.paired && m_ops->overlaps());
    for (Running& running : passes) {
        if (const Result<void> good = startPass(running); !good)
            return fail(good.error());
    }
    computed.atStart = m_ops->memory();
    const Result<bool> moved = moveWithin();
    if (!moved)
        return fail(moved.error());
    if (*moved)
        computed.within = m_ops->memory();
    if (entry.paired) {
        m_pairsInTurn = m_pairsInTurn || !m_ops->overlaps();
        m_ops->fork();
        runPass(passes[0]);
        m_ops->beginSecond();
        runPass(passes[1]);
        m_ops->join();
    } else {
        runPass(passes[0]);
    }
    m_scratch.clear();
    computed.end = m_ops->mark();
    for (Running& running : passes)
        endPass(running);
    computed.atEnd = m_ops->memory();
    return computed;
}

Result<void> TrainingWorker::move(const HostMove& move, InstructionKind what)
{
    const bool within = (what == InstructionKind::Free && move.freedWithin) ||
                        (what == InstructionKind::Fetch && move.fetchedWithin);
    if (!within)
        return carryOut(move, what);
    m_within.emplace_back(&move, what);
    return {};
}

Result<void> TrainingWorker::carryOut(const HostMove& move, InstructionKind what)
{
    const std::int32_t number = cellNumber(move.cell);
    const auto cell = m_cells.find(number);
    if (cell == m_cells.end())
        return fail(ErrorCode::Fault, "%1 has left nothing to copy", describe(move.cell, m_spec));
    switch (what) {
    case InstructionKind::Stow:
        return m_onHost.stow(number, move.cell, cell->second);
    case InstructionKind::Free:
        return m_onHost.free(number);
    default:
        return m_onHost.fetch(number, cell->second);
    }
}

/// What the entry at hand has its device copy. @return whether there was anything
Result<bool> TrainingWorker::moveWithin()
{
    const bool any = !m_within.empty();
    for (const auto& [move, what] : std::exchange(m_within, {})) {
        if (const Result<void> done = carryOut(*move, what); !done)
            return fail(done.error());
    }
    return any;
}

Result<void> TrainingWorker::beOnDevice(const Pass& pass)
{
    if (pass.kind == PassKind::F || pass.kind == PassKind::U)
        return {};
    return m_onHost.arrive(cellNumber(pass));
}

Result<void> TrainingWorker::startPass(Running& running)
{
    const Pass& pass = running.pass;
    running.hosted = &m_stages.at({pass.route, pass.stage});
    if (pass.kind == PassKind::U)
        return {};
    running.version = m_plan.schedule.weightVersion(pass.stage, pass.microBatch);
    if (pass.kind == PassKind::F)
        return startForward(running);
    const auto own = m_cells.find(cellNumber(pass));
    if (own == m_cells.end())
        return fail(ErrorCode::Fault, "%1 before its F", describe(pass, m_spec));
    running.cell = &own->second;
    // Only the passes that attend need the earlier segments; they are all still there.
    if (pass.kind == PassKind::R || isBackward(pass.kind)) {
        for (int segment = 0; segment < pass.segment; ++segment)
            running.earlier.push_back(&m_cells.at(own->first - pass.segment + segment));
    }
    if (isBackward(pass.kind))
        return startBackward(running);
    if (pass.kind == PassKind::R) {
        running.cell->takeRest();
        takeResult(running, false);
        if (last(pass))
            takeText(running);
    }
    return {};
}

Result<void> TrainingWorker::startForward(Running& running)
{
    const Pass& pass = running.pass;
    const std::int32_t number = cellNumber(pass);
    for (int segment = 0; segment < pass.segment; ++segment)
        running.earlier.push_back(&m_cells.at(number - pass.segment + segment));
    const CellLayout& layout = running.hosted->layouts[static_cast<std::size_t>(pass.segment)];
    Cell cell(*m_ops, layout, m_plan.schedule.recomputed(pass));
    if (!first(pass)) {
        Result<Buffer> input = m_results.input(pass, PassKind::F);
        if (!input)
            return fail(input.error());
        cell.put(CellLayout::input, *std::move(input));
    }
    cell.takeForForward();
    running.cell = &m_cells.insert_or_assign(number, std::move(cell)).first->second;
    takeResult(running, !last(pass));
    if (first(pass) || last(pass))
        takeText(running);
    if (first(pass))
        m_texts.upload(running.cell->data(CellLayout::tokens), running.text.tokens);
    return {};
}

Result<void> TrainingWorker::startBackward(Running& running)
{
    if (!last(running.pass)) {
        Result<Buffer> gradient = m_results.input(running.pass, PassKind::B);
        if (!gradient)
            return fail(gradient.error());
        running.cell->put(CellLayout::input, *std::move(gradient));
    }
    takeResult(running, !first(running.pass));
    return {};
}

void TrainingWorker::takeResult(Running& running, bool wanted)
{
    const std::int64_t rows = running.cell->layout().rows();
    const std::int64_t h = m_plan.model.hidden;
    if (!wanted) {
        running.out = m_scratch.matrix(rows, h);
        return;
    }
    running.result = Buffer(*m_ops, running.cell->layout().inputBytes(), MemoryUse::Messages);
    running.out = {running.result.data(), rows, h, h};
}

void TrainingWorker::takeText(Running& running)
{
    running.text = m_texts.textOf(running.pass, running.cell->layout(), m_scratch, running.target);
}

void TrainingWorker::runPass(Running& running)
{
    const Pass& pass = running.pass;
    if (pass.kind == PassKind::U) {
        runUpdate(running);
        return;
    }
    GptStage& stage = running.hosted->compute;
    WeightVersions& versions = running.hosted->weights;
    const WeightView weights = versions.read(running.version);
    switch (pass.kind) {
    case PassKind::F:
    case PassKind::R:
        stage.forward(*running.cell, running.earlier, weights, running.out,
                      last(pass) ? &running.target : nullptr, m_scratch);
        break;
    case PassKind::B:
        stage.backward(*running.cell, running.earlier, weights, running.out, nullptr, m_scratch);
        break;
    case PassKind::BW: {
        const GradientView sums = versions.gradients(m_spec.updateOf(pass.microBatch));
        stage.backward(*running.cell, running.earlier, weights, running.out,
                       leavesOutWeights(m_plan, m_iteration, pass) ? nullptr : &sums, m_scratch);
        break;
    }
    case PassKind::W:
        if (!leavesOutWeights(m_plan, m_iteration, pass))
            stage.weight(*running.cell, weights,
                         versions.gradients(m_spec.updateOf(pass.microBatch)), m_scratch);
        break;
    case PassKind::U:
        break;
    }
}

void TrainingWorker::runUpdate(const Running& running)
{
    WeightVersions& weights = running.hosted->weights;
    const int update = running.pass.microBatch;
    if (m_snapshot) {
        StageSnapshot seen;
        seen.stage = running.hosted->stage;
        seen.update = weights.updates();
        seen.parameters = weights.downloadParameters();
        seen.gradients = weights.downloadGradients(update);
        m_snapshot(std::move(seen));
    }
    weights.update(update);
}

void TrainingWorker::endPass(Running& running)
{
    switch (running.pass.kind) {
    case PassKind::F:
        if (last(running.pass) && running.pass.segment + 1 == m_spec.segments())
            m_texts.made(running.pass.microBatch);
        m_results.handOver(running.pass, std::move(running.result));
        break;
    case PassKind::B:
        running.cell->holdForWeight();
        m_results.handOver(running.pass, std::move(running.result));
        break;
    case PassKind::BW:
        m_results.handOver(running.pass, std::move(running.result));
        endCell(running);
        break;
    case PassKind::W:
        endCell(running);
        break;
    case PassKind::R:
    case PassKind::U:
        break;
    }
}

void TrainingWorker::endCell(Running& running)
{
    m_cells.erase(cellNumber(running.pass));
    running.hosted->weights.doneReading(running.version);
}

} // namespace pw::exec
