// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/export/handout.h"
#include "ui/lesson/level_editor.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// Pages that a PDF says it has.
int pagesOf(const QByteArray& pdf)
{
    return static_cast<int>(pdf.count("/Type /Page\n"));
}

} // namespace

/// Lessons on paper, and the dialog that makes levels.
class TestHandout : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_handout"); }

    void everyLessonHasAHandout_data()
    {
        QTest::addColumn<QString>("id");
        for (const ShippedLesson& lesson : shippedLessons()) {
            const QString id = QString::fromUtf8(lesson.id.data(), qsizetype(lesson.id.size()));
            QTest::newRow(qPrintable(id)) << id;
        }
    }

    void everyLessonHasAHandout()
    {
        QFETCH(QString, id);
        const auto lesson = shippedLesson(id.toStdString());
        QVERIFY(lesson);
        const auto pdf = handoutOf(*lesson, QStringLiteral("en"));
        QVERIFY2(pdf, pdf ? "" : pdf.error().message.c_str());
        QVERIFY(pdf->startsWith("%PDF-"));
        QVERIFY2(pagesOf(*pdf) >= 2, qPrintable(QString::number(pagesOf(*pdf))));
        QCOMPARE(handoutOf(*lesson, QStringLiteral("en")).value(), *pdf);
    }

    /// No word is larger than a title, also beside the lanes and at the foot of a page.
    void theLettersAreAsLargeAsOnPaper()
    {
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (tool.isEmpty())
            QSKIP("pdftotext is not installed");
        const QString path = m_home.filePath(QStringLiteral("letters.pdf"));
        QVERIFY(writeHandout(QStringLiteral("08-splitting"), QStringLiteral("en"), path));
        QProcess read;
        read.start(tool, {QStringLiteral("-bbox"), path, QStringLiteral("-")});
        QVERIFY(read.waitForFinished());
        const QString boxes = QString::fromUtf8(read.readAllStandardOutput());
        static const QRegularExpression word(
            QStringLiteral("yMin=\"([\\d.]+)\".*yMax=\"([\\d.]+)\">(.*)</word>"));
        int devices = 0, feet = 0, letters = 0;
        for (auto found = word.globalMatch(boxes); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const double high = match.captured(2).toDouble() - match.captured(1).toDouble();
            QVERIFY2(high < 30, qPrintable(match.captured(0)));
            devices += match.captured(3) == QLatin1String("device") && high < 12 ? 1 : 0;
            feet += match.captured(3) == QLatin1String("of") && high < 12 ? 1 : 0;
            letters += match.captured(3) == QLatin1String("B0") ? 1 : 0;
        }
        QVERIFY(devices >= 12);
        QVERIFY(feet >= 3);
        QVERIFY(letters >= 6); // the passes are named
    }

    /// What is read back: words, goals, and the solutions behind.
    void theWordsAreThere()
    {
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (tool.isEmpty())
            QSKIP("pdftotext is not installed");
        const QString path = m_home.filePath(QStringLiteral("x.pdf"));
        const auto done = writeHandout(QStringLiteral("05-1f1b"), QStringLiteral("en"), path);
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        QProcess read;
        read.start(tool, {QStringLiteral("-layout"), path, QStringLiteral("-")});
        QVERIFY(read.waitForFinished());
        const QString words = QString::fromUtf8(read.readAllStandardOutput());
        const qsizetype solutions = words.indexOf(QStringLiteral("Solutions: One forward"));
        QVERIFY(solutions > 0);
        QVERIFY(words.indexOf(QStringLiteral("Goal: ")) < solutions);
        QVERIFY(words.indexOf(QStringLiteral("One solution: time 21 ms, par 21 ms")) > solutions);
        // A level without medals is told by its goals.
        QVERIFY(words.indexOf(QStringLiteral("makespan at most 33 ms (33 ms)")) > solutions);
        QVERIFY(!words.contains(QStringLiteral("One solution: .")));
        QVERIFY(!words.contains(QStringLiteral("**")));
    }

    /// Levels that are drawn on paper have lanes with a ruler: each block as wide as three
    /// intervals.
    void blocksHaveLanesToDrawIn_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("building blocks") << QStringLiteral("10-building-blocks");
        QTest::newRow("V shapes") << QStringLiteral("11-v-shapes");
    }
    void blocksHaveLanesToDrawIn()
    {
        QFETCH(QString, id);
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (tool.isEmpty())
            QSKIP("pdftotext is not installed");
        const QString path = m_home.filePath(QStringLiteral("blocks.pdf"));
        QVERIFY(writeHandout(id, QStringLiteral("en"), path));
        QProcess read;
        read.start(tool, {QStringLiteral("-layout"), path, QStringLiteral("-")});
        QVERIFY(read.waitForFinished());
        const QString all = QString::fromUtf8(read.readAllStandardOutput());
        const QStringList levels = all.left(all.indexOf(QStringLiteral("Solutions: ")))
                                       .split(QStringLiteral("Draw your block, a unit in each"));
        const auto lesson = shippedLesson(id.toStdString());
        QVERIFY(lesson);
        QCOMPARE(levels.size() - 1, lesson->levels());
        for (int level = 0; level < lesson->levels(); ++level) {
            const QString& drawn = levels[level]; // what stands above the words
            const PipelineSpec& spec = lesson->level(level).start.draft.spec;
            for (int device = 0; device < spec.devices; ++device)
                QVERIFY2(drawn.contains(QStringLiteral("device %1").arg(device)),
                         qPrintable(drawn));
            QVERIFY(drawn.contains(QRegularExpression(QStringLiteral("\\d+ ms"))));
        }
    }

    void theProgramWritesIt()
    {
        const QString path = m_home.filePath(QStringLiteral("program.pdf"));
        QProcess studio;
        studio.start(QStringLiteral(PW_STUDIO),
                     {QStringLiteral("--handout"), QStringLiteral("02-gpipe"), path});
        QVERIFY(studio.waitForFinished());
        QCOMPARE(studio.exitCode(), 0);
        QVERIFY(QFile(path).size() > 10'000);
        studio.start(QStringLiteral(PW_STUDIO),
                     {QStringLiteral("--handout"), QStringLiteral("no-such-lesson"), path});
        QVERIFY(studio.waitForFinished());
        QCOMPARE(studio.exitCode(), 1);
        QVERIFY(
            QString::fromUtf8(studio.readAllStandardError()).contains(QStringLiteral("lesson")));
        studio.start(QStringLiteral(PW_STUDIO), {QStringLiteral("--handout")});
        QVERIFY(studio.waitForFinished());
        QCOMPARE(studio.exitCode(), 2);
    }

    void aLevelIsMadeOfTheScheduleInFront()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openFamily(QStringLiteral("1f1b"));
        window.commands().action(QStringLiteral("learn.new-level"))->trigger();
        auto* editor = window.findChild<LevelEditor*>();
        QVERIFY(editor != nullptr);
        const auto button = [editor](const char* name) {
            return editor->findChild<QPushButton*>(QString::fromLatin1(name));
        };
        QVERIFY(!button("level-save")->isEnabled());
        editor->findChild<QLineEdit*>(QStringLiteral("level-title"))
            ->setText(QStringLiteral("Mine"));
        editor->findChild<QSpinBox*>(QStringLiteral("level-micro-batches"))->setValue(3);
        editor->findChild<QComboBox*>(QStringLiteral("level-start"))->setCurrentIndex(1);
        editor->findChild<QCheckBox*>(QStringLiteral("level-locked"))->setChecked(true);
        editor->findChild<QCheckBox*>(QStringLiteral("level-capped"))->setChecked(true);
        button("level-prove")->click();
        QTRY_VERIFY_WITH_TIMEOUT(editor->proven(), 60'000);
        QVERIFY(button("level-save")->isEnabled());
        const auto lesson = readLesson(editor->lessonText(), "mine");
        QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
        QCOMPARE(lesson->title.in(), std::string("Mine"));
        QCOMPARE(lesson->level(0).goals.size(), std::size_t{3});
        QVERIFY(!lesson->level(0).fixed.empty());
        for (const std::string& problem : checkLevel(lesson->level(0)).problems)
            QFAIL(problem.c_str());
        // Played at once, as any lesson.
        button("level-try")->click();
        QVERIFY(window.page()->title().startsWith(QStringLiteral("Mine")));
        // Another goal is another par.
        editor->findChild<QCheckBox*>(QStringLiteral("level-capped"))->setChecked(false);
        QVERIFY(!editor->proven() && !button("level-save")->isEnabled());
        test::closeQuietly(window);
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestHandout)
#include "tst_handout.moc"
