// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/carry_costs.h"
#include "core/cost/evaluate.h"
#include "core/cost/origin_costs.h"
#include "core/cost/stage_parts.h"
#include "core/edit/compose.h"
#include "core/edit/fit_costs.h"
#include "core/families/family.h"
#include "core/families/family_traits.h"
#include "core/families/reference.h"
#include "core/io/project_file.h"
#include "core/model/known_sizes.h"
#include "core/optimise/optimise.h"
#include "core/plan/plan_words.h"
#include "core/sim/memory.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace pw;

namespace {

/// Equal stages with bytes of everything that a device can hold.
Costs accountedCosts(const PipelineSpec& spec)
{
    UniformCosts uniform;
    uniform.activation = 1'000'003;
    uniform.keptForWeight = 0.5;
    Costs costs = expand(uniform, spec);
    const auto stages = static_cast<std::size_t>(spec.stages());
    costs.weights.assign(stages, 500'000);
    costs.gradients.assign(stages, 700'000);
    costs.optimizer.assign(stages, 900'000);
    costs.buffers.assign(stages, 30'000);
    costs.workspace.assign(stages, 60'000);
    costs.workspace.back() = 90'001;
    costs.fragments = 0.02;
    return costs;
}

struct Accounted
{
    Schedule schedule;
    Costs costs;
    SimResult result;
};

Accounted accounted(const char* family, int devices, int microBatches)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    const Family& of = **findFamily(family);
    const PipelineSpec spec = specOf(of, options).value();
    Costs costs = accountedCosts(spec);
    Schedule schedule = of.build(spec, options, costs).value();
    SimResult result = simulate(schedule, costs).value();
    return {std::move(schedule), std::move(costs), std::move(result)};
}

/// As many accelerators as a configuration takes.
plan::Cluster clusterFor(const plan::Configuration& configuration, const char* name)
{
    const Accelerator device = findAccelerator(name).value();
    return {device, configuration.devices(), plan::constantsFor(device.name, false), {}};
}

/// A way to train.
struct TrainingWay
{
    const char* name;
    void (*set)(plan::Configuration& configuration);
};

const TrainingWay trainingWays[] = {
    {"plain", [](plan::Configuration&) {}},
    {"Transformer Engine",
     [](plan::Configuration& c) {
         c.engine = findEngineMemory("megatron-te").value();
         c.fusedAccumulation = true;
         c.sequenceParallel = true;
         c.tensorParallel = 2;
         c.dataParallel = 2;
         c.zero = 1;
     }},
    {"all computed again, weights sharded",
     [](plan::Configuration& c) {
         c.engine = findEngineMemory("torchtitan").value();
         c.recompute = RecomputePolicy::Full;
         c.dataParallel = 4;
         c.zero = 3;
     }},
    {"slices in one piece",
     [](plan::Configuration& c) {
         c.engine = findEngineMemory("megatron-local").value();
         c.dataParallel = 4;
         c.zero = 1;
     }},
};

Bytes sumOf(const plan::MemoryParts& parts)
{
    return static_cast<Bytes>(parts.total());
}

} // namespace

/// What devices hold is one account, whoever asks for it.
class TestMemoryAccount : public QObject
{
    Q_OBJECT

private slots:
    /// Two commands never tell two numbers for one thing: the peak of every rank that a plan tells
    /// is that of the simulated project which it writes, and so is every kind of it.
    void aPlanHoldsWhatItsProjectDoes_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("hardware");
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("way");
        const std::pair<const char*, const char*> where[] = {{"gpt-22b", "a100"},
                                                             {"llama3-8b", "h100"},
                                                             {"llama3-70b", "b200"},
                                                             {"qwen3-30b-a3b", "mi300x"},
                                                             {"deepseek-v3", "h100"}};
        for (const auto& [model, hardware] : where) {
            for (const Family& family : allFamilies()) {
                for (std::size_t way = 0; way < std::size(trainingWays); ++way) {
                    QTest::addRow("%s on %s, %s, %s", model, hardware,
                                  std::string(family.id).c_str(), trainingWays[way].name)
                        << model << hardware << QString::fromStdString(std::string(family.id))
                        << static_cast<int>(way);
                }
            }
        }
    }

    void aPlanHoldsWhatItsProjectDoes()
    {
        QFETCH(QString, model);
        QFETCH(QString, hardware);
        QFETCH(QString, family);
        QFETCH(int, way);
        const LanguageModel trained = findModel(model.toStdString()).value();
        plan::Configuration c;
        c.family = family.toStdString();
        c.pipelineParallel = 4;
        trainingWays[way].set(c);
        c.globalBatch = 8 * c.dataParallel;
        if (findParameter(**findFamily(c.family), ParameterRole::TimeLimit) != nullptr)
            c.parameters.emplace_back("time-limit", 0);
        c.chunks = std::max(traitsOf(**findFamily(c.family)).chunks, 1);
        const plan::Cluster cluster = clusterFor(c, qPrintable(hardware));
        const Result<plan::Evaluation> found = plan::evaluate(trained, cluster, c);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        plan::Wish wish;
        wish.globalBatch = c.globalBatch;
        const Project written = plan::projectOf(trained, cluster, wish, *found).value();
        const Project project = readProject(writeProject(written).value()).value();
        const Costs costs = costsOf(project);
        Result<Schedule> schedule = pw::scheduleOf(project);
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        const SimResult result = simulate(*schedule, costs).value();
        const std::vector<Bytes> held = heldAtMost(*schedule, costs, result);
        QCOMPARE(held.size(), found->memory.size());
        for (const DeviceId device : Ids<DeviceId>(held.size())) {
            const plan::MemoryParts& told = found->memory[device.index()];
            const MemoryPoint peak = peakMemory(*schedule, costs, result, device);
            QCOMPARE(peak.total(), held[device.index()]);
            QCOMPARE(sumOf(told), peak.total());
            const auto same = [&](double parts, std::initializer_list<MemoryKind> kinds) {
                Bytes sum = 0;
                for (const MemoryKind kind : kinds)
                    sum += peak.of(kind);
                return static_cast<Bytes>(parts) == sum;
            };
            QVERIFY(same(told.weights, {MemoryKind::Weights}));
            QVERIFY(same(told.versions, {MemoryKind::Versions}));
            QVERIFY(same(told.gradients, {MemoryKind::Gradients}));
            QVERIFY(same(told.optimizer, {MemoryKind::Optimizer}));
            QVERIFY(same(told.buffers + told.dummies, {MemoryKind::Buffers}));
            QVERIFY(same(told.fragments, {MemoryKind::Fragments}));
            // Keys and values of slices are activations, their gradients are gone with a pass.
            QVERIFY(
                same(told.activations + told.slices + told.working + told.loss,
                     {MemoryKind::Activations, MemoryKind::HeldForWeight, MemoryKind::Workspace}));
        }
        // A search may make another order for a cap; then its project has none.
        QVERIFY(!costs.memoryCap.empty() || (*findFamily(c.family))->search);
        if (!costs.memoryCap.empty())
            QCOMPARE(found->fits, !firstOverflow(*schedule, costs, result));
    }

    /// What all devices hold of a vocabulary that they share is theirs in the project too.
    void aSharedVocabularyIsHeldByAll()
    {
        const LanguageModel model = findModel("llama3-8b").value();
        plan::Configuration c;
        c.pipelineParallel = 4;
        c.globalBatch = 8;
        c.vocabularyParallel = true;
        const plan::Cluster cluster = clusterFor(c, "h100");
        const plan::Evaluation found = plan::evaluate(model, cluster, c).value();
        const Project project = plan::projectOf(model, cluster, plan::Wish{}, found).value();
        const Costs costs = costsOf(project);
        const Schedule schedule = pw::scheduleOf(project).value();
        const SimResult result = simulate(schedule, costs).value();
        const std::vector<Bytes> held = heldAtMost(schedule, costs, result);
        for (std::size_t rank = 0; rank < held.size(); ++rank) {
            const plan::MemoryParts& told = found.memory[rank];
            QCOMPARE(sumOf(told), held[rank]);
            const MemoryPoint peak = peakMemory(schedule, costs, result, DeviceId(rank));
            QCOMPARE(static_cast<Bytes>(told.activations), peak.of(MemoryKind::Activations));
            QCOMPARE(static_cast<Bytes>(told.working + told.loss), peak.of(MemoryKind::Workspace));
        }
        // What the pipeline takes is what its project takes; the barrier stands beside it.
        QCOMPARE(std::llround(found.parts.pipeline * ticksPerSecond), result.makespan);
        QVERIFY(found.parts.barrier > 0);
    }

    /// A plan that looks at a part of many micro-batches holds what all of them do.
    void manyMicroBatchesAreHeldAsTheyAre()
    {
        const LanguageModel model = findModel("gpt-22b").value();
        for (const char* family : {"1f1b", "gpipe", "zb-h1", "interleaved-1f1b"}) {
            for (const int pipeline : {1, 4}) {
                const bool chunked = std::string_view(family) == "interleaved-1f1b";
                if (chunked && pipeline == 1)
                    continue;
                plan::Configuration c;
                c.family = family;
                c.pipelineParallel = pipeline;
                c.chunks = chunked ? 2 : 1;
                c.globalBatch = 1604;
                const plan::Cluster cluster = clusterFor(c, "a100");
                const auto part = plan::evaluate(model, cluster, c, plan::Exactness::Periodic);
                const auto all = plan::evaluate(model, cluster, c, plan::Exactness::All);
                QVERIFY(part && all);
                QVERIFY2(part->memory == all->memory, family);
            }
        }
    }

    void roomIsWhatACapLeaves()
    {
        std::mt19937_64 random(pw::test::randomSeed());
        for (int round = 0; round < 2000; ++round) {
            const auto draw = [&](Bytes most) {
                return std::uniform_int_distribution<Bytes>(0, most)(random);
            };
            StandingMemory standing;
            standing.weights = draw(1'000'000'000'000);
            standing.gradients = draw(1'000'000);
            standing.optimizer = draw(1'000);
            standing.buffers = draw(1'000'000'000);
            standing.workspace = draw(1'000'000'000);
            standing.fragments = round % 3 == 0 ? 0.0 : static_cast<double>(draw(1000)) / 1000;
            const Bytes cap = draw(3'000'000'000'000);
            const Bytes room = standing.room(cap);
            QVERIFY(standing.with(room) <= cap);
            QVERIFY(standing.with(room + 1) > cap);
            if (standing.fragments == 0) {
                QCOMPARE(room, cap - standing.weights - standing.gradients - standing.optimizer -
                                   standing.buffers - standing.workspace);
            }
        }
    }

    /// Of several stages a device has the sums of what stays, and the largest of the engine's.
    void aDeviceHasTheMostOfItsStages()
    {
        const Accounted one = accounted("zb-v", 3, 4);
        const std::vector<StandingMemory> standing = standingMemory(one.costs, one.schedule.spec());
        QCOMPARE(standing[0].weights, Bytes{1'000'000});
        QCOMPARE(standing[0].buffers, Bytes{30'000});
        QCOMPARE(standing[0].workspace, Bytes{90'001}); // the last stage is there too
        QCOMPARE(standing[1].workspace, Bytes{60'000});
    }

    void theKindsOfACurveAddUp()
    {
        for (const char* family : {"1f1b", "zb-h1", "zb-v", "chimera", "pipedream"}) {
            const Accounted one = accounted(family, 4, 8);
            const PipelineSpec& spec = one.schedule.spec();
            const std::vector<StandingMemory> standing = standingMemory(one.costs, spec);
            const Draft draft{spec, one.schedule.orders()};
            const DraftTimes times = draftTimes(draft, one.costs).value();
            const std::vector<Bytes> held = heldAtMost(one.schedule, one.costs, one.result);
            for (const DeviceId device : Ids<DeviceId>(4)) {
                const auto curve = memoryCurve(one.schedule, one.costs, one.result, device);
                Bytes most = 0;
                for (const MemoryPoint& point : curve) {
                    QCOMPARE(point.total(), point.of(MemoryKind::Versions) +
                                                standing[device.index()].with(point.activation()));
                    most = std::max(most, point.total());
                }
                QCOMPARE(held[device.index()], most);
                if (spec.updateRule == UpdateRule::Flush)
                    QVERIFY(draftMemory(draft, one.costs, times, device) == curve);
            }
        }
    }

    /// To the byte, with all that the engine has.
    void aCapIsMetOrNot()
    {
        Accounted one = accounted("zb-h1", 4, 8);
        const std::vector<Bytes> held = heldAtMost(one.schedule, one.costs, one.result);
        one.costs.memoryCap = held;
        QVERIFY(!firstOverflow(one.schedule, one.costs, one.result));
        for (const std::size_t device : {0, 3}) {
            Costs less = one.costs;
            --less.memoryCap[device];
            const auto over = firstOverflow(one.schedule, less, one.result);
            QVERIFY(over);
            QCOMPARE(over->device, DeviceId(device));
            QCOMPARE(over->bytes, held[device]);
        }
    }

    /// Who makes orders under a cap leaves room for what the engine has.
    void ordersUnderACapLeaveRoom()
    {
        Accounted one = accounted("gpipe", 4, 8);
        const std::vector<StandingMemory> standing = standingMemory(one.costs, one.schedule.spec());
        for (const double microBatches : {2.0, 3.5}) {
            Costs& costs = one.costs;
            costs.memoryCap.clear();
            for (const StandingMemory& own : standing)
                costs.memoryCap.push_back(own.with(static_cast<Bytes>(microBatches * 1'000'003)));
            FamilyOptions options;
            options.devices = 4;
            options.microBatches = 8;
            options.parameters = {{"time-limit", 0}};
            const Family& automatic = **findFamily("zb-auto");
            const Schedule built = automatic.build(one.schedule.spec(), options, costs).value();
            QVERIFY(!firstOverflow(built, costs, simulate(built, costs).value()));

            Project empty;
            empty.draft.spec = one.schedule.spec();
            empty.draft.orders.resize(4);
            empty.costs = costs;
            const Proposal rest = finishRest(empty, FinishRule::BackwardFirst).value();
            const Schedule finished = Schedule::make(rest.draft.spec, rest.draft.orders).value();
            const SimResult result = simulate(finished, costs).value();
            QVERIFY(!firstOverflow(finished, costs, result));
            // All the room is used: one byte less of it, and another order comes out.
            QCOMPARE(result.devices[0].peakActivation,
                     static_cast<Bytes>(static_cast<int>(microBatches)) * 1'000'003);

            OptimiseOptions search;
            search.seconds = 0.2;
            const OptimiseOutcome best = optimiseOrder(finished, costs, search).value();
            QVERIFY(!firstOverflow(best.schedule, costs, best.result));
        }
    }

    void aProjectKeepsIt()
    {
        const Accounted one = accounted("1f1b", 4, 8);
        Project project;
        project.draft = {one.schedule.spec(), one.schedule.orders()};
        project.costs = one.costs;
        const std::string text = writeProject(project).value();
        for (const char* field : {"\"buffers_bytes\"", "\"workspace_bytes\"", "\"fragments\""})
            QVERIFY2(text.find(field) != std::string::npos, field);
        QCOMPARE(readProject(text).value(), project);
        // Files of before have none, and files without an engine are as they were.
        Costs without = one.costs;
        without.buffers.clear();
        without.workspace.clear();
        without.fragments = 0;
        project.costs = without;
        const std::string plain = writeProject(project).value();
        for (const char* field : {"buffers_bytes", "workspace_bytes", "fragments"})
            QVERIFY2(plain.find(field) == std::string::npos, field);
        QCOMPARE(readProject(plain).value(), project);
    }

    /// Costs of a model are made again for another shape with the engine that they had.
    void aProjectKeepsTheEngineOfItsCosts()
    {
        const Accounted one = accounted("1f1b", 4, 8);
        CostOrigin origin;
        origin.model = findModel("llama3-8b").value();
        origin.model.dense.fusedAccumulation = true;
        origin.hardware = "h100";
        Project project;
        project.draft = {one.schedule.spec(), one.schedule.orders()};
        for (const NamedEngine& engine : memoryEngines()) {
            origin.engine = engine.memory;
            project.origin = origin;
            project.costs = costsOf(origin, project.draft.spec).value();
            const std::string text = writeProject(project).value();
            QCOMPARE(readProject(text).value(), project);
            QCOMPARE(text.find("\"engine\"") != std::string::npos,
                     !(engine.memory == EngineMemory()));
        }
        origin.engine = findEngineMemory("megatron-te").value();
        const Costs with = costsOf(origin, project.draft.spec).value();
        origin.engine = {};
        const Costs without = costsOf(origin, project.draft.spec).value();
        QVERIFY(with.buffers.back() > with.buffers.front());
        QVERIFY(with.buffers.front() > without.buffers.front());
        std::string text = writeProject(project).value();
        const std::size_t at = text.find("\"unfused\"");
        QVERIFY(at != std::string::npos);
        text.replace(at, 9, "\"none\"");
        QVERIFY(!readProject(text));
    }

    void wrongNumbersAreNamed()
    {
        const Accounted one = accounted("1f1b", 4, 8);
        const auto message = [&](void (*change)(Costs&)) {
            Costs costs = one.costs;
            change(costs);
            const Result<void> checked = check(costs, one.schedule.spec());
            return checked ? std::string() : checked.error().message.english();
        };
        QCOMPARE(message([](Costs& costs) { costs.fragments = 1.5; }),
                 std::string("costs: the part of fragments is 1.5; it can be 0 to 1"));
        QCOMPARE(message([](Costs& costs) { costs.workspace.pop_back(); }),
                 std::string("costs: workspace has 3 entries; 4 are needed"));
        QCOMPARE(message([](Costs& costs) { costs.buffers[1] = -1; }),
                 std::string("costs: buffers has -1 bytes; at least 0"));
        QVERIFY(!message([](Costs& costs) { costs.workspace[0] = Bytes{1} << 62; }).empty());
    }

    /// Stages that are put together take the most of either; parts of a stage take as much as it.
    void anotherShapeHasItToo()
    {
        const Accounted four = accounted("1f1b", 4, 8);
        FamilyOptions options;
        options.microBatches = 8;
        const auto shape = [&](int devices) {
            options.devices = devices;
            return specOf(**findFamily("1f1b"), options).value();
        };
        const Costs two = carryCosts(four.costs, four.schedule.spec(), shape(2)).value().costs;
        QCOMPARE(two.workspace, (std::vector<Bytes>{60'000, 90'001}));
        QCOMPARE(two.buffers, (std::vector<Bytes>{30'000, 30'000}));
        QCOMPARE(two.fragments, 0.02);
        const Costs eight = carryCosts(four.costs, four.schedule.spec(), shape(8)).value().costs;
        QCOMPARE(eight.workspace[0], Bytes{60'000});
        QCOMPARE(eight.workspace[6], Bytes{90'001});
        QCOMPARE(eight.workspace[7], Bytes{90'001});

        const Accounted chunked = accounted("interleaved-1f1b", 4, 8);
        const Reference line = oneFOneBOf(chunked.schedule.spec(), chunked.costs).value();
        QCOMPARE(line.costs.workspace, (std::vector<Bytes>{60'000, 60'000, 60'000, 90'001}));
        QCOMPARE(line.costs.fragments, 0.02);
        const Result<UniformCosts> equal = uniformOf(four.costs, four.schedule.spec());
        QVERIFY(!equal);
    }
};

PW_TEST(TestMemoryAccount)
#include "tst_memory_account.moc"
