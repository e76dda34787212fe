// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/chrome_traces.h"
#include "tests/support/import_hand.h"
#include "tests/support/run_settings.h"
#include "tests/support/studio_walk.h"
#include "tests/support/test_program.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_view.h"
#include "ui/traces/activity_table.h"
#include "ui/traces/activity_view.h"
#include "ui/window/activity_page.h"
#include "ui/window/commands.h"
#include "ui/window/page_bar.h"
#include "ui/workspace/timeline_workspace.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::ui;

/// What a person does between pages, with a real pointer and real keys.
class TestX11Pages : public QObject
{
    Q_OBJECT

private:
    XHand& hand() { return m_walk->hand(); }
    MainWindow& window() { return m_walk->window(); }
    /// Where a tab stands now; asked once, the place stays.
    XHand::Place tabNow(int index)
    {
        const auto* bar = window().findChild<PageBar*>();
        const QPoint there = bar->mapToGlobal(bar->tabRect(index).center());
        return [there] { return there; };
    }
    void trigger(const char* id) { window().commands().action(QString::fromLatin1(id))->trigger(); }

    PrivateFolder m_folder;
    std::unique_ptr<StudioWalk> m_walk;

private slots:
    void initTestCase()
    {
        if (const QString why = XHand::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        applyGround(*qApp, Ground::Light);
    }
    void init()
    {
        QSettings().clear();
        m_walk = std::make_unique<StudioWalk>();
    }
    void cleanup() { m_walk.reset(); }

    void aTabIsHitWhereItWasBefore();
    void aCapOfADefaultScheduleCaps();
    void aTraceIsSearchedAndZoomedByKeys();
};

/// The places are those of before: clicked in any order, each brings its page.
void TestX11Pages::aTabIsHitWhereItWasBefore()
{
    hand().key(QStringLiteral("ctrl+n")).until(QStringLiteral("a new tab"), [this] {
        return m_walk->page() != nullptr && window().pages().size() == 1;
    });
    QCOMPARE(hand().go(), QString());
    trigger("schedule.alternatives");
    trigger("learn.lesson.01-devices-and-passes");
    QTRY_COMPARE(window().pages().size(), std::size_t{3});
    const std::vector<Page*> pages = window().pages();
    QTest::qWait(100); // the panels find their places
    const std::vector<XHand::Place> places{tabNow(0), tabNow(1), tabNow(2)};
    for (const std::size_t which : {0, 1, 0, 2, 1, 2, 0}) {
        hand()
            .click(places[which])
            .until(QStringLiteral("tab %1 brings its page").arg(which),
                   [this, page = pages[which]] { return window().page() == page; });
    }
    QCOMPARE(hand().go(), QString());
    // The lesson has stayed with its tab.
    QVERIFY(!window().findChild<LessonPanel*>()->isVisible());
    QVERIFY(window().dock(QStringLiteral("schedule"))->isVisible());
    m_walk->picture(QStringLiteral("tabs"));
}

void TestX11Pages::aCapOfADefaultScheduleCaps()
{
    hand().key(QStringLiteral("ctrl+n")).until(QStringLiteral("a new tab"), [this] {
        return m_walk->page() != nullptr;
    });
    QCOMPARE(hand().go(), QString());
    auto* field =
        window().findChild<SpecPanel*>()->findChild<QLineEdit*>(QStringLiteral("memory-cap"));
    hand()
        .click(XHand::on(field))
        .type(QStringLiteral("2"))
        .key(QStringLiteral("Tab"))
        .until(QStringLiteral("the status line says the limit"), [this] {
            return m_walk->figures().contains(QStringLiteral("peak 4 of 2 micro-batches"));
        });
    QCOMPARE(hand().go(), QString());
    QCOMPARE(m_walk->document().costs().shareCap / (shareOne / 1000), Share{2000});
    // Four devices are seen at once, with the panels that there are at first.
    QVERIFY(m_walk->page()->timeline().verticalScrollBar()->maximum() == 0);
    m_walk->picture(QStringLiteral("cap"));
}

/// From wherever the keys go, a table too; and zoomed at the pointer.
void TestX11Pages::aTraceIsSearchedAndZoomedByKeys()
{
    const QString file = m_folder.path(QStringLiteral("rank3.json"));
    QString events;
    for (int i = 0; i < 20; ++i)
        events += QStringLiteral("%1{\"ph\": \"X\", \"name\": \"%2\", \"cat\": \"kernel\", "
                                 "\"pid\": 0, \"tid\": 7, \"ts\": %3, \"dur\": 40, "
                                 "\"args\": {\"device\": 0, \"stream\": 7}}")
                      .arg(i == 0 ? QString() : QStringLiteral(", "),
                           i == 13 ? QStringLiteral("wanted_gemm") : QStringLiteral("other"))
                      .arg(50 * i);
    test::writeTrace(file.toStdString(),
                     (QStringLiteral("{\"distributedInfo\": {\"rank\": 3}, \"traceEvents\": [") +
                      events + QStringLiteral("]}"))
                         .toStdString());
    QVERIFY(window().open(file));
    ActivityPage* page = test::readPage(window());
    QVERIFY(page != nullptr);
    ActivityView& view = page->view();
    auto* field = page->findChild<QLineEdit*>(QStringLiteral("search"));
    hand()
        .click(XHand::on(page->findChild<ActivityTable*>()))
        .key(QStringLiteral("ctrl+f"))
        .until(QStringLiteral("the search has the keys"), [field] { return field->hasFocus(); })
        .type(QStringLiteral("nothing"))
        .until(QStringLiteral("nothing is found, and one is told"),
               [this] { return m_walk->told().contains(QStringLiteral("Nothing is called")); })
        .key(QStringLiteral("ctrl+a"))
        .type(QStringLiteral("gemm"))
        .until(QStringLiteral("one reads how much is found"),
               [this] { return m_walk->told().contains(QStringLiteral("1 of 2 names")); })
        .key(QStringLiteral("Return"))
        .until(QStringLiteral("it is chosen"), [&view] { return view.chosen().has_value(); })
        .key(QStringLiteral("Escape"))
        .until(QStringLiteral("the rows have the keys"), [&view] { return view.hasFocus(); });
    QCOMPARE(hand().go(), QString());
    const double all = page->range().length();
    const double part = 0.25;
    const auto place = [&view, part] {
        const double x = TimeAxis::margin() + part * TimeAxis::length(view);
        return view.viewport()->mapToGlobal(QPoint(static_cast<int>(x), 30));
    };
    const double under =
        TimeAxis::of(page->range(), view).time(TimeAxis::margin() + part * TimeAxis::length(view));
    hand()
        .moveTo(place)
        .key(QStringLiteral("w"))
        .key(QStringLiteral("w"))
        .key(QStringLiteral("w"))
        .key(QStringLiteral("w"))
        .until(QStringLiteral("it is nearer"), [&] { return page->range().length() < 0.5 * all; });
    QCOMPARE(hand().go(), QString());
    const double now =
        TimeAxis::of(page->range(), view).time(TimeAxis::margin() + part * TimeAxis::length(view));
    QVERIFY2(std::abs(now - under) < 0.01 * all,
             qPrintable(QStringLiteral("%1, %2").arg(under).arg(now)));
    m_walk->picture(QStringLiteral("trace"));
}

PW_WINDOW_TEST(TestX11Pages)
#include "tst_x11_pages.moc"
