// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"
#include "core/families/family.h"
#include "core/io/schedule_text.h"
#include "tests/support/random_drafts.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

class TestScheduleDocument : public QObject
{
    Q_OBJECT

private:
    static Project zbV(int microBatches = 8)
    {
        FamilyOptions options;
        options.microBatches = microBatches;
        return projectOf("zb-v", options, UniformCosts{});
    }

    /// Two devices, two micro-batches, an order of its own.
    static Project twoByTwo(const char* orders)
    {
        Result<Draft> draft =
            readScheduleText(std::string("devices: 2\nmicro-batches: 2\n") + orders);
        if (!draft)
            qFatal("%s", draft.error().message.c_str());
        Project project;
        project.draft = *std::move(draft);
        return project;
    }
    static constexpr const char* whole = "d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n";

    static Edit move(DeviceId device, int from, int to)
    {
        return {{MoveEntries{device, {{from, to}}}}};
    }

    /// An edit that a document may take, of any kind that the window makes.
    static Edit randomEdit(const ScheduleDocument& document, std::mt19937& random)
    {
        const Project& project = document.project();
        const Draft& draft = document.draft();
        const DeviceId device(test::below(random, draft.spec.devices));
        const auto length = static_cast<int>(draft.orders[static_cast<std::size_t>(device)].size());
        const auto position = [&] { return test::below(random, std::max(1, length)); };
        switch (test::below(random, 8)) {
        case 0:
            return document.onOwnOrders(move(device, position(), position()));
        case 1:
            if (const auto removed = removeEntries(project, {{device, position()}}))
                return removed->edit;
            break;
        case 2:
            if (const auto next = suggestions(project, device, 0); next && !next->empty())
                if (const auto put = insertPass(project, next->front().pass, 0))
                    return put->edit;
            break;
        case 3:
            if (const auto clip = copyEntries(project, {{device, position()}}))
                if (const auto pasted = paste(project, *clip, 0, Growth::Grow))
                    return pasted->edit;
            break;
        case 4:
            if (const auto rest = finishRest(project, FinishRule::BackwardFirst))
                return rest->edit;
            break;
        case 5: {
            const auto families = allFamilies();
            const Family& family = families[static_cast<std::size_t>(
                test::below(random, static_cast<int>(families.size())))];
            if (family.search)
                break;
            const FamilyChoice choice{std::string(family.id), test::optionsFor(family, random)};
            if (const auto filled = fillWithFamily(project, choice, UniformCosts{}))
                return filled->edit;
            break;
        }
        case 6: {
            UniformCosts costs;
            costs.forward = 1 + test::below(random, 1000);
            return {{SetCosts{costs}}};
        }
        default:
            break;
        }
        return {{SetTitle{"title " + std::to_string(test::below(random, 100))}}};
    }

private slots:
    void aProjectHasItsScheduleAndItsLanes()
    {
        ScheduleDocument document;
        document.reset(zbV());
        QVERIFY(document.schedule());
        QCOMPARE(document.title(), QStringLiteral("ZB-V · 4 × 8"));
        QCOMPARE(document.lanes()->spanCount(), std::size_t{192});
        QVERIFY(!document.modified());
    }

    void aChangeIsUndoneAndRedone()
    {
        ScheduleDocument document;
        document.reset(zbV());
        const Project before = document.project();
        QSignalSpy spy(&document, &ScheduleDocument::resultChanged);
        QVERIFY(document.change(zbV(12), QStringLiteral("12 micro-batches")));
        QCOMPARE(spy.count(), 1);
        QVERIFY(document.modified());
        const Ticks makespan = document.result().makespan;
        document.undoStack().undo();
        QVERIFY(document.project() == before);
        QVERIFY(!document.modified());
        document.undoStack().redo();
        QCOMPARE(document.result().makespan, makespan);
    }

    void aValueThatIsTypedIsOneStep()
    {
        ScheduleDocument document;
        document.reset(zbV());
        const Project before = document.project();
        for (const int microBatches : {9, 10, 11})
            QVERIFY(document.change(zbV(microBatches), QStringLiteral("m"), 1));
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QVERIFY(document.project() == before);
    }

    void whatCannotBeIsRefusedAndChangesNothing()
    {
        ScheduleDocument document;
        document.reset(zbV());
        Project next = document.project();
        next.family->options.microBatches = 0;
        const Project before = document.project();
        const Result<void> changed = document.change(next, QStringLiteral("none"));
        QVERIFY(!changed);
        QVERIFY(!changed.error().message.empty());
        QVERIFY(document.project() == before);
        QCOMPARE(document.undoStack().count(), 0);
    }

    void aFamilyHasItsOrdersInFull()
    {
        ScheduleDocument document;
        document.reset(zbV());
        QVERIFY(document.project().draft.orders.empty());
        QVERIFY(document.draft() == draftOf(*document.schedule()));
        // An edit of entries makes them an order of its own.
        const Project before = document.project();
        QVERIFY(document.edit(document.onOwnOrders({{RemoveEntries{DeviceId(3), {0, 1}}}}),
                              QStringLiteral("Delete")));
        QVERIFY(!document.project().family);
        QCOMPARE(document.problems().count, std::int64_t{2});
        document.undoStack().undo();
        QVERIFY(document.project() == before);
        QVERIFY(document.draft() == draftOf(*document.schedule()));
    }

    void timesAreThoseOfTheDraft_data()
    {
        QTest::addColumn<QString>("orders");
        QTest::addColumn<bool>("runs");
        QTest::newRow("whole") << QString::fromLatin1(whole) << true;
        QTest::newRow("unfinished") << QStringLiteral("d0: F0 F1 BW0\nd1: F0 BW0\n") << false;
        QTest::newRow("empty") << QStringLiteral("d0: \nd1: \n") << false;
        QTest::newRow("ring") << QStringLiteral("d0: BW0 F0 F1 BW1\nd1: F1 BW1 F0 BW0\n") << false;
    }
    void timesAreThoseOfTheDraft()
    {
        QFETCH(QString, orders);
        QFETCH(bool, runs);
        ScheduleDocument document;
        document.reset(twoByTwo(qPrintable(orders)));
        const Result<DraftTimes> times = draftTimes(document.draft(), document.costs());
        QVERIFY(times);
        QVERIFY(document.times() == *times);
        QCOMPARE(document.schedule() != nullptr, runs);
        QCOMPARE(document.problem().isEmpty(), runs);
        std::size_t entries = 0;
        for (const auto& order : document.draft().orders)
            entries += order.size();
        QCOMPARE(document.lanes()->spanCount(), entries);
    }

    void anUnfinishedFileOpens()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("half.pipewright.json"));
        QVERIFY(saveProject(twoByTwo("d0: F0 F1\nd1: F0 BW0\n"), path.toStdString()));
        ScheduleDocument document;
        QVERIFY(document.open(path));
        QVERIFY(!document.schedule());
        QCOMPARE(document.problems().count, std::int64_t{4});
        QCOMPARE(document.lanes()->spanCount(), std::size_t{4});
        // The pass is drawn with its name, though there is no schedule.
        QVERIFY(document.lanes()->pass({1, 1}).kind == PassKind::BW);
        QVERIFY(!document.modified());
    }

    void passesMayBeTakenAwayAndComeBack()
    {
        ScheduleDocument document;
        document.reset(twoByTwo(whole));
        QVERIFY(document.edit({{RemoveEntries{DeviceId(0), {3}}}}, QStringLiteral("Delete")));
        QVERIFY(!document.schedule());
        QCOMPARE(document.problems().count, std::int64_t{1});
        QVERIFY(document.problem().contains(QLatin1Char('1')));
        document.undoStack().undo();
        QVERIFY(document.schedule());
        QVERIFY(document.problems().none());
    }

    void aBrokenRuleIsRefusedUntilEditingIsFree_data()
    {
        QTest::addColumn<int>("device");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<QString>("word");
        QTest::newRow("before its own input") << 1 << 1 << 0 << QStringLiteral("before");
        QTest::newRow("far before it") << 1 << 3 << 0 << QStringLiteral("before");
    }
    void aBrokenRuleIsRefusedUntilEditingIsFree()
    {
        QFETCH(int, device);
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(QString, word);
        ScheduleDocument document;
        document.reset(twoByTwo(whole));
        const Project before = document.project();
        const Result<void> refused =
            document.edit(move(DeviceId(device), from, to), QStringLiteral("Move"));
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.english().find(word.toStdString()) != std::string::npos,
                 refused.error().message.c_str());
        QVERIFY(document.project() == before);
        QVERIFY(document.schedule());
        QVERIFY(!document.modified());

        QSignalSpy spy(&document, &ScheduleDocument::freeEditChanged);
        document.setFreeEdit(true);
        QCOMPARE(spy.count(), 1);
        QVERIFY(document.edit(move(DeviceId(device), from, to), QStringLiteral("Move")));
        QVERIFY(!document.schedule());
        QVERIFY(!document.problems().none());
        // What is wrong already stands in nobody's way; more is refused.
        document.setFreeEdit(false);
        QVERIFY(document.edit(move(DeviceId(0), 0, 1), QStringLiteral("Move")));
        QVERIFY(!document.edit(move(DeviceId(0), 3, 0), QStringLiteral("Move")));
        document.undoStack().undo();
        document.undoStack().undo();
        QVERIFY(document.project() == before);
        QVERIFY(document.schedule());
    }

    void aRingIsRefusedInWords()
    {
        ScheduleDocument document;
        document.reset(twoByTwo(whole));
        const Result<void> refused = document.edit(
            {{MoveEntries{DeviceId(0), {{1, 2}}}, MoveEntries{DeviceId(1), {{2, 1}}}}},
            QStringLiteral("Move"));
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.english().find("F of micro-batch 1") != std::string::npos,
                 refused.error().message.c_str());
        document.setFreeEdit(true);
        QVERIFY(document.edit(
            {{MoveEntries{DeviceId(0), {{1, 2}}}, MoveEntries{DeviceId(1), {{2, 1}}}}},
            QStringLiteral("Move")));
        QVERIFY(document.problems().none());
        QVERIFY(!document.times().ring.empty());
        QVERIFY(!document.schedule());
        QVERIFY(!document.problem().isEmpty());
    }

    void editsOfOneNumberAreOneStepOthersAreNot()
    {
        ScheduleDocument document;
        document.reset(twoByTwo(whole));
        const Project before = document.project();
        QVERIFY(document.edit({{SetTitle{"a"}}}, QStringLiteral("Title"), 1));
        QVERIFY(document.edit({{SetTitle{"ab"}}}, QStringLiteral("Title"), 1));
        QVERIFY(document.edit(move(DeviceId(0), 2, 3), QStringLiteral("Move"), 2));
        QVERIFY(document.edit({{RemoveEntries{DeviceId(0), {3}}}}, QStringLiteral("Delete"), 3));
        QVERIFY(document.edit({{RemoveEntries{DeviceId(0), {2}}}}, QStringLiteral("Delete"), 3));
        QCOMPARE(document.draft().orders[0].size(), std::size_t{2});
        document.undoStack().undo();
        QCOMPARE(document.draft().orders[0].size(), std::size_t{4});
        document.undoStack().redo();
        QCOMPARE(document.draft().orders[0].size(), std::size_t{2});
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QVERIFY(document.project() == before);
    }

    void anEditBetweenProjectsIsOnlyWhatDiffers()
    {
        const Project from = twoByTwo(whole);
        QVERIFY(editBetween(from, from).empty());
        Project to = from;
        to.title = "other";
        to.costs = UniformCosts{};
        std::get<UniformCosts>(to.costs).hop = 5;
        to.blocks.resize(2);
        to.draft.spec.microBatches = 3;
        const Edit edit = editBetween(from, to);
        QCOMPARE(edit.changes.size(), std::size_t{5});
        QVERIFY(edit.changes.front().is<SetSpec>());
        Project project = from;
        const Result<Edit> back = apply(project, edit);
        QVERIFY(back);
        QVERIFY(project == to);
        QVERIFY(apply(project, editBetween(to, from)));
        QVERIFY(project == from);
    }

    void undoingEverythingGivesBackTheProject_data()
    {
        QTest::addColumn<bool>("freely");
        QTest::newRow("strict") << false;
        QTest::newRow("free") << true;
    }
    void undoingEverythingGivesBackTheProject()
    {
        QFETCH(bool, freely);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        for (int round = 0; round < 25; ++round) {
            ScheduleDocument document;
            document.setFreeEdit(freely);
            document.reset(round % 2 == 0 ? zbV(4) : twoByTwo(whole));
            std::vector<Project> states{document.project()};
            for (int i = 0; i < 20; ++i) {
                const Project before = document.project();
                const int steps = document.undoStack().count();
                if (!document.edit(randomEdit(document, random), QStringLiteral("edit"))) {
                    QVERIFY(document.project() == before);
                    QCOMPARE(document.undoStack().count(), steps);
                } else if (document.undoStack().count() > steps) {
                    states.push_back(document.project());
                }
                const Result<DraftTimes> times = draftTimes(document.draft(), document.costs());
                QVERIFY(times && document.times() == *times);
                if (!freely)
                    QVERIFY(document.times().ring.empty());
            }
            for (std::size_t i = states.size(); i-- > 1;) {
                QVERIFY(document.project() == states[i]);
                document.undoStack().undo();
            }
            QVERIFY(document.project() == states.front());
            QVERIFY(!document.modified());
            for (std::size_t i = 1; i < states.size(); ++i) {
                document.undoStack().redo();
                QVERIFY(document.project() == states[i]);
            }
        }
    }

    void aSavedProjectOpensAsItWas()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.pipewright.json"));
        ScheduleDocument document;
        document.reset(zbV());
        QVERIFY(document.change(zbV(12), QStringLiteral("m")));
        QVERIFY(document.save(path));
        QVERIFY(!document.modified());
        ScheduleDocument other;
        QVERIFY(other.open(path));
        QVERIFY(other.project() == document.project());
        QCOMPARE(other.path(), path);
        const Result<void> missing = other.open(folder.filePath(QStringLiteral("none")));
        QVERIFY(!missing);
        QVERIFY(other.project() == document.project());
    }
};

PW_TEST(TestScheduleDocument)
#include "tst_schedule_document.moc"
