// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_file.h"
#include "tests/support/sail_texts.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace pw;
using namespace pw::test;

namespace {

struct TextNode
{
    const char* type;
    int microBatch;
    double start;
    double end;
};

/// Rank 0 of two; all of stage 0.
std::string timedNodes(const std::vector<TextNode>& nodes, int rank = 0)
{
    std::string text;
    for (const TextNode& node : nodes)
        text += (text.empty() ? "" : ",") +
                nodeText(SailText::Json,
                         {{"type", node.type},
                          {"stage", std::to_string(rank)},
                          {"microbatch", std::to_string(node.microBatch)},
                          {"layer_group_idx", std::string_view(node.type) == "OFFLOAD_BARRIER"
                                                  ? "null"
                                                  : std::to_string(rank)},
                          {"start_time", std::to_string(node.start)},
                          {"completion_time", std::to_string(node.end)}});
    return "[" + text + "]";
}

} // namespace

/// What a plan of sail-sg has beside its order, and what may be wrong with it.
class TestSailNodes : public QObject
{
    Q_OBJECT

private slots:
    /// Rank 0 of PipeOffload: the activation of micro-batch 0 leaves behind its F and is back
    /// before its B; that of micro-batch 1 stays. The barrier and the ends of transfers stand
    /// between.
    void offloadsAreFollowed()
    {
        const std::string first = timedNodes({{"F", 0, 0, 10},
                                              {"OFFLOAD_SEND_START", 0, 10, 10},
                                              {"F", 1, 10, 20},
                                              {"OFFLOAD_SEND_END", 0, 15, 15},
                                              {"F", 2, 20, 30},
                                              {"OFFLOAD_BARRIER", 0, 30, 30},
                                              {"B", 1, 40, 50},
                                              {"W", 1, 50, 60},
                                              {"OFFLOAD_RECV_PREP", 0, 60, 60},
                                              {"OFFLOAD_RECV_START", 0, 60, 60},
                                              {"B", 0, 70, 80},
                                              {"W", 0, 80, 90},
                                              {"OFFLOAD_RECV_END", 0, 90, 90},
                                              {"BW", 2, 90, 110}});
        const SailPlan plan = parseSailPlan("[" + first + "]");
        QVERIFY2(plan.problems.none(), notesOf(plan).c_str());
        QCOMPARE(plan.draft.orders.front().size(), std::size_t{8});
        QCOMPARE(plan.offloads.size(), std::size_t{1});
        const SailOffload& one = plan.offloads.front();
        QVERIFY((one.forward == Pass{PassKind::F, 0, StageId(0), 0, 0}));
        QVERIFY(one.away == Ticks{45'000}); // from 15 to 60 µs
        QVERIFY(one.copy == Ticks{5'000});  // from 10 to 15 µs
        QCOMPARE(one.passesBetween, 3);     // F2, B1, W1; F1 was begun before
        QVERIFY2(says(plan, "left out of the order: 5 offload nodes, 1 offload barrier"),
                 notesOf(plan).c_str());
        QVERIFY2(says(plan, "rank 0 offloads 1 activation: stage 0, micro-batch 0; a copy takes "
                            "5 µs; away for 0.045 ms, "
                            "while 3 passes run, at most 1 at once; it holds at most 2 in place "
                            "of 3"),
                 notesOf(plan).c_str());
        // What cannot be right is told with its place.
        const SailPlan early = parseSailPlan(
            "[" + timedNodes({{"F", 0, 0, 1}, {"OFFLOAD_SEND_START", 0, 1, 1}, {"BW", 0, 1, 2}}) +
            "]");
        QVERIFY2(says(early, "list 1, node 3: the activation of micro-batch 0 on stage 0 is needed "
                             "here and is still on the host"),
                 notesOf(early).c_str());
        QVERIFY(says(early, "does not come back"));
        // The printed table has no times.
        const SailPlan words = parseSailPlan("f0 oss0 f1 ose0 b1 orp0 ors0 w1 b0 w0 ore0 ob0\n");
        QCOMPARE(words.offloads.size(), std::size_t{1});
        QVERIFY(!words.offloads.front().away);
        QVERIFY2(says(words, "away while 1 pass runs"), notesOf(words).c_str());
    }

    /// Cells and the time of a copy come back, and so do the places of the transfers.
    void offloadsOfASimulationComeBack()
    {
        for (const char* family : {"1f1b", "gis", "v-half", "zb-v"}) {
            const auto schedule = buildUniform(**findFamily(family), sized(4, 8), UniformCosts{});
            QVERIFY(schedule);
            Costs costs = expand(UniformCosts{}, schedule->spec());
            for (const StageId stage : Ids<StageId>(2))
                for (int microBatch = 0; microBatch < 8; ++microBatch)
                    costs.offload.cells.push_back({PassKind::F, 0, stage, microBatch, 0});
            costs.offload.link = {ticksPerMs / 8, 0};
            for (const SailForm form : {SailForm::ComputeOnly, SailForm::Communicating}) {
                const auto text = writeSailPlan(*schedule, costs, form);
                QVERIFY(text);
                const auto file = readScheduleContent(*text, "plan.sail.json");
                QVERIFY(file);
                std::string said;
                for (const std::string& note : file->notes)
                    said += note + "\n";
                QVERIFY2(file->problemCount == 0, said.c_str());
                QVERIFY2(file->project.draft == draftOf(*schedule), said.c_str());
                QVERIFY2(file->project.offload == costs.offload, said.c_str());
                QVERIFY2(said.find("80 offload nodes") != std::string::npos, said.c_str());
                QVERIFY2(said.find("on the host") == std::string::npos, said.c_str());
                QVERIFY2(said.find("a copy takes 0.125 ms;") != std::string::npos, said.c_str());
            }
        }
    }

    void spreadTimesAreSaid()
    {
        const SailPlan plan = parseSailPlan(
            "[" +
            timedNodes({{"F", 0, 0, 10}, {"BW", 0, 10, 30}, {"F", 1, 30, 44}, {"BW", 1, 44, 64}}) +
            "]");
        QVERIFY2(
            says(plan, "F of stage 0 takes 0.01 ms to 0.014 ms in 2 nodes; the mean, 0.012 ms"),
            notesOf(plan).c_str());
        QVERIFY(plan.costs->forward.front() == 12'000);
        QVERIFY(plan.costs->fused.front() == 20'000);
        QVERIFY(!says(plan, "BW of stage"));
        const SailPlan some =
            parseSailPlan(json("[[{'type':'F','microbatch':0,'start_time':0,'completion_time':1},"
                               "{'type':'BW','microbatch':0}]]"));
        QVERIFY(!some.costs && says(some, "1 of 2 passes have none"));
    }

    void whatIsWrongIsNamed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* title, const char* text, const char* expected) {
            const bool isJson = text[0] == '[' || text[0] == '{';
            QTest::newRow(title) << (isJson ? QString::fromStdString(json(text))
                                            : QString::fromLatin1(text))
                                 << QString::fromLatin1(expected);
        };
        row("type", "[[{'type':'G','microbatch':0}]]",
            "list 1, node 1: field type is 'G', which no node has");
        row("no type", "[[{'microbatch':0}]]", "list 1, node 1: field type is missing");
        row("micro-batch", "[[{'type':'F'}]]", "field microbatch is missing");
        row("negative", "[[{'type':'F','microbatch':-1}]]",
            "field microbatch is out of its range, which is 0 to 2147483646; it is -1");
        row("no number", "[[{'type':'F','microbatch':0,'chunk':'a'}]]",
            "field chunk is not a whole number");
        row("half", "[[{'type':'F','microbatch':0.5}]]", "not a whole number");
        row("rank", "[[{'type':'F','microbatch':0}],[{'type':'F','stage':3,'microbatch':0}]]",
            "list 2, node 1: field stage is 3 in the list of rank 1");
        row("no rank", "[{'type':'F','microbatch':0}]", "field stage is missing");
        row("time", "[[{'type':'F','microbatch':0,'start_time':5,'completion_time':3}]]",
            "field completion_time lies before start_time");
        row("groups",
            "[[{'type':'F','microbatch':0,'layer_group_idx':0}],"
            "[{'type':'F','microbatch':0,'layer_group_idx':0}]]",
            "list 2, node 1: layer_group_idx 0 is on rank 1 here and on rank 0 before");
        row("some groups",
            "[[{'type':'F','microbatch':0,'layer_group_idx':0}],"
            "[{'type':'F','microbatch':0}]]",
            "list 2, node 1: field layer_group_idx is missing");
        row("a gap", "[[{'type':'F','microbatch':0,'layer_group_idx':2}]]",
            "no node has layer_group_idx 0, but one has 2");
        row("far", "[[{'type':'F','microbatch':2000000000}]]",
            "micro-batch 2000000000, stage 0 and piece 0 of a sequence occur");
        row("no pass", "[[{'type':'SEND_FORWARD','microbatch':0}]]", "holds no pass");
        row("no list", "{'a': 1}", "no list of nodes");
        row("no node", "[[1]]", "list 1, node 1: a node is expected");
        row("no JSON", "[[{'type':'F'", "line");
        row("open", "ScheduledNode(type=F, stage=0, microbatch=0", "has no end");
        row("no field", "x\nScheduledNode(F, 0)", "line 2, column 15: a field is written");
        row("words", "hello\nworld\n", "no line is one of a printed table");
        row("chunks or pieces", "f0 f0 F0 F0 F0 F0 B0 B0 B0 B0 b0 b0\n",
            "words do not tell chunks from pieces");
    }

    void whatIsWrongIsNamed()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const SailPlan plan = parseSailPlan(text.toStdString());
        QVERIFY(!plan.problems.none());
        QVERIFY2(says(plan, expected.toStdString()), notesOf(plan).c_str());
    }

    /// A pass that is missing or doubled has its place in the file.
    void problemsHaveTheirPlaces()
    {
        const auto file = readScheduleContent(json("[[{'type':'F','microbatch':0},{'type':'BW','"
                                                   "microbatch':0},{'type':'F','microbatch':0}]]"),
                                              "plan.json");
        QVERIFY(file && file->unreadable.empty() && file->problems.size() == 1);
        QVERIFY2(file->problems.front().rfind("list 1, node 3: ", 0) == 0,
                 file->problems.front().c_str());
    }

    void damageIsToldAndNothingElse()
    {
        const unsigned seed = std::random_device{}();
        std::mt19937 random(seed);
        const Schedule schedule = made("zb-v", 2, 3);
        const std::string texts[] = {planText(schedule, SailText::Json),
                                     planText(schedule, SailText::Printed),
                                     planText(schedule, SailText::Words, {false, true, true})};
        for (int round = 0; round < 3000; ++round) {
            std::string text = texts[random() % 3];
            for (auto change = 1 + random() % 3; change > 0; --change) {
                const std::size_t at = random() % text.size();
                if (random() % 2 == 0)
                    text.erase(at, 1 + random() % 20);
                else
                    text[at] = "0123456789,:-[]{}()\"=fFbBwW \n"[random() % 29];
                if (text.empty())
                    text = " ";
            }
            const SailPlan plan = parseSailPlan(text);
            if (!plan.problems.none())
                continue;
            QVERIFY2(plan.places.size() == plan.draft.orders.size(),
                     ("seed " + std::to_string(seed) + ": " + text).c_str());
            QVERIFY(problems(plan.draft).has_value());
        }
    }
};

PW_TEST(TestSailNodes)
#include "tst_sail_nodes.moc"
