// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Clusters of several kinds of accelerators.
#include "core/plan/plan_words.h"
#include "core/plan/search.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pw;
using namespace pw::plan;

namespace {

Cluster kindOf(const char* name, int devices)
{
    return {*findAccelerator(name), devices, constantsFor(name, false), {}};
}

/// The same accelerator, slower in everything but its memory.
Cluster slower(Cluster cluster, double factor)
{
    cluster.device.peakFlops /= factor;
    cluster.device.peakBandwidth /= factor;
    cluster.constants[Constant::LaunchTime] *= factor;
    cluster.constants[Constant::InsideLatency] *= factor;
    cluster.device.insideBandwidth /= factor;
    return cluster;
}

LanguageModel kindsModel(int layers)
{
    LanguageModel model;
    model.dense.layers = layers;
    model.dense.hidden = 4096;
    model.dense.heads = 32;
    model.dense.sequence = 4096;
    model.dense.vocabulary = 1024; // ends that hardly weigh
    model.dense.flashAttention = true;
    return model;
}

Configuration kindsConfiguration(const char* family, int ranks, int tensor, int batch)
{
    Configuration c;
    c.family = family;
    c.pipelineParallel = ranks;
    c.tensorParallel = tensor;
    c.globalBatch = batch;
    return c;
}

} // namespace

class TestPlanKinds : public QObject
{
    Q_OBJECT

private slots:
    /// Twice the rate, twice the layers, in either order of the groups and for chunks too.
    void layersFollowTheRates()
    {
        const LanguageModel model = kindsModel(48);
        for (const bool fastFirst : {true, false}) {
            std::vector<Cluster> groups = {kindOf("h200", 8), slower(kindOf("h200", 8), 2)};
            for (Cluster& group : groups)
                group.device.memory *= 8; // of which all families have enough
            if (!fastFirst)
                std::swap(groups[0], groups[1]);
            const Cluster cluster = clusterOfGroups(groups);
            QCOMPARE(cluster.devices, 16);
            for (const char* family : {"1f1b", "gpipe", "zb-h1", "interleaved-1f1b"}) {
                Configuration c = kindsConfiguration(family, 4, 4, 32);
                c.chunks = QLatin1String(family) == QLatin1String("interleaved-1f1b") ? 2 : 1;
                const auto found = evaluate(model, cluster, c);
                QVERIFY2(found, found ? "" : found.error().message.c_str());
                double fast = 0, slow = 0;
                for (std::size_t s = 0; s < found->configuration.split.size(); ++s)
                    ((s % 4 < 2) == fastFirst ? fast : slow) += found->configuration.split[s];
                QCOMPARE(fast + slow, 48.0);
                QVERIFY2(std::abs(fast / slow - 2) < 0.15,
                         qPrintable(QStringLiteral("%1: %2 to %3")
                                        .arg(QLatin1String(family))
                                        .arg(fast)
                                        .arg(slow)));
                // Even layers would leave the fast ones idle half of the time.
                c.split = evenLayers(48, c.stages());
                const auto even = evaluate(model, cluster, c);
                QVERIFY(even);
                QVERIFY(even->seconds() > 1.2 * found->seconds());
            }
        }
    }

    /// Two groups of one kind are that kind: the same passes, hops and sums, the same result.
    void equalGroupsAreOneKind()
    {
        const LanguageModel model = kindsModel(32);
        const Cluster one = kindOf("h100", 32);
        const Cluster two = clusterOfGroups({kindOf("h100", 16), kindOf("h100", 16)});
        QVERIFY(clusterOfGroups({one}) == one);
        for (const char* family : {"1f1b", "zb-h1"}) {
            Configuration c = kindsConfiguration(family, 4, 8, 32);
            c.split = evenLayers(32, 4);
            const auto a = evaluate(model, one, c), b = evaluate(model, two, c);
            QVERIFY(a);
            QVERIFY(b);
            QCOMPARE(a->parts, b->parts);
            QCOMPARE(a->memory, b->memory);
            QCOMPARE(modelUtilisation(model, one, *a), modelUtilisation(model, two, *b));
        }
    }

    /// The message between two kinds takes what the slower one's network does.
    void theSlowerLinkCounts()
    {
        const LanguageModel model = kindsModel(32);
        Cluster thin = kindOf("h100", 8);
        thin.device.nodeBandwidth /= 10;
        const Configuration c = kindsConfiguration("1f1b", 2, 8, 8);
        const auto between = [&](const Cluster& a, const Cluster& b) {
            const auto planned = scheduleOf(model, clusterOfGroups({a, b}), c);
            return nominalMessageTime(planned->costs, planned->schedule.spec(), DeviceId(0),
                                      DeviceId(1), planned->costs.forwardMessage[0]);
        };
        const Cluster wide = kindOf("h100", 8);
        QVERIFY(between(wide, thin) > between(wide, wide));
        QCOMPARE(between(wide, thin), between(thin, wide));
        QCOMPARE(between(wide, thin), between(thin, thin));
    }

    /// A kind with little memory gets fewer layers than its rate is worth, as long as that helps.
    void layersFollowTheMemoryToo()
    {
        const LanguageModel model = kindsModel(48);
        const Configuration c = kindsConfiguration("1f1b", 4, 4, 32);
        const auto rich = evaluate(
            model, clusterOfGroups({kindOf("h100", 8), slower(kindOf("h100", 8), 1.01)}), c);
        QVERIFY(rich);
        QVERIFY(rich->fits);
        const double peak = rich->memory[1].total();
        Cluster small = kindOf("h100", 8);
        small.device.memory = small.device.reserved + 0.8 * peak;
        const auto tight =
            evaluate(model, clusterOfGroups({small, slower(kindOf("h200", 8), 1.01)}), c);
        QVERIFY(tight);
        QVERIFY2(tight->fits, tight->reason.c_str());
        QVERIFY(tight->configuration.split[1] < rich->configuration.split[1]);
        QVERIFY(tight->memory[1].total() <= small.usableMemory());
    }

    void aRankOnTwoKindsIsRefused()
    {
        const Cluster cluster = clusterOfGroups({kindOf("h100", 12), kindOf("a100", 4)});
        const auto mixed = evaluate(kindsModel(32), cluster, kindsConfiguration("1f1b", 2, 8, 8));
        QVERIFY(!mixed);
        const std::string& why = mixed.error().message;
        QVERIFY2(why.find("two kinds") != std::string::npos, why.c_str());
        QVERIFY2(why.find("8 or 16") != std::string::npos, why.c_str());
        QVERIFY(evaluate(kindsModel(32), cluster, kindsConfiguration("1f1b", 4, 4, 8)));
    }

    void textsBecomeKinds()
    {
        const auto two = parseKinds("h100:32, a100 : 16");
        QVERIFY(two);
        QCOMPARE(two->size(), std::size_t{2});
        QCOMPARE((*two)[1].devices, 16);
        QVERIFY((*two)[1].device.name == "a100");
        const auto one = parseKinds("b200");
        QVERIFY(one);
        QCOMPARE(one->front().devices, 0);
        QVERIFY(parseKinds("h100:32768,a100:32768"));
        for (const char* wrong :
             {"", ",", "h100:", "h100:8,", "h100:-1", "h100:8:8", "h100:1e2", "h100,a100",
              "h100:1048577", "h100:1048576,a100:1", "h100:99999999999999999999"})
            QVERIFY2(!parseKinds(wrong), wrong);
        QVERIFY(parseKinds("h100:8,a100").error().message.english().find("a100:8 would be eight") !=
                std::string::npos);
    }

    void splitsNameTheKindsOfTheirStages()
    {
        const Cluster both = clusterOfGroups({kindOf("h100", 8), kindOf("a100", 8)});
        Configuration c;
        c.pipelineParallel = 4;
        c.tensorParallel = 4;
        c.globalBatch = 8;
        c.split = {10, 10, 6, 6};
        QCOMPARE(placedSplitText(both, c), std::string("h100 10×2, a100 6×2"));
        QCOMPARE(placedSplitText(kindOf("h100", 16), c), std::string("10×2 6×2"));
        c.family = "interleaved-1f1b";
        c.chunks = 2;
        c.split = {5, 5, 3, 3, 5, 5, 3, 3};
        QCOMPARE(placedSplitText(both, c), std::string("h100 5×2, a100 3×2, h100 5×2, a100 3×2"));
        QCOMPARE(kindsText(both), std::string("8 h100 and 8 a100"));
    }

    /// A search uses both: faster than either kind alone could be.
    void aSearchUsesBoth()
    {
        const LanguageModel model = kindsModel(48);
        Wish wish;
        wish.globalBatch = 64;
        wish.contextParallel = 1;
        wish.microBatchSize = 1;
        wish.rows = 3;
        const Cluster both = clusterOfGroups({kindOf("h100", 8), kindOf("a100", 8)});
        const auto found = search(model, both, wish);
        QVERIFY(found);
        QVERIFY(!found->rows.empty());
        const auto alone = search(model, kindOf("h100", 8), wish);
        QVERIFY(alone);
        QVERIFY(!alone->rows.empty());
        QVERIFY(found->rows.front().seconds() < alone->rows.front().seconds());
        for (const Evaluation& row : found->rows)
            QVERIFY(row.configuration.pipelineParallel >= 2);
        QVERIFY(headline(model, both, wish).find("8 × NVIDIA A100") != std::string::npos);
        QVERIFY(projectOf(model, both, wish, found->rows.front()));
    }
};

PW_TEST(TestPlanKinds)
#include "tst_plan_kinds.moc"
