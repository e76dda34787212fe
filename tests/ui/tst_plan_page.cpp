// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Plan: a configuration for a model on a cluster, searched for beside the window.
#include "core/plan/plan_words.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/charts/scatter_chart.h"
#include "ui/document/background.h"
#include "ui/plan/plan_page.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

using namespace pw;
using namespace pw::ui;

namespace {

void setCount(PlanPage& page, const char* name, int value)
{
    page.findChild<QSpinBox*>(QString::fromLatin1(name))->setValue(value);
}

void choose(PlanPage& page, const char* name, const char* value)
{
    page.findChild<QComboBox*>(QString::fromLatin1(name))
        ->setCurrentText(QString::fromLatin1(value));
}

/// Few configurations: a second, and not ten.
void askSmall(PlanPage& page)
{
    choose(page, "model", "llama3-8b");
    setCount(page, "gpus", 8);
    setCount(page, "global-batch", 32);
    setCount(page, "pipeline-parallel", 4);
    setCount(page, "micro-batch-size", 1);
}

bool waitPlanned(PlanPage& page)
{
    return QTest::qWaitFor([&] { return !page.busy(); }, test::longest);
}

} // namespace

class TestPlanPage : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { workers().waitForDone(); }

    void theTableIsThatOfTheSearch()
    {
        PlanPage page;
        askSmall(page);
        const Result<PlanAsked> asked = page.fields().asked();
        QVERIFY(asked);
        QCOMPARE(asked->wish.pipelineParallel, 4);
        QCOMPARE(asked->wish.tensorParallel, 0);
        page.plan();
        QVERIFY(page.busy());
        QVERIFY(waitPlanned(page));
        QVERIFY(!page.rows().empty());
        const Result<plan::PlanTable> own = plan::search(asked->model, asked->cluster, asked->wish);
        QVERIFY(own);
        QCOMPARE(page.rows().front(), own->rows.front());
        QCOMPARE(page.table().rowCount(), static_cast<int>(page.rows().size()));
        QCOMPARE(page.chart().count(), page.table().rowCount());
        for (std::size_t i = 1; i < own->rows.size() && i < 40; ++i)
            QVERIFY(page.rows()[i].seconds() >= page.rows()[i - 1].seconds());
        QVERIFY(!page.details().parts.empty());
    }

    /// What trains with older weights stands behind all others, and says so.
    void familiesWithoutAFlushStandLast()
    {
        PlanPage page;
        askSmall(page);
        page.plan();
        QVERIFY(waitPlanned(page));
        const std::vector<plan::Evaluation>& older = page.found().unflushed;
        QVERIFY(!older.empty());
        const std::size_t first = page.rows().size() - older.size();
        for (std::size_t i = 0; i < older.size(); ++i)
            QCOMPARE(page.rows()[first + i], older[i]);
        QTableWidget& table = page.table();
        for (int row = 0; row < table.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < table.columnCount(); ++column)
                cells << table.item(row, column)->text();
            QCOMPARE(cells.contains(QStringLiteral("no flush: trains with weights a step old or "
                                                   "more")),
                     row >= static_cast<int>(first));
            // Megatron has 1F1B and what is interleaved of it.
            if (cells.front() == QLatin1String("1f1b"))
                QVERIFY(cells.contains(QStringLiteral("Megatron-LM, Galvatron")) ||
                        cells.contains(QStringLiteral("Galvatron, Megatron-LM")));
        }
    }

    /// The precision is a field, of the command line too.
    void thePrecisionIsAField()
    {
        PlanPage page;
        askSmall(page);
        QCOMPARE(page.fields().asked()->model.dense.precision, Precision::Bf16);
        auto* precision = page.findChild<QComboBox*>(QStringLiteral("precision"));
        precision->setCurrentText(QStringLiteral("fp8"));
        QCOMPARE(page.fields().asked()->model.dense.precision, Precision::Fp8);
        QVERIFY(page.fields().question().contains(QStringLiteral("--precision fp8")));
        QCOMPARE(
            page.fields().take(QStringLiteral(
                "pipewright plan --model gpt-22b --gpus 8 --global-batch 64 --precision fp32")),
            QString());
        QCOMPARE(page.fields().asked()->model.dense.precision, Precision::Fp32);
        QCOMPARE(page.fields().take(
                     QStringLiteral("pipewright plan --model gpt-22b --gpus 8 --global-batch 64")),
                 QString());
        QCOMPARE(page.fields().asked()->model.dense.precision, Precision::Bf16);
    }

    void aRowOpensAsAProject()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.commands().action(QStringLiteral("schedule.plan"))->trigger();
        auto* page = qobject_cast<PlanPage*>(window.page());
        QVERIFY(page != nullptr);
        askSmall(*page);
        page->plan();
        QVERIFY(waitPlanned(*page));
        QVERIFY(!page->rows().empty());
        page->table().setFocus();
        Q_EMIT page->table().cellActivated(0, 0);
        auto* opened = qobject_cast<SchedulePage*>(window.page());
        QVERIFY(opened != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!opened->document().computing(), test::longest);
        const plan::Evaluation& best = page->rows().front();
        QCOMPARE(opened->document().draft().spec.devices, 4);
        // The schedule takes what the plan says of its pipeline.
        const double planned = best.parts.pipeline * 1e9;
        QVERIFY2(std::abs(static_cast<double>(opened->document().result().makespan) - planned) <
                     0.02 * planned,
                 qPrintable(QString::number(planned)));
    }

    void returnInAFieldPlans()
    {
        PlanPage page;
        askSmall(page);
        for (const char* field : {"gpus", "model", "memory", "family"}) {
            QVERIFY(!page.busy());
            QTest::keyClick(page.findChild<QWidget*>(QString::fromLatin1(field)), Qt::Key_Return);
            QVERIFY2(page.busy(), field);
            QVERIFY(waitPlanned(page));
            QVERIFY(!page.rows().empty());
        }
    }

    void stoppedItGivesTheBestSoFar()
    {
        PlanPage page;
        choose(page, "model", "llama3-405b");
        setCount(page, "gpus", 4096);
        setCount(page, "global-batch", 4096);
        auto* button = page.findChild<QPushButton*>(QStringLiteral("plan"));
        const auto* progress = page.findChild<QProgressBar*>();
        QCOMPARE(button->text(), QStringLiteral("Plan"));
        QVERIFY(progress->isHidden()); // an empty one looks like a field
        button->click();
        QVERIFY(page.busy());
        QVERIFY(!progress->isHidden());
        QCOMPARE(button->text(), QStringLiteral("Stop"));
        QVERIFY(QTest::qWaitFor([&] { return progress->maximum() > 1 || !page.busy(); },
                                test::longest));
        if (page.busy())
            button->click();
        QVERIFY(waitPlanned(page));
        QCOMPARE(button->text(), QStringLiteral("Plan"));
        for (const plan::Evaluation& row : page.rows())
            QVERIFY(row.fits);
    }

    void wishesThatCannotBeAreRefusedWithTheLimit()
    {
        PlanPage page;
        askSmall(page);
        setCount(page, "pipeline-parallel", 3);
        page.plan();
        QVERIFY(waitPlanned(page));
        QVERIFY(page.rows().empty());
        QVERIFY2(!page.fields().refusal().isEmpty(), "no reason");
        choose(page, "model", "no-such-model");
        page.plan();
        QVERIFY(!page.busy());
        QVERIFY(page.fields().refusal().contains(QStringLiteral("no-such-model")));
        choose(page, "model", "llama3-8b");
        page.findChild<QDoubleSpinBox*>(QStringLiteral("memory"))->setValue(0.5);
        page.plan();
        QVERIFY(!page.busy());
        QVERIFY(page.fields().refusal().contains(QStringLiteral("0.5 GiB")));
    }

    void whereNothingFitsTheSmallestChangeIsSaid()
    {
        PlanPage page;
        askSmall(page);
        page.findChild<QDoubleSpinBox*>(QStringLiteral("memory"))->setValue(14);
        QSignalSpy helped(&page, &PlanPage::helped);
        page.plan();
        QVERIFY(waitPlanned(page));
        QVERIFY(page.rows().empty());
        QVERIFY2(page.fields().refusal().contains(QStringLiteral("needs")),
                 qPrintable(page.fields().refusal()));
        QVERIFY(QTest::qWaitFor([&] { return !helped.isEmpty(); }, test::longest));
        QVERIFY(page.findChild<QLabel*>(QStringLiteral("plan-words"))
                    ->text()
                    .contains(QStringLiteral("It would fit with")));
    }

    void closedMeanwhileNothingComes()
    {
        MainWindow window;
        window.show();
        window.commands().action(QStringLiteral("schedule.plan"))->trigger();
        auto* page = qobject_cast<PlanPage*>(window.page());
        choose(*page, "model", "llama3-405b");
        setCount(*page, "gpus", 4096);
        setCount(*page, "global-batch", 4096);
        page->plan();
        QVERIFY(window.closePage(page));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QElapsedTimer timer;
        timer.start();
        workers().waitForDone();
        QVERIFY(timer.elapsed() < 20'000);
    }
};

PW_WINDOW_TEST(TestPlanPage)
#include "tst_plan_page.moc"
