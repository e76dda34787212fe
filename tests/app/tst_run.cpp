// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_store.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <cmath>
#include <csignal>

using namespace pw;

namespace {

struct Finished
{
    int code = -1;
    QByteArray out;
    QByteArray err;
};

QStringList split(const QString& line)
{
    return line.split(' ', Qt::SkipEmptyParts);
}

} // namespace

class TstRun : public QObject
{
    Q_OBJECT

private slots:
    void wrongCommandLinesAreUsage_data();
    void wrongCommandLinesAreUsage();
    void emulatedFamiliesRun_data();
    void emulatedFamiliesRun();
    void trainingKeepsToThePredictedBytes_data();
    void trainingKeepsToThePredictedBytes();
    void anIntervalStandsBesideThePrediction();
    void anIntervalNeedsMeasuredTimes();
    void aHintHasAPredictionOfItsOwn();
    void aRunIsKeptInItsStore();
    void theWireBeginsWithHelloAndEndsWithFinished();
    void aFaultNamesRankAndPass();
    void aSignalEndsARunAndKeepsIt_data();
    void aSignalEndsARunAndKeepsIt();
    void aProjectComesThroughStandardInput();
    void whoGoesAwayStopsTheRun();
    void anAttendedFileEndsWithAZeroByte();
    void costsOfTheFileMayBeThePrediction();
    void measuredCostsAreReadBySimulateAndRun();
    void costsOfAnotherShapeAreRefused();
    void costsAreCarriedOverToOtherShapes();
    void everyBackendIsListed();

private:
    Finished ran(const QString& line);
    QJsonObject json(const QString& line);

    QTemporaryDir m_folder;
};

Finished TstRun::ran(const QString& line)
{
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(PW_PROGRAM, split(line));
    constexpr int limit = 120'000;
    if (!process.waitForFinished(limit) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QJsonObject TstRun::json(const QString& line)
{
    const Finished run = ran(line);
    if (run.code != 0)
        qWarning("%s", run.err.constData());
    return QJsonDocument::fromJson(run.out).object();
}

void TstRun::wrongCommandLinesAreUsage_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    QTest::newRow("a model that is not trained") << "run 1f1b --backend emulated --layers 4"
                                                 << "--layers is for a backend that trains";
    QTest::newRow("two outputs") << "run 1f1b --wire --json"
                                 << "exclude each other";
    QTest::newRow("a store and none") << "run 1f1b --store a --no-store"
                                      << "exclude each other";
    QTest::newRow("a fault that is none") << "run 1f1b --backend emulated --inject explode:F0"
                                          << "--inject";
    QTest::newRow("no such backend") << "run 1f1b --backend tpu"
                                     << "--backend takes";
    QTest::newRow("times beside measured ones") << "simulate 1f1b --costs x.json --forward 2"
                                                << "--forward and --costs exclude";
    QTest::newRow("a link trace that falls") << "simulate 1f1b --link-trace 5:1,2:3"
                                             << "rising milliseconds";
    QTest::newRow("a family to verify that is none") << "verify 1f2b"
                                                     << "1f1b";
}

void TstRun::wrongCommandLinesAreUsage()
{
    QFETCH(QString, line);
    QFETCH(QString, message);
    const Finished run = ran(line);
    QCOMPARE(run.code, 2);
    QVERIFY2(QString::fromUtf8(run.err).contains(message), run.err.constData());
}

void TstRun::emulatedFamiliesRun_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line :
         {"1f1b", "zb-v", "dualpipe", "chimera", "seq1f1b", "pipedream --steps 2",
          "pipedream --stage-replicas 2,2", "gpipe --comm 0.1 --link-trace 0:1,5:4"})
        QTest::newRow(line) << line;
}

void TstRun::emulatedFamiliesRun()
{
    QFETCH(QString, line);
    const QJsonObject run =
        json("run " + line + " --backend emulated --iterations 2 --no-store --json");
    QCOMPARE(run["status"].toString(), QString("finished"));
    QCOMPARE(run["iterations"].toInt(), 2);
    QCOMPARE(run["backend"].toString(), QString("emulated"));
    QVERIFY(run["makespan_ms"].toDouble() > 0);
    QVERIFY(run["predicted_makespan_ms"].toDouble() > 0);
    QVERIFY(run["first_loss"].isNull());
    QVERIFY(run["store"].isNull());
    QCOMPARE(run["per_device"].toArray().size(), 4);
    QVERIFY(!run["passes"].toArray().isEmpty());
}

void TstRun::trainingKeepsToThePredictedBytes_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line :
         {"1f1b", "zb-h1", "gpipe --recompute", "1f1b --recompute", "zb-h1 --recompute 0",
          "v-half --recompute", "dualpipe --recompute 1", "seq1f1b", "v-half", "dualpipe",
          "dualpipe-v", "interleaved-1f1b --overlap 1", "pipedream --stage-replicas 2,1"})
        QTest::newRow(line) << line;
}

void TstRun::trainingKeepsToThePredictedBytes()
{
    QFETCH(QString, line);
    const QJsonObject run = json("run " + line + " --backend cpu --devices 2 --size tiny " +
                                 "--iterations 2 --no-store --json");
    QCOMPARE(run["status"].toString(), QString("finished"));
    QVERIFY(run["last_loss"].toDouble() < run["first_loss"].toDouble());
    const QJsonArray devices = run["per_device"].toArray();
    for (qsizetype i = 0; i < devices.size(); ++i) {
        const QJsonValue device = devices.at(i);
        QVERIFY(device["peak_activation_bytes"].toDouble() > 0);
        QCOMPARE(device["peak_activation_bytes"], device["predicted_peak_activation_bytes"]);
    }
}

void TstRun::anIntervalStandsBesideThePrediction()
{
    const QString file = m_folder.filePath("forecast.sqlite");
    const QString line = "run 1f1b --devices 2 --backend cpu --size tiny --micro-batch-size 1 "
                         "--iterations 3 --store " +
                         file;
    const QJsonObject run = json(line + " --json");
    const double low = run["predicted_makespan_low_ms"].toDouble();
    const double high = run["predicted_makespan_high_ms"].toDouble();
    QVERIFY(low > 0 && high > low);
    const double makespan = run["makespan_ms"].toDouble();
    QCOMPARE(run["interval_holds"].toBool(), low <= makespan && makespan <= high);
    QVERIFY(run["own_times_makespan_ms"].toDouble() > 0);
    QVERIFY(run["model_error_rate"].isDouble());
    QCOMPARE(run["both_sides_low_ms"].isNull(), run["both_sides_high_ms"].isNull());
    // The list of runs has it as well, and the text says it before the run and after it.
    const QJsonObject kept = json("runs --json --store " + file)["runs"].toArray()[0].toObject();
    QCOMPARE(kept["predicted_makespan_low_ms"].toDouble(), low);
    QCOMPARE(kept["predicted_makespan_high_ms"].toDouble(), high);
    const Finished text = ran(line);
    QVERIFY2(text.out.contains("nine times in ten"), text.out.constData());
    QVERIFY2(text.out.contains("90 % interval"), text.out.constData());
    QVERIFY2(text.out.contains("model error"), text.out.constData());
    QVERIFY2(ran("show 1 --store " + file).out.contains("90 % interval"), "show");
}

void TstRun::anIntervalNeedsMeasuredTimes()
{
    QCOMPARE(ran("costs calibrate 1f1b --devices 2 --backend cpu --size tiny --micro-batch-size 1 "
                 "--iterations 2 --output rounds.json")
                 .code,
             0);
    const QString line = " --devices 2 --iterations 2 --no-store --json";
    const QString cpu = "run 1f1b --backend cpu --size tiny --micro-batch-size 1";
    QVERIFY(json(cpu + " --costs rounds.json" + line)["predicted_makespan_low_ms"].isDouble());
    for (const QString& without : {cpu + " --forward 1" + line, cpu + " --comm 1" + line,
                                   "run 1f1b --backend emulated" + line}) {
        const QJsonObject run = json(without);
        QCOMPARE(run["status"].toString(), QString("finished"));
        for (const char* field : {"predicted_makespan_low_ms", "predicted_makespan_high_ms",
                                  "interval_holds", "both_sides_low_ms"})
            QVERIFY2(run[field].isNull(), qPrintable(without));
        QVERIFY(run["model_error_rate"].isDouble());
    }
}

void TstRun::aHintHasAPredictionOfItsOwn()
{
    const QString line =
        "run zb-h1 --devices 3 --backend emulated --comm 6 --iterations 2 --no-store";
    const Finished kept = ran(line);
    QCOMPARE(kept.code, 0);
    QVERIFY(!kept.out.contains("as a hint") && kept.out.contains("model error"));
    const Finished hinted = ran(line + " --hint 8");
    QCOMPARE(hinted.code, 0);
    QVERIFY(hinted.out.simplified().contains("as a hint 68 ms"));
    QVERIFY(!hinted.out.contains("model error"));
}

void TstRun::aRunIsKeptInItsStore()
{
    const QString file = m_folder.filePath("kept.sqlite");
    const QJsonObject run =
        json("run 1f1b --devices 2 --backend emulated --iterations 3 --json --store " + file);
    QCOMPARE(run["store"]["file"].toString(), file);
    QCOMPARE(run["store"]["run"].toInt(), 1);
    const QJsonObject asked =
        json("query SELECT run, family, makespan_ms FROM runs --json --store " + file);
    QCOMPARE(asked["columns"].toArray(), QJsonArray({"run", "family", "makespan_ms"}));
    const QJsonArray row = asked["rows"].toArray()[0].toArray();
    QCOMPARE(row[0], QJsonValue(1));
    QCOMPARE(row[1], QJsonValue("1f1b"));
    QVERIFY(std::abs(row[2].toDouble() / run["makespan_ms"].toDouble() - 1) < 1e-6);
    QCOMPARE(asked["cut"], QJsonValue(false));
    auto store = RunStore::openToRead(file.toStdString());
    QVERIFY(store);
    const auto kept = store->run(1);
    QVERIFY(kept);
    QCOMPARE(kept->run.status, RunStatus::Finished);
    QCOMPARE(QString::fromStdString(kept->run.family), QString("1f1b"));
    QCOMPARE(kept->run.figures.iterations, 3);
    constexpr std::int64_t passes =
        2 * 2 * 4 * (1 + 3); // kinds, devices, micro-batches, iterations
    QVERIFY(kept->run.passes >= passes);
}

void TstRun::theWireBeginsWithHelloAndEndsWithFinished()
{
    const Finished run = ran("run 1f1b --devices 2 --backend emulated --iterations 1 --wire "
                             "--no-store");
    QCOMPARE(run.code, 0);
    const QList<QByteArray> lines = run.out.trimmed().split('\n');
    QStringList kinds;
    for (const QByteArray& line : lines)
        kinds << QJsonDocument::fromJson(line).object()["t"].toString();
    QCOMPARE(kinds.first(), QString("hello"));
    QCOMPARE(kinds.last(), QString("finished"));
    QVERIFY(kinds.contains("started") && kinds.contains("pass") && kinds.contains("message"));
}

void TstRun::aFaultNamesRankAndPass()
{
    const QString file = m_folder.filePath("fault.sqlite");
    const Finished run =
        ran("run 1f1b --devices 2 --backend emulated --iterations 1 --patience 500 "
            "--inject throw:F1.1 --store " +
            file);
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("rank 1") && run.err.contains("1F1"), run.err.constData());
    auto store = RunStore::openToRead(file.toStdString());
    QVERIFY(store);
    const auto kept = store->run(1);
    QVERIFY(kept);
    QCOMPARE(kept->run.status, RunStatus::Failed);
    QVERIFY(!kept->faults.empty());
}

void TstRun::aSignalEndsARunAndKeepsIt_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("terminate") << SIGTERM;
    QTest::newRow("hang up") << SIGHUP;
}

void TstRun::aSignalEndsARunAndKeepsIt()
{
    QFETCH(int, signal);
    const QString file = m_folder.filePath(QString("stopped%1.sqlite").arg(signal));
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(PW_PROGRAM, split("run 1f1b --devices 2 --backend emulated --iterations 100000 "
                                    "--wire --store " +
                                    file));
    QByteArray out;
    while (!out.contains("\"t\":\"pass\"")) {
        QVERIFY(process.waitForReadyRead(30'000));
        out += process.readAllStandardOutput();
    }
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 128 + signal);
    auto store = RunStore::openToRead(file.toStdString());
    QVERIFY(store);
    const auto kept = store->run(1);
    QVERIFY(kept);
    QCOMPARE(kept->run.status, RunStatus::Stopped);
    QVERIFY(kept->run.passes > 0);
}

void TstRun::aProjectComesThroughStandardInput()
{
    for (const char* line : {"run - --backend emulated --iterations 1 --no-store --json",
                             "costs calibrate - --backend emulated --iterations 1 --json"}) {
        QProcess process;
        process.start(PW_PROGRAM, split(line));
        process.write("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const QJsonObject out = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        QCOMPARE(out["devices"].toInt(), 2);
    }
}

void TstRun::whoGoesAwayStopsTheRun()
{
    QProcess process;
    process.start(PW_PROGRAM, split("run - --attended --backend emulated --iterations 100000 "
                                    "--wire --no-store"));
    process.write("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
    process.putChar('\0');
    QByteArray out;
    while (!out.contains("\"t\":\"pass\"")) {
        QVERIFY(process.waitForReadyRead(30'000));
        out += process.readAllStandardOutput();
    }
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    out += process.readAllStandardOutput();
    QVERIFY(out.contains("\"status\":\"stopped\""));
}

void TstRun::anAttendedFileEndsWithAZeroByte()
{
    QProcess process;
    process.start(PW_PROGRAM, split("run - --attended --backend emulated --no-store"));
    process.write("d0: F0 BW0\n");
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("zero byte"));
}

void TstRun::costsOfTheFileMayBeThePrediction()
{
    QCOMPARE(ran("convert 1f1b planned.json --devices 2 --micro-batches 2").code, 0);
    const QJsonObject run = json("run planned.json --as-planned --backend cpu --size tiny "
                                 "--iterations 1 --no-store --json");
    // 1F1B with F of 1 ms and BW of 2 ms: (m + p − 1) · 3 ms.
    QCOMPARE(run["predicted_makespan_ms"].toDouble(), 9.0);
}

void TstRun::measuredCostsAreReadBySimulateAndRun()
{
    const Finished calibrated = ran("costs calibrate zb-h1 --devices 2 --backend cpu --size tiny "
                                    "--micro-batch-size 1 --iterations 1 --output measured.json");
    QVERIFY2(calibrated.code == 0, calibrated.err.constData());
    QVERIFY(calibrated.out.contains("launch gap"));
    for (const char* family : {"1f1b", "zb-h1", "gpipe --recompute", "zb-h1 --recompute 1"}) {
        const QJsonObject simulated =
            json("simulate " + QString(family) + " --devices 2 --costs measured.json --json");
        QVERIFY(simulated["makespan_ms"].toDouble() > 0);
        QVERIFY(simulated["peak_activation_bytes"].toDouble() > 0);
    }
    const QJsonObject run = json("run zb-h1 --devices 2 --backend emulated --iterations 1 "
                                 "--costs measured.json --no-store --json");
    QCOMPARE(run["status"].toString(), QString("finished"));
}

void TstRun::costsOfAnotherShapeAreRefused()
{
    QCOMPARE(
        ran("costs calibrate --devices 2 --backend emulated --iterations 1 --output two.json").code,
        0);
    const Finished run = ran("simulate 1f1b --devices 3 --costs two.json");
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("3 stages: the costs are of 2 stages"), run.err.constData());
    QCOMPARE(ran("simulate 1f1b --costs nowhere.json").code, 1);
}

void TstRun::costsAreCarriedOverToOtherShapes()
{
    QCOMPARE(ran("costs calibrate interleaved-1f1b --devices 2 --backend emulated --iterations 1 "
                 "--forward 2 --backward 2 --weight 2 --output four.json")
                 .code,
             0);
    const Finished compared = ran(
        "compare 1f1b zb-v hanayo gpipe --devices 2 --micro-batches 4 --costs four.json --json");
    QVERIFY2(compared.code == 0, compared.err.constData());
    const QJsonArray rows = QJsonDocument::fromJson(compared.out).array();
    QCOMPARE(rows.size(), 4);
    for (int i = 0; i < 4; ++i) {
        const QJsonObject row = rows[i].toObject();
        QVERIFY2(!row.contains("refusal"), qPrintable(row["refusal"].toString()));
        const bool other = row["family"] == "1f1b" || row["family"] == "gpipe";
        QCOMPARE(row["carried"].toString(),
                 other ? QString("every 2 of 4 stages count as one, their times added")
                       : QString());
    }
    // Two stages as one take the sum of what was measured of both; one of them would take half.
    QFile file(m_folder.filePath("four.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject measured = QJsonDocument::fromJson(file.readAll()).object();
    const double gap = measured["launch_gap"]["mean_ns"].toDouble();
    std::array<double, 2> forward{}, backward{};
    const QJsonArray passes = measured["passes"].toArray();
    for (const QJsonValue& pass : passes) {
        const auto stage = static_cast<std::size_t>(pass["stage"].toInt() / 2);
        const double milliseconds = (pass["mean_ns"].toDouble() + gap) / 1e6;
        if (pass["kind"] == "F")
            forward.at(stage) += milliseconds;
        else if (pass["kind"] == "BW")
            backward.at(stage) += milliseconds;
    }
    QFile stages(m_folder.filePath("sums.csv"));
    QVERIFY(stages.open(QIODevice::WriteOnly));
    stages.write("stage,forward,backward,weight\n");
    for (std::size_t stage = 0; stage < 2; ++stage)
        stages.write(QByteArray::number(static_cast<int>(stage)) + ',' +
                     QByteArray::number(forward.at(stage)) + ',' +
                     QByteArray::number(backward.at(stage)) + ",0\n");
    stages.close();
    const double summed = json("simulate 1f1b --devices 2 --micro-batches 4 --stage-times " +
                               stages.fileName() + " --json")["makespan_ms"]
                              .toDouble();
    // Messages come on top: microseconds each, and more on a busy machine.
    const double carried = rows[0].toObject()["makespan_ms"].toDouble();
    QVERIFY2(summed > 0 && carried >= 0.999 * summed && carried < 1.3 * summed,
             qPrintable(QString("%1 of %2").arg(carried).arg(summed)));
    const Finished shown = ran("compare 1f1b zb-v --devices 2 --costs four.json");
    QVERIFY(shown.out.contains("How the costs are carried over"));
    QVERIFY(ran("simulate 1f1b --devices 2 --costs four.json").out.contains("count as one"));
}

void TstRun::everyBackendIsListed()
{
    const QJsonArray backends = QJsonDocument::fromJson(ran("backends --json").out).array();
    QStringList names;
    for (qsizetype i = 0; i < backends.size(); ++i) {
        const QJsonValue backend = backends.at(i);
        names << backend["name"].toString();
        QVERIFY(backend["available"].toBool() != !backend["missing"].toString().isEmpty());
    }
    for (const char* name : {"cpu", "emulated", "cuda"})
        QVERIFY2(names.contains(name), name);
}

PW_TEST(TstRun)
#include "tst_run.moc"
