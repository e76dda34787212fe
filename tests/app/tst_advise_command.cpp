// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/data_files.h"
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

QJsonObject objectOf(const QString& line)
{
    return QJsonDocument::fromJson(test::ranLine(line).out).object();
}

} // namespace

/// `advise`, and what `fit`, `whatif`, `simulate` and `optimise` say of the same trace.
class TestAdviseCommand : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void oneFitIsSaidByAllCommands_data();
    void oneFitIsSaidByAllCommands();
    void aChangeThatWasMeasuredIsInItsInterval();
    void jsonIsWhatIsPromised();
    void theListIsForPeople();
    void layersAreMovedByWhatIfToo();
    void microBatchesOfAnotherSize();
    void theFixedPartFollowsFromTwoSizes();
    void aMeasuredOptimumComesOut();
    void theChosenChangeIsWritten();
    void anEngineGetsOrderAndSplit();
    void theSecondTraceIsHeldAgainstThePromise();
    void recomputationThatIsThereMayGo();
    void segmentsAreLookedAtWhereAskedFor();
    void aLogWithTimesOfStagesIsEnough();
    void aModelAboveItsHardwareIsBroughtBelow();
    void aRunOfReplicasIsOnePipeline();
    void whatIsWrongIsNamed_data();
    void whatIsWrongIsNamed();

private:
    QString at(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    /// A trace of 1F1B on four stages, the last one heavier by a head.
    void makeTrace(const char* name, const char* times, const char* microBatches = "8");

    QTemporaryDir m_folder;
    QString m_trace;
};

void TestAdviseCommand::makeTrace(const char* name, const char* times, const char* microBatches)
{
    const QString csv = at("times.csv");
    QFile file(csv);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("stage,forward,backward,weight\n");
    file.write(times);
    file.close();
    const test::Said made = test::ranLine(
        QString("convert 1f1b %1 --devices 4 --micro-batches %2 --stage-times %3 --comm 0.2")
            .arg(at(name), QLatin1String(microBatches), csv));
    QVERIFY2(made.code == ExitCode::Good, made.err.constData());
}

void TestAdviseCommand::initTestCase()
{
    m_trace = at("run.trace.json");
    makeTrace("run.trace.json", "0,8,8,8\n1,8,8,8\n2,8,8,8\n3,14,14,14\n");
}

void TestAdviseCommand::oneFitIsSaidByAllCommands_data()
{
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("family");
    QTest::newRow("made") << QString() << "1f1b --devices 4 --micro-batches 8";
    QTest::newRow("primus") << "primus-pp8"
                            << "1f1b --devices 8 --micro-batches 16";
    QTest::newRow("torch") << "torch-1f1b"
                           << "1f1b --devices 2 --micro-batches 6";
    QTest::newRow("torch, interleaved")
        << "torch-interleaved-1f1b"
        << "interleaved-1f1b --devices 2 --micro-batches 6 --chunks 2 --group 2";
}

/// To the last nanosecond: the replay of the trace's own order, and another order.
void TestAdviseCommand::oneFitIsSaidByAllCommands()
{
    QFETCH(QString, trace);
    QFETCH(QString, family);
    const QString folder = QString::fromStdString(test::largeTraceFolder()) + "/" + trace;
    if (!trace.isEmpty() && !QFile::exists(folder))
        QSKIP("no folder of larger real traces; PW_DATA names it");
    const QString path = trace.isEmpty() ? m_trace : folder;
    const QString costs = at("costs.json");
    const test::Said fitted = test::ranLine("fit " + path + " --output " + costs);
    QVERIFY2(fitted.code == ExitCode::Good, fitted.err.constData());
    const auto whatIf = objectOf("whatif " + path + " --family zb-h1 --json");
    const auto replayed = whatIf["predicted_ns"].toInteger();
    QVERIFY(replayed > 0);
    const auto ms = [](const QJsonObject& object, const char* name) {
        return static_cast<qint64>(std::llround(object[QLatin1String(name)].toDouble() * 1e6));
    };
    QCOMPARE(ms(objectOf("simulate " + family + " --costs " + costs + " --json"), "makespan_ms"),
             replayed);
    QCOMPARE(ms(objectOf("simulate " + path + " --json"), "makespan_ms"), replayed);
    QCOMPARE(ms(objectOf("optimise " + path + " --time-limit 0.1 --json"), "given_ms"), replayed);
    QCOMPARE(ms(objectOf("optimise " + family + " --costs " + costs + " --time-limit 0.1 --json"),
                "given_ms"),
             replayed);
    QCOMPARE(ms(objectOf("advise " + path + " --time-limit 0.1 --json"), "replayed_ms"), replayed);
    const auto other = whatIf["what_if"].toArray().at(0).toObject()["makespan_ns"].toInteger();
    const QString shape = family.section(' ', 1, 4);
    QCOMPARE(
        ms(objectOf("simulate zb-h1 " + shape + " --costs " + costs + " --json"), "makespan_ms"),
        other);
}

/// Primus published the same training with two chunks a rank: 2,881.5 ms on the slowest rank.
void TestAdviseCommand::aChangeThatWasMeasuredIsInItsInterval()
{
    const QString folder = QString::fromStdString(test::largeTraceFolder()) + "/primus-pp8";
    if (!QFile::exists(folder))
        QSKIP("no folder of larger real traces; PW_DATA names it");
    const QJsonObject said = objectOf("whatif " + folder + " --family interleaved-1f1b --json");
    const QJsonObject row = said["what_if"].toArray().at(0).toObject();
    const double measured = 2881.5e6 / said["measured_ns"].toDouble() - 1;
    QVERIFY2(row["low"].toDouble() <= measured && measured <= row["high"].toDouble(),
             qPrintable(QString("%1 in %2 … %3")
                            .arg(measured)
                            .arg(row["low"].toDouble())
                            .arg(row["high"].toDouble())));
}

void TestAdviseCommand::jsonIsWhatIsPromised()
{
    const QJsonObject said =
        objectOf("advise " + m_trace + " --measured-layers 4,4,4,4 --time-limit 1 --json");
    QVERIFY(said["step_ms"].toDouble() > 0);
    QVERIFY(said["why"].toString().contains("3"));
    const QJsonArray changes = said["changes"].toArray();
    QVERIFY(changes.size() > 4);
    const std::set<QString> kinds = {"split", "order", "family", "combined", "bound"};
    std::set<QString> seen;
    double before = 1;
    for (const QJsonValue& value : changes) {
        const QJsonObject one = value.toObject();
        for (const char* name : {"what", "family", "parameters", "split", "step_ms", "gain", "low",
                                 "high", "peak_bytes", "todo", "effort"})
            QVERIFY2(one.contains(QLatin1String(name)), name);
        const QString what = one["what"].toString();
        QVERIFY(kinds.count(what) == 1);
        QVERIFY(seen.count("bound") == 0 || what == "bound");
        seen.insert(what);
        const double gain = one["gain"].toDouble();
        QVERIFY(what == "bound" || gain <= before);
        before = gain;
        QVERIFY(one["low"].toDouble() <= gain && gain <= one["high"].toDouble());
        QVERIFY(std::abs(said["step_ms"].toDouble() * (1 - gain) - one["step_ms"].toDouble()) <
                1e-6 * said["step_ms"].toDouble());
        QVERIFY(one["effort"].toInt() >= 1 && one["effort"].toInt() <= 3);
    }
    QVERIFY(seen.count("split") == 1 && seen.count("family") == 1 && seen.count("bound") == 1);
}

void TestAdviseCommand::theListIsForPeople()
{
    const test::Said said =
        test::ranLine("advise " + m_trace + " --measured-layers 4,4,4,4 --time-limit 1");
    QCOMPARE(said.code, ExitCode::Good);
    for (const char* text : {"This step takes", "Stage 3", "nine times in ten", "Layers 5, 5, 5, 1",
                             "Links without delay", "not worth it", "as it is"})
        QVERIFY2(said.out.contains(text), said.out.constData());
    const test::Said asked = test::ranLine("advise " + m_trace + " --time-limit 0.5 --no-gantt");
    QVERIFY2(QString(asked.out).simplified().contains("--measured-layers 4,4,4,4"),
             asked.out.constData());
}

void TestAdviseCommand::layersAreMovedByWhatIfToo()
{
    const QJsonArray rows =
        objectOf("whatif " + m_trace + " --measured-layers 16 --split 5,5,4,2 --json")["what_if"]
            .toArray();
    QCOMPARE(rows.size(), 1);
    const QJsonObject row = rows.at(0).toObject();
    QVERIFY(row["change"].toDouble() < -0.1);
    QVERIFY(row["low"].toDouble() <= row["change"].toDouble());
    QVERIFY(row["high"].toDouble() >= row["change"].toDouble());
    const QJsonArray best =
        objectOf("whatif " + m_trace + " --measured-layers 16 --split best --json")["what_if"]
            .toArray();
    QVERIFY(best.at(0).toObject()["makespan_ns"].toDouble() <=
            row["makespan_ns"].toDouble() * 1.003);
}

void TestAdviseCommand::microBatchesOfAnotherSize()
{
    const auto rows = [&](const QString& more) {
        return objectOf("whatif " + m_trace + " --global-batch 32 --json --micro-batches " +
                        more)["what_if"]
            .toArray();
    };
    const QJsonArray free = rows("4,8,16 --fixed 0");
    QCOMPARE(free.size(), 3);
    QVERIFY(free.at(2).toObject()["change"].toDouble() < 0);
    QVERIFY(free.at(0).toObject()["change"].toDouble() > 0);
    QVERIFY(std::abs(free.at(1).toObject()["change"].toDouble()) < 1e-9);
    // Where half of a pass is fixed, more passes cost more than the bubble.
    const QJsonArray fixed = rows("4,8,16 --fixed 5");
    QVERIFY(fixed.at(2).toObject()["change"].toDouble() > 0);
    QCOMPARE(rows("best").size(), 6);
}

void TestAdviseCommand::theFixedPartFollowsFromTwoSizes()
{
    // 2 ms and 1.5 for a sample: four of them are the 8 ms of the other trace.
    makeTrace("small.trace.json", "0,5,5,5\n1,5,5,5\n2,5,5,5\n3,8,8,8\n", "16");
    const auto rows = [&](const QString& fixed) {
        return objectOf("whatif " + m_trace + " --global-batch 32 --json --micro-batches 16 " +
                        fixed)["what_if"]
            .toArray()
            .at(0)
            .toObject()["makespan_ns"]
            .toInteger();
    };
    QCOMPARE(rows("--fixed-from " + at("small.trace.json")), rows("--fixed 2"));
}

/// GPipe on eight stages whose passes take 21.3 + 363 ⁄ m ms, as fitted to two measured steps: more
/// micro-batches were slower, and 11 take 977.4 of 1000 ms (marin-community/marin#6532).
void TestAdviseCommand::aMeasuredOptimumComesOut()
{
    const QString trace = at("gpipe.trace.json");
    QCOMPARE(test::ranLine("convert gpipe " + trace +
                           " --devices 8 --micro-batches 8 --forward 22.225 --backward 22.225 "
                           "--weight 22.225")
                 .code,
             ExitCode::Good);
    const QJsonArray rows = objectOf("whatif " + trace +
                                     " --micro-batches best --global-batch 352 --fixed 10.65 "
                                     "--json")["what_if"]
                                .toArray();
    QVERIFY(rows.size() > 5);
    for (const QJsonValue& row : rows) {
        const int count = row["micro_batches"].toInt();
        QCOMPARE(row["rank"].toInt() == 1, count == 11);
        if (count == 11)
            QVERIFY(std::abs(row["makespan_ns"].toDouble() - 977.4e6) < 0.1e6);
        if (count == 16)
            QVERIFY(row["change"].toDouble() > 0);
    }
}

void TestAdviseCommand::theChosenChangeIsWritten()
{
    const QString saved = at("better.pipewright.json");
    const QString line = "advise " + m_trace + " --measured-layers 4,4,4,4 --time-limit 0.5 ";
    const QJsonObject said = objectOf(line + "--json --change 2 --save " + saved);
    QVERIFY2(QFile::exists(saved), "nothing was written");
    const QJsonObject change = said["changes"].toArray().at(1).toObject();
    const double span = objectOf("simulate " + saved + " --json")["makespan_ms"].toDouble();
    QVERIFY(std::abs(span - change["step_ms"].toDouble()) < 0.01 * span);
    const test::Said wrong = test::ranLine(line + "--change 900");
    QCOMPARE(wrong.code, ExitCode::Wrong);
}

void TestAdviseCommand::anEngineGetsOrderAndSplit()
{
    const QString folder = at("megatron");
    const test::Said made = test::ranLine(
        "whatif " + m_trace +
        " --measured-layers 4,4,4,4 --split 5,5,4,2 --emit megatron --output " + folder);
    QVERIFY2(made.code == ExitCode::Good, made.err.constData());
    QFile args(folder + "/megatron.args");
    QVERIFY(args.open(QIODevice::ReadOnly));
    const QByteArray text = args.readAll();
    QVERIFY2(text.contains("--num-layers 16"), text.constData());
    QVERIFY2(text.contains("Et*5|"), text.constData());
    QVERIFY(QFile::exists(folder + "/ADVICE.md"));
    const QString torch = at("torch");
    const test::Said advised = test::ranLine(
        "advise " + m_trace + " --time-limit 0.5 --no-gantt --emit torch --output " + torch);
    QVERIFY2(advised.code == ExitCode::Good, advised.err.constData());
    QVERIFY(QFile::exists(torch + "/schedule.csv"));
}

void TestAdviseCommand::theSecondTraceIsHeldAgainstThePromise()
{
    makeTrace("after.trace.json", "0,10,10,10\n1,10,10,10\n2,8,8,8\n3,10,10,10\n");
    const QString line =
        "advise " + m_trace +
        " --measured-layers 4,4,4,4 --split 5,5,4,2 --time-limit 0.5 --json --after ";
    const QJsonObject after = objectOf(line + at("after.trace.json"))["after"].toObject();
    QVERIFY2(after["held"].toBool(), qPrintable(after["where"].toString()));
    QVERIFY(after["comparable"].toBool());
    QVERIFY(std::abs(after["promised_ms"].toDouble() - after["after_ms"].toDouble()) <
            0.01 * after["after_ms"].toDouble());
    // The nearest change is told, however few are.
    const QJsonObject few =
        objectOf("advise " + m_trace +
                 " --measured-layers 4,4,4,4 --top 1 --time-limit 0.5 --json --after " +
                 at("after.trace.json"));
    const QJsonObject told = few["after"].toObject();
    QVERIFY2(!told["change"].isNull(), qPrintable(told["why"].toString()));
    const QJsonArray split =
        few["changes"].toArray().at(told["change"].toInt()).toObject()["split"].toArray();
    QCOMPARE(split, (QJsonArray{5, 5, 5, 1}));
    const QJsonObject same = objectOf(line + m_trace)["after"].toObject();
    QVERIFY(!same["comparable"].toBool());
    QVERIFY(same["why"].toString().contains("nothing was changed"));
}

void TestAdviseCommand::recomputationThatIsThereMayGo()
{
    const auto change = [this](const char* options, const QString& title) {
        const QJsonObject advice =
            objectOf("advise " + m_trace + " --top 50 --time-limit 0.3 --json " + options);
        for (const QJsonValue& one : advice["changes"].toArray())
            if (one.toObject()["title"].toString() == title)
                return one.toObject();
        return QJsonObject();
    };
    const QJsonObject every = change("--recomputed all", "No recomputation of every stage");
    QCOMPARE(every["keep"].toArray(), (QJsonArray{0, 1, 2, 3}));
    QCOMPARE(every["what"].toString(), QStringLiteral("order"));
    QCOMPARE(every["effort"].toInt(), 1);
    QVERIFY(every["gain"].toDouble() > 0.2);
    QVERIFY(every["low"].toDouble() < every["gain"].toDouble());
    const QJsonObject two = change("--recomputed 1,3", "No recomputation of stages 1 and 3");
    QCOMPARE(two["keep"].toArray(), (QJsonArray{1, 3}));
    QVERIFY(two["gain"].toDouble() < every["gain"].toDouble());
    QVERIFY(change("", "No recomputation of every stage").isEmpty());
}

void TestAdviseCommand::segmentsAreLookedAtWhereAskedFor()
{
    const auto segmented = [this](const char* options) {
        int count = 0;
        const QJsonObject advice =
            objectOf("advise " + m_trace + " --top 50 --time-limit 0.3 --json " + options);
        for (const QJsonValue& one : advice["changes"].toArray())
            count += one.toObject()["todo"].toString().contains("3 segments") ? 1 : 0;
        return count;
    };
    QCOMPARE(segmented(""), 0);
    QVERIFY(segmented("--segments 3") >= 2);
}

void TestAdviseCommand::aLogWithTimesOfStagesIsEnough()
{
    const QByteArray head = "------------------------ arguments ------------------------\n"
                            "  micro_batch_size ................................ 1\n"
                            "  num_layers ...................................... 16\n"
                            "  pipeline_model_parallel_size .................... 4\n"
                            "  world_size ...................................... 4\n"
                            "-------------------- end of arguments ---------------------\n";
    const QByteArray step = "| consumed samples: 8 | elapsed time per iteration (ms): 430.0 | "
                            "global batch size: 8 | lm loss: 7.0E+00 | loss scale: 1.0 |\n";
    const QByteArray timers = "(min, max) time across ranks (ms):\n"
                              "    forward-backward ...............: (380.00, 408.00)\n"
                              "    forward-compute ................: (80.00, 120.00)\n"
                              "    backward-compute ...............: (160.00, 240.00)\n";
    QByteArray log = head;
    for (int number = 1; number <= 4; ++number)
        log += " iteration " + QByteArray::number(number) + "/ 100 " + step + timers;
    const auto write = [this](const char* name, const QByteArray& text) {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("train.log", log);
    const QJsonObject advice = objectOf("advise " + at("train.log") + " --time-limit 0.3 --json");
    QCOMPARE(advice["family"].toString(), QStringLiteral("1f1b"));
    QCOMPARE(advice["layers"].toArray(), (QJsonArray{4, 4, 4, 4}));
    QCOMPARE(advice["step_ms"].toDouble(), 430.0);
    QVERIFY(advice["changes"].toArray().size() > 4);
    QVERIFY(advice["notes"].toArray().first().toString().contains("log"));
    write("bare.log", QByteArray(log).replace(timers, ""));
    const test::Said said = test::ranLine("advise " + at("bare.log"));
    QCOMPARE(said.code, ExitCode::Wrong);
    QVERIFY2(said.err.contains("how long each stage computes"), said.err.constData());
}

/// Of a project with a model bytes are known, and what its hardware has is the cap.
void TestAdviseCommand::aModelAboveItsHardwareIsBroughtBelow()
{
    const QString project = at("model.pipewright.json");
    QCOMPARE(test::ranLine("convert 1f1b " + project +
                           " --devices 4 --micro-batches 8 --model llama3-8b --hardware h100")
                 .code,
             ExitCode::Good);
    const auto peakOf = [](const QJsonObject& change) {
        double most = 0;
        for (const QJsonValue& bytes : change["peak_bytes"].toArray())
            most = std::max(most, bytes.toDouble());
        return most;
    };
    const QString line = "advise " + project + " --top 50 --time-limit 0.3 --json --memory-limit ";
    double now = 0;
    for (const QJsonValue& one : objectOf(line + "1000GiB")["changes"].toArray())
        if (one.toObject()["title"].toString() == "Links without delay")
            now = peakOf(one.toObject());
    QVERIFY(now > 1e9);
    const double cap = now * 0.97;
    bool recomputed = false;
    for (const QJsonValue& value :
         objectOf(line + QString::number(cap, 'f', 0))["changes"].toArray()) {
        const QJsonObject one = value.toObject();
        if (one["what"].toString() == "bound")
            continue;
        QVERIFY2(peakOf(one) <= cap, qPrintable(one["title"].toString()));
        recomputed = recomputed || !one["recompute"].toArray().isEmpty() ||
                     !one["offload"].toArray().isEmpty();
    }
    QVERIFY(recomputed);
}

/// A change is made in every replica: none puts one pipeline over all of their devices.
void TestAdviseCommand::aRunOfReplicasIsOnePipeline()
{
    const QString store = at("replicas.sqlite");
    const test::Said run =
        test::ranLine("run 1f1b --devices 2 --micro-batches 4 --replicas 2 --backend emulated "
                      "--forward 1 --backward 1 --weight 1 --iterations 3 --store " +
                      store);
    QVERIFY2(run.code == ExitCode::Good, run.err.constData());
    const QJsonObject advice = objectOf("advise last --time-limit 0.1 --json --store " + store);
    QCOMPARE(advice["family"].toString(), QStringLiteral("1f1b"));
    QVERIFY(!advice["changes"].toArray().isEmpty());
    for (const QJsonValue& change : advice["changes"].toArray())
        QVERIFY2(change["peak_bytes"].toArray().size() <= 2,
                 qPrintable(change["title"].toString()));
    // The work of a device, 12 ms, is the least that a step of two devices takes.
    const QJsonObject whatIf =
        objectOf("whatif last --family zb-h1 --json --store " + store)["what_if"]
            .toArray()
            .at(0)
            .toObject();
    QCOMPARE(whatIf["devices"].toInt(), 2);
    QVERIFY(whatIf["makespan_ns"].toInteger() >= 12'000'000);
}

void TestAdviseCommand::whatIsWrongIsNamed_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* line, int code, const char* message) {
        QTest::newRow(name) << QString(line) << code << QString(message);
    };
    row("no file", "advise nowhere.json", 1, "nowhere.json");
    row("layers of another number of stages", "advise % --measured-layers 4,4,4", 2, "3 stages");
    row("layers that are none", "advise % --measured-layers many", 2, "--measured-layers");
    row("fewer layers than stages", "advise % --measured-layers 3", 1, "3 layers");
    row("a split without layers", "advise % --split 5,5,5,1", 2, "--measured-layers");
    row("a split of other layers", "advise % --measured-layers 16 --split 9,9,9,9", 2,
        "the model has 16");
    row("micro-batches without a batch", "advise % --micro-batches 4", 2, "--global-batch");
    row("more micro-batches than samples", "advise % --micro-batches 40 --global-batch 8", 2,
        "--micro-batches 40");
    row("samples that are not as many each", "advise % --micro-batches 5 --global-batch 32", 2,
        "--micro-batches 5");
    row("a stage that is not there", "advise % --recomputed 4", 2, "stages are 0 to 3");
    row("half a stage", "advise % --recomputed 0.5", 2, "--recomputed");
    row("a link that is none", "advise % --host-link 0", 2, "--host-link");
    row("one segment", "advise % --segments 1", 2, "--segments");
    row("too many layers", "advise % --measured-layers 2001", 2, "2000");
    row("too many layers of stages", "advise % --measured-layers 500,500,500,501", 1, "2001");
    row("a batch without micro-batches", "whatif % --global-batch 8", 2, "--micro-batches");
    row("best of no batch", "whatif % --micro-batches best", 2, "--global-batch");
    row("an engine without a folder", "advise % --emit torch", 2, "--output");
    row("a folder without an engine", "whatif % --output out", 2, "--emit");
    row("an engine that is none", "advise % --emit caffe --output out", 2, "caffe");
    row("a file of no format", "advise % --save better.jpg", 2, "better.jpg");
    row("a limit that is none", "advise % --memory-limit much", 2, "--memory-limit");
    row("two fixed parts", "advise % --global-batch 8 --fixed 1 --fixed-from %", 2, "exclude");
    row("a second trace that is none", "advise % --time-limit 0.1 --after nowhere.json", 1,
        "nowhere.json");
}

void TestAdviseCommand::whatIsWrongIsNamed()
{
    QFETCH(QString, line);
    QFETCH(int, code);
    QFETCH(QString, message);
    const test::Said said = test::ranLine(line.replace('%', m_trace));
    QVERIFY2(static_cast<int>(said.code) == code, said.err.constData());
    QVERIFY2(QString::fromUtf8(said.err).contains(message), said.err.constData());
}

PW_TEST(TestAdviseCommand)
#include "tst_advise_command.moc"
