// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/transport.h"
#include "executor/api/worker.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pw::test {

/// A number as a result on its way.
struct FakePayload final : exec::Payload
{
    explicit FakePayload(std::uint64_t theValue)
        : value(theValue)
    {
    }
    Bytes bytes() const override { return 8; }
    std::uint64_t value;
};

/// What the results of a plan are: each follows from its inputs, so that a wrong input shows.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b)
{
    return (a ^ (b + 0x9E37'79B9'7F4A'7C15U)) * 0xBF58'476D'1CE4'E5B9U;
}
inline std::uint64_t forwardValue(int stage, int microBatch, int segment)
{
    const std::uint64_t input =
        stage == 0 ? mixed(static_cast<unsigned>(microBatch), static_cast<unsigned>(segment))
                   : forwardValue(stage - 1, microBatch, segment);
    return mixed(input, static_cast<unsigned>(stage));
}
inline std::uint64_t backwardValue(int stages, int stage, int microBatch, int segment)
{
    const std::uint64_t input = stage + 1 == stages
                                    ? forwardValue(stage, microBatch, segment)
                                    : backwardValue(stages, stage + 1, microBatch, segment);
    return mixed(input, static_cast<unsigned>(stage) + 1000);
}

/// A device that computes such numbers in no time, and throws where an input or a sum is not what
/// it must be.
class FakeWorker : public exec::Worker
{
public:
    /// @param lag  entries that the device is behind its thread
    FakeWorker(const exec::RunPlan& plan, RankId rank, const exec::RunClock& clock, int lag = 0)
        : m_spec(plan.schedule.spec())
        , m_rank(rank)
        , m_clock(clock)
        , m_lag(lag)
    {
    }

    Result<void> begin() override { return {}; }
    Result<void> beginIteration(int) override
    {
        m_inputs.clear();
        m_results.clear();
        m_sums.clear();
        m_other.clear();
        return {};
    }
    Result<void> deliver(const Pass& producer, exec::Packet packet) override
    {
        m_inputs[key(producer)] = dynamic_cast<FakePayload&>(*packet.payload).value;
        return {};
    }
    Result<exec::Computed> compute(const OrderEntry& entry) override
    {
        exec::Computed computed;
        computed.start = mark();
        one(entry.pass);
        if (entry.paired)
            one(entry.partner);
        computed.atStart = computed.atEnd = m_memory;
        computed.atStart[4] += 8;
        computed.end = mark();
        return computed;
    }
    Result<exec::Packet> take(const Pass& producer) override
    {
        return exec::Packet{std::make_shared<FakePayload>(m_results.at(key(producer))), 0};
    }
    Result<exec::Packet> gradients(HostedStage stage, int update) override
    {
        return exec::Packet{
            std::make_shared<FakePayload>(m_sums[{stage.route, stage.stage, update}]), 0};
    }
    Result<void> addGradients(HostedStage stage, int update, exec::Packet packet) override
    {
        m_other[{stage.route, stage.stage, update}] +=
            dynamic_cast<FakePayload&>(*packet.payload).value;
        return {};
    }
    std::vector<exec::MicroBatchLoss> takeLosses() override { return std::exchange(m_losses, {}); }
    std::optional<Ticks> time(exec::Mark mark) override
    {
        // A device that lags comes to a mark when it is asked often enough.
        const auto number = static_cast<std::size_t>(mark.value);
        if (m_lag > 0 && number + static_cast<std::size_t>(m_lag) > m_marks.size() + m_asked++ / 8)
            return {};
        return m_marks.at(number);
    }

private:
    using PassKey = std::tuple<bool, int, int, int>;
    static PassKey key(const Pass& pass)
    {
        return {pass.kind == PassKind::F, pass.stage, pass.microBatch, pass.segment};
    }

    exec::Mark mark()
    {
        m_marks.push_back(m_clock.now());
        return {static_cast<std::int64_t>(m_marks.size()) - 1};
    }

    std::uint64_t input(const Pass& pass, StageId from)
    {
        const Pass producer{pass.kind, pass.route, from, pass.microBatch, pass.segment};
        const auto& source =
            m_spec.device(pass.route, from) == deviceOf(m_rank) ? m_results : m_inputs;
        const auto found = source.find(key(producer));
        if (found == source.end())
            throw std::runtime_error("the input of " + describe(pass, m_spec) + " is missing");
        return found->second;
    }

    void one(const Pass& pass)
    {
        const int last = m_spec.stages() - 1;
        std::uint64_t value = 0;
        std::uint64_t expected = 0;
        switch (pass.kind) {
        case PassKind::F:
            value = pass.stage == 0 ? mixed(static_cast<unsigned>(pass.microBatch),
                                            static_cast<unsigned>(pass.segment))
                                    : input(pass, pass.stage - 1);
            value = mixed(value, static_cast<unsigned>(pass.stage));
            expected = forwardValue(pass.stage, pass.microBatch, pass.segment);
            if (pass.stage == last && pass.segment == 0)
                m_losses.push_back({pass.microBatch, 1.0 + pass.microBatch});
            break;
        case PassKind::B:
        case PassKind::BW:
            value =
                pass.stage == last
                    ? m_results.at(key({PassKind::F, 0, pass.stage, pass.microBatch, pass.segment}))
                    : input(pass, pass.stage + 1);
            value = mixed(value, static_cast<unsigned>(pass.stage) + 1000);
            expected = backwardValue(last + 1, pass.stage, pass.microBatch, pass.segment);
            break;
        case PassKind::U:
            update(pass);
            return;
        case PassKind::W:
        case PassKind::R:
            break;
        }
        if (value != expected)
            throw std::runtime_error(describe(pass, m_spec) + " has a wrong input");
        if (pass.kind == PassKind::F || isBackward(pass.kind))
            m_results[key(pass)] = value;
        if (pass.kind == PassKind::W || pass.kind == PassKind::BW)
            m_sums[{pass.route, pass.stage, m_spec.updateOf(pass.microBatch)}] +=
                mixed(static_cast<unsigned>(pass.microBatch), static_cast<unsigned>(pass.segment));
    }

    /// Every micro-batch of the update, of both replicas, must be in the sum.
    void update(const Pass& pass)
    {
        std::uint64_t expected = 0;
        for (int j = 0; j < m_spec.totalMicroBatches(); ++j) {
            for (int q = 0; q < m_spec.segments() && m_spec.updateOf(j) == pass.microBatch; ++q)
                expected += mixed(static_cast<unsigned>(j), static_cast<unsigned>(q));
        }
        const std::tuple<int, int, int> place{pass.route, pass.stage, pass.microBatch};
        if (m_sums[place] + m_other[place] != expected)
            throw std::runtime_error(describe(pass, m_spec) + " has a wrong sum");
    }

    const PipelineSpec& m_spec;
    const RankId m_rank;
    const exec::RunClock& m_clock;
    const int m_lag;
    std::size_t m_asked = 0;
    std::vector<Ticks> m_marks;
    std::map<PassKey, std::uint64_t> m_inputs;
    std::map<PassKey, std::uint64_t> m_results;
    std::map<std::tuple<int, int, int>, std::uint64_t> m_sums;  // route, stage, update
    std::map<std::tuple<int, int, int>, std::uint64_t> m_other; // of the other replica
    exec::MemoryNow m_memory{};
    std::vector<exec::MicroBatchLoss> m_losses;
};

} // namespace pw::test
