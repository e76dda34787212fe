// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/batch_changes.h"
#include "tests/support/family_runs.h"
#include "tests/support/hidden_truth.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::test;

namespace {

double gainOf(const Truth& truth, const AdviceSource& source, const AdvisedChange& change,
              std::mt19937& random)
{
    return 1 - static_cast<double>(medianStep(changedSteps(truth, change, random))) /
                   static_cast<double>(source.step);
}

bool holds(const AdvisedChange& change, double gain, QString& missed)
{
    const bool held = change.promise.low <= gain && gain <= change.promise.high;
    if (!held)
        missed += QString("%1: %2 not in %3 … %4\n")
                      .arg(QString::fromStdString(change.title))
                      .arg(gain)
                      .arg(change.promise.low)
                      .arg(change.promise.high);
    return held;
}

AdviceSource sourceOf(const Truth& truth, std::mt19937& random)
{
    const Measured before = measured(truth, "1f1b", random);
    AdviceSource source = tracedSource(before.schedule, before.steps);
    if (!setLayers(source, truth.layers))
        qFatal("no layers");
    return source;
}

} // namespace

/// Numbers of micro-batches of a batch, and segments of sequences, with what they promise.
class TestBatchChanges : public QObject
{
    Q_OBJECT

private slots:
    void numbersDivideTheBatch();
    void smallerMicroBatchesKeepTheirPromises();
    void segmentsKeepTheirPromises();
    void whatOnePassHasFixedDecides();
    void othersComeWithTheirBestNumber();
};

void TestBatchChanges::numbersDivideTheBatch()
{
    QCOMPARE(microBatchesOf(12), (std::vector<int>{1, 2, 3, 4, 6, 12}));
    QVERIFY(microBatchesOf(0).empty());
    QCOMPARE(microBatchesOf(1'000'003 * 2), (std::vector<int>{1, 2}));
}

void TestBatchChanges::smallerMicroBatchesKeepTheirPromises()
{
    HeldCount held;
    QString missed;
    for (int number = 1; number <= 16; ++number) {
        const Truth truth = truthOf(number);
        std::mt19937 random(static_cast<std::uint32_t>(700 + number));
        const AdviceSource source = sourceOf(truth, random);
        AdviceRequest request = quickRequest();
        request.globalBatch = 4 * truth.microBatches;
        const Result<Advice> advice = adviceOn(source, request);
        QVERIFY(advice);
        for (const AdvisedChange& one : advice->changes)
            if (one.change.microBatchSize != 1)
                held.add(holds(one, gainOf(truth, source, one, random), missed));
    }
    qInfo("%d of %d promises held\n%s", held.held, held.all, qPrintable(missed));
    QVERIFY(held.all >= 30);
    QVERIFY2(held.held * 10 >= held.all * 9, qPrintable(missed));
}

void TestBatchChanges::segmentsKeepTheirPromises()
{
    HeldCount held;
    QString missed;
    for (int number = 1; number <= 16; ++number) {
        const Truth truth = truthOf(number);
        std::mt19937 random(static_cast<std::uint32_t>(900 + number));
        const AdviceSource source = sourceOf(truth, random);
        AdviceRequest request = quickRequest();
        request.segments = {2, 4};
        if (number % 2 == 0)
            request.fixedTime = truth.fixed;
        const Result<Advice> advice = adviceOn(source, request);
        QVERIFY(advice);
        for (const AdvisedChange& one : advice->changes)
            if (one.promise.prediction.schedule.spec().segments() > 1)
                held.add(holds(one, gainOf(truth, source, one, random), missed));
    }
    qInfo("%d of %d promises held\n%s", held.held, held.all, qPrintable(missed));
    QVERIFY(held.all >= 24);
    QVERIFY2(held.held * 10 >= held.all * 9, qPrintable(missed));
}

/// Where most of a pass is fixed, more micro-batches are worse.
void TestBatchChanges::whatOnePassHasFixedDecides()
{
    Truth truth;
    truth.head = truth.embedding = 0;
    std::mt19937 random(2);
    const AdviceSource source = sourceOf(truth, random);
    AdviceRequest request = quickRequest();
    request.globalBatch = 32;
    const auto countOf = [&](Ticks fixed) {
        request.fixedTime = fixed;
        std::vector<AdviceNote> notes;
        PlannedChange plain;
        plain.fixedTime = fixed;
        const std::vector<CandidateChange> all = changesOfCount(source, request, plain, {}, notes);
        return all.empty() ? 0 : all.front().change.what.family->options.microBatches;
    };
    QCOMPARE(countOf(0), 32);
    QCOMPARE(countOf(4'000'000), 16);
    QCOMPARE(countOf(15'000'000), 4);
}

void TestBatchChanges::othersComeWithTheirBestNumber()
{
    const Truth truth;
    std::mt19937 random(3);
    const AdviceSource source = sourceOf(truth, random);
    AdviceRequest request = quickRequest();
    request.globalBatch = 32;
    request.fixedTime = truth.fixed;
    const Result<Advice> advice = adviceOn(source, request);
    QVERIFY(advice);
    QVERIFY(
        std::any_of(advice->changes.begin(), advice->changes.end(), [](const AdvisedChange& one) {
            return one.change.microBatchSize < 1 && !one.split().empty() &&
                   one.change.what.family->id == "1f1b";
        }));
    QVERIFY(
        std::any_of(advice->changes.begin(), advice->changes.end(), [](const AdvisedChange& one) {
            return one.change.microBatchSize < 1 && one.what == ChangeKind::Family;
        }));
}

PW_TEST(TestBatchChanges)
#include "tst_batch_changes.moc"
