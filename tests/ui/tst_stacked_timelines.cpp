// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/compared.h"
#include "tests/support/patience.h"
#include "tests/support/stored_runs.h"
#include "tests/support/test_program.h"
#include "ui/compare/compare_dialog.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/runs/runs_panel.h"
#include "ui/timeline/schedule_links.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/comparisons.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// The schedule with one pass that takes longer.
test::FamilyRun slowed(const test::FamilyRun& run, const Pass& slow, Ticks longer)
{
    test::FamilyRun other = run;
    other.costs.single.push_back({slow, passTime(run.costs, run.schedule.spec(), slow) + longer});
    other.result = *simulate(other.schedule, other.costs);
    return other;
}

bool worked(const StackedTimelines& page, int row = 1)
{
    return QTest::qWaitFor([&] { return page.difference(row) != nullptr; }, test::longest);
}

QTableWidget* table(const StackedTimelines& page, const QString& name)
{
    const auto all = page.findChildren<QTableWidget*>();
    for (QTableWidget* one : all)
        if (one->accessibleName() == name)
            return one;
    return nullptr;
}

QString cell(const QTableWidget& table, int row, int column)
{
    return table.item(row, column)->text();
}

/// What a timeline does for a pass, the slow way: every entry is looked at.
struct Work
{
    Ticks end = 0;
    Ticks time = 0;
    int entries = 0;
    bool whole = false; ///< by a BW
};

Work workOn(const Compared& timeline, const Pass& pass)
{
    const auto add = [&](Work& work, PassKind kind) {
        Pass wanted = pass;
        wanted.kind = kind;
        for (const EntryId e : timeline.schedule->entries()) {
            const OrderEntry entry = timeline.schedule->entry(e);
            if (entry.pass != wanted && !(entry.paired && entry.partner == wanted))
                continue;
            const auto at = static_cast<std::size_t>(e);
            work.end = std::max(work.end, timeline.times.end[at]);
            work.time += timeline.times.end[at] - timeline.times.start[at];
            ++work.entries;
            work.whole = kind == PassKind::BW;
        }
    };
    Work work;
    add(work, pass.kind);
    if (work.entries > 0)
        return work;
    if (pass.kind == PassKind::BW) {
        add(work, PassKind::B);
        add(work, PassKind::W);
    } else if (pass.kind == PassKind::B || pass.kind == PassKind::W) {
        add(work, PassKind::BW);
    }
    return work;
}

/// What the figures of both timelines say of the peak.
QStringList peaksOf(const StackedTimelines& page)
{
    const QTableWidget* figures = table(page, QStringLiteral("Figures"));
    constexpr int peak = 6;
    return {figures->item(0, peak)->text(), figures->item(1, peak)->text()};
}

/// What stands beside the page.
QString detailsText(const StackedTimelines& page)
{
    QString all;
    for (const DetailsPart& part : page.details().parts)
        for (const NumberRow& row : part.rows)
            all += QStringLiteral("%1: %2\n").arg(row.name, row.value);
    return all;
}

} // namespace

class TestStackedTimelines : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        applyGround(*qApp, Ground::Light);
        QVERIFY(m_folder.isValid());
    }

    void init()
    {
        m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_count));
        qputenv("PIPEWRIGHT_STORE", m_path.toUtf8());
    }

    void everySpanHasItsDifference_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("the same") << QByteArray("zb-v") << QByteArray("zb-v");
        QTest::newRow("other passes") << QByteArray("1f1b") << QByteArray("zb-h1");
        QTest::newRow("other passes, the other way round")
            << QByteArray("zb-h1") << QByteArray("1f1b");
        QTest::newRow("pairs") << QByteArray("dualpipe") << QByteArray("dualpipe");
    }
    void everySpanHasItsDifference()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const ComparedPtr one = test::comparedOf(test::plannedRun(before.constData()), QString());
        const ComparedPtr two =
            test::comparedOf(slowed(test::plannedRun(after.constData()),
                                    {PassKind::F, 0, StageId(0), 0, 0}, 300'000),
                             QString());
        const DifferencePtr difference = differenceOf(*one, *two);
        QCOMPARE(difference->shifts.total, two->times.makespan - one->times.makespan);
        std::int64_t known = 0;
        for (std::size_t lane = 0; lane < two->lanes->lanes().size(); ++lane) {
            const Lane& spans = two->lanes->lanes()[lane];
            QCOMPARE(difference->moved->values[lane].size(), spans.size());
            for (std::size_t i = 0; i < spans.size(); ++i) {
                const Pass pass = two->lanes->pass(
                    {static_cast<std::int32_t>(lane), static_cast<std::int64_t>(i)});
                const Work then = workOn(*one, pass);
                if (then.entries == 0) {
                    QCOMPARE(difference->moved->values[lane][i], Heat::none);
                    continue;
                }
                ++known;
                QCOMPARE(difference->moved->values[lane][i], spans.end[i] - then.end);
                // Half a backward against a whole one is not a fair comparison: both halves are.
                const bool half = then.whole && pass.kind != PassKind::BW;
                const Ticks time = half ? workOn(*two, {PassKind::BW, pass.route, pass.stage,
                                                        pass.microBatch, pass.segment})
                                              .time
                                        : spans.end[i] - spans.start[i];
                QCOMPARE(difference->grown->values[lane][i], time - then.time);
                QVERIFY(std::abs(difference->moved->values[lane][i]) <= difference->moved->most);
            }
        }
        QCOMPARE(difference->matched, known);
        if (before != after)
            QCOMPARE(difference->onlyHere + difference->onlyThere, 0);
        QCOMPARE(difference->matched + difference->onlyHere,
                 static_cast<std::int64_t>(two->lanes->spanCount()));
    }

    void figuresAndThePassThatMovedTheEndAreListed()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        const Pass slow{PassKind::BW, 0, StageId(0), 7, 0};
        StackedTimelines page;
        page.resize(1200, 800);
        page.show();
        page.set(page.add({}), test::comparedOf(plan, QStringLiteral("plan")));
        page.set(page.add({}),
                 test::comparedOf(slowed(plan, slow, 250'000), QStringLiteral("run 1")));
        QVERIFY(worked(page));
        QCOMPARE(page.title(), QStringLiteral("plan ↔ run 1"));
        QVERIFY2(page.figures().contains(QStringLiteral("+0.25 ms")), qPrintable(page.figures()));
        const QTableWidget* figures = table(page, QStringLiteral("Figures"));
        QCOMPARE(figures->rowCount(), 2);
        QCOMPARE(cell(*figures, 0, 0), QStringLiteral("plan"));
        QCOMPARE(cell(*figures, 0, 2), QStringLiteral("–"));
        QVERIFY2(cell(*figures, 1, 2).startsWith(QStringLiteral("+0.25 ms (+")),
                 qPrintable(cell(*figures, 1, 2)));
        QTableWidget* shifts = table(page, QStringLiteral("Passes that moved the end"));
        QCOMPARE(shifts->rowCount(), 1);
        QCOMPARE(cell(*shifts, 0, 0), QStringLiteral("BW of micro-batch 7 on stage 0"));
        QCOMPARE(cell(*shifts, 0, 2), QStringLiteral("+0.25 ms"));
        QCOMPARE(cell(*shifts, 0, 3), QStringLiteral("+0.25 ms"));
        QCOMPARE(cell(*shifts, 0, 4), QStringLiteral("0 ms"));
        // Choosing it shows it in both.
        page.range().show(0, 2e6);
        shifts->selectRow(0);
        for (int row = 0; row < 2; ++row) {
            const SpanRef span = page.timeline(row).current();
            QVERIFY(page.compared(row)->lanes->pass(span) == slow);
            const QRectF box = page.timeline(row).rectangleOf(span);
            QVERIFY(page.timeline(row).viewport()->rect().contains(box.center().toPoint()));
        }
    }

    void aClickSelectsTheSamePassInEveryRow()
    {
        StackedTimelines page;
        page.resize(1200, 900);
        page.show();
        page.set(page.add({}), test::comparedOf(test::plannedRun("1f1b"), QStringLiteral("one")));
        page.set(page.add({}), test::comparedOf(test::plannedRun("zb-h1"), QStringLiteral("two")));
        QVERIFY(worked(page));
        TimelineView& upper = page.timeline(0);
        const SpanRef span{2, 0};
        QTest::mouseClick(upper.viewport(), Qt::LeftButton, {},
                          upper.rectangleOf(span).center().toPoint());
        const Pass pass = page.compared(0)->lanes->pass(span);
        QVERIFY(page.compared(1)->lanes->pass(page.timeline(1).current()) == pass);
        // A backward that is split below is found by its input half.
        QTest::keyClick(&upper, Qt::Key_End);
        page.reveal({PassKind::BW, 0, StageId(3), 2, 0});
        const Pass below = page.compared(1)->lanes->pass(page.timeline(1).current());
        QVERIFY(below.kind == PassKind::B && below.stage == 3 && below.microBatch == 2);
        QTest::keyClick(&upper, Qt::Key_Escape);
        QVERIFY(!page.timeline(1).current().valid());
    }

    void allRowsShareOneRangeThatHoldsTheLongest()
    {
        StackedTimelines page;
        page.resize(1200, 900);
        page.show();
        page.set(page.add({}), test::comparedOf(test::plannedRun("gpipe"), QStringLiteral("long")));
        page.set(page.add({}), test::comparedOf(test::plannedRun("zb-v"), QStringLiteral("short")));
        QVERIFY(worked(page));
        QCOMPARE(page.range().wholeEnd(), page.compared(0)->times.makespan);
        QVERIFY(page.range().showsAll());
        page.range().show(1e6, 3e6);
        page.set(2, test::comparedOf(test::plannedRun("zb-h1"), QStringLiteral("other")));
        QCOMPARE(page.range().begin(), 1e6);
        QCOMPARE(page.range().end(), 3e6);
    }

    void colourIsDifferenceOrKind()
    {
        const test::FamilyRun plan = test::plannedRun("gpipe");
        StackedTimelines page;
        page.resize(1200, 800);
        page.show();
        page.set(page.add({}), test::comparedOf(plan, QStringLiteral("plan")));
        page.set(page.add({}),
                 test::comparedOf(slowed(plan, {PassKind::F, 0, StageId(0), 0, 0}, 500'000),
                                  QStringLiteral("b")));
        QVERIFY(worked(page));
        TimelineView& lower = page.timeline(1);
        // The last pass of all ends as late as the slow one made it.
        const Lane& first = page.compared(1)->lanes->lanes()[0];
        const SpanRef last{0, static_cast<std::int64_t>(first.size()) - 1};
        const auto inkOf = [&](const SpanRef& span) {
            const QImage image = lower.viewport()->grab().toImage();
            const QRectF box = lower.rectangleOf(span);
            return image.pixelColor(static_cast<int>(box.left()) + 3,
                                    static_cast<int>(box.top()) + 6);
        };
        QCOMPARE(inkOf(last), heatColor(1));
        page.setColour(StackedTimelines::Colour::Grown);
        QCOMPARE(inkOf(last), heatColor(0));
        QCOMPARE(inkOf({0, 0}), heatColor(1));
        page.setColour(StackedTimelines::Colour::Kind);
        QVERIFY(inkOf({0, 0}) == color(Role::Forward));
    }

    void aThirdRowCanBeTakenOut()
    {
        StackedTimelines page;
        page.resize(1200, 900);
        page.show();
        const test::FamilyRun plan = test::plannedRun("1f1b");
        const int one = page.add({});
        page.set(one, test::comparedOf(plan, QStringLiteral("one")));
        page.set(page.add({}), test::comparedOf(plan, QStringLiteral("two")));
        page.set(page.add({}),
                 test::comparedOf(test::plannedRun("gpipe"), QStringLiteral("three")));
        QVERIFY(worked(page, 2));
        page.remove(one);
        QCOMPARE(page.rowCount(), 2);
        QCOMPARE(page.title(), QStringLiteral("two ↔ three"));
        QVERIFY(page.difference(0) == nullptr);
        QVERIFY(worked(page));
    }

    void aTimelineThatCannotBeReadLeavesTheOthers()
    {
        StackedTimelines page;
        page.resize(1200, 900);
        page.show();
        page.set(page.add({}), test::comparedOf(test::plannedRun("1f1b"), QStringLiteral("one")));
        const int other = page.add(QStringLiteral("run 9"));
        page.setProblem(other, QStringLiteral("there is no run 9"));
        QVERIFY(page.compared(1) == nullptr);
        QVERIFY(page.compared(0) != nullptr);
        QVERIFY(page.figures().startsWith(QStringLiteral("one: ")));
    }

    void runsAreComparedFromTheirList()
    {
        const test::FamilyRun plan = test::plannedRun("1f1b");
        test::storeRun(m_path, plan, "first", "1f1b");
        test::storeRun(m_path, plan, "second", "1f1b", 3,
                       [](std::int32_t, const OrderEntry&, Ticks costs) { return costs + 10'000; });
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        auto* panel = window.findChild<RunsPanel*>();
        QVERIFY(QTest::qWaitFor([&] { return panel->table()->model()->rowCount() == 2; },
                                test::longest));
        // Two selected runs, the earlier one on top.
        panel->table()->selectAll();
        panel->compareSelected();
        auto* page = test::picturesOf(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(worked(*page));
        QCOMPARE(page->title(), QStringLiteral("run 1 · first ↔ run 2 · second"));
        QVERIFY(page->difference(1)->shifts.total > 0);
        // One alone against its plan.
        panel->showRun(1);
        panel->compareSelected();
        page = test::picturesOf(window.page());
        QVERIFY(worked(*page));
        QCOMPARE(page->title(), QStringLiteral("plan of run 1 ↔ run 1 · first"));
        QCOMPARE(page->difference(1)->shifts.total, Ticks{0});
        const QStringList peaks = peaksOf(*page);
        QVERIFY2(peaks[0].endsWith(QStringLiteral("MiB")), qPrintable(peaks[0]));
        QCOMPARE(peaks[1], peaks[0]);
        // A double click opens it as a timeline, a second one shows the same tab.
        panel->openSelected();
        auto* run = qobject_cast<RunPage*>(window.page());
        QVERIFY(run != nullptr);
        const std::size_t tabs = window.pages().size();
        panel->openSelected();
        QCOMPARE(window.pages().size(), tabs);
        // From its page the peak is that of its samples, too.
        QVERIFY(QTest::qWaitFor([run] { return run->records() != nullptr; }, test::longest));
        for (auto* button : run->findChildren<QAbstractButton*>())
            if (button->text() == QStringLiteral("Compare with plan"))
                button->click();
        QVERIFY(window.page() != run);
        page = test::picturesOf(window.page());
        QVERIFY(page != nullptr && worked(*page));
        QCOMPARE(peaksOf(*page), peaks);
    }

    void theTableHasTheWholePeakInOneUnit()
    {
        // Weights of 1.5 GiB on each device beside activations of 1 MiB a micro-batch.
        test::FamilyRun lean = test::plannedRun("1f1b");
        test::FamilyRun full = test::plannedRun("gpipe");
        full.costs.weights.assign(4, Bytes{3} << 29);
        StackedTimelines page;
        page.set(page.add({}), test::comparedOf(lean, QStringLiteral("lean")));
        page.set(page.add({}), test::comparedOf(full, QStringLiteral("full")));
        QVERIFY(worked(page));
        const QTableWidget& figures = *table(page, QStringLiteral("Figures"));
        constexpr int memory = 5;
        QCOMPARE(figures.horizontalHeaderItem(memory)->text(), QStringLiteral("peak memory"));
        QCOMPARE(cell(figures, 0, memory), QStringLiteral("0.003906 GiB"));
        QCOMPARE(cell(figures, 1, memory), QStringLiteral("1.508 GiB"));
        QCOMPARE(peaksOf(page),
                 (QStringList{QStringLiteral("0.003906 GiB"), QStringLiteral("0.007812 GiB")}));
        QCOMPARE(figures.item(1, memory)->toolTip(),
                 QStringLiteral("Device 0: weights 1.5, activations 0.007812 GiB"));
        QVERIFY2(detailsText(page).contains(QStringLiteral("Peak memory: 1.508 GiB")),
                 qPrintable(detailsText(page)));
    }

    void openSchedulesAreChosenAndFollowed()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        SchedulePage& one = window.openFamily(QStringLiteral("1f1b"));
        window.openFamily(QStringLiteral("zb-h1"));
        window.commands().action(QStringLiteral("view.compare"))->trigger();
        auto* dialog = window.findChild<CompareDialog*>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->chosen().size(), std::size_t{1}); // the page in front
        auto* list = dialog->findChild<QListWidget*>();
        const auto buttons = dialog->findChildren<QPushButton*>();
        const auto compare = std::find_if(buttons.begin(), buttons.end(), [](QPushButton* button) {
            return button->text() == QStringLiteral("&Compare");
        });
        QVERIFY(!(*compare)->isEnabled());
        for (int row = 0; row < list->count(); ++row)
            if (list->item(row)->text().startsWith(one.title()))
                list->item(row)->setCheckState(Qt::Checked);
        QVERIFY((*compare)->isEnabled());
        QTest::mouseClick(*compare, Qt::LeftButton);
        auto* page = test::picturesOf(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(worked(*page));
        QVERIFY(page->title().endsWith(one.title()));
        // What is edited in its tab changes here.
        const Ticks before = page->compared(1)->times.makespan;
        Project next = one.document().project();
        next.family->options.microBatches += 4;
        QVERIFY(one.document().change(std::move(next), QStringLiteral("more")));
        QVERIFY(page->compared(1)->times.makespan > before);
        QVERIFY(worked(*page));
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
    int m_count = 0;
};

PW_WINDOW_TEST(TestStackedTimelines)
#include "tst_stacked_timelines.moc"
