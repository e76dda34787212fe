// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// k that follows the network: simulated, and run live.
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/adaptive/adaptive_page.h"
#include "ui/document/background.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

using namespace pw;
using namespace pw::ui;

namespace {

template<typename Field>
Field& fieldOf(AdaptivePage& page, const char* name)
{
    return *page.findChild<Field*>(QString::fromLatin1(name));
}

} // namespace

class TestAdaptivePage : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { workers().waitForDone(); }

    void itIsSimulatedAsTheFieldsChange()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.commands().action(QStringLiteral("schedule.adaptive"))->trigger();
        auto* page = qobject_cast<AdaptivePage*>(window.page());
        QVERIFY(page != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy() && page->simulated() != nullptr, test::longest);
        QVERIFY(page->simulated()->adaptive.switches >= 2);
        QCOMPARE(page->simulated()->adaptive.iterations.size(), std::size_t{100});
        const auto& table = fieldOf<QTableWidget>(*page, "adaptive-table");
        QCOMPARE(table.rowCount(), static_cast<int>(page->simulated()->pairs.size()) + 1);
        QVERIFY(page->sentence().contains(QStringLiteral("over 1F1B")));
        const auto before = page->simulated();
        fieldOf<QSpinBox>(*page, "iterations").setValue(40);
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy() && page->simulated() != before, test::longest);
        QCOMPARE(page->simulated()->adaptive.iterations.size(), std::size_t{40});
        fieldOf<QLineEdit>(*page, "network").setText(QStringLiteral("never"));
        QTRY_VERIFY(!page->fields().refusal().isEmpty());
        QVERIFY(page->simulated() == nullptr);
    }

    void aRunComesIterationByIteration()
    {
        AdaptivePage page;
        page.resize(1200, 800);
        page.fields().setDevices(4);
        fieldOf<QSpinBox>(page, "iterations").setValue(3);
        const QString program = m_folder.script(
            QStringLiteral("talks"),
            QStringLiteral(
                "echo hello from a login shell\n"
                "echo '{\"adaptive\": {\"backend\": \"emulated\", \"iterations\": 3, \"pairs\": "
                "[{\"k\": 1, \"micro_batch\": 2, \"micro_batches\": 16}]}}'\n"
                "echo '{\"iteration\": {\"start_ms\": 0, \"time_ms\": 10, \"k\": 1, \"slowdown\": "
                "1}}'\n"
                "printf '{\"iteration\": {\"start_ms\": 10, \"time_ms\"'; sleep 0.2\n"
                "echo ': 20, \"k\": 2, \"slowdown\": 3.5}}'\n"
                "echo '{\"saying\": \"simulating\"}'\n"
                "echo '{\"result\": {\"fixed\": [{\"k\": 1, \"run_ms\": 40}], \"adaptive\": "
                "{\"run_ms\": 30, \"simulated_ms\": 29, \"switches\": 1}}}'"));
        QSignalSpy refusals(&page, &AdaptivePage::refused);
        page.run({program});
        QVERIFY(page.running());
        QTRY_VERIFY_WITH_TIMEOUT(!page.running(), test::longest);
        QCOMPARE(refusals.size(), 0);
        QCOMPARE(page.points().size(), std::size_t{2});
        QCOMPARE(page.points()[1].group, 2);
        QCOMPARE(page.points()[1].time, 20 * ticksPerMs);
        QVERIFY(page.totals() && page.totals()->switches == 1);
        QVERIFY2(page.sentence().contains(QStringLiteral("30 ms, with 1 switch of k")),
                 qPrintable(page.sentence()));
    }

    void itIsReallyRun()
    {
        const QString program = QStringLiteral(PW_PROGRAM);
        AdaptivePage page;
        page.fields().setDevices(2);
        fieldOf<QSpinBox>(page, "iterations").setValue(6);
        fieldOf<QSpinBox>(page, "every").setValue(2);
        fieldOf<QSpinBox>(page, "samples").setValue(8);
        fieldOf<QSpinBox>(page, "held").setValue(4);
        fieldOf<QLineEdit>(page, "network").setText(QStringLiteral("0:1, 40:20"));
        QSignalSpy refusals(&page, &AdaptivePage::refused);
        page.run({program});
        QTRY_VERIFY_WITH_TIMEOUT(!page.running(), test::longest);
        QVERIFY2(refusals.isEmpty(), qPrintable(refusals.value(0).value(0).toString()));
        QCOMPARE(page.points().size(), std::size_t{6});
        QVERIFY(page.totals().has_value());
        QTRY_VERIFY_WITH_TIMEOUT(!page.busy() && page.simulated(), test::longest);
        for (std::size_t i = 0; i < page.points().size(); ++i)
            QCOMPARE(
                page.points()[i].group,
                page.simulated()
                    ->pairs[static_cast<std::size_t>(page.simulated()->adaptive.iterations[i].pair)]
                    .group);
    }

    void aRunIsStopped()
    {
        AdaptivePage page;
        const QString program =
            m_folder.script(QStringLiteral("waits"), QStringLiteral("cat > /dev/null"));
        QSignalSpy refusals(&page, &AdaptivePage::refused);
        page.run({program});
        QVERIFY(page.running());
        page.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!page.running(), test::longest);
        QCOMPARE(refusals.size(), 0);
    }

    void whatIsNotPipewrightIsSaid_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::newRow("another program") << QStringLiteral("echo 1,2,3");
        QTest::newRow("nothing") << QStringLiteral("true");
        QTest::newRow("a failure") << QStringLiteral("echo no such option >&2; exit 2");
        QTest::newRow("wrong fields") << QStringLiteral("echo '{\"iteration\": {\"k\": 0}}'");
    }

    void whatIsNotPipewrightIsSaid()
    {
        QFETCH(QString, lines);
        AdaptivePage page;
        const QString program = m_folder.script(QStringLiteral("other"), lines);
        QSignalSpy refusals(&page, &AdaptivePage::refused);
        page.run({program});
        QTRY_VERIFY_WITH_TIMEOUT(!page.running(), test::longest);
        QCOMPARE(refusals.size(), 1);
        QVERIFY(!refusals[0][0].toString().isEmpty());
        QVERIFY(page.points().empty());
    }
};

PW_WINDOW_TEST(TestAdaptivePage)
#include "tst_adaptive_page.moc"
