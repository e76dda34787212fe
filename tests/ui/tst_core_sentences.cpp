// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/collisions.h"
#include "core/edit/compose.h"
#include "core/families/family.h"
#include "core/io/project_file.h"
#include "core/lesson/lesson.h"
#include "core/lesson/results.h"
#include "tests/support/test_program.h"
#include "ui/core_sentences.h"
#include "ui/problem_words.h"

#include <QCoreApplication>
#include <QTest>
#include <QTranslator>

using namespace pw;
using namespace pw::ui;

namespace {

/// A language that says every sentence in brackets, and passes in angles.
class Brackets : public QTranslator
{
public:
    QString translate(const char* context, const char* source, const char*, int) const override
    {
        const QString said = QString::fromUtf8(source);
        const QLatin1String in(context);
        if (passesAlone && in != QLatin1String("Core"))
            return {};
        if (in == QLatin1String("Errors") || in == QLatin1String("Rules"))
            return QLatin1Char('[') + said + QLatin1Char(']');
        if (in == QLatin1String("Core"))
            return QLatin1Char('<') + said + QLatin1Char('>');
        return {};
    }
    bool isEmpty() const override { return false; }

    bool passesAlone = false;
};

BuildingBlock blockOfOneFOneB()
{
    FamilyOptions options;
    options.devices = 4;
    options.microBatches = 12;
    const Family& family = **findFamily("1f1b");
    return *family.block(options);
}

std::string errorOfLesson(const char* text)
{
    const auto lesson = readLesson(text, "x");
    return lesson ? std::string() : lesson.error().message;
}

} // namespace

/// Errors of the core in the window's language.
class TestCoreSentences : public QObject
{
    Q_OBJECT

private slots:
    void init() { QCoreApplication::installTranslator(&m_brackets); }
    void cleanup() { QCoreApplication::removeTranslator(&m_brackets); }

    void englishStaysLetterByLetter()
    {
        QCoreApplication::removeTranslator(&m_brackets);
        for (const char* said :
             {"the block collides: device 1: F of micro-batch 0 on stage 1 at 2 and BW of "
              "micro-batch 0 on stage 1 at 5 meet at 2 of interval 3 (and 3 more)",
              "x.json: steps[0].level.goals is missing", "100 %1 of %2 is there already",
              "a.json: line 3, column 4: Invalid value.\n  b.json: it is a folder", "", "what?"})
            QCOMPARE(coreSentence(said), QString::fromUtf8(said));
    }

    void aSentenceAndWhatStandsInIt()
    {
        QCOMPARE(coreSentence("F of micro-batch 0 on stage 1 is there already"),
                 QStringLiteral("[<F of micro-batch 0 on stage 1> is there already]"));
        QCOMPARE(coreSentence("step 2 of the demonstration: there is no device 9"),
                 QStringLiteral("[step 2 of the demonstration: [there is no device 9]]"));
        // A name keeps its letters, also those of a place.
        QCOMPARE(coreSentence("100%1.json: there is no block"),
                 QStringLiteral("100%1.json: [there is no block]"));
        QCOMPARE(coreSentence("nobody knows this one"), QStringLiteral("nobody knows this one"));
        QCOMPARE(coreSentence("a line\n  there is no block"),
                 QStringLiteral("a line\n  [there is no block]"));
    }

    /// What the language does not have is English to its end.
    void nothingIsMixed()
    {
        m_brackets.passesAlone = true;
        QCOMPARE(coreSentence("F of micro-batch 0 on stage 1 is there already"),
                 QStringLiteral("F of micro-batch 0 on stage 1 is there already"));
        QCOMPARE(coreSentence("F of micro-batch 0 on stage 1"),
                 QStringLiteral("<F of micro-batch 0 on stage 1>"));
        m_brackets.passesAlone = false;
    }

    /// Two passes that meet are said from the collision as from the core's sentence of it.
    void collisionsAreSaid()
    {
        BuildingBlock block = blockOfOneFOneB();
        for (BlockPass& placed : block.passes)
            if (placed.pass.stage == 1)
                placed.start = placed.pass.kind == PassKind::F ? 1 : 2 * block.interval + 1;
        const std::vector<Collision> found = collisions(block);
        QVERIFY(!found.empty());
        QCOMPARE(collisionWords(found.front(), block), coreSentence(found.front().text(block)));
        QVERIFY(collisionWords(found.front(), block).startsWith(QLatin1Char('[')));
        QCoreApplication::removeTranslator(&m_brackets);
        QCOMPARE(collisionWords(found.front(), block),
                 QString::fromStdString(found.front().text(block)));
    }

    /// A block that is dropped where its passes meet.
    void aDropThatCollidesIsSaid()
    {
        BuildingBlock block = blockOfOneFOneB();
        block.interval = 2;
        Project project;
        project.costs = UniformCosts{};
        project.draft.spec = specOf(block, 8);
        project.draft.orders.resize(4);
        const auto stamped = stamp(project, block, 4, Growth::Refuse);
        QVERIFY(!stamped);
        known(stamped.error().message);
        block = blockOfOneFOneB();
        const auto tooMany = stamp(project, block, 9, Growth::Refuse);
        QVERIFY(!tooMany);
        known(tooMany.error().message);
        const auto again = insertPass(project, {PassKind::F, 0, StageId(9), 0, 0}, 0);
        QVERIFY(!again);
        known(again.error().message);
    }

    void lessonFilesAreSaid_data()
    {
        QTest::addColumn<QString>("file");
        const auto row = [](const char* name, const char* file) {
            QTest::newRow(name) << QString::fromUtf8(file).replace(QLatin1Char('\''),
                                                                   QLatin1Char('"'));
        };
        row("no JSON", "{'pipewright_lesson': 1,");
        row("empty", "");
        row("no lesson", "{}");
        row("version", "{'pipewright_lesson': 2}");
        row("no steps", "{'pipewright_lesson': 1, 'title': 't', 'summary': 's', 'steps': []}");
        row("missing", "{'pipewright_lesson': 1, 'title': 't', 'steps': []}");
        row("kind", "{'pipewright_lesson': 1, 'title': 3, 'summary': 's', 'steps': []}");
        row("unknown", "{'pipewright_lesson': 1, 'title': 't', 'summary': 's', 'what': 1, "
                       "'steps': [{'title': 'a', 'text': 'b'}]}");
        row("level", "{'pipewright_lesson': 1, 'title': 't', 'summary': 's', "
                     "'steps': [{'title': 'a', 'text': 'b', 'level': 3}]}");
        row("free", "{'pipewright_lesson': 1, 'title': 't', 'summary': 's', 'steps': [{'title': "
                    "'a', 'text': 'b', 'level': {'task': 't', 'start': {'devices': 2, "
                    "'micro_batches': 2}, 'free': 'all'}}]}");
        row("range", "{'pipewright_lesson': 1, 'title': 't', 'summary': 's', 'steps': [{'title': "
                     "'a', 'text': 'b', 'level': {'task': 't', 'start': {'devices': 0, "
                     "'micro_batches': 2}}}]}");
        row("goals", "{'pipewright_lesson': 1, 'title': 't', 'summary': 's', 'steps': [{'title': "
                     "'a', 'text': 'b', 'level': {'task': 't', 'start': {'devices': 2, "
                     "'micro_batches': 2}, 'goals': []}}]}");
    }
    void lessonFilesAreSaid()
    {
        QFETCH(QString, file);
        const std::string error = errorOfLesson(file.toUtf8().constData());
        QVERIFY(!error.empty());
        known(error);
    }

    void otherFilesAreSaid()
    {
        known(readProject("{}").error().message);
        known(readProject("{\"pipewright\": 1, \"spec\": 3}").error().message);
        known(readProject("[").error().message);
        known(readResults("{}").error().message);
        known(loadLesson("/nowhere/lesson.json").error().message);
    }

private:
    static void known(const std::string& error)
    {
        const QString said = coreSentence(error);
        QVERIFY2(said.contains(QLatin1Char('[')) && said != QString::fromStdString(error),
                 error.c_str());
    }

    Brackets m_brackets;
};

PW_TEST(TestCoreSentences)
#include "tst_core_sentences.moc"
