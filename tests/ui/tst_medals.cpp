// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/lesson/medals_dialog.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QSettings>
#include <QTest>
#include <QTreeWidget>

using namespace pw;
using namespace pw::ui;

namespace {

LevelResult won(const char* lesson, int level, bool time, bool memory, bool messages)
{
    LevelResult result;
    result.lesson = lesson;
    result.level = level;
    result.solved = true;
    result.time = time;
    result.memory = memory;
    result.messages = messages;
    result.tries = 3;
    result.hints = 1;
    return result;
}

} // namespace

/// One's own standing in the course.
class TestMedals : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_medals"); }

    void init()
    {
        QSettings().clear();
        LessonProgress progress;
        QVERIFY(progress.forget());
        progress.reach(QStringLiteral("01-devices-and-passes"));
        progress.reach(QStringLiteral("02-gpipe"));
        LevelResult first = won("01-devices-and-passes", 0, true, true, false);
        first.trick = "GPipe";
        QVERIFY(progress.note(first));
        QVERIFY(progress.note(won("02-gpipe", 1, false, true, false)));
        QVERIFY(progress.note(won("practice-7", 0, true, false, false)));
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { test::closeQuietly(*m_window); }

    void everyLevelOfTheCourseIsThere()
    {
        const LessonProgress progress;
        const std::vector<CourseLesson> course = courseOf(progress.results(), "en");
        QCOMPARE(course.size(), shippedLessons().size());
        int levels = 0, offered = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson);
            levels += lesson->levels();
            for (int i = 0; i < lesson->levels(); ++i) {
                const LessonPar& par = lesson->level(i).par;
                offered += (par.time ? 1 : 0) + (par.memory || !par.curve.empty() ? 1 : 0) +
                           (par.messages ? 1 : 0);
            }
        }
        const CourseTotals totals = totalsOf(course);
        QCOMPARE(totals.levels, levels);
        QCOMPARE(totals.medalsOffered, offered);
        QCOMPARE(totals.solved, 2);
        QCOMPARE(totals.medals, 3);
        QCOMPARE(totals.timeMedals, 1);
        QCOMPARE(totals.memoryMedals, 2);
        QCOMPARE(totals.messageMedals, 0);
        QCOMPARE(totals.tries, 6);
        QCOMPARE(totals.hints, 2);
        QCOMPARE(besidesCourse(progress.results()).size(), std::size_t{1});
        // In a language that the lessons have.
        QVERIFY(courseOf(progress.results(), "de").front().title != course.front().title);
    }

    void theSumsAndTheRowsSayTheSame()
    {
        MedalsDialog* dialog = open();
        const LessonProgress progress;
        const CourseTotals totals = totalsOf(courseOf(progress.results(), "en"));
        QVERIFY2(dialog->totals().startsWith(QStringLiteral("Solved: 2 of %1 levels. Medals: 3 of "
                                                            "%2; time 1, memory 2, messages 0.")
                                                 .arg(totals.levels)
                                                 .arg(totals.medalsOffered)),
                 qPrintable(dialog->totals()));
        QTreeWidget& tree = dialog->tree();
        const auto lessons = static_cast<int>(shippedLessons().size());
        QCOMPARE(tree.topLevelItemCount(), lessons + 1); // and what is beside the course
        const QTreeWidgetItem& first = *tree.topLevelItem(0)->child(0);
        QCOMPARE(first.text(1), QStringLiteral("yes"));
        QCOMPARE(first.text(2), QStringLiteral("●"));
        QCOMPARE(first.text(3), QStringLiteral("●"));
        QCOMPARE(first.text(4), QString()); // the level has no medal for messages
        QCOMPARE(first.text(7), QStringLiteral("GPipe"));
        QVERIFY(
            tree.topLevelItem(lessons)->child(0)->text(0).startsWith(QStringLiteral("practice-7")));
        dialog->close();
    }

    void aClickGoesThere()
    {
        MedalsDialog* dialog = open();
        QTreeWidget& tree = dialog->tree();
        QTreeWidgetItem* row = tree.topLevelItem(1)->child(1);
        tree.scrollToItem(row);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualItemRect(row).center());
        QVERIFY(m_window->findChild<QDockWidget*>(QStringLiteral("lesson"))->isVisible());
        QVERIFY(says(QStringLiteral("Lesson 2 of")));
        QVERIFY(says(QStringLiteral("step 2 of")));
        QTRY_VERIFY(m_window->findChild<MedalsDialog*>() == nullptr);
        // Opened again it stands at the level that is open.
        dialog = open();
        QCOMPARE(dialog->tree().currentItem(), dialog->tree().topLevelItem(1)->child(1));
        dialog->close();
    }

    void theKeysSuffice()
    {
        MedalsDialog* dialog = open();
        QTreeWidget& tree = dialog->tree();
        QTRY_VERIFY(tree.hasFocus());
        QTest::keyClick(&tree, Qt::Key_Home);
        QTest::keyClick(&tree, Qt::Key_Down);
        QCOMPARE(tree.currentItem(), tree.topLevelItem(0)->child(0));
        QTest::keyClick(&tree, Qt::Key_Return);
        QVERIFY(says(QStringLiteral("Lesson 1 of")));
        QTRY_VERIFY(m_window->findChild<MedalsDialog*>() == nullptr);
    }

    /// Titles in the menu are in the language of the lessons.
    void theMenuSpeaksTheirLanguage()
    {
        const auto first = shippedLesson("03-m-at-least-4k");
        QVERIFY(first);
        const auto menuText = [this] {
            return m_window->commands()
                .action(QStringLiteral("learn.lesson.03-m-at-least-4k"))
                ->text();
        };
        QVERIFY(menuText().contains(QString::fromStdString(first->title.in("en"))));
        test::closeQuietly(*m_window);
        QSettings().setValue(QStringLiteral("lessons/language"), QStringLiteral("de"));
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY2(menuText().contains(QString::fromStdString(first->title.in("de"))),
                 qPrintable(menuText()));
    }

    /// Who sends something around is offered a name for its file.
    void filesHaveAName()
    {
        m_window->openFamily(QStringLiteral("1f1b"));
        const auto proposed = [this](const char* command) {
            m_window->commands().refresh();
            m_window->commands().action(QString::fromLatin1(command))->trigger();
            auto* dialog = m_window->findChild<QFileDialog*>();
            const QStringList files = dialog != nullptr ? dialog->selectedFiles() : QStringList();
            delete dialog;
            return files.isEmpty() ? QString() : QFileInfo(files.first()).fileName();
        };
        QCOMPARE(proposed("file.share-web-page"), QStringLiteral("1f1b-4-x-8.html"));
        QVERIFY(proposed("file.share-film").endsWith(QStringLiteral(".gif")));
        const QString results = proposed("learn.save-results");
        QVERIFY2(results.size() > 5 && results.endsWith(QStringLiteral(".json")),
                 qPrintable(results));
        m_window->commands()
            .action(QStringLiteral("learn.lesson.01-devices-and-passes"))
            ->trigger();
        QCOMPARE(proposed("learn.handout"), QStringLiteral("01-devices-and-passes.pdf"));
    }

    void whatComesLaterIsNotGoneTo()
    {
        MedalsDialog* dialog = open();
        QTreeWidgetItem* later = dialog->tree().topLevelItem(4);
        QVERIFY((later->flags() & Qt::ItemIsEnabled) == 0);
        QVERIFY(!later->toolTip(0).isEmpty());
        QVERIFY((dialog->tree().topLevelItem(0)->flags() & Qt::ItemIsEnabled) != 0);
        dialog->close();
        m_window->commands().action(QStringLiteral("learn.unlock-all"))->trigger();
        QTRY_VERIFY(m_window->findChild<MedalsDialog*>() == nullptr);
        dialog = open();
        QVERIFY((dialog->tree().topLevelItem(4)->flags() & Qt::ItemIsEnabled) != 0);
        dialog->close();
        m_window->commands().action(QStringLiteral("learn.unlock-all"))->trigger();
    }

private:
    MedalsDialog* open()
    {
        m_window->commands().refresh();
        m_window->commands().action(QStringLiteral("learn.medals"))->trigger();
        auto* dialog = m_window->findChild<MedalsDialog*>();
        QTest::qWait(0);
        return dialog;
    }

    bool says(const QString& words) const
    {
        const auto labels = m_window->findChild<LessonPanel*>()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return !label->isHidden() && label->text().contains(words);
        });
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestMedals)
#include "tst_medals.moc"
