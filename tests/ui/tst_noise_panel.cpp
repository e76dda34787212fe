// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Noise in the studio: bands in the charts, the spread of the makespan, what the end depends on.
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/alternatives/alternatives_page.h"
#include "ui/alternatives/alternatives_table.h"
#include "ui/document/background.h"
#include "ui/noise/noise_panel.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QApplication>
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

    /// The page of alternatives of what is in front, with the noise of the row that is open.
    static AlternativesPage* alternatives(MainWindow& window)
    {
        window.commands().action(QStringLiteral("schedule.alternatives"))->trigger();
        auto* page = qobject_cast<AlternativesPage*>(window.page());
        if (page == nullptr || !QTest::qWaitFor([page] { return !page->busy(); }, test::longest))
            return nullptr;
        for (const Alternative& row : page->rows())
            if (row.kind == AlternativeKind::Schedule) {
                page->table().setCurrent(row.id);
                break;
            }
        page->setTab(AlternativesPage::Tab::Noise);
        return page;
    }

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
        QAction* action = window.commands().action(QStringLiteral("view.noise"));
        QVERIFY(action != nullptr && !action->isChecked());
        const QImage plain = page.charts().bubble().grab().toImage();
        action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(page.charts().bubble().grab().toImage() != plain, test::longest);
        // Another order: other bands.
        const QImage before = page.charts().bubble().grab().toImage();
        Project longer = noisyProject();
        longer.family->options.microBatches = 12;
        QVERIFY(page.document().change(longer, QStringLiteral("longer")));
        QTRY_VERIFY_WITH_TIMEOUT(page.charts().bubble().grab().toImage() != before, test::longest);
        action->trigger();
        page.document().undoStack().undo();
        QTRY_COMPARE(page.charts().bubble().grab().toImage(), plain);
    }

    /// The page of alternatives says how far the makespan of the chosen row spreads, and what its
    /// end depends on.
    void theChosenRowHasItsSpread()
    {
        MainWindow window;
        window.resize(1300, 900);
        window.show();
        ScheduleDocument& document = window.openProject(noisyProject()).document();
        AlternativesPage* page = alternatives(window);
        QVERIFY(page != nullptr);
        auto* panel = page->findChild<NoisePanel*>();
        auto* table = page->findChild<QTableWidget*>(QStringLiteral("noise-table"));
        QTRY_VERIFY_WITH_TIMEOUT(panel->sentence().startsWith(QStringLiteral("Nine of ten")),
                                 test::longest);
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 4 + 6, test::longest);
        QVERIFY(table->item(0, 0)->text().startsWith(QStringLiteral("device")));
        const QString before = panel->sentence();
        Project longer = noisyProject();
        longer.family->options.microBatches = 12;
        QVERIFY(document.change(longer, QStringLiteral("longer")));
        QTRY_VERIFY_WITH_TIMEOUT(panel->sentence() != before &&
                                     panel->sentence().startsWith(QStringLiteral("Nine of ten")),
                                 test::longest);
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
        AlternativesPage* page = alternatives(window);
        QVERIFY(page != nullptr);
        auto* panel = page->findChild<NoisePanel*>();
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
