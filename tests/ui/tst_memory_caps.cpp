// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A cap caps something, wherever it is given: in bytes where anything has some, else in
// micro-batches.
#include "core/edit/fit_costs.h"
#include "core/edit/pass_edits.h"
#include "core/io/project_file.h"
#include "core/model/known_sizes.h"
#include "core/optimise/optimise.h"
#include "core/sim/memory.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/passes/one_number_dialog.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/timeline_chart.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTreeView>

using namespace pw;
using namespace pw::ui;

namespace {

QLineEdit& capField(const MainWindow& window)
{
    return *window.findChild<SpecPanel*>()->findChild<QLineEdit*>(QStringLiteral("memory-cap"));
}

/// As a person types it, with Tab behind it.
void typeCap(const MainWindow& window, const QString& words)
{
    QLineEdit& field = capField(window);
    field.setFocus();
    field.selectAll();
    QTest::keyClick(&field, Qt::Key_Delete);
    QTest::keyClicks(&field, words);
    QTest::keyClick(&field, Qt::Key_Return);
}

/// The costs as equal stages, which a cap in micro-batches leaves them.
EqualStages equalOf(const ScheduleDocument& document)
{
    const std::optional<EqualStages> equal = equalStagesOf(document.project());
    if (!equal)
        qFatal("the stages are not equal any more");
    return *equal;
}

QString capRefusals(const MainWindow& window)
{
    QString all;
    for (const QLabel* label :
         window.findChild<SpecPanel*>()->findChildren<QLabel*>(QStringLiteral("refusal")))
        if (!label->isHidden())
            all += label->text();
    return all;
}

Curves memoryOf(const ScheduleDocument& document)
{
    return timelineChart(memoryChart)
        .curves({document.draft(), document.times(), document.costs(), document.schedule().get()},
                DeviceId(0));
}

} // namespace

class TestMemoryCaps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_memory_caps"); }

    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { QVERIFY(test::closeQuietly(*m_window)); }

    /// Activations have no size: two of four micro-batches.
    void withoutSizesACapIsInMicroBatches()
    {
        ScheduleDocument& document = m_window->openFamily(QStringLiteral("1f1b")).document();
        typeCap(*m_window, QStringLiteral("2"));
        QCOMPARE(equalOf(document).shareCap, shareLimit(2));
        QCOMPARE(equalOf(document).costs.memoryCap, Bytes{0});
        QCOMPARE(capField(*m_window).text(), QStringLiteral("2"));
        QVERIFY(firstOverflow(*document.schedule(), document.costs(), document.result()));
        // The line in the chart, what is wrong in words, and the status line.
        const Curves curves = memoryOf(document);
        QVERIFY(curves.limit && std::abs(*curves.limit - 2) < 1e-4);
        QVERIFY2(curves.limitLabel.contains(QStringLiteral("2 micro-batches")),
                 qPrintable(curves.limitLabel));
        const auto* problems = m_window->findChild<ProblemsPanel*>();
        QCOMPARE(problems->list()->model()->rowCount(), 1);
        QVERIFY(problems->list()->model()->index(0, 1).data().toString().contains(
            QStringLiteral("the limit is 2")));
        QVERIFY2(m_window->page()->figures().contains(QStringLiteral("peak 4 of 2 micro-batches")),
                 qPrintable(m_window->page()->figures()));
        // Improve keeps to it.
        QVERIFY(isCapped(document.costs()));
        QCOMPARE(withOwnPeak(*document.schedule(), document.costs(), document.result()).shareCap,
                 shareLimit(2));
        // Another visit to the field is a step of its own.
        capField(*m_window).clearFocus();
        typeCap(*m_window, {});
        QCOMPARE(equalOf(document).shareCap, Share{0});
        QCOMPARE(problems->list()->model()->rowCount(), 0);
        document.undoStack().undo();
        QCOMPARE(equalOf(document).shareCap, shareLimit(2));
    }

    void bytesWhereNothingHasAnyAreRefusedInWords()
    {
        ScheduleDocument& document = m_window->openFamily(QStringLiteral("1f1b")).document();
        typeCap(*m_window, QStringLiteral("2 GiB"));
        QVERIFY(!isCapped(document.costs()));
        QVERIFY2(capRefusals(*m_window).contains(QStringLiteral("Nothing has a size in bytes")),
                 qPrintable(capRefusals(*m_window)));
        typeCap(*m_window, QStringLiteral("1.5 mb"));
        QCOMPARE(equalOf(document).shareCap, shareLimit(1.5));
        typeCap(*m_window, QStringLiteral("2, 2, 1, 1"));
        QVERIFY(capRefusals(*m_window).contains(QStringLiteral("one number for all devices")));
    }

    void withSizesACapIsInBytes()
    {
        UniformCosts costs;
        costs.activation = Bytes{1} << 30;
        ScheduleDocument& document = m_window->openProject(projectOf("1f1b", {}, costs)).document();
        typeCap(*m_window, QStringLiteral("2"));
        QCOMPARE(equalOf(document).costs.memoryCap, Bytes{2} << 30);
        QCOMPARE(equalOf(document).shareCap, Share{0});
        QVERIFY(memoryOf(document).limit);
        QCOMPARE(m_window->findChild<ProblemsPanel*>()->list()->model()->rowCount(), 1);
        typeCap(*m_window, QStringLiteral("3 mb"));
        QCOMPARE(equalOf(document).costs.memoryCap, Bytes{0});
        QCOMPARE(equalOf(document).shareCap, shareLimit(3));
    }

    /// Of a file that somebody else wrote.
    void aCapInBytesThatCapsNothingIsSaidSo()
    {
        UniformCosts costs;
        costs.memoryCap = Bytes{2} << 30;
        ScheduleDocument& document = m_window->openProject(projectOf("1f1b", {}, costs)).document();
        const auto* note = m_window->findChild<QLabel*>(QStringLiteral("idle-cap"));
        QVERIFY(note->isVisible());
        QVERIFY(note->text().contains(QStringLiteral("limits nothing")));
        // Improve stays within what the schedule holds, and does not take it for a limit.
        QVERIFY(!isCapped(document.costs()));
        const Costs kept = withOwnPeak(*document.schedule(), document.costs(), document.result());
        QVERIFY(kept.memoryCap.empty() && kept.shareCap == 4 * shareOne);
        typeCap(*m_window, QStringLiteral("4 mb"));
        QVERIFY(!note->isVisible());
        QCOMPARE(equalOf(document).costs.memoryCap, Bytes{0});
    }

    void aDevicesCapAsksForMicroBatches()
    {
        SchedulePage& page = m_window->openFamily(QStringLiteral("1f1b"));
        page.timeline().select({1, 0});
        m_window->commands().action(QStringLiteral("passes.cap"))->trigger();
        auto* dialog = m_window->findChild<OneNumberDialog*>(QStringLiteral("device-cap"));
        QVERIFY(dialog != nullptr);
        QString words;
        for (const QLabel* label : dialog->findChildren<QLabel*>())
            words += label->text() + QLatin1Char(' ');
        QVERIFY2(words.contains(QStringLiteral("of all devices alike")), qPrintable(words));
        QCOMPARE(dialog->field().suffix(), QStringLiteral(" micro-batches"));
        dialog->field().setValue(3);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply)->click();
        QTRY_COMPARE(equalOf(page.document()).shareCap, shareLimit(3));
    }

    /// In files, in other shapes, and beside fields of equal stages.
    void equalStagesStayEqualWithACap()
    {
        ScheduleDocument& document = m_window->openFamily(QStringLiteral("1f1b")).document();
        typeCap(*m_window, QStringLiteral("2.5"));
        const Result<Project> read = readProject(*writeProject(document.project()));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(equalStagesOf(*read));
        QCOMPARE(equalStagesOf(*read)->shareCap, shareLimit(2.5));
        auto* spec = m_window->findChild<SpecPanel*>();
        auto* forward = spec->findChild<QDoubleSpinBox*>(QStringLiteral("forward"));
        QVERIFY(forward->isVisible());
        forward->setValue(2);
        QCOMPARE(equalOf(document).costs.forward, 2 * ticksPerMs);
        QCOMPARE(equalOf(document).shareCap, shareLimit(2.5));
        spec->findChild<QSpinBox*>(QStringLiteral("devices"))->setValue(6);
        QTRY_COMPARE(document.schedule()->devices(), 6);
        QCOMPARE(equalOf(document).costs.forward, 2 * ticksPerMs);
        QCOMPARE(equalOf(document).shareCap, shareLimit(2.5));
    }

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestMemoryCaps)
#include "tst_memory_caps.moc"
