// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/environment.h"
#include "executor/api/runner.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/model/training.h"
#include "executor/transport/local.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace pw::test {

/// Forwards that rank 0 has run ahead of the norm. A late rank keeps its part of the norm of all
/// gradients to itself until there is one more.
struct RunAhead
{
    std::atomic<int> forwards{0};
    std::atomic<int> seen{0};

    void await()
    {
        constexpr int most = 5'000; // of a machine that is very busy
        for (int waited = 0; forwards.load() == seen.load() && waited < most; ++waited)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        seen.store(forwards.load());
    }
};

/// A worker that counts forwards that run ahead, or says late what its gradients are.
class LateWorker final : public exec::Worker
{
public:
    LateWorker(std::unique_ptr<exec::Worker> real, RunAhead& ahead, int lastUpdate, bool late)
        : m_real(std::move(real))
        , m_ahead(ahead)
        , m_lastUpdate(lastUpdate)
        , m_late(late)
    {
    }
    void setStop(const exec::Stop& ended) override { m_real->setStop(ended); }
    Result<void> begin() override { return m_real->begin(); }
    Result<void> beginIteration(int iteration) override
    {
        return m_real->beginIteration(iteration);
    }
    Result<void> deliver(const Pass& producer, exec::Packet packet) override
    {
        return m_real->deliver(producer, std::move(packet));
    }
    Result<exec::Computed> compute(const OrderEntry& entry) override
    {
        if (!m_late && m_open && entry.pass.kind == PassKind::F)
            ++m_ahead.forwards;
        return m_real->compute(entry);
    }
    Result<exec::Packet> take(const Pass& producer) override { return m_real->take(producer); }
    Result<exec::Packet> gradients(HostedStage stage, int update) override
    {
        return m_real->gradients(stage, update);
    }
    Result<void> addGradients(HostedStage stage, int update, exec::Packet packet) override
    {
        return m_real->addGradients(stage, update, std::move(packet));
    }
    Result<exec::Packet> shard(HostedStage stage, int update, ReductionKind kind,
                               int shard) override
    {
        return m_real->shard(stage, update, kind, shard);
    }
    Result<void> takeShard(HostedStage stage, int update, ReductionKind kind, int shard,
                           exec::Packet packet) override
    {
        return m_real->takeShard(stage, update, kind, shard, std::move(packet));
    }
    Result<double> gradientSquares(int update) override
    {
        if (m_late && update != m_lastUpdate)
            m_ahead.await();
        return m_real->gradientSquares(update);
    }
    Result<void> scaleGradients(int update, double factor) override
    {
        return m_real->scaleGradients(update, factor);
    }
    Result<void> keepForRollback(int update) override
    {
        m_open = true;
        return m_real->keepForRollback(update);
    }
    Result<void> rollBack(int update, double factor) override
    {
        return m_real->rollBack(update, factor);
    }
    Result<void> forget(const OrderEntry& entry) override { return m_real->forget(entry); }
    void settled(int update) override
    {
        m_open = false;
        m_real->settled(update);
    }
    Result<void> end() override { return m_real->end(); }
    std::vector<exec::MicroBatchLoss> takeLosses() override { return m_real->takeLosses(); }
    std::optional<Ticks> time(exec::Mark mark) override { return m_real->time(mark); }
    Result<void> health() override { return m_real->health(); }

private:
    std::unique_ptr<exec::Worker> m_real;
    RunAhead& m_ahead;
    int m_lastUpdate;
    bool m_late;
    bool m_open = false;
};

/// The CPU with a rank whose part of the norm comes late.
class LateBackend final : public exec::Backend
{
public:
    explicit LateBackend(int late)
        : m_late(late)
    {
    }
    exec::BackendInfo info() const override
    {
        exec::BackendInfo info;
        info.name = "cpu";
        return info;
    }
    Result<RunFigures> run(const exec::RunPlan& plan, exec::RunSink& sink,
                           const exec::Stop& stop) override
    {
        exec::RunClock clock;
        RunAhead ahead;
        exec::LocalTransport transport(plan, clock);
        const auto workers = [&](RankId rank,
                                 const exec::RunClock&) -> Result<std::unique_ptr<exec::Worker>> {
            std::unique_ptr<exec::Worker> real =
                exec::makeTrainingWorker(plan, rank, exec::makeCpuOps(clock), snapshotListener());
            if (rank != m_late && rank != 0)
                return real;
            return std::unique_ptr<exec::Worker>(std::make_unique<LateWorker>(
                std::move(real), ahead, plan.schedule.spec().steps - 1, rank == m_late));
        };
        return exec::runRanks(plan, workers, transport, clock,
                              exec::environmentHere("cpu", transport.name()), sink, stop);
    }

private:
    int m_late;
};

} // namespace pw::test
