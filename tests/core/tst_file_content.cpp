// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/io/own_file.h"
#include "core/io/schedule_file.h"
#include "core/lesson/practice.h"
#include "core/lesson/results.h"
#include "core/reading/file_content.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;

Q_DECLARE_METATYPE(pw::OwnFile)

class TestFileContent : public QObject
{
    Q_OBJECT

private slots:
    void theMarkOfTheOutermostObjectCounts_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<OwnFile>("kind");
        QTest::newRow("lesson") << QByteArray("{\"pipewright_lesson\": 1}") << OwnFile::Lesson;
        QTest::newRow("behind others")
            << QByteArray("\xEF\xBB\xBF\r\n{ \"next\" : \"a\\\"}\", \"list\": [{}, [1]],\n"
                          "\"pipewright_lesson\"\t: 1 }")
            << OwnFile::Lesson;
        QTest::newRow("a value") << QByteArray("{\"title\": \"pipewright_lesson\"}")
                                 << OwnFile::None;
        QTest::newRow("inside") << QByteArray(
                                       "{\"a\": {\"pipewright_lesson\": 1}, \"pipewright\": 1}")
                                << OwnFile::Project;
        QTest::newRow("cut off") << QByteArray("{\"pipewright_lesson\": 1, \"title\": \"no e")
                                 << OwnFile::Lesson;
        QTest::newRow("cut off before") << QByteArray("{\"title\": \"no e") << OwnFile::None;
        QTest::newRow("cut in the mark") << QByteArray("{\"pipewright_les") << OwnFile::None;
        QTest::newRow("results") << QByteArray("{\"pipewright_results\": 1}") << OwnFile::Results;
        QTest::newRow("rules") << QByteArray("{\"pipewright_rules\": 1}") << OwnFile::Rules;
        QTest::newRow("costs") << QByteArray("{\"pipewright_costs\": 1}") << OwnFile::Costs;
        QTest::newRow("another's") << QByteArray("{\"traceEvents\": []}") << OwnFile::None;
        QTest::newRow("a list") << QByteArray("[{\"pipewright_lesson\": 1}]") << OwnFile::None;
        QTest::newRow("behind the end")
            << QByteArray("{} {\"pipewright_lesson\": 1}") << OwnFile::None;
        QTest::newRow("too many ends")
            << QByteArray("{]}\"pipewright_lesson\": 1") << OwnFile::None;
        QTest::newRow("nothing") << QByteArray() << OwnFile::None;
        QTest::newRow("a mark of bytes") << QByteArray("\xEF\xBB\xBF") << OwnFile::None;
    }

    void theMarkOfTheOutermostObjectCounts()
    {
        QFETCH(QByteArray, head);
        QFETCH(OwnFile, kind);
        QVERIFY(ownFileOf({head.constData(), static_cast<std::size_t>(head.size())}) == kind);
    }

    /// Whatever it is called.
    void theContentSaysWhatAFileIs()
    {
        const QTemporaryDir folder;
        const auto is = [&](const char* name, const std::string& content, FileContent kind) {
            const std::string path = folder.filePath(QString::fromLatin1(name)).toStdString();
            return writeFile(path, content).has_value() && fileContent(path) == kind;
        };
        const auto lesson = practiceLesson(3);
        QVERIFY(lesson.has_value());
        QVERIFY(is("a.json", *lesson, FileContent::Lesson));
        QVERIFY(is("a.trace.json", *lesson, FileContent::Lesson));
        QVERIFY(is("a.txt", *lesson, FileContent::Lesson));
        QVERIFY(is("b.json", "{\"traceEvents\": [], \"note\": \"pipewright_lesson\"}",
                   FileContent::Trace));
        // A lesson that tells of traces is none.
        QVERIFY(
            is("c.json", "{\"pipewright_lesson\": 1, \"traceEvents\": []}", FileContent::Lesson));
        QVERIFY(is("d.json", writeResults({}), FileContent::Results));
        QVERIFY(is("e.json", "{\"pipewright_costs\": 1}", FileContent::Costs));
        QVERIFY(is("f.json", "{\"pipewright\": 1}", FileContent::Schedule));
        QVERIFY(is("g.txt", "d0: F0 BW0\n", FileContent::Schedule));
        QVERIFY(is("h.json", "", FileContent::Schedule));
        // Whoever imports says what these are, and what helps.
        QVERIFY(is("i.nsys-rep", std::string("\x01\x00\x02", 3), FileContent::Trace));
        QVERIFY(is("j.svg", "<svg></svg>", FileContent::Schedule));
        QVERIFY(fileContent(folder.path().toStdString()) == FileContent::Trace);
        QVERIFY(fileContent(folder.filePath(QStringLiteral("none")).toStdString()) ==
                FileContent::Missing);
        // Far longer than any lesson may be: still one, which its reader then refuses.
        QVERIFY(is("i.json",
                   "{\"pipewright_lesson\": 1, \"title\": \"" + std::string(3'000'000, 'x') + "\"}",
                   FileContent::Lesson));
    }

    void aLessonIsNoScheduleAndSaysWhatReadsIt()
    {
        const auto file = readScheduleContent("{\"pipewright_lesson\": 1}", "a.json");
        QVERIFY(file.has_value());
        QCOMPARE(file->unreadable.size(), std::size_t{1});
        QVERIFY(file->unreadable.front().find("pipewright lesson") != std::string::npos);
        QVERIFY(!file->isCosts);
    }
};

PW_TEST(TestFileContent)
#include "tst_file_content.moc"
