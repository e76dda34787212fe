// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Advice: what would make a schedule or a run shorter, below what it is.
#include "core/edit/compose.h"
#include "core/io/file_problem.h"
#include "core/io/project_file.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/advice/advice_page.h"
#include "ui/advice/held_view.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/panels/figure_table.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QUrl>
#include <QWindow>

using namespace pw;
using namespace pw::ui;

namespace {

/// 1F1B with a last stage that has more work than the others.
Project heavyHead()
{
    FamilyOptions options;
    options.devices = 4;
    options.microBatches = 8;
    Project project = projectOf("1f1b", options, UniformCosts{});
    const PipelineSpec& spec = project.draft.spec;
    Costs costs = expand(UniformCosts{}, spec);
    const auto last = cellIndex(spec, StageId(spec.stages() - 1), 0);
    for (std::vector<Ticks>* times : {&costs.forward, &costs.backward, &costs.weight})
        (*times)[last] += (*times)[last] * 3 / 4;
    project.costs = costs;
    return project;
}

bool waitAdvised(AdvicePage& page)
{
    return QTest::qWaitFor([&] { return !page.busy() && page.advice() != nullptr; }, test::longest);
}

QString sentence(const AdvicePage& page)
{
    return page.findChild<QLabel*>(QStringLiteral("advice-sentence"))->text();
}

/// A drop as the window system hands it over: the window finds who takes it. @return  whether one
/// did
bool dropOn(MainWindow& window, const QWidget& page, const QStringList& paths)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls += QUrl::fromLocalFile(path);
    data.setUrls(urls);
    const QPoint at = page.mapTo(&window, page.rect().center());
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(window.windowHandle(), &enter);
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(window.windowHandle(), &drop);
    return enter.isAccepted() && drop.isAccepted();
}

} // namespace

class TestAdvicePage : public QObject
{
    Q_OBJECT

private:
    static AdvicePage* ask(MainWindow& window)
    {
        window.commands().action(QStringLiteral("schedule.advice"))->trigger();
        return qobject_cast<AdvicePage*>(window.page());
    }

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { workers().waitForDone(); }

    void itNeedsAScheduleOrARun()
    {
        MainWindow window;
        window.show();
        const QAction* action = window.commands().action(QStringLiteral("schedule.advice"));
        QVERIFY(action != nullptr && !action->isEnabled());
    }

    void changesStandByTheirGainWithAnInterval()
    {
        MainWindow window;
        window.show();
        window.openProject(heavyHead());
        AdvicePage* page = ask(window);
        QVERIFY(page != nullptr);
        QVERIFY(waitAdvised(*page));
        const std::vector<AdvisedChange>& changes = page->advice()->changes;
        QVERIFY(changes.size() >= 2);
        QCOMPARE(page->changes().rowCount(), static_cast<int>(changes.size()));
        QCOMPARE(page->chosen(), std::optional<std::size_t>(0));
        for (std::size_t i = 0; i < changes.size(); ++i)
            QCOMPARE(page->changes().item(static_cast<int>(i), 2)->text(),
                     gainText(changes[i].promise.gain));
        QCOMPARE(gainText(0.214), QStringLiteral("−21.4 %"));
        QCOMPARE(gainText(-0.05), QStringLiteral("+5.0 %"));
        QCOMPARE(gainText(0.0004), QStringLiteral("none"));
        // The first one stands below what there is.
        QCOMPARE(page->comparison().rowCount(), 2);
        QVERIFY(page->comparison().compared(1)->times.makespan <
                page->comparison().compared(0)->times.makespan);
        page->changes().setCurrentCell(1, 0);
        QCOMPARE(page->comparison().compared(1)->title.toStdString(), changes[1].title);
        QVERIFY(page->figures().contains(QStringLiteral("…")));
    }

    void layersAreMovedWhereTheyAreKnown()
    {
        MainWindow window;
        window.show();
        window.openProject(heavyHead());
        AdvicePage* page = ask(window);
        QVERIFY(waitAdvised(*page));
        const auto splits = [&] {
            const std::vector<AdvisedChange>& changes = page->advice()->changes;
            return std::count_if(changes.begin(), changes.end(), [](const AdvisedChange& one) {
                return one.what == ChangeKind::Split;
            });
        };
        QCOMPARE(splits(), 0);
        auto* layers = page->findChild<QLineEdit*>(QStringLiteral("layers"));
        QTest::keyClicks(layers, QStringLiteral("4,4,4"));
        QTest::keyClick(layers, Qt::Key_Return);
        QVERIFY2(sentence(*page).contains(QStringLiteral("there are 4")),
                 qPrintable(sentence(*page)));
        QSignalSpy advised(page, &AdvicePage::advised);
        layers->clear();
        QTest::keyClicks(layers, QStringLiteral("16"));
        QTest::keyClick(layers, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!advised.isEmpty(), test::longest);
        QVERIFY(splits() > 0);
    }

    void aChangeBecomesASchedule()
    {
        MainWindow window;
        window.show();
        window.openProject(heavyHead());
        AdvicePage* page = ask(window);
        QVERIFY(waitAdvised(*page));
        const Ticks promised = page->comparison().compared(1)->times.makespan;
        QTest::mouseClick(page->findChild<QPushButton*>(QStringLiteral("open-change")),
                          Qt::LeftButton);
        SchedulePage* opened = window.schedulePage();
        QVERIFY(opened != nullptr);
        QTRY_VERIFY(opened->document().schedule() != nullptr);
        QTRY_COMPARE(opened->document().result().makespan, promised);
    }

    void aPromiseIsHeldAgainstWhatCame()
    {
        MainWindow window;
        window.show();
        window.openProject(heavyHead());
        AdvicePage* page = ask(window);
        QVERIFY(waitAdvised(*page));
        const AdvisedChange first = page->advice()->changes.front();
        Project changed;
        changed.draft = draftOf(first.promise.prediction.schedule);
        Costs costs = first.promise.prediction.costs;
        changed.costs = costs;
        page->changes().setCurrentCell(1, 0);
        page->setAfter(adviceSource(changed, "after"));
        QVERIFY2(sentence(*page).contains(QStringLiteral("held")), qPrintable(sentence(*page)));
        QCOMPARE(page->chosen(), std::optional<std::size_t>(0));
        QCOMPARE(page->held().figures().rowCount(), 6);
        // A faster machine keeps no promise: the steps are not comparable.
        for (auto table : {&Costs::forward, &Costs::backward, &Costs::weight, &Costs::fused})
            for (Ticks& time : costs.*table)
                time /= 2;
        changed.costs = costs;
        page->setAfter(adviceSource(changed, "after"));
        QVERIFY2(sentence(*page).contains(QStringLiteral("Not comparable")),
                 qPrintable(sentence(*page)));
        QVERIFY2(!sentence(*page).contains(QStringLiteral("held")), qPrintable(sentence(*page)));
        page->setAfter(fail(ErrorCode::Io, "the store is gone"));
        QVERIFY(sentence(*page).contains(QStringLiteral("the store is gone")));
    }

    /// As a person does: the traces of the changed training, from a file manager.
    void tracesAreDroppedOnThePage()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.openProject(heavyHead());
        AdvicePage* page = ask(window);
        QVERIFY(waitAdvised(*page));
        const AdvisedChange first = page->advice()->changes.front();
        const Prediction& made = first.promise.prediction;
        const QTemporaryDir place;
        QVERIFY(QDir(place.path()).mkdir(QStringLiteral("changed")));
        for (const test::TraceText& file :
             test::chromeTraces(made.schedule, made.result, test::TraceForm::Kineto, 3))
            test::writeTrace(
                place.filePath(QStringLiteral("changed/") + text(file.name)).toStdString(),
                file.text);
        QVERIFY(dropOn(window, *page, {place.filePath(QStringLiteral("changed"))}));
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), test::longest);
        QVERIFY2(sentence(*page).contains(QStringLiteral("Where the difference lies")),
                 qPrintable(sentence(*page)));
        QVERIFY2(sentence(*page).contains(QStringLiteral("Comparable")),
                 qPrintable(sentence(*page)));
        QVERIFY(sentence(*page).contains(coreSentence(first.title)));
        QCOMPARE(page->chosen(), std::optional<std::size_t>(0));
        const FigureTable& held = page->held().figures();
        QCOMPARE(held.rowCount(), 6);
        QCOMPARE(held.item(1, 1)->text(), durationText(first.promise.step));
        QCOMPARE(held.item(1, 2)->text(), gainText(first.promise.gain));
        const auto* after = page->findChild<QComboBox*>(QStringLiteral("after"));
        QCOMPARE(after->currentText(), QStringLiteral("changed"));
        // The page took it, and the window did not import it too.
        QCOMPARE(window.page(), page);
        QVERIFY(window.findChildren<QDialog*>().isEmpty());
    }

    void whatIsNoTraceIsRefusedInWords()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.openProject(heavyHead());
        AdvicePage* page = ask(window);
        QVERIFY(waitAdvised(*page));
        const QTemporaryDir empty;
        QVERIFY(dropOn(window, *page, {empty.path()}));
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), test::longest);
        QVERIFY2(sentence(*page).contains(QStringLiteral("has no .json")),
                 qPrintable(sentence(*page)));
        QCOMPARE(page->held().figures().rowCount(), 0);
    }

    /// The advice is of other layers now; what was dropped is held against the new one.
    void otherLayersAreHeldAgainstTheSameTrace()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.openProject(heavyHead());
        AdvicePage* page = ask(window);
        QVERIFY(waitAdvised(*page));
        const QTemporaryDir place;
        const QString path = place.filePath(QStringLiteral("same.pipewright.json"));
        QVERIFY(writeFile(path.toStdString(), *writeProject(heavyHead())));
        QVERIFY(dropOn(window, *page, {path}));
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), test::longest);
        const QString nothing = QStringLiteral("nothing was changed");
        QVERIFY2(sentence(*page).contains(nothing), qPrintable(sentence(*page)));
        QSignalSpy advised(page, &AdvicePage::advised);
        auto* layers = page->findChild<QLineEdit*>(QStringLiteral("layers"));
        QTest::keyClicks(layers, QStringLiteral("16"));
        QTest::keyClick(layers, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!advised.isEmpty(), test::longest);
        QVERIFY2(sentence(*page).contains(nothing), qPrintable(sentence(*page)));
    }
};

PW_WINDOW_TEST(TestAdvicePage)
#include "tst_advice_page.moc"
