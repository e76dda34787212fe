// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/pipeline_run.h"

#include "core/base/found_answers.h"
#include "core/base/try.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/offload.h"
#include "core/cost/whole.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

namespace pw::plan {

namespace {

double secondsOfRun(Ticks ticks)
{
    return static_cast<double>(ticks) / static_cast<double>(ticksPerSecond);
}

/// Shares of what is offloaded, by the times of a run without copies: they are longer with copies
/// that are not hidden, never shorter.
void findShares(const LanguageModel& model, const Cluster& cluster, Configuration& configuration,
                const Pieces& pieces, const Schedule& schedule, const Costs& costs,
                const SimResult& result)
{
    const std::vector<StageCopy> copies =
        stageCopies(model, cluster, configuration, pieces, schedule.spec());
    configuration.offloadShares = offloadShares(configuration, copies, schedule, costs, result,
                                                hostRates(cluster, configuration));
}

/// What a device has of the engine: of its stages, the one with most of each.
EngineBytes engineOf(const std::vector<EngineBytes>& stages, const std::vector<HostedStage>& hosted)
{
    EngineBytes most;
    for (const HostedStage& one : hosted) {
        const EngineBytes& own = stages[one.stage.index()];
        if (own.buffers() > most.buffers()) {
            most.messages = own.messages;
            most.dummies = own.dummies;
        }
        if (own.workspace() > most.workspace()) {
            most.working = own.working;
            most.loss = own.loss;
            most.sliceGradients = own.sliceGradients;
            most.vocabulary = own.vocabulary;
        }
    }
    return most;
}

/// What every device holds, the activations at its fullest moment.
PipelineHeld findHeld(const Schedule& schedule, const Costs& costs, const SimResult& result,
                      const std::vector<EngineBytes>& engine)
{
    PipelineHeld held;
    const PipelineSpec& spec = schedule.spec();
    const auto chunks = chunksOfDevices(spec);
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const std::vector<HostedStage>& hosted = chunks[device.index()];
        const StandingMemory standing = standingMemory(costs, hosted);
        Bytes activations = result.devices[device.index()].peakActivation;
        // The second of two buffers is there from the first step on.
        Bytes versions =
            spec.updateRule == UpdateRule::DoubleBuffered ? standing.weights : Bytes{0};
        if (spec.updateRule == UpdateRule::Stashed) {
            const MemoryPoint fullest = peakMemory(schedule, costs, result, device);
            activations = fullest.activation();
            versions = fullest.of(MemoryKind::Versions);
        }
        held.standing.push_back(standing);
        held.engine.push_back(engineOf(engine, hosted));
        held.activations.push_back(activations);
        held.versions.push_back(versions);
    }
    return held;
}

/// Steps that an order without a flush runs before each is like the next: until the pipeline is
/// full, and where a step is shorter than that, until weights come from a step that is.
int stepsBeforeSteady(const Configuration& configuration, int microBatches)
{
    const int fill = 2 * configuration.pipelineParallel / microBatches;
    return fill == 0 ? 1 : 3 + fill;
}

/// Keeps of a run what it takes longer than one that is a step shorter.
void keepLastStep(const SimResult& shorter, SimResult& result)
{
    result.makespan -= shorter.makespan;
    for (const DeviceId device : Ids<DeviceId>(result.devices.size())) {
        result.devices[device.index()].busy -= shorter.devices[device.index()].busy;
    }
}

/// The order of a shape for costs; the same for all costs is made and checked once.
Result<std::shared_ptr<const Schedule>> orderOf(const Family& family, const FamilyOptions& options,
                                                const PipelineSpec& spec, const Costs& costs)
{
    const auto make = [&]() -> Result<std::shared_ptr<const Schedule>> {
        PW_TRY(Schedule schedule, family.build(spec, options, costs));
        return std::make_shared<const Schedule>(std::move(schedule));
    };
    constexpr double mostPasses = 20'000;
    const double passes =
        3.0 * spec.routeCount() * spec.stages() * spec.microBatches * spec.segments();
    if (!family.fixedOrder || passes > mostPasses)
        return make();
    using Shape = std::tuple<std::string_view, std::vector<std::pair<std::string, double>>,
                             std::vector<int>, int, int, int>;
    constexpr std::size_t mostKept = 2'000'000; // passes of all orders
    static FoundAnswers<Shape, Result<std::shared_ptr<const Schedule>>> found(mostKept);
    const auto sizeOf = [passes](const auto&) { return static_cast<std::size_t>(passes); };
    return found.of(
        Shape(family.id, options.parameters, options.segmentLengths, options.devices,
              options.microBatches, options.steps),
        make, [] { return true; }, sizeOf);
}

PipelineTimes timesOfRun(const SimResult& result)
{
    PipelineTimes times;
    times.seconds = secondsOfRun(result.makespan);
    for (const DeviceId device : Ids<DeviceId>(result.devices.size())) {
        const DeviceResult& own = result.devices[device.index()];
        const double busy = secondsOfRun(own.busy);
        times.busySum += busy;
        // Without a flush, a few steps may not be the steady state yet: none is shorter than its
        // work.
        times.seconds = std::max(times.seconds, busy);
        if (busy > times.busiestSeconds) {
            times.busiestSeconds = busy;
            times.busiest = device;
        }
    }
    return times;
}

} // namespace

int stepsUntilSteady(const Configuration& configuration)
{
    if (traitsOf(configuration).updates == UpdateRule::Flush)
        return 1;
    return stepsBeforeSteady(configuration, configuration.microBatches()) + 1;
}

struct PipelineRun::Buffers
{
    Simulator simulator;
    SimResult shorter, part;
};

/// Simulators and results keep their room from one run to the next: there are as many as runs at a
/// time.
class PipelineRun::BufferPool
{
public:
    static BufferPool& all()
    {
        static BufferPool pool;
        return pool;
    }

    std::unique_ptr<Buffers> take()
    {
        const std::lock_guard lock(m_mutex);
        if (m_free.empty())
            return std::make_unique<Buffers>();
        std::unique_ptr<Buffers> last = std::move(m_free.back());
        m_free.pop_back();
        return last;
    }
    void giveBack(std::unique_ptr<Buffers> buffers)
    {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(std::move(buffers));
    }

private:
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Buffers>> m_free;
};

PipelineRun::PipelineRun(const Family& family, const LanguageModel& model, const Cluster& cluster,
                         Configuration& configuration, const Pieces& pieces)
    : m_family(family)
    , m_model(model)
    , m_cluster(cluster)
    , m_configuration(configuration)
    , m_pieces(pieces)
    , m_flushes(traitsOf(configuration).updates == UpdateRule::Flush)
    , m_offloads(configuration.offload != OffloadPolicy::None)
    , m_buffers(BufferPool::all().take())
{
    m_shorter.result = std::move(m_buffers->shorter);
    m_part.result = std::move(m_buffers->part);
}

PipelineRun::~PipelineRun()
{
    m_buffers->shorter = std::move(m_shorter.result);
    m_buffers->part = std::move(m_part.result);
    BufferPool::all().giveBack(std::move(m_buffers));
}

void PipelineRun::follow(const PipelineOrders& orders)
{
    m_shorter.order = orders.shorter;
    m_part.order = orders.part;
}

FamilyOptions PipelineRun::optionsOf(int microBatches) const
{
    FamilyOptions options = familyOptions(m_family, m_configuration, microBatches);
    if (!m_flushes)
        options.steps = stepsBeforeSteady(m_configuration, microBatches) + 1;
    return options;
}

/// What passes take and stages hold, whatever the number of micro-batches.
void PipelineRun::account(const PipelineSpec& spec)
{
    m_costs = costsOf(m_model, m_cluster, m_configuration, m_pieces, spec, m_configuration.split);
    addStanding(m_costs, m_model, m_cluster, m_configuration, spec, m_engine);
    m_costs.memoryCap.clear(); // what does not fit is told with what it needs
}

Result<PipelineTimes> PipelineRun::simulate(Part& part)
{
    FamilyOptions options = optionsOf(part.microBatches);
    PW_TRY(const PipelineSpec spec, specOf(m_family, options));
    if (m_costs.forward.empty()) {
        m_engine = engineBytes(m_model, m_configuration, spec);
        account(spec);
    }
    PW_DO(check(m_costs, spec));
    if (part.order == nullptr) {
        PW_TRY(part.order, orderOf(m_family, options, spec, m_costs));
    }
    Simulator& simulator = m_buffers->simulator;
    PW_DO(simulator.run(*part.order, m_costs, part.result));
    if (m_offloads && m_configuration.offloadShares.empty()) {
        findShares(m_model, m_cluster, m_configuration, m_pieces, *part.order, m_costs,
                   part.result);
        account(spec);
        PW_DO(simulator.run(*part.order, m_costs, part.result));
    }
    if (m_flushes)
        return timesOfRun(part.result);
    --options.steps;
    PW_TRY(const PipelineSpec before, specOf(m_family, options));
    PW_TRY(const std::shared_ptr<const Schedule> shorter,
           orderOf(m_family, options, before, m_costs));
    PW_TRY(const SimResult without, pw::simulate(*shorter, m_costs));
    keepLastStep(without, part.result);
    return timesOfRun(part.result);
}

Result<PipelineTimes> PipelineRun::times(Exactness exactness)
{
    const int m = m_configuration.microBatches();
    const int p = m_configuration.pipelineParallel;
    constexpr int wholePeriods = 4, fewPasses = 4000;
    const auto slices =
        static_cast<int>(std::max<std::size_t>(m_configuration.segmentLengths.size(), 1));
    const bool few = p > 1 && 3 * m * m_configuration.stages() * slices <= fewPasses;
    m_part.microBatches = m;
    if (exactness == Exactness::All || few || m <= (wholePeriods + 2) * p)
        return simulate(m_part);
    const int less = wholePeriods * p + m % p;
    m_shorter.microBatches = less;
    m_part.microBatches = less + p;
    m_periods = (m - less - p) / p;
    PW_TRY(const PipelineTimes shorter, simulate(m_shorter));
    PW_TRY(PipelineTimes times, simulate(m_part));
    const double periods = m_periods;
    times.seconds += periods * (times.seconds - shorter.seconds);
    times.busySum += periods * (times.busySum - shorter.busySum);
    times.busiestSeconds += periods * (times.busiestSeconds - shorter.busiestSeconds);
    // What is repeated may not be the steady state yet, but no pipeline is shorter than its bound.
    PW_TRY(const PipelineSpec spec, specOf(m_family, familyOptions(m_family, m_configuration, m)));
    times.seconds =
        std::max(times.seconds, leastPipelineSeconds(m_costs, spec, traitsOf(m_configuration)));
    return times;
}

Result<PipelineHeld> PipelineRun::held() const
{
    PW_TRY(PipelineHeld held, heldBy(m_part));
    if (m_shorter.order == nullptr)
        return held;
    PW_TRY(const PipelineHeld before, heldBy(m_shorter));
    // An order that keeps all micro-batches keeps those that are left out too.
    const auto extend = [this](std::vector<Bytes>& more, const std::vector<Bytes>& less) {
        for (std::size_t d = 0; d < more.size(); ++d)
            more[d] += m_periods * (more[d] - less[d]);
    };
    extend(held.activations, before.activations);
    extend(held.slices, before.slices);
    return held;
}

Result<PipelineHeld> PipelineRun::heldBy(const Part& part) const
{
    PipelineHeld held = findHeld(*part.order, m_costs, part.result, m_engine);
    PW_DO(findSlices(*part.order, held));
    if (!m_offloads)
        return held;
    const std::vector<double> rates = hostRates(m_cluster, m_configuration);
    for (std::size_t d = 0; d < held.activations.size(); ++d) {
        const OffloadedPeak peak = offloadedPeak(*part.order, m_costs, part.result, DeviceId(d),
                                                 m_configuration.offloadShares, rates[d]);
        Bytes& most = held.activations[d];
        most = std::min(most, peak.device);
        held.slices[d] = std::min(held.slices[d], most);
        held.hostBytes = std::max(held.hostBytes, static_cast<double>(peak.host));
    }
    return held;
}

std::vector<double> PipelineRun::partsApart() const
{
    const FamilyTraits traits = traitsOf(m_configuration);
    const Schedule& schedule = *m_part.order;
    const auto stages = static_cast<std::size_t>(schedule.spec().stages());
    if (traits.fused || traits.splitsBackward)
        return std::vector<double>(stages, traits.fused ? 0 : 1);
    std::vector<double> joined(stages, 0), apart = joined;
    const auto count = [&](const Pass& pass) {
        if (pass.kind == PassKind::BW || pass.kind == PassKind::W)
            ++(pass.kind == PassKind::W ? apart : joined)[pass.stage.index()];
    };
    for (const EntryId at : schedule.entries()) {
        const OrderEntry entry = schedule.entry(at);
        count(entry.pass);
        if (entry.paired)
            count(entry.partner);
    }
    for (std::size_t s = 0; s < stages; ++s)
        apart[s] /= std::max(apart[s] + joined[s], 1.0);
    return apart;
}

/// What keys and values in one piece add to the peak of every device: the same order without them.
Result<void> PipelineRun::findSlices(const Schedule& schedule, PipelineHeld& held) const
{
    const PipelineSpec& spec = schedule.spec();
    held.slices.assign(held.activations.size(), 0);
    if (joinedSliceBytes(m_model, m_configuration, spec, 1) <= 0)
        return {};
    Costs costs = m_costs;
    for (const StageId s : Ids<StageId>(spec.stages())) {
        const auto i = static_cast<std::size_t>(s);
        costs.activation[i * spec.segmentLengths.size()].activation -=
            wholeBytes(joinedSliceBytes(m_model, m_configuration, spec, m_configuration.split[i]));
    }
    PW_TRY(const SimResult apart, pw::simulate(schedule, costs));
    for (const DeviceId device : Ids<DeviceId>(held.activations.size())) {
        const Bytes peak = held.activations[device.index()];
        held.slices[device.index()] =
            std::max<Bytes>(peak - apart.devices[device.index()].peakActivation, 0);
    }
    return {};
}

} // namespace pw::plan
