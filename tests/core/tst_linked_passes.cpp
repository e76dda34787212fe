// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/recognise.h"
#include "core/reading/import_trace.h"
#include "core/trace/recover.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"
#include "tests/support/unlabelled_traces.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <tuple>

using namespace pw;

namespace {

Trace filesOf(int ranks, int microBatches, int steps, bool device, int without = -1)
{
    return test::traceOf(test::unlabelledFiles(ranks, microBatches, steps, device, without));
}

} // namespace

/// Traces of PyTorch's Schedule1F1B, which labels nothing.
class TestLinkedPasses : public QObject
{
    Q_OBJECT

private slots:
    void the1F1BOfAnyShapeComesOut_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<bool>("device");
        for (const bool device : {false, true})
            for (const auto& [ranks, microBatches] :
                 {std::pair{2, 2}, std::pair{2, 5}, std::pair{4, 8}, std::pair{5, 6}})
                QTest::addRow("%d ranks, %d micro-batches, %s", ranks, microBatches,
                              device ? "device" : "host")
                    << ranks << microBatches << device;
    }

    void the1F1BOfAnyShapeComesOut()
    {
        QFETCH(int, ranks);
        QFETCH(int, microBatches);
        QFETCH(bool, device);
        const Trace trace = filesOf(ranks, microBatches, 3, device);
        const RecoveredPipeline found = recover(trace);
        QVERIFY2(found.schedule.has_value(), whyNoOrder(found).c_str());
        QCOMPARE(found.iterations.size(), std::size_t{3});
        QCOMPARE(found.schedule->spec().stages(), ranks);
        const Recognition named = recognise(*found.schedule, {medianCosts(found)});
        QVERIFY(named.exact());
        QCOMPARE(named.matches.front().family->id, std::string_view("1f1b"));
        // A backward holds no waiting, on no rank.
        for (const RecordedPass& pass : found.iterations.front().passes)
            QCOMPARE((pass.end - pass.start) / 1000,
                     Ticks{pass.pass.kind == PassKind::F ? test::linkedForwardTime
                                                         : test::linkedBackwardTime});
    }

    void sendsAndReceivesGoWithTheirPasses()
    {
        const Trace trace = filesOf(3, 4, 2, false);
        std::map<std::tuple<SpanRole, PassKind, int>, int> counts;
        for (const TraceSpan& span : trace.spans)
            if (const SpanLabel* label = trace.labelOf(span);
                label != nullptr && label->role != SpanRole::Pass)
                ++counts[{label->role, label->kind, label->stage.value}];
        for (const int stage : {0, 1, 2})
            for (const PassKind kind : {PassKind::F, PassKind::BW}) {
                const bool forward = kind == PassKind::F;
                QCOMPARE((counts[{SpanRole::Send, kind, stage}]),
                         stage == (forward ? 2 : 0) ? 0 : 8);
                QCOMPARE((counts[{SpanRole::Receive, kind, stage}]),
                         stage == (forward ? 0 : 2) ? 0 : 8);
            }
    }

    /// The place in the group counts, not what a warm-up would tell.
    void theGroupOfThePipelineTellsStages()
    {
        std::vector<test::TraceText> files = test::unlabelledFiles(3, 4, 2, true);
        for (test::TraceText& file : files)
            file.text.insert(
                file.text.find("[\n") + 1,
                R"({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv", "pid": 0, "tid": 20,)"
                R"("ts": 999000, "dur": 1, "args": {"Collective name": "send",)"
                R"("Process Group Name": "p", "Process Group Description": "mesh_pp",)"
                R"("Process Group Ranks": "[2, 1, 0]"}},)");
        const Trace trace = test::traceOf(files);
        std::map<int, int> stages; // by rank
        for (const TraceSpan& span : trace.spans)
            if (const SpanLabel* label = trace.labelOf(span);
                label != nullptr && label->role == SpanRole::Pass)
                stages[trace.ranks[span.rank.index()].number] = label->stage.value;
        QCOMPARE(stages, (std::map<int, int>{{0, 2}, {1, 1}, {2, 0}}));
    }

    void filesThatDoNotFitTogetherAreNotGuessedAt()
    {
        const Trace trace = filesOf(2, 4, 3, false, 1);
        QVERIFY(std::none_of(trace.spans.begin(), trace.spans.end(), [&](const TraceSpan& span) {
            const SpanLabel* label = trace.labelOf(span);
            return label != nullptr && label->role == SpanRole::Pass;
        }));
        QVERIFY(std::any_of(trace.warnings.begin(), trace.warnings.end(), [](const auto& text) {
            return text.find("pipewright_torch.labels") != std::string::npos;
        }));
        const RecoveredPipeline found = recover(trace);
        QVERIFY(whyNoOrder(found).find("import pipewright_torch.labels") != std::string::npos);
    }
};

PW_TEST(TestLinkedPasses)

#include "tst_linked_passes.moc"
