// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/torch_package.h"
#include "core/io/project_file.h"
#include "core/io/torch_csv.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw;
using namespace pw::app;

namespace {

struct EmitSaid
{
    ExitCode code = ExitCode::Good;
    QString out;
    QString err;
};

/// `convert INPUT [FOLDER] --to TARGET` of "TARGET INPUT … [--to FOLDER]".
EmitSaid emitted(QStringList words)
{
    std::vector<std::string> all = {"convert", "--to", words.takeFirst().toStdString(),
                                    words.takeFirst().toStdString()};
    if (const qsizetype folder = words.indexOf(QStringLiteral("--to")); folder >= 0) {
        words.removeAt(folder);
        all.push_back(words.takeAt(folder).toStdString());
    }
    for (const QString& word : words)
        all.push_back(word.toStdString());
    std::ostringstream out, err;
    const ExitCode code = runProgram(all, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestEmit : public QObject
{
    Q_OBJECT

private slots:
    void aTorchFolderHoldsTheOrder_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"1f1b", "gpipe", "interleaved-1f1b", "breadth-first", "zb-h1",
                                   "zb-v", "v-half", "v-min", "dualpipe-v", "hanayo", "gis"})
            QTest::newRow(family) << QString::fromLatin1(family);
    }

    /// The CSV and the project hold the same order; and the Python beside them reads both, and says
    /// what they take to the nanosecond.
    void aTorchFolderHoldsTheOrder()
    {
        QFETCH(QString, family);
        const QString folder = m_folder.filePath(family);
        const EmitSaid said = emitted({QStringLiteral("torch"), family, QStringLiteral("--devices"),
                                       QStringLiteral("4"), QStringLiteral("--micro-batches"),
                                       QStringLiteral("8"), QStringLiteral("--to"), folder});
        QVERIFY2(said.code == ExitCode::Good, qPrintable(said.err));
        const QByteArray csv = contentOf(folder + QStringLiteral("/schedule.csv"));
        const Result<Draft> draft = readTorchCsv({csv.constData(), std::size_t(csv.size())});
        QVERIFY(draft);
        const Result<Project> project =
            loadProject((folder + QStringLiteral("/plan.pipewright.json")).toStdString());
        QVERIFY(project);
        QVERIFY(!project->family);
        QCOMPARE(draft->orders, project->draft.orders);
        QVERIFY(QFileInfo(folder + QStringLiteral("/run.sh")).isExecutable());
        QVERIFY(contentOf(folder + QStringLiteral("/run.sh"))
                    .contains("-m pipewright_torch.torchrun --nproc-per-node 4} "));
        QVERIFY(QFileInfo::exists(folder + QStringLiteral("/pipewright_torch/torchrun.py")));
        for (const TorchFile& file : torchPackage()) {
            const QString name = QString::fromUtf8(file.name.data(), qsizetype(file.name.size()));
            const QByteArray there =
                contentOf(folder + QStringLiteral("/pipewright_torch/") + name);
            QVERIFY(!there.isEmpty());
            QCOMPARE(there, contentOf(QStringLiteral(PW_SOURCE_DIR "/executor/torch/") +
                                      QStringLiteral("pipewright_torch/") + name));
        }
        checkPython(folder, *project);
    }

    void whatATargetCannotHoldIsRefused_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* line, int code, const char* says) {
            QTest::newRow(name) << QString::fromLatin1(line) << code << QString::fromLatin1(says);
        };
        row("two routes", "torch chimera --to x", 1, "no second route");
        row("segments", "torch seq1f1b --to x", 1, "no segments");
        row("updates", "torch pipedream --to x", 1, "updates");
        row("a V for Megatron", "megatron zb-v", 1, "stage k on rank k mod P");
        row("another order for Galvatron", "galvatron zb-h1", 1, "1F1B and GPipe");
        row("a zigzag for Primus", "primus hanayo --waves 2", 1, "has another placement");
        row("a wave for TorchTitan", "torchtitan hanayo --waves 2", 1, "another one");
        row("no folder", "torch 1f1b", 2, "--to");
        row("no such target", "tensorflow 1f1b", 2, "not 'tensorflow'");
        row("a layout of other stages",
            "megatron 1f1b --devices 4 --pipeline-model-parallel-layout Et|tL", 1, "has 2 stages");
    }

    void whatATargetCannotHoldIsRefused()
    {
        QFETCH(QString, line);
        QFETCH(int, code);
        QFETCH(QString, says);
        QStringList words = line.split(' ');
        words.replaceInStrings(QStringLiteral("x"), m_folder.filePath(QStringLiteral("none")));
        if (!line.endsWith(QLatin1String("--to x")))
            words = line.split(' ');
        const EmitSaid said = emitted(words);
        QCOMPARE(static_cast<int>(said.code), code);
        QVERIFY2(said.err.contains(says), qPrintable(said.err));
        QVERIFY(!QFileInfo::exists(m_folder.filePath(QStringLiteral("none"))));
    }

    void megatronReadsItsLayoutBack()
    {
        const QStringList shape = {
            QStringLiteral("megatron"),        QStringLiteral("interleaved-1f1b"),
            QStringLiteral("--devices"),       QStringLiteral("4"),
            QStringLiteral("--micro-batches"), QStringLiteral("8"),
            QStringLiteral("--chunks"),        QStringLiteral("2")};
        const EmitSaid first =
            emitted(shape + QStringList{QStringLiteral("--layers"), QStringLiteral("18")});
        QVERIFY2(first.code == ExitCode::Good, qPrintable(first.err));
        const QString begin = QStringLiteral("--pipeline-model-parallel-layout \"");
        const qsizetype from = first.out.indexOf(begin) + begin.size();
        const QString layout = first.out.mid(from, first.out.indexOf('"', from) - from);
        QCOMPARE(layout, "Ettt|ttt|(tt|)*5ttL");
        const EmitSaid second = emitted(
            shape + QStringList{QStringLiteral("--pipeline-model-parallel-layout"), layout});
        QCOMPARE(second.out, first.out);
        QVERIFY(first.out.contains("--microbatch-group-size-per-virtual-pipeline-stage 4\n"));
        QVERIFY(first.out.contains("the order is Megatron's own"));
        QVERIFY(emitted({"megatron", "gpipe", "--devices", "4", "--micro-batches", "8"})
                    .out.contains("passes are elsewhere"));
    }

    /// Rules that were found by running the engines' own functions.
    void whatIsWrittenIsWhatTheEnginesRead()
    {
        const EmitSaid overlap = emitted({"megatron", "interleaved-1f1b", "--devices", "4",
                                          "--micro-batches", "8", "--overlap", "--layers", "16"});
        QVERIFY2(overlap.out.contains("--overlap-moe-expert-parallel-comm\n"),
                 qPrintable(overlap.out + overlap.err));
        QVERIFY(overlap.out.contains("the order is Megatron's own"));
        const EmitSaid large =
            emitted({"megatron", "interleaved-1f1b", "--devices", "2", "--chunks", "2",
                     "--micro-batches", "400", "--group", "400"});
        QVERIFY2(large.out.contains("--microbatch-group-size-per-virtual-pipeline-stage 400\n"),
                 qPrintable(large.out + large.err));
        QVERIFY(large.out.contains("the order is Megatron's own"));
        const EmitSaid few = emitted({"megatron", "interleaved-1f1b", "--devices", "4",
                                      "--micro-batches", "2", "--layers", "16"});
        QCOMPARE(few.code, ExitCode::Wrong);
        QVERIFY2(few.err.contains("at least 4 micro-batches"), qPrintable(few.err));
        const EmitSaid tokens = emitted({"megatron", "1f1b", "--devices", "2", "--micro-batches",
                                         "4", "--pipeline-model-parallel-layout", "Ett|tmmL"});
        QVERIFY2(tokens.out.contains("--mtp-num-layers 2\n"), qPrintable(tokens.out + tokens.err));
        const EmitSaid losses =
            emitted({"megatron", "interleaved-1f1b", "--devices", "8", "--micro-batches", "16",
                     "--pipeline-model-parallel-layout", "E|(t|)*10m|m|m|LL|LL"});
        QVERIFY2(losses.out.contains("--pipeline-model-parallel-layout \"E|(t|)*10m|m|m|LL|LL\"\n"),
                 qPrintable(losses.out + losses.err));
        for (const char* part :
             {"NVIDIA/Megatron-LM pull request 5318 3eccc206\n", "--num-layers 10\n",
              "--mtp-num-layers 3\n", "--untie-embeddings-and-output-weights\n",
              "# losses on several stages: the main line of Megatron-LM refuses",
              "PP rank 6: decoder; loss*2\n"})
            QVERIFY2(losses.out.contains(part), part);
        const EmitSaid titan =
            emitted({"torchtitan", "1f1b", "--devices", "2", "--micro-batches", "4"});
        QVERIFY(titan.out.startsWith("# Written by Pipewright; the rules were checked against "
                                     "pytorch/torchtitan "));
        QVERIFY(titan.out.contains("\"norm\", \"lm_head\"]"));
        const EmitSaid nemo = emitted({"nemo", "1f1b", "--devices", "2", "--micro-batches", "4"});
        QVERIFY(nemo.out.contains("\ndistributed:\n  pp_size: 2\n  pipeline:\n"));
        QVERIFY(nemo.out.contains("[\"model.embed_tokens\", \"model.layers.0\", "));
    }

    void aStrategyOfGalvatronBecomesAProject()
    {
        const QString there = m_folder.filePath(QStringLiteral("there"));
        const QString back = m_folder.filePath(QStringLiteral("back"));
        QCOMPARE(emitted({"galvatron", "gpipe", "--devices", "3", "--micro-batches", "6",
                          "--layers", "7", "--to", there})
                     .code,
                 ExitCode::Good);
        const EmitSaid said = emitted({"galvatron", there + "/galvatron.json", "--to", back});
        QVERIFY2(said.code == ExitCode::Good, qPrintable(said.err));
        const Result<Project> project = loadProject((back + "/plan.pipewright.json").toStdString());
        QVERIFY(project);
        QCOMPARE(project->family->id, std::string("gpipe"));
        QCOMPARE(project->draft.spec.devices, 3);
        QCOMPARE(project->draft.spec.microBatches, 6);
        QCOMPARE(project->notes, std::string("layers of the stages: 3 2 2"));
    }

    void filesOfATargetGoToItsFolder()
    {
        const QString folder = m_folder.filePath(QStringLiteral("titan"));
        const EmitSaid said = emitted({"torchtitan", "zb-v", "--devices", "2", "--micro-batches",
                                       "4", "--layers", "6", "--to", folder});
        QVERIFY2(said.code == ExitCode::Good, qPrintable(said.err));
        QVERIFY(contentOf(folder + "/torchtitan_pipeline.py")
                    .contains("parallelism.pipeline_parallel_schedule = \"ZBVZeroBubble\""));
        QVERIFY(contentOf(folder + "/schedule.csv").startsWith("0F0,"));
        const QString job = m_folder.filePath(QStringLiteral("job"));
        QCOMPARE(
            emitted({"slurm", "1f1b", "--devices", "6", "--micro-batches", "8", "--to", job}).code,
            ExitCode::Good);
        QVERIFY(contentOf(job + "/job.sbatch").contains("#SBATCH --ntasks=6\n"));
        QVERIFY(loadProject((job + "/plan.pipewright.json").toStdString()));
    }

    void everyTargetSaysWhatItWasCheckedAgainst_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("engine");
        const auto row = [](const char* target, const char* file, const char* engine) {
            QTest::addRow("%s, %s, %s", target, file, engine) << file << engine;
        };
        row("torch", "run.sh", "pytorch/pytorch v2.14.1");
        row("torch", "README.md", "pytorch/pytorch v2.14.1");
        row("torchtitan", "torchtitan_pipeline.py", "pytorch/torchtitan b5bcd76c");
        row("torchtitan", "torchtitan_pipeline.py",
            "schedule.csv is read by PyTorch: checked against pytorch/pytorch v2.14.1");
        row("nemo", "nemo.yaml", "NVIDIA-NeMo/Automodel 36044ad3");
        row("nemo", "nemo.yaml", "schedule.csv is read by PyTorch");
        row("megatron", "megatron.args", "NVIDIA/Megatron-LM d98e8a64");
        row("primus", "primus_table.txt", "AMD-AGI/Primus fd1eeabb");
        row("primus", "pipewright_schedule.py", "AMD-AGI/Primus fd1eeabb");
        row("galvatron", "galvatron.json", "PKU-DAIR/Hetu-Galvatron cea12ffb");
        row("slurm", "job.sbatch", "Slurm 22.05.8");
    }

    void everyTargetSaysWhatItWasCheckedAgainst()
    {
        QFETCH(QString, file);
        QFETCH(QString, engine);
        const QString target = QString::fromLatin1(QTest::currentDataTag()).section(',', 0, 0);
        const QTemporaryDir place;
        const QString folder = place.filePath(target);
        QCOMPARE(emitted({target, "1f1b", "--devices", "2", "--micro-batches", "4", "--to", folder})
                     .code,
                 ExitCode::Good);
        const QString text = QString::fromUtf8(contentOf(folder + "/" + file));
        const QString begin = text.section('\n', 0, 4);
        QVERIFY2(begin.contains(engine), qPrintable(begin));
    }

private:
    /// The package without PyTorch: it reads the plan, refuses what it must, and simulates alike.
    void checkPython(const QString& folder, const Project& project)
    {
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        QVERIFY2(!python.isEmpty(), "python3 is not installed; ./run test installs it");
        QProcess process;
        process.setWorkingDirectory(folder);
        process.start(python,
                      {"-B", "-c",
                       "import json\n"
                       "from pipewright_torch.plan import read_plan, read_csv_plan\n"
                       "from pipewright_torch.simulate import simulate\n"
                       "plan = read_plan(open('plan.pipewright.json').read())\n"
                       "other = read_csv_plan(open('schedule.csv', newline='').read())\n"
                       "assert other.placement == plan.placement and other.orders == plan.orders\n"
                       "assert plan.csv() == open('schedule.csv', newline='').read()\n"
                       "print(json.dumps(simulate(plan, plan.costs)))\n"});
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, errors.constData());
        const QJsonArray figures = QJsonDocument::fromJson(process.readAllStandardOutput()).array();
        const Result<Schedule> schedule = scheduleOf(project);
        QVERIFY(schedule);
        const Result<SimResult> result = simulate(*schedule, costsOf(project));
        QVERIFY(result);
        QCOMPARE(static_cast<Ticks>(figures.at(0).toDouble()), result->makespan);
        QVERIFY(std::abs(figures.at(1).toDouble() - spanBubble(*result).rate()) < 1e-12);
    }

    QTemporaryDir m_folder;
};

PW_TEST(TestEmit)
#include "tst_emit.moc"
