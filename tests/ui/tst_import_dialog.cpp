// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/import_hand.h"
#include "tests/support/job_traces.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_maker.h"
#include "ui/document/background.h"
#include "ui/keep/recent_files.h"
#include "ui/runs/run_history.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/importing.h"
#include "ui/window/opening.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QSemaphore>
#include <QSettings>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QUrl>

#include <algorithm>

using namespace pw;
using namespace pw::ui;
using test::button;
using test::closeQuietly;
using test::foundDialog;
using test::listOf;
using test::press;
using test::readDialog;
using test::readPage;
using test::said;

namespace {

void drop(MainWindow& window, const QStringList& paths)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls += QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &dropped);
}

} // namespace

class TestImportDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::useStudioHome(m_home, "tst_import_dialog");
        for (const test::TraceText& file :
             test::chromeTraces(m_run.schedule, m_run.result, test::TraceForm::Kineto, 3)) {
            m_files += m_traces.filePath(QString::fromStdString(file.name));
            test::writeTrace(m_files.last().toStdString(), file.text);
        }
    }

    void init()
    {
        QSettings().clear();
        qputenv("PIPEWRIGHT_STORE",
                m_home.filePath(QStringLiteral("%1.sqlite").arg(++m_count)).toLocal8Bit());
    }

    void aFolderIsPreviewedKeptAndOpened()
    {
        MainWindow window;
        window.show();
        drop(window, {m_traces.path()});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        const QString found = said(*dialog);
        for (const char* part :
             {"Kineto, 4 ranks", "ZB-H1, 0 of 96 entries out of order", "4 devices, 4 stages",
              "8 micro-batches, B and W", "288 in 3 iterations", "host clock", "fitted"})
            QVERIFY2(found.contains(QString::fromLatin1(part)), qPrintable(found));
        const auto* ranks = listOf<QTableWidget>(*dialog, "Ranks");
        QVERIFY(ranks != nullptr);
        QCOMPARE(ranks->rowCount(), 4);
        QCOMPARE(ranks->item(2, 0)->text(), QStringLiteral("2"));
        QVERIFY(listOf<QTableWidget>(*dialog, "Repairs") == nullptr);
        QVERIFY(listOf<QListWidget>(*dialog, "Unknown (") != nullptr);
        QVERIFY(window.pages().empty()); // nothing is kept unasked
        QVERIFY(!QFile::exists(window.findChild<RunHistory*>()->path()));
        auto* title = dialog->findChild<QLineEdit*>(QStringLiteral("title"));
        title->selectAll();
        QTest::keyClicks(title, QStringLiteral("seen elsewhere"));
        const QPointer<ImportDialog> watched(dialog);
        QTest::keyClick(title, Qt::Key_Return); // Keep and open is the default
        QTRY_VERIFY(qobject_cast<RunPage*>(window.page()) != nullptr);
        QTRY_VERIFY(watched.isNull());
        auto& page = *qobject_cast<RunPage*>(window.page());
        QTRY_VERIFY(page.records() != nullptr);
        QCOMPARE(page.title(), QStringLiteral("run 1 · seen elsewhere"));
        QVERIFY(page.shown()->measured.start == m_run.result.start);
        QCOMPARE(page.shown()->countOf(Trust::Host), std::int64_t{96});
        const auto labels = page.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() &&
                   label->text() == QStringLiteral("How times are known: host clock.");
        }));
        QCOMPARE(recentFiles(), QStringList{m_traces.path()});
        // It has the keys and charts of any run.
        QVERIFY(page.charts().shown(bubbleChart) || page.charts().shown(memoryChart));
        page.timeline().select({0, 0});
        QTest::keyClick(page.timeline().viewport(), Qt::Key_BracketRight);
        QVERIFY(page.timeline().current() != (SpanRef{0, 0}));
        QTRY_COMPARE(window.findChild<RunHistory*>()->runs().size(), std::size_t{1});
        QVERIFY(closeQuietly(window));
    }

    void severalFilesAreTheRanksOfOneRun()
    {
        MainWindow window;
        window.show();
        openFiles(window, m_files);
        QVERIFY(readDialog(window) != nullptr);
        QCOMPARE(window.findChildren<ImportDialog*>().size(), 1);
        QVERIFY(said(*readDialog(window)).contains(QStringLiteral("4 ranks")));
        QVERIFY(closeQuietly(window));
    }

    void aJobIsToldInSentences()
    {
        const QTemporaryDir folder;
        test::MadeJob job;
        job.slowReplica = job.slowStage = 1;
        const QString file = folder.filePath(QStringLiteral("job.json"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(test::megatronText(job)));
        out.close();
        MainWindow window;
        window.show();
        drop(window, {file});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        const auto* sentences = listOf<QListWidget>(*dialog, "The job (");
        QVERIFY(sentences != nullptr);
        QVERIFY(sentences->item(0)->text().startsWith(
            QStringLiteral("3 replicas of 4 stages, 6 steps; a step takes ")));
        QVERIFY(sentences->item(2)->text().startsWith(
            QStringLiteral("stage 1 of replica 1 (rank 1) computes slowly")));
        QVERIFY(closeQuietly(window));
    }

    /// Two threads of one process wrote the same passes: two runs in one file.
    void oneOfSeveralRunsIsChosen()
    {
        const QTemporaryDir folder;
        test::MadeJob job;
        job.replicas = 1;
        job.steps = 1;
        const QByteArray first = QByteArray::fromStdString(test::megatronText(job));
        job.factor = 2;
        job.heavyStage = 1;
        QByteArray second = QByteArray::fromStdString(test::megatronText(job));
        second.replace(R"("tid":0)", R"("tid":1)");
        const QString file = folder.filePath(QStringLiteral("both.json"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        const QByteArray head = R"({"traceEvents":[)";
        out.write(first.chopped(2) + "," + second.mid(head.size()));
        out.close();
        MainWindow window;
        window.show();
        drop(window, {file});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->imported()->runs, 2);
        const Ticks before = dialog->imported()->pipeline().iteration()->makespan();
        auto* runs = dialog->findChild<QComboBox*>(QStringLiteral("runOfFile"));
        QVERIFY(runs != nullptr && runs->currentIndex() == 0);
        QCOMPARE(runs->itemText(1), QStringLiteral("Run 2 of 2"));
        runs->setCurrentIndex(1);
        Q_EMIT runs->activated(1);
        QTRY_VERIFY(dialog->imported() != nullptr && dialog->imported()->run == 1);
        QVERIFY(dialog->imported()->pipeline().iteration()->makespan() > before);
        runs = dialog->findChild<QComboBox*>(QStringLiteral("runOfFile"));
        QVERIFY(runs != nullptr);
        QCOMPARE(runs->currentIndex(), 1);
        QVERIFY(closeQuietly(window));
    }

    void theMenuAsksForFiles()
    {
        MainWindow window;
        window.show();
        window.commands().action(QStringLiteral("file.import-trace"))->trigger();
        auto* files = window.findChild<QFileDialog*>();
        QVERIFY(files != nullptr);
        QCOMPARE(files->fileMode(), QFileDialog::ExistingFiles);
        Q_EMIT files->filesSelected({m_files.first()});
        files->reject();
        QVERIFY(readDialog(window) != nullptr);
        QVERIFY(closeQuietly(window));
    }

    void aPlanHasTheFittedCostsOfTheTrace()
    {
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        press(button(*dialog, "plan"));
        QTRY_VERIFY(window.schedulePage() != nullptr);
        QTRY_VERIFY(window.findChild<ImportDialog*>() == nullptr);
        ScheduleDocument& document = window.schedulePage()->document();
        QTRY_VERIFY(document.schedule() != nullptr);
        QVERIFY(document.schedule()->orders() == m_run.schedule.orders());
        QCOMPARE(document.result().makespan, m_run.result.makespan);
        QCOMPARE(QString::fromStdString(document.project().family->id), QStringLiteral("zb-h1"));
        QVERIFY(!QFile::exists(window.findChild<RunHistory*>()->path()));
        QVERIFY(closeQuietly(window));
    }

    void contentTellsAProjectFromATrace()
    {
        const QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("a.json"));
        const QString trace = folder.filePath(QStringLiteral("b.pipewright.json"));
        QVERIFY(
            saveProject(projectOf("zb-h1", {}, UniformCosts{}), project.toStdString()).has_value());
        QVERIFY(QFile::copy(m_files.first(), trace));
        MainWindow window;
        window.show();
        drop(window, {trace, project});
        QVERIFY(window.schedulePage() != nullptr);
        QVERIFY(readDialog(window) != nullptr);
        QCOMPARE(window.pages().size(), std::size_t{1});
        QVERIFY(closeQuietly(window));
    }

    void aTableOfPassesIsATraceAndNoSchedule()
    {
        const QTemporaryDir folder;
        const std::string table =
            test::makeTrace(folder.path().toStdString(), test::TraceFormat::OwnTable,
                            m_run.schedule, m_run.result)
                .files[0];
        MainWindow window;
        window.show();
        drop(window, {QString::fromStdString(table)});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        QVERIFY(window.schedulePage() == nullptr);
        QVERIFY(closeQuietly(window));
    }

    void damageIsListedWithItsBytes()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("interleaved-1f1b"), test::sized(4, 8),
                            test::equalStages(2'000'000, 1'900'000, 1'700'000));
        std::string text =
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron)[0].text;
        const std::string before = "\"iteration\": 10";
        const std::size_t at = text.find(before) + before.size();
        text.insert(at, ", \"loss\": Infinity");
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("damaged.json"));
        test::writeTrace(path.toStdString(), text);
        MainWindow window;
        window.show();
        QVERIFY(window.open(path));
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        auto* repairs = listOf<QTableWidget>(*dialog, "Repairs (1)");
        QVERIFY(repairs != nullptr);
        QVERIFY(repairs->isVisible()); // before all other lists
        QCOMPARE(repairs->item(0, 0)->text().remove(QLatin1Char(',')),
                 QString::number(at + std::string(", \"loss\": ").size()));
        QVERIFY(!repairs->item(0, 1)->text().isEmpty());
        QVERIFY(button(*dialog, "plan")->isEnabled());
        QVERIFY(closeQuietly(window));
    }

    void anIncompleteTraceIsAPictureAtOnceAndNotKept()
    {
        MainWindow window;
        window.show();
        QVERIFY(window.open(m_files[1]));
        ActivityPage* page = readPage(window);
        QVERIFY(page != nullptr && page->foundBar() != nullptr);
        QVERIFY2(page->foundBar()->sentence().startsWith(
                     QStringLiteral("The order of the 72 passes that are labelled is not")),
                 qPrintable(page->foundBar()->sentence()));
        QCOMPARE(recentFiles(), QStringList{m_files[1]});
        ImportDialog* dialog = foundDialog(window);
        QVERIFY(dialog != nullptr);
        QVERIFY(!button(*dialog, "keep")->isEnabled());
        QVERIFY(!button(*dialog, "plan")->isEnabled());
        const auto* why = dialog->findChild<QLabel*>(QStringLiteral("obstacle"));
        QVERIFY(why != nullptr && why->isVisible());
        QVERIFY2(why->text().startsWith(QStringLiteral("No run and no plan can be made of it: ")),
                 qPrintable(why->text()));
        QVERIFY(!button(*dialog, "rows")->isVisible()); // its rows are the page
        QVERIFY2(why->text().contains(QStringLiteral("stage")), qPrintable(why->text()));
        QVERIFY(said(*dialog).contains(QStringLiteral("unknown")));
        const QPointer<ImportDialog> watched(dialog);
        press(button(*dialog, "close"));
        QTRY_VERIFY(watched.isNull());
        QCOMPARE(window.pages().size(), std::size_t{1});
        QVERIFY(!QFile::exists(window.findChild<RunHistory*>()->path()));
        QVERIFY(closeQuietly(window));
    }

    void aLogSaysWhatItHas_data()
    {
        QTest::addColumn<QByteArray>("iterations");
        QTest::newRow("with timers of a rank") << QByteArray(
            " iteration 10/ 20 | elapsed time per iteration (ms): 1000.0 | lm loss: 7 |\n"
            "time (ms) | forward-recv: 130.00 | backward-embedding-all-reduce: 310.00\n"
            " iteration 20/ 20 | elapsed time per iteration (ms): 1000.0 | lm loss: 7 |\n"
            "time (ms) | forward-recv: 130.00 | backward-embedding-all-reduce: 310.00\n");
        QTest::newRow("of a run that died before its first iteration") << QByteArray();
    }

    void aLogSaysWhatItHas()
    {
        QFETCH(QByteArray, iterations);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("train.out"));
        test::writeTrace(path.toStdString(),
                         "using world size: 16, data-parallel-size: 1, tensor-model-parallel size: "
                         "4, pipeline-model-parallel size: 4\n" +
                             iterations.toStdString());
        MainWindow window;
        window.show();
        QVERIFY(window.open(path));
        // Without an iteration there is nothing to draw, and the dialog stays.
        ImportDialog* dialog = iterations.isEmpty() ? readDialog(window) : foundDialog(window);
        QVERIFY(dialog != nullptr);
        if (!iterations.isEmpty()) {
            const auto* page = qobject_cast<ActivityPage*>(window.page());
            QVERIFY(page != nullptr && page->foundBar() != nullptr);
            const QString sentence = page->foundBar()->sentence();
            QVERIFY2(sentence.startsWith(QStringLiteral("A log of a training tells sums over "
                                                        "iterations and no single pass: the job: "
                                                        "4 stages")),
                     qPrintable(sentence));
        }
        QVERIFY(!button(*dialog, "plan")->isEnabled());
        auto* log = listOf<QListWidget>(*dialog, "What the log says");
        QVERIFY(log != nullptr && log->isVisible()); // before the lists of names
        QStringList lines;
        for (int row = 0; row < log->count(); ++row)
            lines += log->item(row)->text();
        QCOMPARE(!lines.filter(QStringLiteral("fill and drain are 44.0 %")).isEmpty(),
                 !iterations.isEmpty());
        const QPointer<ImportDialog> watched(dialog);
        press(button(*dialog, "close"));
        QTRY_VERIFY(watched.isNull());
        QVERIFY(closeQuietly(window));
    }

    void everyWayInIsAPictureAtOnce_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("dropped") << 0;
        QTest::newRow("File > Import") << 1;
        QTest::newRow("File > Open, command line") << 2;
    }

    void everyWayInIsAPictureAtOnce()
    {
        QFETCH(int, way);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("rank3.json"));
        test::writeTrace(path.toStdString(),
                         R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"gemm","pid":0,)"
                         R"("tid":7,"ts":1,"dur":5,"args":{"stream":7}}]})");
        MainWindow window;
        if (way == 2) {
            openFiles(window, {path}); // before the window is shown, as `main` does it
            window.show();
        } else {
            window.show();
        }
        if (way == 0)
            drop(window, {path});
        if (way == 1) {
            window.commands().action(QStringLiteral("file.import-trace"))->trigger();
            auto* files = window.findChild<QFileDialog*>();
            QVERIFY(files != nullptr);
            Q_EMIT files->filesSelected({path});
            files->reject();
        }
        ActivityPage* page = readPage(window);
        QVERIFY(page != nullptr);
        QCOMPARE(page->title(), QStringLiteral("rank3.json"));
        QVERIFY2(page->foundBar()->sentence().startsWith(
                     QStringLiteral("No pass is labelled in this trace")),
                 qPrintable(page->foundBar()->sentence()));
        // Its proposals are one press away.
        auto* see = page->findChild<QPushButton*>(QStringLiteral("seeProposals"));
        QTRY_VERIFY(see->isEnabled());
        press(see);
        QVERIFY(page->proposals().isVisible());
        QVERIFY(closeQuietly(window));
    }

    void keepingIsStoppedAndLeavesNothing()
    {
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        // The worker begins when it has been stopped.
        QSemaphore gate;
        const int busy = workers().maxThreadCount();
        for (int i = 0; i < busy; ++i)
            workers().start([&gate] { gate.acquire(); });
        press(button(*dialog, "keep"));
        auto* stop = button(*dialog, "stopKeeping");
        QVERIFY(stop->isVisible());
        QTest::keyClick(dialog, Qt::Key_Escape); // stops it too, and does not close the dialog
        QVERIFY(dialog->isVisible() && !stop->isEnabled());
        gate.release(busy);
        const auto* told = dialog->findChild<QLabel*>(QStringLiteral("said"));
        QTRY_VERIFY(told->text().startsWith(QStringLiteral("Not kept: ")));
        QVERIFY2(told->text().contains(QStringLiteral("keeping was stopped; nothing of it is in")),
                 qPrintable(told->text()));
        QVERIFY(!stop->isVisible());
        QVERIFY(button(*dialog, "keep")->isEnabled());
        const std::string store = window.findChild<RunHistory*>()->path().toStdString();
        Result<RunStore> opened = RunStore::openToRead(store);
        QVERIFY(opened && opened->runs()->empty());
        // It can be kept after all.
        press(button(*dialog, "keep"));
        QTRY_VERIFY(qobject_cast<RunPage*>(window.page()) != nullptr);
        QVERIFY(closeQuietly(window));
    }

    void whatIsNoTraceIsToldByName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("words");
        QTest::newRow("other JSON, packed")
            << QStringLiteral("other.json.gz") << QByteArray("{ \"a\": 1 }")
            << QStringLiteral("other.json.gz: JSON without traceEvents");
        QTest::newRow("SQLite of something else")
            << QStringLiteral("other.sqlite") << QByteArray("SQLite format 3\0 and more", 25)
            << QStringLiteral("other.sqlite");
        QTest::newRow("a list of numbers")
            << QStringLiteral("list.json") << QByteArray("[1, 2]")
            << QStringLiteral("not a trace: its list holds numbers or lists in place of events");
    }

    void whatIsNoTraceIsToldByName()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, words);
        const QTemporaryDir folder;
        test::writeTrace(folder.filePath(name).toStdString(), content.toStdString());
        MainWindow window;
        window.show();
        QVERIFY(window.open(folder.filePath(name)));
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        QVERIFY2(said(*dialog).contains(words), qPrintable(said(*dialog)));
        QVERIFY(!button(*dialog, "keep")->isEnabled());
        QVERIFY(closeQuietly(window));
    }

    void readingIsCancelled()
    {
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        auto* dialog = window.findChild<ImportDialog*>();
        QVERIFY(dialog != nullptr && dialog->imported() == nullptr);
        const QPointer<ImportDialog> watched(dialog);
        dialog->open();
        QCOMPARE(button(*dialog, "close")->text(), QStringLiteral("Cancel"));
        press(button(*dialog, "close"));
        QTRY_VERIFY(watched.isNull());
        QVERIFY(window.pages().empty());
        QVERIFY(closeQuietly(window));
    }

    void aStoreThatCannotBeWrittenIsToldInTheDialog()
    {
        MainWindow window;
        window.show();
        window.findChild<RunHistory*>()->setPath(m_traces.path());
        importTraces(window, {m_traces.path()});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        press(button(*dialog, "keep"));
        const auto* told = dialog->findChild<QLabel*>(QStringLiteral("said"));
        QTRY_VERIFY(told->text().startsWith(QStringLiteral("Not kept: ")));
        QVERIFY2(told->text().contains(m_traces.path()), qPrintable(told->text()));
        QVERIFY(button(*dialog, "keep")->isEnabled());
        QVERIFY(closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
    QTemporaryDir m_traces;
    QStringList m_files;
    int m_count = 0;
    test::FamilyRun m_run = test::runFamily(test::familyOf("zb-h1"), test::sized(4, 8),
                                            test::equalStages(2'000'000, 1'900'000, 1'700'000));
};

PW_WINDOW_TEST(TestImportDialog)
#include "tst_import_dialog.moc"
