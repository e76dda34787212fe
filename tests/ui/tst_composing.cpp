// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/models/clip_mime.h"
#include "ui/models/palette_drop.h"
#include "ui/panels/palette_panel.h"
#include "ui/presentation.h"
#include "ui/timeline/choice_button.h"
#include "ui/timeline/empty_note.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QSpinBox>
#include <QTest>

#include <memory>
#include <random>

using namespace pw;
using namespace pw::ui;

namespace {

/// What the window says.
QString told(MainWindow& window)
{
    return window.findChild<QLabel*>(QStringLiteral("told"))->text();
}

/// A command as a person sees it: one that cannot be used does nothing.
void run(MainWindow& window, const char* id)
{
    QAction* action = window.commands().action(QString::fromLatin1(id));
    QVERIFY2(action != nullptr, id);
    action->trigger();
}

QString whyNot(MainWindow& window, const char* id)
{
    const QAction* action = window.commands().action(QString::fromLatin1(id));
    return action->isEnabled() ? QString() : action->toolTip();
}

/// Places what a search in the palette means.
void choose(MainWindow& window, const char* search)
{
    auto* field = window.findChild<PalettePanel*>()->findChild<QLineEdit*>();
    field->setText(QString::fromLatin1(search));
    QTest::keyClick(field, Qt::Key_Return);
}

ScheduleDocument& document(MainWindow& window)
{
    return window.schedulePage()->document();
}

int entries(MainWindow& window)
{
    return static_cast<int>(document(window).times().begin.back());
}

} // namespace

class TestComposing : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void commandsSayWhyTheyCannotBeUsed()
    {
        MainWindow window;
        window.show();
        for (const char* id :
             {"edit.copy", "edit.cut", "edit.paste", "edit.delete", "edit.select-all",
              "schedule.finish.zero-bubble", "schedule.reset", "file.duplicate"})
            QCOMPARE(whyNot(window, id), QStringLiteral("No schedule is open."));
        window.openFamily(QStringLiteral("1f1b"));
        QCOMPARE(whyNot(window, "edit.copy"), QStringLiteral("No pass is selected."));
        QCOMPARE(whyNot(window, "schedule.finish.forward-first"),
                 QStringLiteral("No pass is missing."));
        QVERIFY(whyNot(window, "schedule.reset").contains(QStringLiteral("nothing was changed")));
        window.schedulePage()->timeline().select({0, 0});
        QCOMPARE(whyNot(window, "edit.copy"), QString());
    }

    void noTwoCommandsHaveTheSameKeys()
    {
        MainWindow window;
        QHash<QString, QString> owners;
        for (const Commands::Entry& entry : window.commands().all()) {
            const QList<QKeySequence> shortcuts = entry.action->shortcuts();
            for (const QKeySequence& keys : shortcuts) {
                const QString name = keys.toString();
                QVERIFY2(!owners.contains(name),
                         qPrintable(name + QStringLiteral(": ") + owners.value(name) +
                                    QStringLiteral(" and ") + entry.command.id));
                owners.insert(name, entry.command.id);
            }
        }
        QVERIFY(owners.size() > 10);
    }

    void whatIsHeldIsShownOnThePageAndLeavesNoTrace()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openFamily(QStringLiteral("1f1b"));
        const Project before = page.document().project();
        page.timeline().select({1, 4});
        const Ticks end = page.range().wholeEnd();
        QMimeData data;
        data.setData(QString::fromLatin1(paletteMimeType), QByteArray("block 1f1b 2"));
        const QPoint point(TimeAxis::margin() + 100, 20);
        QDragEnterEvent enter(point, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(page.timeline().viewport(), &enter);
        QVERIFY(enter.isAccepted());
        // Two micro-batches more take longer, and are in sight.
        QCOMPARE(page.timeline().overlay().ghosts.size(), std::size_t{16});
        QVERIFY(page.range().wholeEnd() > end);
        QVERIFY(page.range().showsAll());
        QDragLeaveEvent leave;
        QApplication::sendEvent(page.timeline().viewport(), &leave);
        QVERIFY(page.timeline().overlay().ghosts.empty());
        QCOMPARE(page.range().wholeEnd(), end);
        QCOMPARE(page.timeline().current(), (SpanRef{1, 4}));
        QVERIFY(page.document().project() == before);
        QCOMPARE(page.document().undoStack().count(), 0);
    }

    void anEmptyTimelineSaysWhatToDrag()
    {
        MainWindow window;
        window.show();
        run(window, "file.new-empty");
        const auto* note = window.findChild<EmptyNote*>();
        QVERIFY(note->isVisible());
        QVERIFY(note->text().contains(QStringLiteral("palette")));
        QCOMPARE(document(window).draft().orders.size(), std::size_t{4});
        choose(window, "F");
        QCOMPARE(entries(window), 1);
        QVERIFY(!note->isVisible());
        document(window).undoStack().undo();
        QVERIFY(note->isVisible());
    }

    void anEmptyTimelineHasTheShapeOfTheScheduleInFront()
    {
        MainWindow window;
        window.openFamily(QStringLiteral("zb-v"));
        run(window, "file.new-empty");
        QCOMPARE(window.pages().size(), std::size_t{2});
        QCOMPARE(document(window).draft().spec.stages(), 8);
        QCOMPARE(entries(window), 0);
        QVERIFY(!window.page()->modified());
    }

    void anEmptyTimelineHasNoNetworkOfTheScheduleBefore()
    {
        MainWindow window;
        Project slow = projectOf("kfkb", {}, UniformCosts{});
        Costs costs = expand(UniformCosts{.forward = 3 * ticksPerMs}, slow.draft.spec);
        costs.link = {ticksPerMs, 25e9};
        costs.linkTrace = {{0, 1}, {20 * ticksPerMs, 5}};
        slow.costs = costs;
        window.openProject(slow);
        window.show();
        // The panel says what network a schedule runs on.
        const auto shown = [&window](const char* name) {
            const auto* label = window.findChild<QLabel*>(QString::fromLatin1(name));
            return label->isVisible() ? label->text() : QString();
        };
        QCOMPARE(shown("link"), QStringLiteral("1 ms, 25 GB/s"));
        QCOMPARE(shown("network"), QStringLiteral("up to 5× slower, 2 phases"));
        run(window, "file.new-empty");
        const Project& fresh = document(window).project();
        QVERIFY(costsOf(fresh).linkTrace.empty());
        QVERIFY(costsOf(fresh).link == Link{});
        QCOMPARE(std::get<UniformCosts>(fresh.costs).forward, 3 * ticksPerMs);
        QCOMPARE(shown("link"), QString());
        QCOMPARE(shown("network"), QString());
        // Equal stages have no network but their messages' time.
        slow.costs = UniformCosts{.hop = ticksPerMs};
        window.openProject(slow);
        run(window, "file.new-empty");
        QCOMPARE(std::get<UniformCosts>(document(window).project().costs).hop, 0);
    }

    void theFirstBlockKeepsTheMicroBatches()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        run(window, "file.new-empty");
        auto* count = window.findChild<PalettePanel*>()->findChild<QSpinBox*>();
        count->setValue(4);
        choose(window, "v-half block");
        QCOMPARE(document(window).draft().spec.microBatches, 8);
        QVERIFY2(told(window).contains(QStringLiteral("its stages are placed as in the block")),
                 qPrintable(told(window)));
        choose(window, "v-half block");
        QVERIFY(document(window).schedule() != nullptr);
        QCOMPARE(document(window).draft().spec.microBatches, 8);
        const Ticks twice = document(window).result().makespan;
        run(window, "file.new-empty");
        QCOMPARE(entries(window), 0);
        count->setValue(8);
        choose(window, "v-half block");
        QCOMPARE(document(window).result().makespan, twice);
    }

    void repeatAndReorderActOnTheScheduleInFront()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        run(window, "file.new-empty");
        QVERIFY2(whyNot(window, "schedule.repeat").contains(QStringLiteral("nothing to repeat")),
                 qPrintable(whyNot(window, "schedule.repeat")));
        QVERIFY(whyNot(window, "schedule.squeeze").contains(QStringLiteral("as early as")));
        QVERIFY(whyNot(window, "schedule.reorder").contains(QStringLiteral("Not every pass")));
        window.findChild<PalettePanel*>()->findChild<QSpinBox*>()->setValue(1);
        choose(window, "v-half block");
        QCOMPARE(whyNot(window, "schedule.repeat"), QString());
        const int one = entries(window);
        run(window, "schedule.repeat");
        QCOMPARE(entries(window), 8 * one);
        QVERIFY(document(window).schedule() != nullptr);
        QVERIFY2(told(window).contains(QStringLiteral("Micro-batch 0 is repeated")),
                 qPrintable(told(window)));
        const Ticks before = document(window).result().makespan;
        QCOMPARE(whyNot(window, "schedule.reorder"), QString());
        const int steps = document(window).undoStack().count();
        run(window, "schedule.reorder");
        const Ticks after = document(window).result().makespan;
        const bool changed = document(window).undoStack().count() > steps;
        QVERIFY(changed ? after < before : after == before);
        QVERIFY2(told(window).contains(changed ? QStringLiteral("Reordered: the makespan is")
                                               : QStringLiteral("the order stays")),
                 qPrintable(told(window)));
        QVERIFY(window.schedulePage() != nullptr); // no bench has come in front
    }

    void aDropDoesNotChangeTheScale()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        run(window, "file.new-empty");
        SchedulePage& page = *window.schedulePage();
        // There is room for all of it from the beginning.
        // A quarter more than the best time, which the axis must not tell.
        QCOMPARE(page.range().wholeEnd(), (8 + 3) * 3 * ticksPerMs * 5 / 4);
        const double begin = page.range().begin(), end = page.range().end();
        const auto same = [&] {
            return page.range().begin() == begin && page.range().end() == end;
        };
        for (int i = 0; i < 4; ++i) {
            choose(window, "F");
            QVERIFY(same());
        }
        choose(window, "BW");
        QVERIFY(same());
        run(window, "schedule.finish.backward-first");
        QVERIFY(document(window).schedule() != nullptr);
        QVERIFY(same());
        // Undone, too; and everything comes into view when a family fills the timeline.
        document(window).undoStack().undo();
        QVERIFY(same());
        choose(window, "zb-h1");
        QCOMPARE(page.range().wholeEnd(), document(window).result().makespan);
    }

    void aDeletedPassIsPutBackByFinishing_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("backward first") << QStringLiteral("schedule.finish.backward-first");
        QTest::newRow("forward first") << QStringLiteral("schedule.finish.forward-first");
        QTest::newRow("zero bubble") << QStringLiteral("schedule.finish.zero-bubble");
    }

    void aDeletedPassIsPutBackByFinishing()
    {
        QFETCH(const QString, command);
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("zb-h1"));
        const Project before = document(window).project();
        window.schedulePage()->timeline().setSelection({{0, 9}, {2, 4}, {3, 20}});
        run(window, "edit.delete");
        QCOMPARE(entries(window), 93);
        QVERIFY(document(window).schedule() == nullptr);
        QVERIFY(window.schedulePage()->timeline().overlay().selected.empty());
        run(window, qPrintable(command));
        QVERIFY2(document(window).schedule() != nullptr, qPrintable(told(window)));
        QCOMPARE(document(window).undoStack().count(), 2);
        document(window).undoStack().setIndex(0);
        QVERIFY(document(window).project() == before);
    }

    void finishingSaysWhyTheRestCannotRun()
    {
        MainWindow window;
        Project project;
        Costs costs;
        project.draft.spec.devices = 2;
        project.draft.spec.microBatches = 2;
        project.draft.spec.routes = {Placement::linear(2)};
        project.draft.orders.resize(2);
        costs = expand(UniformCosts{}, project.draft.spec);
        costs.shareCap = shareOne / 2;
        project.costs = costs;
        window.openProject(project);
        run(window, "schedule.finish.backward-first");
        QCOMPARE(entries(window), 0);
        QVERIFY2(told(window).contains(QStringLiteral("device")), qPrintable(told(window)));
    }

    void aFamilyComesBackAfterEdits()
    {
        MainWindow window;
        window.openFamily(QStringLiteral("v-half"));
        const Project before = document(window).project();
        window.schedulePage()->timeline().select({1, 3});
        run(window, "edit.delete");
        QVERIFY(!document(window).project().family);
        run(window, "schedule.reset");
        QVERIFY(document(window).project() == before);
        QCOMPARE(document(window).undoStack().count(), 2);
    }

    void withoutAFamilyThePaletteAsksForOne()
    {
        MainWindow window;
        window.show();
        QApplication::setActiveWindow(&window);
        run(window, "file.new-empty");
        run(window, "schedule.reset");
        QVERIFY(window.findChild<PalettePanel*>()->findChild<QLineEdit*>()->hasFocus());
        QVERIFY(told(window).contains(QStringLiteral("palette")));
    }

    void aCopyIsATabOfItsOwn()
    {
        MainWindow window;
        window.openFamily(QStringLiteral("1f1b"));
        Project titled = document(window).project();
        titled.title = "First try";
        QVERIFY(document(window).change(titled, QStringLiteral("Title")));
        run(window, "file.duplicate");
        QCOMPARE(window.pages().size(), std::size_t{2});
        QCOMPARE(document(window).title(), QStringLiteral("First try (copy)"));
        QCOMPARE(document(window).undoStack().count(), 0);
    }

    void copiedPassesBecomeTheNextMicroBatches()
    {
        MainWindow window;
        window.openFamily(QStringLiteral("1f1b"));
        const int before = entries(window);
        // Everything of micro-batch 0.
        std::vector<SpanRef> strand;
        const LanesPtr lanes = document(window).lanes();
        for (std::int32_t lane = 0; lane < 4; ++lane)
            for (std::int64_t i = 0; i < 16; ++i)
                if (lanes->pass({lane, i}).microBatch == 0)
                    strand.push_back({lane, i});
        window.schedulePage()->timeline().setSelection(strand);
        run(window, "edit.copy");
        QCOMPARE(entries(window), before);
        run(window, "edit.paste");
        QCOMPARE(entries(window), before + 8);
        QCOMPARE(document(window).draft().spec.microBatches, 9);
        QVERIFY(document(window).schedule() != nullptr);
        QCOMPARE(window.schedulePage()->timeline().overlay().selected.size(), std::size_t{8});
        QVERIFY(told(window).contains(QStringLiteral("from 8 to 9")));
        document(window).undoStack().undo();
        QCOMPARE(entries(window), before);
    }

    void theClipboardHasTextToo()
    {
        MainWindow window;
        window.openFamily(QStringLiteral("gpipe"));
        window.schedulePage()->timeline().setSelection({{1, 0}, {1, 1}});
        run(window, "edit.copy");
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QVERIFY(data->hasFormat(QString::fromLatin1(clipMimeType)));
        QVERIFY2(data->text().contains(QStringLiteral("F0 F1")), qPrintable(data->text()));
    }

    void textInTheNotationIsPasted()
    {
        MainWindow window;
        run(window, "file.new-empty");
        QApplication::clipboard()->setText(
            QStringLiteral("d0: F0 F1 BW0\nd1: F0 BW0\nd2: F0 BW0\nd3: F0 BW0\n"));
        run(window, "edit.paste");
        QCOMPARE(entries(window), 9);
        QVERIFY(document(window).draft().orders[0][1].pass.microBatch == 1);
    }

    void aClipboardThatCannotBeReadIsRefused_data()
    {
        QTest::addColumn<QByteArray>("clip");
        QTest::addColumn<QString>("reason");
        const QString unreadable = QStringLiteral("cannot be read");
        QTest::newRow("no JSON") << QByteArray("{") << unreadable;
        QTest::newRow("nothing in it") << QByteArray("{\"entries\":[]}") << unreadable;
        QTest::newRow("a kind that is none")
            << QByteArray("{\"entries\":[{\"device\":0,\"offset_ns\":0,\"passes\":[{\"kind\":\"X\","
                          "\"route\":0,\"stage\":0,\"micro_batch\":0,\"segment\":0}]}]}")
            << unreadable;
        QTest::newRow("no passes")
            << QByteArray("{\"entries\":[{\"device\":0,\"offset_ns\":0,\"passes\":[]}]}")
            << unreadable;
        QTest::newRow("a stage that is not there")
            << QByteArray("{\"entries\":[{\"device\":0,\"offset_ns\":0,\"passes\":[{\"kind\":\"F\","
                          "\"route\":0,\"stage\":9,\"micro_batch\":0,\"segment\":0}]}]}")
            << QStringLiteral("stage 9");
        QTest::newRow("a device that is not there")
            << QByteArray("{\"entries\":[{\"device\":7,\"offset_ns\":0,\"passes\":[{\"kind\":\"F\","
                          "\"route\":0,\"stage\":0,\"micro_batch\":0,\"segment\":0}]}]}")
            << QStringLiteral("device 7");
    }

    void aClipboardThatCannotBeReadIsRefused()
    {
        QFETCH(const QByteArray, clip);
        QFETCH(const QString, reason);
        MainWindow window;
        run(window, "file.new-empty");
        auto* data = new QMimeData;
        data->setData(QString::fromLatin1(clipMimeType), clip);
        QApplication::clipboard()->setMimeData(data);
        run(window, "edit.paste");
        QCOMPARE(entries(window), 0);
        QVERIFY2(told(window).contains(reason), qPrintable(told(window)));
        QApplication::clipboard()->setText(QStringLiteral("good morning"));
        run(window, "edit.paste");
        QVERIFY2(told(window).contains(QStringLiteral("not a schedule")), qPrintable(told(window)));
        QApplication::clipboard()->clear();
        run(window, "edit.paste");
        QVERIFY2(told(window).contains(QStringLiteral("no passes")), qPrintable(told(window)));
    }

    void whatIsPlacedOntoAnEmptyWindowOpensATab_data()
    {
        QTest::addColumn<QString>("item");
        QTest::addColumn<int>("passes");
        QTest::newRow("a family") << QStringLiteral("family 1f1b") << 64;
        QTest::newRow("a block") << QStringLiteral("block v-half 3") << 72;
        QTest::newRow("a pass") << QStringLiteral("pass F") << 1;
    }

    void whatIsPlacedOntoAnEmptyWindowOpensATab()
    {
        QFETCH(const QString, item);
        QFETCH(const int, passes);
        MainWindow window;
        window.show();
        QMimeData data;
        data.setData(QString::fromLatin1(paletteMimeType), item.toUtf8());
        QDragEnterEvent enter(QPoint(700, 400), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QVERIFY(window.schedulePage() == nullptr);
        QDropEvent drop(QPointF(700, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        QVERIFY(window.schedulePage() != nullptr);
        QCOMPARE(entries(window), passes);
    }

    void ownBlocksAreListedRenamedPlacedAndDeleted()
    {
        MainWindow window;
        window.show();
        run(window, "file.new-empty");
        const Project before = document(window).project();
        const Result<BuildingBlock> drawn =
            blockFor(before, {PaletteKind::Block, QStringLiteral("zb-h1"), 0, 1});
        QVERIFY(drawn);
        QVERIFY(document(window).edit({{InsertBlock{0, *drawn}}}, QStringLiteral("Block")));
        auto* list = window.findChild<PalettePanel*>()->list();
        const auto row = [list](const QString& title) {
            for (int i = 0; i < list->model()->rowCount(); ++i)
                if (list->model()->index(i, 0).data().toString() == title)
                    return list->model()->index(i, 0);
            return QModelIndex();
        };
        QModelIndex mine = row(QStringLiteral("Block 1"));
        QVERIFY(mine.isValid());
        QVERIFY(list->model()->setData(mine, QStringLiteral("Mine"), Qt::EditRole));
        QCOMPARE(document(window).project().blocks[0].title, std::string("Mine"));
        mine = row(QStringLiteral("Mine"));
        QVERIFY(mine.isValid());
        window.findChild<QSpinBox*>(QStringLiteral("palette-count"))->setValue(2);
        list->setCurrentIndex(mine);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(entries(window), 24);
        QTest::keyClick(list, Qt::Key_Delete);
        QVERIFY(document(window).project().blocks.empty());
        QVERIFY(!row(QStringLiteral("Mine")).isValid());
        QCOMPARE(entries(window), 24);
        document(window).undoStack().setIndex(0);
        QVERIFY(document(window).project() == before);
    }

    void anotherPassIsChosenByKey()
    {
        MainWindow window;
        window.show();
        run(window, "file.new-empty");
        choose(window, "F");
        auto* button = window.findChild<ChoiceButton*>();
        QVERIFY(button->isVisible());
        run(window, "edit.another-pass");
        QMenu* list = button->list();
        QVERIFY(list != nullptr);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(document(window).draft().orders[0].front().pass.microBatch, 1);
        QCOMPARE(document(window).undoStack().count(), 1);
        window.schedulePage()->timeline().select({});
        QVERIFY(!button->isVisible());
    }

    void whateverIsDoneCanBeUndone_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 4; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }

    void whateverIsDoneCanBeUndone()
    {
        QFETCH(const unsigned, seed);
        std::mt19937 random(seed);
        const auto below = [&](std::size_t end) {
            return static_cast<std::int64_t>(random() % end);
        };
        const char* commands[] = {"edit.copy",
                                  "edit.cut",
                                  "edit.paste",
                                  "edit.delete",
                                  "edit.delete",
                                  "edit.paste",
                                  "schedule.finish.backward-first",
                                  "schedule.finish.forward-first",
                                  "schedule.finish.zero-bubble",
                                  "schedule.reset"};
        MainWindow window;
        SchedulePage& page =
            window.openFamily(seed % 2 == 0 ? QStringLiteral("v-half") : QStringLiteral("1f1b"));
        std::vector<Project> projects{page.document().project()};
        QUndoStack& history = page.document().undoStack();
        for (int i = 0; i < 25; ++i) {
            const LanesPtr lanes = page.document().lanes();
            std::vector<SpanRef> some;
            for (int n = 0; n < 5; ++n) {
                const auto lane = static_cast<std::int32_t>(below(lanes->lanes().size()));
                const std::size_t size = lanes->lanes()[static_cast<std::size_t>(lane)].size();
                if (size > 0)
                    some.push_back({lane, below(size)});
            }
            page.timeline().setSelection(some);
            const int before = history.count();
            run(window, commands[below(std::size(commands))]);
            if (history.count() > before)
                projects.push_back(page.document().project());
            QVERIFY(page.document().project() == projects.back());
        }
        QCOMPARE(history.count(), static_cast<int>(projects.size()) - 1);
        for (std::size_t i = projects.size(); i-- > 1;) {
            QVERIFY(page.document().project() == projects[i]);
            history.undo();
        }
        QVERIFY(page.document().project() == projects[0]);
        history.setIndex(history.count());
        QVERIFY(page.document().project() == projects.back());
    }
};

PW_WINDOW_TEST(TestComposing)
#include "tst_composing.moc"
