// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/store/activity_store.h"
#include "core/trace/rules_file.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/traces/paint_dialog.h"
#include "ui/traces/rank_chooser.h"
#include "ui/window/activity_page.h"
#include "ui/window/query_page.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

std::string span(const std::string& name, const char* category, int thread, int start, int length,
                 const std::string& arguments = {})
{
    return R"({"ph":"X","cat":")" + std::string(category) + R"(","name":")" + name + R"(","pid":)" +
           (thread < 100 ? "0" : "1000") + R"(,"tid":)" + std::to_string(thread) +
           ",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(length) +
           ",\"args\":{" + arguments + "}},\n";
}

/// Four micro-batches of F and of a backward on one stream; a launch and a counter beside them.
Trace training()
{
    std::string events = span("cudaLaunchKernel", "cuda_runtime", 500, 2, 3, R"("correlation":1)");
    int now = 10;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 6; ++k, now += 11)
            events += span(k % 2 == 0 ? "layer_norm_forward" : "gemm", "kernel", 7, now, 10,
                           now == 10 ? R"("correlation":1)" : "");
        for (int k = 0; k < 6; ++k, now += 21)
            events += span(k % 2 == 0 ? "layer_norm_backward" : "gemm", "kernel", 7, now, 20);
    }
    for (int i = 0; i < 10; ++i)
        events += R"({"ph":"C","name":"GPU 0 Utilization","pid":1000,"ts":)" +
                  std::to_string(i * 50) + R"(,"args":{"value":)" + std::to_string(i * 10) +
                  "}},\n";
    const Result<Trace> trace = importTraceText(R"({"distributedInfo":{"rank":0},"traceEvents":[)" +
                                                    events + R"({"ph":"i","ts":1}]})",
                                                "rank0.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

/// A forward on each of two ranks, of which the first runs the later stage.
Trace twoRanks()
{
    Trace trace;
    trace.origin = "test";
    trace.names = {"forward"};
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        trace.ranks.push_back({rank, "test", {}, false, -1});
        TraceTrack track;
        track.rank = TraceRankId(rank);
        track.device = true;
        track.thread = "stream 7";
        trace.tracks.push_back(track);
        SpanLabel label;
        label.role = SpanRole::Pass;
        label.kind = PassKind::F;
        label.stage = StageId(1 - rank);
        label.microBatch = 0;
        trace.labels.push_back(label);
        TraceSpan span;
        span.start = (1 - rank) * ticksPerMs;
        span.end = span.start + ticksPerMs;
        span.rank = TraceRankId(rank);
        span.track = rank;
        span.label = rank;
        span.activity = ActivityKind::Compute;
        trace.spans.push_back(span);
    }
    trace.events = 2;
    return trace;
}

const ActivityRows::Row* rowWith(const ActivityView& view, const char* word)
{
    for (const ActivityRows::Row& row : view.rows().rows())
        if (row.title.contains(QString::fromLatin1(word)))
            return &row;
    return nullptr;
}

} // namespace

/// What the rows of a trace show beside slices, and what is done with them.
class TestActivityExtras : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_activity_extras"); }

    void passesAreProposedAndAccepted()
    {
        ActivityPage page(std::make_shared<ShownActivity>(training()), QStringLiteral("one"));
        page.resize(1000, 700);
        page.show();
        QTRY_COMPARE(page.proposals().proposal().passes.size(), std::size_t{8});
        const auto* table = page.findChild<QTableWidget*>(QStringLiteral("proposals"));
        QVERIFY(table != nullptr);
        QCOMPARE(table->rowCount(), 8);
        QCOMPARE(table->item(0, 0)->text(), QStringLiteral("F0"));
        page.findChild<QSpinBox*>(QStringLiteral("sure"))->setValue(20);
        page.findChild<QPushButton*>(QStringLiteral("accept"))->click();
        QTRY_VERIFY2(page.proposals().sentence().startsWith(QStringLiteral("8 passes are taken")),
                     qPrintable(page.proposals().sentence()));
        QVERIFY(rowWith(page.view(), "passes proposed") != nullptr);
        QCOMPARE(page.findChild<QComboBox*>(QStringLiteral("colors"))->currentIndex(), 2);
    }

    void aPaintedStretchIsFollowedAndKept()
    {
        ActivityPage page(std::make_shared<ShownActivity>(training()), QStringLiteral("one"));
        page.resize(1000, 700);
        page.show();
        QTRY_VERIFY(!page.proposals().proposal().empty());
        auto* paint = page.findChild<QPushButton*>(QStringLiteral("paint"));
        QVERIFY(!paint->isEnabled());
        // The first F: six kernels from 10 µs on, in the trace's own time.
        page.view().setStretch(TimeStretch{Ticks{7'000}, Ticks{70'000}});
        QVERIFY(paint->isEnabled());
        paint->click();
        auto* dialog = page.findChild<PaintDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->findChild<QSpinBox*>(QStringLiteral("stage"))->setValue(3);
        QVERIFY(dialog->example());
        QCOMPARE(dialog->example()->names.size(), std::size_t{6});
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        const auto painted = [&page] {
            const std::vector<ProposedPass>& passes = page.proposals().proposal().passes;
            return std::count_if(passes.begin(), passes.end(), [](const ProposedPass& one) {
                return one.kind == PassKind::F && one.stage == 3;
            });
        };
        QTRY_COMPARE(painted(), std::ptrdiff_t{4});
        QCOMPARE(keptPassExamples(defaultRulesPath())->size(), std::size_t{1});
        QVERIFY(keepPassExamples(defaultRulesPath(), {}));
    }

    void countersAndPinsAreRows()
    {
        ActivityPage page(std::make_shared<ShownActivity>(training()), QStringLiteral("one"));
        page.resize(1000, 700);
        page.show();
        const ActivityRows::Row* counter = rowWith(page.view(), "Utilization");
        QVERIFY(counter != nullptr);
        QVERIFY(counter->counter >= 0);
        QVERIFY(counter->note.contains(QStringLiteral("90 %")));
        const ActivityRows::Row* stream = rowWith(page.view(), "stream 7");
        QVERIFY(stream != nullptr);
        const int lane = stream->lane, below = stream->top;
        page.view().togglePin(lane);
        QCOMPARE(page.view().rows().rows().front().title, QStringLiteral("pinned"));
        QVERIFY(rowWith(page.view(), "stream 7")->top < below);
        QCOMPARE(std::count_if(page.view().rows().rows().begin(), page.view().rows().rows().end(),
                               [lane](const ActivityRows::Row& row) { return row.lane == lane; }),
                 std::ptrdiff_t{1});
        page.view().togglePin(lane);
        QCOMPARE(rowWith(page.view(), "stream 7")->top, below);
        QVERIFY(!page.grab().isNull());
    }

    void ranksAreChosenAndGrouped()
    {
        ActivityPage page(std::make_shared<ShownActivity>(twoRanks()), QStringLiteral("two"));
        page.resize(1000, 700);
        page.show();
        auto* ranks = page.findChild<QLineEdit*>(QStringLiteral("ranks"));
        auto* grouping = page.findChild<QComboBox*>(QStringLiteral("grouping"));
        QVERIFY(ranks != nullptr && ranks->isVisible() && grouping->isVisible());
        QVERIFY(rowWith(page.view(), "rank 0") != nullptr);
        QTRY_VERIFY(page.table().sentence().contains(QStringLiteral("summed over 2 ranks")));
        // Later stages stand below earlier ones, whatever the numbers of their ranks are.
        grouping->setCurrentIndex(grouping->findText(QStringLiteral("Rows: stage")));
        QVERIFY(rowWith(page.view(), "stage 0")->top < rowWith(page.view(), "rank 1")->top);
        QVERIFY(rowWith(page.view(), "rank 1")->top < rowWith(page.view(), "stage 1")->top);
        QVERIFY(rowWith(page.view(), "stage 1")->top < rowWith(page.view(), "rank 0")->top);
        QCOMPARE(rowWith(page.view(), "stage 1")->depth, 0);
        QCOMPARE(rowWith(page.view(), "rank 0")->depth, 1);
        ranks->setText(QStringLiteral("1"));
        QVERIFY(rowWith(page.view(), "rank 0") == nullptr);
        QVERIFY(rowWith(page.view(), "rank 1") != nullptr);
        QTRY_VERIFY(!page.table().sentence().contains(QStringLiteral("summed over")));
        // What is no list changes nothing.
        QSignalSpy told(&page, &Page::told);
        ranks->setText(QStringLiteral("1-x"));
        QVERIFY(rowWith(page.view(), "rank 1") != nullptr);
        QVERIFY(told.last().first().toString().contains(QStringLiteral("'1-x' is not a list")));
        // What is gone to is shown.
        ranks->setText(QStringLiteral("1"));
        page.view().showSpan(0);
        QVERIFY(ranks->text().isEmpty());
        QVERIFY(rowWith(page.view(), "rank 0") != nullptr);
        QCOMPARE(page.view().chosen()->slice.id, std::int64_t{0});
    }

    void listsOfRanks()
    {
        using Ranks = std::optional<std::set<std::int32_t>>;
        QCOMPARE(rankList(QStringLiteral("0-2, 7")), Ranks({0, 1, 2, 7}));
        QCOMPARE(rankList(QString()), Ranks(std::set<std::int32_t>()));
        for (const char* wrong : {"a", "3-1", "-1", "1-2-3", "1;2", "0-99999999"})
            QVERIFY2(!rankList(QString::fromLatin1(wrong)), wrong);
    }

    void aSelectedKernelHasItsArrow()
    {
        ActivityPage page(std::make_shared<ShownActivity>(training()), QStringLiteral("one"));
        page.resize(1000, 700);
        page.show();
        QVERIFY(page.view().search(QStringLiteral("cudaLaunch")).isEmpty());
        QVERIFY(page.view().showNext());
        QCOMPARE(page.view().arrows().size(), std::size_t{1});
        QCOMPARE(page.view().arrows().front().kind, SliceLinkKind::Launch);
        const PageDetails details = page.details();
        const auto selected =
            std::find_if(details.parts.begin(), details.parts.end(), [](const DetailsPart& part) {
                return part.heading == QStringLiteral("Selected");
            });
        QVERIFY(selected != details.parts.end());
        const std::vector<NumberRow>& rows = selected->rows;
        QVERIFY(std::any_of(rows.begin(), rows.end(), [](const NumberRow& row) {
            return row.name == QStringLiteral("launches");
        }));
        QVERIFY(!page.grab().isNull());
    }

    void questionsAreAnswered()
    {
        Trace trace = training();
        const std::string store = m_home.filePath(QStringLiteral("runs.sqlite")).toStdString();
        QVERIFY(keepTraceActivity(trace, store, "a trace"));
        QueryPage page(QString::fromStdString(store));
        page.show();
        QSignalSpy answered(&page, &QueryPage::answered);
        page.setQuestion(QStringLiteral("SELECT name, count(*) FROM kernels GROUP BY name"));
        page.ask();
        QTRY_COMPARE(answered.size(), 1);
        QCOMPARE(page.table().rowCount(), 3);
        QVERIFY(page.sentence().startsWith(QStringLiteral("Rows: 3")));
        page.setQuestion(QStringLiteral("DROP TABLE run"));
        page.ask();
        QTRY_COMPARE(answered.size(), 2);
        QVERIFY(page.sentence().contains(QStringLiteral("only SELECT")));
        auto* examples = page.findChild<QComboBox*>(QStringLiteral("examples"));
        QCOMPARE(examples->count(), 11);
        examples->setCurrentIndex(8);
        Q_EMIT examples->activated(8);
        QTRY_COMPARE(answered.size(), 3);
        QVERIFY(page.table().rowCount() > 0);
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestActivityExtras)

#include "tst_activity_extras.moc"
