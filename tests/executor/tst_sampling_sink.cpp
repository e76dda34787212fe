// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/sampling_sink.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr int entries = 4;

/// Iterations of two ranks with two entries each, as batches come; one pass of iteration `slow`
/// takes long, and there is most memory in iteration `full`.
void runOf(SamplingSink& sink, int iterations, int slow, int full)
{
    for (int iteration = -1; iteration < iterations; ++iteration)
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<RecordedPass> passes;
            for (int i = 0; i < entries / 2; ++i) {
                const Ticks start = 1000 * (entries * iteration + i);
                const Ticks length = iteration == slow && rank == 1 && i == 0 ? 900 : 100;
                Pass pass;
                pass.kind = i == 0 ? PassKind::F : PassKind::BW;
                pass.stage = StageId(rank);
                passes.push_back(
                    {iteration, RankId(rank), EntryId(2 * rank + i), pass, start, start + length});
            }
            sink.passes(passes);
            MemorySample sample;
            sample.rank = RankId(rank);
            sample.iteration = iteration;
            sample.time = 1000 * entries * iteration;
            sample.bytes[static_cast<std::size_t>(MemoryUse::Activations)] =
                iteration == full ? 500 : 100;
            sink.memory(std::span<const MemorySample>(&sample, 1));
        }
}

std::set<std::int32_t> iterationsOf(const SamplingSink& sink)
{
    std::set<std::int32_t> all;
    for (const RecordedPass& pass : sink.record().passes)
        all.insert(pass.iteration);
    return all;
}

} // namespace

/// A run of any length is told of in memory that has a bound.
class TestSamplingSink : public QObject
{
    Q_OBJECT

private slots:
    void aShortRunIsKeptWhole()
    {
        SamplingSink sink;
        RecordingSink all;
        runOf(sink, 300, 5, 7);
        QCOMPARE(sink.stride(), 1);
        QCOMPARE(sink.record().passes.size(), std::size_t{301 * entries});
        QCOMPARE(sink.record().memory.size(), std::size_t{301 * 2});
        QVERIFY(sink.extremes().empty());
    }

    void aLongRunIsKeptInEvenSteps_data()
    {
        QTest::addColumn<int>("iterations");
        for (const int iterations : {512, 513, 1025, 5000, 40'000})
            QTest::newRow(qPrintable(QString::number(iterations))) << iterations;
    }
    void aLongRunIsKeptInEvenSteps()
    {
        QFETCH(const int, iterations);
        SamplingSink sink;
        runOf(sink, iterations, iterations - 3, 333);
        std::set<std::int32_t> expected = {-1};
        for (int i = 0; i < iterations; i += sink.stride())
            expected.insert(i);
        QVERIFY(iterationsOf(sink) == expected);
        QVERIFY(expected.size() > SamplingSink::mostIterations / 2 &&
                expected.size() <= SamplingSink::mostIterations);
        QCOMPARE(sink.record().passes.size(), expected.size() * entries);
    }

    /// What stands out is known though its iteration is not kept.
    void whatStandsOutStays()
    {
        for (const int slow : {101, 3001}) { // before and behind the first thinning out
            SamplingSink sink;
            runOf(sink, 4000, slow, 1111);
            QVERIFY(iterationsOf(sink).count(slow) == 0);
            const std::vector<RecordedPass> extremes = sink.extremes();
            QCOMPARE(extremes.size(), std::size_t{2 * entries});
            QCOMPARE(std::count_if(extremes.begin(), extremes.end(),
                                   [slow](const RecordedPass& pass) {
                                       return pass.end - pass.start == 900 &&
                                              pass.iteration == slow;
                                   }),
                     1);
            Bytes peak = 0;
            for (const MemorySample& sample : sink.record().memory)
                peak = std::max(peak, sample.activation());
            QCOMPARE(peak, Bytes{500});
        }
    }
};

PW_TEST(TestSamplingSink)
#include "tst_sampling_sink.moc"
