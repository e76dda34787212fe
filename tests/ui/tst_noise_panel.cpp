// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Noise in the studio: bands in the charts, the spread of the makespan, what the end depends on.
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/document/background.h"
#include "ui/noise/noise_panel.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QSettings>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

using namespace pw;
using namespace pw::ui;

namespace {

Project noisyProject()
{
    FamilyOptions options;
    options.devices = 4;
    options.microBatches = 8;
    UniformCosts costs;
    costs.hop = 300'000;
    return projectOf("1f1b", options, costs);
}

} // namespace

class TestNoisePanel : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void init() { QSettings().clear(); }
    void cleanup() { workers().waitForDone(); }

    void bandsComeAndGoWithTheSwitch()
    {
        MainWindow window;
        window.resize(1300, 900);
        window.show();
        SchedulePage& page = window.openProject(noisyProject());
        auto* panel = window.findChild<NoisePanel*>();
        auto* table = window.findChild<QTableWidget*>(QStringLiteral("noise-table"));
        QAction* action = window.commands().action(QStringLiteral("view.noise"));
        QVERIFY(panel != nullptr && table != nullptr && action != nullptr);
        QVERIFY(!action->isChecked());
        const QImage plain = page.charts().bubble().grab().toImage();
        action->trigger();
        QVERIFY(!window.dock(QStringLiteral("noise"))->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(panel->sentence().startsWith(QStringLiteral("Nine of ten")),
                                 test::longest);
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 4 + 6, test::longest);
        QVERIFY(table->item(0, 0)->text().startsWith(QStringLiteral("device")));
        QTRY_VERIFY(page.charts().bubble().grab().toImage() != plain);
        // Another order: other bands.
        const QString before = panel->sentence();
        Project longer = noisyProject();
        longer.family->options.microBatches = 12;
        QVERIFY(page.document().change(longer, QStringLiteral("longer")));
        QTRY_VERIFY_WITH_TIMEOUT(panel->sentence() != before &&
                                     panel->sentence().startsWith(QStringLiteral("Nine of ten")),
                                 test::longest);
        action->trigger();
        QVERIFY(window.dock(QStringLiteral("noise"))->isHidden());
        page.document().undoStack().undo();
        QTRY_COMPARE(page.charts().bubble().grab().toImage(), plain);
    }

    void moreNoiseIsAWiderSpread()
    {
        NoiseStudy study;
        NoisePanel panel(study);
        const Project project = noisyProject();
        ScheduleDocument document;
        document.reset(project, {}, ScheduleDocument::Patience::Full);
        const auto width = [&] {
            study.set(document.schedule(), document.costs(), panel.model());
            if (!QTest::qWaitFor([&] { return study.bands() != nullptr; }, test::longest))
                return 0.0;
            const NoiseSamples& runs = study.bands()->makespans;
            return runs.quantile(0.95) - runs.quantile(0.05);
        };
        const double little = width();
        QVERIFY(little > 0);
        panel.findChild<QDoubleSpinBox*>(QStringLiteral("noise-passes"))->setValue(20);
        QVERIFY(width() > 3 * little);
        study.clear();
        QVERIFY(study.bands() == nullptr);
    }

    void whatCannotBeIsSaid()
    {
        MainWindow window;
        window.show();
        Project project = noisyProject();
        ScheduleDocument& document = window.openProject(project).document();
        window.commands().action(QStringLiteral("view.noise"))->trigger();
        auto* panel = window.findChild<NoisePanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(panel->sentence().startsWith(QStringLiteral("Nine of ten")),
                                 test::longest);
        Project empty = project;
        empty.family.reset();
        empty.draft = document.draft();
        empty.draft.orders[0].pop_back();
        QVERIFY(document.change(empty, QStringLiteral("a pass less")));
        QTRY_VERIFY(panel->sentence().contains(QStringLiteral("missing")));
    }
};

PW_WINDOW_TEST(TestNoisePanel)
#include "tst_noise_panel.moc"
