// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>

#ifdef __linux__
#include <sched.h>
#endif

using namespace pw;
using namespace pw::plan;

namespace {

struct Question
{
    LanguageModel model;
    Cluster cluster;
    Wish wish;
    bool fits = true;
};

Question asked(const char* model, const char* hardware, int devices, int batch)
{
    Question question;
    question.model = *findModel(model);
    question.cluster = {*findAccelerator(hardware), devices, constantsFor(hardware, devices <= 8)};
    question.wish.globalBatch = batch;
    setUsualTraining(question.wish, question.model);
    return question;
}

/// Layers of two kinds, one after another.
Question withFewDenseLayers()
{
    Question question = asked("mixtral-8x7b", "h100", 16, 32);
    question.model.dense.layers = 20;
    question.model.experts.denseLayers = 3;
    return question;
}

Question onTwoKinds()
{
    Question question = asked("llama3-8b", "h100", 8, 32);
    const Cluster slow = {*findAccelerator("a100"), 8, constantsFor("a100", true)};
    question.cluster = clusterOfGroups({question.cluster, slow});
    return question;
}

/// Activations in the host's memory let fewer layers be computed again, where all fits without.
Question withRoomOnTheHost()
{
    Question question = asked("llama3-8b", "h100", 8, 64);
    TransformerModel& dense = question.model.dense;
    dense = TransformerModel();
    dense.hidden = 8192;
    dense.layers = 32;
    dense.heads = 64;
    dense.sequence = 4096;
    dense.vocabulary = 51200;
    dense.flashAttention = true;
    dense.dropout = false;
    question.cluster.device.memory = 78.23 * 1024 * 1024 * 1024;
    question.wish.family = "1f1b";
    question.wish.tensorParallel = 1;
    question.wish.offload.reset();
    return question;
}

Question changed(Question question, const std::function<void(Wish&)>& change)
{
    change(question.wish);
    return question;
}

using Make = std::function<Question()>;

const std::map<std::string, Make>& questions()
{
    static const std::map<std::string, Make> all = {
        {"recomputation", [] { return asked("qwen3-32b", "h100", 8, 64); }},
        {"small", [] { return asked("llama3-8b", "h100", 16, 32); }},
        {"few micro-batches", [] { return asked("gpt-22b", "a100", 16, 16); }},
        {"experts", [] { return asked("mixtral-8x7b", "h200", 8, 32); }},
        {"few dense layers", withFewDenseLayers},
        {"two kinds", onTwoKinds},
        {"other families",
         [] {
             return changed(asked("gpt-22b", "a100", 8, 32), [](Wish& wish) {
                 wish.families = otherFamilies();
                 wish.tensorParallel = 2;
             });
         }},
        {"full recomputation",
         [] {
             return changed(asked("qwen3-32b", "h100", 8, 64),
                            [](Wish& wish) { wish.recompute = RecomputePolicy::Full; });
         }},
        {"even layers, split vocabulary",
         [] {
             return changed(asked("llama3-8b", "h100", 8, 32), [](Wish& wish) {
                 wish.evenSplit = wish.vocabularyParallel = true;
                 wish.overlapReduction = false;
             });
         }},
        {"host memory",
         [] {
             return changed(asked("qwen3-32b", "h100", 8, 64), [](Wish& wish) {
                 wish.offload.reset();
                 wish.microBatchSize = 1;
             });
         }},
        {"room on the host", withRoomOnTheHost},
        {"nothing fits",
         [] {
             Question question = asked("llama3-70b", "a100", 4, 16);
             question.fits = false;
             return question;
         }},
    };
    return all;
}

/// What the search gives without passing anything over, found once.
const PlanTable& wholeTable(const std::string& name)
{
    static std::map<std::string, PlanTable> found;
    const auto known = found.find(name);
    if (known != found.end())
        return known->second;
    const Question question = questions().at(name)();
    Result<PlanTable> table =
        search(question.model, question.cluster, question.wish, nullptr, {}, SearchCut::Never);
    return found.emplace(name, table ? std::move(*table) : PlanTable()).first->second;
}

QString placeOf(const Evaluation& row, std::size_t i)
{
    const Configuration& c = row.configuration;
    return QStringLiteral("row %1: %2 pp%3 tp%4 dp%5 b%6 v%7, %8 layers again: %9 s")
        .arg(i + 1)
        .arg(QString::fromStdString(c.family))
        .arg(c.pipelineParallel)
        .arg(c.tensorParallel)
        .arg(c.dataParallel)
        .arg(c.microBatchSize)
        .arg(c.chunks)
        .arg(c.recompute == RecomputePolicy::Full ? c.recomputedLayers : -1)
        .arg(row.seconds(), 0, 'g', 12);
}

} // namespace

/// The first rows are those of the whole list, and what says so is true of every candidate.
class TestPlanProven : public QObject
{
    Q_OBJECT

private slots:
    void theFirstRowsAreProven_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& [name, make] : questions())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void theFirstRowsAreProven()
    {
        QFETCH(QString, name);
        Question question = questions().at(name.toStdString())();
        const PlanTable& whole = wholeTable(name.toStdString());
        QCOMPARE(whole.rows.empty(), !question.fits);
        for (const int rows : {1, 5, 10}) {
            question.wish.rows = rows;
            const auto table = search(question.model, question.cluster, question.wish);
            QVERIFY(table);
            QCOMPARE(table->candidates, whole.candidates);
            const std::size_t count = std::min(static_cast<std::size_t>(rows), whole.rows.size());
            QVERIFY(table->rows.size() >= count);
            QCOMPARE(table->proven, count);
            for (std::size_t i = 0; i < count; ++i) {
                QVERIFY2(table->rows[i] == whole.rows[i],
                         qPrintable(placeOf(table->rows[i], i) + QStringLiteral(" for ") +
                                    placeOf(whole.rows[i], i)));
            }
        }
    }

    void noCandidateIsFasterThanItsBound_data() { theFirstRowsAreProven_data(); }

    /// However layers are moved, and whatever is computed again. No hair is left to it.
    void noCandidateIsFasterThanItsBound()
    {
        QFETCH(QString, name);
        const PlanTable& whole = wholeTable(name.toStdString());
        const LanguageModel model = questions().at(name.toStdString())().model;
        QCOMPARE(whole.bounds.size(), whole.rows.size());
        double sum = 0;
        for (std::size_t i = 0; i < whole.rows.size(); ++i) {
            const double seconds = whole.rows[i].seconds();
            QVERIFY2(whole.bounds[i] <= seconds,
                     qPrintable(placeOf(whole.rows[i], i) +
                                QStringLiteral(", bound %1").arg(whole.bounds[i], 0, 'g', 12)));
            sum += whole.bounds[i] / seconds;
            // Nothing that fits is passed over for its memory.
            const Configuration& c = whole.rows[i].configuration;
            QVERIFY2(leastWeightBytes(model, c) <= whole.rows[i].peakBytes(),
                     qPrintable(placeOf(whole.rows[i], i)));
        }
        // A bound that says nothing would be no bound.
        if (!whole.rows.empty())
            QVERIFY2(sum / static_cast<double>(whole.rows.size()) > 0.6,
                     qPrintable(QString::number(sum / static_cast<double>(whole.rows.size()))));
    }

    /// One thread and as many as there are give the same, row by row, also beyond what is wanted.
    void threadsChangeNothing()
    {
#ifdef __linux__
        Question question = questions().at("recomputation")();
        const auto many = search(question.model, question.cluster, question.wish);
        cpu_set_t before, one;
        QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
            if (CPU_ISSET(cpu, &before))
                CPU_SET(cpu, &one);
        }
        QCOMPARE(sched_setaffinity(0, sizeof one, &one), 0);
        const auto single = search(question.model, question.cluster, question.wish);
        QCOMPARE(sched_setaffinity(0, sizeof before, &before), 0);
        QVERIFY(many && single);
        QVERIFY(many->rows == single->rows);
        QVERIFY(many->pareto == single->pareto);
        QCOMPARE(many->evaluated, single->evaluated);
#else
        QSKIP("threads are counted by the processors that a process may use");
#endif
    }

    /// A search that is ended early says how far its rows are the first of all, and is right.
    void whatIsStoppedSaysWhatIsProven()
    {
        Question question = questions().at("recomputation")();
        const PlanTable& whole = wholeTable("recomputation");
        const auto prove = [&](std::size_t looked) {
            std::atomic<bool> stop = looked == 0;
            const auto table = search(question.model, question.cluster, question.wish, &stop,
                                      [&](const SearchProgress& progress) {
                                          stop = stop.load() || progress.looked >= looked;
                                      });
            QVERIFY(table);
            QVERIFY(table->proven <= table->rows.size());
            QVERIFY(table->stopped || table->proven == 10);
            for (std::size_t i = 0; i < table->proven; ++i)
                QVERIFY2(table->rows[i] == whole.rows[i], qPrintable(placeOf(table->rows[i], i)));
        };
        for (const std::size_t looked : {0, 1, 10, 20, 40, 80})
            prove(looked);
        std::atomic<bool> stop = true;
        const auto none = search(question.model, question.cluster, question.wish, &stop);
        QVERIFY(none && none->stopped);
        QCOMPARE(none->proven, std::size_t{0});
    }
};

PW_TEST(TestPlanProven)
#include "tst_plan_proven.moc"
