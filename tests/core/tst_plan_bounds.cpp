// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace pw;
using namespace pw::plan;

namespace {

Cluster h100Cluster(int devices)
{
    return {*findAccelerator("h100"), devices, constantsFor("h100", false)};
}

Configuration pipelineOf(const char* family, int devices, int microBatches, int chunks)
{
    Configuration c;
    c.family = family;
    c.pipelineParallel = devices;
    c.globalBatch = microBatches;
    c.chunks = chunks;
    return c;
}

/// Costs of a split, and the pipeline that they are for.
struct SplitCosts
{
    PipelineSpec spec;
    Costs costs;
};

std::optional<SplitCosts> costsOfSplit(const LanguageModel& model, const Cluster& cluster,
                                       const Configuration& c, const Pieces& pieces)
{
    const auto family = findFamily(c.family);
    if (!family)
        return std::nullopt;
    auto spec = specOf(**family, familyOptions(**family, c, c.microBatches()));
    if (!spec)
        return std::nullopt;
    Costs costs = costsOf(model, cluster, c, pieces, *spec, c.split);
    return SplitCosts{std::move(*spec), std::move(costs)};
}

} // namespace

Q_DECLARE_METATYPE(pw::plan::Wish)

/// What the search passes over cannot be what it looks for, and what it refuses cannot be.
class TestPlanBounds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noOrderIsFasterThanItsBound_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("chunks");
        QTest::newRow("1f1b") << QStringLiteral("1f1b") << 1;
        QTest::newRow("gpipe") << QStringLiteral("gpipe") << 1;
        QTest::newRow("interleaved") << QStringLiteral("interleaved-1f1b") << 2;
        QTest::newRow("zb-h2") << QStringLiteral("zb-h2") << 1;
        QTest::newRow("zb-v") << QStringLiteral("zb-v") << 2;
        QTest::newRow("v-half") << QStringLiteral("v-half") << 2;
        QTest::newRow("v-min") << QStringLiteral("v-min") << 2;
    }

    /// Layers dealt out at random, on pipelines with few and with many micro-batches.
    void noOrderIsFasterThanItsBound()
    {
        QFETCH(QString, family);
        QFETCH(int, chunks);
        const auto model = findModel("llama3-8b");
        QVERIFY(model);
        const Cluster cluster = h100Cluster(4);
        std::mt19937 random(7);
        int looked = 0;
        for (const int m : {4, 8, 32}) {
            Configuration c = pipelineOf(family.toUtf8().constData(), 4, m, chunks);
            const Pieces pieces = piecesOf(*model, cluster, c);
            for (int deal = 0; deal < 12; ++deal) {
                c.split.assign(static_cast<std::size_t>(c.stages()), 1);
                std::uniform_int_distribution<std::size_t> any(0, c.split.size() - 1);
                for (int left = model->dense.layers - c.stages(); left > 0; --left)
                    ++c.split[any(random)];
                const auto costs = costsOfSplit(*model, cluster, c, pieces);
                QVERIFY(costs);
                const double least = leastPipelineSeconds(costs->costs, costs->spec);
                const auto row = evaluate(*model, cluster, c, pieces, Exactness::All);
                if (!row)
                    continue;
                ++looked;
                QVERIFY2(least <= row->parts.pipeline * (1 + 1e-9), qPrintable(family));
                QVERIFY(least > 0.3 * row->parts.pipeline);
            }
        }
        QVERIFY(looked > 20);
    }

    /// Every single move that the search for a better split does not look at is slower.
    void noMoveThatIsPassedOverWins()
    {
        const auto model = findModel("llama3-8b");
        QVERIFY(model);
        const Cluster cluster = h100Cluster(8);
        int passed = 0, looked = 0;
        for (const char* family : {"1f1b", "zb-h1", "zb-v", "v-half"}) {
            const bool two = std::string_view(family).find("v") != std::string_view::npos;
            Configuration c = pipelineOf(family, 8, 32, two ? 2 : 1);
            const auto best = evaluate(*model, cluster, c);
            QVERIFY(best);
            const Pieces pieces = piecesOf(*model, cluster, c);
            const auto stages = best->configuration.split.size();
            for (std::size_t from = 0; from < stages; ++from) {
                for (std::size_t to = 0; to < stages; ++to) {
                    Configuration moved = best->configuration;
                    if (from == to || moved.split[from] <= 1)
                        continue;
                    --moved.split[from];
                    ++moved.split[to];
                    const auto costs = costsOfSplit(*model, cluster, moved, pieces);
                    QVERIFY(costs);
                    const double least = leastPipelineSeconds(costs->costs, costs->spec) +
                                         best->parts.tied + best->parts.other;
                    if (least < best->seconds()) {
                        ++looked;
                        continue;
                    }
                    ++passed;
                    const auto row = evaluate(*model, cluster, moved, pieces, Exactness::All);
                    QVERIFY(row);
                    QVERIFY2(row->seconds() >= best->seconds(), family);
                }
            }
        }
        QVERIFY2(passed > 20, qPrintable(QString::number(passed)));
        QVERIFY2(looked > 0, qPrintable(QString::number(looked)));
    }

    void wishesAreRefusedWithTheSmallestChange_data()
    {
        QTest::addColumn<Wish>("wish");
        QTest::addColumn<QString>("says");
        Wish wish;
        wish.globalBatch = 64;
        wish.pipelineParallel = 4;
        wish.tensorParallel = wish.dataParallel = 2;
        Wish one = wish;
        one.family = "zb-v";
        one.chunks = 3;
        QTest::newRow("chunks of a family")
            << one << QStringLiteral("2 chunks on every device, not 3; --chunks 2 would do");
        one = wish;
        one.family = "interleaved-1f1b";
        one.chunks = 9;
        QTest::newRow("chunks of a model")
            << one << QStringLiteral("at most 8 chunks, or 3 pipeline ranks, would do");
        one = wish;
        one.microBatchSize = 5;
        QTest::newRow("micro-batches")
            << one << QStringLiteral("a batch of 60 or 70 would be, or micro-batches of 4 or 8");
        one = Wish();
        one.globalBatch = 4;
        one.dataParallel = 8;
        // Of degrees that use all devices, and not that eight would do, which they would not.
        QTest::newRow("replicas") << one << QStringLiteral("a batch of 8 would be, or 4 replicas");
        one.globalBatch = 64;
        one.dataParallel = 2;
        one.tensorParallel = 2;
        one.pipelineParallel = 8;
        QTest::newRow("devices") << one << QStringLiteral("with 32 GPUs it would do");
    }

    void wishesAreRefusedWithTheSmallestChange()
    {
        QFETCH(Wish, wish);
        QFETCH(QString, says);
        LanguageModel model;
        model.dense.layers = 32;
        model.dense.hidden = 2048;
        model.dense.heads = 16;
        model.dense.sequence = 1024;
        model.dense.vocabulary = 51200;
        const auto table = search(model, h100Cluster(16), wish);
        QVERIFY(!table);
        const QString message = QString::fromStdString(table.error().message);
        QVERIFY2(message.contains(says), qPrintable(message));
    }
};

PW_TEST(TestPlanBounds)
#include "tst_plan_bounds.moc"
