// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/level_editor.h"
#include "ui/lesson/step_editor.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

QRect placeOf(const QWidget& widget)
{
    return {widget.mapToGlobal(QPoint()), widget.size()};
}

/// A thing of an editor that has less room than its words need; empty: none.
QString cutIn(const QWidget& editor)
{
    const auto labels = editor.findChildren<QLabel*>();
    for (const QLabel* label : labels)
        if (label->isVisible() && !label->wordWrap() &&
            label->width() < label->minimumSizeHint().width())
            return label->text();
    const auto buttons = editor.findChildren<QAbstractButton*>();
    for (const QAbstractButton* button : buttons)
        if (button->isVisible() && !button->text().isEmpty() &&
            button->width() < button->minimumSizeHint().width())
            return button->text();
    return {};
}

void addSizes()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("a projector") << QSize(1280, 720);
    QTest::newRow("a screen at 200 %") << QSize(960, 540);
    QTest::newRow("a screen") << QSize(1920, 1080);
}

} // namespace

/// What is edited stands beside its editor.
class TestLessonEditing : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_lesson_editing"); }

    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>();
    }

    void cleanup() { test::closeQuietly(*m_window); }

    void aLevelIsMadeBesideItsSchedule_data() { addSizes(); }
    void aLevelIsMadeBesideItsSchedule()
    {
        QFETCH(QSize, size);
        show(size);
        m_window->openFamily(QStringLiteral("1f1b"));
        trigger("learn.new-level");
        auto* editor = m_window->findChild<LevelEditor*>();
        QVERIFY(editor != nullptr);
        standsBeside(*editor);
        // Tried, the lesson is in front, and the editor is a click away.
        editor->prove();
        QTRY_VERIFY_WITH_TIMEOUT(editor->proven(), 60'000);
        editor->findChild<QPushButton*>(QStringLiteral("level-try"))->click();
        const auto* panel = m_window->findChild<LessonPanel*>();
        QTRY_VERIFY(!panel->visibleRegion().isEmpty());
        QTRY_VERIFY(!placeOf(*panel).intersects(placeOf(timeline())));
        QVERIFY2(timeline().width() > size.width() * 2 / 5,
                 qPrintable(QString::number(timeline().width())));
        editor->findChild<QPushButton*>(QStringLiteral("level-close"))->click();
        QTRY_VERIFY(m_window->findChild<LevelEditor*>() == nullptr);
    }

    void aStepIsEditedBesideItsLevel_data() { addSizes(); }
    void aStepIsEditedBesideItsLevel()
    {
        QFETCH(QSize, size);
        show(size);
        trigger("learn.lesson.01-devices-and-passes");
        trigger("learn.edit");
        auto* editor = m_window->findChild<StepEditor*>();
        QVERIFY(editor != nullptr);
        standsBeside(*editor);
        QVERIFY(editor->words().text == std::nullopt);
        editor->findChild<QPlainTextEdit*>(QStringLiteral("step-text"))
            ->setPlainText(QStringLiteral("Other words."));
        QCOMPARE(editor->words().text, std::optional<std::string>("Other words."));
        editor->findChild<QPushButton*>(QStringLiteral("step-close"))->click();
        QTRY_VERIFY(m_window->findChild<StepEditor*>() == nullptr);
    }

    /// Goals, questions, start and demonstration; the check says why a block cannot be.
    void allOfAStepIsEdited()
    {
        show({1920, 1080});
        trigger("learn.unlock-all");
        trigger("learn.lesson.11-v-shapes");
        trigger("learn.edit");
        auto* editor = m_window->findChild<StepEditor*>();
        QVERIFY(editor != nullptr);
        auto* goals = editor->findChild<QPlainTextEdit*>(QStringLiteral("step-goals"));
        QVERIFY(goals->toPlainText().contains(QStringLiteral("interval 6")));
        goals->setPlainText(QStringLiteral("complete\ninterval 5"));
        press(*editor, "step-check");
        const auto* found = editor->findChild<QLabel*>(QStringLiteral("step-found"));
        QTRY_VERIFY_WITH_TIMEOUT(
            found->text().contains(QStringLiteral("the busiest device has 6 units of work")),
            60'000);
        goals->setPlainText(QStringLiteral("complete\ninterval 7"));
        press(*editor, "step-check");
        QTRY_VERIFY_WITH_TIMEOUT(
            found->text() == QStringLiteral("The level can be solved, and its par is proven."),
            60'000);
        QVERIFY(editor->parts().par);
        QVERIFY(!editor->parts().demonstration);
        press(*editor, "step-demonstration");
        QVERIFY(editor->parts().demonstration);
        press(*editor, "step-close");
        QTRY_VERIFY(m_window->findChild<StepEditor*>() == nullptr);
        trigger("learn.unlock-all");
    }

    /// What a person has done in the level is what the demonstration will show.
    void aDemonstrationIsRecordedByDoing()
    {
        show({1920, 1080});
        trigger("learn.lesson.01-devices-and-passes");
        trigger("learn.edit");
        auto* editor = m_window->findChild<StepEditor*>();
        auto* questions = editor->findChild<QPlainTextEdit*>(QStringLiteral("step-questions"));
        questions->setPlainText(QStringLiteral("Who begins?\n+ device 0\n- device 1\n= It has F."));
        ScheduleDocument& document = m_window->schedulePage()->document();
        for (const auto& [device, pass] :
             {std::pair{0, PassKind::F}, {1, PassKind::F}, {1, PassKind::BW}, {0, PassKind::BW}}) {
            OrderEntry entry;
            entry.pass.kind = pass;
            entry.pass.stage = StageId(device);
            const int at = pass == PassKind::F ? 0 : 1;
            QVERIFY(document.edit(Edit{{InsertEntries{DeviceId(device), {{at, entry}}}}},
                                  QStringLiteral("place")));
        }
        press(*editor, "step-demonstration");
        const auto made = withParts(std::string(shippedLessons().front().text), 0, editor->parts());
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const auto lesson = readLesson(*made, "x");
        QCOMPARE(lesson->steps.front().questions.size(), std::size_t{1});
        QCOMPARE(lesson->steps.front().level->demonstration.size(), std::size_t{4});
        QVERIFY(checkStep(*made, 0)->problems.empty());
        press(*editor, "step-close");
    }

    /// Each thing that is done is an act in a list; what is undone goes from it, and the list can
    /// be changed.
    void actsAreRecordedOneByOne()
    {
        show({1920, 1080});
        trigger("learn.lesson.01-devices-and-passes");
        trigger("learn.edit");
        auto* editor = m_window->findChild<StepEditor*>();
        auto* acts = editor->findChild<QPlainTextEdit*>(QStringLiteral("step-acts"));
        QVERIFY(acts->toPlainText().startsWith(QStringLiteral("place 0 F0")));
        press(*editor, "step-record");
        QVERIFY(acts->toPlainText().isEmpty());
        ScheduleDocument& document = m_window->schedulePage()->document();
        const auto place = [&document](int device, PassKind kind, int at) {
            OrderEntry entry;
            entry.pass.kind = kind;
            entry.pass.stage = StageId(device);
            return document.edit(Edit{{InsertEntries{DeviceId(device), {{at, entry}}}}},
                                 QStringLiteral("place"));
        };
        QVERIFY(place(0, PassKind::F, 0));
        QVERIFY(place(1, PassKind::F, 0));
        QCOMPARE(acts->toPlainText(), QStringLiteral("place 0 F0\nplace 1 F0"));
        document.undoStack().undo();
        QCOMPARE(acts->toPlainText(), QStringLiteral("place 0 F0"));
        QVERIFY(place(1, PassKind::F, 0));
        QVERIFY(place(1, PassKind::BW, 1));
        press(*editor, "step-record"); // ends it
        QVERIFY(place(0, PassKind::BW, 1));
        QCOMPARE(acts->toPlainText(), QStringLiteral("place 0 F0\nplace 1 F0\nplace 1 BW0"));
        acts->appendPlainText(QStringLiteral("place 0 BW0"));
        const auto made = withParts(std::string(shippedLessons().front().text), 0, editor->parts());
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QVERIFY(checkStep(*made, 0)->problems.empty());
        press(*editor, "step-close");
    }

private:
    void show(QSize size)
    {
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void standsBeside(const QWidget& editor)
    {
        // Once the layout has given everything its place.
        QTRY_VERIFY(!editor.visibleRegion().isEmpty());
        QVERIFY(!editor.window()->isModal() && editor.window() == m_window.get());
        QTRY_VERIFY(!placeOf(editor).intersects(placeOf(timeline())));
        QVERIFY(placeOf(*m_window).contains(placeOf(editor)));
        QVERIFY2(timeline().width() > m_window->width() * 2 / 5,
                 qPrintable(QString::number(timeline().width())));
        QVERIFY2(cutIn(editor).isEmpty(), qPrintable(cutIn(editor)));
    }

    const TimelineView& timeline() { return m_window->schedulePage()->timeline(); }

    static void press(const QWidget& editor, const char* name)
    {
        auto* button = editor.findChild<QPushButton*>(QString::fromLatin1(name));
        QVERIFY(button != nullptr && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
    }

    void trigger(const char* id)
    {
        m_window->commands().refresh();
        m_window->commands().action(QString::fromLatin1(id))->trigger();
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestLessonEditing)
#include "tst_lesson_editing.moc"
