// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Panels belong to pages: the same page has the same panels, whatever was in front before it.
#include "core/reading/import_trace.h"
#include "tests/support/patience.h"
#include "tests/support/stored_runs.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/panels/palette_panel.h"
#include "ui/run/log_view.h"
#include "ui/window/activity_page.h"
#include "ui/window/commands.h"
#include "ui/window/page_bar.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QDockWidget>
#include <QTabBar>
#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

using namespace pw;
using namespace pw::ui;

namespace {

QStringList panelsOf(const MainWindow& window)
{
    QStringList shown;
    for (const QDockWidget* dock : window.docks())
        if (!dock->isHidden())
            shown << dock->objectName();
    shown.sort();
    return shown;
}

} // namespace

class TestPageDocks : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_page_docks"); }

    void init()
    {
        QSettings().clear();
        m_path = m_home.filePath(QStringLiteral("%1.sqlite").arg(++m_count));
        qputenv("PIPEWRIGHT_STORE", m_path.toLocal8Bit());
        test::storeRun(m_path, test::plannedRun("zb-h1"), "ZB-H1", "zb-h1");
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { QVERIFY(test::closeQuietly(*m_window)); }

    /// Beside a page stands nothing that says nothing of it.
    void noPageHasPanelsOfOthers_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QStringList>("may");
        const QStringList details{QStringLiteral("schedule")};
        QTest::newRow("run") << QStringLiteral("run") << (details + QStringList{"runs"});
        for (const char* kind : {"trace", "alternatives", "plan", "what-if", "communication"})
            QTest::newRow(kind) << QString::fromLatin1(kind) << details;
        QTest::newRow("lesson") << QStringLiteral("lesson")
                                << QStringList{QStringLiteral("lesson"), QStringLiteral("palette")};
    }

    void noPageHasPanelsOfOthers()
    {
        QFETCH(QString, kind);
        QFETCH(QStringList, may);
        m_window->openFamily(QStringLiteral("zb-v"));
        QVERIFY2(open(kind), qPrintable(kind));
        for (const QString& panel : panelsOf(*m_window))
            QVERIFY2(may.contains(panel), qPrintable(panel));
    }

    /// All ways through the pages.
    void theSamePageHasTheSamePanels()
    {
        std::map<QString, Page*> pages;
        m_window->openFamily(QStringLiteral("zb-v"));
        pages[QStringLiteral("schedule")] = m_window->page();
        for (const char* kind : {"run", "trace", "alternatives", "lesson"}) {
            QVERIFY2(open(QString::fromLatin1(kind)), kind);
            pages[QString::fromLatin1(kind)] = m_window->page();
        }
        std::map<QString, QStringList> known;
        for (const auto& [from, one] : pages) {
            for (const auto& [to, other] : pages) {
                for (Page* page : {one, other}) {
                    m_window->showPage(page);
                    const QString& kind = page == one ? from : to;
                    const QStringList now = panelsOf(*m_window);
                    const auto [there, fresh] = known.emplace(kind, now);
                    QVERIFY2(there->second == now,
                             qPrintable(kind + QStringLiteral(": ") +
                                        there->second.join(QLatin1Char(' ')) +
                                        QStringLiteral(" and ") + now.join(QLatin1Char(' '))));
                }
            }
        }
        const QStringList schedule = known[QStringLiteral("schedule")];
        for (const char* id : {"palette", "schedule", "runs", "run", "problems"})
            QVERIFY2(schedule.contains(QLatin1String(id)), id);
        QVERIFY(!schedule.contains(QStringLiteral("lesson")));
    }

    /// With a lesson open another tab has its panel and the whole palette.
    void aLessonKeepsToItsTab()
    {
        QVERIFY(open(QStringLiteral("lesson")));
        Page* level = m_window->page();
        const auto* lesson = m_window->findChild<LessonPanel*>();
        auto* palette = m_window->findChild<PalettePanel*>();
        QVERIFY(lesson->isVisible());
        QVERIFY(palette->shown() != PaletteShown());
        m_window->openFamily(QStringLiteral("1f1b"));
        QVERIFY(!lesson->isVisible());
        QVERIFY(palette->shown() == PaletteShown());
        QVERIFY(!m_window->dock(QStringLiteral("schedule"))->isHidden());
        m_window->showPage(level);
        QVERIFY(lesson->isVisible());
        QVERIFY(m_window->dock(QStringLiteral("schedule"))->isHidden());
        // A lesson that is closed gives the page what schedules have.
        m_window->dock(QStringLiteral("lesson"))->close();
        QVERIFY(!m_window->dock(QStringLiteral("schedule"))->isHidden());
    }

    void whatIsClosedStaysClosedWhereItBelongs()
    {
        SchedulePage& schedule = m_window->openFamily(QStringLiteral("zb-v"));
        QVERIFY(open(QStringLiteral("run")));
        Page* run = m_window->page();
        m_window->dock(QStringLiteral("runs"))->close();
        m_window->showPage(&schedule);
        QVERIFY(m_window->dock(QStringLiteral("runs"))->isHidden());
        m_window->showPage(run);
        QVERIFY(m_window->dock(QStringLiteral("runs"))->isHidden());
        // What is brought up beside another page goes with it.
        m_window->dock(QStringLiteral("problems"))->show();
        m_window->showPage(&schedule);
        m_window->showPage(run);
        QVERIFY(m_window->dock(QStringLiteral("problems"))->isHidden());
    }

    /// What a run says stands in one panel.
    void runLossesAndLogAreOne()
    {
        m_window->openFamily(QStringLiteral("1f1b"));
        QVERIFY(m_window->dock(QStringLiteral("losses")) == nullptr);
        QVERIFY(m_window->dock(QStringLiteral("log")) == nullptr);
        const QDockWidget* run = m_window->dock(QStringLiteral("run"));
        QVERIFY(run->isAncestorOf(m_window->findChild<LogView*>()));
    }

    void tabsStandInTheSamePlaceOverEverything()
    {
        SchedulePage& schedule = m_window->openFamily(QStringLiteral("zb-v"));
        std::vector<Page*> pages{&schedule};
        for (const char* kind : {"run", "trace", "alternatives", "lesson"}) {
            QVERIFY2(open(QString::fromLatin1(kind)), kind);
            pages.push_back(m_window->page());
        }
        const auto* bar = m_window->findChild<PageBar*>();
        QCOMPARE(bar->count(), static_cast<int>(pages.size()));
        const auto places = [&] {
            QVector<QRect> all;
            for (int i = 0; i < bar->count(); ++i)
                all << QRect(bar->mapTo(m_window.get(), bar->tabRect(i).topLeft()),
                             bar->tabRect(i).size());
            return all;
        };
        QTRY_VERIFY(bar->width() > m_window->width() * 9 / 10);
        const QVector<QRect> before = places();
        for (int i = 0; i < bar->count(); ++i) {
            QTest::mouseClick(const_cast<PageBar*>(bar), Qt::LeftButton, {},
                              bar->tabRect(i).center());
            QCOMPARE(m_window->page(), pages[static_cast<std::size_t>(i)]);
            QCOMPARE(places(), before);
        }
        // What is closed there is closed.
        Q_EMIT const_cast<PageBar*>(bar)->closeAsked(pages[1]);
        QCOMPARE(bar->count(), static_cast<int>(pages.size()) - 1);
    }

    /// Where tabs have no room, long names give way before a short one is cut.
    void shortNamesOfTabsStayWhole()
    {
        m_window->openFamily(QStringLiteral("interleaved-1f1b"));
        for (const char* kind : {"alternatives", "what-if", "communication", "plan", "adaptive"})
            if (QAction* action = m_window->commands().action(QStringLiteral("schedule.") +
                                                              QString::fromLatin1(kind))) {
                m_window->showPage(m_window->pages().front());
                action->trigger();
            }
        const auto* bar = m_window->findChild<PageBar*>();
        QVERIFY(bar->count() >= 6);
        const auto widths = [bar] {
            QList<int> all;
            for (int i = 0; i < bar->count(); ++i)
                all << bar->tabRect(i).width();
            return all;
        };
        m_window->resize(2600, 900);
        QTRY_VERIFY(bar->width() > 2000);
        const QList<int> wide = widths();
        m_window->resize(1000, 720);
        QTRY_VERIFY(bar->width() < 1100);
        const QList<int> narrow = widths();
        QVERIFY(std::accumulate(narrow.begin(), narrow.end(), 0) <
                std::accumulate(wide.begin(), wide.end(), 0));
        int whole = 0;
        for (int i = 0; i < bar->count(); ++i) {
            if (bar->tabText(i).size() > 10)
                continue;
            ++whole;
            QVERIFY2(narrow[i] == wide[i], qPrintable(bar->tabText(i)));
        }
        QVERIFY(whole >= 2); // Plan, Adaptive k
    }

    /// The tabs of the lower panels do not wander with what stands at the left.
    void lowerPanelsBeginAtTheLeftEdge()
    {
        SchedulePage& schedule = m_window->openFamily(QStringLiteral("zb-v"));
        const QDockWidget* runs = m_window->dock(QStringLiteral("runs"));
        QTRY_COMPARE(runs->mapTo(m_window.get(), QPoint()).x(), 0);
        QVERIFY(open(QStringLiteral("run")));
        QTRY_COMPARE(runs->mapTo(m_window.get(), QPoint()).x(), 0);
        m_window->showPage(&schedule);
        QTRY_COMPARE(runs->mapTo(m_window.get(), QPoint()).x(), 0);
    }

private:
    /// Opens a page of a kind from the schedule in front, and waits until it is there.
    bool open(const QString& kind)
    {
        const Page* before = m_window->page();
        const auto trigger = [this](const char* id) {
            if (QAction* action = m_window->commands().action(QString::fromLatin1(id)))
                action->trigger();
        };
        if (kind == QLatin1String("run")) {
            m_window->studio().openRun(1);
        } else if (kind == QLatin1String("trace")) {
            Result<Trace> trace = importTraceText(R"({"traceEvents": [
                {"ph": "X", "pid": 1, "tid": 1, "name": "a", "cat": "kernel", "ts": 1, "dur": 2}]})",
                                                  "rank0.json");
            if (!trace)
                return false;
            m_window->addPage(new ActivityPage(std::make_shared<ShownActivity>(std::move(*trace)),
                                               QStringLiteral("trace")));
        } else if (kind == QLatin1String("alternatives")) {
            trigger("schedule.alternatives");
        } else if (kind == QLatin1String("plan")) {
            trigger("schedule.plan");
        } else if (kind == QLatin1String("what-if")) {
            trigger("schedule.what-if");
        } else if (kind == QLatin1String("communication")) {
            trigger("schedule.communication");
        } else if (kind == QLatin1String("lesson")) {
            trigger("learn.unlock-all");
            trigger("learn.lesson.01-devices-and-passes");
        }
        if (!QTest::qWaitFor([&] { return m_window->page() != before; }, test::longest))
            return false;
        // What it has to say of itself is read or worked out first.
        const bool said = kind == QLatin1String("run") || kind == QLatin1String("alternatives");
        return !said || QTest::qWaitFor([this] { return !m_window->page()->details().empty(); },
                                        test::longest);
    }

    QTemporaryDir m_home;
    QString m_path;
    int m_count = 0;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestPageDocks)
#include "tst_page_docks.moc"
