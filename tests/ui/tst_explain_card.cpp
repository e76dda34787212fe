// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/panels/explain_panel.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QPushButton>
#include <QTest>

using namespace pw;
using namespace pw::ui;

/// The card that explains what is selected, pointed at, or asked for.
class TestExplainCard : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_explain_card"); }

    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_page = &m_window->openFamily(QStringLiteral("1f1b"));
    }

    void cleanup() { test::closeQuietly(*m_window); }

    void theSelectedPassIsExplainedAndTheNextOneToo()
    {
        m_page->timeline().select({1, 3});
        action()->trigger();
        QVERIFY(m_window->findChild<QDockWidget*>(QStringLiteral("explain"))->isVisible());
        const QString first = panel()->words();
        QVERIFY2(first.contains(QStringLiteral("runs on device 1 from")), qPrintable(first));
        QVERIFY(!m_page->timeline().overlay().lit.empty());
        m_page->timeline().select({2, 3});
        QVERIFY2(panel()->words().contains(QStringLiteral("runs on device 2 from")),
                 qPrintable(panel()->words()));
    }

    void idleTimeUnderThePointerIsExplained()
    {
        TimelineView& view = m_page->timeline();
        // Device 3 waits for its first forward.
        const QRectF first = view.rectangleOf({3, 0});
        const QPoint idle(int(first.left()) - 8, int(first.center().y()));
        QTest::mouseMove(view.viewport(), idle - QPoint(1, 0));
        QTest::mouseMove(view.viewport(), idle);
        action()->trigger();
        QVERIFY2(panel()->words().startsWith(QStringLiteral("Device 3 idles\nDevice 3 idles from "
                                                            "0 ms to 3 ms: 3 ms of the ")),
                 qPrintable(panel()->words()));
        // With the card there, a click is enough.
        const QRectF second = view.rectangleOf({2, 0});
        const QPoint other(int(second.left()) - 8, int(second.center().y()));
        QTest::mouseMove(view.viewport(), other);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, other);
        QVERIFY2(panel()->words().startsWith(QStringLiteral("Device 2 idles")),
                 qPrintable(panel()->words()));
    }

    void numbersFollowTheScheduleAndThePage()
    {
        action()->trigger();
        button("explain-memory")->click();
        QVERIFY(panel()->words().startsWith(QStringLiteral("Memory of device 0")));
        button("explain-makespan")->click();
        Project project = m_page->document().project();
        std::get<UniformCosts>(project.costs).forward *= 2;
        QVERIFY(m_page->document().change(std::move(project), QStringLiteral("F")).has_value());
        QVERIFY2(!panel()->words().contains(QStringLiteral("takes 33 ms")),
                 qPrintable(panel()->words()));
        QVERIFY(panel()->words().startsWith(QStringLiteral("Makespan\nThe whole takes ")));
        m_window->commands().action(QStringLiteral("help.welcome"))->trigger();
        // The panel belongs to pages of schedules: it goes with them, and comes back with them.
        const auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("explain"));
        QVERIFY(!dock->isVisible());
        Project back = m_page->document().project();
        std::get<UniformCosts>(back.costs).forward /= 2;
        QVERIFY(m_page->document().change(std::move(back), QStringLiteral("F")).has_value());
        m_window->showPage(m_page);
        QVERIFY(dock->isVisible());
        QVERIFY2(panel()->words().contains(QStringLiteral("takes 33 ms")),
                 qPrintable(panel()->words()));
        QVERIFY(panel()->words().startsWith(QStringLiteral("Makespan\nThe whole takes ")));
    }

    void chartsAreExplained()
    {
        action()->trigger();
        QVERIFY(panel()->words().startsWith(QStringLiteral("Makespan\nThe whole takes 33 ms")));
        button("explain-bubble")->click();
        QVERIFY(panel()->words().startsWith(QStringLiteral("Idle time\nIn 33 ms the 4 devices")));
        button("explain-memory")->click();
        QVERIFY(panel()->words().startsWith(QStringLiteral("Memory of device 0\n")));
    }

    void withoutAScheduleItSaysWhy()
    {
        m_window->commands().action(QStringLiteral("file.new-empty"))->trigger();
        QVERIFY(!action()->isEnabled());
        button("explain-bubble")->click();
        QVERIFY(panel()->words().startsWith(QStringLiteral("Explain\n")));
    }

private:
    QAction* action() { return m_window->commands().action(QStringLiteral("schedule.explain")); }
    ExplainPanel* panel() { return m_window->findChild<ExplainPanel*>(); }
    QPushButton* button(const char* name)
    {
        return panel()->findChild<QPushButton*>(QString::fromLatin1(name));
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
    SchedulePage* m_page = nullptr;
};

PW_WINDOW_TEST(TestExplainCard)
#include "tst_explain_card.moc"
