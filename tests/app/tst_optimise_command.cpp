// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace pw;
using namespace pw::app;

namespace {

QJsonDocument documentOf(const QString& line)
{
    return QJsonDocument::fromJson(test::ranLine(line).out);
}

} // namespace

/// `optimise`, `noise` and `adapt` from the user's side.
class TestOptimiseCommand : public QObject
{
    Q_OBJECT

private slots:
    void theBoundAndTheStoryAreTold();
    void jsonHasTheFigures();
    void aSavedOrderSimulatesAsItWasFound();
    void aSavedOrderHasItsOwnEnds_data();
    void aSavedOrderHasItsOwnEnds();
    void whatGoesToTheHostIsCountedAndChosen();
    void capsAreTakenInEveryUnit_data();
    void capsAreTakenInEveryUnit();
    void otherPlacementsAreTriedWhereAskedFor();
    void noiseSortsByTheNinetyFifthPercentile();
    void noiseOfOneScheduleSaysWhatItDependsOn();
    void adaptComparesTheTunerWithEveryK();
    void anAdaptedRunIsHeardLineByLine();
    void theFirstAdaptedRunOfTheManualSwitches();
    void anOrderThatNeverEndsIsReplaced();
    void noOrderHasToBeLookedFor();
    void aRunWithoutAFlushSaysThatItFlushes();
    void aStoredAdaptedRunTellsItsSwitches();
    void whatIsWrongIsNamed_data();
    void whatIsWrongIsNamed();
};

void TestOptimiseCommand::theBoundAndTheStoryAreTold()
{
    const test::Said made =
        test::ranLine("optimise 1f1b --devices 4 --micro-batches 8 --time-limit 5");
    QCOMPARE(made.code, ExitCode::Good);
    QVERIFY(made.out.contains("lower bound"));
    QVERIFY(made.out.contains("nothing is better"));
    QVERIFY(made.out.contains("splits every backward into B and W"));
    QVERIFY(made.out.contains("W of device"));
    QVERIFY(made.err.isEmpty());
}

void TestOptimiseCommand::jsonHasTheFigures()
{
    const QJsonObject found =
        documentOf("optimise 1f1b --devices 4 --micro-batches 8 --time-limit 5 --json").object();
    QCOMPARE(found["given_ms"].toDouble(), 33.0);
    QCOMPARE(found["found_ms"].toDouble(), 27.0);
    QCOMPARE(found["bound_ms"].toDouble(), 27.0);
    QCOMPARE(found["best_family_ms"].toDouble(), 27.0);
    QVERIFY(found["proven"].toBool());
    QCOMPARE(found["gap"].toDouble(), 0.0);
    QVERIFY(found["peak_activation_mb"].toDouble() <= 4);
    // As 1F1B has it, the backward stays whole.
    const QJsonObject fused =
        documentOf("optimise 1f1b --devices 4 --micro-batches 8 --form fused --time-limit 5 --json")
            .object();
    QCOMPARE(fused["found_ms"].toDouble(), 33.0);
    QVERIFY(fused["proven"].toBool());
}

void TestOptimiseCommand::aSavedOrderSimulatesAsItWasFound()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("better.pipewright.json");
    const QJsonObject found =
        documentOf("optimise interleaved-1f1b --devices 4 --comm 0.3 --time-limit "
                   "2 --json --save " +
                   file)
            .object();
    const QJsonObject simulated = documentOf("simulate " + file + " --json").object();
    QCOMPARE(simulated["makespan_ms"].toDouble(), found["makespan_ms"].toDouble());
    QVERIFY(found["found_ms"].toDouble() < found["given_ms"].toDouble());
    // A file is as good a beginning as a family.
    const QJsonObject again = documentOf("optimise " + file + " --time-limit 1 --json").object();
    QVERIFY(again["found_ms"].toDouble() <= found["found_ms"].toDouble());
    for (const char* name : {"better.csv", "better.txt"}) {
        const test::Said made = test::ranLine("optimise zb-h1 --comm 0.3 --time-limit 0.5 --save " +
                                              folder.filePath(name));
        QCOMPARE(made.code, ExitCode::Good);
        QCOMPARE(test::ranLine("check " + folder.filePath(name)).code, ExitCode::Good);
    }
}

void TestOptimiseCommand::aSavedOrderHasItsOwnEnds_data()
{
    QTest::addColumn<QString>("options");
    QTest::newRow("as it is") << QString();
    QTest::newRow("with the host's memory")
        << "--host-link 55 --choose-offload --memory-limit 2mb ";
}

/// The passes that are first and last in the given order are not those of the found one.
void TestOptimiseCommand::aSavedOrderHasItsOwnEnds()
{
    QFETCH(QString, options);
    QTemporaryDir folder;
    const QString trace = folder.filePath("run.trace.json"), fitted = folder.filePath("fit.json");
    QCOMPARE(test::ranLine("convert 1f1b " + trace + " --devices 4 --micro-batches 8").code,
             ExitCode::Good);
    QCOMPARE(test::ranLine("fit " + trace + " --output " + fitted).code, ExitCode::Good);
    QFile file(fitted);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject costs = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    const QJsonArray none = {0, 0, 0, 0};
    costs["edges"] =
        QJsonObject{{"gap_ns", none},
                    {"first_forward_ns", QJsonArray{700'000, 300'000, 0, 100'000}},
                    {"last_backward_ns", QJsonArray{900'000, 400'000, 300'000, 200'000}}};
    const QJsonObject cell{{"activation_bytes", 50'000'000},
                           {"kept_for_weight_bytes", 50'000'000},
                           {"stash_bytes", 50'000'000}};
    costs["activation"] = QJsonArray{cell, cell, cell, cell};
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(costs).toJson());
    file.close();
    const QString saved = folder.filePath("better.pipewright.json");
    const QJsonObject found =
        documentOf("optimise 1f1b --devices 4 --micro-batches 8 --costs " + fitted +
                   " --time-limit 1 --json " + options + "--save " + saved)
            .object();
    QVERIFY(found["found_ms"].toDouble() < found["given_ms"].toDouble() ||
            !found["given_fits"].toBool());
    const QJsonObject simulated = documentOf("simulate " + saved + " --json").object();
    QCOMPARE(ticksFromMs(simulated["makespan_ms"].toDouble()),
             ticksFromMs(found["makespan_ms"].toDouble()));
    QCOMPARE(!found["offload"].toString().isEmpty(), !options.isEmpty());
    QCOMPARE(simulated.contains("offload"), !found["offload"].toString().isEmpty());
}

void TestOptimiseCommand::whatGoesToTheHostIsCountedAndChosen()
{
    const QString small =
        "optimise 1f1b --micro-batches 8 --activation 5e7 --memory-limit 2mb --time-limit 2 ";
    const QJsonObject without = documentOf(small + "--json").object();
    QCOMPARE(without["offload"].toString(), QString());
    const QJsonObject given = documentOf(small + "--offload 0 --host-link 55 --json").object();
    QCOMPARE(given["offload"].toString(), QString("0"));
    QTemporaryDir folder;
    const QString file = folder.filePath("better.pipewright.json");
    const QJsonObject chosen =
        documentOf(small + "--choose-offload --host-link 55 --json --save " + file).object();
    QVERIFY(!chosen["offload"].toString().isEmpty());
    QVERIFY(chosen["found_ms"].toDouble() < without["found_ms"].toDouble());
    QVERIFY(chosen["peak_activation_mb"].toDouble() <= 2);
    QVERIFY(chosen["bound_ms"].toDouble() <= chosen["found_ms"].toDouble());
    // The file has the copies and their link.
    const QJsonObject simulated = documentOf("simulate " + file + " --json").object();
    QCOMPARE(simulated["makespan_ms"].toDouble(), chosen["found_ms"].toDouble());
    QVERIFY(simulated.contains("offload"));
    const test::Said told = test::ranLine(small + "--choose-offload");
    QVERIFY2(told.out.contains("activations go to the host's memory"), told.out.constData());
}

void TestOptimiseCommand::capsAreTakenInEveryUnit_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<double>("peak");
    QTest::newRow("micro-batches") << "--memory-limit 3mb" << 3.0;
    QTest::newRow("chunks") << "--memory-limit 3chunks" << 3.0;
    QTest::newRow("bytes") << "--activation 1000000 --memory-limit 3MB" << 3.0;
    QTest::newRow("as other commands") << "--memory-limit 3" << 3.0;
    QTest::newRow("own") << "" << 4.0;
    QTest::newRow("none") << "--memory-limit none" << 8.0;
}

void TestOptimiseCommand::capsAreTakenInEveryUnit()
{
    QFETCH(QString, options);
    QFETCH(double, peak);
    const QJsonObject found =
        documentOf("optimise 1f1b --devices 4 --micro-batches 8 --time-limit 3 --json " + options)
            .object();
    QVERIFY(found["peak_activation_mb"].toDouble() <= peak);
    QVERIFY(found["peak_activation_mb"].toDouble() > 0);
}

void TestOptimiseCommand::otherPlacementsAreTriedWhereAskedFor()
{
    const QJsonObject found =
        documentOf("optimise 1f1b --devices 4 --micro-batches 8 --time-limit 6 "
                   "--placement any --json")
            .object();
    QVERIFY(!found["placement_of"].toString().isEmpty());
    QVERIFY(found["found_ms"].toDouble() < 27);
    QVERIFY(found["peak_activation_mb"].toDouble() <= 4);
}

void TestOptimiseCommand::anOrderThatNeverEndsIsReplaced()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("ring.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("d0: F0 BW0 F1 BW1\nd1: F1 BW1 F0 BW0\n");
    file.close();
    const QString line = "optimise " + file.fileName();
    const test::Said said = test::ranLine(line);
    QCOMPARE(said.code, ExitCode::Good);
    QVERIFY2(said.out.contains("never ends"), said.out);
    QVERIFY(said.out.contains("no cap, since the order given never ends"));
    const QJsonObject json = documentOf(line + " --memory-limit 2 --json").object();
    QVERIFY(json["given_ms"].isNull());
    QVERIFY(json["proven"].toBool());
    QVERIFY(json["found_ms"].toDouble() > 0);
}

void TestOptimiseCommand::noiseSortsByTheNinetyFifthPercentile()
{
    const QJsonArray rows =
        documentOf("noise 1f1b zb-h1 gpipe kfkb --devices 4 --micro-batches 8 --comm 0.2 "
                   "--jitter 10,message=50 --samples 2000 --json")
            .array();
    QCOMPARE(rows.size(), 4);
    double before = 0;
    for (const QJsonValue& row : rows) {
        QVERIFY(row["p95_ms"].toDouble() >= before);
        before = row["p95_ms"].toDouble();
        QVERIFY(row["p5_ms"].toDouble() < row["p50_ms"].toDouble());
        QVERIFY(row["p99_ms"].toDouble() > row["p95_ms"].toDouble());
        QCOMPARE(row["samples"].toInt(), 2000);
    }
    QCOMPARE(rows[0]["schedule"].toString(), "zb-h1");
}

void TestOptimiseCommand::noiseOfOneScheduleSaysWhatItDependsOn()
{
    const QJsonArray rows = documentOf("noise 1f1b --devices 4 --comm 0.2 --slow 1=1.5 "
                                       "--samples 500 --sensitivity --json")
                                .array();
    const QJsonObject found = rows[0].toObject()["sensitivity"].toObject();
    QCOMPARE(found["ranks"].toArray().size(), 4);
    QCOMPARE(found["ranks"].toArray()[0].toObject()["rank"].toInt(), 1);
    QCOMPARE(found["links"].toArray().size(), 6);
    const test::Said shown =
        test::ranLine("noise 1f1b --devices 4 --comm 0.2 --samples 200 --sensitivity");
    QVERIFY(shown.out.contains("What it depends on"));
    QVERIFY(shown.out.contains("link 0"));
    // It takes as many runs again for every rank and link: only where it is asked for.
    const test::Said unasked = test::ranLine("noise 1f1b --devices 4 --comm 0.2 --samples 200");
    QVERIFY(!unasked.out.contains("What it depends on"));
    QVERIFY(unasked.out.startsWith("1F1B  4 devices, 8 micro-batches\n"));
    const QJsonObject plain =
        documentOf("noise 1f1b --devices 4 --samples 200 --json").array()[0].toObject();
    QVERIFY(!plain.contains("sensitivity"));
    QCOMPARE(plain["devices"].toInt(), 4);
    QCOMPARE(plain["micro_batches"].toInt(), 8);
}

void TestOptimiseCommand::adaptComparesTheTunerWithEveryK()
{
    const QJsonObject found = documentOf("adapt --iterations 40 --json").object();
    QVERIFY(found["fixed"].toArray().size() >= 2);
    QCOMPARE(found["fixed"].toArray()[0].toObject()["k"].toInt(), 1);
    QCOMPARE(found["iterations"].toArray().size(), 40);
    QVERIFY(found["gain_over_1f1b"].toDouble() >= 0);
    const test::Said shown = test::ranLine("adapt --iterations 40");
    QVERIFY(shown.out.contains("k over time"));
    QVERIFY(shown.out.simplified().contains("measuring and switching take no time"));
}

/// What a program hears: what is run, each iteration as it ends, and the whole at the end.
void TestOptimiseCommand::anAdaptedRunIsHeardLineByLine()
{
    const test::Said heard = test::ranLine(
        "run kfkb --adapt --wire --no-store --backend emulated --devices 2 "
        "--global-batch 8 --memory-limit 4 --iterations 4 --every 2 --link-trace 0:1,40:20");
    QVERIFY2(heard.code == ExitCode::Good, heard.err.constData());
    QVERIFY(heard.err.isEmpty());
    std::vector<QJsonObject> lines;
    for (const QByteArray& line : heard.out.trimmed().split('\n')) {
        QJsonParseError error;
        lines.push_back(QJsonDocument::fromJson(line, &error).object());
        QVERIFY2(error.error == QJsonParseError::NoError, line.constData());
    }
    const QJsonObject outline = lines.front()["adaptive"].toObject();
    QCOMPARE(outline["iterations"].toInt(), 4);
    QVERIFY(outline["pairs"].toArray().size() >= 2);
    QJsonArray iterations;
    for (const QJsonObject& line : lines)
        if (line.contains("iteration"))
            iterations.append(line["iteration"]);
    QCOMPARE(iterations.size(), 4);
    const QJsonObject result = lines.back()["result"].toObject();
    QCOMPARE(result["iterations"].toArray(), iterations);
    QVERIFY(result["adaptive"].toObject()["run_ms"].toDouble() > 0);
    const test::Said both = test::ranLine("run kfkb --adapt --wire --json --no-store");
    QCOMPARE(both.code, ExitCode::Usage);
}

void TestOptimiseCommand::theFirstAdaptedRunOfTheManualSwitches()
{
    QFile page(PW_SOURCE_DIR "/resources/manual/training.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(page.readAll());
    const QString start = QStringLiteral("    pipewright run kfkb --adapt ");
    const auto at = text.indexOf(start);
    QVERIFY(at >= 0);
    const QString line = text.mid(at, text.indexOf('\n', at) - at).trimmed();
    QVERIFY2(line.contains("--backend emulated"), qPrintable(line));
    const QJsonObject run =
        documentOf(line.mid(line.indexOf("run ")) + " --no-store --json").object();
    std::set<int> followed;
    for (const QJsonArray all = run["iterations"].toArray(); const QJsonValue& one : all)
        followed.insert(one["k"].toInt());
    QVERIFY2(followed.size() > 1, qPrintable(line));
}

/// Where the given order or a family takes the bound nothing is looked for, and that is said.
void TestOptimiseCommand::noOrderHasToBeLookedFor()
{
    const test::Said made =
        test::ranLine("optimise gpipe --devices 1 --micro-batches 2 --time-limit 5");
    QVERIFY2(made.code == ExitCode::Good, made.err.constData());
    QVERIFY2(!made.out.contains("0 orders"), made.out.constData());
    QVERIFY2(made.out.contains("No order had to be looked for"), made.out.constData());
}

void TestOptimiseCommand::aRunWithoutAFlushSaysThatItFlushes()
{
    const QByteArray said = "the pipeline empties behind each";
    const QString rest = " --backend emulated --devices 2 --iterations 2 --no-store";
    for (const char* family : {"pipedream-2bw", "pipedream"}) {
        const QString line = QString("run ") + family + rest;
        QVERIFY(test::ranLine(line).out.simplified().contains(said));
        QVERIFY(!test::ranLine(line + " --steps 2").out.simplified().contains(said));
        QVERIFY(
            documentOf(line + " --json")["notes"].toArray()[0].toString().toUtf8().contains(said));
    }
    QVERIFY(!test::ranLine("run 1f1b" + rest).out.simplified().contains(said));
}

void TestOptimiseCommand::aStoredAdaptedRunTellsItsSwitches()
{
    QTemporaryDir folder;
    const QString store = " --store " + folder.filePath("runs.sqlite");
    const test::Said made = test::ranLine(
        "run kfkb --adapt --backend emulated --devices 2 --global-batch 8 --memory-limit 4 "
        "--iterations 6 --every 2 --link-trace 0:1,40:20" +
        store);
    QVERIFY2(made.code == ExitCode::Good, made.err.constData());
    const qsizetype table = made.out.indexOf("k over time");
    QVERIFY(table > 0);
    const test::Said shown = test::ranLine("show 1 --no-gantt" + store);
    QVERIFY2(shown.code == ExitCode::Good, shown.err.constData());
    QVERIFY2(shown.out.contains("k over time"), shown.out.constData());
    QVERIFY2(shown.out.contains("6 iterations, measured every 2"), shown.out.constData());
    if (made.out.contains("1 switch;"))
        QVERIFY2(shown.out.contains("1 switch of k"), shown.out.constData());
    const test::Said plain = test::ranLine("run 1f1b --backend emulated --devices 2" + store);
    QVERIFY2(plain.code == ExitCode::Good, plain.err.constData());
    QVERIFY(!test::ranLine("show last --no-gantt" + store).out.contains("k over time"));
}

void TestOptimiseCommand::whatIsWrongIsNamed_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<ExitCode>("code");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* line, ExitCode code, const char* message) {
        QTest::newRow(line) << QString::fromLatin1(line) << code << QByteArray(message);
    };
    row("optimise 1f1b --memory-limit much", ExitCode::Usage, "'much'");
    row("optimise 1f1b --memory-limit 40GiB", ExitCode::Usage, "--activation");
    row("optimise 1f1b --memory-limit 0.2mb --time-limit 1", ExitCode::Wrong, "the limit is 0.2");
    row("optimise 1f1b --save x.svg --time-limit 0.1", ExitCode::Wrong, "x.svg");
    row("optimise 1f1b --save x", ExitCode::Usage, "'x'");
    row("optimise dualpipe --form split --time-limit 0.1", ExitCode::Wrong, "overlapped pair");
    row("noise 1f1b --jitter Q=3", ExitCode::Usage, "'Q=3'");
    row("noise 1f1b --slow 9=2", ExitCode::Usage, "from 0 to 3");
    row("noise 1f1b --slow-link 1-1=2", ExitCode::Usage, "'1-1=2'");
    row("noise 1f1b --trace-link 0-1=5", ExitCode::Usage, "'0-1=5'");
    row("adapt --memory-limit 3", ExitCode::Wrong, "3 samples");
}

void TestOptimiseCommand::whatIsWrongIsNamed()
{
    QFETCH(QString, line);
    QFETCH(ExitCode, code);
    QFETCH(QByteArray, message);
    const test::Said made = test::ranLine(line);
    QCOMPARE(made.code, code);
    QVERIFY2(made.err.simplified().contains(message), made.err.constData());
}

PW_TEST(TestOptimiseCommand)
#include "tst_optimise_command.moc"
