// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/screen.h"
#include "core/families/family.h"
#include "core/io/torch_csv.h"
#include "core/store/run_store.h"
#include "tests/support/family_runs.h"
#include "tests/support/places.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <pty.h>
#include <unistd.h>

using namespace pw;
using namespace pw::app;

namespace {

struct Finished
{
    int code = -1;
    QByteArray out;
    QByteArray err;
};

/// Runs the program and waits for its end.
Finished ran(const QStringList& words, const QString& folder,
             const QMap<QString, QString>& environment = {})
{
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"COLUMNS", "NO_COLOR", "COLORTERM", "TERM"})
        variables.remove(name);
    for (auto it = environment.begin(); it != environment.end(); ++it)
        variables.insert(it.key(), it.value());
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(folder);
    process.start(PW_PROGRAM, words);
    constexpr int limit = 120'000;
    if (!process.waitForFinished(limit) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QStringList split(const QString& line)
{
    // As a shell takes them: what quotes enclose is one word.
    QStringList words;
    const QStringList parts = line.split('\'');
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (i % 2 != 0)
            words << parts[i];
        else
            words << parts[i].split(' ', Qt::SkipEmptyParts);
    }
    return words;
}

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

} // namespace

class TstCli : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyCommandHasHelp_data();
    void everyCommandHasHelp();
    void everyExampleOfTheHelpWorks_data();
    void everyExampleOfTheHelpWorks();
    void exitCodesTellWhoIsWrong_data();
    void exitCodesTellWhoIsWrong();
    void memoryLimitsHaveUnits_data();
    void memoryLimitsHaveUnits();
    void aSearchKeepsALimitInBytes_data();
    void aSearchKeepsALimitInBytes();
    void simulateGivesTheNamesOfTheContract();
    void jsonNumbersAreShort();
    void rowsOfTheAcceptanceTable_data();
    void rowsOfTheAcceptanceTable();
    void theTextFitsItsScreen_data();
    void theTextFitsItsScreen();
    void thereAreNoColorsWhereNobodySees();
    void aLaunchersTerminalHasNoColors();
    void fieldsOfAModelAreReplaced();
    void anOrderIsNamedByCheck();
    void everyFamilyIsListed();
    void compareShowsARefusalInItsRow();
    void stageTimesAreRead();
    void aConvertedScheduleSimulatesTheSame_data();
    void aConvertedScheduleSimulatesTheSame();
    void convertWritesEveryFormat_data();
    void convertWritesEveryFormat();
    void convertTakesTheChoicesOfFamilies();
    void checkListsEveryProblemWithItsPlace_data();
    void checkListsEveryProblemWithItsPlace();
    void theOlderDialectIsOffered();
    void completionScriptsAreValid_data();
    void completionScriptsAreValid();
    void bashCompletesCommandsFamiliesAndOptions_data();
    void bashCompletesCommandsFamiliesAndOptions();
    void aProjectThatIsWrittenAgainIsTheSame();
    void thePublishedBubbleStandsBesideTheSimulatedOne();
    void aTimeOfTheUpdateMakesOneInEveryStep();
    void timesThatWouldBeIgnoredAreRefused();
    void helpThatCannotBeWrittenIsAFailure();
    void aModelFileThatIsWrongIsNoUsage();

private:
    QString write(const char* name, const QByteArray& content);

    QTemporaryDir m_folder;
};

void TstCli::initTestCase()
{
    QVERIFY(m_folder.isValid());
    // Examples name samples as they are seen from the top of the repository.
    QFile::link(QStringLiteral(PW_SOURCE_DIR "/samples"), m_folder.filePath("samples"));
    // They also name runs: there are two in a store that every program of these tests finds.
    const QString path = m_folder.filePath("kept/runs.sqlite");
    qputenv("PIPEWRIGHT_STORE", path.toUtf8());
    const test::FamilyRun run =
        test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
    Result<RunStore> store = RunStore::open(path.toStdString());
    QVERIFY(store);
    for (int i = 0; i < 2; ++i) {
        Result<RunWriter> writer =
            store->begin(test::newRun(run.schedule, run.costs, "example", "1f1b"));
        QVERIFY(writer->append(test::recordedRun(run.schedule, run.costs, 0, 2)));
        QVERIFY(writer->finish(RunStatus::Finished, {}));
    }
    // And a trace.
    QCOMPARE(ran({"convert", "last", "run.trace.json"}, m_folder.path()).code, 0);
    write("figure.png", QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
    // A folder of traces with the schedule that was run.
    QVERIFY(QDir(m_folder.path()).mkdir("traces"));
    QVERIFY(QFile::copy(m_folder.filePath("run.trace.json"), m_folder.filePath("traces/run.json")));
    for (const char* name : {"before.json", "after.json"})
        QVERIFY(QFile::copy(m_folder.filePath("run.trace.json"), m_folder.filePath(name)));
    const Result<std::string> csv = writeTorchCsv(run.schedule, TorchForm::ComputeOnly);
    QVERIFY(csv);
    write("schedule.csv", QByteArray::fromStdString(*csv));
    // The last run is an import, with its streams and threads.
    QCOMPARE(ran({"import", "run.trace.json", "--store", path}, m_folder.path()).code, 0);
    QCOMPARE(ran({"reduce", "traces", "--output", "digests"}, m_folder.path()).code, 0);
    // And a table of measured iterations.
    write("iterations.csv",
          "gpus,global_batch,micro_batch,hidden,heads,layers,sequence,tensor_parallel,"
          "data_parallel,pipeline_parallel,iteration_ms\n"
          "8,32,4,1024,16,24,1024,2,2,2,219.7\n8,4,1,1024,16,16,1024,1,2,4,77.2\n");
}

QString TstCli::write(const char* name, const QByteArray& content)
{
    QFile file(m_folder.filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(content);
    return name;
}

void TstCli::everyCommandHasHelp_data()
{
    QTest::addColumn<QString>("name");
    for (const Command& command : allCommands())
        QTest::newRow(qPrintable(text(command.name))) << text(command.name);
}

void TstCli::everyCommandHasHelp()
{
    QFETCH(QString, name);
    const Finished asOption = ran({name, "--help"}, m_folder.path());
    QCOMPARE(asOption.code, 0);
    QVERIFY(asOption.err.isEmpty());
    QVERIFY(asOption.out.startsWith("pipewright " + name.toUtf8()));
    for (const char* part : {"\nUsage\n", "\nOptions\n", "--help", "\nExamples\n"})
        QVERIFY2(asOption.out.contains(part), part);
    const Finished asCommand = ran({"help", name}, m_folder.path());
    QCOMPARE(asCommand.code, 0);
    QCOMPARE(asCommand.out, asOption.out);
    QVERIFY(ran({"help"}, m_folder.path()).out.contains("  " + name.toUtf8()));
}

void TstCli::everyExampleOfTheHelpWorks_data()
{
    QTest::addColumn<QString>("line");
    for (const Command& command : allCommands()) {
        for (const std::string_view example : command.examples)
            QTest::newRow(qPrintable(text(example))) << text(example);
    }
}

void TstCli::everyExampleOfTheHelpWorks()
{
    QFETCH(QString, line);
    QStringList words = split(line);
    QCOMPARE(words.takeFirst(), "pipewright");
    const Finished finished = ran(words, m_folder.path());
    QVERIFY2(finished.code == 0, finished.err.constData());
    QVERIFY(finished.err.isEmpty());
}

void TstCli::exitCodesTellWhoIsWrong_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* line, int code, const char* message) {
        QTest::newRow(name) << line << code << QString::fromUtf8(message);
    };
    row("nothing at all", "", 2, "Usage");
    row("unknown command", "simulat zb-v", 2, "did you mean simulate?");
    row("an option first", "--json", 2, "a command comes first");
    row("unknown family", "simulate 1f1bb", 2, "did you mean 1f1b?");
    row("unknown option", "simulate 1f1b --device 4", 2, "did you mean --devices?");
    row("a word for a number", "simulate 1f1b --devices four", 2,
        "--devices takes a whole number from 1 to 65536, not 'four'");
    row("no device", "simulate 1f1b --devices 0", 2, "not '0'");
    row("a million devices", "simulate 1f1b --devices 1000000", 2, "not '1000000'");
    row("too many passes", "simulate 1f1b --devices 65536 --micro-batches 6000000", 1, "16000000");
    row("too many words", "simulate 1f1b gpipe", 2, "'gpipe' is one too many");
    row("no family", "simulate", 2, "needs FAMILY|FILE");
    row("passes without json", "simulate 1f1b --passes", 2, "--passes needs --json");
    row("a parameter of another family", "simulate 1f1b --chunks 3", 2, "1f1b takes no --chunks");
    row("a parameter of nobody here", "compare 1f1b --chunks 3", 2, "none of these takes --chunks");
    row("noise with a parameter of nobody", "noise 1f1b gpipe --chunks 3", 2,
        "none of these takes --chunks");
    row("a refusal", "simulate dualpipe --devices 5", 1, "even");
    row("unknown model", "simulate 1f1b --model gtp", 2, "gtp");
    row("a model nearly named", "simulate 1f1b --model gtp-22b", 2,
        "there is no model \"gtp-22b\"; did you mean gpt-22b?\n");
    row("a model of plans nearly named", "plan --model llama-70b --global-batch 8", 2,
        "did you mean llama3-70b?\n");
    row("a plan of an unknown family", "plan --model tiny --global-batch 8 --family zbx", 2,
        "--family: there is no family 'zbx'; did you mean ");
    row("a split of no form", "simulate 1f1b --model tiny --split evn", 2,
        "--split: \"evn\" in \"evn\" is not a count of layers; a split is even, ends,");
    row("a split that does not fit", "simulate 1f1b --model tiny --split 1,1", 1,
        "over 2 stages; the pipeline has 4");
    row("segments of nobody", "simulate 1f1b --segment-lengths 1,5", 2,
        "1f1b takes no --segment-lengths; it has no segments");
    row("a stage on no device", "simulate 1f1b --stage-replicas 0", 1,
        "stage 0 has 0 replicas; 1 to 64 can be");
    row("letters of any script", "simulate 1f1b --offload ä€", 2, "'ä€' is none of STAGE");
    row("unknown machine", "simulate 1f1b --model tiny --hardware abacus", 2, "abacus");
    row("machine without model", "simulate 1f1b --hardware a100", 2, "--hardware needs --model");
    row("model and times", "simulate 1f1b --model tiny --forward 2", 2, "exclude each other");
    row("unknown shell", "completion tcsh", 2, "bash, zsh or fish");
    row("help of nothing", "help nothing", 2, "no command 'nothing'");
    row("help nearly named", "help simulat", 2, "'simulat'; did you mean simulate?");
    row("a list of one", "lesson list 05-1f1b", 2, "'05-1f1b' is one too many");
    row("version", "--version", 0, "");
    row("a file that is not there", "simulate nothing.pipewright.json", 1,
        "nothing.pipewright.json");
    row("an unknown end of a name", "convert 1f1b out.xyz", 2, "--to");
    row("a folder that is not there", "convert 1f1b nowhere/out.txt", 1, "nowhere/out.txt");
    row("a figure to read", "check figure.svg", 1, "figure.svg");
    row("a plan beside a trace that is not there", "diff schedule.csv nowhere.json", 1,
        "cannot open nowhere.json");
    row("a pass of no kind", "explain 1f1b --device 1 --pass X", 2,
        "explain: --pass: 'X': no pass starts like this");
    row("a pass that is not there", "explain 1f1b --device 1 --pass F9", 1,
        "has no F of micro-batch 9");
    row("a picture to simulate", "simulate figure.png", 1,
        "figure.png holds bytes that no text has: it is not a schedule");
    row("a trace to check", "check run.trace.json", 1,
        "run.trace.json is a trace and no schedule: import, whatif and costs fit read it");
    row("no block", "block gpipe", 1, "no building block");
}

void TstCli::memoryLimitsHaveUnits_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* line, int code, const char* message) {
        QTest::newRow(name) << QString::fromLatin1(line) << code << QString::fromUtf8(message);
    };
    row("over the memory limit", "simulate gpipe --memory-limit 3", 1, "the limit is 3");
    row("inside the memory limit", "simulate 1f1b --memory-limit 4", 0, "");
    row("inside the memory limit, in chunks", "simulate zb-v --memory-limit 8chunks", 0, "");
    row("over the memory limit, in chunks", "simulate gpipe --memory-limit 3chunks", 1,
        "the limit is 3");
    row("inside the memory limit, in bytes", "simulate 1f1b --activation 1e9 --memory-limit 4GB", 0,
        "");
    row("over the memory limit, in bytes", "simulate 1f1b --activation 1e9 --memory-limit 3.9GB", 1,
        "the limit is 3.632 GiB");
    row("a memory limit in bytes of nothing", "simulate 1f1b --memory-limit 4GB", 2,
        "needs activations with sizes");
    row("a memory limit that is none", "simulate 1f1b --memory-limit none", 0, "");
    row("a search that has no room", "simulate v-auto --activation 1e9 --memory-limit 0.5GB", 1,
        "v-auto: in 476.8 MiB there is room for 0.5 micro-batches of activation");
    row("a memory limit in potatoes", "simulate 1f1b --memory-limit 2potatoes", 2,
        "micro-batches as 6mb, from 0.001 to 16000000, activations of a chunk as 12chunks");
    row("samples with a unit", "noise kfkb --adapt --memory-limit 4mb", 2,
        "whole samples, from 1 to 1000000, not '4mb'");
}

void TstCli::memoryLimitsHaveUnits()
{
    exitCodesTellWhoIsWrong();
}

void TstCli::exitCodesTellWhoIsWrong()
{
    QFETCH(QString, line);
    QFETCH(int, code);
    QFETCH(QString, message);
    const Finished finished = ran(split(line), m_folder.path());
    QVERIFY2(finished.code == code, finished.err.constData());
    QVERIFY2(QString::fromUtf8(finished.err).contains(message), finished.err.constData());
    QCOMPARE(finished.err.isEmpty(), code == 0);
    if (code == 2)
        QVERIFY(finished.out.isEmpty());
}

void TstCli::aSearchKeepsALimitInBytes_data()
{
    QTest::addColumn<QString>("family");
    for (const char* family : {"v-auto", "zb-auto", "zb-v"})
        QTest::newRow(family) << QString::fromLatin1(family);
}

/// What has room beside nothing else is what was typed in micro-batches.
void TstCli::aSearchKeepsALimitInBytes()
{
    QFETCH(QString, family);
    const QString line = "simulate " + family + " --activation 1e9 --memory-limit ";
    const Finished counted = ran(split(line + "4"), m_folder.path());
    const Finished weighed = ran(split(line + "4GB"), m_folder.path());
    QVERIFY2(counted.code == 0 && weighed.code == 0, weighed.err.constData());
    QCOMPARE(weighed.out, counted.out);
}

void TstCli::simulateGivesTheNamesOfTheContract()
{
    const Finished finished = ran(split("simulate 1f1b --devices 4 --micro-batches 8 --forward 2 "
                                        "--backward 2 --weight 2 --json --passes"),
                                  m_folder.path());
    QCOMPARE(finished.code, 0);
    const QJsonObject object = QJsonDocument::fromJson(finished.out).object();
    QCOMPARE(object["family"].toString(), "1f1b");
    QCOMPARE(object["makespan_ms"].toDouble(), 66.0);
    QCOMPARE(object["span_bubble_ms"].toDouble(), 18.0);
    QCOMPARE(object["span_bubble_rate"].toDouble(), 18.0 / 66.0);
    QCOMPARE(object["wall_bubble_ms"].toDouble(), 18.0);
    QCOMPARE(object["wall_bubble_rate"].toDouble(), 18.0 / 66.0);
    QCOMPARE(object["peak_activation_mb"].toDouble(), 4.0);
    QCOMPARE(object["peak_activation_bytes"].toDouble(-1), 0.0);
    const QJsonArray devices = object["per_device"].toArray();
    QCOMPARE(devices.size(), 4);
    for (int d = 0; d < 4; ++d) {
        const QJsonObject device = devices[d].toObject();
        QCOMPARE(device["device"].toInt(-1), d);
        QCOMPARE(device["busy_ms"].toDouble(), 48.0);
        QCOMPARE(device["first_start_ms"].toDouble(-1), 2.0 * d);
        QCOMPARE(device["last_end_ms"].toDouble(), 66.0 - 4.0 * d);
        QCOMPARE(device["peak_activation_mb"].toDouble(), 4.0 - d);
    }
    const QJsonArray passes = object["passes"].toArray();
    QCOMPARE(passes.size(), 64);
    const QStringList names = {"device", "end_ms",  "kind",  "micro_batch",
                               "route",  "segment", "stage", "start_ms"};
    double end = 0;
    for (const QJsonValue& value : passes) {
        const QJsonObject pass = value.toObject();
        QCOMPARE(pass.keys(), names);
        const bool forward = pass["kind"].toString() == "F";
        QVERIFY(forward || pass["kind"].toString() == "BW");
        QCOMPARE(pass["end_ms"].toDouble() - pass["start_ms"].toDouble(), forward ? 2.0 : 4.0);
        end = std::max(end, pass["end_ms"].toDouble());
    }
    QCOMPARE(end, 66.0);
}

void TstCli::jsonNumbersAreShort()
{
    const Finished finished = ran(
        split("simulate gpipe --forward 0.1 --backward 0.2 --weight 0.3 --json"), m_folder.path());
    QVERIFY(finished.out.contains("\"makespan_ms\": 6.6,"));
    QVERIFY(!finished.out.contains("00000"));
    QVERIFY(!finished.out.contains("99999"));
}

void TstCli::rowsOfTheAcceptanceTable_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<double>("span");
    QTest::addColumn<double>("wall");
    QTest::addColumn<double>("peak");
    QTest::newRow("gpipe 4 8") << "gpipe --devices 4 --micro-batches 8" << 18.0 << 18.0 << 8.0;
    QTest::newRow("1f1b 8 32") << "1f1b --devices 8 --micro-batches 32" << 42.0 << 42.0 << 8.0;
    QTest::newRow("dualpipe 4 8") << "dualpipe --devices 4 --micro-batches 8" << 4.0 << 4.0 << 5.0;
    QTest::newRow("dualpipe-v 8 32")
        << "dualpipe-v --devices 8 --micro-batches 32" << 14.0 << 14.0 << 8.5;
}

void TstCli::rowsOfTheAcceptanceTable()
{
    QFETCH(QString, line);
    QFETCH(double, span);
    QFETCH(double, wall);
    QFETCH(double, peak);
    const Finished finished = ran(
        split("simulate " + line + " --forward 2 --backward 2 --weight 2 --json"), m_folder.path());
    QVERIFY2(finished.code == 0, finished.err.constData());
    const QJsonObject object = QJsonDocument::fromJson(finished.out).object();
    QCOMPARE(object["span_bubble_ms"].toDouble(-1), span);
    QCOMPARE(object["wall_bubble_ms"].toDouble(-1), wall);
    QCOMPARE(object["peak_activation_mb"].toDouble(-1), peak);
}

void TstCli::theTextFitsItsScreen_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("columns");
    for (const int columns : {80, 100, 120, 200}) {
        for (const char* line :
             {"plan --model gpt-22b --hardware a100 --gpus 16 --global-batch 64",
              "plan --model gpt-22b --gpus 8 --tensor-parallel 4 --pipeline-parallel 2 "
              "--micro-batch-size 1 --global-batch 8 --family 1f1b --recompute-policy full --why",

              "whatif run.trace.json",
              "headlines",
              "import run.trace.json",
              "diff 1 2",
              "diff last",
              "diff schedule.csv traces",
              "diff --kernels before.json after.json",
              "runs",
              "show last",
              "show 1",
              "noise 1f1b zb-h1 --jitter 5",
              "adapt --iterations 20",
              "explain 1f1b",
              "check samples/1f1b.csv",
              "model",
              "backends",
              "communication 1f1b --devices 2 --micro-batches 2",
              "families zb-v",
              "compare all --model gpt-22b",
              "simulate 1f1b --model gpt-22b",
              "optimise 1f1b --micro-batches 4 --time-limit 0.1",
              "lesson list",
              "block v-half --model gpt-22b",
              "query 'SELECT * FROM pass'",
              "simulate 1f1b",
              "simulate dualpipe --micro-batches 12",
              "simulate gpipe --devices 33",
              "simulate hanayo --forward 0.37",
              "compare all",
              "families",
              "block dualpipe-v",
              "simulate --help",
              "simulate 1f1b --model tiny"})
            QTest::newRow(qPrintable(QString("%1 in %2 columns").arg(line).arg(columns)))
                << line << columns;
    }
}

void TstCli::theTextFitsItsScreen()
{
    QFETCH(QString, line);
    QFETCH(int, columns);
    const Finished finished =
        ran(split(line), m_folder.path(), {{"COLUMNS", QString::number(columns)}});
    QVERIFY2(finished.code == 0, finished.err.constData());
    for (const QString& shown : QString::fromUtf8(finished.out).split('\n')) {
        QVERIFY2(displayWidth(shown.toStdString()) <= columns, qPrintable(shown));
        QVERIFY2(!shown.endsWith(' '), qPrintable(shown));
    }
}

void TstCli::thereAreNoColorsWhereNobodySees()
{
    const auto colored = [this](const char* when, const QMap<QString, QString>& environment) {
        return ran({"simulate", "1f1b", "--color", when}, m_folder.path(), environment)
            .out.contains('\x1b');
    };
    QVERIFY(!colored("auto", {{"TERM", "xterm"}})); // output is not a terminal
    QVERIFY(!colored("never", {{"TERM", "xterm"}}));
    QVERIFY(colored("always", {{"NO_COLOR", "1"}}));
    QVERIFY(
        ran({"simulate", "1f1b", "--color=always"}, m_folder.path(), {{"COLORTERM", "truecolor"}})
            .out.contains(";48;2;"));
}

void TstCli::everyFamilyIsListed()
{
    const QByteArray list = ran({"families"}, m_folder.path()).out;
    const QJsonArray array =
        QJsonDocument::fromJson(ran({"families", "--json"}, m_folder.path()).out).array();
    QCOMPARE(static_cast<std::size_t>(array.size()), allFamilies().size());
    qsizetype i = 0;
    for (const Family& family : allFamilies()) {
        const QJsonObject object = array[i++].toObject();
        QCOMPARE(object["id"].toString(), text(family.id));
        QVERIFY(list.contains(text(family.id).toUtf8()));
        for (const char* name : {"title", "citation"})
            QVERIFY2(!object[name].toString().isEmpty(), name);
        QVERIFY(object["closed_forms"].isArray());
        QCOMPARE(static_cast<std::size_t>(object["parameters"].toArray().size()),
                 family.parameters.size());
    }
}

/// Open MPI gives its first process a terminal of its own, even where its own output is a pipe.
void TstCli::aLaunchersTerminalHasNoColors()
{
    const auto colored = [](bool launched, const char* choice) {
        int terminal = -1, shown = -1;
        if (openpty(&terminal, &shown, nullptr, nullptr, nullptr) != 0)
            qFatal("no terminal can be made");
        const int before = dup(STDOUT_FILENO);
        dup2(shown, STDOUT_FILENO);
        qputenv("TERM", "xterm");
        qunsetenv("NO_COLOR");
        if (launched)
            qputenv("OMPI_COMM_WORLD_SIZE", "1");
        const bool any = detectScreen(choice).colors != ColorDepth::None;
        qunsetenv("OMPI_COMM_WORLD_SIZE");
        dup2(before, STDOUT_FILENO);
        for (const int open : {before, shown, terminal})
            close(open);
        return any;
    };
    QVERIFY(colored(false, "auto"));
    QVERIFY(!colored(true, "auto"));
    QVERIFY(colored(true, "always"));
}

void TstCli::fieldsOfAModelAreReplaced()
{
    // The 30B run on 64 accelerators: eight of them share a stage's layers and sequence.
    const QString run = "simulate seq1f1b --model seq1f1b-30b --devices 8 --segments 4 "
                        "--segment-lengths equal-work --json";
    const auto numbers = [&](const QString& more) {
        const Finished finished = ran(split(run + more), m_folder.path());
        if (finished.code != 0)
            qWarning("%s", finished.err.constData());
        return QJsonDocument::fromJson(finished.out).object();
    };
    const QJsonObject one = numbers("");
    const QJsonObject eight = numbers(" --tensor-parallel 8 --sequence-parallel yes");
    const double memory = one["peak_activation_bytes"].toDouble();
    QVERIFY(memory > 0);
    QVERIFY(std::abs(eight["peak_activation_bytes"].toDouble() / memory - 1.0 / 8) < 0.01);
    QVERIFY(eight["makespan_ms"].toDouble() < one["makespan_ms"].toDouble() / 4);

    // A file with the same fields says the same.
    const Finished text = ran(
        split("model seq1f1b-30b --tensor-parallel 8 --sequence-parallel yes"), m_folder.path());
    QCOMPARE(text.code, 0);
    QCOMPARE(QJsonDocument::fromJson(text.out).object()["tensorParallel"].toInt(), 8);
    QVERIFY(!write("thirty.json", text.out).isEmpty());
    const QString same = QString(run).replace("seq1f1b-30b", "thirty.json");
    const Finished again = ran(split(same), m_folder.path());
    QVERIFY2(again.code == 0, again.err.constData());
    QCOMPARE(QJsonDocument::fromJson(again.out).object()["makespan_ms"], eight["makespan_ms"]);

    const auto refused = [&](const QString& line, const char* why) {
        const Finished finished = ran(split(line), m_folder.path());
        QCOMPARE(finished.code, 2);
        QVERIFY2(finished.err.contains(why), finished.err.constData());
    };
    refused("simulate 1f1b --tensor-parallel 8", "--tensor-parallel needs --model");
    refused("simulate 1f1b --layers 8", "--layers needs --model");
    refused("simulate 1f1b --model tiny --tensor-parallel 3", "tensorParallel is 3");
    refused("simulate 1f1b --model tiny --dropout maybe", "yes or no");
    refused("model --layers 8", "no model is named");
    QVERIFY(ran({"model"}, m_folder.path()).out.contains("seq1f1b-30b"));
    const Finished run2 = ran(split("run 1f1b --backend emulated --model tiny --layers 4 "
                                    "--iterations 1 --no-store --json"),
                              m_folder.path());
    QVERIFY2(run2.code == 0, run2.err.constData());
}

void TstCli::anOrderIsNamedByCheck()
{
    const Finished exact =
        ran({"convert", "1f1b", "exact.csv", "--micro-batches", "16"}, m_folder.path());
    QCOMPARE(exact.code, 0);
    QVERIFY(ran({"check", "exact.csv"}, m_folder.path()).out.contains("family: 1F1B\n"));
    QFile file(m_folder.filePath("exact.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    // On the first device some forwards and backwards change places, 5 of 128 entries.
    int changed = 0;
    for (const auto& [before, after] :
         {std::pair("0F5,0B2", "0B2,0F5"), std::pair("0F7,0B4", "0B4,0F7"),
          std::pair("0F9,0B6", "0B6,0F9"), std::pair("0F11,0B8", "0B8,0F11"),
          std::pair("0F13,0B10", "0B10,0F13")}) {
        changed += static_cast<int>(text.count(before));
        text.replace(before, after);
    }
    QCOMPARE(changed, 5);
    write("near.csv", text);
    const Finished other = ran({"check", "near.csv"}, m_folder.path());
    QVERIFY2(other.code == 0, other.err.constData());
    QVERIFY2(other.out.contains("family: like 1F1B: 5 of 128 entries (3.9 %) are elsewhere"),
             other.out.constData());
    const QJsonObject json =
        QJsonDocument::fromJson(ran({"check", "near.csv", "--json"}, m_folder.path()).out).object();
    QCOMPARE(json["like"].toObject()["family"].toString(), QString("1f1b"));
    QCOMPARE(json["like"].toObject()["out_of_order"].toInt(), 5);
    QCOMPARE(json["displaced"].toArray().size(), 5);
    QCOMPARE(json["displaced"].toArray()[0].toObject()["device"].toInt(), 0);
    QVERIFY(json["families"].toArray().isEmpty());
}

void TstCli::compareShowsARefusalInItsRow()
{
    const Finished finished =
        ran(split("compare 1f1b dualpipe --devices 5 --json"), m_folder.path());
    QCOMPARE(finished.code, 0);
    const QJsonArray rows = QJsonDocument::fromJson(finished.out).array();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0].toObject()["span_bubble_ms"].toDouble(), 12.0);
    QCOMPARE(rows[0].toObject()["span_bubble_formula_ms"].toDouble(), 12.0);
    QVERIFY(rows[1].toObject()["refusal"].toString().contains("even"));
    QVERIFY(ran(split("compare 1f1b dualpipe --devices 5"), m_folder.path()).out.contains("even"));
    QCOMPARE(ran(split("compare dualpipe --devices 5"), m_folder.path()).code, 1);
}

void TstCli::stageTimesAreRead()
{
    const QString good = write("times.csv", "stage,forward,backward,weight\n0,1,1,1\n1,2,2,2\n");
    const Finished finished = ran({"simulate", "1f1b", "--devices", "2", "--micro-batches", "4",
                                   "--stage-times", good, "--json"},
                                  m_folder.path());
    QVERIFY2(finished.code == 0, finished.err.constData());
    // Device 1 is the bottleneck: F of stage 0, then 4 · 6 ms, then BW of stage 0.
    QCOMPARE(QJsonDocument::fromJson(finished.out).object()["makespan_ms"].toDouble(), 27.0);
    const QString bad = write("bad.csv", "stage,forward,backward,weight\n0,1,x,1\n");
    const Finished refused = ran({"simulate", "1f1b", "--stage-times", bad}, m_folder.path());
    QCOMPARE(refused.code, 1);
    QVERIFY(refused.err.contains("bad.csv: line 2: backward"));
}

void TstCli::aConvertedScheduleSimulatesTheSame_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("file");
    for (const char* family : {"1f1b", "zb-h1", "interleaved-1f1b", "dualpipe-v"}) {
        for (const char* file : {"a.pipewright.json", "a.csv", "a.txt"})
            QTest::newRow(qPrintable(QString("%1 as %2").arg(family, file))) << family << file;
    }
    // What PyTorch's format does not have.
    for (const char* family : {"seq1f1b", "dualpipe", "pipedream"}) {
        for (const char* file : {"a.pipewright.json", "a.txt"})
            QTest::newRow(qPrintable(QString("%1 as %2").arg(family, file))) << family << file;
    }
}

void TstCli::aConvertedScheduleSimulatesTheSame()
{
    QFETCH(QString, family);
    QFETCH(QString, file);
    QStringList words = {"convert", family, file, "--micro-batches", "8"};
    const Finished converted = ran(words, m_folder.path());
    QVERIFY2(converted.code == 0, converted.err.constData());
    QVERIFY(converted.out.isEmpty());
    const auto figures = [this](const QStringList& line) {
        const Finished finished = ran(line, m_folder.path());
        const QJsonObject object = QJsonDocument::fromJson(finished.out).object();
        QStringList all = {QString::fromUtf8(finished.err)};
        for (const char* name : {"makespan_ms", "span_bubble_ms", "wall_bubble_ms",
                                 "peak_activation_mb", "devices", "micro_batches"})
            all << QString("%1 %2").arg(name).arg(object[name].toDouble(-1));
        const QJsonArray passes = object["passes"].toArray();
        for (const QJsonValue& pass : passes)
            all << QString::fromUtf8(QJsonDocument(pass.toObject()).toJson());
        return all;
    };
    const QStringList expected =
        figures({"simulate", family, "--micro-batches", "8", "--json", "--passes"});
    QVERIFY(expected.size() > 8);
    QCOMPARE(figures({"simulate", file, "--json", "--passes"}), expected);
    QCOMPARE(ran({"check", file}, m_folder.path()).code, 0);
}

void TstCli::convertWritesEveryFormat_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("start");
    QTest::newRow("project") << "project"
                             << "{";
    QTest::newRow("torch-csv") << "torch-csv"
                               << "0F0,";
    QTest::newRow("text") << "text"
                          << "";
    QTest::newRow("chrome-json") << "chrome-json"
                                 << "{";
    QTest::newRow("table") << "table"
                           << "device,kind,";
    QTest::newRow("svg") << "svg"
                         << "<";
}

void TstCli::convertWritesEveryFormat()
{
    QFETCH(QString, to);
    QFETCH(QString, start);
    const Finished finished = ran({"convert", "1f1b", "-", "--to", to}, m_folder.path());
    QVERIFY2(finished.code == 0, finished.err.constData());
    QVERIFY(finished.out.startsWith(start.toUtf8()));
    QVERIFY(finished.out.size() > 50);
    // The same into a file.
    const Finished filed = ran({"convert", "1f1b", "out.file", "--to", to}, m_folder.path());
    QVERIFY2(filed.code == 0, filed.err.constData());
    QFile file(m_folder.filePath("out.file"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), finished.out);
}

/// `--order` is a choice of zb-v, and without a value the flag of `convert`.
void TstCli::convertTakesTheChoicesOfFamilies()
{
    const auto simulated = [this](const QStringList& words) {
        const QByteArray json = ran(QStringList{"simulate", "--json"} + words, m_folder.path()).out;
        return QJsonDocument::fromJson(json).object()["makespan_ms"].toDouble();
    };
    const QStringList shape = split("--devices 4 --micro-batches 6 --forward 2 --weight 3");
    const auto made = [&](const char* file, const QStringList& words) {
        const Finished finished =
            ran(QStringList{"convert", "zb-v", file} + shape + words, m_folder.path());
        QVERIFY2(finished.code == 0, finished.err.constData());
    };
    made("fixed.pipewright.json", {"--order", "fixed"});
    made("greedy.txt", {"--order=greedy"});
    made("best.pipewright.json", {"--order"});
    QFile fixed(m_folder.filePath("fixed.pipewright.json"));
    QFile best(m_folder.filePath("best.pipewright.json"));
    QVERIFY(fixed.open(QIODevice::ReadOnly) && best.open(QIODevice::ReadOnly));
    QVERIFY(fixed.readAll().contains("\"family\""));
    QVERIFY(!best.readAll().contains("\"family\""));
    for (const auto& [file, order] :
         {std::pair("fixed.pipewright.json", "fixed"), std::pair("greedy.txt", "greedy")}) {
        const QStringList costs = split("--forward 2 --weight 3");
        const double wanted =
            simulated(QStringList{"zb-v"} + shape + QStringList{"--order", order});
        QVERIFY(wanted > 0);
        QCOMPARE(simulated(QStringList{file} + costs), wanted);
    }
    QVERIFY(simulated(QStringList{"zb-v"} + shape + QStringList{"--order", "fixed"}) !=
            simulated(QStringList{"zb-v"} + shape + QStringList{"--order", "greedy"}));
}

void TstCli::checkListsEveryProblemWithItsPlace_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QStringList>("messages");
    QTest::newRow("a word that is not a pass, and another")
        << "bad.txt" << QByteArray("d0: F0 Q0 BW0\nd1: F0 BW0 X\n")
        << QStringList{"2 problems", "line 1, column 8", "line 2, column 12"};
    QTest::newRow("a missing pass") << "bad.txt" << QByteArray("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1\n")
                                    << QStringList{"1 problem", "micro-batch 1", "stage 1"};
    QTest::newRow("devices that wait for each other")
        << "bad.txt" << QByteArray("d0: F0 BW0 F1 BW1\nd1: F1 F0 BW1 BW0\n")
        << QStringList{"1 problem", "device 0", "device 1", "wait"};
    QTest::newRow("a malformed cell of a CSV")
        << "bad.csv" << QByteArray("0F0,0F1,0B0,0B1\r\n1F0,1B0,1Z1,1B1\r\n")
        << QStringList{"row 2, column 3"};
    QTest::newRow("no JSON") << "bad.json" << QByteArray("{\"pipewright\": 1,")
                             << QStringList{"1 problem"};
    QTest::newRow("an empty file") << "bad.csv" << QByteArray() << QStringList{"problem"};
}

void TstCli::checkListsEveryProblemWithItsPlace()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QStringList, messages);
    write(qPrintable(name), content);
    const Finished finished = ran({"check", name}, m_folder.path());
    QCOMPARE(finished.code, 1);
    QVERIFY(finished.out.isEmpty());
    for (const QString& message : messages)
        QVERIFY2(QString::fromUtf8(finished.err).contains(message), finished.err.constData());
    const Finished json = ran({"check", name, "--json"}, m_folder.path());
    QCOMPARE(json.code, 1);
    const QJsonObject object = QJsonDocument::fromJson(json.out).object();
    QCOMPARE(object["good"].toBool(true), false);
    QVERIFY(!object["problems"].toArray().isEmpty());
    // The same file is refused by everything else.
    QCOMPARE(ran({"simulate", name}, m_folder.path()).code, 1);
    QCOMPARE(ran({"convert", name, "out.svg"}, m_folder.path()).code, 1);
}

void TstCli::theOlderDialectIsOffered()
{
    const QString name = write("older.csv", "0F0,0F1,0BW0,0BW1\r\n1F0,1BW0,1F1,1BW1\r\n");
    const Finished refused = ran({"simulate", name}, m_folder.path());
    QCOMPARE(refused.code, 1);
    QVERIFY(refused.err.contains("--dialect older"));
    QCOMPARE(ran({"simulate", name, "--dialect", "older"}, m_folder.path()).code, 0);
}

void TstCli::completionScriptsAreValid_data()
{
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"bash", "zsh", "fish"})
        QTest::newRow(shell) << shell;
}

void TstCli::completionScriptsAreValid()
{
    QFETCH(QString, shell);
    const Finished finished = ran({"completion", shell}, m_folder.path());
    QCOMPARE(finished.code, 0);
    const QString interpreter = QStandardPaths::findExecutable(shell);
    if (interpreter.isEmpty())
        QSKIP("the shell is not installed");
    const QString file = write("completion", finished.out);
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(interpreter, {"-n", file});
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

void TstCli::bashCompletesCommandsFamiliesAndOptions_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("completions");
    QTest::newRow("a command") << "sim"
                               << "simulate";
    QTest::newRow("a family") << "simulate gpi"
                              << "gpipe";
    QTest::newRow("an option") << "simulate gpipe --micro-batches"
                               << "--micro-batches";
    QTest::newRow("a choice") << "simulate gpipe --color al"
                              << "always";
    QTest::newRow("a choice that may be left out") << "convert zb-v --order fi"
                                                   << "fixed";
    QTest::newRow("a file behind one") << "convert zb-v --order run.tr"
                                       << "run.trace.json";
    QTest::newRow("a command or a page to explain") << "help com"
                                                    << "communication compare completion "
                                                       "command-line compose";
    QTest::newRow("the second word of a command") << "costs c"
                                                  << "calibrate";
    QTest::newRow("an option of a command of two words") << "costs fit --meas"
                                                         << "--measured";
    QTest::newRow("what a schedule becomes") << "convert 1f1b --to n"
                                             << "nemo";
}

void TstCli::bashCompletesCommandsFamiliesAndOptions()
{
    QFETCH(QString, line);
    QFETCH(QString, completions);
    const QString bash = QStandardPaths::findExecutable("bash");
    if (bash.isEmpty())
        QSKIP("there is no bash");
    const QString script = QString::fromUtf8(ran({"completion", "bash"}, m_folder.path()).out) +
                           "COMP_WORDS=(pipewright " + line +
                           "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pipewright; "
                           "echo \"${COMPREPLY[*]}\"";
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(bash, {"--norc", "-c", script});
    QVERIFY(process.waitForFinished());
    QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()).trimmed(), completions);
}

void TstCli::aProjectThatIsWrittenAgainIsTheSame()
{
    const auto convert = [this](const char* from, const char* to) {
        return ran({"convert", from, to}, m_folder.path()).code;
    };
    QCOMPARE(convert("v-half", "first.pipewright.json"), 0);
    QCOMPARE(convert("first.pipewright.json", "second.pipewright.json"), 0);
    QFile first(m_folder.filePath("first.pipewright.json"));
    QFile second(m_folder.filePath("second.pipewright.json"));
    QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
    QCOMPARE(second.readAll(), first.readAll());
}

/// The first row of Zero Bubble's Tables 5 and 6: the paper has 0.1055 for a closed form, the order
/// itself takes longer. @source arXiv:2401.10241
void TstCli::thePublishedBubbleStandsBesideTheSimulatedOne()
{
    const QStringList options =
        split("--devices 8 --micro-batches 24 --chunks 3 --forward 18.522 --backward 18.086 "
              "--weight 9.337 --comm 0.601");
    const QByteArray json =
        ran(QStringList{"simulate", "interleaved-1f1b", "--json"} + options, m_folder.path()).out;
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    const QJsonArray forms = object.value("closed_forms").toArray();
    QList<double> published;
    for (const QJsonValue& form : forms) {
        if (form["published"].toBool())
            published.append(form["rate"].toDouble());
        else if (form["quantity"].toString() == "span_bubble_ms")
            QCOMPARE(form["rate"].toDouble(), object.value("span_bubble_rate").toDouble());
    }
    QCOMPARE(published.size(), 1);
    QCOMPARE(qRound(1e4 * published[0]), 1055);
    QCOMPARE(qRound(1e4 * object.value("span_bubble_rate").toDouble()), 1090);

    for (const char* command : {"simulate", "compare"}) {
        const Finished text =
            ran(QStringList{command, "interleaved-1f1b"} + options, m_folder.path());
        QVERIFY2(text.out.contains("published") && text.out.contains("10.55 %"), text.out);
    }
    // Without communication the two are one, and nothing is said twice.
    QVERIFY(!ran({"simulate", "interleaved-1f1b"}, m_folder.path()).out.contains("published"));
}

void TstCli::aTimeOfTheUpdateMakesOneInEveryStep()
{
    for (const char* steps : {"1", "2"}) {
        const Finished run =
            ran(split("simulate 1f1b --update 5 --json --passes --steps ") + QStringList{steps},
                m_folder.path());
        const QJsonArray passes =
            QJsonDocument::fromJson(run.out).object().value("passes").toArray();
        int updates = 0;
        for (const QJsonValue& pass : passes)
            updates += pass["kind"].toString() == "U" ? 1 : 0;
        QCOMPARE(updates, 4 * QString(steps).toInt());
    }
}

void TstCli::timesThatWouldBeIgnoredAreRefused()
{
    const Finished run =
        ran(split("simulate 1f1b --stage-times samples/stages.csv --forward 2"), m_folder.path());
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("--forward and --stage-times exclude each other"), run.err);
}

void TstCli::helpThatCannotBeWrittenIsAFailure()
{
    if (!QFile::exists("/dev/full"))
        QSKIP("no device that is always full");
    for (const QStringList& words : {QStringList{"--help"}, QStringList{"simulate", "--help"}}) {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(PW_PROGRAM, words);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("could not be written"));
    }
}

void TstCli::aModelFileThatIsWrongIsNoUsage()
{
    const QString file = write("model.json", R"({"version": 1, "layers": 0})");
    for (const char* more : {"", "--segment-lengths equal-work"}) {
        const Finished run =
            ran(QStringList{"simulate", "seq1f1b", "--model", file} + split(more), m_folder.path());
        QCOMPARE(run.code, 1);
        QVERIFY2(run.out.isEmpty() && run.err.contains("layers is 0"), run.err);
    }
}

PW_TEST(TstCli)
#include "tst_cli.moc"
