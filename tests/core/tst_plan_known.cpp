// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>
#include <optional>

using namespace pw;
using namespace pw::plan;

namespace {

constexpr double noLimit = std::numeric_limits<double>::infinity();

struct Asked
{
    LanguageModel model;
    Cluster cluster;
    Wish wish;
};

Asked asked(const char* model, const char* hardware, int devices, int batch)
{
    Asked question{*findModel(model), shippedCluster(*findAccelerator(hardware), devices), {}};
    question.wish.globalBatch = batch;
    setUsualTraining(question.wish, question.model);
    return question;
}

/// The first row of a search for one, with what is known before it.
std::optional<Evaluation> firstOf(const Asked& question, const KnownBefore& known)
{
    const auto table = search(question.model, question.cluster, question.wish, nullptr, {},
                              SearchCut::Rows, known);
    return table && !table->rows.empty() ? std::optional(table->rows.front()) : std::nullopt;
}

} // namespace

/// What an earlier search found out saves work, and changes no answer.
class TestPlanKnown : public QObject
{
    Q_OBJECT

private slots:
    void aNeighbourIsAnsweredAsWithoutWhatIsKnown_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("memory");
        QTest::newRow("most is too large") << "gpt-22b" << 16 << 32 << 1.0;
        QTest::newRow("little is too large") << "llama3-8b" << 8 << 32 << 1.0;
        QTest::newRow("hardly anything fits") << "zb-6.2b" << 8 << 24 << 0.5;
        QTest::newRow("experts") << "mixtral-8x7b" << 16 << 32 << 1.0;
    }

    void aNeighbourIsAnsweredAsWithoutWhatIsKnown()
    {
        QFETCH(QString, model);
        QFETCH(int, devices);
        QFETCH(int, batch);
        QFETCH(double, memory);
        Asked question = asked(model.toUtf8().constData(), "a100", devices, batch);
        question.cluster.device.memory *= memory;
        const auto before = search(question.model, question.cluster, question.wish);
        QVERIFY(before && !before->rows.empty());
        QVERIFY(!before->tooLarge.empty());
        question.wish.rows = 1;
        const std::vector<TooLarge>* const tooLarge = &before->tooLarge;

        Asked more = question;
        more.cluster.device.memory *= 1.1;
        QCOMPARE(firstOf(more, {noLimit, tooLarge}), firstOf(more, {}));

        Asked faster = question;
        faster.cluster.device.insideBandwidth *= 2;
        faster.cluster.device.nodeBandwidth *= 2;
        QCOMPARE(firstOf(faster, {noLimit, tooLarge, true}), firstOf(faster, {}));

        // Of copies to the host only what is better than without is asked for.
        Asked copying = question;
        copying.wish.offload.reset();
        const double below = before->rows.front().seconds();
        const auto known = firstOf(copying, {below, tooLarge, false, true});
        const auto found = firstOf(copying, {});
        QVERIFY(found.has_value());
        if (found->configuration.offload != OffloadPolicy::None && found->seconds() < below)
            QCOMPARE(known, found);
        else
            QVERIFY(!known || known->seconds() >= found->seconds());
    }

    /// Links change times, and so how layers are dealt out: what is said of another split is not
    /// believed.
    void whatWasTooLargeWithAnotherSplitIsLookedAt()
    {
        Asked question = asked("gpt-22b", "a100", 16, 32);
        const auto before = search(question.model, question.cluster, question.wish);
        QVERIFY(before && !before->tooLarge.empty());
        std::vector<TooLarge> wrong = before->tooLarge;
        for (TooLarge& one : wrong)
            one.split.clear();
        question.wish.rows = 1;
        const auto table = [&](const std::vector<TooLarge>& known) {
            return search(question.model, question.cluster, question.wish, nullptr, {},
                          SearchCut::Rows, {noLimit, &known, true});
        };
        const auto passed = table(before->tooLarge), looked = table(wrong);
        QVERIFY(passed && looked);
        QCOMPARE(passed->rows.front(), looked->rows.front());
        QVERIFY2(
            2 * passed->evaluated < looked->evaluated,
            qPrintable(QStringLiteral("%1 and %2").arg(passed->evaluated).arg(looked->evaluated)));
    }

    void timesAloneAreThoseOfAllCosts()
    {
        const Asked question = asked("mixtral-8x7b", "h100", 16, 32);
        const auto table = search(question.model, question.cluster, question.wish);
        QVERIFY(table && !table->rows.empty());
        for (const Evaluation& row : table->rows) {
            const Configuration& c = row.configuration;
            const Family* const family = findFamily(c.family).value();
            const auto spec = specOf(*family, familyOptions(*family, c, c.microBatches()));
            QVERIFY(spec.has_value());
            const Pieces pieces = piecesOf(question.model, question.cluster, c);
            const Costs all = costsOf(question.model, question.cluster, c, pieces, *spec, c.split);
            const Costs times = passTimesOf(question.model, question.cluster, c, pieces, *spec);
            QCOMPARE(times.forward, all.forward);
            QCOMPARE(times.backward, all.backward);
            QCOMPARE(times.weight, all.weight);
            QCOMPARE(times.fused, all.fused);
            QCOMPARE(times.pair, all.pair);
            QCOMPARE(leastPipelineSeconds(times, *spec), leastPipelineSeconds(all, *spec));
        }
    }
};

PW_TEST(TestPlanKnown)
#include "tst_plan_known.moc"
