// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "executor/model/gpt_stage.h"
#include "executor/model/micro_batch_text.h"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

namespace pw::exec {

namespace {

/// A stage that the rank hosts.
struct Hosted
{
    Hosted(Ops& ops, const RunPlan& plan, HostedStage where)
        : stage(where)
        , weights(ops, plan, where.stage)
        , compute(ops, plan.model, plan.split[static_cast<std::size_t>(where.stage)])
    {
    }

    HostedStage stage;
    WeightVersions weights;
    GptStage compute;
    std::deque<CellLayout> layouts; ///< by segment
};

class TrainingWorker final : public Worker
{
public:
    TrainingWorker(const RunPlan& plan, int rank, std::unique_ptr<Ops> ops,
                   SnapshotListener snapshot)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
        , m_rank(rank)
        , m_ops(std::move(ops))
        , m_snapshot(std::move(snapshot))
        , m_scratch(*m_ops)
    {
    }

    Result<void> begin() override;
    Result<void> beginIteration(int iteration) override;
    Result<void> deliver(const Pass& producer, Packet packet) override;
    Result<Computed> compute(const OrderEntry& entry) override;
    Result<Packet> take(const Pass& producer) override;
    Result<Packet> gradients(HostedStage stage, int update) override;
    Result<void> addGradients(HostedStage stage, int update, Packet packet) override;
    std::vector<MicroBatchLoss> takeLosses() override;
    std::optional<Ticks> time(Mark mark) override { return m_ops->time(mark); }
    Result<void> health() override { return m_ops->health(); }
    std::vector<std::string> notes() override;

private:
    /// A pass at work.
    struct Running
    {
        Pass pass;
        Hosted* hosted = nullptr;
        Cell* cell = nullptr; ///< none for U
        std::vector<Cell*> earlier{};
        int version = 0;
        Buffer result{}; ///< on its way to another stage, or none
        Matrix out{};
        TextRows text{};
        Target target{};
    };

    bool first(const Pass& pass) const { return pass.stage == 0; }
    bool last(const Pass& pass) const { return pass.stage + 1 == m_spec.stages(); }
    Hosted& hosted(int route, int stage);
    std::int32_t cellNumber(const Pass& pass) const
    {
        return m_plan.schedule.table().cell(pass.stage, pass.microBatch, pass.segment);
    }
    /// The pass of the next stage, in the pass's direction, that uses its result; none at the end.
    std::optional<Pass> consumer(const Pass& producer) const;
    Bytes resultBytes(const Pass& pass);

    Result<void> startPass(Running& running);
    Result<void> startForward(Running& running);
    Result<void> startBackward(Running& running);
    Result<Buffer> takeInput(const Running& running, PassKind producer);
    void takeResult(Running& running, bool wanted);
    void uploadTarget(Running& running);
    Tokens upload(void* to, const std::vector<std::int32_t>& tokens);

    void runPass(Running& running);
    void runUpdate(const Running& running);
    bool leavesOutWeights(const Pass& pass) const;

    void endPass(Running& running);
    void endCell(Running& running);
    void handOver(Running& running);

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    int m_rank;
    std::unique_ptr<Ops> m_ops;
    SnapshotListener m_snapshot;
    Scratch m_scratch;

    std::deque<Hosted> m_hosted;
    std::vector<int> m_segmentTokens;
    int m_iteration = 0;
    std::unordered_map<std::int32_t, Cell> m_cells;
    std::map<Pass, Buffer> m_arrived;  ///< by producer: results for this rank
    std::map<Pass, Buffer> m_outgoing; ///< by producer: results for other ranks
    Buffer m_losses;                   ///< a float a micro-batch
    std::vector<std::int32_t> m_lossesDone;
    bool m_pairsInTurn = false;
};

Hosted& TrainingWorker::hosted(int route, int stage)
{
    const auto found = std::find_if(m_hosted.begin(), m_hosted.end(), [&](const Hosted& each) {
        return each.stage == HostedStage{route, stage};
    });
    PW_ASSERT(found != m_hosted.end());
    return *found;
}

Result<void> TrainingWorker::begin()
{
    const Result<std::vector<int>> tokens = segmentTokens(m_spec, m_plan.model);
    if (!tokens)
        return fail(tokens.error());
    m_segmentTokens = *tokens;
    const auto chunks = chunksOfDevices(m_spec);
    for (const HostedStage& where : chunks[static_cast<std::size_t>(m_rank)]) {
        Hosted& made = m_hosted.emplace_back(*m_ops, m_plan, where);
        for (int segment = 0; segment < m_spec.segments(); ++segment)
            made.layouts.emplace_back(m_plan.model, made.compute.content(), m_segmentTokens,
                                      segment);
        if (made.compute.content().output && !m_losses) {
            const auto count = static_cast<Bytes>(m_spec.totalMicroBatches());
            m_losses =
                Buffer(*m_ops, count * static_cast<Bytes>(sizeof(float)), MemoryUse::Workspace);
        }
    }
    return {};
}

Result<void> TrainingWorker::beginIteration(int iteration)
{
    m_iteration = iteration;
    for (Hosted& each : m_hosted) {
        const auto versions = static_cast<std::size_t>(m_spec.updatesPerStage()) + 1;
        std::vector<int> readers(versions);
        for (int j = 0; j < m_spec.totalMicroBatches(); ++j) {
            if (m_spec.route(j) != each.stage.route)
                continue;
            const int version = m_plan.schedule.weightVersion(each.stage.stage, j);
            readers[static_cast<std::size_t>(version)] += m_spec.segments();
        }
        each.weights.beginIteration(std::move(readers));
    }
    if (m_losses)
        m_ops->zero(m_losses.data(), m_losses.bytes());
    return {};
}

std::optional<Pass> TrainingWorker::consumer(const Pass& producer) const
{
    Pass next = producer;
    if (producer.kind == PassKind::F && !last(producer))
        ++next.stage;
    else if (isBackward(producer.kind) && !first(producer))
        --next.stage;
    else
        return std::nullopt;
    return next;
}

Bytes TrainingWorker::resultBytes(const Pass& pass)
{
    const std::int64_t rows = static_cast<std::int64_t>(m_plan.model.samples) *
                              m_segmentTokens[static_cast<std::size_t>(pass.segment)];
    return rows * m_plan.model.hidden * m_ops->elementBytes();
}

Result<void> TrainingWorker::deliver(const Pass& producer, Packet packet)
{
    const Bytes bytes = resultBytes(producer);
    if (packet.payload == nullptr || packet.payload->bytes() != bytes) {
        return fail(ErrorCode::Fault,
                    "the result of " + describe(producer, m_spec) + " has " +
                        std::to_string(packet.payload == nullptr ? 0 : packet.payload->bytes()) +
                        " bytes, not " + std::to_string(bytes));
    }
    void* data = m_ops->unpack(std::move(packet), bytes);
    m_arrived.insert_or_assign(producer, Buffer(*m_ops, data, bytes, MemoryUse::Messages));
    return {};
}

Result<Packet> TrainingWorker::take(const Pass& producer)
{
    const auto found = m_outgoing.find(producer);
    if (found == m_outgoing.end())
        return fail(ErrorCode::Fault, "no result of " + describe(producer, m_spec) + " to send");
    const Bytes bytes = found->second.bytes();
    Packet packet = m_ops->pack(found->second.surrender(), bytes);
    m_outgoing.erase(found);
    return packet;
}

Result<Packet> TrainingWorker::gradients(HostedStage stage, int update)
{
    WeightVersions& weights = hosted(stage.route, stage.stage).weights;
    Buffer sums(*m_ops, weights.floatBytes(), MemoryUse::Messages);
    m_ops->copy(sums.data(), weights.gradients(update).data(), sums.bytes());
    const Bytes bytes = sums.bytes();
    return m_ops->pack(sums.surrender(), bytes);
}

Result<void> TrainingWorker::addGradients(HostedStage stage, int update, Packet packet)
{
    WeightVersions& weights = hosted(stage.route, stage.stage).weights;
    const Bytes bytes = weights.floatBytes();
    if (packet.payload == nullptr || packet.payload->bytes() != bytes)
        return fail(ErrorCode::Fault, "weight gradients of stage " + std::to_string(stage.stage) +
                                          " of the wrong size");
    const Buffer sums(*m_ops, m_ops->unpack(std::move(packet), bytes), bytes, MemoryUse::Messages);
    // A sum of two floats is the same in either order, so both replicas get the same.
    m_ops->addFloats(static_cast<const float*>(sums.data()), weights.gradients(update).data(),
                     weights.count());
    return {};
}

Result<Computed> TrainingWorker::compute(const OrderEntry& entry)
{
    std::vector<Running> passes;
    passes.push_back({entry.pass});
    if (entry.paired)
        passes.push_back({entry.partner});
    Computed computed;
    computed.start = m_ops->mark();
    m_scratch.setOverlapping(entry.paired && m_ops->overlaps());
    for (Running& running : passes) {
        if (const Result<void> good = startPass(running); !good)
            return fail(good.error());
    }
    computed.atStart = m_ops->memory();
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

Result<void> TrainingWorker::startPass(Running& running)
{
    const Pass& pass = running.pass;
    running.hosted = &hosted(pass.route, pass.stage);
    if (pass.kind == PassKind::U)
        return {};
    running.version = m_plan.schedule.weightVersion(pass.stage, pass.microBatch);
    if (pass.kind == PassKind::F)
        return startForward(running);
    const auto own = m_cells.find(cellNumber(pass));
    if (own == m_cells.end())
        return fail(ErrorCode::Fault, describe(pass, m_spec) + " before its F");
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
            uploadTarget(running);
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
        Result<Buffer> input = takeInput(running, PassKind::F);
        if (!input)
            return fail(input.error());
        cell.put(CellLayout::input, *std::move(input));
    }
    cell.takeForForward();
    running.cell = &m_cells.insert_or_assign(number, std::move(cell)).first->second;
    takeResult(running, !last(pass));
    if (first(pass) || last(pass))
        uploadTarget(running);
    if (first(pass))
        upload(running.cell->data(CellLayout::tokens), running.text.tokens);
    return {};
}

Result<void> TrainingWorker::startBackward(Running& running)
{
    if (!last(running.pass)) {
        Result<Buffer> gradient = takeInput(running, PassKind::B);
        if (!gradient)
            return fail(gradient.error());
        running.cell->put(CellLayout::input, *std::move(gradient));
    }
    takeResult(running, !first(running.pass));
    return {};
}

Result<Buffer> TrainingWorker::takeInput(const Running& running, PassKind producer)
{
    Pass from = running.pass;
    from.stage += producer == PassKind::F ? -1 : 1;
    from.kind = producer;
    auto found = m_arrived.find(from);
    if (found == m_arrived.end() && producer == PassKind::B) {
        from.kind = PassKind::BW;
        found = m_arrived.find(from);
    }
    if (found == m_arrived.end())
        return fail(ErrorCode::Fault, describe(running.pass, m_spec) + " without the result of " +
                                          describe(from, m_spec));
    Buffer input = std::move(found->second);
    m_arrived.erase(found);
    return input;
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

Tokens TrainingWorker::upload(void* to, const std::vector<std::int32_t>& tokens)
{
    m_ops->upload(to, tokens.data(),
                  static_cast<Bytes>(tokens.size()) * static_cast<Bytes>(sizeof(std::int32_t)));
    return {static_cast<const std::int32_t*>(to), static_cast<std::int64_t>(tokens.size())};
}

void TrainingWorker::uploadTarget(Running& running)
{
    const Pass& pass = running.pass;
    const CellLayout& layout = running.cell->layout();
    running.text = textRows(m_plan, microBatchNumber(m_plan, m_iteration, pass.microBatch),
                            layout.firstToken(), layout.segmentTokens());
    if (!last(pass))
        return;
    const auto bytes = layout.rows() * static_cast<Bytes>(sizeof(std::int32_t));
    running.target.tokens = upload(m_scratch.bytes(bytes), running.text.targets);
    // An update takes in the mean over the tokens of its micro-batches.
    const int microBatches = m_spec.updateRule == UpdateRule::Stashed ? 1 : m_spec.microBatches;
    running.target.scale =
        static_cast<float>(1.0 / (static_cast<double>(m_plan.model.tokens()) * microBatches));
    // The loss counts when F makes it, not once more when R does.
    running.target.loss = pass.kind == PassKind::R
                              ? static_cast<float*>(m_scratch.bytes(sizeof(float)))
                              : static_cast<float*>(m_losses.data()) + pass.microBatch;
}

bool TrainingWorker::leavesOutWeights(const Pass& pass) const
{
    return std::any_of(m_plan.faults.begin(), m_plan.faults.end(), [&](const InjectedFault& fault) {
        return fault.kind == FaultKind::SkipWeight && fault.iteration == m_iteration &&
               fault.pass.kind == pass.kind && fault.pass.stage == pass.stage &&
               fault.pass.microBatch == pass.microBatch && fault.pass.segment == pass.segment;
    });
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
                       leavesOutWeights(pass) ? nullptr : &sums, m_scratch);
        break;
    }
    case PassKind::W:
        if (!leavesOutWeights(pass))
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
            m_lossesDone.push_back(running.pass.microBatch);
        handOver(running);
        break;
    case PassKind::B:
        running.cell->holdForWeight();
        handOver(running);
        break;
    case PassKind::BW:
        handOver(running);
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

void TrainingWorker::handOver(Running& running)
{
    const std::optional<Pass> next = consumer(running.pass);
    if (!next)
        return;
    const bool stays = m_spec.device(next->route, next->stage) == m_rank;
    (stays ? m_arrived : m_outgoing).insert_or_assign(running.pass, std::move(running.result));
}

std::vector<MicroBatchLoss> TrainingWorker::takeLosses()
{
    std::vector<MicroBatchLoss> losses;
    if (m_lossesDone.empty())
        return losses;
    std::vector<float> sums(static_cast<std::size_t>(m_spec.totalMicroBatches()));
    m_ops->download(sums.data(), m_losses.data(), m_losses.bytes());
    for (const std::int32_t j : m_lossesDone) {
        const double sum = sums[static_cast<std::size_t>(j)];
        losses.push_back({j, sum / m_plan.model.tokens()});
    }
    m_lossesDone.clear();
    return losses;
}

std::vector<std::string> TrainingWorker::notes()
{
    if (!m_pairsInTurn)
        return {};
    return {"overlapped pairs ran one pass after the other: the device does one thing at a time"};
}

} // namespace

std::unique_ptr<Worker> makeTrainingWorker(const RunPlan& plan, int rank, std::unique_ptr<Ops> ops,
                                           SnapshotListener snapshot)
{
    return std::make_unique<TrainingWorker>(plan, rank, std::move(ops), std::move(snapshot));
}

} // namespace pw::exec
