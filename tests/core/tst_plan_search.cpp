// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/around.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/stage_parts.h"
#include "core/io/family_folder.h"
#include "core/io/model_file.h"
#include "core/plan/emit.h"
#include "core/plan/measured.h"
#include "core/plan/search.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace pw;
using namespace pw::plan;

namespace {

Cluster clusterOf(const char* name, int devices)
{
    return {*findAccelerator(name), devices, constantsFor(name, devices <= 8)};
}

LanguageModel modelNamed(const std::string& name)
{
    return *loadModel(name);
}

Wish wishFor(const LanguageModel& model, int batch)
{
    Wish wish;
    wish.globalBatch = batch;
    setUsualTraining(wish, model);
    return wish;
}

/// Every candidate that fits, each made as good as it gets: no bound, no order, no end.
std::vector<Evaluation> wholeList(const LanguageModel& model, const Cluster& cluster,
                                  const Wish& wish)
{
    std::vector<Evaluation> all;
    const Result<std::vector<Configuration>> candidates = candidatesOf(model, cluster, wish);
    if (!candidates)
        return all;
    for (const Configuration& c : *candidates) {
        const Result<Evaluation> one = evaluate(model, cluster, c, Exactness::Periodic);
        if (one && one->fits)
            all.push_back(refined(model, cluster, wish, *one));
    }
    std::sort(all.begin(), all.end(), [](const Evaluation& a, const Evaluation& b) {
        return std::pair(a.seconds(), a.peakBytes()) < std::pair(b.seconds(), b.peakBytes());
    });
    return all;
}

/// Bytes of the leanest configuration of some families, whatever is computed again.
double leanest(const LanguageModel& model, const Cluster& cluster, Wish wish,
               const std::vector<std::string>& families)
{
    wish.families = families;
    double least = std::numeric_limits<double>::infinity();
    const Result<std::vector<Configuration>> candidates = candidatesOf(model, cluster, wish);
    if (!candidates)
        return least;
    for (const Configuration& c : *candidates) {
        if (const Result<Evaluation> one = evaluate(model, cluster, c))
            least = std::min(least, one->peakBytes());
    }
    return least;
}

/// A row with another family's name.
Evaluation renamed(Evaluation row, const char* family)
{
    row.configuration.family = family;
    return row;
}

const std::vector<const char*>& fusedFamilies()
{
    static const std::vector<const char*> all = {
        "1f1b",   "gpipe",   "kfkb",      "breadth-first", "interleaved-1f1b", "chimera",
        "hanayo", "seq1f1b", "pipedream", "pipedream-2bw", "dualpipe"};
    return all;
}

/// Makes a family of a file known.
bool addFamily(const char* id, const char* order)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QString::fromLatin1(id) + QStringLiteral(".family")));
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write(QByteArray("family ") + id + "\ntitle " + id +
               "\nsummary A test's.\ncitation none\n\n" + order + "\n");
    file.close();
    std::vector<std::string> problems;
    return addFamilyFolder(folder.path().toStdString(), problems) && problems.empty();
}

} // namespace

class TestPlanSearch : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        std::vector<std::string> problems;
        const auto ids = addFamilyFolder(PW_SOURCE_DIR "/samples/families", problems);
        QVERIFY2(ids, ids ? "" : ids.error().message.english().c_str());
        QVERIFY(problems.empty());
    }

    void theFirstRowsAreTheFirstOfAll_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("hardware");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("batch");
        QTest::newRow("recomputation") << "qwen3-32b"
                                       << "h100" << 8 << 64;
        QTest::newRow("room") << "llama3-8b"
                              << "h100" << 8 << 32;
        QTest::newRow("few micro-batches") << "gpt-22b"
                                           << "a100" << 16 << 16;
        QTest::newRow("experts") << "mixtral-8x7b"
                                 << "h200" << 8 << 32;
    }

    /// However many rows are wanted, they are the best of the list in which nothing is left out.
    void theFirstRowsAreTheFirstOfAll()
    {
        QFETCH(QString, model);
        QFETCH(QString, hardware);
        QFETCH(int, devices);
        QFETCH(int, batch);
        const LanguageModel planned = modelNamed(model.toStdString());
        const Cluster cluster = clusterOf(hardware.toUtf8().constData(), devices);
        Wish wish = wishFor(planned, batch);
        const std::vector<Evaluation> all = wholeList(planned, cluster, wish);
        QVERIFY(all.size() > 10);
        for (const int rows : {1, 3, 10}) {
            wish.rows = rows;
            const Result<PlanTable> table = search(planned, cluster, wish);
            QVERIFY(table && static_cast<int>(table->rows.size()) >= rows);
            for (int i = 0; i < rows; ++i) {
                const Evaluation& found = table->rows[static_cast<std::size_t>(i)];
                const Evaluation& best = all[static_cast<std::size_t>(i)];
                QVERIFY2(found.seconds() == best.seconds(),
                         qPrintable(QStringLiteral("row %1 of %2: %3 s for %4 s")
                                        .arg(i + 1)
                                        .arg(rows)
                                        .arg(found.seconds())
                                        .arg(best.seconds())));
            }
        }
    }

    /// What is counted does not depend on the machine: of 25,244 configurations the bounds leave
    /// 5,717. Without the way back of the last segment they leave 5,850.
    void theBoundsLeaveLittleToLookAt()
    {
        const LanguageModel model = modelNamed("llama3-70b");
        const auto table = search(model, clusterOf("h100", 64), wishFor(model, 256));
        QVERIFY(table);
        QCOMPARE(table->candidates, std::size_t{25244});
        QCOMPARE(table->families, plannedFamilies().size());
        QVERIFY2(table->evaluated < 5800, qPrintable(QString::number(table->evaluated)));
    }

    /// What takes no less is not told, whatever it needs; what takes less is the same.
    void evaluatedBelowATimeIsTheSame()
    {
        const LanguageModel model = modelNamed("llama3-8b");
        const Cluster cluster = clusterOf("h100", 8);
        for (const std::string_view family : plannedFamilies()) {
            Configuration c;
            c.family = family;
            c.pipelineParallel = 4;
            c.dataParallel = 2;
            c.globalBatch = 128;
            c.chunks = traitsOf(c).chunks;
            settleSegments(model, c);
            const Pieces pieces = piecesOf(model, cluster, c);
            const auto whole = evaluate(model, cluster, c, pieces, Exactness::Periodic);
            QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
            Configuration placed = whole->configuration;
            const auto below = [&](double seconds) {
                return evaluateBelow(model, cluster, placed, pieces, Exactness::Periodic, seconds);
            };
            const auto same = below(1.001 * whole->seconds()), none = below(whole->seconds());
            QVERIFY(same && *same && none);
            QVERIFY(**same == *whole);
            QVERIFY(!*none);
        }
    }

    void whatAFamilySplitsIsInItsOrder_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("splits");
        for (const char* family : fusedFamilies())
            QTest::newRow(family) << family << false;
        QTest::newRow("gis") << "gis" << true;
        for (const char* family : {"zb-h1", "zb-h2", "zb-v", "v-half", "v-min", "file-zb-h1"})
            QTest::newRow(family) << family << true;
        for (const char* family : {"file-1f1b", "file-gpipe", "file-interleaved", "file-kfkb"})
            QTest::newRow(family) << family << false;
    }

    void whatAFamilySplitsIsInItsOrder()
    {
        QFETCH(QString, family);
        QFETCH(bool, splits);
        Configuration c;
        c.family = family.toStdString();
        QCOMPARE(traitsOf(c).splitsBackward, splits);
    }

    void twinsPlanAlike_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("twin");
        QTest::newRow("1f1b") << "file-1f1b"
                              << "1f1b";
        QTest::newRow("gpipe") << "file-gpipe"
                               << "gpipe";
        QTest::newRow("interleaved") << "file-interleaved"
                                     << "interleaved-1f1b";
        QTest::newRow("split") << "file-zb-h1"
                               << "zb-h1";
    }

    /// A family of a file that makes the order of one of the program plans exactly as that does.
    void twinsPlanAlike()
    {
        QFETCH(QString, file);
        QFETCH(QString, twin);
        const LanguageModel model = modelNamed("gpt-22b");
        const Cluster cluster = clusterOf("a100", 16);
        // GPipe keeps all micro-batches of a step.
        Wish wish = wishFor(model, twin == "gpipe" ? 64 : 256);
        wish.family = twin.toStdString();
        const Result<PlanTable> known = search(model, cluster, wish);
        wish.family = file.toStdString();
        const Result<PlanTable> own = search(model, cluster, wish);
        QVERIFY(known && own && !known->rows.empty());
        QCOMPARE(own->candidates, known->candidates);
        const auto count = std::min<std::size_t>(10, known->rows.size());
        QVERIFY(own->rows.size() >= count);
        for (std::size_t i = 0; i < count; ++i)
            QCOMPARE(renamed(own->rows[i], wish.family.c_str()),
                     renamed(known->rows[i], wish.family.c_str()));
        QCOMPARE(own->pareto.size(), known->pareto.size());
        for (std::size_t i = 0; i < known->pareto.size(); ++i)
            QCOMPARE(own->pareto[i].seconds(), known->pareto[i].seconds());
    }

    /// Megatron-LM runs an order, whatever the family that makes it is called.
    void enginesAreAskedForOrders()
    {
        const LanguageModel model = modelNamed("llama3-8b");
        Configuration c;
        c.pipelineParallel = 4;
        c.globalBatch = 8;
        c.split = {8, 8, 8, 8};
        c.family = "1f1b";
        const auto flags = megatronFlags(model, c);
        c.family = "file-1f1b";
        const auto own = megatronFlags(model, c);
        QVERIFY(flags && own);
        QCOMPARE(*own, *flags);
        c.family = "file-gpipe";
        QVERIFY(!megatronFlags(model, c));
    }

    /// What fits constants times an order, too, whatever the family that makes it is called.
    void constantsAreFittedToOrders()
    {
        const LanguageModel model = modelNamed("gpt-22b");
        const Cluster cluster = clusterOf("a100", 16);
        Configuration c;
        c.pipelineParallel = 4;
        c.tensorParallel = 4;
        c.globalBatch = 32;
        c.recompute = RecomputePolicy::Full;
        const auto known = iterationSeconds(model, cluster, c);
        c.family = "file-1f1b";
        const auto own = iterationSeconds(model, cluster, c);
        QVERIFY(known && own);
        QCOMPARE(*own, *known);
        // The recurrence is that of the simulator.
        c.split = {12, 12, 12, 12};
        const auto walked = iterationSeconds(model, cluster, c);
        const auto simulated = evaluate(model, cluster, c);
        QVERIFY(walked && simulated);
        QVERIFY(std::abs(*walked / simulated->seconds() - 1) < 1e-9);
    }

    void everyFamilyTriesFullRecomputation_data()
    {
        QTest::addColumn<QString>("family");
        for (const Family& family : allFamilies())
            QTest::newRow(std::string(family.id).c_str())
                << QString::fromStdString(std::string(family.id));
    }

    void everyFamilyTriesFullRecomputation()
    {
        QFETCH(QString, family);
        const LanguageModel model = modelNamed("gpt-22b");
        Wish wish = wishFor(model, 64);
        wish.family = family.toStdString();
        const auto candidates = candidatesOf(model, clusterOf("h100", 8), wish);
        QVERIFY(candidates);
        std::set<RecomputePolicy> policies;
        for (const Configuration& c : *candidates)
            policies.insert(c.recompute);
        QVERIFY(policies.count(RecomputePolicy::None) == 1);
        QVERIFY(policies.count(RecomputePolicy::Full) == 1);
    }

    /// What was said not to fit and does: the leanest of a family is among what is tried.
    void nothingFitsIsTrueOfTheFamily()
    {
        const LanguageModel model = modelNamed("gpt-22b");
        Cluster cluster = clusterOf("a100", 8);
        for (const char* family : {"chimera", "dualpipe", "hanayo", "zb-h1"}) {
            Wish wish = wishFor(model, 64);
            wish.pipelineParallel = 4;
            wish.microBatchSize = 4;
            wish.family = family;
            const double least = leanest(model, cluster, wish, {});
            QVERIFY(std::isfinite(least));
            cluster.device.memory = cluster.device.reserved + 1.0001 * least;
            const auto fitting = search(model, cluster, wish);
            QVERIFY2(fitting && !fitting->rows.empty(), family);
            cluster.device.memory = cluster.device.reserved + 0.9999 * least;
            const auto none = search(model, cluster, wish);
            QVERIFY2(none && none->rows.empty(), family);
        }
    }

    /// Where none of the usual families fits, all others are tried before it is said.
    void nothingFitsIsTrueOfAllFamilies()
    {
        const LanguageModel model = modelNamed("gpt-22b");
        Cluster cluster = clusterOf("a100", 4);
        Wish wish = wishFor(model, 16);
        wish.pipelineParallel = 4;
        wish.tensorParallel = 1;
        wish.microBatchSize = 1;
        wish.recompute = RecomputePolicy::None;
        QVERIFY(
            addFamily("one-at-a-time", "order\n  for j in 0 .. m\n    F j\n    BW j\n  end\nend"));
        std::vector<std::string> usual;
        for (const std::string_view family : plannedFamilies())
            usual.emplace_back(family);
        const double ofUsual = leanest(model, cluster, wish, usual);
        const double ofOthers = leanest(model, cluster, wish, otherFamilies());
        QVERIFY2(ofOthers < ofUsual, "another shape is needed for this test");
        cluster.device.memory = cluster.device.reserved + (ofUsual + ofOthers) / 2;
        const auto table = search(model, cluster, wish);
        QVERIFY(table && !table->rows.empty());
        QCOMPARE(table->families, allFamilies().size());
        const auto& found = table->rows.front().configuration.family;
        QVERIFY(std::find(usual.begin(), usual.end(), found) == usual.end());
        cluster.device.memory = cluster.device.reserved + 0.9999 * ofOthers;
        const auto none = search(model, cluster, wish);
        QVERIFY(none && none->rows.empty());
        QCOMPARE(none->families, allFamilies().size());
    }

    void boundsAreBelowWhatIsRefined_data() { everyFamilyTriesFullRecomputation_data(); }

    void boundsAreBelowWhatIsRefined()
    {
        QFETCH(QString, family);
        const LanguageModel model = modelNamed("llama3-8b");
        const Cluster cluster = clusterOf("h100", 8);
        Wish wish = wishFor(model, 32);
        wish.family = family.toStdString();
        const auto candidates = candidatesOf(model, cluster, wish);
        QVERIFY(candidates);
        const std::size_t step = std::max<std::size_t>(candidates->size() / 25, 1);
        for (std::size_t i = 0; i < candidates->size(); i += step) {
            const Configuration& c = (*candidates)[i];
            const auto one = evaluate(model, cluster, c);
            if (!one)
                continue;
            QVERIFY2(leastBytes(model, c) <= 1.0001 * one->peakBytes(),
                     qPrintable(QString::number(i)));
            Configuration quickest = c;
            if (c.recompute == RecomputePolicy::Full)
                quickest.recomputedLayers = 1;
            const double least =
                leastSeconds(model, cluster, quickest, piecesOf(model, cluster, quickest));
            const Evaluation better = refined(model, cluster, wish, *one);
            QVERIFY2(least <= 1.0001 * better.seconds(),
                     qPrintable(QStringLiteral("%1: %2 for %3, pp %4")
                                    .arg(i)
                                    .arg(least)
                                    .arg(better.seconds())
                                    .arg(c.pipelineParallel)));
        }
    }

    /// A pipeline that never drains: the busiest device is never idle, and an iteration is what it
    /// works, whatever the number of micro-batches.
    void withoutAFlushNothingDrains()
    {
        const LanguageModel model = modelNamed("gpt-22b");
        const Cluster cluster = clusterOf("a100", 8);
        for (const int batch : {8, 12, 32, 256}) {
            Configuration c;
            c.pipelineParallel = 8;
            c.globalBatch = batch;
            c.family = "1f1b";
            const auto flushed = evaluate(model, cluster, c);
            for (const char* family : {"pipedream-2bw", "pipedream"}) {
                c.family = family;
                for (const Exactness exactness : {Exactness::All, Exactness::Periodic}) {
                    const auto steady =
                        evaluate(model, cluster, c, piecesOf(model, cluster, c), exactness);
                    QVERIFY2(steady, steady ? "" : steady.error().message.c_str());
                    QVERIFY2(flushed, flushed ? "" : flushed.error().message.c_str());
                    const double work = steady->parts.busiest.total() + steady->parts.exchange;
                    const bool full = batch >= 2 * c.pipelineParallel;
                    QVERIFY2(!full || steady->parts.idle < 0.02 * work, family);
                    QVERIFY(steady->parts.pipeline < flushed->parts.pipeline);
                    QVERIFY(steady->parts.pipeline > 0.999 * work);
                    QVERIFY(leastSeconds(model, cluster, c, piecesOf(model, cluster, c)) <=
                            steady->seconds());
                }
            }
        }
    }

    /// Two replicas whose sum of gradients takes longer than the passes wait for the sum; PipeDream
    /// sums behind every micro-batch.
    void gradientsAreSummedBesideTheNextStep()
    {
        const AroundParts around{3, 0.5, 0.25};
        QCOMPARE(around.besideSteps(UpdateRule::Flush, 4, 2), around);
        QCOMPARE(around.besideSteps(UpdateRule::DoubleBuffered, 4, 2), (AroundParts{1, 0.5, 0.25}));
        QCOMPARE(around.besideSteps(UpdateRule::DoubleBuffered, 4, 5), (AroundParts{0, 0.5, 0.25}));
        QCOMPARE(around.besideSteps(UpdateRule::Stashed, 4, 2), (AroundParts{10, 2, 1}));
    }

    /// Two copies of the model sum their gradients, one does not.
    void copiesSumTheirGradients()
    {
        const LanguageModel model = modelNamed("gpt-22b");
        const Cluster cluster = clusterOf("a100", 8);
        Configuration c;
        c.pipelineParallel = 8;
        c.globalBatch = 16;
        const auto one = evaluate(model, cluster, c);
        c.family = "chimera";
        const auto two = evaluate(model, cluster, c);
        QVERIFY(one && two);
        QCOMPARE(one->parts.reduction, 0.0);
        QVERIFY(two->parts.reduction > 0);
    }

    /// Segments are cut for equal work of one micro-batch: more of them wait less, and each costs
    /// something. @source Seq1F1B's logs, 8 A100: 7098.8, 5832.5, 5307.6, 5207.4 ms
    void slicesHaveTheirPrice()
    {
        LanguageModel model;
        model.dense.hidden = 2048;
        model.dense.layers = 24;
        model.dense.heads = 16;
        model.dense.vocabulary = 50304;
        model.dense.sequence = 32768;
        model.dense.positions = 0;
        model.dense.flashAttention = model.dense.skipsMasked = true;
        model.dense.dropout = false;
        const Cluster cluster = clusterOf("a100", 8);
        const std::pair<int, double> measured[] = {
            {1, 7098.8}, {2, 5832.5}, {4, 5307.6}, {8, 5207.4}};
        double work = 0;
        for (const auto& [slices, milliseconds] : measured) {
            Configuration c;
            c.pipelineParallel = 4;
            c.dataParallel = 2;
            c.globalBatch = 8;
            c.split = {6, 6, 6, 6};
            c.engine.joinsSlices = true;
            if (slices > 1) {
                c.family = "seq1f1b";
                c.parameters = {{"segments", slices}};
            }
            const auto row = evaluate(model, cluster, c);
            QVERIFY2(row, row ? "" : row.error().message.c_str());
            const double apart = 1000 * row->seconds() / milliseconds - 1;
            QVERIFY2(std::abs(apart) < 0.13, qPrintable(QString::number(apart)));
            QVERIFY(row->parts.busiest.total() > work);
            work = row->parts.busiest.total();
        }
    }

    /// Exchanges between experts go on beside the other pass of a pair, and nothing else does.
    void pairsHideExchangesBetweenExperts()
    {
        Configuration c;
        c.family = "dualpipe-v";
        c.pipelineParallel = 4;
        c.expertParallel = 2;
        c.dataParallel = 2;
        c.chunks = 2;
        c.globalBatch = 64;
        const Cluster cluster = clusterOf("h100", 8);
        const LanguageModel experts = modelNamed("mixtral-8x7b"), dense = modelNamed("llama3-8b");
        for (const bool hides : {true, false}) {
            const LanguageModel& model = hides ? experts : dense;
            c.expertParallel = hides ? 2 : 1;
            const auto row = evaluate(model, cluster, c);
            QVERIFY2(row, row ? "" : row.error().message.c_str());
            const PipelineSpec spec =
                specOf(*findFamily(c.family).value(),
                       familyOptions(*findFamily(c.family).value(), row->configuration, 32))
                    .value();
            const Costs costs =
                costsOf(model, cluster, row->configuration, piecesOf(model, cluster, c), spec,
                        row->configuration.split);
            QCOMPARE(costs.pair.empty(), !hides);
            for (const StageId s : Ids<StageId>(hides ? spec.stages() : 0)) {
                const std::size_t back = partnerOf(spec, s).index();
                QCOMPARE(static_cast<int>(back), spec.stages() - 1 - s.value);
                QVERIFY(costs.pair[s.index()] <
                        costs.forward[s.index()] + costs.backward[back] + costs.weight[back]);
            }
        }
    }

    /// Weights that wait for their gradients are counted: PipeDream's first device has p versions,
    /// the last one, and 2BW two everywhere.
    void versionsAreCounted()
    {
        const LanguageModel model = modelNamed("gpt-22b");
        const Cluster cluster = clusterOf("a100", 4);
        Configuration c;
        c.pipelineParallel = 4;
        c.globalBatch = 32;
        c.family = "pipedream";
        const auto stashed = evaluate(model, cluster, c);
        c.family = "pipedream-2bw";
        const auto buffered = evaluate(model, cluster, c);
        c.family = "1f1b";
        const auto flushed = evaluate(model, cluster, c);
        QVERIFY(stashed && buffered && flushed);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            const double weights = stashed->memory[rank].weights;
            QCOMPARE(stashed->memory[rank].versions, (3.0 - static_cast<double>(rank)) * weights);
            QCOMPARE(buffered->memory[rank].versions, buffered->memory[rank].weights);
            QCOMPARE(flushed->memory[rank].versions, 0.0);
        }
    }

    /// A model by its fields in a file is the preset of the same numbers.
    void expertsAreFields()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("own.json"));
        const LanguageModel preset = modelNamed("deepseek-v3");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const TransformerModel& d = preset.dense;
        file.write(
            QStringLiteral("{\"version\": 1, \"layers\": %1, \"hidden\": %2, \"heads\": %3, "
                           "\"kvHeads\": %4, \"ffn\": %5, \"sequence\": %6, \"vocabulary\": %7, "
                           "\"gatedMlp\": true, \"biases\": false, \"flashAttention\": true, "
                           "\"dropout\": false, \"tiedEmbedding\": false, \"headSize\": 128, "
                           "\"experts\": 256, "
                           "\"expertsPerToken\": 8, \"sharedExperts\": 1, \"expertWidth\": 2048, "
                           "\"denseLayers\": 3, \"expertNodes\": 4, \"overlapExperts\": true, "
                           "\"latentQuery\": 1536, \"latentKeyValue\": 512, "
                           "\"latentPositional\": 64, \"latentPlain\": 128, \"latentValue\": 128}")
                .arg(d.layers)
                .arg(d.hidden)
                .arg(d.heads)
                .arg(d.kvHeads)
                .arg(d.ffn)
                .arg(d.sequence)
                .arg(d.vocabulary)
                .toUtf8());
        file.close();
        const auto own = loadModel(path.toStdString());
        QVERIFY2(own, own ? "" : own.error().message.english().c_str());
        QCOMPARE(own->experts, preset.experts);
        QCOMPARE(own->latent, preset.latent);
        QCOMPARE(own->headSize, 128);
        LanguageModel same = *own;
        same.dense.positions = d.positions; // which files give as they like
        QVERIFY(std::abs(weightCount(same) / weightCount(preset) - 1) < 1e-9);
    }

    void wrongExpertsAreNamed_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("says");
        QTest::newRow("too many") << "\"experts\": 8, \"expertsPerToken\": 9, \"expertWidth\": 64"
                                  << "9";
        QTest::newRow("no width") << "\"experts\": 8, \"expertsPerToken\": 2"
                                  << "width 0";
        QTest::newRow("no experts") << "\"expertsPerToken\": 2"
                                    << "no experts";
        QTest::newRow("negative") << "\"headSize\": -1"
                                  << "headSize is -1";
        QTest::newRow("dense") << "\"experts\": 8, \"expertsPerToken\": 2, \"expertWidth\": 64, "
                                  "\"denseLayers\": 99"
                               << "denseLayers is 99";
        QTest::newRow("no number") << "\"experts\": \"many\""
                                   << "\"experts\"";
    }

    void wrongExpertsAreNamed()
    {
        QFETCH(QString, fields);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("own.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral("{\"version\": 1, \"layers\": 8, \"hidden\": 512, \"heads\": 8, "
                                  "\"sequence\": 256, %1}")
                       .arg(fields)
                       .toUtf8());
        file.close();
        const auto own = loadModel(path.toStdString());
        QVERIFY(!own);
        const QString message = QString::fromStdString(own.error().message.english());
        QVERIFY2(message.contains(says) && message.contains(path), qPrintable(message));
    }

    /// More GPUs than two bytes count: the degrees multiply to all of them, and time is found.
    void manyDevicesArePlanned()
    {
        const LanguageModel model = modelNamed("llama3-405b");
        const Cluster cluster = clusterOf("h100", 131072);
        Wish wish = wishFor(model, 16384);
        wish.tensorParallel = 8;
        wish.pipelineParallel = 16;
        wish.family = "1f1b";
        wish.rows = 1;
        const auto table = search(model, cluster, wish);
        QVERIFY2(table, table ? "" : table.error().message.english().c_str());
        QVERIFY(!table->rows.empty());
        QCOMPARE(table->rows.front().configuration.devices(), 131072);
        QVERIFY(parseKinds("h100:100000,a100:100000"));
        QVERIFY(!parseKinds("h100:1048576,a100:1"));
    }
};

PW_TEST(TestPlanSearch)
#include "tst_plan_search.moc"
