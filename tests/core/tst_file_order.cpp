// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/file_order.h"
#include "core/reading/import_trace.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

std::string eventOf(const std::string& name, int process)
{
    return "{\"ph\": \"X\", \"name\": \"" + name + "\", \"pid\": " + std::to_string(process) +
           ", \"tid\": 1, \"ts\": 5, \"dur\": 2}";
}

/// A pass of a stage, so that a file shows which one it is.
std::string passOf(int stage)
{
    return "[" + eventOf("PP:" + std::to_string(stage) + "F0", 4711) + "]";
}

/// The stage on every rank of a trace by its number; −1 where the numbers have a hole.
std::vector<int> stagesByRank(const Trace& trace)
{
    std::vector<int> stages(trace.ranks.size(), -1);
    for (const TraceSpan& span : trace.spans) {
        const auto rank = static_cast<std::size_t>(trace.ranks[span.rank.index()].number);
        if (rank < stages.size() && trace.labelOf(span) != nullptr)
            stages[rank] = trace.labelOf(span)->stage.value;
    }
    return stages;
}

} // namespace

class TestFileOrder : public QObject
{
    Q_OBJECT

private slots:
    void numbersOfNamesCountByValue()
    {
        std::vector<std::string> names = {"w10.json", "w2.json", "w1.json", "w02.json", "w.json",
                                          "v9/x",     "v10/a",   "V3",      ""};
        std::sort(names.begin(), names.end(), namedBefore);
        const std::vector<std::string> wanted = {
            "", "V3", "v9/x", "v10/a", "w.json", "w1.json", "w02.json", "w2.json", "w10.json"};
        QCOMPARE(names, wanted);
    }

    void aPathSaysItsRank_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("rank");
        QTest::newRow("name") << "run/rank_17_trace.json" << 17;
        QTest::newRow("upper case") << "Trace-RANK=3.json" << 3;
        QTest::newRow("point") << "trace.rank.4.json" << 4;
        QTest::newRow("folder") << "run/rank5/trace.json" << 5;
        QTest::newRow("name before folder") << "rank5/rank6.json" << 6;
        QTest::newRow("of the run before that of a group") << "tp_rank_1_global_rank_9.json" << 9;
        QTest::newRow("of the pipeline before that of a group")
            << "tp_rank_1_cp_rank_0_pp_rank_2.json" << 2;
        QTest::newRow("of a group where nothing else is") << "dp_rank_3.json" << 3;
        QTest::newRow("surer folder") << "rank8/tp_rank_1.json" << 8;
        QTest::newRow("of a machine") << "node1_local_rank0.json" << -1;
        QTest::newRow("number of all") << "8ranks_trace.json" << -1;
        QTest::newRow("time") << "rank_1700000000.json" << -1;
        QTest::newRow("none") << "run/trace.json" << -1;
    }

    void aPathSaysItsRank()
    {
        QFETCH(QString, path);
        QFETCH(int, rank);
        QCOMPARE(rankInPath(path.toStdString(), 0).value_or(-1), rank);
    }

    void aFolderThatAllShareSaysNoRank()
    {
        const std::vector<std::string> paths = {"rank7_job/a/x.json", "rank7_job/b/x.json"};
        QCOMPARE(commonFolder(paths), std::size_t{10});
        QVERIFY(!rankInPath(paths[0], commonFolder(paths)));
        QCOMPARE(rankInPath("rank7_job/a/x.json", 0).value_or(-1), 7);
        QCOMPARE(commonFolder({"rank1/x.json", "rank2/x.json"}), std::size_t{0});
        QCOMPARE(commonFolder({"rank1/x.json", "rank12/x.json"}), std::size_t{0});
        QCOMPARE(commonFolder({"a/rank1/x.json"}), std::size_t{2});
        QCOMPARE(commonFolder({"/x.json"}), std::size_t{1});
        QCOMPARE(commonFolder({"x.json"}), std::size_t{0});
        QCOMPARE(commonFolder({}), std::size_t{0});
    }

    void ranksOfAFolderAreInTheOrderOfTheirNumbers_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("counted");
        QTest::newRow("numbers of names") << "worker%1.json" << true;
        QTest::newRow("numbers of folders") << "%1/trace.json" << true;
        QTest::newRow("ranks of names") << "Rank%1.json" << false;
        QTest::newRow("ranks of folders") << "rank%1/trace.json" << false;
    }

    void ranksOfAFolderAreInTheOrderOfTheirNumbers()
    {
        QFETCH(QString, name);
        QFETCH(bool, counted);
        constexpr int ranks = 12;
        QTemporaryDir folder;
        std::vector<std::string> words;
        for (int rank = 0; rank < ranks; ++rank) {
            const QString path = folder.filePath(name.arg(rank));
            QVERIFY(QDir().mkpath(QFileInfo(path).path()));
            test::writeTrace(path.toStdString(), passOf(rank));
            words.push_back(path.toStdString());
        }
        std::sort(words.begin(), words.end()); // as a shell gives them
        for (const std::vector<std::string>& said : {{folder.path().toStdString()}, words}) {
            const Result<Trace> trace = importTrace(said);
            QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
            const std::vector<int> stages = stagesByRank(*trace);
            QCOMPARE(stages.size(), std::size_t{ranks});
            for (int rank = 0; rank < ranks; ++rank)
                QCOMPARE(stages[static_cast<std::size_t>(rank)], rank);
            QCOMPARE(trace->ranks.front().guessed, counted);
        }
    }

    void anOrderOfOnesOwnIsKept()
    {
        QTemporaryDir folder;
        const auto file = [&folder](const char* name, int stage) {
            const std::string path = folder.filePath(name).toStdString();
            test::writeTrace(path, passOf(stage));
            return path;
        };
        const Result<Trace> trace = importTrace({file("b.json", 0), file("a.json", 1)});
        QVERIFY(trace);
        QCOMPARE(stagesByRank(*trace), (std::vector<int>{0, 1}));
    }

    void aFileIsReadOnce()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("rank3.json").toStdString();
        test::writeTrace(path, passOf(3));
        QVERIFY(QFile::link("rank3.json", folder.filePath("latest.json")));
        const Result<Trace> linked = importTrace({folder.path().toStdString()});
        QVERIFY(linked);
        QCOMPARE(linked->spans.size(), std::size_t{1});
        QCOMPARE(linked->ranks[0].number, 3); // by its own name, not by the link's
        QCOMPARE(linked->warnings.size(), std::size_t{1});
        QVERIFY(linked->warnings[0].find("latest.json is ") != std::string::npos);
        const Result<Trace> twice = importTrace({path, path});
        QVERIFY(twice);
        QCOMPARE(twice->spans.size(), std::size_t{1});
    }

    void processesOfTheProfilerAreCounted()
    {
        const std::string passes = eventOf("PP:0F0", 4000) + "," + eventOf("PP:1F0", 4321);
        const Result<Trace> profiled =
            importTraceText("[" + eventOf("aten::mm", 4000) + "," + passes + "]", "merged.json");
        QVERIFY(profiled);
        QCOMPARE(profiled->ranks[0].number, 0);
        QCOMPARE(profiled->ranks[1].number, 1);
        QVERIFY(profiled->ranks[1].guessed);
        const Result<Trace> other = importTraceText("[" + passes + "]", "merged.json");
        QVERIFY(other);
        QCOMPARE(other->ranks[1].number, 4321);
    }

    void manyProcessesAreCountedFast()
    {
        constexpr int most = 70'000;
        std::string text = "[";
        for (int process = 0; process < most; ++process)
            text += (process == 0 ? "" : ",") + eventOf("PP:0F0", process);
        const Result<Trace> trace = importTraceText(text + "]", "many.json");
        QVERIFY(trace);
        QCOMPARE(trace->ranks.size(), std::size_t{most});
        QCOMPARE(trace->ranks.back().number, most - 1);
    }
};

PW_TEST(TestFileOrder)
#include "tst_file_order.moc"
