// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What the window says of runs that stop, fail or end, and what it makes of them.
#include "tests/support/compared.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/background.h"
#include "ui/improve/improver.h"
#include "ui/presentation.h"
#include "ui/run/connection.h"
#include "ui/run/connection_test.h"
#include "ui/run/live_view.h"
#include "ui/run/log_view.h"
#include "ui/runs/run_history.h"
#include "ui/timeline/value_text.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/run_again.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QSettings>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>

using namespace pw;
using namespace pw::ui;

class TestRunWindow : public QObject
{
    Q_OBJECT

private:
    static constexpr int patience = 60'000;

    /// A window with 1F1B on two devices and a connection of its own.
    void open(const QString& program, const char* backend, const UniformCosts& costs = {})
    {
        QSettings settings;
        settings.setValue(QStringLiteral("run/backend"), QString::fromLatin1(backend));
        settings.setValue(QStringLiteral("run/iterations"), 2);
        {
            Connections connections;
            const Result<void> added = connections.setOthers(
                {{QStringLiteral("a test"), QStringLiteral("\"%1\"").arg(program)},
                 {QStringLiteral("the program"),
                  QStringLiteral("\"%1\"").arg(QStringLiteral(PW_PROGRAM))}});
            if (!added)
                qFatal("%s", added.error().message.c_str());
            connections.setCurrentIndex(1);
        }
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        FamilyOptions options;
        options.devices = 2;
        options.microBatches = 6;
        m_window->openProject(projectOf("1f1b", options, costs));
    }
    QAction& command(const char* id)
    {
        QAction* found = m_window->commands().action(QString::fromLatin1(id));
        if (found == nullptr)
            qFatal("there is no command %s", id);
        return *found;
    }
    void run()
    {
        QTRY_VERIFY_WITH_TIMEOUT(command("run.run").isEnabled(), patience);
        command("run.run").trigger();
    }
    const QLabel& told() { return *m_window->findChild<QLabel*>(QStringLiteral("told")); }
    bool toldIsRefusal()
    {
        return told().palette().color(told().foregroundRole()) == color(Role::Refusal);
    }
    bool idle() { return !command("run.stop").isEnabled(); }
    QToolButton* button(const char* name)
    {
        auto* live = m_window->findChild<LiveView*>();
        return live == nullptr ? nullptr : live->findChild<QToolButton*>(QLatin1String(name));
    }

    PrivateFolder m_folder;
    int m_stores = 0;
    std::unique_ptr<MainWindow> m_window;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void init()
    {
        QSettings().clear();
        // A store without runs of another test, or of an earlier run of this one.
        const QString store = m_folder.path(QStringLiteral("runs-%1.sqlite").arg(++m_stores));
        qputenv("PIPEWRIGHT_STORE", QFile::encodeName(store));
    }
    void cleanup()
    {
        if (m_window)
            test::closeQuietly(*m_window);
        m_window.reset();
        workers().waitForDone();
    }

    void anExecutorThatFailsBringsItsWordsForward_data()
    {
        QTest::addColumn<QString>("lines");
        const QString asks = QStringLiteral("if [ \"$1\" = backends ]; then exec '%1' \"$@\"; fi\n")
                                 .arg(QStringLiteral(PW_PROGRAM));
        const QString fails =
            QStringLiteral("echo 'node 4 is drained' >&2; echo 'no licence left' >&2; exit 2");
        QTest::newRow("when it is asked what it has") << fails;
        QTest::newRow("when it is to run") << asks + fails;
    }
    void anExecutorThatFailsBringsItsWordsForward()
    {
        QFETCH(const QString, lines);
        open(m_folder.script(QStringLiteral("fails"), lines), "emulated");
        const int height = told().height();
        run();
        QTRY_VERIFY_WITH_TIMEOUT(told().text().contains(QStringLiteral("no licence left")),
                                 patience);
        QVERIFY(toldIsRefusal());
        QVERIFY2(!told().text().contains(QStringLiteral("understand")), qPrintable(told().text()));
        QVERIFY(!told().text().contains(QLatin1Char('\n')));
        QCOMPARE(told().height(), height);
        auto* log = m_window->findChild<LogView*>();
        QTRY_VERIFY(!log->viewport()->visibleRegion().isEmpty()); // in front of the others
        QVERIFY2(log->toPlainText().contains(QStringLiteral("node 4 is drained")),
                 qPrintable(log->toPlainText()));
        // What is wrong stands there in full, however little room the line below has.
        QVERIFY2(log->toPlainText().contains(QStringLiteral("exit code 2")),
                 qPrintable(log->toPlainText()));
    }

    /// Whatever the one before takes to answer, and one sees that something happens.
    void aRunGoesToTheConnectionThatIsChosen()
    {
        open(m_folder.script(QStringLiteral("waits"), QStringLiteral("exec cat")), "emulated");
        run();
        QVERIFY2(told().text().contains(QStringLiteral("Asking a test")),
                 qPrintable(told().text()));
        QVERIFY(!idle());
        const QList<QComboBox*> boxes = m_window->findChildren<QComboBox*>();
        const auto choice = std::find_if(boxes.begin(), boxes.end(), [](const QComboBox* box) {
            return box->accessibleName() == QLatin1String("Connection");
        });
        QVERIFY(choice != boxes.end());
        (*choice)->setCurrentIndex(2);
        Q_EMIT(*choice)->activated(2);
        run();
        constexpr int soon = ConnectionTest::patience / 2; // without the first one's answer
        QTRY_VERIFY2_WITH_TIMEOUT(told().text().contains(QStringLiteral("has run")),
                                  qPrintable(told().text()), soon);
        QVERIFY(idle());
    }

    void aStopWhileItMeasuresIsNoFailure()
    {
        open(QStringLiteral(PW_PROGRAM), "cpu");
        run();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<LiveView*>() != nullptr, patience);
        auto* empty = m_window->findChild<QLabel*>(QStringLiteral("live-empty"));
        QVERIFY(empty != nullptr && empty->isVisible());
        QVERIFY2(empty->text().contains(QStringLiteral("measures")), qPrintable(empty->text()));
        command("run.stop").trigger();
        QTRY_VERIFY_WITH_TIMEOUT(idle(), patience);
        QVERIFY2(!toldIsRefusal(), qPrintable(told().text()));
        QVERIFY2(told().text().contains(QStringLiteral("stopped")), qPrintable(told().text()));
        QVERIFY(empty->isVisible());
        QCOMPARE(empty->text(), QStringLiteral("Stopped before the first pass."));
    }

    void whatWasSaidOfOneRunIsGoneWithTheNext()
    {
        open(m_folder.script(
                 QStringLiteral("once"),
                 QStringLiteral("[ \"$1\" = backends ] && exec '%1' \"$@\"\n"
                                "[ -f '%2' ] && sleep 1 && exec '%1' \"$@\"\n"
                                "touch '%2'; echo 'no licence' >&2; exit 1")
                     .arg(QStringLiteral(PW_PROGRAM), m_folder.path(QStringLiteral("tried")))),
             "emulated");
        run();
        QTRY_VERIFY_WITH_TIMEOUT(toldIsRefusal() && idle(), patience);
        run();
        QVERIFY(!idle());
        QCOMPARE(told().text(), QString());
        QTRY_VERIFY_WITH_TIMEOUT(idle(), patience);
        QVERIFY2(!toldIsRefusal(), qPrintable(told().text()));
    }

    void theTimesOfARunBecomeABetterOneThatRuns()
    {
        UniformCosts costs;
        costs.hop = 2 * ticksPerMs; // 1F1B does not hide it
        open(QStringLiteral(PW_PROGRAM), "emulated", costs);
        ScheduleDocument& document = m_window->schedulePage()->document();
        run();
        QTRY_VERIFY_WITH_TIMEOUT(
            button("live-again") != nullptr && button("live-again")->isVisible(), patience);
        QVERIFY(command("run.again").isEnabled());
        auto* history = m_window->findChild<RunHistory*>();
        QTRY_COMPARE_WITH_TIMEOUT(history->runs().size(), std::size_t{1}, patience);
        const int steps = document.undoStack().count();
        button("live-again")->click();
        QTRY_VERIFY_WITH_TIMEOUT(test::picturesOf(m_window->page()) != nullptr, patience);
        QTRY_COMPARE_WITH_TIMEOUT(history->runs().size(), std::size_t{2}, patience);
        QVERIFY(document.undoStack().count() > steps);
        QVERIFY(std::holds_alternative<Costs>(document.project().costs));
        // A busy machine measures what it likes; the name tells whether an order was better.
        QVERIFY2(document.title().startsWith(QStringLiteral("1F1B")), qPrintable(document.title()));
        auto* compared = test::picturesOf(m_window->page());
        QTRY_VERIFY_WITH_TIMEOUT(compared->difference(1) != nullptr, patience);
    }

    void timesFarFromThePlanAreOffered()
    {
        QVERIFY(farFromPlan(1249, 33));
        QVERIFY(farFromPlan(33, 1249));
        QVERIFY(!farFromPlan(40, 33));
        QVERIFY(!farFromPlan(0, 33));
        QCOMPARE(offText(1249, 33), QStringLiteral("× 38"));
        QCOMPARE(offText(40, 33), QStringLiteral("+21.2 %"));
        ViewRange range;
        LiveView view(range);
        view.show();
        const auto* times = view.findChild<QToolButton*>(QStringLiteral("live-times"));
        view.setUsable(true, true);
        QVERIFY(times->isVisible());
        view.setUsable(false, true);
        QVERIFY(!times->isVisible());
    }
};

PW_WINDOW_TEST(TestRunWindow)
#include "tst_run_window.moc"
