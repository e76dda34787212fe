// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/lesson/practice.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/keep/recent_files.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/window/commands.h"
#include "ui/window/opening.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QUrl>

using namespace pw;
using namespace pw::ui;

namespace {

QByteArray twoSteps(const QString& title, const QString& next = {})
{
    return QStringLiteral("{'pipewright_lesson': 1, 'title': '%1', 'summary': 's', 'next': '%2', "
                          "'steps': [{'title': 'one', 'text': 'text of one'}, "
                          "{'title': 'two', 'text': 'text of two'}]}")
        .arg(title, next)
        .replace(QLatin1Char('\''), QLatin1Char('"'))
        .toUtf8();
}

} // namespace

/// Lessons of files, by every way that files are opened.
class TestLessonFiles : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_lesson_files"); }

    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { test::closeQuietly(*m_window); }

    void aLessonOpensAsOneWhateverItsName()
    {
        for (const char* name : {"practice.json", "practice.pipewright.json", "practice.txt"}) {
            const auto lesson = practiceLesson(7);
            QVERIFY(lesson.has_value());
            const QString path = put(name, QByteArray::fromStdString(*lesson));
            QVERIFY(m_window->open(path));
            QVERIFY(dock()->isVisible());
            QVERIFY(says(QStringLiteral("Practice 7 · step 1 of 1")));
            QVERIFY(m_window->schedulePage() != nullptr);
            QCOMPARE(recentFiles().constFirst(), path);
        }
        QVERIFY(m_window->findChild<QMessageBox*>() == nullptr);
    }

    void aDroppedLessonOpens()
    {
        const QString path = put("dropped.json", twoSteps(QStringLiteral("Dropped")));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QVERIFY(says(QStringLiteral("Dropped · step 1 of 2")));
    }

    void aRecentLessonOpens()
    {
        openFiles(*m_window, {put("recent.json", twoSteps(QStringLiteral("Recent")))});
        dock()->close();
        trigger("file.recent.1");
        QVERIFY(dock()->isVisible());
        QVERIFY(says(QStringLiteral("Recent · step 1 of 2")));
    }

    /// A lesson before the window is there, as the command line opens it, has its commands.
    void aLessonOfTheCommandLineRuns()
    {
        MainWindow early;
        openFiles(early, {put("early.json", twoSteps(QStringLiteral("Early")))});
        early.show();
        QVERIFY(QTest::qWaitForWindowExposed(&early));
        QTRY_VERIFY(early.commands().action(QStringLiteral("learn.next"))->isEnabled());
        QVERIFY(test::closeQuietly(early));
    }

    void theNextLessonMayLieBeside()
    {
        put("second.json", twoSteps(QStringLiteral("Second")));
        QVERIFY(m_window->open(
            put("first.json", twoSteps(QStringLiteral("First"), QStringLiteral("second")))));
        trigger("learn.next");
        QVERIFY(says(QStringLiteral("First · step 2 of 2")));
        QVERIFY(next()->isEnabled());
        trigger("learn.next");
        QVERIFY(says(QStringLiteral("Second · step 1 of 2")));
        trigger("learn.next");
        QVERIFY(!next()->isEnabled());
    }

    void aNextThatIsNotThereIsNotOffered()
    {
        for (const char* name : {"nowhere", "../first", "/etc/passwd"}) {
            QVERIFY(m_window->open(
                put("alone.json", twoSteps(QStringLiteral("Alone"), QString::fromLatin1(name)))));
            trigger("learn.next");
            QVERIFY(!next()->isEnabled());
            trigger("learn.next");
            QVERIFY(says(QStringLiteral("Alone · step 2 of 2")));
        }
    }

    void whatCannotBeReadIsToldAndChangesNothing()
    {
        QVERIFY(m_window->open(put("good.json", twoSteps(QStringLiteral("Good")))));
        const QString path =
            put("bad.json", "{\"pipewright_lesson\": 1, \"title\": \"t\", \"steps\": []}");
        QVERIFY(!m_window->open(path));
        auto* box = m_window->findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        QCOMPARE(box->text(), path);
        QVERIFY2(box->informativeText().contains(QStringLiteral("summary")),
                 qPrintable(box->informativeText()));
        QVERIFY(says(QStringLiteral("Good · step 1 of 2")));
        QVERIFY(!recentFiles().contains(path));
    }

    void aLessonThatIsTooLongSaysHowLong()
    {
        QByteArray content = twoSteps(QStringLiteral("Long"));
        content.insert(content.size() - 1, QByteArray(3 << 20, ' '));
        QVERIFY(!m_window->open(put("long.json", content)));
        const QString said = m_window->findChild<QMessageBox*>()->informativeText();
        QVERIFY2(said.contains(QStringLiteral("MiB")) || said.contains(QStringLiteral("1048576")) ||
                     said.contains(QStringLiteral("bytes")),
                 qPrintable(said));
    }

    void resultsAndRulesSayWhereTheyAreRead()
    {
        QVERIFY(!m_window->open(put("r.json", "{\"pipewright_results\": 1, \"levels\": []}")));
        QVERIFY(m_window->findChild<QMessageBox*>()->informativeText().contains(
            QStringLiteral("lesson results")));
    }

private:
    QString put(const char* name, const QByteArray& content)
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        const auto done = writeFile(
            path.toStdString(), {content.constData(), static_cast<std::size_t>(content.size())});
        return done ? path : QString();
    }

    QDockWidget* dock() { return m_window->dock(QStringLiteral("lesson")); }

    QPushButton* next()
    {
        return m_window->findChild<LessonPanel*>()->findChild<QPushButton*>(
            QStringLiteral("lesson-next"));
    }

    void trigger(const char* id)
    {
        m_window->commands().action(QString::fromLatin1(id))->trigger();
    }

    bool says(const QString& words)
    {
        for (const QLabel* label : m_window->findChild<LessonPanel*>()->findChildren<QLabel*>())
            if (!label->isHidden() && label->text().contains(words))
                return true;
        return false;
    }

    QTemporaryDir m_home;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestLessonFiles)
#include "tst_lesson_files.moc"
