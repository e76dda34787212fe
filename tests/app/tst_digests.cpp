// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/byte_source.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/job_traces.h"
#include "tests/support/kineto_job.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"
#include "tests/support/unlabelled_traces.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

using namespace pw;
using namespace pw::app;

namespace {

using Files = std::vector<test::TraceText>;
using Maker = Files (*)();

constexpr qint64 beyondRanks = (1 << 20) + 1;

std::string pathIn(const QTemporaryDir& folder, const std::string& name)
{
    return folder.filePath(QString::fromStdString(name)).toStdString();
}

void writeAll(const QTemporaryDir& folder, const Files& files)
{
    for (const test::TraceText& file : files)
        test::writeTrace(pathIn(folder, file.name), file.text);
}

QJsonObject importOf(const std::string& place)
{
    const test::Said said = test::ran({"import", "--json", place});
    if (said.code != ExitCode::Good)
        qFatal("%s", said.err.constData());
    return QJsonDocument::fromJson(said.out).object();
}

QByteArray unpacked(const std::string& path)
{
    const auto source = FileSource::open(path);
    if (!source)
        qFatal("%s", source.error().message.c_str());
    return QByteArray::fromStdString(headOf(**source, std::size_t{64} << 20));
}

QByteArray bytesOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", path.c_str());
    return file.readAll();
}

void writeBytes(const std::string& path, const QByteArray& content)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", path.c_str());
}

/// An event in microseconds, on the host.
std::string eventText(const std::string& name, int start, int length)
{
    return R"({"ph":"X","cat":"user_annotation","pid":1,"tid":1,"name":")" + name + R"(","ts":)" +
           std::to_string(start) + R"(,"dur":)" + std::to_string(length) + "}";
}

/// Two pipelines of two stages, which nothing but their labels tells apart: the first rank of a
/// stage is not of the first replica.
Files meshFiles()
{
    Files files;
    for (int rank = 0; rank < 4; ++rank) {
        const int stage = rank / 2, replica = stage == 0 ? 1 - rank % 2 : rank % 2;
        std::string text = "[" + eventText("PP:MESH rank=" + std::to_string(rank) +
                                               "/4 pp=" + std::to_string(stage) +
                                               "/2 dp=" + std::to_string(replica) + "/2",
                                           0, 1);
        const std::string pass = "PP:" + std::to_string(stage);
        for (int mb = 0; mb < 2; ++mb) {
            text += "," + eventText(pass + "F" + std::to_string(mb), 100 * (mb + stage) + 10, 90);
            text += "," + eventText(pass + "B" + std::to_string(mb), 1000 + 200 * (mb + 1 - stage),
                                    180 + replica);
        }
        files.push_back({"some" + std::to_string(rank) + ".json", text + "]"});
    }
    return files;
}

/// Primus's files, whose passes are only counted, and the file of their shape beside them.
Files primusFiles()
{
    const std::string first =
        R"({"fwd_start":[0,1,4],"fwd_end":[1,2,5],"bwd_start":[2.5,6,9],"bwd_end":[4,8,11]})";
    const std::string last =
        R"({"fwd_start":[1,3.5,6],"fwd_end":[2,4,7],"bwd_start":[2,4,7],"bwd_end":[3.5,6,9]})";
    return {{"pp_rank_0.json", R"({"1":)" + first + R"(,"2":)" + first + "}"},
            {"pp_rank_1.json", R"({"1":)" + last + R"(,"2":)" + last + "}"},
            {"config.json", R"({"pp_size":2,"vp_size":1,"num_mbs":3})"}};
}

Files megatronFile()
{
    return {{"trace.json", test::megatronText({})}};
}

Files kinetoFiles()
{
    return test::kinetoFiles({}, test::RankLayout::StagesInside);
}

Files unlabelledFiles()
{
    return test::unlabelledFiles(4, 8, 3, true);
}

/// Kernels, messages and steps; no label of a pass and no operator.
Files kernelFiles()
{
    const QTemporaryDir folder;
    Files files;
    for (const std::string& path :
         test::writeKinetoJob(folder.path().toStdString(), {}, 3, false).paths)
        files.push_back({path.substr(path.rfind('/') + 1), bytesOf(path).toStdString()});
    return files;
}

/// As it is told what a digest is: by its first field.
QByteArray digestOf(QJsonObject fields)
{
    const QByteArray version = QByteArray::number(fields.take("pipewright_digest").toInt());
    return "{\"pipewright_digest\":" + version + "," +
           QJsonDocument(fields).toJson(QJsonDocument::Compact).mid(1);
}

/// A digest with a message of each of two passes and a step, to be damaged.
QJsonObject soundDigest()
{
    const QTemporaryDir folder;
    test::writeTrace(pathIn(folder, "rank0.json"),
                     "[" + eventText("PP:0F0", 0, 10) + "," + eventText("PP:0B0", 20, 10) + "]");
    if (test::ran({"reduce", pathIn(folder, "rank0.json")}).code != ExitCode::Good)
        qFatal("no digest");
    QJsonObject digest =
        QJsonDocument::fromJson(unpacked(pathIn(folder, "rank0.json.digest"))).object();
    digest["steps"] = QJsonArray{0, 5, 0, 1, 5, 1};
    digest["groups"] = QJsonArray{2, 0};
    for (const char* name : {"group_names", "group_descriptions", "group_ranks"})
        digest[name] = QJsonArray{"a"};
    digest["calls"] = QJsonArray{0, 0, 10, 1, 1, 0, 1, 0, 1, 0, 10, 1, 1, 0, 1, 1};
    return digest;
}

} // namespace

/// What digests hold, and what is refused of them.
class TestDigests : public QObject
{
    Q_OBJECT

private slots:
    void theyTellWhatFilesDo_data()
    {
        QTest::addColumn<Maker>("files");
        QTest::addColumn<int>("digests");
        QTest::newRow("PyTorch's, labelled") << Maker(kinetoFiles) << 12;
        QTest::newRow("PyTorch's, without labels") << Maker(unlabelledFiles) << 4;
        QTest::newRow("PyTorch's, kernels alone") << Maker(kernelFiles) << 12;
        QTest::newRow("PP:MESH says the replica") << Maker(meshFiles) << 4;
        QTest::newRow("Megatron's") << Maker(megatronFile) << 1;
        QTest::newRow("Primus's, and their shape") << Maker(primusFiles) << 3;
    }

    void theyTellWhatFilesDo()
    {
        QFETCH(Maker, files);
        QFETCH(int, digests);
        const QTemporaryDir traces, folder;
        writeAll(traces, files());
        const std::string from = traces.path().toStdString(), to = folder.path().toStdString();
        const test::Said said = test::ran({"reduce", from, "--output", to});
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        QVERIFY2(said.out.startsWith(QByteArray::number(digests) + " digest"),
                 said.out.constData());
        const QJsonObject whole = importOf(from), small = importOf(to);
        QVERIFY(whole["passes"].toInt() > 0);
        QVERIFY(whole["iterations"].toInt() > 0);
        for (const char* key :
             {"origin", "trace_ranks", "passes", "iterations", "devices", "stages", "chunks",
              "micro_batches", "makespan_ms", "replay_ms", "ranks", "recognised", "families", "job",
              "dependencies", "warnings"})
            QCOMPARE(small[key], whole[key]);
    }

    /// A rank's slow work for the host explains slow steps, and the first event is time 0.
    void workOfTheHostStays()
    {
        const QTemporaryDir traces, folder;
        test::writeTrace(pathIn(traces, "rank0.json"), "[" + eventText("set up", 1000, 10) + "," +
                                                           eventText("gc.collect", 1100, 50) + "," +
                                                           eventText("PP:0F0", 1200, 10) + "," +
                                                           eventText("PP:0B0", 1300, 10) + "]");
        const std::string from = traces.path().toStdString(), to = folder.path().toStdString();
        QCOMPARE(test::ran({"reduce", from, "--output", to}).code, ExitCode::Good);
        QCOMPARE(importOf(to)["spans"].toInt(), 3);
        const std::string store = pathIn(folder, "a.sqlite");
        QCOMPARE(test::ran({"merge", to, "--store", store}).code, ExitCode::Good);
        const test::Said asked = test::ran(
            {"query", "SELECT min(start) AS first FROM pass", "--store", store, "--json"});
        QVERIFY2(asked.out.contains("200000"), asked.out.constData());
    }

    void whatDamagesAnImportIsRefused_data()
    {
        QTest::addColumn<QString>("list");
        QTest::addColumn<int>("place");
        QTest::addColumn<qint64>("number");
        QTest::newRow("nothing") << "" << 0 << qint64{0};
        QTest::newRow("a step behind all spans") << "steps" << 5 << qint64{2147483647};
        QTest::newRow("a step one behind all spans") << "steps" << 5 << qint64{3};
        QTest::newRow("steps go back") << "steps" << 2 << qint64{2};
        QTest::newRow("a step without a number") << "steps" << 0 << qint64{-1};
        QTest::newRow("a step of no length") << "steps" << 1 << qint64{-1};
        QTest::newRow("a time before a step") << "spans" << 5 << qint64{-5};
        QTest::newRow("an end that no number has") << "spans" << 6 << (qint64{1} << 62) - 1;
        QTest::newRow("two calls of a span") << "calls" << 8 << qint64{0};
        QTest::newRow("calls go back") << "calls" << 0 << qint64{1};
        QTest::newRow("a rank") << "said" << 0 << beyondRanks;
        QTest::newRow("a replica") << "said" << 1 << beyondRanks;
        QTest::newRow("a process's rank") << "processes" << 0 << beyondRanks;
        QTest::newRow("a process's replica") << "processes" << 1 << beyondRanks;
        QTest::newRow("a group's size") << "groups" << 0 << beyondRanks;
        QTest::newRow("a peer") << "calls" << 6 << beyondRanks;
    }

    void whatDamagesAnImportIsRefused()
    {
        QFETCH(QString, list);
        QFETCH(int, place);
        QFETCH(qint64, number);
        const QTemporaryDir folder;
        QJsonObject digest = soundDigest();
        if (!list.isEmpty()) {
            QJsonArray numbers = digest[list].toArray();
            QVERIFY(place < numbers.size());
            numbers[place] = number;
            digest[list] = numbers;
        }
        const std::string path = pathIn(folder, "a.digest");
        writeBytes(path, digestOf(digest));
        const test::Said said = test::ran({"merge", path, "--store", pathIn(folder, "a.sqlite")});
        QVERIFY2(said.code == (list.isEmpty() ? ExitCode::Good : ExitCode::Wrong),
                 said.err.constData());
        QVERIFY2(said.err.contains(list.toUtf8()), said.err.constData());
    }

    void longTextsAreRefused_data()
    {
        QTest::addColumn<QString>("list");
        QTest::newRow("a warning") << "warnings";
        QTest::newRow("a name") << "names";
        QTest::newRow("a group's ranks") << "group_ranks";
    }

    void longTextsAreRefused()
    {
        QFETCH(QString, list);
        const QTemporaryDir folder;
        QJsonObject digest = soundDigest();
        QJsonArray texts = digest[list].toArray();
        if (texts.isEmpty())
            texts.append(QString());
        texts[0] = QString(1'000'000, QChar('w'));
        digest[list] = texts;
        const std::string path = pathIn(folder, "a.digest");
        writeBytes(path, digestOf(digest));
        const test::Said said = test::ran({"merge", path, "--store", pathIn(folder, "a.sqlite")});
        QCOMPARE(said.code, ExitCode::Wrong);
        QVERIFY2(said.err.contains("1000000 bytes"), said.err.constData());
    }

    /// What is no whole digest of this version is made again.
    void damagedOnesAreMadeAgain()
    {
        const QTemporaryDir traces;
        writeAll(traces, meshFiles());
        const std::string from = traces.path().toStdString();
        const std::string one = pathIn(traces, "some0.json.digest");
        QVERIFY(test::ran({"reduce", from}).out.contains("4 digests made"));
        const QByteArray sound = bytesOf(one);
        writeBytes(one, sound.chopped(4)); // all is there but the sum that proves it
        QVERIFY(test::ran({"reduce", from}).out.contains("1 digest made"));
        QCOMPARE(bytesOf(one), sound);
        writeBytes(one, sound.left(sound.size() / 2));
        QVERIFY(test::ran({"reduce", from}).out.contains("1 digest made"));
        QJsonObject other = QJsonDocument::fromJson(unpacked(one)).object();
        other["pipewright_digest"] = 1;
        writeBytes(one, digestOf(other));
        const test::Said said = test::ran({"import", from + "/some0.json.digest"});
        QVERIFY2(said.err.contains("another version made it"), said.err.constData());
        QVERIFY(test::ran({"reduce", from}).out.contains("1 digest made"));
        QVERIFY(test::ran({"reduce", from}).out.contains("0 digests made, 4 were there"));
    }

    /// One call for each file keeps of their folders only the last.
    void noDigestTakesThePlaceOfAnothers()
    {
        const QTemporaryDir traces, folder;
        const std::string to = folder.path().toStdString();
        for (const char* node : {"node0", "node1"}) {
            QVERIFY(QDir(traces.path()).mkpath(QString(node) + "/rank0"));
            test::writeTrace(pathIn(traces, std::string(node) + "/rank0/trace.json"),
                             "[" + eventText("PP:0F0", 0, 10) + "]");
        }
        const std::string first = pathIn(traces, "node0/rank0/trace.json");
        const std::string second = pathIn(traces, "node1/rank0/trace.json");
        QCOMPARE(test::ran({"reduce", first, "--output", to}).code, ExitCode::Good);
        for (const bool alike : {true, false}) {
            if (!alike)
                test::writeTrace(second, "[" + eventText("PP:0F0", 0, 20) + "]");
            const test::Said said = test::ran({"reduce", second, "--output", to});
            QCOMPARE(said.code, ExitCode::Wrong);
            QVERIFY2(said.err.contains("is the digest of " + QByteArray::fromStdString(first)),
                     said.err.constData());
        }
        QVERIFY(test::ran({"reduce", first, "--output", to}).out.contains("1 were there"));
        // The file itself may change.
        test::writeTrace(first, "[" + eventText("PP:0F0", 0, 30) + "]");
        QVERIFY(test::ran({"reduce", first, "--output", to}).out.contains("1 digest made"));
        // Without a folder for them they lie apart.
        QVERIFY(test::ran({"reduce", second}).out.contains("1 digest made"));
    }

    void whatIsLeftOutIsNamed()
    {
        const QTemporaryDir traces;
        writeAll(traces, meshFiles());
        test::writeTrace(pathIn(traces, "notes.json"), R"({"no": "trace"})");
        const test::Said said = test::ran({"reduce", traces.path().toStdString()});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY2(said.out.contains("1 other file left out"), said.out.constData());
        QVERIFY2(said.out.contains("notes.json"), said.out.constData());
    }

    /// Warnings of files, and where they were damaged.
    void mergeWarns()
    {
        const QTemporaryDir folder;
        test::writeTrace(pathIn(folder, "rank0.json"), "[" + eventText("PP:0F0", 0, 10) + "," +
                                                           eventText("PP:0B0", 20, 10) + ",{\"ph");
        const std::string path = folder.path().toStdString();
        QCOMPARE(test::ran({"reduce", path}).code, ExitCode::Good);
        const QJsonObject whole = importOf(pathIn(folder, "rank0.json"));
        const QJsonObject small = importOf(pathIn(folder, "rank0.json.digest"));
        QVERIFY(whole["repair_count"].toInt() > 0);
        QCOMPARE(small["repair_count"], whole["repair_count"]);
        QCOMPARE(small["repairs"], whole["repairs"]);
        const test::Said said = test::ran({"merge", path, "--store", pathIn(folder, "a.sqlite")});
        QVERIFY2(said.out.contains("Repairs"), said.out.constData());
    }
};

PW_TEST(TestDigests)
#include "tst_digests.moc"
