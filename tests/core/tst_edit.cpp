// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/edit.h"
#include "core/io/schedule_text.h"
#include "tests/support/blocks.h"
#include "tests/support/random_drafts.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::test;

namespace {

Project projectFrom(const std::string& text)
{
    auto draft = readScheduleText(text);
    if (!draft)
        qFatal("%s", draft.error().message.c_str());
    Project project;
    project.draft = *draft;
    return project;
}

QString shown(const Project& project)
{
    QStringList lines;
    for (const auto& order : project.draft.orders) {
        QStringList words;
        for (const OrderEntry& entry : order)
            words += QString::fromUtf8(name(entry.pass.kind).data()) +
                     QString::number(entry.pass.microBatch);
        lines += words.join(' ');
    }
    return lines.join(" | ");
}

Pass pass(PassKind kind, int stage, int microBatch)
{
    return {kind, 0, StageId(stage), microBatch, 0};
}

std::vector<std::int32_t> somePositions(std::size_t end, std::mt19937& random)
{
    std::vector<std::int32_t> all(end);
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(std::min(all.size(), static_cast<std::size_t>(1 + below(random, 4))));
    std::sort(all.begin(), all.end());
    return all;
}

SetSchedule ofFamily(const Family& family, std::mt19937& random)
{
    const FamilyOptions options = optionsFor(family, random);
    return {FamilyChoice{std::string(family.id), options}, {*specOf(family, options), {}}};
}

/// A change that the project takes more often than not.
Change randomChange(const Project& project, std::mt19937& random)
{
    const auto& orders = project.draft.orders;
    const DeviceId device(orders.empty() ? 0 : below(random, static_cast<int>(orders.size())));
    const std::size_t length = orders.empty() ? 0 : orders[static_cast<std::size_t>(device)].size();
    switch (below(random, 13)) {
    case 0: {
        InsertEntries change{device, {}};
        auto positions = somePositions(length + 4, random);
        while (!positions.empty() &&
               positions.back() >= static_cast<int>(length + positions.size()))
            positions.pop_back();
        for (const std::int32_t position : positions)
            change.entries.push_back({position, single(pass(PassKind::F, 0, below(random, 9)))});
        return change;
    }
    case 1:
        return RemoveEntries{device, length == 0 ? std::vector<std::int32_t>{0}
                                                 : somePositions(length, random)};
    case 2: {
        MoveEntries change{device, {}};
        const auto from = somePositions(length, random);
        auto to = somePositions(length, random);
        std::shuffle(to.begin(), to.end(), random);
        for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
            change.moves.push_back({from[i], to[i]});
        return change;
    }
    case 3:
        return ReplaceEntry{device, below(random, 9),
                            overlapped(pass(PassKind::F, 0, 1), pass(PassKind::BW, 0, 0))};
    case 4: {
        PipelineSpec spec = project.draft.spec;
        spec.microBatches += below(random, 3);
        spec.routeOfMicroBatch.clear();
        spec.devices += below(random, 2);
        return SetSpec{spec};
    }
    case 5: {
        Draft draft = project.draft;
        if (!draft.orders.empty())
            disturb(draft, random);
        return SetOrders{draft.orders};
    }
    case 6: {
        const auto families = allFamilies();
        const Family& family =
            families[static_cast<std::size_t>(below(random, static_cast<int>(families.size())))];
        if (family.search)
            return SetTitle{"no"};
        if (below(random, 2) == 0)
            return ofFamily(family, random);
        return SetSchedule{std::nullopt, draftOf(familySchedule(family, random))};
    }
    case 7: {
        if (below(random, 2) == 0)
            return SetCosts{UniformCosts{}};
        return SetCosts{randomCosts(project.draft.spec, random)};
    }
    case 8:
        return SetTitle{"title " + std::to_string(below(random, 100))};
    case 9:
        return SetNotes{"notes " + std::to_string(below(random, 100))};
    case 10:
        return InsertBlock{static_cast<std::size_t>(below(random, 3)), randomBlock(5)};
    case 11:
        return RemoveBlock{static_cast<std::size_t>(below(random, 3))};
    default:
        return SetBlock{static_cast<std::size_t>(below(random, 3)), randomBlock(6)};
    }
}

} // namespace

class TestEdit : public QObject
{
    Q_OBJECT

private slots:
    void changesOfEntriesDoWhatTheySay_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QString>("expected");
        const auto f = [](int j) { return single(pass(PassKind::F, 0, j)); };
        const auto row = [](const char* what, Change change, const char* expected) {
            QTest::newRow(what) << Edit{{std::move(change)}} << QString(expected);
        };
        row("insert in front and behind", InsertEntries{DeviceId(0), {{0, f(7)}, {5, f(8)}}},
            "F7 F0 F1 BW0 BW1 F8 | F0 BW0 F1 BW1");
        row("insert two in the middle", InsertEntries{DeviceId(1), {{2, f(7)}, {3, f(8)}}},
            "F0 F1 BW0 BW1 | F0 BW0 F7 F8 F1 BW1");
        row("remove", RemoveEntries{DeviceId(0), {0, 2}}, "F1 BW1 | F0 BW0 F1 BW1");
        row("move right", MoveEntries{DeviceId(0), {{0, 2}}}, "F1 BW0 F0 BW1 | F0 BW0 F1 BW1");
        row("move left", MoveEntries{DeviceId(1), {{3, 0}}}, "F0 F1 BW0 BW1 | BW1 F0 BW0 F1");
        row("move a selection", MoveEntries{DeviceId(0), {{0, 2}, {1, 3}}},
            "BW0 BW1 F0 F1 | F0 BW0 F1 BW1");
        row("swap", MoveEntries{DeviceId(0), {{0, 3}, {3, 0}}}, "BW1 F1 BW0 F0 | F0 BW0 F1 BW1");
        row("replace", ReplaceEntry{DeviceId(0), 1, f(9)}, "F0 F9 BW0 BW1 | F0 BW0 F1 BW1");
        row("nothing", MoveEntries{DeviceId(0), {}}, "F0 F1 BW0 BW1 | F0 BW0 F1 BW1");
    }

    void changesOfEntriesDoWhatTheySay()
    {
        QFETCH(Edit, edit);
        QFETCH(QString, expected);
        const Project before = projectFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
        Project project = before;
        const auto inverse = apply(project, edit);
        QVERIFY2(inverse, inverse ? "" : inverse.error().message.c_str());
        QCOMPARE(shown(project), expected);
        const auto again = apply(project, *inverse);
        QVERIFY(again);
        QVERIFY(project == before);
        QVERIFY(apply(project, *again));
        QCOMPARE(shown(project), expected);
    }

    void aRefusedChangeNamesTheReason_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* what, Change change, const char* reason) {
            // What comes first has to be taken back.
            QTest::newRow(what) << Edit{{SetTitle{"half"}, RemoveEntries{DeviceId(0), {0}},
                                         std::move(change)}}
                                << QString(reason);
        };
        row("device", MoveEntries{DeviceId(2), {}}, "there is no device 2; devices are 0 to 1");
        row("position", RemoveEntries{DeviceId(0), {3}},
            "device 0 has no position 3; it has 3 entries");
        row("order", RemoveEntries{DeviceId(0), {2, 1}},
            "positions of device 0 are not in order: 2, 1");
        row("two to one place", MoveEntries{DeviceId(1), {{0, 1}, {2, 1}}},
            "positions of device 1 are not in order: 1, 1");
        row("lost device", SetSpec{PipelineSpec{}}, "devices is 1, but device 1 has 4 entries");
        row("orders", SetOrders{{}}, "orders are given for 0 of 2 devices");
        row("block", RemoveBlock{0}, "there is no block 0 of 0");
        row("family without its spec", SetSchedule{FamilyChoice{"gpipe", {}}, {PipelineSpec{}, {}}},
            "a family comes with the spec that it makes, and without orders");
        row("unknown family", SetSchedule{FamilyChoice{"gpip", {}}, {PipelineSpec{}, {}}},
            "there is no family 'gpip'; did you mean gpipe?");
        row("costs", SetCosts{Costs{}}, "costs: forward times has 0 entries; 2 are needed");
    }

    void aRefusedChangeNamesTheReason()
    {
        QFETCH(Edit, edit);
        QFETCH(QString, reason);
        const Project before = projectFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
        Project project = before;
        const auto refused = apply(project, edit);
        QVERIFY(!refused);
        const QString message = QString::fromStdString(refused.error().message);
        QVERIFY2(message.contains(reason), qPrintable(message));
        QVERIFY(project == before);
    }

    void costsMustFitTheShapeAfterTheWholeEdit()
    {
        Project project = projectFrom("d0: F0 BW0\nd1: F0 BW0\n");
        project.costs = expand(UniformCosts{}, project.draft.spec);
        PipelineSpec wider = project.draft.spec;
        wider.devices = 4;
        wider.routes = {Placement::linear(4)};
        Project copy = project;
        QVERIFY(!apply(copy, Edit{{SetSpec{wider}}}));
        QVERIFY(copy == project);
        // In one edit the order of the two does not matter.
        const SetCosts costs{expand(UniformCosts{}, wider)};
        QVERIFY(apply(copy, Edit{{costs, SetSpec{wider}}}));
        copy = project;
        QVERIFY(apply(copy, Edit{{SetSpec{wider}, costs}}));
    }

    void aFamilysOrderIsNotEditedUnderIt()
    {
        Project project;
        std::mt19937 random(1);
        QVERIFY(apply(project, Edit{{ofFamily(**findFamily("1f1b"), random)}}));
        QVERIFY(writeProject(project));
        const auto refused = apply(project, Edit{{RemoveEntries{DeviceId(0), {0}}}});
        QVERIFY(!refused);
        const Draft own = draftOf(*scheduleOf(project));
        QVERIFY(apply(project,
                      Edit{{SetSchedule{std::nullopt, own}, RemoveEntries{DeviceId(0), {0}}}}));
    }

    void theInverseOfAMoveIsAsSmallAsTheMove()
    {
        FamilyOptions options;
        options.devices = 8;
        options.microBatches = 512;
        Project project;
        project.draft = draftOf(*buildUniform(**findFamily("1f1b"), options, UniformCosts{}));
        const auto inverse = apply(project, Edit{{MoveEntries{DeviceId(3), {{500, 7}}}}});
        QVERIFY(inverse);
        QVERIFY((*inverse == Edit{{MoveEntries{DeviceId(3), {{7, 500}}}}}));
    }

    /// Random edits of random changes, then their inverses in reverse: the project is the same, and
    /// after every edit it is one that a file holds.
    void editsThenTheirInversesGiveBackTheProject_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 60; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }

    void editsThenTheirInversesGiveBackTheProject()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        Project project;
        project.draft = draftOf(familySchedule(**findFamily("1f1b"), random));
        std::vector<Project> states{project};
        std::vector<Edit> inverses;
        int refused = 0;
        for (int i = 0; i < 40; ++i) {
            Edit edit;
            for (int changes = 1 + below(random, 3); changes > 0; --changes)
                edit.changes.push_back(randomChange(project, random));
            const auto inverse = apply(project, edit);
            if (!inverse) {
                QVERIFY(project == states.back());
                ++refused;
                continue;
            }
            inverses.push_back(*inverse);
            states.push_back(project);
        }
        QVERIFY(refused < 38);
        while (!inverses.empty()) {
            QVERIFY(project == states.back());
            const auto redo = apply(project, inverses.back());
            QVERIFY2(redo, redo ? "" : redo.error().message.c_str());
            // And forth and back once more.
            Project again = project;
            const auto undo = apply(again, *redo);
            QVERIFY(undo);
            QVERIFY(again == states.back());
            inverses.pop_back();
            states.pop_back();
        }
        QVERIFY(project == states.front());
    }
};

PW_TEST(TestEdit)
#include "tst_edit.moc"
