// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/reading/sniff.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/data_files.h"
#include "tests/support/import_hand.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/timeline/time_axis.h"
#include "ui/traces/activity_table.h"
#include "ui/window/activity_page.h"
#include "ui/window/opening.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace pw;
using namespace pw::ui;

namespace {

/// A span of Kineto; times in microseconds.
std::string event(const char* name, const char* category, int pid, int tid, int start, int length)
{
    return std::string(R"({"ph": "X", "name": ")") + name + R"(", "cat": ")" + category +
           R"(", "pid": )" + std::to_string(pid) + ", \"tid\": " + std::to_string(tid) +
           ", \"ts\": " + std::to_string(start) + ", \"dur\": " + std::to_string(length) +
           R"(, "args": {"device": 0, "stream": )" + std::to_string(tid) + "}}";
}

/// Two streams of a device and a thread of the host, 1 ms long, without a labelled pass.
std::string unlabelled()
{
    return R"({"distributedInfo": {"rank": 3}, "traceEvents": [)" +
           event("gemm", "kernel", 0, 7, 100, 300) + "," + event("gemm", "kernel", 0, 7, 500, 200) +
           "," + event("ncclDevKernel_AllReduce", "kernel", 0, 20, 300, 300) + "," +
           event("aten::linear", "cpu_op", 42, 1, 0, 1000) + "," +
           event("aten::addmm", "cpu_op", 42, 1, 50, 400) + "," +
           event("aten::mm", "cpu_op", 42, 1, 100, 100) + "]}";
}

constexpr Ticks us = 1000;

ShownActivityPtr shown(const std::string& text)
{
    Result<Trace> trace = importTraceText(text, "rank3.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return std::make_shared<ShownActivity>(std::move(*trace));
}

/// The row of the lane whose title has a word.
const ActivityRows::Row* rowOf(const ActivityView& view, const char* word)
{
    for (const ActivityRows::Row& row : view.rows().rows())
        if (row.lane >= 0 && row.title.contains(QString::fromLatin1(word)))
            return &row;
    return nullptr;
}

/// Where a time is, in the viewport.
int xOf(ViewRange& range, const ActivityView& view, Ticks time)
{
    return static_cast<int>(TimeAxis::of(range, view).x(time));
}

void drag(QWidget* widget, QPoint from, QPoint to)
{
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 8; ++step) {
        const QPoint at = from + (to - from) * step / 8;
        QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

int colors(const QImage& image)
{
    QSet<QRgb> seen;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = TimeAxis::margin(); x < image.width(); x += 2)
            seen.insert(image.pixel(x, y));
    return static_cast<int>(seen.size());
}

} // namespace

class TestActivityPage : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_activity_page"); }

    void aTraceWithoutPassesOpensAsRows()
    {
        const QString path = m_home.filePath(QStringLiteral("rank3.json"));
        test::writeTrace(path.toStdString(), unlabelled());
        MainWindow window;
        window.resize(1200, 800);
        window.show();
        QVERIFY(window.open(path));
        ActivityPage* page = test::readPage(window);
        QVERIFY(page != nullptr);
        QCOMPARE(page->title(), QStringLiteral("rank3.json"));
        QTRY_VERIFY(page->table().sentence().startsWith(QStringLiteral("The whole, 1 ms:")));
        QVERIFY2(page->table().sentence().contains(QStringLiteral("compute 0.5 ms (50 %)")),
                 qPrintable(page->table().sentence()));
        QVERIFY(page->table().sentence().contains(QStringLiteral("no device at work 0.4 ms")));
        QVERIFY(test::closeQuietly(window));
    }

    void rowsNestAndFold()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        const ActivityView& view = page.view();
        const std::vector<ActivityRows::Row>& rows = view.rows().rows();
        QCOMPARE(rows.front().title, QStringLiteral("rank 3"));
        QVERIFY(rowOf(view, "stream 7") != nullptr);
        QVERIFY(rowOf(view, "stream 20") != nullptr);
        const ActivityRows::Row* thread = rowOf(view, "1");
        QVERIFY(thread != nullptr);
        QCOMPARE(thread->levels, 3);
        const std::size_t all = rows.size(), rank = rows.front().key, lane = thread->key;
        page.view().toggle(lane);
        QCOMPARE(rowOf(view, "1")->levels, 1);
        page.view().toggle(rank);
        QCOMPARE(view.rows().rows().size(), std::size_t{1});
        page.view().toggle(rank);
        page.view().toggle(lane);
        QCOMPARE(view.rows().rows().size(), all);
        // A click on a title folds, too.
        QTest::mouseClick(page.view().viewport(), Qt::LeftButton, {}, QPoint(20, 8));
        QCOMPARE(view.rows().rows().size(), std::size_t{1});
    }

    void aStretchIsSummedUp()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(1100, 600);
        page.show();
        ViewRange& range = page.range();
        const auto* thread = rowOf(page.view(), "stream 7");
        const int y = thread->top + 4;
        QWidget* viewport = page.view().viewport();
        drag(viewport, {xOf(range, page.view(), 300 * us), y},
             {xOf(range, page.view(), 600 * us), y});
        const auto stretch = page.view().stretch();
        QVERIFY(stretch);
        const Ticks grain = static_cast<Ticks>(range.length() / 700);
        QVERIFY(std::abs(stretch->start - 300 * us) <= 2 * grain);
        QVERIFY(std::abs(stretch->end - 600 * us) <= 2 * grain);
        // The sums are those of the stretch, exactly.
        page.view().setStretch(TimeStretch{300 * us, 600 * us});
        QTRY_VERIFY(page.table().sentence().startsWith(QStringLiteral("0.3 ms of")));
        QVERIFY2(page.table().sentence().contains(
                     QStringLiteral("compute 0.2 ms (66.7 %), communication 0.3 ms (100 %)")),
                 qPrintable(page.table().sentence()));
        const auto* names = page.findChild<QTableWidget*>(QStringLiteral("names"));
        QCOMPARE(names->rowCount(), 4);
        const QStringList cells = page.table().cells().split(QLatin1Char('\n'));
        QCOMPARE(cells.size(), 5);
        QVERIFY2(cells.contains(QStringLiteral("gemm\tcompute\t2\t0.2 ms\t0.2 ms\t66.7 %")),
                 qPrintable(page.table().cells()));
        // What is nested is not counted twice: linear is alone from 450 µs on.
        QVERIFY2(cells.contains(QStringLiteral("aten::linear\toperator\t1\t0.15 ms\t0.3 ms\t50 %")),
                 qPrintable(page.table().cells()));
        QTest::keyClick(&page.view(), Qt::Key_Escape);
        QVERIFY(!page.view().stretch());
        QTRY_VERIFY(page.table().sentence().startsWith(QStringLiteral("The whole")));
    }

    void aSliceIsNamedAndChosen()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(1100, 600);
        page.show();
        ViewRange& range = page.range();
        const auto* row = rowOf(page.view(), "stream 20");
        const QPoint at(xOf(range, page.view(), 400 * us), row->top + 5);
        QTest::mouseMove(page.view().viewport(), at - QPoint(3, 0));
        QMouseEvent move(QEvent::MouseMove, at, page.view().viewport()->mapToGlobal(at),
                         Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(page.view().viewport(), &move);
        const auto* card = page.view().findChild<QLabel*>(QStringLiteral("card"));
        QVERIFY(card->isVisible());
        QVERIFY2(card->text().contains(QStringLiteral("ncclDevKernel_AllReduce")) &&
                     card->text().contains(QStringLiteral("communication")),
                 qPrintable(card->text()));
        QTest::mouseClick(page.view().viewport(), Qt::LeftButton, {}, at);
        QVERIFY(page.view().chosen());
        QCOMPARE(page.view().chosen()->slice.start, 300 * us);
        const PageDetails details = page.details();
        QCOMPARE(details.parts.back().rows.front().value,
                 QStringLiteral("ncclDevKernel_AllReduce"));
    }

    /// gemm 100–400 and 500–700, all-reduce 300–600, in µs.
    void theTimeOfTheDeviceIsTold()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        QTRY_COMPARE(page.details().parts.size(), std::size_t{3});
        const DetailsPart part = page.details().parts[1];
        QCOMPARE(part.heading, QStringLiteral("Where the device's time went"));
        QStringList rows;
        for (const NumberRow& row : part.rows)
            rows +=
                row.name + QStringLiteral(" | ") + row.value + QStringLiteral(" | ") + row.verdict;
        QVERIFY2(rows.contains(QStringLiteral("compute alone | 0.3 ms | 50.0 %")),
                 qPrintable(rows.join(QLatin1Char('\n'))));
        QVERIFY(rows.contains(QStringLiteral("both: hidden | 0.2 ms | 33.3 %")));
        QVERIFY(rows.contains(QStringLiteral("exposed communication | 0.1 ms | 16.7 %")));
        QVERIFY(rows.contains(QStringLiteral("communication hidden | 66.7 % | ")));
    }

    void namesAreFound()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        auto* search = page.findChild<QLineEdit*>(QStringLiteral("search"));
        search->setText(QStringLiteral("GEMM"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(page.view().chosen());
        QCOMPARE(page.view().chosen()->slice.start, 100 * us);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(page.view().chosen()->slice.start, 500 * us);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(page.view().chosen()->slice.start, 100 * us);
        search->setText(QStringLiteral("/^aten::mm$/"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(page.view().chosen()->slice.end, 200 * us);
        QVERIFY(!page.view().search(QStringLiteral("/(/")).isEmpty());
    }

    void theSearchSaysWhereItIs()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        auto* search = page.findChild<QLineEdit*>(QStringLiteral("search"));
        const auto* place = page.findChild<QLabel*>(QStringLiteral("place"));
        QCOMPARE(place->text(), QString());
        search->setText(QStringLiteral("GEMM"));
        QCOMPARE(place->text(), QStringLiteral("2 slices"));
        QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(place->text(), QStringLiteral("2 of 2"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(place->text(), QStringLiteral("1 of 2"));
        page.findNext(-1);
        QCOMPARE(page.view().chosen()->slice.start, 500 * us);
        search->setText(QStringLiteral("nothing of that kind"));
        QCOMPARE(place->text(), QStringLiteral("no match"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(page.view().chosen()->slice.start, 500 * us);
        search->clear();
        QCOMPARE(place->text(), QString());
    }

    void aRowOfTheTableLeadsToItsSlicesAndBack()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        auto* table = page.table().findChild<QTableWidget*>();
        QTRY_COMPARE(table->rowCount(), 5);
        // What a device did stands before what the host took longer for.
        QCOMPARE(table->item(0, 0)->text(), QStringLiteral("gemm"));
        QCOMPARE(table->item(1, 0)->text(), QStringLiteral("ncclDevKernel_AllReduce"));
        auto* search = page.findChild<QLineEdit*>(QStringLiteral("search"));
        search->setText(QStringLiteral("aten"));
        auto* instances = page.table().findChild<QLabel*>(QStringLiteral("instances"));
        QVERIFY(!instances->isVisible());

        table->selectRow(0);
        QVERIFY(search->text().isEmpty());
        QVERIFY(instances->isVisible());
        QCOMPARE(page.view().found().count(), 2);
        const FoundSlices::Lengths lengths = page.view().found().lengths();
        const std::vector<TraceSpan>& spans = page.given()->trace.spans;
        QCOMPARE(spans[static_cast<std::size_t>(lengths.shortest)].start, 500 * us);
        QCOMPARE(spans[static_cast<std::size_t>(lengths.median)].start, 500 * us);
        QCOMPARE(spans[static_cast<std::size_t>(lengths.longest)].start, 100 * us);
        Q_EMIT instances->linkActivated(QString::number(lengths.longest));
        QCOMPARE(page.view().chosen()->slice.start, 100 * us);
        Q_EMIT table->cellActivated(0, 0);
        QCOMPARE(page.view().chosen()->slice.start, 500 * us);

        // And back: what is selected in the lanes selects its row, and no search.
        table->clearSelection();
        QVERIFY(!page.view().found().isSearching());
        QVERIFY(!instances->isVisible());
        search->setText(QStringLiteral("AllReduce"));
        QTest::keyClick(search, Qt::Key_Return);
        search->clear();
        QTest::keyClick(&page.view(), Qt::Key_Down);
        QTest::keyClick(&page.view(), Qt::Key_Up);
        QCOMPARE(table->currentRow(), 1);
        QVERIFY(!page.view().found().isSearching());
    }

    void idleTimeSaysWhy()
    {
        const auto with = [](const char* name, const char* category, int pid, int tid, int start,
                             int length, int correlation) {
            std::string one = ::event(name, category, pid, tid, start, length);
            one.insert(one.size() - 2, ", \"correlation\": " + std::to_string(correlation));
            return one;
        };
        ActivityPage page(shown(R"({"distributedInfo": {"rank": 0}, "traceEvents": [)" +
                                ::event("aten::linear", "cpu_op", 42, 1, 0, 1000) + "," +
                                with("cudaLaunchKernel", "cuda_runtime", 42, 1, 50, 10, 1) + "," +
                                with("cudaLaunchKernel", "cuda_runtime", 42, 1, 550, 10, 2) + "," +
                                with("gemm", "kernel", 0, 7, 100, 100, 1) + "," +
                                with("gemm", "kernel", 0, 7, 600, 100, 2) + "]}"),
                          QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        ActivityView& view = page.view();
        QSignalSpy known(&view, &ActivityView::gapsKnown);
        QVERIFY(known.wait());
        const int y = rowOf(view, "stream 7")->top + 4;
        const QPoint idle(xOf(page.range(), view, 400 * us), y);
        QTest::mouseMove(view.viewport(), idle);
        const auto* card = view.findChild<QLabel*>(QStringLiteral("card"));
        QTRY_VERIFY(card->isVisible());
        QVERIFY2(card->text().startsWith(QStringLiteral("idle 0.4 ms\nwaits for the host")),
                 qPrintable(card->text()));
        QVERIFY(view.rect().contains(card->geometry()));

        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, idle);
        QVERIFY(!view.chosen() && view.chosenGap());
        QCOMPARE(view.chosenGap()->gap.start, 200 * us);
        QCOMPARE(view.chosenGap()->gap.end, 600 * us);
        QCOMPARE(view.chosenGap()->gap.cause, IdleCause::Host);
        QCOMPARE(page.details().parts.back().heading, QStringLiteral("Idle"));
        // Its arrow comes from the launch, where a walk goes; on the other side is the kernel.
        QTest::keyClick(&view, Qt::Key_BracketLeft);
        QCOMPARE(view.chosen()->slice.start, 550 * us);
        QTest::keyClick(&view, Qt::Key_BracketRight);
        QCOMPARE(view.chosen()->slice.start, 600 * us);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, idle);
        QTest::keyClick(&view, Qt::Key_M);
        QCOMPARE(view.stretch(), std::optional(TimeStretch{200 * us, 600 * us}));
        QTest::keyClick(&view, Qt::Key_Escape);
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.chosenGap());
    }

    void theOverviewTellsCommunicationThatNothingHides()
    {
        // A reduction of 300 to 600 µs, beside products until 400 and from 500 on, in 1 ms.
        const ShownActivityPtr activity = shown(unlabelled());
        QCOMPARE(activity->strip.size(), std::size_t{2});
        const auto sum = [](const std::vector<float>& parts) {
            double all = 0;
            for (const float part : parts)
                all += static_cast<double>(part);
            return all / static_cast<double>(ShownActivity::stripParts);
        };
        const auto near = [](double is, double wanted) { return std::abs(is - wanted) < 2e-3; };
        for (const ShownActivity::Strip& lane : activity->strip) {
            const bool communicates = !lane.exposed.empty();
            QVERIFY(near(sum(lane.busy), communicates ? 0.3 : 0.5));
            if (!communicates)
                continue;
            QVERIFY(near(sum(lane.exposed), 0.1));
            const auto part = [&](double time) {
                return lane.exposed[static_cast<std::size_t>(time * ShownActivity::stripParts)];
            };
            QVERIFY(part(0.35) == 0 && part(0.45) > 0.9F && part(0.55) == 0);
        }
        QVERIFY(activity->strip[0].exposed.empty() != activity->strip[1].exposed.empty());
    }

    void titlesAreWidenedByTheirEdge()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        ActivityView& view = page.view();
        const int usual = view.margin();
        const double under = page.range().begin();
        drag(view.viewport(), {usual, 200}, {usual + 90, 200});
        QCOMPARE(view.margin(), usual + 90);
        QCOMPARE(page.range().begin(), under);
        QCOMPARE(static_cast<int>(std::lround(view.scale().x(under))), usual + 90);
        // The next one has them as wide; they do not become narrower than usual, nor most of all.
        ActivityPage other(shown(unlabelled()), QStringLiteral("two"));
        QCOMPARE(other.view().margin(), usual + 90);
        drag(view.viewport(), {usual + 90, 200}, {880, 200});
        QVERIFY(view.margin() <= view.width() / 2);
        drag(view.viewport(), {view.margin(), 200}, {3, 200});
        QCOMPARE(view.margin(), usual);
    }

    void keysWalkThroughLevelsAndAlongArrows()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        ActivityView& view = page.view();
        QVERIFY(view.search(QStringLiteral("aten::addmm")).isEmpty());
        QVERIFY(view.showNext());
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(view.nameOf(view.chosen()->slice), QStringLiteral("aten::linear"));
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.nameOf(view.chosen()->slice), QStringLiteral("aten::mm"));
        // Up out of the lane is the lane above, a stream.
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&view, Qt::Key_Up);
        QVERIFY(page.given()->source.lanes()[static_cast<std::size_t>(view.chosen()->lane)].device);
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(view.range().length() <
                1.3 * static_cast<double>(view.chosen()->slice.end - view.chosen()->slice.start));
    }

    void theWheelAndKeysZoomAndPan()
    {
        ActivityPage page(shown(unlabelled()), QStringLiteral("one"));
        page.resize(900, 600);
        page.show();
        ViewRange& range = page.range();
        const double all = range.length();
        QWidget* viewport = page.view().viewport();
        QWheelEvent in(QPointF(500, 50), viewport->mapToGlobal(QPointF(500, 50)), {}, {0, 240},
                       Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
        const double under = TimeAxis::of(range, page.view()).time(500);
        QApplication::sendEvent(viewport, &in);
        QVERIFY(range.length() < all * 0.7);
        QVERIFY(std::abs(TimeAxis::of(range, page.view()).time(500) - under) < all * 1e-6);
        const double begin = range.begin();
        QTest::keyClick(&page.view(), Qt::Key_D);
        QVERIFY(range.begin() > begin);
        QTest::keyClick(&page.view(), Qt::Key_F);
        QVERIFY(std::abs(range.length() - all) < 1);
    }

    void everyRealTraceIsAPicture()
    {
        const std::vector<std::string> paths = test::largeTraces();
        if (paths.empty())
            QSKIP("no folder of larger traces; PW_DATA names one");
        int opened = 0;
        for (const std::string& path : paths) {
            const QFileInfo info(QString::fromStdString(path));
            QElapsedTimer clock;
            clock.start();
            Result<Trace> trace = importTrace({path});
            QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
            const auto activity = std::make_shared<ShownActivity>(std::move(*trace));
            ActivityPage page(activity, info.fileName());
            page.resize(1400, 900);
            page.show();
            const qint64 read = clock.restart();
            const QImage picture = page.view().viewport()->grab().toImage();
            qInfo("%s: %zu lanes, read %lld ms, first picture %lld ms", qPrintable(info.fileName()),
                  activity->source.lanes().size(), static_cast<long long>(read),
                  static_cast<long long>(clock.elapsed()));
            QVERIFY2(!page.view().rows().rows().empty(), path.c_str());
            QVERIFY2(colors(picture) > 3, path.c_str());
            QTRY_VERIFY(page.table().sentence().startsWith(QStringLiteral("The whole")));
            const QByteArray shots = qgetenv("PW_SHOTS");
            if (!shots.isEmpty())
                page.grab().save(QString::fromLocal8Bit(shots) + QLatin1Char('/') +
                                 info.fileName() + QStringLiteral(".png"));
            ++opened;
        }
        QVERIFY(opened > 0);
    }

    /// What has an order is offered as a run, everything else is a page; nothing ends in a refusal.
    void noRealTraceIsADeadEnd()
    {
        const std::vector<std::string> paths = test::largeTraces();
        if (paths.empty())
            QSKIP("no folder of larger traces; PW_DATA names one");
        int pages = 0, runs = 0;
        for (const std::string& path : paths) {
            const QFileInfo info(QString::fromStdString(path));
            QVERIFY2(looksLikeTrace(path), path.c_str());
            MainWindow window;
            window.show();
            openFiles(window, {info.filePath()});
            ImportDialog* dialog = nullptr;
            const auto over = [&] {
                dialog = window.findChild<ImportDialog*>();
                return (dialog != nullptr && dialog->isVisible() &&
                        dialog->imported() != nullptr) ||
                       (dialog == nullptr && window.page() != nullptr);
            };
            QVERIFY2(QTest::qWaitFor(over, 60'000), qPrintable(info.fileName()));
            if (dialog != nullptr) {
                QVERIFY2(dialog->imported()->pipeline().schedule, qPrintable(info.fileName()));
                ++runs;
                dialog->reject();
            } else {
                const auto* page = qobject_cast<ActivityPage*>(window.page());
                QVERIFY2(page != nullptr, qPrintable(info.fileName()));
                QVERIFY(page->foundBar() != nullptr);
                QTRY_VERIFY(page->foundBar()->isVisible());
                qInfo("%s: %s", qPrintable(info.fileName()),
                      qPrintable(page->foundBar()->sentence()));
                ++pages;
            }
            QVERIFY(test::closeQuietly(window));
        }
        QVERIFY(pages > 0 && runs > 0);
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestActivityPage)
#include "tst_activity_page.moc"
