// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <sstream>

using namespace pw::app;

// What people type who know the field and not this program: it is understood, or answered with what
// to type.

namespace {

struct Printed
{
    ExitCode code = ExitCode::Good;
    QString out;
    QString err;
};

Printed run(const QString& line)
{
    std::vector<std::string> words;
    for (const QString& word : line.split(' '))
        words.push_back(word.toStdString());
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

void write(const QString& name, const QByteArray& content)
{
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), qint64(content.size()));
}

} // namespace

class TstMistakes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void bothLinesSayTheSame_data();
    void bothLinesSayTheSame();
    void aMistakeIsAnsweredWithWhatToType_data();
    void aMistakeIsAnsweredWithWhatToType();
    void whatIsNoTraceIsSaid_data();
    void whatIsNoTraceIsSaid();
    void twoTracesAreComparedByKernels();
    void whatIsNoScheduleIsNotCheckedLineByLine_data();
    void whatIsNoScheduleIsNotCheckedLineByLine();
    void aFileComesBeforeAnotherNameOfAFamily();
    void passesThatOverlapOnADeviceAreDrawn();
    void cleanupTestCase();

private:
    QTemporaryDir m_folder;
    QString m_before;
};

void TstMistakes::initTestCase()
{
    qputenv("COLUMNS", "100");
    m_before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_folder.path()));
    write("one.csv", "0F0,0B0\n1F0,1B0\n");
    write("two.csv", "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
    QVERIFY(QDir().mkdir("folder"));
}

void TstMistakes::cleanupTestCase()
{
    QDir::setCurrent(m_before);
}

void TstMistakes::bothLinesSayTheSame_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("meant");
    const auto row = [](const char* typed, const char* meant) {
        QTest::newRow(typed) << typed << meant;
    };
    row("simulate ZB-H1 --json", "simulate zb-h1 --json");
    row("simulate pipedream-flush --json", "simulate 1f1b --json");
    row("simulate 1f1b-interleaved --json", "simulate interleaved-1f1b --json");
    row("simulate dualpipev --json", "simulate dualpipe-v --json");
    row("Simulate 1F1B --json", "simulate 1f1b --json");
    row("compare GPipe ZBV --json", "compare gpipe zb-v --json");
    row("block V_Half --json", "block v-half --json");
    row("families Zero-Bubble-H1", "families zb-h1");
    row("simulate 1f1b --pp 8 --json", "simulate 1f1b --devices 8 --json");
    row("simulate 1f1b --gpus 8 --json", "simulate 1f1b --devices 8 --json");
    row("noise 1f1b --noise 3 --json", "noise 1f1b --jitter 3 --json");
    row("simulate 1f1b --model gpt-22b --hw a100 --json",
        "simulate 1f1b --model gpt-22b --hardware a100 --json");
    row("simulate 1f1b --num_microbatches 16 --json", "simulate 1f1b --micro-batches 16 --json");
    row("simulate 1f1b --forward 300us --comm 0.001s --json",
        "simulate 1f1b --forward 0.3 --comm 1 --json");
    row("simulate 1f1b --activation 1GiB --json", "simulate 1f1b --activation 1073741824 --json");
    row("simulate 1f1b --link-trace 0:1,5ms:2 --json", "simulate 1f1b --link-trace 0:1,5:2 --json");
    row("simulate 1f1b --model GPT-22B --hardware A100 --json",
        "simulate 1f1b --model gpt-22b --hardware a100 --json");
    row("plan --model Llama3-70B --hardware H100 --gpus 8 --gbs 8 --tp 8 --pp 1 --dp 1 --mbs 1 "
        "--recompute-policy FULL --json",
        "plan --model llama3-70b --hardware h100 --gpus 8 --global-batch 8 --tensor-parallel 8 "
        "--pipeline-parallel 1 --data-parallel 1 --micro-batch-size 1 --recompute-policy full "
        "--json");
    row("optimize -h", "optimise -h");
    row("simulate 1f1b --colour never", "simulate 1f1b --color never");
    row("convert GPIPE - --to Text", "convert gpipe - --to text");
}

void TstMistakes::bothLinesSayTheSame()
{
    QFETCH(QString, typed);
    QFETCH(QString, meant);
    const Printed one = run(typed), other = run(meant);
    QVERIFY2(other.err.isEmpty(), qPrintable(other.err));
    QCOMPARE(one.err, other.err);
    QCOMPARE(one.out, other.out);
    QVERIFY(!other.out.isEmpty());
}

void TstMistakes::aMistakeIsAnsweredWithWhatToType_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("answer");
    const auto row = [](const char* typed, const char* answer) {
        QTest::newRow(typed) << typed << answer;
    };
    row("list", "there is no command 'list'; did you mean families (schedules), runs or backends?");
    row("Validate", "did you mean check?");
    row("simluate", "did you mean simulate?");
    row("diff 1f1b zb-h1",
        "diff takes files or runs, and these are families; pipewright compare 1f1b zb-h1 "
        "sets schedules side by side");
    row("diff one.csv two.csv", "both files are schedules; pipewright compare one.csv two.csv");
    row("diff folder", "folder is a folder, and no run; diff takes runs");
    row("convert 1f1b", "say what it becomes: as --to, or as the end of OUT");
    row("convert 1f1b out.xyz", "does not tell a format; say it with --to");
    row("convert 1f1b out.svg --iteration 0", "--iteration is for runs, and 1f1b is none");
    row("convert 1f1b out.svg --global-batch 8", "--global-batch is for an engine");
    row("convert 3 out.csv --devices 8", "--devices is for schedules, and 3 is a run");
    row("convert 3 --to text", "a run becomes chrome-json, table, html, otf2 or svg");
    row("convert 1f1b x --to otf2", "--to otf2 is for runs, and 1f1b is none");
    row("costs", "costs is followed by calibrate or fit");
    row("noise 1f1b --adapt", "--adapt is for kfkb alone");
    row("noise kfkb --global-batch 8", "--global-batch needs --adapt");
    row("noise kfkb --adapt --samples 8", "--samples and --adapt exclude each other");
    row("plan llama3-70b",
        "takes no plain words, and not 'llama3-70b'; a model is given as --model "
        "llama3-70b");
    row("plan H100", "an accelerator is given as --hardware H100");
    row("simulate 1f1b Llama3-70b", "one too many; a model is given as --model Llama3-70b");
    row("convert 05-1f1b", "a lesson becomes a handout: pipewright convert 05-1f1b 05-1f1b.pdf");
    row("check 1f1b", "1f1b is a family, and check takes a file; pipewright simulate 1f1b");
    row("whatif ZB-V", "ZB-V is a family, and whatif takes a file or a run; pipewright simulate "
                       "zb-v");
    row("advise 1f1b", "1f1b is a family, and advise takes a file or a run");
    row("import gpipe", "gpipe is a family, and import takes a file");
    row("show zb-h1", "zb-h1 is a family, and show takes a run");
    row("costs fit 1f1b", "1f1b is a family, and costs fit takes a file");
    row("compare 1f1b --ep 8", "--expert-parallel needs --model");
    row("runs --ep 8", "unknown option '--ep'; expert parallelism is --expert-parallel of ");
    row("compare 1f1b,zb_h1", "several have spaces between: 1f1b zb_h1");
    row("compare 1f1b,zb-h9", "there is no family '1f1b,zb-h9'; ");
    row("simulate pipedream-flsh", "did you mean pipedream-flush, which is 1f1b?");
    row("run 1f1b --sise tiny", "did you mean --size?");
    row("plan --memory-limit 80ms", "--memory-limit takes a number of ");
    row("optimise 1f1b --memory-limit 3ms", "--memory-limit takes micro-batches as 6mb");
}

void TstMistakes::aMistakeIsAnsweredWithWhatToType()
{
    QFETCH(QString, typed);
    QFETCH(QString, answer);
    const Printed printed = run(typed);
    QCOMPARE(printed.code, ExitCode::Usage);
    QVERIFY2(printed.err.contains(answer), qPrintable(printed.err));
    QVERIFY2(printed.out.isEmpty(), qPrintable(printed.out));
}

void TstMistakes::whatIsNoScheduleIsNotCheckedLineByLine_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("answer");
    QTest::newRow("prose") << "prose.txt"
                           << QByteArray("A page about schedules.\nFor example:\n\nd0: F0 BW0\n"
                                         "is one.\nAnd more: text.\n")
                           << "this is not a schedule: hardly a line says what a device does";
    QTest::newRow("another table") << "table.csv" << QByteArray("stage,forward\n0,1.5\n1,2\n")
                                   << "this is not a schedule: no cell is an action such as 2F0";
    QTest::newRow("a trace")
        << "trace.json" << QByteArray("{\"traceEvents\": [{\"ph\": \"X\", \"ts\": 1}]}")
        << "this is a trace and no schedule: import, whatif and costs fit read it";
    QTest::newRow("a log") << "train.log"
                           << QByteArray("using world size: 16\n  num_layers ............ 16\n"
                                         " iteration  3/ 10 | elapsed time per iteration (ms): "
                                         "1000.0 |\n")
                           << "this is a log and no schedule";
    QTest::newRow("a log of another program")
        << "out.txt"
        << QByteArray("[2025-01-01 10:00:00,123] [INFO] [engine.py] start\n"
                      "[2025-01-01 10:00:01,123] [INFO] [engine.py] step 1\n")
        << "this is a log and no schedule";
    QTest::newRow("YAML") << "config.yaml"
                          << QByteArray("# a run\nmodel: x\nparallel:\n  pp: 4\n  tp: 2\n"
                                        "stages:\n  - first\n  - last\n")
                          << "this is YAML and no schedule: simulate takes the name of a family";
    QTest::newRow("an execution trace")
        << "et.json"
        << QByteArray("{\"schema\": \"1.1.1-chakra.0.0.4\", \"nodes\": [{\"id\": 1, \"name\": "
                      "\"[pytorch|profiler|execution_trace|thread]\", \"ctrl_deps\": 1}]}")
        << "this is PyTorch's execution trace and no schedule";
    QTest::newRow("JSON Lines") << "dump.jsonl"
                                << QByteArray("{\"rank\": 0, \"a\": {\"b\": 1}}\n{\"rank\": 1}\n")
                                << "this is JSON Lines and no schedule";
    QTest::newRow("a memory timeline")
        << "memory.raw.json" << QByteArray("[[1, 2], [[0, 1], [2, 3]]]")
        << "this is PyTorch's memory timeline and no schedule";
    QTest::newRow("a report of Nsight Systems")
        << "run.nsys-rep" << QByteArray("\x01\x00\x02", 3)
        << "no schedule: a report of Nsight Systems; import what nsys export --type sqlite makes";
}

/// Import, too, says what such a file is.
void TstMistakes::whatIsNoTraceIsSaid_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("answer");
    QTest::newRow("YAML") << "config.yaml" << QByteArray("model: x\nlayers: 3\npp: 4\n")
                          << "not a trace: YAML, which holds no events";
    QTest::newRow("an execution trace")
        << "et.json"
        << QByteArray(
               "{\"nodes\":[{\"id\":1,\"name\":\"[pytorch|profiler|execution_trace|thread]\"}],"
               "\"schema\":\"1.0.2\"}")
        << "not a trace: PyTorch's execution trace, which has operators without times";
    QTest::newRow("JSON Lines")
        << "dump.jsonl"
        << QByteArray("{\"rank\":0,\"start\":{\"ts\":1.0}}\n{\"rank\":1,\"start\":{\"ts\":1.0}}\n")
        << "not a trace: JSON Lines without an event that is known";
    QTest::newRow("a memory timeline")
        << "memory.raw.json" << QByteArray("[[1,2,3],[[0,1],[2,3]]]")
        << "as PyTorch's memory timeline does; export the profiler's trace";
}

void TstMistakes::whatIsNoTraceIsSaid()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, answer);
    write(name, content);
    const Printed printed = run("import " + name);
    QCOMPARE(printed.code, ExitCode::Wrong);
    QVERIFY2(printed.err.contains(answer), qPrintable(printed.err));
}

void TstMistakes::twoTracesAreComparedByKernels()
{
    for (const char* name : {"a.json", "b.json"})
        write(name, "{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, "
                    "\"ts\": 1, \"dur\": 2}]}");
    const Printed printed = run("diff a.json b.json");
    QCOMPARE(printed.code, ExitCode::Wrong);
    QVERIFY2(printed.err.contains("diff a.json b.json --kernels"), qPrintable(printed.err));
    QVERIFY2(printed.err.contains("--store"), qPrintable(printed.err));
}

void TstMistakes::whatIsNoScheduleIsNotCheckedLineByLine()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, answer);
    write(name, content);
    for (const QString& command : {"check " + name, "simulate " + name}) {
        const Printed printed = run(command);
        QCOMPARE(printed.code, ExitCode::Wrong);
        QVERIFY2(printed.err.contains(answer), qPrintable(printed.err));
        QVERIFY2(printed.err.count('\n') <= 2, qPrintable(printed.err));
    }
    // What has a slip in it is a schedule all the same.
    write("slip.txt", "devices: 2\nd0: F0 BW0\nd1: F0 XX0\n");
    QVERIFY(run("check slip.txt").err.contains("line 3"));
}

void TstMistakes::aFileComesBeforeAnotherNameOfAFamily()
{
    write("dapple", "d0: F0 BW0\n");
    const Printed printed = run("simulate dapple");
    QCOMPARE(printed.code, ExitCode::Good);
    QVERIFY2(printed.out.contains("dapple  1 device, 1 micro-batch"), qPrintable(printed.out));
    QVERIFY(QFile::remove("dapple"));
    QVERIFY(run("simulate dapple").out.startsWith("1F1B "));
}

/// A trace of four devices whose file is named as if it were of one.
void TstMistakes::passesThatOverlapOnADeviceAreDrawn()
{
    QCOMPARE(run("convert 1f1b rank0.trace.json").code, ExitCode::Good);
    QCOMPARE(run("import rank0.trace.json --store overlap.sqlite").code, ExitCode::Good);
    const Printed shown = run("show last --store overlap.sqlite");
    QVERIFY2(shown.code == ExitCode::Good, qPrintable(shown.err));
    QVERIFY(shown.out.contains("device 0  F"));
}

PW_TEST(TstMistakes)
#include "tst_mistakes.moc"
