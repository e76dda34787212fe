// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Activations that wait in the host's memory: what the copies take, hide and save.
#include "core/cost/offload.h"
#include "core/plan/search.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace pw;
using namespace pw::plan;

namespace {

LanguageModel offloadModel(int hidden, int sequence)
{
    LanguageModel model;
    model.dense.layers = 32;
    model.dense.hidden = hidden;
    model.dense.heads = 32;
    model.dense.sequence = sequence;
    model.dense.vocabulary = 32000;
    model.dense.flashAttention = true;
    return model;
}

Configuration pipelineOf(const char* family, int ranks, int batch, OffloadPolicy policy)
{
    Configuration c;
    c.family = family;
    c.pipelineParallel = ranks;
    c.globalBatch = batch;
    c.offload = policy;
    return c;
}

Cluster offloadCluster(double rate)
{
    Cluster cluster{*findAccelerator("a100"), 8, fittedConstants()};
    cluster.device.hostBandwidth = rate / 0.85;
    cluster.device.hostSharers = 1;
    return cluster;
}

double activationPeak(const Evaluation& evaluation)
{
    double peak = 0;
    for (const MemoryParts& rank : evaluation.memory)
        peak = std::max(peak, rank.activations);
    return peak;
}

} // namespace

class TestPlanOffload : public QObject
{
    Q_OBJECT

private slots:
    /// The published check, k = 10·B_c ⁄ (3(6h+s)·B_o) = 1.70 at h = s = 4096, 220 TFLOP/s, 15
    /// GB/s: with the paper's bytes and operations in the place of ours, the copies' share of the
    /// passes is that.
    void theRatioIsThePublishedOne()
    {
        const LanguageModel model = offloadModel(4096, 4096);
        const double published = 10 * 220e12 / (3.0 * (6 * 4096 + 4096) * 15e9);
        QVERIFY(std::abs(published - 1.70) < 0.01);
        const Cluster cluster = offloadCluster(15e9);
        QVERIFY(std::abs(hostRate(cluster) - 15e9) < 1);
        Configuration c = pipelineOf("1f1b", 8, 32, OffloadPolicy::All);
        const auto plain = evaluate(model, cluster, c);
        QVERIFY(plain);
        // Stage 3: layers alone, no embedding and no output matrix.
        c = plain->configuration;
        const auto family = findFamily("1f1b");
        const auto spec = specOf(**family, familyOptions(**family, c, c.microBatches()));
        QVERIFY(spec);
        const Pieces pieces = piecesOf(model, cluster, c);
        const StageCopy copy = stageCopies(model, cluster, c, pieces, *spec)[3];
        const double layers = c.split[3];
        const double ownBytes =
            layers * layerActivationBytes(model, c, false, RecomputePolicy::None);
        QVERIFY(std::abs(copy.whole - 2 * ownBytes / 15e9) < 1e-9);
        const double tokens = 4096.0, paperBytes = layers * 20 * tokens * 4096;
        const double paperPasses =
            layers * (72 * tokens * 4096 * 4096 + 12 * tokens * 4096 * 4096) / 220e12;
        const double ratio = copy.whole * paperBytes / ownBytes / paperPasses;
        QVERIFY2(std::abs(ratio / published - 1) < 1e-6, qPrintable(QString::number(ratio)));
    }

    /// Up to k = 1 all that is copied is free, above what is more is paid.
    void upToOneCopiesAreFree()
    {
        const LanguageModel model = offloadModel(4096, 4096);
        const auto none =
            evaluate(model, offloadCluster(1e12), pipelineOf("1f1b", 8, 64, OffloadPolicy::None));
        QVERIFY(none);
        const auto ratioOf = [&](double rate) {
            const auto all = evaluate(model, offloadCluster(rate),
                                      pipelineOf("1f1b", 8, 64, OffloadPolicy::All));
            return all ? *all : Evaluation();
        };
        const Evaluation slow = ratioOf(10e9);
        QVERIFY(slow.offload.ratio > 1);
        // The rate at which k of the fullest stage is 1, and a little on both sides of it.
        const double limit = 10e9 * slow.offload.ratio;
        const Evaluation free = ratioOf(1.2 * limit), paid = ratioOf(0.8 * limit);
        QVERIFY(free.offload.ratio < 1);
        QCOMPARE(free.offload.exposed, 0.0);
        QCOMPARE(free.parts.busiest.offload, 0.0);
        QCOMPARE(free.seconds(), none->seconds());
        QVERIFY(activationPeak(free) < 0.7 * activationPeak(*none));
        QVERIFY(free.offload.hostBytes > 0);
        QVERIFY(paid.offload.ratio > 1);
        QVERIFY(paid.offload.exposed > 0);
        QVERIFY(paid.seconds() > none->seconds());
        const double longer = paid.seconds() / none->seconds();
        QVERIFY2(longer < 1.3 && longer > 1.1, qPrintable(QString::number(longer)));
        // The terms still add up to the iteration.
        QVERIFY(std::abs(paid.offload.exposed - paid.parts.busiest.offload) < 1e-9);
    }

    /// `activations` takes what hides, whatever the link: never slower, never more memory, and more
    /// saved the faster the link is.
    void whatHidesCostsNothing()
    {
        const LanguageModel model = offloadModel(4096, 4096);
        for (const char* family : {"1f1b", "interleaved-1f1b", "zb-h1", "v-half", "gpipe"}) {
            Configuration c = pipelineOf(family, 8, 32, OffloadPolicy::None);
            c.chunks = QLatin1String(family) == QLatin1String("interleaved-1f1b") ||
                               QLatin1String(family) == QLatin1String("v-half")
                           ? 2
                           : 1;
            const auto none = evaluate(model, offloadCluster(1e9), c);
            QVERIFY(none);
            double before = activationPeak(*none);
            const double first = none->memory.front().activations;
            double last = first;
            for (const double rate : {2e9, 8e9, 30e9, 120e9}) {
                c.offload = OffloadPolicy::Activations;
                c.offloadShares.clear();
                const auto some = evaluate(model, offloadCluster(rate), c);
                QVERIFY(some);
                QCOMPARE(some->offload.exposed, 0.0);
                QCOMPARE(some->seconds(), none->seconds());
                const double peak = activationPeak(*some);
                QVERIFY2(peak <= 1.02 * before, qPrintable(QStringLiteral("%1 %2: %3 after %4")
                                                               .arg(QLatin1String(family))
                                                               .arg(rate)
                                                               .arg(peak)
                                                               .arg(before)));
                before = peak;
                last = some->memory.front().activations;
                for (const double share : some->configuration.offloadShares)
                    QVERIFY(share >= 0 && share <= 1);
            }
            // What waits for W only, on later ranks of zb-h1, cannot leave.
            QVERIFY2(last < 0.75 * first, family);
        }
    }

    /// A stage whose backward follows its forward at once keeps what it has.
    void theLastStageHasNoTime()
    {
        const LanguageModel model = offloadModel(4096, 4096);
        const auto all =
            evaluate(model, offloadCluster(40e9), pipelineOf("1f1b", 4, 32, OffloadPolicy::All));
        // Eight devices, four asked for: refused, so that of eight.
        QVERIFY(!all);
        const auto eight =
            evaluate(model, offloadCluster(40e9), pipelineOf("1f1b", 8, 32, OffloadPolicy::All));
        QVERIFY(eight);
        QCOMPARE(eight->configuration.offloadShares.back(), 0.0);
        QCOMPARE(eight->configuration.offloadShares.front(), 1.0);
    }

    void sharesAreTaken()
    {
        const LanguageModel model = offloadModel(4096, 4096);
        Configuration c = pipelineOf("1f1b", 8, 32, OffloadPolicy::Shares);
        c.offloadShares = {0.5};
        const auto half = evaluate(model, offloadCluster(60e9), c);
        QVERIFY(half);
        QCOMPARE(half->configuration.offloadShares, std::vector<double>(8, 0.5));
        c.offloadShares = {1, 1};
        const auto wrong = evaluate(model, offloadCluster(60e9), c);
        QVERIFY(!wrong);
        QVERIFY(wrong.error().message.english().find("8 stages") != std::string::npos);
        c.offloadShares = {1.5};
        QVERIFY(!evaluate(model, offloadCluster(60e9), c));
    }

    void onePipelineRankIsRefused()
    {
        Cluster cluster = offloadCluster(60e9);
        cluster.devices = 1;
        const auto one = evaluate(offloadModel(2048, 2048), cluster,
                                  pipelineOf("1f1b", 1, 8, OffloadPolicy::All));
        QVERIFY(!one);
        QVERIFY(one.error().message.english().find("2 pipeline ranks would do") !=
                std::string::npos);
    }

    /// With memory for half of the activations a search finds a plan that keeps them in the host.
    void aSearchFindsIt()
    {
        const LanguageModel model = offloadModel(5120, 4096);
        Cluster cluster = offloadCluster(60e9);
        Wish wish;
        wish.globalBatch = 64;
        wish.family = "1f1b";
        wish.pipelineParallel = 8;
        wish.microBatchSize = 1;
        wish.contextParallel = 1;
        wish.recompute = RecomputePolicy::None;
        wish.rows = 3;
        const auto plain = search(model, cluster, wish);
        QVERIFY(plain);
        QVERIFY(!plain->rows.empty());
        const Evaluation& best = plain->rows.front();
        cluster.device.memory =
            cluster.device.reserved + best.peakBytes() - activationPeak(best) * 0.4;
        const auto tight = search(model, cluster, wish);
        QVERIFY(tight);
        QVERIFY(tight->rows.empty());
        wish.offload.reset();
        const auto found = search(model, cluster, wish);
        QVERIFY(found);
        QVERIFY(!found->rows.empty());
        QVERIFY(found->rows.front().configuration.offload != OffloadPolicy::None);
    }

    /// A search that offloads only where nothing fits without finds what trying everything finds,
    /// and no bound is above what is simulated.
    void theSearchPassesOverNothingFaster()
    {
        LanguageModel model = offloadModel(4096, 4096);
        model.dense.dropout = false;
        Wish wish;
        wish.globalBatch = 16;
        wish.microBatchSize = 1;
        wish.tensorParallel = 1;
        wish.contextParallel = 1;
        wish.rows = 1;
        wish.offload.reset();
        setUsualTraining(wish, model);
        for (const double gigabytes : {20.0, 30.0, 45.0, 80.0}) {
            Cluster cluster = offloadCluster(54e9);
            cluster.device.memory = gigabytes * 1e9;
            const auto candidates = candidatesOf(model, cluster, wish);
            QVERIFY(candidates);
            double best = 0;
            for (const Configuration& c : *candidates) {
                const auto row = evaluate(model, cluster, c, Exactness::Periodic);
                if (!row)
                    continue;
                QVERIFY2(leastBytes(model, c) <= 1.0001 * row->peakBytes(), c.family.c_str());
                if (row->fits && (best == 0 || row->seconds() < best))
                    best = row->seconds();
            }
            const auto found = search(model, cluster, wish);
            QVERIFY(found);
            QCOMPARE(found->rows.empty(), best == 0);
            if (best > 0)
                QVERIFY2(found->rows.front().seconds() <= 1.0001 * best,
                         qPrintable(QString::number(found->rows.front().seconds() / best)));
        }
    }

    /// The links of the data sheets, as they are reached in their servers.
    void everyAcceleratorHasALink()
    {
        const std::map<std::string_view, double> others = {
            {"a100", 13.6e9},    {"v100", 6.8e9},     {"t4", 13.6e9},         {"gh200", 382.5e9},
            {"gb200", 191.25e9}, {"gb300", 191.25e9}, {"laptop-cpu", 21.25e9}};
        for (const Accelerator& one : accelerators()) {
            QVERIFY(one.hostBandwidth > 0);
            QVERIFY(!one.hostSource.empty());
            Cluster cluster;
            cluster.device = one;
            const auto other = others.find(one.name);
            const double expected = other != others.end() ? other->second : 54.4e9;
            QVERIFY(std::abs(hostRate(cluster) / expected - 1) < 1e-9);
        }
    }
};

PW_TEST(TestPlanOffload)
#include "tst_plan_offload.moc"
