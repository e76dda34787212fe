// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Plans and comparisons that are kept beside runs, and opened again.
#include "core/base/text.h"
#include "core/io/project_file.h"
#include "tests/support/compared.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/stored_runs.h"
#include "tests/support/test_program.h"
#include "ui/compare/kept_comparison.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/background.h"
#include "ui/plan/plan_page.h"
#include "ui/presentation.h"
#include "ui/runs/run_history.h"
#include "ui/runs/run_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/answer_page.h"
#include "ui/window/commands.h"
#include "ui/window/comparisons.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>

using namespace pw;
using namespace pw::ui;

namespace {

bool patiently(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, test::longest);
}

/// Few configurations.
const QString smallPlan =
    QStringLiteral("pipewright plan --model=llama3-8b --hardware=h100 --gpus=8 --global-batch=32 "
                   "--pipeline-parallel=4 --tensor-parallel=2 --micro-batch-size=1 --family=1f1b "
                   "--recompute-policy none --context-parallel=1");

/// Presses the button of a page that keeps what it shows. @return  the answer's number
std::int64_t keepFrom(MainWindow& window)
{
    RunHistory& history = window.studio().history;
    const std::size_t before = history.answers().size();
    auto* button = window.page()->findChild<QPushButton*>(QStringLiteral("keep"));
    if (button == nullptr || !patiently([button] { return button->isEnabled(); }))
        return 0;
    button->click();
    return patiently([&] { return history.answers().size() > before; })
               ? history.answers().front().number
               : 0;
}

QString cellOf(const RunsPanel& panel, int row, int column)
{
    return panel.table()->model()->index(row, column).data().toString();
}

StoredAnswer answerOf(const QString& question)
{
    StoredAnswer kept;
    kept.number = 7;
    kept.question = question.toStdString();
    return kept;
}

} // namespace

class TestReopenedAnswers : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;
    int m_count = 0;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void init()
    {
        qputenv("PIPEWRIGHT_STORE",
                m_folder.path(QStringLiteral("%1.sqlite").arg(++m_count)).toUtf8());
    }
    void cleanup() { workers().waitForDone(); }

    void fieldsAndCommandLineSayTheSame()
    {
        PlanFields fields;
        for (const auto& [name, value] :
             {std::pair{"gpus", 16}, std::pair{"global-batch", 48}, std::pair{"sequence", 4096},
              std::pair{"tensor-parallel", 2}, std::pair{"pipeline-parallel", 4},
              std::pair{"data-parallel", 2}, std::pair{"context-parallel", 1},
              std::pair{"micro-batch-size", 3}, std::pair{"chunks", 2}, std::pair{"per-node", 4}})
            fields.findChild<QSpinBox*>(QString::fromLatin1(name))->setValue(value);
        const QList<QDoubleSpinBox*> numbers = fields.findChildren<QDoubleSpinBox*>();
        for (QDoubleSpinBox* number : numbers)
            number->setValue(64.5);
        for (const auto& [name, at] : {std::pair{"family", 3}, std::pair{"recompute", 2},
                                       std::pair{"offload", 3}, std::pair{"zero", 2}})
            fields.findChild<QComboBox*>(QString::fromLatin1(name))->setCurrentIndex(at);
        const Result<PlanAsked> asked = fields.asked();
        QVERIFY2(asked, asked ? "" : asked.error().message.c_str());
        PlanFields others;
        QCOMPARE(others.take(fields.question()), QString());
        QCOMPARE(others.question(), fields.question());
        const Result<PlanAsked> again = others.asked();
        QVERIFY(again);
        QCOMPARE(again->wish, asked->wish);
        QCOMPARE(again->cluster, asked->cluster);
        QCOMPARE(again->model, asked->model);
        QVERIFY(others.narrowShown());
    }

    /// A question that was kept when its options had other names still fills the fields.
    void oldNamesOfOptionsAreTaken()
    {
        QString old = smallPlan;
        old.replace(QLatin1String("--recompute-policy"), QLatin1String("--recompute"));
        QVERIFY(old != smallPlan);
        PlanFields fields;
        QCOMPARE(fields.take(old + QStringLiteral(" --memory=64")), QString());
        const QString now = fields.question();
        QVERIFY2(now.contains(QLatin1String("--recompute-policy none")), qPrintable(now));
        QVERIFY2(now.contains(QLatin1String("--memory-limit 64")), qPrintable(now));
    }

    void whatNoFieldSaysIsTold_data()
    {
        QTest::addColumn<QString>("question");
        QTest::addColumn<QString>("told");
        QTest::newRow("a model of its own")
            << QStringLiteral("pipewright plan --hidden=4096 --global-batch=8")
            << QStringLiteral("--hidden=4096");
        QTest::newRow("a split") << smallPlan + QStringLiteral(" --split=8,8,8,8")
                                 << QStringLiteral("--split=8,8,8,8");
        QTest::newRow("a size that no field takes")
            << QString(smallPlan).replace(QLatin1String("batch=32"), QLatin1String("batch=0"))
            << QStringLiteral("--global-batch 0");
        QTest::newRow("another command") << QStringLiteral("pipewright compare gpipe")
                                         << QStringLiteral("pipewright compare gpipe");
        QTest::newRow("no model") << QStringLiteral("pipewright plan --global-batch=8")
                                  << QStringLiteral("--model");
    }
    void whatNoFieldSaysIsTold()
    {
        QFETCH(QString, question);
        QFETCH(QString, told);
        PlanFields fields;
        const QString before = fields.question();
        QCOMPARE(fields.take(question), told);
        QCOMPARE(fields.question(), before);
    }

    void aPlanIsKeptAndOpenedAgain()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.commands().action(QStringLiteral("schedule.plan"))->trigger();
        auto* page = qobject_cast<PlanPage*>(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(!page->findChild<QPushButton*>(QStringLiteral("keep"))->isEnabled());
        QCOMPARE(page->fields().take(smallPlan), QString());
        page->plan();
        QVERIFY(patiently([page] { return !page->busy() && !page->rows().empty(); }));
        const std::vector<plan::Evaluation> rows = page->rows();
        QCOMPARE(keepFrom(window), std::int64_t{1});
        // It stands in the list, and a double click opens it on a page of plans.
        auto& panel = *window.findChild<RunsPanel*>();
        QVERIFY(patiently([&panel] { return panel.table()->model()->rowCount() == 1; }));
        QCOMPARE(cellOf(panel, 0, RunModel::Number), QStringLiteral("a1"));
        QCOMPARE(cellOf(panel, 0, RunModel::Backend), QStringLiteral("plan"));
        panel.showRun(-1);
        Q_EMIT panel.table()->doubleClicked(panel.table()->model()->index(0, 0));
        QVERIFY(patiently([&window, page] { return window.page() != page; }));
        auto* again = qobject_cast<PlanPage*>(window.page());
        QVERIFY(again != nullptr);
        QVERIFY(patiently([again] { return !again->busy() && !again->rows().empty(); }));
        QVERIFY(again->rows() == rows);
        const QString words = again->findChild<QLabel*>(QStringLiteral("plan-words"))->text();
        QVERIFY2(words.startsWith(QStringLiteral("Kept as a1, ")) &&
                     words.endsWith(QStringLiteral(" So it does now.")),
                 qPrintable(words));
    }

    void whatNoPageAsksIsShownAsItWasPrinted()
    {
        MainWindow window;
        window.show();
        RunHistory& history = window.studio().history;
        history.keep({AnswerKind::Plan, "own model",
                      "pipewright plan --hidden=4096 --global-batch=8", "the table of it\n", "[]"});
        history.keep({AnswerKind::Comparison, "of an older version", "pipewright compare gpipe",
                      "its table\n", R"([{"title": "GPipe", "makespan_ms": 3}])"});
        QVERIFY(patiently([&history] { return history.answers().size() == 2; }));
        auto& panel = *window.findChild<RunsPanel*>();
        for (const auto& [number, said] :
             {std::pair{-1, "the table of it\n"}, std::pair{-2, "its table\n"}}) {
            Page* const before = window.page();
            panel.showRun(number);
            panel.openSelected();
            QVERIFY(patiently([&window, before] { return window.page() != before; }));
            auto* page = qobject_cast<AnswerPage*>(window.page());
            QVERIFY(page != nullptr);
            QCOMPARE(page->findChild<QPlainTextEdit*>()->toPlainText(), QString::fromLatin1(said));
        }
    }

    void aComparisonIsKeptWithWhatItIsMadeOf()
    {
        const test::FamilyRun measured = test::plannedRun("1f1b");
        const QString store = QString::fromUtf8(qgetenv("PIPEWRIGHT_STORE"));
        const RunNumber run = test::storeRun(store, measured, "measured", "1f1b");
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        RunHistory& history = window.studio().history;
        QVERIFY(patiently([&history, run] { return history.run(run) != nullptr; }));
        window.studio().comparisons.compareWithPlan(run);
        const auto* page = test::picturesOf(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(patiently([page] { return page->difference(1) != nullptr; }));
        QCOMPARE(keepFrom(window), std::int64_t{1});
        auto& panel = *window.findChild<RunsPanel*>();
        panel.showRun(-1);
        panel.openSelected();
        QVERIFY(patiently([&window, page] { return test::picturesOf(window.page()) != page; }));
        const auto* again = test::picturesOf(window.page());
        QVERIFY(again != nullptr);
        QVERIFY(patiently([again] { return again->difference(1) != nullptr; }));
        QCOMPARE(again->rowCount(), 2);
        for (int row = 0; row < 2; ++row) {
            QVERIFY(again->compared(row)->times.start == page->compared(row)->times.start);
            QCOMPARE(again->compared(row)->memory.total, page->compared(row)->memory.total);
        }
        QCOMPARE(again->compared(1)->run, run);
    }

    void aComparisonOfTheCommandLineIsOpened()
    {
        // As `pipewright compare --keep` writes it: figures, and the project of each row.
        const std::string project = *writeProject(projectOf("gpipe", {}, UniformCosts{}));
        const Result<ComparedPtr> one = comparedProject(QStringLiteral("GPipe"), project);
        QVERIFY(one);
        const Result<std::string> data =
            comparisonData({{QStringLiteral("GPipe"), {}, *one, nullptr, nullptr, {}},
                            {QStringLiteral("ZB-V"),
                             QStringLiteral("needs more devices"),
                             nullptr,
                             nullptr,
                             nullptr,
                             {}}});
        QVERIFY(data);
        MainWindow window;
        window.show();
        StoredAnswer kept = answerOf({});
        kept.kind = AnswerKind::Comparison;
        kept.data = *data;
        QVERIFY(window.studio().comparisons.reopen(kept));
        const auto* page = test::picturesOf(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(patiently([page] { return page->compared(0) != nullptr; }));
        QCOMPARE(page->compared(0)->times.makespan, (*one)->times.makespan);
        QVERIFY(page->compared(1) == nullptr);
        for (const char* broken : {"", "{}", "[1]", R"([{"title": "x"}])", R"([{"run": -1}])"}) {
            kept.data = broken;
            QVERIFY(!window.studio().comparisons.reopen(kept));
        }
    }

    void deletingCanBeUndone()
    {
        const QString store = QString::fromUtf8(qgetenv("PIPEWRIGHT_STORE"));
        const RunNumber run = test::storeRun(store, test::plannedRun("1f1b"), "a run", "1f1b");
        {
            RunHistory history(store);
            history.keep({AnswerKind::Plan, "first", "pipewright plan", "text", "[]"});
            history.keep({AnswerKind::Plan, "second", "pipewright plan", "text", "[]"});
            QVERIFY(patiently([&] { return history.answers().size() == 2 && history.run(run); }));
            history.rename(-2, QStringLiteral("renamed"));
            history.annotate(-2, QStringLiteral("why"));
            history.remove({-1, run});
            QCOMPARE(history.answers().size(), std::size_t{1});
            QVERIFY(history.runs().empty());
            history.undoRemove();
            QCOMPARE(history.answers().size(), std::size_t{2});
            QVERIFY(history.run(run) != nullptr);
            history.remove({-1});
            QCOMPARE(history.answers().size(), std::size_t{1});
        }
        // With the history goes what is hidden, and nothing else.
        AnswerStore kept = *AnswerStore::openToRead(store.toStdString());
        const std::vector<StoredAnswer> left = *kept.answers();
        QCOMPARE(left.size(), std::size_t{1});
        QCOMPARE(left.front().title, std::string("renamed"));
        QCOMPARE(left.front().notes, std::string("why"));
        QVERIFY(RunStore::openToRead(store.toStdString())->run(run));
    }

    void thePanelDeletesAndBringsBack()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        RunHistory& history = window.studio().history;
        history.keep({AnswerKind::Plan, "a plan", "pipewright plan", "text", "[]"});
        auto& panel = *window.findChild<RunsPanel*>();
        QVERIFY(patiently([&panel] { return panel.table()->model()->rowCount() == 1; }));
        panel.showRun(-1);
        QCOMPARE(panel.selected(), std::vector<KeptNumber>{-1});
        QVERIFY(panel.selectedRuns().empty());
        panel.deleteSelected();
        QCOMPARE(panel.table()->model()->rowCount(), 0);
        panel.findChild<QToolButton*>(QStringLiteral("undo-delete"))->click();
        QCOMPARE(panel.table()->model()->rowCount(), 1);
        QCOMPARE(cellOf(panel, 0, RunModel::Title), QStringLiteral("a plan"));
    }
};

PW_WINDOW_TEST(TestReopenedAnswers)
#include "tst_reopened_answers.moc"
