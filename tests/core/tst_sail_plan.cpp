// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/recognise.h"
#include "core/io/schedule_file.h"
#include "core/reading/file_content.h"
#include "core/reading/import_trace.h"
#include "tests/support/golden.h"
#include "tests/support/sail_texts.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::test;

class TestSailPlan : public QObject
{
    Q_OBJECT

private slots:
    /// With the times that it was written with, the plan ends when the schedule does.
    void everyFamilyThatFitsComesBack()
    {
        int fitting = 0;
        for (const Family& family : allFamilies()) {
            const UniformCosts uniform = test::equalStages(7 * ticksPerMs, 8 * ticksPerMs,
                                                           5 * ticksPerMs + 1, ticksPerMs / 3);
            const auto schedule = buildUniform(family, test::sized(4, 8), uniform);
            if (!schedule)
                continue;
            const Costs costs = expand(uniform, schedule->spec());
            const std::string id(family.id);
            for (const SailForm form : {SailForm::ComputeOnly, SailForm::Communicating}) {
                const auto text = writeSailPlan(*schedule, costs, form);
                if (!text) {
                    QVERIFY2(text.error().message.english().find("plans have") != std::string::npos,
                             text.error().message.c_str());
                    continue;
                }
                ++fitting;
                QVERIFY2(looksLikeSailPlan(*text), id.c_str());
                const SailPlan plan = parseSailPlan(*text);
                QVERIFY2(same(*schedule, plan), (id + "\n" + notesOf(plan)).c_str());
                QVERIFY2(plan.costs.has_value(), id.c_str());
                QVERIFY2(!says(plan, "with these costs"), (id + "\n" + notesOf(plan)).c_str());
                QCOMPARE(simulate(*schedule, *plan.costs)->makespan,
                         simulate(*schedule, costs)->makespan);
                QCOMPARE(says(plan, "left out of the order: "), form == SailForm::Communicating);
                QVERIFY2(!says(plan, "cross from"), notesOf(plan).c_str());
            }
        }
        QVERIFY2(fitting >= 30, std::to_string(fitting).c_str());
    }

    void whatNodesCannotSayIsRefused()
    {
        for (const auto& [family, why] :
             {std::pair("chimera", "second route"), std::pair("dualpipe-v", "overlapped pairs"),
              std::pair("pipedream", "updates")}) {
            const Schedule schedule = made(family, 4, 8);
            const auto text = writeSailPlan(schedule, expand(UniformCosts{}, schedule.spec()));
            QVERIFY(!text);
            QVERIFY2(text.error().message.english().find(why) != std::string::npos,
                     text.error().message.c_str());
        }
    }

    /// Orders that the scheduler of sail-sg itself has made, in all three forms.
    void ordersOfTheirSchedulerAreRead()
    {
        int read = 0;
        for (const std::string& file : test::goldenFiles()) {
            if (file.rfind("sail_", 0) != 0)
                continue;
            const auto golden = test::loadGolden(file);
            QVERIFY(golden);
            for (const auto& [id, order] : golden->orders) {
                if (order.hasProblems)
                    continue;
                const auto schedule = Schedule::make(test::goldenSpec(order), order.orders);
                QVERIFY2(schedule, id.c_str());
                const std::string where = file + " " + id + "\n";
                for (const SailText form : {SailText::Json, SailText::Printed}) {
                    const SailPlan plan = parseSailPlan(planText(*schedule, form));
                    QVERIFY2(same(*schedule, plan), (where + notesOf(plan)).c_str());
                }
                if (order.chunks() > 1 && order.segments > 1)
                    continue; // words do not tell one from the other
                const std::string words =
                    planText(*schedule, SailText::Words, {false, false, true});
                const SailPlan plan = parseSailPlan(words);
                QVERIFY2(same(*schedule, plan), (where + words + notesOf(plan)).c_str());
                ++read;
            }
        }
        QVERIFY2(read > 30, std::to_string(read).c_str());
    }

    void thePlacementIsFound_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<QString>("placement");
        QTest::newRow("a loop of two") << "interleaved-1f1b" << 2 << "looped 2";
        QTest::newRow("a loop of four") << "interleaved-1f1b" << 4 << "looped 4";
        QTest::newRow("GIS") << "gis" << 2 << "looped 2";
        QTest::newRow("ZB-V") << "zb-v" << 0 << "v";
        QTest::newRow("V-Half") << "v-half" << 0 << "v";
        QTest::newRow("V-Min") << "v-min" << 0 << "v";
        QTest::newRow("Hanayo") << "hanayo" << 0 << "";
    }

    void thePlacementIsFound()
    {
        QFETCH(QString, family);
        QFETCH(int, chunks);
        QFETCH(QString, placement);
        const Schedule schedule = made(family.toStdString(), 4, 8, chunks);
        const bool two = chunksOfDevices(schedule.spec()).front().size() == 2;
        const auto tell = [&](const SailPlan& plan, std::string_view why) {
            if (placement.isEmpty() || (!two && placement == "v"))
                return true;
            return says(plan, "taken as " + placement.toStdString()) && says(plan, why);
        };
        for (const SailText form : {SailText::Json, SailText::Printed}) {
            const SailPlan peers = parseSailPlan(planText(schedule, form, {false, true, false}));
            QVERIFY2(same(schedule, peers) && tell(peers, "name their peers"),
                     notesOf(peers).c_str());
            const SailPlan sends = parseSailPlan(planText(schedule, form, {false, false, true}));
            QVERIFY2(same(schedule, sends) && tell(sends, "send and do not send"),
                     notesOf(sends).c_str());
            const SailPlan plain = parseSailPlan(planText(schedule, form, {false, false, false}));
            QVERIFY2(same(schedule, plain) && tell(plain, "ends first"), notesOf(plain).c_str());
        }
        if (!two)
            return;
        const SailPlan longForm =
            parseSailPlan(planText(schedule, SailText::Words, {false, true, false}));
        QVERIFY2(same(schedule, longForm) && tell(longForm, "name their peers"),
                 notesOf(longForm).c_str());
    }

    void logsHaveMoreThanThePlan()
    {
        const Schedule schedule = made("v-half", 4, 8);
        const std::string table = planText(schedule, SailText::Words, {false, false, true});
        std::string log = "building the schedule\nF0 F1 BW0 BW1\n";
        for (int process = 0; process < 3; ++process)
            log += table;
        const SailPlan repeated = parseSailPlan(log + "iteration 1 / 10 | loss 3.2\n");
        QVERIFY2(same(schedule, repeated), notesOf(repeated).c_str());
        QVERIFY(says(repeated, "3 times"));
        QVERIFY(looksLikeSailPlan(log));

        std::string prefixed = "[default0]:peak memory: 3 -> 2\n";
        for (std::size_t at = 0; at < table.size();) {
            const std::size_t end = table.find('\n', at);
            prefixed += "[default0]: " + table.substr(at, end - at + 1);
            at = end + 1;
        }
        QVERIFY2(same(schedule, parseSailPlan(prefixed)), prefixed.c_str());
        QVERIFY(looksLikeSailPlan(prefixed));

        const std::string printed = planText(schedule, SailText::Printed);
        const SailPlan twice = parseSailPlan("[rank0] " + printed + "\n" + printed);
        QVERIFY2(same(schedule, twice), notesOf(twice).c_str());
        QVERIFY(says(twice, "2 times"));
    }

    void ranksOfGPipeStayAsManyAsThereAre()
    {
        const Schedule schedule = made("gpipe", 4, 4);
        const SailPlan plan = parseSailPlan(planText(schedule, SailText::Words));
        QVERIFY2(same(schedule, plan), notesOf(plan).c_str());
    }

    /// Older versions call a micro-batch minibatch, and know no groups and no chunks.
    void olderFieldsAndOtherListsAreRead()
    {
        const Schedule schedule = made("1f1b", 2, 2);
        const SailPlan flat = parseSailPlan(json(
            "[{'type':'F','stage':0,'minibatch':0},{'type':'F','stage':0,'minibatch':1},"
            "{'type':'BW','stage':0,'minibatch':0},{'type':'BW','stage':0,'minibatch':1},"
            "{'type':'FuncType.F','stage':1,'minibatch':0},{'type':'BW','stage':1,'minibatch':0},"
            "{'type':'F','stage':1,'minibatch':1},{'type':'BW','stage':1,'minibatch':1}]"));
        QVERIFY2(same(schedule, flat), notesOf(flat).c_str());
        const std::string ranks[] = {
            "[{'type':'F','microbatch':0},{'type':'F','microbatch':1},"
            "{'type':'BW','microbatch':0},{'type':'BW','microbatch':1}]",
            "[{'type':'F','microbatch':0},{'type':'BW','microbatch':0},"
            "{'type':'F','microbatch':1},{'type':'BW','microbatch':1,'colour':'red'}]"};
        const SailPlan numbered =
            parseSailPlan(json("{'1': " + ranks[1] + ", '0': " + ranks[0] + "}"));
        QVERIFY2(same(schedule, numbered), notesOf(numbered).c_str());
        QVERIFY(says(numbered, "colour"));
        const SailPlan named =
            parseSailPlan(json("{'n_stages': 2, 'schedule': [" + ranks[0] + "," + ranks[1] + "]}"));
        QVERIFY2(same(schedule, named), notesOf(named).c_str());
    }

    /// Through the reader of files, under any name; the family's name is that of the order.
    void filesOpenByTheirContent()
    {
        const QTemporaryDir folder;
        const Schedule schedule = made("v-half", 4, 8);
        const std::pair<const char*, std::string> files[] = {
            {"plan.json", planText(schedule, SailText::Json, {false, false, true})},
            {"plan.sail.json", planText(schedule, SailText::Json)},
            {"log.txt", "start\n" + planText(schedule, SailText::Printed)},
            {"train.log", planText(schedule, SailText::Words, {false, false, true})}};
        for (const auto& [name, content] : files) {
            const std::string path = folder.filePath(QString::fromLatin1(name)).toStdString();
            QVERIFY(writeFile(path, content));
            QVERIFY2(fileContent(path) == FileContent::Schedule, name);
            const auto file = readScheduleFile(path);
            QVERIFY2(file && file->problemCount == 0 && file->format == FileFormat::Sail, name);
            const auto read = scheduleOf(file->project);
            QVERIFY(read);
            const Recognition known = recognise(*read, {expand(UniformCosts{}, read->spec())});
            const auto trace = importTrace({path});
            QVERIFY2(!trace && trace.error().message.english().find("a plan of sail-sg") !=
                                   std::string::npos,
                     trace ? name : trace.error().message.c_str());
            QVERIFY2(known.exact() && known.matches.front().family->id == "v-half", name);
        }
    }

    void otherFilesAreNot()
    {
        const Schedule schedule = made("zb-v", 4, 8);
        Project project;
        project.draft = draftOf(schedule);
        project.notes = "ScheduledNode(type=F, stage=0)";
        QVERIFY(!looksLikeSailPlan(*writeProject(project)));
        QVERIFY(!looksLikeSailPlan(writeScheduleText(schedule)));
        QVERIFY(!looksLikeSailPlan(*writeTorchCsv(schedule, TorchForm::ComputeOnly)));
        QVERIFY(!looksLikeSailPlan(json("[{'ph':'X','type':'F','stage':0,'microbatch':0}]")));
        QVERIFY(!looksLikeSailPlan("F0 F1 BW0 BW1\nF0 BW0 F1 BW1\n"));
        QVERIFY(!looksLikeSailPlan("class ScheduledNode(object):\n    type: str\n"));
        QVERIFY(!looksLikeSailPlan(""));
    }
};

PW_TEST(TestSailPlan)
#include "tst_sail_plan.moc"
