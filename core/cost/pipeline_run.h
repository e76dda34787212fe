// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/engine_terms.h"
#include "core/cost/evaluate.h"
#include "core/model/known_sizes.h"
#include "core/sim/simulator.h"

#include <memory>
#include <vector>

namespace pw::plan {

/// Seconds of a simulated pipeline.
struct PipelineTimes
{
    double seconds = 0;
    double busySum = 0; ///< over all devices
    DeviceId busiest{0};
    double busiestSeconds = 0;
};

/// What its devices hold.
struct PipelineHeld
{
    std::vector<StandingMemory> standing;
    std::vector<EngineBytes> engine; ///< of them, what the engine has
    std::vector<Bytes> activations;  ///< most at once
    std::vector<Bytes> slices;       ///< of them, what keys and values in one piece add
    std::vector<Bytes> versions;     ///< of the weights, beside the first
    double hostBytes = 0;
};

/// The orders that a pipeline was simulated by.
struct PipelineOrders
{
    std::shared_ptr<const Schedule> shorter; ///< none where no period is repeated
    std::shared_ptr<const Schedule> part;
};

/// The simulated pipeline of a configuration. What its devices hold is found only for those who
/// ask: of most configurations their time says enough.
class PipelineRun
{
public:
    /// @param configuration  with its split; gets the shares of what is offloaded; all outlive this
    PipelineRun(const Family& family, const LanguageModel& model, const Cluster& cluster,
                Configuration& configuration, const Pieces& pieces);
    ~PipelineRun();
    PipelineRun(const PipelineRun&) = delete;
    PipelineRun& operator=(const PipelineRun&) = delete;

    /// Simulates these in place of the order that the family makes for the costs: of a
    /// configuration that differs in its split alone.
    void follow(const PipelineOrders& orders);

    /// With many micro-batches the order repeats itself every p of them in its middle, so that a
    /// part with as many more as p leave no rest says how long all take.
    Result<PipelineTimes> times(Exactness exactness);
    /// @pre `times` has found them
    Result<PipelineHeld> held() const;
    /// @pre `times` has found them
    PipelineOrders orders() const { return {m_shorter.order, m_part.order}; }
    /// By stage: the part of its backwards that are B and W.
    /// @pre `times` has found them
    std::vector<double> partsApart() const;

private:
    /// A number of micro-batches that is simulated.
    struct Part
    {
        int microBatches = 0;
        std::shared_ptr<const Schedule> order;
        SimResult result;
    };
    struct Buffers;
    class BufferPool;

    FamilyOptions optionsOf(int microBatches) const;
    void account(const PipelineSpec& spec);
    Result<PipelineTimes> simulate(Part& part);
    Result<PipelineHeld> heldBy(const Part& part) const;
    Result<void> findSlices(const Schedule& schedule, PipelineHeld& held) const;

    const Family& m_family;
    const LanguageModel& m_model;
    const Cluster& m_cluster;
    Configuration& m_configuration;
    const Pieces& m_pieces;
    bool m_flushes;
    bool m_offloads;
    Costs m_costs; ///< the same for any number of micro-batches; of no stage: not yet known
    std::vector<EngineBytes> m_engine;
    std::unique_ptr<Buffers> m_buffers;
    Part m_shorter, m_part; ///< the first only where a period is repeated
    int m_periods = 0;      ///< that are repeated behind the part
};

} // namespace pw::plan
