// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/metrics.h"
#include "core/trace/match.h"
#include "core/trace/run_export.h"
#include "core/trace/waits.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

test::FamilyRun runOf(const QByteArray& family)
{
    UniformCosts costs;
    costs.activation = 1 << 20;
    costs.hop = 100'000;
    return test::runFamily(test::familyOf(family.constData()), test::sized(4, 8), costs);
}

} // namespace

class TestMatch : public QObject
{
    Q_OBJECT

private slots:
    void recordsOfASimulationMeasureTheSame_data()
    {
        QTest::addColumn<QByteArray>("family");
        for (const char* family : {"1f1b", "zb-h1", "zb-v", "dualpipe", "seq1f1b"})
            QTest::newRow(family) << QByteArray(family);
    }
    void recordsOfASimulationMeasureTheSame()
    {
        QFETCH(QByteArray, family);
        const test::FamilyRun run = runOf(family);
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const Result<SimResult> measured = measuredResult(run.schedule, batch.passes, batch.memory);
        QVERIFY(measured);
        QVERIFY(measured->start == run.result.start);
        QVERIFY(measured->end == run.result.end);
        QCOMPARE(measured->makespan, run.result.makespan);
        for (std::size_t d = 0; d < measured->devices.size(); ++d) {
            const DeviceResult& device = measured->devices[d];
            QCOMPARE(device.busy, run.result.devices[d].busy);
            QCOMPARE(device.firstStart, run.result.devices[d].firstStart);
            QCOMPARE(device.lastEnd, run.result.devices[d].lastEnd);
            QCOMPARE(device.peakActivation, run.result.devices[d].peakActivation);
        }
        QVERIFY(recordsOf(run.schedule, *measured) == recordsOf(run.schedule, run.result));
    }

    /// Passes of several streams may run at once; a device that does two things is busy once.
    void passesAtOnceAreNoMoreThanBusy()
    {
        const test::FamilyRun run = runOf("1f1b");
        std::vector<RecordedPass> passes = recordsOf(run.schedule, run.result);
        for (RecordedPass& record : passes)
            record.end += 3 * (record.end - record.start);
        const Result<SimResult> measured = measuredResult(run.schedule, passes, {});
        QVERIFY(measured);
        for (const DeviceResult& device : measured->devices) {
            std::vector<char> busy(static_cast<std::size_t>(measured->makespan / 1000), 0);
            for (const RecordedPass& record : passes)
                if (deviceOf(record.rank) == &device - measured->devices.data())
                    std::fill(busy.begin() + record.start / 1000, busy.begin() + record.end / 1000,
                              1);
            QCOMPARE(device.busy, 1000 * std::count(busy.begin(), busy.end(), 1));
            QVERIFY(device.busy <= device.span());
        }
        const double rate = spanBubble(*measured).rate();
        QVERIFY2(rate >= 0 && rate < 1, qPrintable(QString::number(rate)));
    }

    void aRecordOfAnotherScheduleIsNamed()
    {
        const test::FamilyRun run = runOf("1f1b");
        std::vector<RecordedPass> passes = recordsOf(run.schedule, run.result);
        passes[3].entry = EntryId(5'000);
        QCOMPARE(measuredResult(run.schedule, passes, {}).error().message,
                 describe(passes[3].pass, run.schedule.spec()) +
                     " is recorded as entry 5000, which the schedule does not have");
        QCOMPARE(measuredResult(run.schedule, {}, {}).error().code, ErrorCode::BadSchedule);
    }

    void matchedPassesSayHowFarTheyMoved()
    {
        const test::FamilyRun run = runOf("1f1b");
        const Pass slow{PassKind::F, 0, StageId(1), 2, 0};
        constexpr Ticks longer = 250'000;
        const auto length = [&](std::int32_t, const OrderEntry& entry, Ticks costs) {
            return costs + (entry.pass == slow ? longer : 0);
        };
        const RunBatch before = test::recordedRun(run.schedule, run.costs, 0, 1);
        RunBatch after = test::recordedRun(run.schedule, run.costs, 0, 1, length);
        for (RecordedPass& record : after.passes) {
            record.start += 12'345; // another time base
            record.end += 12'345;
        }
        const TimelineMatch match = matchPasses(before.passes, after.passes);
        QCOMPARE(match.matched.size(), before.passes.size());
        QVERIFY(match.onlyBefore.empty() && match.onlyAfter.empty());
        QCOMPARE(match.makespanBefore, run.result.makespan);
        for (const MatchedPass& pass : match.matched)
            QCOMPARE(pass.grown(), pass.pass == slow ? longer : 0);
        const Ticks most =
            std::max_element(match.matched.begin(), match.matched.end(),
                             [](const auto& a, const auto& b) { return a.moved() < b.moved(); })
                ->moved();
        QCOMPARE(most, longer);
    }

    void passesOfOneSideAreListed()
    {
        const test::FamilyRun run = runOf("1f1b");
        std::vector<RecordedPass> before = recordsOf(run.schedule, run.result);
        std::vector<RecordedPass> after = before;
        const RecordedPass gone = after.back();
        after.pop_back();
        after.push_back(
            {0, RankId(0), EntryId::none(), Pass{PassKind::U, 0, StageId(0), 0, 0}, 5, 6});
        after.push_back(after.front()); // recorded twice
        const TimelineMatch match = matchPasses(before, after);
        QVERIFY(match.onlyBefore == std::vector<RecordedPass>{gone});
        QCOMPARE(match.onlyAfter.size(), std::size_t{1});
        QCOMPARE(match.matched.size(), before.size() - 1);
    }

    void aSplitBackwardIsMatchedWithTheWholeOne()
    {
        const test::FamilyRun whole = runOf("1f1b");
        const test::FamilyRun split = runOf("zb-h1");
        const std::vector<RecordedPass> one = recordsOf(whole.schedule, whole.result);
        std::vector<RecordedPass> two = recordsOf(split.schedule, split.result);
        for (const bool forth : {true, false}) {
            const TimelineMatch match = forth ? matchPasses(one, two) : matchPasses(two, one);
            QVERIFY(match.onlyBefore.empty() && match.onlyAfter.empty());
            QCOMPARE(match.matched.size(), one.size());
            int backwards = 0;
            for (const MatchedPass& pass : match.matched) {
                QCOMPARE(pass.split, pass.pass.kind == PassKind::BW);
                backwards += pass.split ? 1 : 0;
                // B and W take together what BW takes, wherever W stands.
                QCOMPARE(pass.grown(), 0);
                if (!pass.split)
                    continue;
                Pass last = pass.pass;
                last.kind = PassKind::W;
                const Ticks weight =
                    std::find_if(two.begin(), two.end(), [&](const RecordedPass& record) {
                        return record.pass == last;
                    })->end;
                QCOMPARE(forth ? pass.endAfter : pass.endBefore, weight);
            }
            QCOMPARE(backwards, 4 * 8);
        }
        // Without its W a B is not a whole backward.
        const auto gone = std::find_if(two.begin(), two.end(), [](const RecordedPass& record) {
            return record.pass == Pass{PassKind::W, 0, StageId(2), 3, 0};
        });
        two.erase(gone);
        const TimelineMatch match = matchPasses(one, two);
        QCOMPARE(match.onlyBefore.size(), std::size_t{1});
        QCOMPARE(match.onlyBefore.front().pass, (Pass{PassKind::BW, 0, StageId(2), 3, 0}));
        QCOMPARE(match.onlyAfter.size(), std::size_t{1});
        QCOMPARE(match.onlyAfter.front().pass, (Pass{PassKind::B, 0, StageId(2), 3, 0}));
    }

    void theDecidingChainAddsUpToTheMakespan_data() { recordsOfASimulationMeasureTheSame_data(); }
    void theDecidingChainAddsUpToTheMakespan()
    {
        QFETCH(QByteArray, family);
        const test::FamilyRun run = runOf(family);
        const std::vector<ChainLink> chain = decidingChain(run.schedule, run.result);
        QVERIFY(chain.size() > 8);
        Ticks sum = 0;
        for (const ChainLink& link : chain) {
            const auto at = static_cast<std::size_t>(link.entry);
            sum += link.waited + run.result.end[at] - run.result.start[at];
            QVERIFY(link.waited >= 0);
        }
        QCOMPARE(sum, run.result.makespan);
        QCOMPARE(run.result.start[static_cast<std::size_t>(chain.front().entry)], 0);
    }

    void theExportedTraceHasEveryRecord()
    {
        const test::FamilyRun run = runOf("zb-v");
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 1, 2);
        const std::string text = writeRunChromeJson(batch.passes, batch.messages, batch.memory);
        QJsonParseError problem;
        const QJsonDocument document =
            QJsonDocument::fromJson(QByteArray::fromStdString(text), &problem);
        QCOMPARE(problem.error, QJsonParseError::NoError);
        const QJsonArray events = document.object()["traceEvents"].toArray();
        QMap<QString, qsizetype> phases;
        for (const auto& event : events)
            ++phases[event.toObject()["ph"].toString()];
        QCOMPARE(phases["X"], static_cast<qsizetype>(batch.passes.size()));
        QCOMPARE(phases["s"], static_cast<qsizetype>(batch.messages.size()));
        QCOMPARE(phases["f"], static_cast<qsizetype>(batch.messages.size()));
        QCOMPARE(phases["C"], static_cast<qsizetype>(batch.memory.size()));
        const std::vector<RecordedCopy> copies = {
            {0, RankId(2), Pass{PassKind::F, 0, StageId(5), 1, 0}, false, 77, 1500, 2500},
            {0, RankId(2), Pass{PassKind::F, 0, StageId(5), 1, 0}, true, 77, 4000, 4750}};
        const std::string copied = writeRunChromeJson(batch.passes, {}, {}, copies);
        for (const char* part :
             {"\"pid\": 2, \"tid\": 1, \"name\": \"D2H PP:5F1\", \"cat\": \"copy\", \"ts\": 1.500, "
              "\"dur\": 1.000",
              "\"pid\": 2, \"tid\": 2, \"name\": \"H2D PP:5F1\"", "\"to host\"", "\"from host\""})
            QVERIFY2(copied.find(part) != std::string::npos, part);
        const std::string csv = writeRunCsv(batch.passes);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'),
                 static_cast<std::ptrdiff_t>(batch.passes.size()) + 1);
        QVERIFY(csv.find("\n0,F,0,0,0,0,0.001,") != std::string::npos);
    }
};

PW_TEST(TestMatch)
#include "tst_match.moc"
