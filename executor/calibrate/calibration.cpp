// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/calibrate/calibration.h"

#include "core/analysis/recorded_rounds.h"
#include "core/base/try.h"
#include "executor/api/recording_sink.h"
#include "executor/model/model_text.h"
#include "executor/model/training.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace pw::exec {

namespace {

/// Times of one kind of thing, gathered over runs.
struct Gathered
{
    std::map<std::tuple<PassKind, bool, int, int>, std::vector<Ticks>> passes;
    std::vector<Ticks> gaps;
    std::map<Bytes, std::vector<Ticks>> messages; ///< the launch gap is part of them still
};

/// Start and end of the entries of one iteration, −1 where nothing was recorded.
class IterationTimes
{
public:
    explicit IterationTimes(const Schedule& schedule)
        : m_start(static_cast<std::size_t>(schedule.entryCount()), -1)
        , m_end(static_cast<std::size_t>(schedule.entryCount()), -1)
    {
    }

    void take(const RecordedPass& pass)
    {
        const auto entry = static_cast<std::size_t>(pass.entry);
        // The two passes of a pair share an entry.
        m_start[entry] = m_start[entry] < 0 ? pass.start : std::min(m_start[entry], pass.start);
        m_end[entry] = std::max(m_end[entry], pass.end);
    }
    bool known(std::int32_t entry) const { return m_end[static_cast<std::size_t>(entry)] >= 0; }
    Ticks start(std::int32_t entry) const { return m_start[static_cast<std::size_t>(entry)]; }
    Ticks end(std::int32_t entry) const { return m_end[static_cast<std::size_t>(entry)]; }

private:
    std::vector<Ticks> m_start;
    std::vector<Ticks> m_end;
};

/// Goes through the records of a run.
class Gatherer
{
public:
    Gatherer(const RunPlan& plan, const RecordingSink::Record& records)
        : m_schedule(plan.schedule)
        , m_program(plan.program)
        , m_records(records)
        , m_incoming(static_cast<std::size_t>(m_schedule.entryCount()))
    {
        for (std::size_t m = 0; m < m_program.messages.size(); ++m)
            m_incoming[static_cast<std::size_t>(entryOf(m_program.messages[m].consumer))].push_back(
                static_cast<std::int32_t>(m));
        for (const RecordedMessage& message : records.messages) {
            if (message.iteration >= 0 && message.message >= 0)
                m_arrivals[{message.iteration, message.message}] = &message;
        }
    }

    void run(bool passTimes, Gathered& out)
    {
        std::map<std::int32_t, IterationTimes> iterations;
        for (const RecordedPass& pass : m_records.passes) {
            if (pass.iteration < 0 || pass.entry < 0)
                continue;
            iterations.try_emplace(pass.iteration, m_schedule).first->second.take(pass);
        }
        for (const auto& [number, times] : iterations) {
            for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
                for (const EntryId e : m_schedule.entries(device)) {
                    if (!times.known(e))
                        continue;
                    if (passTimes)
                        takeEntry(e, times, out);
                    if (e > m_schedule.begin(device) && times.known(e - 1))
                        takeStart(e, number, times, out);
                }
            }
        }
    }

private:
    std::int32_t entryOf(const Pass& pass) const
    {
        return m_schedule.entryOf(m_schedule.table().id(pass));
    }

    void takeEntry(EntryId e, const IterationTimes& times, Gathered& out) const
    {
        const OrderEntry entry = m_schedule.entry(e);
        const bool forwardLast = entry.paired && entry.partner.kind == PassKind::F;
        const Pass& pass = forwardLast ? entry.partner : entry.pass;
        const Pass& other = forwardLast ? entry.pass : entry.partner;
        // A pair with B alone has another time, which follows from the one with BW.
        if (entry.paired && (pass.kind != PassKind::F || other.kind != PassKind::BW))
            return;
        out.passes[{pass.kind, entry.paired, pass.stage, pass.segment}].push_back(times.end(e) -
                                                                                  times.start(e));
    }

    /// What stands between an entry and the one before it: the launch gap, or a message.
    void takeStart(std::int32_t e, std::int32_t iteration, const IterationTimes& times,
                   Gathered& out) const
    {
        const Ticks before = times.end(e - 1);
        const RecordedMessage* last = nullptr;
        Ticks produced = 0;
        for (const std::int32_t number : m_incoming[static_cast<std::size_t>(e)]) {
            const auto arrival = m_arrivals.find({iteration, number});
            const std::int32_t producer =
                entryOf(m_program.messages[static_cast<std::size_t>(number)].producer);
            if (arrival == m_arrivals.end() || !times.known(producer))
                return;
            if (last == nullptr || arrival->second->ended > last->ended) {
                last = arrival->second;
                produced = times.end(producer);
            }
        }
        if (last == nullptr || std::max(last->ended, produced) <= before)
            out.gaps.push_back(std::max<Ticks>(times.start(e) - before, 0));
        else if (produced > before)
            out.messages[last->bytes].push_back(times.start(e) - produced);
    }

    const Schedule& m_schedule;
    const Program& m_program;
    const RecordingSink::Record& m_records;
    std::vector<std::vector<std::int32_t>> m_incoming; // by entry
    std::map<std::pair<std::int32_t, std::int32_t>, const RecordedMessage*> m_arrivals;
};

struct Probe
{
    GptModel model;
    LayerSplit split;
    int warmup = 0;
    int iterations = 1;
};

/// What of a run's records counts.
enum class Take
{
    Nothing,
    Messages,
    Everything
};

class Calibration
{
public:
    Calibration(Backend& backend, const CalibrationRequest& request, const Stop& stop)
        : m_backend(backend)
        , m_request(request)
        , m_stop(stop)
    {
    }

    Result<CostsFile> measure()
    {
        constexpr int microBatchesADevice = 2;
        const PipelineSpec& spec = m_request.spec;
        const int count = std::max(microBatchesADevice * spec.devices, 4);
        std::vector<Schedule> orders;
        for (const BackwardForm form : m_request.forms) {
            PW_TRY(Schedule order, canonicalSchedule(spec, form, count));
            orders.push_back(std::move(order));
        }
        if (m_request.paired)
            orders.push_back(*m_request.paired);
        std::vector<int> iterations; // of each order, over all rounds
        std::vector<Ticks> makespans;
        for (std::size_t i = 0; i < orders.size(); ++i) {
            tell(i);
            const Probe once{m_request.model, m_request.split, 1, 1};
            PW_DO(probe(once, orders[i], Take::Nothing));
            iterations.push_back(
                std::max(m_request.iterations, fitting(m_request.leastTime, m_makespan)));
            makespans.push_back(m_makespan);
        }
        PW_DO(measureRounds(orders, iterations, makespans));
        if (m_request.messageSizes && spec.devices > 1) {
            PW_DO(measureMessages());
        }
        return fileOf();
    }

private:
    /// How many iterations of a length fit into a time.
    static int fitting(Ticks time, Ticks once)
    {
        constexpr Ticks most = 200;
        return static_cast<int>(std::min(time / std::max<Ticks>(once, 1), most));
    }

    /// Iterations that are run before a round's and not counted. Memory that is new is slow at
    /// first, and so is a processor that was idle. Where a backend keeps its memory from run to
    /// run, an iteration that takes longer than a processor to its full speed needs none.
    int warmupOf(int round, Ticks makespan) const
    {
        constexpr Ticks warmupPart = 4;
        const Ticks least = m_request.leastTime / warmupPart;
        const bool isLong = makespan > least && m_backend.keepsMemory();
        if (round == 0)
            return isLong ? std::min(m_request.warmup, 1)
                          : std::max(m_request.warmup, fitting(least, makespan));
        return m_request.modelled.forward.empty() && !isLong ? 1 : 0;
    }

    /// All orders in turn, again and again: neighbouring rounds tell how the machine drifts.
    /// @param makespans  of each order, about
    Result<void> measureRounds(const std::vector<Schedule>& orders,
                               const std::vector<int>& iterations,
                               const std::vector<Ticks>& makespans)
    {
        const int fewest = *std::min_element(iterations.begin(), iterations.end());
        const int rounds = std::clamp(m_request.rounds, 1, std::max(fewest, 1));
        for (int round = 0; round < rounds; ++round) {
            m_rounds.emplace_back();
            for (std::size_t i = 0; i < iterations.size(); ++i) {
                Probe whole{m_request.model, m_request.split, 0, 1};
                whole.iterations =
                    iterations[i] * (round + 1) / rounds - iterations[i] * round / rounds;
                whole.warmup = warmupOf(round, makespans[i]);
                PW_DO(probe(whole, orders[i], Take::Everything));
            }
        }
        return {};
    }

    /// @param order  one of the forms, or behind them the order with pairs
    void tell(std::size_t order) const
    {
        if (!m_request.progress)
            return;
        constexpr std::array<std::string_view, 3> names = {"F and BW", "F, B and W", "F, R and BW"};
        m_request.progress(order < m_request.forms.size()
                               ? names[static_cast<std::size_t>(m_request.forms[order])]
                               : "overlapped pairs of F and BW");
    }

    Result<void> probe(const Probe& what, const Schedule& order, Take take)
    {
        // Modelled times come with bytes of their own.
        const bool modelled = take != Take::Messages && !m_request.modelled.forward.empty();
        Costs costs = modelled ? m_request.modelled : expand(UniformCosts{}, order.spec());
        costs.single.clear();
        costs.offload = {};
        costs.link = m_request.modelled.link;
        costs.links.clear();
        if (!modelled) {
            PW_DO(setBytes(costs, order.spec(), what.model, what.split, m_request.optimizer));
        }
        PW_TRY(RunPlan plan, makePlan(order, std::move(costs), what.model, what.split));
        plan.title = "calibration";
        plan.optimizer = m_request.optimizer;
        plan.seed = m_request.seed;
        plan.warmup = what.warmup;
        plan.iterations = what.iterations;
        plan.patience = m_request.patience;
        RecordingSink sink;
        PW_TRY(const RunFigures ran, m_backend.run(plan, sink, m_stop));
        m_makespan = ran.makespan;
        const RecordingSink::Record& records = sink.record();
        if (take == Take::Everything) {
            m_environment = records.environment; // the others use two devices
            m_costs = std::move(plan.costs);
            Gatherer(plan, records).run(true, m_gathered);
            for (const RecordedIteration& iteration :
                 recordedIterations(plan.schedule, records.passes, records.messages))
                append(m_rounds.back(), iteration.times);
        } else if (take == Take::Messages) {
            Gathered apart;
            Gatherer(plan, records).run(false, apart);
            // Passes of a tiny model tell nothing of the launch gap of this one.
            for (auto& [bytes, times] : apart.messages) {
                std::vector<Ticks>& all = m_gathered.messages[bytes];
                all.insert(all.end(), times.begin(), times.end());
            }
        }
        return {};
    }

    /// Messages of several sizes, between two ranks that compute next to nothing.
    Result<void> measureMessages()
    {
        if (m_request.progress)
            m_request.progress("messages of several sizes");
        constexpr int width = 16;
        constexpr int length = 16;
        PipelineSpec spec;
        spec.devices = 2;
        spec.microBatches = 4;
        spec.routes = {Placement::linear(2)};
        PW_TRY(const Schedule order,
               canonicalSchedule(spec, BackwardForm::Fused, spec.microBatches));
        Probe tiny;
        tiny.warmup = 1;
        tiny.iterations = 5;
        tiny.model.layers = 2;
        tiny.model.hidden = width;
        tiny.model.heads = 1;
        tiny.model.ffn = width;
        tiny.model.sequence = length;
        tiny.model.vocabulary = 2;
        tiny.model.element = m_request.model.element;
        tiny.model.flashAttention = m_request.model.flashAttention;
        tiny.model.tf32 = m_request.model.tf32;
        tiny.split = *evenSplit(tiny.model.layers, 2);
        for (const int samples : {4, 64, 1024}) { // 4, 64, 1024 KiB of floats
            tiny.model.samples = samples;
            PW_DO(probe(tiny, order, Take::Messages));
        }
        return {};
    }

    CostsFile fileOf()
    {
        CostsFile file;
        file.backend = m_backend.info().name;
        file.host = m_environment.host;
        file.hardware = hardwareText();
        if (m_request.modelled.forward.empty())
            file.model = describe(m_request.model, m_request.split);
        file.title = "calibration on " + file.backend;
        file.devices = m_request.spec.devices;
        file.stages = m_request.spec.stages();
        file.segmentLengths = m_request.spec.segmentLengths;
        for (auto& [place, times] : m_gathered.passes) {
            const auto& [kind, pair, stage, segment] = place;
            file.passes.push_back(
                {kind, pair, StageId(stage), segment, spreadOf(std::move(times))});
        }
        file.launchGap = spreadOf(std::move(m_gathered.gaps));
        for (auto& [bytes, times] : m_gathered.messages) {
            for (Ticks& time : times)
                time = std::max<Ticks>(time - file.launchGap.median, 0);
            file.messages.push_back({bytes, spreadOf(std::move(times))});
        }
        file.link = fitLink(file.messages);
        constexpr std::size_t mostSingleTimes = 200'000; // a file of a few megabytes
        thin(m_rounds, mostSingleTimes);
        file.rounds = std::move(m_rounds);
        file.activation = m_costs.activation;
        for (ActivationCost& cost : file.activation)
            cost.share = cost.keptForWeightShare = cost.stashShare = 0;
        file.forwardMessage = m_costs.forwardMessage;
        file.backwardMessage = m_costs.backwardMessage;
        file.weights = m_costs.weights;
        file.gradients = m_costs.gradients;
        file.optimizer = m_costs.optimizer;
        return file;
    }

    std::string hardwareText() const
    {
        std::string text = devicesText(m_environment.devices);
        if (!m_environment.driver.empty())
            text += (text.empty() ? "" : "; ") + m_environment.driver;
        return text;
    }

    Backend& m_backend;
    const CalibrationRequest& m_request;
    const Stop& m_stop;
    Gathered m_gathered;
    std::vector<MeasuredRound> m_rounds;
    RunEnvironment m_environment;
    Costs m_costs;        // with the bytes
    Ticks m_makespan = 0; // of the last probe
};

Ticks medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<Ticks>(*middle);
}

} // namespace

CalibrationRequest calibrationFor(const Schedule& schedule)
{
    CalibrationRequest request;
    request.spec = schedule.spec();
    request.forms = formsOf(schedule);
    if (hasPairs(schedule))
        request.paired = schedule;
    return request;
}

Result<CostsFile> calibrate(Backend& backend, const CalibrationRequest& request, const Stop& stop)
{
    return Calibration(backend, request, stop).measure();
}

Link fitLink(const std::vector<MeasuredMessage>& messages)
{
    std::vector<double> slopes; // ns a byte
    for (std::size_t a = 0; a < messages.size(); ++a) {
        for (std::size_t b = a + 1; b < messages.size(); ++b) {
            const Bytes further = messages[b].bytes - messages[a].bytes;
            if (further > 0)
                slopes.push_back(
                    static_cast<double>(messages[b].time.median - messages[a].time.median) /
                    static_cast<double>(further));
        }
    }
    std::sort(slopes.begin(), slopes.end());
    const double slope = slopes.empty() ? 0 : std::max(slopes[slopes.size() / 2], 0.0);
    std::vector<double> rest;
    for (const MeasuredMessage& message : messages)
        rest.push_back(static_cast<double>(message.time.median) -
                       slope * static_cast<double>(message.bytes));
    constexpr double nsPerSecond = 1e9;
    constexpr double mostBytesPerSecond = 1e13; // faster is no time at all
    const double rate = slope > 0 ? nsPerSecond / slope : 0;
    return {std::max<Ticks>(medianOf(std::move(rest)), 0), rate > mostBytesPerSecond ? 0 : rate};
}

} // namespace pw::exec
