// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/collisions.h"
#include "core/edit/compose.h"
#include "core/edit/drag.h"
#include "core/families/family.h"
#include "core/io/project_file.h"
#include "core/lesson/lesson.h"
#include "core/lesson/results.h"
#include "core/sim/ring.h"
#include "tests/support/random_drafts.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"
#include "ui/core_sentences.h"

#include <QCoreApplication>
#include <QTest>
#include <QTranslator>

#include <random>
#include <set>

using namespace pw;
using namespace pw::test;
using namespace pw::ui;

namespace {

/// A language that says every sentence of the core in brackets.
class Brackets : public QTranslator
{
public:
    QString translate(const char* context, const char* source, const char*, int) const override
    {
        const QString said = QString::fromUtf8(source);
        if (QLatin1String(context) != QLatin1String("Sentences") || said == lacks)
            return {};
        return QLatin1Char('[') + said + QLatin1Char(']');
    }
    bool isEmpty() const override { return false; }

    QString lacks; ///< a sentence that the language does not have
};

BuildingBlock blockOfOneFOneB()
{
    FamilyOptions options;
    options.devices = 4;
    options.microBatches = 12;
    const Family& family = **findFamily("1f1b");
    return *family.block(options);
}

Sentence errorOfLesson(const char* text)
{
    const auto lesson = readLesson(text, "x");
    return lesson ? Sentence() : lesson.error().message;
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
        std::mt19937 random(randomSeed());
        for (const Sentence& sentence : sentencesOfOrders(random))
            QCOMPARE(coreSentence(sentence), QString::fromStdString(sentence));
        for (const char* plain : {"100 %1 of %2 is there already", "", "a.json"})
            QCOMPARE(coreSentence(plain), QString::fromUtf8(plain));
    }

    void aSentenceAndWhatStandsInIt()
    {
        const PipelineSpec spec = specOf(blockOfOneFOneB());
        QCOMPARE(coreSentence(said("%1 is there already",
                                   describe({PassKind::F, 0, StageId(1), 0, 0}, spec))),
                 QStringLiteral("[[F of micro-batch 0 on stage 1] is there already]"));
        QCOMPARE(coreSentence(
                     said("step %1 of the demonstration: %2", 2, said("there is no device %1", 9))),
                 QStringLiteral("[step 2 of the demonstration: [there is no device 9]]"));
        // A name keeps its letters, also those of a place; what only joins needs no translation.
        m_brackets.lacks = QStringLiteral("%1: %2");
        QCOMPARE(coreSentence(said("%1: %2", "100%1.json", said("there is no block"))),
                 QStringLiteral("100%1.json: [there is no block]"));
        m_brackets.lacks.clear();
        QCOMPARE(coreSentence("there is no block"), QStringLiteral("there is no block"));
    }

    /// What the language does not have is English to its end.
    void nothingIsMixed()
    {
        m_brackets.lacks = QStringLiteral("%1 is there already");
        const Sentence pass =
            describe({PassKind::F, 0, StageId(1), 0, 0}, specOf(blockOfOneFOneB()));
        QCOMPARE(coreSentence(said("%1 is there already", pass)),
                 QStringLiteral("F of micro-batch 0 on stage 1 is there already"));
        QCOMPARE(coreSentence(pass), QStringLiteral("[F of micro-batch 0 on stage 1]"));
        m_brackets.lacks.clear();
    }

    /// Problems of random orders, rings and refused drags, of every family.
    void ordersAreSaid()
    {
        std::mt19937 random(randomSeed());
        for (const Sentence& sentence : sentencesOfOrders(random))
            known(sentence);
    }

    void collisionsAreSaid()
    {
        BuildingBlock block = blockOfOneFOneB();
        for (BlockPass& placed : block.passes)
            if (placed.pass.stage == 1)
                placed.start = placed.pass.kind == PassKind::F ? 1 : 2 * block.interval + 1;
        const std::vector<Collision> found = collisions(block);
        QVERIFY(!found.empty());
        known(found.front().text(block));
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
        known(errorOfLesson(file.toUtf8().constData()));
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
    static void known(const Sentence& sentence)
    {
        QVERIFY(!sentence.empty());
        const QString words = coreSentence(sentence);
        QVERIFY2(words.startsWith(QLatin1Char('[')) || words.contains(QLatin1String(": [")),
                 sentence.c_str());
        QCOMPARE(
            QString(words).remove(QLatin1Char('[')).remove(QLatin1Char(']')),
            QString::fromStdString(sentence).remove(QLatin1Char('[')).remove(QLatin1Char(']')));
    }

    static std::vector<Sentence> sentencesOfOrders(std::mt19937& random)
    {
        std::vector<Sentence> all;
        std::set<ProblemCode> met;
        int refused = 0;
        for (const Family& family : allFamilies()) {
            Draft draft = draftOf(familySchedule(family, random));
            const Costs costs = randomCosts(draft.spec, random);
            for (int device = 0; device < draft.spec.devices; ++device) {
                const auto& order = draft.orders[static_cast<std::size_t>(device)];
                const int at = below(random, static_cast<int>(order.size()));
                auto drag = Drag::begin(draft, costs, {{DeviceId(device), at}}, DragMode::Strict);
                for (const Ticks offset : {-50 * ticksPerMs, -2 * ticksPerMs, 9 * ticksPerMs}) {
                    const DragTrial& trial = drag->trial(offset);
                    if (trial.refused())
                        all.push_back(refusalText(trial.why, draft.spec));
                    refused += trial.refused() ? 1 : 0;
                }
            }
            disturb(draft, random);
            // A backward beside its other form, and an update where none belongs.
            for (auto& order : draft.orders)
                if (!order.empty() && below(random, 3) == 0)
                    order[static_cast<std::size_t>(below(random, static_cast<int>(order.size())))]
                        .pass.kind =
                        allPassKinds[static_cast<std::size_t>(below(random, passKindCount))];
            const auto found = problems(draft);
            for (const Problem& one : found->list) {
                met.insert(one.code);
                all.push_back(one.text);
                all.push_back(placed(one));
            }
        }
        for (const int links : {1, 2, 11, 12, 13, 40}) {
            PipelineSpec spec;
            spec.devices = links;
            spec.microBatches = 3;
            spec.routes = {Placement::linear(links)};
            std::vector<RingLink> ring;
            for (int device = 0; device < links; ++device)
                ring.push_back({DeviceId(device),
                                {PassKind::F, 0, StageId(device), device % 3, 0},
                                {PassKind::BW, 0, StageId((device + 1) % links), 2, 0}});
            all.push_back(ringText(ring, spec));
        }
        if (met.size() < 4 || refused < 20 ||
            !ringText(std::vector<RingLink>(), PipelineSpec()).empty())
            all.emplace_back("too little was met");
        return all;
    }

    Brackets m_brackets;
};

PW_TEST(TestCoreSentences)
#include "tst_core_sentences.moc"
