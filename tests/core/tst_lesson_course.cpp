// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/lesson/course.h"
#include "core/lesson/standing.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;

/// The way from lesson to lesson.
class TestLessonCourse : public QObject
{
    Q_OBJECT

private slots:
    void shippedLessonsLeadOnToTheEnd()
    {
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson.has_value());
            const auto wrong = checkWay(*lesson, {});
            QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong.front().c_str());
        }
    }

    void everyLessonIsInBothLanguages()
    {
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson.has_value());
            std::vector<const LessonText*> texts = {&lesson->title, &lesson->summary};
            for (const LessonStep& step : lesson->steps) {
                texts.insert(texts.end(), {&step.title, &step.text});
                for (const LessonPicture& picture : step.pictures)
                    texts.push_back(&picture.caption);
                for (const LessonQuestion& question : step.questions)
                    texts.insert(texts.end(), {&question.ask, &question.why});
                if (step.level)
                    texts.insert(texts.end(), {&step.level->task, &step.level->hints.say,
                                               &step.level->hints.show});
            }
            for (const LessonText* text : texts) {
                std::vector<std::string> languages;
                for (const auto& [language, words] : text->languages)
                    languages.push_back(language);
                const bool both = languages == std::vector<std::string>{"en", "de"};
                QVERIFY2(text->empty() || both,
                         (std::string(shipped.id) + ": " + text->in()).c_str());
            }
        }
    }

    /// What does not meet the goals may be below par, as a block that is repeated more seldom or a
    /// schedule of fewer micro-batches: no figure of it stands beside par.
    void whatIsNoSolutionHasNoFigureBesidePar()
    {
        int blocks = 0, choices = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson.has_value());
            for (int i = 0; i < lesson->levels(); ++i) {
                const LessonLevel& level = lesson->level(i);
                blocks += level.freedom == Freedom::Block;
                choices += level.freedom == Freedom::Choice;
                const Standing begin = standingOf(level, level.start);
                QVERIFY(!begin.solved());
                for (const MedalStanding* medal : {&begin.time, &begin.memory, &begin.letters})
                    QVERIFY(!medal->offered || medal->now == "–");
            }
        }
        QVERIFY(blocks > 5 && choices > 5);
    }

    /// A part of an order holds what its forwards keep.
    void aPartOfAnOrderHasAPeak()
    {
        int parts = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson.has_value());
            for (int i = 0; i < lesson->levels(); ++i) {
                const LessonLevel& level = lesson->level(i);
                const Standing begin = standingOf(level, level.start);
                if (begin.complete || level.freedom == Freedom::Block || begin.makespan == 0)
                    continue;
                ++parts;
                QVERIFY2(begin.peak > 0, std::string(shipped.id).c_str());
            }
        }
        QVERIFY(parts > 0);
    }

    void aFileBesideIsFound()
    {
        put("a", "b");
        put("b", "01-devices-and-passes");
        QVERIFY(checkWay(lesson("a"), folder()).empty());
        QCOMPARE(fileOfNext(lesson("a"), folder()), folder() + "/b.json");
        QCOMPARE(fileOfNext(lesson("b"), folder()), std::string());
        QCOMPARE(fileOfNext(lesson("a"), {}), std::string());
    }

    void whatIsWrongIsNamed_data()
    {
        QTest::addColumn<QString>("next");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("nowhere") << "nowhere"
                                 << QStringList{"'nowhere'", "no lesson", "'nowhere.json'"};
        QTest::newRow("itself") << "first" << QStringList{"'first'", "circle: first > first"};
        QTest::newRow("a circle") << "second" << QStringList{"circle: first > second > first"};
        QTest::newRow("broken") << "broken" << QStringList{"'broken'", "cannot be read"};
        QTest::newRow("out of the folder") << "../first" << QStringList{"no lesson"};
    }

    void whatIsWrongIsNamed()
    {
        QFETCH(QString, next);
        QFETCH(QStringList, said);
        put("second", "first");
        QVERIFY(writeFile(path("broken"), "{\"pipewright_lesson\": 1}").has_value());
        put("first", next.toUtf8().constData());
        const auto wrong = checkWay(lesson("first"), folder());
        QCOMPARE(wrong.size(), std::size_t{1});
        for (const QString& part : said)
            QVERIFY2(QString::fromStdString(wrong.front()).contains(part), wrong.front().c_str());
    }

private:
    std::string folder() const { return m_folder.path().toStdString(); }
    std::string path(const std::string& name) const { return folder() + "/" + name + ".json"; }

    void put(const std::string& name, const std::string& next)
    {
        QVERIFY(writeFile(path(name), "{\"pipewright_lesson\": 1, \"title\": \"t\", \"summary\": "
                                      "\"s\", \"next\": \"" +
                                          next +
                                          "\", \"steps\": [{\"title\": \"t\", \"text\": \"x\"}]}")
                    .has_value());
    }

    Lesson lesson(const std::string& name) const
    {
        auto read = loadLesson(path(name));
        return read ? std::move(*read) : Lesson{};
    }

    QTemporaryDir m_folder;
};

PW_TEST(TestLessonCourse)
#include "tst_lesson_course.moc"
