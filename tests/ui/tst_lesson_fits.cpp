// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/lesson.h"
#include "core/lesson/play.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/help/marked_text.h"
#include "ui/lesson/goal_words.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_picture_view.h"
#include "ui/lesson/lesson_words.h"
#include "ui/window/commands.h"

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

QString sizesOf(const QWidget& widget, const QString& words)
{
    return QStringLiteral("%1: %2×%3 of %4×%5")
        .arg(words.left(60))
        .arg(widget.width())
        .arg(widget.height())
        .arg(widget.sizeHint().width())
        .arg(widget.sizeHint().height());
}

/// The first thing in a panel that has less room than its words need; empty: none.
QString cutIn(const LessonPanel& panel)
{
    const auto labels = panel.findChildren<QLabel*>();
    for (const QLabel* label : labels) {
        if (!label->isVisible() || label->text().isEmpty())
            continue;
        const bool cut = label->wordWrap() ? label->height() < label->heightForWidth(label->width())
                                           : label->width() < label->sizeHint().width();
        if (cut)
            return sizesOf(*label, label->text());
        // A word that is longer than its line is cut whatever the height.
        for (const QString& word : label->text().split(QLatin1Char(' ')))
            if (label->fontMetrics().horizontalAdvance(word) > label->width())
                return sizesOf(*label, word);
    }
    const auto buttons = panel.findChildren<QAbstractButton*>();
    for (const QAbstractButton* button : buttons)
        if (button->isVisible() && !button->text().isEmpty() &&
            button->width() < button->sizeHint().width())
            return sizesOf(*button, button->text());
    const auto texts = panel.findChildren<MarkedText*>();
    for (const MarkedText* marked : texts)
        if (marked->isVisible() &&
            marked->height() < static_cast<int>(marked->document()->size().height()))
            return sizesOf(*marked, marked->toPlainText());
    const auto pictures = panel.findChildren<LessonPictureView*>();
    for (const LessonPictureView* picture : pictures)
        if (picture->height() < picture->heightForWidth(picture->width()))
            return sizesOf(*picture, QStringLiteral("a picture"));
    const auto* scroll = panel.findChild<QScrollArea*>();
    if (scroll->widget()->width() > scroll->viewport()->width())
        return sizesOf(*scroll->widget(), QStringLiteral("the whole"));
    return {};
}

/// Whether nothing of a label with these words, behind its sign if it has one, is scrolled away.
bool isWholeInSight(const LessonPanel& panel, const QString& words)
{
    const auto labels = panel.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
        return label->text().endsWith(words) && label->isVisible() &&
               label->visibleRegion().boundingRect() == label->rect();
    });
}

/// Layouts tell each other, from the inside out, what they need.
void settle()
{
    for (int turn = 0; turn < 8; ++turn)
        QCoreApplication::processEvents();
}

} // namespace

/// Lessons have room for their words beside a timeline.
class TestLessonFits : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_lesson_fits"); }

    void nothingOfALessonIsCut_data()
    {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("language");
        for (const ShippedLesson& shipped : shippedLessons())
            for (const char* language : {"en", "de"}) {
                const QString id =
                    QString::fromUtf8(shipped.id.data(), static_cast<qsizetype>(shipped.id.size()));
                QTest::newRow(qPrintable(id + QStringLiteral(", ") + QLatin1String(language)))
                    << id << QString::fromLatin1(language);
            }
    }

    void nothingOfALessonIsCut()
    {
        QFETCH(QString, lesson);
        QFETCH(QString, language);
        const Result<Lesson> shown = shippedLesson(lesson.toStdString());
        QVERIFY(shown);
        LessonPanel panel;
        panel.setLanguage(language);
        panel.show();
        for (int step = 0; step < static_cast<int>(shown->steps.size()); ++step) {
            panel.showStep(*shown, {1, 17, step});
            if (const auto& level = shown->steps[static_cast<std::size_t>(step)].level)
                panel.setStanding(standingOf(*level, level->start));
            settle();
            // No wider than a third of a projector.
            QVERIFY2(panel.minimumSizeHint().width() <= mostWide,
                     qPrintable(QStringLiteral("step %1 is %2 wide")
                                    .arg(step + 1)
                                    .arg(panel.minimumSizeHint().width())));
            panel.resize(panel.minimumSizeHint().width(), 600);
            settle();
            const QString cut = cutIn(panel);
            QVERIFY2(cut.isEmpty(),
                     qPrintable(QStringLiteral("step %1, %2").arg(step + 1).arg(cut)));
        }
    }

    /// Whoever builds sees what each move comes to, without scrolling.
    void theGoalsOfALevelStayInSight()
    {
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.commands().action(QStringLiteral("learn.unlock-all"))->trigger();
        const auto* panel = window.findChild<LessonPanel*>();
        int levels = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const Result<Lesson> lesson = shippedLesson(std::string(shipped.id));
            QVERIFY(lesson);
            const QString command = QStringLiteral("learn.lesson.%1")
                                        .arg(QString::fromStdString(std::string(shipped.id)));
            for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
                const auto& level = lesson->steps[step].level;
                if (!level)
                    continue;
                ++levels;
                window.commands().action(command)->trigger();
                for (std::size_t i = 0; i < step; ++i)
                    window.commands().action(QStringLiteral("learn.next"))->trigger();
                settle();
                for (const LessonGoal& goal : level->goals)
                    QVERIFY2(isWholeInSight(*panel, goalWords(goal)),
                             qPrintable(command + QLatin1Char(' ') + goalWords(goal)));
            }
        }
        QVERIFY(levels > 60);
        window.commands().action(QStringLiteral("learn.unlock-all"))->trigger();
        test::closeQuietly(window);
    }

    void aLessonHasRoomBesideItsLevel_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("a projector") << QSize(1280, 720);
        QTest::newRow("a screen at 200 %") << QSize(960, 540);
    }

    /// What is read has most of its column, however many families a level offers, and the level
    /// stands beside it.
    void aLessonHasRoomBesideItsLevel()
    {
        QFETCH(QSize, size);
        MainWindow window;
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto* panel = window.findChild<LessonPanel*>();
        window.commands().action(QStringLiteral("learn.lesson.01-devices-and-passes"))->trigger();
        for (const ShippedLesson& shipped : shippedLessons()) {
            const Result<Lesson> lesson = shippedLesson(std::string(shipped.id));
            QVERIFY(lesson);
            for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
                const QString where = QStringLiteral("%1, step %2")
                                          .arg(QString::fromStdString(lesson->id))
                                          .arg(step + 1);
                QTRY_VERIFY2(panel->height() >= size.height() * 2 / 5,
                             qPrintable(where + QStringLiteral(": %1 high").arg(panel->height())));
                QVERIFY2(
                    window.page()->width() >= size.width() * 2 / 5,
                    qPrintable(where + QStringLiteral(": %1 wide").arg(window.page()->width())));
                window.commands().action(QStringLiteral("learn.next"))->trigger();
            }
        }
        test::closeQuietly(window);
    }

    /// In English the window says of a goal what the command line says.
    void goalsSayTheSameEverywhere()
    {
        int goals = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const Result<Lesson> lesson = shippedLesson(std::string(shipped.id));
            QVERIFY(lesson);
            for (const LessonStep& step : lesson->steps) {
                if (!step.level)
                    continue;
                for (const LessonGoal& goal : step.level->goals) {
                    QCOMPARE(goalWords(goal), QString::fromStdString(goalText(goal)));
                    ++goals;
                }
            }
        }
        QVERIFY(goals > 60);
    }

    void aRingIsSaidAsTheCoreSaysIt()
    {
        const Result<Lesson> lesson = shippedLesson("02-gpipe");
        QVERIFY(lesson);
        const LessonLevel& level = lesson->level(0);
        Project at = level.start;
        const PipelineSpec& spec = at.draft.spec;
        QCOMPARE(spec.devices, 3);
        const auto pass = [](PassKind kind, StageId stage, int microBatch) {
            return single({kind, 0, stage, microBatch, 0});
        };
        // Device 1 waits for F1, which stands behind a BW0 that waits for device 1.
        at.draft.orders = {{pass(PassKind::F, StageId(0), 0), pass(PassKind::BW, StageId(0), 0),
                            pass(PassKind::F, StageId(0), 1)},
                           {pass(PassKind::F, StageId(1), 1), pass(PassKind::F, StageId(1), 0),
                            pass(PassKind::BW, StageId(1), 0)},
                           {pass(PassKind::F, StageId(2), 0), pass(PassKind::BW, StageId(2), 0)}};
        const Standing standing = standingOf(level, at);
        QCOMPARE(standing.why, LevelTrouble::Ring);
        QVERIFY(!standing.ring.empty());
        QCOMPARE(troubleWords(standing, spec), QString::fromStdString(standing.trouble));
    }

    /// And of where it stands, and of what a demonstration does.
    void standingsSayTheSameEverywhere()
    {
        for (const ShippedLesson& shipped : shippedLessons()) {
            const Result<Lesson> lesson = shippedLesson(std::string(shipped.id));
            QVERIFY(lesson);
            for (int i = 0; i < lesson->levels(); ++i) {
                const LessonLevel& level = lesson->level(i);
                Project at = level.start;
                for (std::size_t act = 0;; ++act) {
                    const Standing standing = standingOf(level, at);
                    for (std::size_t g = 0; g < standing.goals.size(); ++g)
                        QCOMPARE(standingWords(level.goals[g], standing.goals[g], standing),
                                 QString::fromStdString(standing.goals[g].nowText));
                    QCOMPARE(troubleWords(standing, level.start.draft.spec).isEmpty(),
                             standing.trouble.empty());
                    if (act == level.demonstration.size())
                        break;
                    const LessonAct& next = level.demonstration[act];
                    if (next.kind != LessonAct::Kind::Finish)
                        QCOMPARE(actWords(next), QString::fromStdString(actText(next)));
                    const auto edit = editOf(level, at, next);
                    QVERIFY(edit && apply(at, *edit));
                }
            }
        }
    }

private:
    static constexpr int mostWide = 430;

    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestLessonFits)
#include "tst_lesson_fits.moc"
