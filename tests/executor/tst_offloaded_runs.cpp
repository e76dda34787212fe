// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/offload.h"
#include "executor/api/plan_text.h"
#include "executor/backends/backends.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/cuda/host_blocks.h"
#include "executor/model/host_cells.h"
#include "tests/support/planned_run.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <set>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr double offloadTolerance = 1e-5;

/// All activations, or those of some stages; only of last segments, which runs can copy.
std::vector<Pass> offloadCells(const PipelineSpec& spec, std::span<const int> stages = {})
{
    std::vector<Pass> cells;
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        if (!stages.empty() && std::find(stages.begin(), stages.end(), stage) == stages.end())
            continue;
        for (int j = 0; j < spec.totalMicroBatches(); ++j)
            cells.push_back({PassKind::F, 0, stage, j, spec.segments() - 1});
    }
    return offloadedCells(std::move(cells), spec);
}

/// The plan of a schedule with some of its activations offloaded.
/// @param part  of a forward that the largest copy takes
Result<RunPlan> offloadedPlan(const Schedule& schedule, double part, int iterations = 1,
                              std::span<const int> stages = {})
{
    Result<RunPlan> plan = test::trainedPlan(schedule, iterations);
    if (!plan)
        return plan;
    Bytes largest = 0;
    for (const ActivationCost& cost : plan->costs.activation)
        largest = std::max(largest, cost.activation);
    const Ticks forward = *std::max_element(plan->costs.forward.begin(), plan->costs.forward.end());
    plan->costs.offload.link.bytesPerSecond =
        static_cast<double>(largest) / (part * static_cast<double>(forward) / 1e9);
    plan->costs.offload.cells = offloadCells(schedule.spec(), stages);
    Result<RunPlan> made = makePlan(schedule, plan->costs, plan->model, plan->split);
    if (!made)
        return made;
    made->optimizer = plan->optimizer;
    made->iterations = plan->iterations;
    made->seed = plan->seed;
    made->patience = plan->patience;
    return made;
}

std::string offloadPeaksText(const std::vector<Bytes>& peaks)
{
    std::string all;
    for (const Bytes peak : peaks)
        all += (all.empty() ? "" : ", ") + std::to_string(peak);
    return all;
}

std::string measuredOffloadPeaks(const RunPlan& plan, const RecordingSink::Record& record)
{
    std::vector<Bytes> peaks(static_cast<std::size_t>(plan.schedule.devices()));
    for (const MemorySample& sample : record.memory) {
        Bytes& peak = peaks[static_cast<std::size_t>(sample.rank)];
        peak = std::max(peak, sample.activation());
    }
    return offloadPeaksText(peaks);
}

std::string predictedOffloadPeaks(const RunPlan& plan)
{
    std::vector<Bytes> peaks;
    const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
    for (const auto& device : simulated->devices)
        peaks.push_back(device.peakActivation);
    return offloadPeaksText(peaks);
}

RecordingSink::Record ranOffloaded(Backend& backend, const RunPlan& plan)
{
    RecordingSink sink;
    if (const Result<RunFigures> done = backend.run(plan, sink, Stop()); !done)
        qFatal("%s", done.error().message.c_str());
    return sink.record();
}

/// Every gradient and parameter before every update, by stage and update.
std::map<std::tuple<int, int, int>, StageSnapshot> offloadSnapshots(Backend& backend,
                                                                    const RunPlan& plan)
{
    std::map<std::tuple<int, int, int>, StageSnapshot> all;
    std::mutex mutex;
    backend.setSnapshotListener([&](StageSnapshot seen) {
        const std::lock_guard lock(mutex);
        all[{seen.stage.route, seen.stage.stage, seen.update}] = std::move(seen);
    });
    ranOffloaded(backend, plan);
    backend.setSnapshotListener({});
    return all;
}

/// Whether each cell went once there and once back, in this order and for its backward.
std::string wrongCopies(const RunPlan& plan, const RecordingSink::Record& record)
{
    struct Way
    {
        int there = 0, back = 0;
        Ticks thereEnd = 0, backStart = 0, backEnd = 0;
    };
    std::map<std::pair<int, Pass>, Way> ways;
    for (const RecordedCopy& copy : record.copies) {
        if (copy.end < copy.start || copy.bytes <= 0 || copy.cell.kind != PassKind::F)
            return "a copy that is none";
        Way& way = ways[{copy.iteration, copy.cell}];
        ++(copy.back ? way.back : way.there);
        (copy.back ? way.backEnd : way.thereEnd) = copy.end;
        if (copy.back)
            way.backStart = copy.start;
    }
    const std::size_t cells = plan.costs.offload.cells.size();
    if (ways.size() != cells * static_cast<std::size_t>(plan.iterations + plan.warmup))
        return std::to_string(ways.size()) + " ways of " + std::to_string(cells) + " cells";
    for (const auto& [place, way] : ways)
        if (way.there != 1 || way.back != 1 || way.backStart < way.thereEnd)
            return describe(place.second, plan.schedule.spec()) + " does not go there and back";
    for (const RecordedPass& pass : record.passes) {
        Pass cell = pass.pass;
        cell.kind = PassKind::F;
        const auto way = ways.find({pass.iteration, cell});
        if (way == ways.end() || pass.pass.kind == PassKind::U)
            continue;
        const bool makes = pass.pass.kind == PassKind::F;
        if (makes ? pass.start >= way->second.thereEnd : pass.end < way->second.backEnd)
            return describe(pass.pass, plan.schedule.spec()) + " runs while it is away";
    }
    return {};
}

} // namespace

/// Runs whose activations go to the host's memory: the same training, in the memory that is
/// predicted.
class TestOffloadedRuns : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyTrainsTheSameInThePredictedMemory_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("recompute");
        QTest::addColumn<double>("part");
        for (const Family& family : allFamilies()) {
            if (!specOf(family, test::trainedOptions(family, 2)))
                continue; // not of this shape
            const auto add = [&](const char* how, bool recompute, double part) {
                QTest::addRow("%s%s", std::string(family.id).c_str(), how)
                    << QString::fromStdString(std::string(family.id)) << recompute << part;
            };
            add("", false, 0.4);
            add(", slowly", false, 3);
            add(", recomputed", true, 1);
        }
    }
    void everyFamilyTrainsTheSameInThePredictedMemory()
    {
        QFETCH(QString, id);
        QFETCH(bool, recompute);
        QFETCH(double, part);
        const Family& family = test::familyOf(id.toStdString());
        Result<Schedule> schedule = test::scheduleOf(family, test::trainedOptions(family, 2));
        QVERIFY(schedule);
        if (recompute && !schedule->anyRecompute())
            schedule = withRecompute(*schedule);
        const Result<RunPlan> plan = offloadedPlan(*schedule, part);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        const std::unique_ptr<Backend> backend = *openBackend("cpu", 2);
        const auto found = compareWithReference(*backend, *plan, test::truthOf(*plan), Stop());
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY2(found->error() <= offloadTolerance, found->gradient.where.c_str());
        const RecordingSink::Record record = ranOffloaded(*backend, *plan);
        QCOMPARE(measuredOffloadPeaks(*plan, record), predictedOffloadPeaks(*plan));
        const std::string wrong = wrongCopies(*plan, record);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void theNumbersAreThoseWithoutOffload_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("replicas");
        for (const char* id : {"1f1b", "zb-h1", "gis", "interleaved-1f1b", "dualpipe"})
            QTest::newRow(id) << id << 1;
        QTest::newRow("1f1b, two replicas") << "1f1b" << 2;
    }
    void theNumbersAreThoseWithoutOffload()
    {
        QFETCH(QString, id);
        QFETCH(int, replicas);
        const Family& family = test::familyOf(id.toStdString());
        Schedule schedule = *test::scheduleOf(family, test::trainedOptions(family, 2));
        schedule = *withReplicas(schedule, replicas);
        const RunPlan plain = *test::trainedPlan(schedule, 2);
        const RunPlan away = *offloadedPlan(schedule, 1, 2);
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", schedule.devices());
        const auto before = offloadSnapshots(*cpu, plain);
        QVERIFY(!before.empty());
        test::RoomBackend mpi;
        for (Backend* backend : {cpu.get(), static_cast<Backend*>(&mpi)}) {
            const auto after = offloadSnapshots(*backend, away);
            QCOMPARE(after.size(), before.size());
            for (const auto& [place, seen] : before) {
                QVERIFY(after.at(place).gradients == seen.gradients);
                QVERIFY(after.at(place).parameters == seen.parameters);
            }
        }
    }

    void processesTellOfTheirCopies()
    {
        const Schedule schedule = *test::scheduleOf(test::familyOf("1f1b"), test::sized(4, 8));
        const RunPlan plan = *offloadedPlan(schedule, 1);
        test::RoomBackend mpi;
        const RecordingSink::Record record = ranOffloaded(mpi, plan);
        QCOMPARE(wrongCopies(plan, record), std::string());
        QCOMPARE(measuredOffloadPeaks(plan, record), predictedOffloadPeaks(plan));
        const int stages[] = {0};
        const RunPlan kept = *test::trainedPlan(schedule, 1);
        const RunPlan first = *offloadedPlan(schedule, 0.1, 1, stages);
        const auto peakOf = [](const RunPlan& one) {
            return simulate(one.schedule, one.costs)->devices[0].peakActivation;
        };
        QVERIFY(peakOf(first) < peakOf(kept));
        QCOMPARE(measuredOffloadPeaks(first, ranOffloaded(mpi, first)),
                 predictedOffloadPeaks(first));
    }

    void emulatedDevicesKeepToTheSimulation_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("part");
        for (const char* id : {"1f1b", "gis", "zb-h1", "interleaved-1f1b"}) {
            QTest::addRow("%s, quick copies", id) << id << 0.5;
            QTest::addRow("%s, slow copies", id) << id << 2.5;
        }
    }
    void emulatedDevicesKeepToTheSimulation()
    {
        QFETCH(QString, id);
        QFETCH(double, part);
        UniformCosts uniform;
        uniform.forward = uniform.backward = uniform.weight = 8 * ticksPerMs;
        uniform.activation = 1'000'000;
        const Family& family = test::familyOf(id.toStdString());
        const Schedule schedule = *buildUniform(family, test::sized(3, 6), uniform);
        Costs costs = expand(uniform, schedule.spec());
        const double forward = static_cast<double>(costs.forward.front()) / 1e9;
        costs.offload.link.bytesPerSecond =
            static_cast<double>(costs.activation.front().activation) / (part * forward);
        costs.offload.cells = offloadCells(schedule.spec());
        const RunPlan plan = *test::planOf(schedule, costs);
        const SimResult times = *simulate(schedule, costs);
        const test::PlannedRun ran(plan);
        QCOMPARE(test::differenceFrom(times, ran, plan.schedule), QString());
        QCOMPARE(measuredOffloadPeaks(plan, ran.record), predictedOffloadPeaks(plan));
        QCOMPARE(ran.record.copies.size(), 2 * times.copies.size());
        for (const RecordedCopy& copy : ran.record.copies) {
            const auto same =
                std::find_if(times.copies.begin(), times.copies.end(),
                             [&copy](const HostCopy& one) { return one.cell == copy.cell; });
            QVERIFY(same != times.copies.end());
            QCOMPARE(copy.start - ran.base, copy.back ? same->backStart : same->outStart);
            QCOMPARE(copy.end - ran.base, copy.back ? same->backEnd : same->outEnd);
        }
    }

    void segmentsThatOthersReadStayOnTheDevice()
    {
        const Schedule schedule = *test::scheduleOf(
            test::familyOf("seq1f1b"), test::trainedOptions(test::familyOf("seq1f1b"), 2));
        Result<RunPlan> plan = test::trainedPlan(schedule);
        QVERIFY(plan);
        Costs costs = plan->costs;
        costs.offload.cells = {{PassKind::F, 0, StageId(1), 2, 0}};
        const Result<RunPlan> refused = makePlan(schedule, costs, plan->model, plan->split);
        QVERIFY(!refused);
        QCOMPARE(
            QString::fromStdString(refused.error().message),
            QString("a run cannot offload what F of micro-batch 2, segment 0, on stage 1 leaves: "
                    "the segments behind it read its keys and values; the last segment of a "
                    "micro-batch, %1 here, can go to the host's memory")
                .arg(schedule.spec().segments() - 1));
    }

    void aPlanTravelsWithItsCopies()
    {
        const Schedule schedule = *test::scheduleOf(test::familyOf("1f1b"), test::sized(2, 4));
        RunPlan plan = *offloadedPlan(*withReplicas(schedule, 2), 1);
        for (const bool sharded : {false, true}) {
            if (sharded)
                QVERIFY(exec::shardOptimizer(plan));
            const Result<std::string> text = writePlan(plan);
            QVERIFY(text);
            // One that knows nothing of copies reads plans of version 1 alone.
            QVERIFY(text->find("\"plan\": 2") != std::string::npos);
            const Result<RunPlan> read = readPlan(*text);
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            QVERIFY(read->program == plan.program);
            QVERIFY(!read->program.moves.empty());
        }
        QVERIFY(writePlan(*test::trainedPlan(schedule))->find("\"plan\": 1") != std::string::npos);
    }

    void roomGoesFromOneCellToTheNext()
    {
        const RunClock clock;
        const std::unique_ptr<Ops> ops = makeCpuOps(clock);
        const GptModel model;
        const CellLayout layout(model, {1, false, false, 0}, {model.sequence}, 0);
        const auto filled = [&](float value) {
            Cell cell(*ops, layout, false);
            cell.takeForForward();
            *static_cast<float*>(cell.data(CellLayout::input)) = value;
            return cell;
        };
        const auto valueOf = [](const Cell& cell) {
            return *static_cast<const float*>(cell.data(CellLayout::input));
        };
        const auto held = [&] {
            return ops->memory()[static_cast<std::size_t>(MemoryUse::Activations)];
        };
        HostCells host(*ops);
        Cell first = filled(1), second = filled(2);
        const Bytes bytes = layout.activation();
        QCOMPARE(held(), 2 * bytes);
        QVERIFY(host.stow(1, {PassKind::F, 0, StageId(0), 0, 0}, first));
        QVERIFY(!host.stow(1, {PassKind::F, 0, StageId(0), 0, 0}, first));
        QVERIFY(host.free(1));
        QCOMPARE(held(), 2 * bytes); // until somebody needs room
        host.settle();
        QCOMPARE(held(), bytes);
        QVERIFY(host.stow(2, {PassKind::F, 0, StageId(0), 1, 0}, second));
        QVERIFY(host.free(2));
        QVERIFY(host.fetch(1, first));
        QCOMPARE(held(), bytes); // the second one's
        QVERIFY(host.arrive(1));
        QCOMPARE(valueOf(first), 1.0F);
        QVERIFY(!host.arrive(2));
        QVERIFY(host.fetch(2, second));
        QVERIFY(!host.fetch(2, second));
        QVERIFY(!host.free(2));
        QVERIFY(host.arrive(2));
        QVERIFY(host.arrive(2)); // it is there
        QCOMPARE(held(), 2 * bytes);
        QCOMPARE(valueOf(second), 2.0F);
        QCOMPARE(host.takeCopies().size(), std::size_t{4});
        QVERIFY(host.takeCopies().empty());
        QVERIFY(host.text().find("copied 2 activations") == 0);
    }

    void aGpuReservesAsManyBlocksAsAreInUse()
    {
        const Schedule schedule = *test::scheduleOf(test::familyOf("1f1b"), test::sized(2, 6));
        QVERIFY(cuda::hostBlocks(*test::trainedPlan(schedule), RankId(0)).empty());
        const int stages[] = {0};
        const RunPlan plan = *offloadedPlan(schedule, 0.2, 1, stages);
        // Two forwards run ahead on the first device; two blocks more wait for their copies back.
        const std::map<Bytes, int> blocks = cuda::hostBlocks(plan, RankId(0));
        QCOMPARE(blocks.size(), std::size_t{1});
        QCOMPARE(blocks.begin()->first, plan.costs.activation.front().activation);
        QCOMPARE(blocks.begin()->second, 2 + 2);
        QVERIFY(cuda::hostBlocks(plan, RankId(1)).empty());
    }

    void aBackendThatCannotSaysSo()
    {
        class Plain final : public Worker
        {
        public:
            Result<void> begin() override { return {}; }
            Result<void> beginIteration(int) override { return {}; }
            Result<void> deliver(const Pass&, Packet) override { return {}; }
            Result<Computed> compute(const OrderEntry&) override { return Computed{}; }
            Result<Packet> take(const Pass&) override { return Packet{}; }
            Result<Packet> gradients(HostedStage, int) override { return Packet{}; }
            Result<void> addGradients(HostedStage, int, Packet) override { return {}; }
            std::vector<MicroBatchLoss> takeLosses() override { return {}; }
            std::optional<Ticks> time(Mark) override { return 0; }
        } worker;
        const Result<void> moved = worker.move({}, InstructionKind::Stow);
        QVERIFY(!moved);
        QCOMPARE(moved.error().message,
                 std::string("this backend cannot keep activations in the host's memory; the "
                             "backend cpu can"));
    }
};

PW_TEST(TestOffloadedRuns)
#include "tst_offloaded_runs.moc"
