// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/planner.h"

#include "core/base/try.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

namespace pw {

namespace {

/// Limits of what is tried; beyond them a search would take hours.
constexpr double maxSplitWork = 1e11;
constexpr int maxPlanDevices = 1'000'000;

double sendTime(Bytes bytes, double bytesPerSecond)
{
    return static_cast<double>(bytes) / bytesPerSecond * ticksPerSecond;
}

double replicatedTime(Ticks compute, Bytes weights, int replicas, double bytesPerSecond)
{
    const double sync = 2 * (replicas - 1) * sendTime(weights, bytesPerSecond);
    return std::max(static_cast<double>(compute), sync) / replicas;
}

Result<void> checkBandwidth(double bytesPerSecond)
{
    if (!(bytesPerSecond > 0) || !std::isfinite(bytesPerSecond)) {
        return fail(ErrorCode::BadValue, "bandwidth is %1 byte/s; above 0",
                    std::to_string(bytesPerSecond));
    }
    return {};
}

Result<void> checkCount(const char* what, std::int64_t value, std::int64_t least)
{
    if (value >= least)
        return {};
    return fail(ErrorCode::BadValue, "%1 is %2; at least %3", what, value, least);
}

/// The dynamic program of `splitForMachines`: best(j, k) is the period of the first j layers on k
/// machines.
class SplitTable
{
public:
    SplitTable(const std::vector<LayerProfile>& layers, int machines, double bytesPerSecond)
        : m_layers(static_cast<int>(layers.size()))
        , m_machines(machines)
        , m_bytesPerSecond(bytesPerSecond)
        , m_compute(layers.size() + 1)
        , m_weights(layers.size() + 1)
        , m_boundary(layers.size() + 1)
        , m_cells((layers.size() + 1) * (static_cast<std::size_t>(machines) + 1))
    {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            m_compute[i + 1] = m_compute[i] + layers[i].compute;
            m_weights[i + 1] = m_weights[i] + layers[i].weights;
            m_boundary[i + 1] = 2 * sendTime(layers[i].output, bytesPerSecond);
        }
        for (int end = 1; end <= m_layers; ++end) {
            for (int k = 1; k <= machines; ++k)
                fill(end, k);
        }
    }

    /// Stages of the best split, first stage first.
    std::vector<ReplicatedStage> stages() const
    {
        std::vector<ReplicatedStage> found;
        int end = m_layers;
        for (int k = m_machines; end > 0;) {
            const Cell& best = cell(end, k);
            found.push_back({best.firstLayer, end - best.firstLayer, best.replicas});
            end = best.firstLayer;
            k -= best.replicas;
        }
        std::reverse(found.begin(), found.end());
        return found;
    }

    double period() const { return cell(m_layers, m_machines).period; }

private:
    struct Cell
    {
        double period = std::numeric_limits<double>::infinity();
        int firstLayer = 0; // of the last stage
        int replicas = 0;   // of the last stage
    };

    std::size_t index(int end, int machines) const
    {
        return static_cast<std::size_t>(end) * (static_cast<std::size_t>(m_machines) + 1) +
               static_cast<std::size_t>(machines);
    }

    const Cell& cell(int end, int machines) const { return m_cells[index(end, machines)]; }

    void fill(int end, int k)
    {
        Cell best{stageTime(0, end, k), 0, k};
        for (int first = 1; first < end; ++first) {
            for (int replicas = 1; replicas < k; ++replicas) {
                const double period = std::max({cell(first, k - replicas).period,
                                                m_boundary[static_cast<std::size_t>(first)],
                                                stageTime(first, end, replicas)});
                if (period < best.period)
                    best = {period, first, replicas};
            }
        }
        m_cells[index(end, k)] = best;
    }

    double stageTime(int first, int end, int replicas) const
    {
        const auto from = static_cast<std::size_t>(first);
        const auto to = static_cast<std::size_t>(end);
        return replicatedTime(m_compute[to] - m_compute[from], m_weights[to] - m_weights[from],
                              replicas, m_bytesPerSecond);
    }

    int m_layers;
    int m_machines;
    double m_bytesPerSecond;
    std::vector<Ticks> m_compute;   // of the layers before
    std::vector<Bytes> m_weights;   // of the layers before
    std::vector<double> m_boundary; // behind the layer before
    std::vector<Cell> m_cells;
};

Result<void> checkModel(const BlockModel& model, const Servers& servers, int batch)
{
    for (const auto& [what, value, least] :
         {std::tuple("blocks", std::int64_t{model.blocks}, std::int64_t{1}),
          std::tuple("weights", model.weights, std::int64_t{0}),
          std::tuple("gradients", model.gradients, std::int64_t{0}),
          std::tuple("devices", std::int64_t{servers.devices}, std::int64_t{1}),
          std::tuple("devices of a server", std::int64_t{servers.devicesPerServer},
                     std::int64_t{1}),
          std::tuple("memory", servers.memory, std::int64_t{0}),
          std::tuple("batch", std::int64_t{batch}, std::int64_t{1})}) {
        PW_DO(checkCount(what, value, least));
    }
    for (const double bandwidth : {servers.insideBytesPerSecond, servers.betweenBytesPerSecond}) {
        PW_DO(checkBandwidth(bandwidth));
    }
    if (!(model.recomputeFactor >= 1) || !std::isfinite(model.recomputeFactor)) {
        return fail(ErrorCode::BadValue, "recompute factor is %1; at least 1",
                    std::to_string(model.recomputeFactor));
    }
    for (const MicroBatchProfile& profile : model.profiles) {
        for (const auto& [what, value, least] :
             {std::tuple("samples of a micro-batch", std::int64_t{profile.samples},
                         std::int64_t{1}),
              std::tuple("compute of a block", profile.compute, std::int64_t{1}),
              std::tuple("activation", profile.activation, std::int64_t{0}),
              std::tuple("boundary", profile.boundary, std::int64_t{0})}) {
            PW_DO(checkCount(what, value, least));
        }
    }
    return {};
}

/// Fills in what follows from a plan's shape; nothing where the batch does not divide.
std::optional<PipelinePlan> evaluate(const BlockModel& model, const Servers& servers, int batch,
                                     PipelineMemory kind, const MicroBatchProfile& profile,
                                     PipelinePlan plan)
{
    const std::int64_t unit = std::int64_t{plan.width} * plan.depth * profile.samples;
    if (batch % unit != 0)
        return std::nullopt;
    plan.samples = profile.samples;
    plan.accumulation = static_cast<int>(batch / unit);
    plan.period = planPeriod(model, servers, profile, plan);
    plan.memory = planMemory(kind, model, profile, plan);
    plan.samplesPerSecond = static_cast<double>(plan.width) * plan.samples * ticksPerSecond /
                            static_cast<double>(plan.period);
    return plan;
}

} // namespace

Result<ReplicatedSplit> splitForMachines(const std::vector<LayerProfile>& layers, int machines,
                                         double bytesPerSecond)
{
    if (layers.empty())
        return fail(ErrorCode::BadValue, "there is no layer to place");
    PW_DO(checkCount("machines", machines, 1));
    PW_DO(checkBandwidth(bytesPerSecond));
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (layers[i].compute < 0 || layers[i].weights < 0 || layers[i].output < 0) {
            return fail(ErrorCode::BadValue, "layer %1 has a negative time or size", i);
        }
    }
    const double pairs = static_cast<double>(layers.size()) * machines;
    if (pairs * pairs > maxSplitWork) {
        return fail(ErrorCode::TooLarge, "%1 layers on %2 machines are too many to search",
                    layers.size(), machines);
    }
    const SplitTable table(layers, machines, bytesPerSecond);
    ReplicatedSplit split;
    split.stages = table.stages();
    split.period = std::llround(table.period());
    const int first = split.stages.front().replicas;
    split.inFlight = (machines + first - 1) / first;
    return split;
}

Bytes planMemory(PipelineMemory kind, const BlockModel& model, const MicroBatchProfile& profile,
                 const PipelinePlan& plan)
{
    const int versions = kind == PipelineMemory::DoubleBuffered ? 2 : 1;
    const int inputs = kind == PipelineMemory::AllForwards ? plan.microBatches() : plan.depth;
    const int activations = plan.recompute ? 1 : inputs;
    // In floating point, since a product of what people type can leave 64 bits.
    const double bytes = std::ceil((static_cast<double>(model.weights) * versions +
                                    static_cast<double>(profile.activation) * activations) /
                                   plan.depth) +
                         static_cast<double>(profile.boundary) * inputs;
    constexpr auto most = std::numeric_limits<Bytes>::max();
    return bytes < static_cast<double>(most) ? static_cast<Bytes>(bytes) : most;
}

Ticks planPeriod(const BlockModel& model, const Servers& servers, const MicroBatchProfile& profile,
                 const PipelinePlan& plan)
{
    double compute = static_cast<double>(profile.compute) * model.blocks / plan.depth;
    if (plan.recompute)
        compute *= model.recomputeFactor;
    // Input and output of the stage, and the gradient of each.
    const double messages =
        plan.depth > 1 ? 4 * sendTime(profile.boundary, servers.bandwidth(plan.depth)) : 0;
    const double sum = 2.0 * (plan.width - 1) / plan.width / plan.depth *
                       sendTime(model.gradients, servers.bandwidth(plan.width));
    return std::llround(std::max(compute + messages, sum / plan.microBatches()));
}

Result<PipelinePlan> planPipelines(const BlockModel& model, const Servers& servers, int batch,
                                   PipelineMemory kind)
{
    PW_DO(checkModel(model, servers, batch));
    if (servers.devices > maxPlanDevices) {
        return fail(ErrorCode::TooLarge, "devices is %1; at most %2", servers.devices,
                    maxPlanDevices);
    }
    std::optional<PipelinePlan> best;
    std::optional<Bytes> least;
    for (int width = 1; width <= servers.devices; ++width) {
        for (int depth = 1; depth <= std::min(servers.devices / width, model.blocks); ++depth) {
            if (model.blocks % depth != 0)
                continue;
            for (const bool recompute : {false, true}) {
                for (const MicroBatchProfile& profile : model.profiles) {
                    PipelinePlan shape;
                    shape.width = width;
                    shape.depth = depth;
                    shape.recompute = recompute;
                    const auto plan = evaluate(model, servers, batch, kind, profile, shape);
                    if (!plan)
                        continue;
                    least = std::min(least.value_or(plan->memory), plan->memory);
                    if (plan->memory <= servers.memory &&
                        (!best || plan->samplesPerSecond > best->samplesPerSecond))
                        best = plan;
                }
            }
        }
    }
    if (best)
        return *best;
    if (least) {
        return fail(ErrorCode::MemoryLimit, "no plan fits %1 bytes a device; the smallest needs %2",
                    servers.memory, *least);
    }
    return fail(ErrorCode::BadValue, "no micro-batch size divides the batch of %1 samples", batch);
}

} // namespace pw
