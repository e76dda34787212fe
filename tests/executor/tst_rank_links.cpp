// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/replicated_line.h"
#include "core/model/stage_replicas.h"
#include "executor/backends/backends.h"
#include "executor/cuda/block_store.h"
#include "executor/cuda/rank_links.h"
#include "tests/support/late_norm.h"
#include "tests/support/noted_transport.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace pw;
using namespace pw::exec;
using namespace pw::exec::cuda;

namespace {

/// The exchanges of two ranks in the order in which one of them comes to them.
std::vector<std::int32_t> exchangesWith(const RunPlan& plan, RankId rank, RankId peer)
{
    std::vector<std::int32_t> order;
    const auto& reductions = plan.program.reductions;
    const auto takesPart = [&](const Reduction& reduction, RankId one) {
        return reduction.ranks[0] == one || reduction.ranks[1] == one;
    };
    const auto append = [&](std::size_t index) {
        const Reduction& reduction = reductions[index];
        if (takesPart(reduction, rank) && takesPart(reduction, peer))
            order.push_back(static_cast<std::int32_t>(index));
    };
    for (const Instruction& instruction : plan.program.ranks[static_cast<std::size_t>(rank)]) {
        if (instruction.kind == InstructionKind::Reduce)
            append(static_cast<std::size_t>(instruction.index));
    }
    for (std::size_t i = 0; !plan.schedule.spec().updates && i < reductions.size(); ++i) {
        if (reductions[i].kind == ReductionKind::Weights)
            append(i);
    }
    return order;
}

/// Host memory in a device's place, which counts how often it is asked.
class CountedMemory final : public BlockSource
{
public:
    void* take(Bytes bytes) override
    {
        ++calls;
        return std::aligned_alloc(256, static_cast<std::size_t>(bytes));
    }
    void giveBack(void* data) noexcept override { std::free(data); }
    int calls = 0;
};

/// The end of an iteration: what was enqueued in it has ended then, and nothing sooner.
struct IterationsEnd final : Moment
{
    bool passed() const override { return over; }
    bool over = false;
};

/// What has several copies of a stage: pipelines side by side, two directions, stages in turn.
void addCopies()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QList<int>>("ofStages");
    QTest::addColumn<bool>("sharded");
    for (const bool sharded : {false, true}) {
        const char* const how = sharded ? ", sharded" : "";
        for (const char* id : {"1f1b", "zb-h1", "chimera", "pipedream-2bw", "interleaved-1f1b"}) {
            for (const int replicas : {2, 3, 4})
                QTest::addRow("%d of %s%s", replicas, id, how)
                    << id << replicas << QList<int>() << sharded;
        }
        QTest::addRow("dualpipe%s", how) << "dualpipe" << 1 << QList<int>() << sharded;
        QTest::addRow("2,1%s", how) << "pipedream" << 1 << QList<int>{2, 1} << sharded;
        QTest::addRow("2,3%s", how) << "pipedream" << 1 << QList<int>{2, 3} << sharded;
        QTest::addRow("seq1f1b 2,1%s", how) << "seq1f1b" << 1 << QList<int>{2, 1} << sharded;
        QTest::addRow("seq1f1b 2,3%s", how) << "seq1f1b" << 1 << QList<int>{2, 3} << sharded;
    }
}

Result<RunPlan> fetchedPlan()
{
    QFETCH(QString, id);
    QFETCH(int, replicas);
    QFETCH(QList<int>, ofStages);
    QFETCH(bool, sharded);
    const Family& family = test::familyOf(id.toStdString());
    FamilyOptions options = test::trainedOptions(family, 2);
    const std::vector<int> stages(ofStages.begin(), ofStages.end());
    if (!stages.empty())
        options.microBatches = 6;
    const Result<Schedule> made =
        stages.empty()
            ? withReplicas(*test::scheduleOf(family, options), replicas)
            : buildOnStageReplicas(family, options,
                                   expand(UniformCosts{}, *specOf(family, options)), stages);
    if (!made)
        return fail(made.error());
    Result<RunPlan> plan = test::trainedPlan(*made);
    if (plan && sharded) {
        if (const Result<void> parted = shardOptimizer(*plan); !parted)
            return fail(parted.error());
    }
    return plan;
}

} // namespace

/// What a rank on a GPU connects and takes before it runs is what it will use.
class TestRankLinks : public QObject
{
    Q_OBJECT

private slots:
    void ranksAreConnectedForWhatTheyExchange_data() { addCopies(); }
    void ranksAreConnectedForWhatTheyExchange();
    void bothEndsExchangeInOneOrder_data() { addCopies(); }
    void bothEndsExchangeInOneOrder();
    void exchangesHaveTheBytesThatAreReallySent_data() { addCopies(); }
    void exchangesHaveTheBytesThatAreReallySent();
    void theBlocksTakenAtFirstAreEnough_data() { addCopies(); }
    void theBlocksTakenAtFirstAreEnough();
    void oneCopyExchangesNothing();
    void whatIsSentTwiceComesInTheOrderOfItsLink_data();
    void whatIsSentTwiceComesInTheOrderOfItsLink();
    void copiesForTakingBackAreCounted();
};

void TestRankLinks::ranksAreConnectedForWhatTheyExchange()
{
    const Result<RunPlan> plan = fetchedPlan();
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    std::set<std::pair<RankId, RankId>> sums, swaps;
    for (const Reduction& reduction : plan->program.reductions) {
        const auto pair = std::minmax(reduction.ranks[0], reduction.ranks[1]);
        if (pair.first != pair.second)
            (reduction.kind == ReductionKind::Sum ? sums : swaps).insert(pair);
    }
    std::map<std::int32_t, int> sent;
    for (const auto& [key, work] : linksOf(*plan)) {
        const auto& [use, from, to] = key;
        if (use == LinkUse::Copies) {
            QVERIFY(from < to);
            QVERIFY(work.messages.empty());
            QCOMPARE(work.sums, sums.erase({from, to}) == 1);
            QCOMPARE(work.swaps, swaps.erase({from, to}) == 1);
            QVERIFY(work.sums || work.swaps);
            continue;
        }
        QVERIFY(!work.sums && !work.swaps && !work.messages.empty());
        for (const std::int32_t message : work.messages) {
            const Message& what = plan->program.messages[static_cast<std::size_t>(message)];
            QVERIFY(what.from == from && what.to == to);
            ++sent[message];
        }
    }
    QVERIFY(sums.empty() && swaps.empty());
    QCOMPARE(sent.size(), plan->program.messages.size());
    QVERIFY(std::all_of(sent.begin(), sent.end(), [](const auto& one) { return one.second == 1; }));
}

void TestRankLinks::bothEndsExchangeInOneOrder()
{
    const Result<RunPlan> plan = fetchedPlan();
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    std::size_t exchanges = 0;
    for (const auto& [key, work] : linksOf(*plan)) {
        const auto& [use, low, high] = key;
        if (use != LinkUse::Copies)
            continue;
        const std::vector<std::int32_t> order = exchangesWith(*plan, low, high);
        QCOMPARE(exchangesWith(*plan, high, low), order);
        QVERIFY(!order.empty());
        exchanges += order.size();
    }
    const auto& all = plan->program.reductions;
    const auto apart = std::count_if(all.begin(), all.end(), [](const Reduction& reduction) {
        return reduction.ranks[0] != reduction.ranks[1];
    });
    QCOMPARE(exchanges, static_cast<std::size_t>(apart));
}

/// On the CPU, where what a rank hands over is what it has allocated for it.
void TestRankLinks::exchangesHaveTheBytesThatAreReallySent()
{
    Result<RunPlan> plan = fetchedPlan();
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    plan->iterations = 1;
    plan->warmup = 0;
    RecordingSink sink;
    const std::unique_ptr<Backend> cpu = *openBackend("cpu", plan->schedule.devices());
    const Result<RunFigures> ran = cpu->run(*plan, sink, Stop());
    QVERIFY2(ran, ran ? "" : ran.error().message.c_str());
    using Way = std::pair<RankId, RankId>;
    std::map<Way, std::multiset<Bytes>> expected, found;
    for (const Reduction& reduction : plan->program.reductions) {
        for (const int side : {0, 1}) {
            if (reduction.ranks[0] != reduction.ranks[1])
                expected[{reduction.ranks[side], reduction.ranks[1 - side]}].insert(
                    exchangedBytes(*plan, reduction, side));
        }
    }
    for (const RecordedMessage& message : sink.record().messages) {
        if (message.message < 0)
            found[{message.from, message.to}].insert(message.bytes);
    }
    QVERIFY(found == expected);
}

/// Ranks that wait for each other on their devices must not ask the driver for memory.
void TestRankLinks::theBlocksTakenAtFirstAreEnough()
{
    const Result<RunPlan> plan = fetchedPlan();
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    for (const RankId rank : Ids<RankId>(plan->schedule.devices())) {
        CountedMemory memory;
        ParkedStore store(memory);
        std::vector<void*> taken;
        for (const auto& [bytes, count] : exchangeBlocks(*plan, rank)) {
            QCOMPARE(bytes, blockBytes(bytes));
            for (int i = 0; i < count; ++i)
                taken.push_back(store.take(bytes).data);
        }
        for (void* data : taken)
            store.put(data, nullptr);
        const int calls = memory.calls;
        QCOMPARE(static_cast<std::size_t>(calls), taken.size());
        Bytes most = 0;
        for (int iteration = 0; iteration < 3; ++iteration) {
            const auto end = std::make_shared<IterationsEnd>();
            for (const Reduction& reduction : plan->program.reductions) {
                if (reduction.ranks[0] != rank && reduction.ranks[1] != rank)
                    continue;
                const Bytes goes = exchangedBytes(*plan, reduction, 0);
                const Bytes comes = exchangedBytes(*plan, reduction, 1);
                void* const one = store.take(goes).data;
                void* const other = store.take(comes).data;
                most = std::max(most, goes + comes);
                store.put(one, end);
                store.put(other, end);
            }
            end->over = true;
        }
        QCOMPARE(memory.calls, calls);
        QCOMPARE(largestExchange(*plan, rank), most);
    }
}

void TestRankLinks::oneCopyExchangesNothing()
{
    const RunPlan plan =
        *test::trainedPlan(*test::scheduleOf(test::familyOf("1f1b"), test::sized(3, 6)));
    for (const RankId rank : Ids<RankId>(3)) {
        QVERIFY(exchangeBlocks(plan, rank).empty());
        QCOMPARE(largestExchange(plan, rank), Bytes{0});
    }
    for (const auto& [key, work] : linksOf(plan))
        QVERIFY(std::get<0>(key) == LinkUse::Messages);
}

void TestRankLinks::whatIsSentTwiceComesInTheOrderOfItsLink_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QList<int>>("ofStages");
    QTest::addColumn<bool>("sharded");
    const auto row = [](const char* name, const char* id, int devices, int replicas,
                        QList<int> ofStages, bool sharded) {
        QTest::newRow(name) << id << devices << replicas << ofStages << sharded;
    };
    row("two ranks", "1f1b", 2, 1, {}, false);
    row("three ranks", "zb-h1", 3, 1, {}, false);
    row("chunks", "interleaved-1f1b", 2, 1, {}, false);
    row("segments", "seq1f1b", 3, 1, {}, false);
    row("two directions", "chimera", 2, 1, {}, false);
    row("replicas", "1f1b", 2, 2, {}, false);
    row("a sharded optimizer", "1f1b", 2, 3, {}, true);
    row("stages with replicas", "seq1f1b", 2, 1, {2, 1}, true);
}

/// On the CPU, with a rank whose norm is late: whoever takes results from a link without tags must
/// take those that replace others in the order in which they were sent. Exchanges of two ranks come
/// to both in one order, those that are done twice among them.
void TestRankLinks::whatIsSentTwiceComesInTheOrderOfItsLink()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(int, replicas);
    QFETCH(QList<int>, ofStages);
    QFETCH(bool, sharded);
    const Family& family = test::familyOf(id.toStdString());
    FamilyOptions options = test::sized(devices, 2 * devices);
    options.steps = 3;
    const std::vector<int> stages(ofStages.begin(), ofStages.end());
    const Result<Schedule> made =
        stages.empty()
            ? withReplicas(*test::scheduleOf(family, options), replicas)
            : buildOnStageReplicas(family, options,
                                   expand(UniformCosts{}, *specOf(family, options)), stages);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    RunPlan plan = *test::trainedPlan(*made, 2);
    QVERIFY(checkClipping(plan));
    if (sharded)
        QVERIFY(shardOptimizer(plan));
    plan.optimizer.clipNorm = test::betweenOwnAndAll(plan, test::truthOf(plan));
    plan.postValidation = true;

    // Not a copy of what rank 0 has, which would wait for its weights.
    const int late = stages.empty() ? 1 : 2;
    RunClock clock;
    test::RunAhead ahead;
    test::Noted noted;
    test::NotedTransport transport(plan, clock, noted);
    const auto workers = [&](RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
        std::unique_ptr<Worker> real = makeTrainingWorker(plan, rank, makeCpuOps(clock), {});
        if (rank != 0 && rank != late)
            return real;
        return std::unique_ptr<Worker>(std::make_unique<test::LateWorker>(
            std::move(real), ahead, options.steps - 1, rank == late));
    };
    RecordingSink sink;
    const Result<RunFigures> ran = runRanks(plan, workers, transport, clock,
                                            environmentHere("cpu", transport.name()), sink, Stop());
    QVERIFY2(ran, ran ? "" : ran.error().message.c_str());

    std::size_t twice = 0;
    for (const auto& [key, work] : linksOf(plan)) {
        const auto& [use, from, to] = key;
        if (use != LinkUse::Again)
            continue;
        AgainOrder order(plan, work.messages);
        std::vector<test::Noted::Again> due;
        for (const auto& [iteration, message] : noted.taken[{from, to}]) {
            for (const std::int32_t one : order.upTo(message, iteration))
                due.emplace_back(iteration, one);
        }
        QVERIFY(due == (noted.sent[{from, to}]));
        twice += due.size();
        noted.sent.erase({from, to});
    }
    QVERIFY(twice > 0);
    QVERIFY(noted.sent.empty()); // every link was looked at
    std::size_t exchangedTwice = 0;
    for (const auto& [ranks, exchanges] : noted.exchanges) {
        QVERIFY(exchanges == (noted.exchanges.at({ranks.second, ranks.first})));
        for (const test::Noted::Exchange& one : exchanges)
            exchangedTwice += one.again ? 1 : 0;
    }
    QCOMPARE(exchangedTwice > 0, sharded);
}

/// A copy of weights and states of every stage that a rank has a copy of.
void TestRankLinks::copiesForTakingBackAreCounted()
{
    FamilyOptions options = test::sized(2, 4);
    options.steps = 2;
    RunPlan plan = *test::trainedPlan(
        *withReplicas(*test::scheduleOf(test::familyOf("interleaved-1f1b"), options), 2), 1);
    QCOMPARE(rollbackBytes(plan, RankId(0)), Bytes{0});
    plan.postValidation = true;
    for (const RankId rank : Ids<RankId>(plan.schedule.devices())) {
        Bytes wanted = 0;
        for (const int stage : {rank.value % 2, rank.value % 2 + 2})
            wanted += plan.costs.gradients[static_cast<std::size_t>(stage)] +
                      plan.costs.optimizer[static_cast<std::size_t>(stage)];
        QVERIFY(wanted > 0);
        QCOMPARE(rollbackBytes(plan, rank), wanted);
    }
}

PW_TEST(TestRankLinks)
#include "tst_rank_links.moc"
