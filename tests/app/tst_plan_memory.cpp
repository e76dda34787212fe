// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::app;

namespace {

/// A GPT on four stages of one A100 each, with what is told of the engine.
test::Said memoryPlanned(const QString& told)
{
    const QString line =
        QStringLiteral("plan --hidden 2048 --layers 24 --heads 16 --sequence 8192 --vocabulary "
                       "50304 --flash-attention yes --hardware a100 --gpus 4 --global-batch 4 "
                       "--micro-batch-size 1 --tensor-parallel 1 --pipeline-parallel 4 "
                       "--recompute-policy none --fused-accumulation yes ") +
        told;
    return test::ranLine(line);
}

/// The memory of the first row, by rank.
QJsonArray ranksOf(const QString& told)
{
    const test::Said answer = memoryPlanned(told + QStringLiteral(" --json"));
    return QJsonDocument::fromJson(answer.out)
        .array()
        .first()
        .toObject()[QStringLiteral("memory")]
        .toArray();
}

double bytesOf(const QJsonArray& ranks, qsizetype rank, const char* kind)
{
    return ranks[rank].toObject()[QLatin1String(kind)].toDouble(-1);
}

} // namespace

/// `plan --engine-memory` and `--loss`.
class TestPlanMemory : public QObject
{
    Q_OBJECT

private slots:
    void anEngineIsToldByName()
    {
        const QString family = QStringLiteral("--family 1f1b ");
        const QJsonArray plain = ranksOf(family);
        QCOMPARE(plain.size(), 4);
        QCOMPARE(ranksOf(family + QStringLiteral("--engine-memory plain")), plain);
        for (const char* kind : {"loss", "slices", "dummy_gradients"})
            QCOMPARE(bytesOf(plain, 3, kind), 0.0);
        const QJsonArray engine = ranksOf(family + QStringLiteral("--engine-memory megatron-te"));
        // Queries, keys and values, projection, both sides of the MLP; the tied output has its own.
        constexpr double layer = 2.0 * 2048 * (3 + 1 + 4 + 4) * 2048, logits = 8192.0 * 50304;
        QCOMPARE(bytesOf(engine, 0, "dummy_gradients"), layer);
        QCOMPARE(bytesOf(engine, 3, "dummy_gradients"), layer + 2.0 * 2048 * 50304);
        QCOMPARE(bytesOf(plain, 3, "activations") - bytesOf(engine, 3, "activations"), 2 * logits);
        const QJsonArray told =
            ranksOf(family + QStringLiteral("--engine-memory megatron-te --loss unfused"));
        QCOMPARE(bytesOf(told, 3, "loss"), 9.5 * logits);
        QCOMPARE(bytesOf(told, 0, "dummy_gradients"), layer);
        QCOMPARE(bytesOf(ranksOf(family + QStringLiteral("--loss chunked:16")), 3, "loss"),
                 logits / 4);
    }

    /// Columns that all ranks leave empty are not there.
    void whyHasAColumnForEveryTerm()
    {
        const QString why = QStringLiteral("--why --family ");
        const test::Said plain = memoryPlanned(why + QStringLiteral("1f1b"));
        QCOMPARE(plain.code, ExitCode::Good);
        for (const char* title : {"dummies", "slices", "loss"})
            QVERIFY2(!plain.out.contains(title), plain.out.constData());
        const test::Said local = memoryPlanned(
            why + QStringLiteral("seq1f1b --parameter segments=4 --engine-memory megatron-local"));
        QCOMPARE(local.code, ExitCode::Good);
        QVERIFY(local.out.contains("slices") && local.out.contains("loss") &&
                !local.out.contains("dummies"));
    }

    /// What a plan tells of every rank is what simulating its project tells.
    void aSavedRowHoldsWhatThePlanTells()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("row.pipewright.json"));
        for (const char* told : {"--family 1f1b", "--family gpipe --engine-memory torchtitan",
                                 "--family zb-v --chunks 2 --engine-memory megatron-te",
                                 "--family seq1f1b --parameter segments=4 --engine-memory "
                                 "megatron-local"}) {
            const test::Said plan =
                memoryPlanned(QLatin1String(told) + QStringLiteral(" --json --save ") + file);
            QVERIFY2(plan.code == ExitCode::Good, plan.err.constData());
            const QJsonArray peaks = QJsonDocument::fromJson(plan.out)
                                         .array()
                                         .first()
                                         .toObject()[QStringLiteral("peak_bytes")]
                                         .toArray();
            const test::Said simulated =
                test::ranLine(QStringLiteral("simulate %1 --json").arg(file));
            QVERIFY2(simulated.code == ExitCode::Good, simulated.err.constData());
            const QJsonArray devices = QJsonDocument::fromJson(simulated.out)
                                           .object()[QStringLiteral("per_device")]
                                           .toArray();
            QCOMPARE(devices.size(), peaks.size());
            QCOMPARE(peaks.size(), 4);
            for (qsizetype rank = 0; rank < peaks.size(); ++rank)
                QCOMPARE(devices[rank].toObject()[QStringLiteral("peak_memory_bytes")].toDouble(),
                         peaks[rank].toDouble());
        }
    }

    /// A model's costs have the same engine in every command.
    void simulateTakesAnEngineToo()
    {
        for (const char* engine : {"plain", "megatron-te", "torchtitan --loss chunked:4"}) {
            const QString told = QStringLiteral("--model llama3-8b --hardware h100 "
                                                "--sequence-parallel no --fused-accumulation yes "
                                                "--micro-batch-size 1 --engine-memory ") +
                                 QLatin1String(engine) + QStringLiteral(" --json ");
            const test::Said plan = test::ranLine(
                QStringLiteral(
                    "plan --gpus 4 --global-batch 8 --tensor-parallel 1 "
                    "--pipeline-parallel 4 --family 1f1b --recompute-policy none --split even "
                    "--zero 0 --overlap-tensor no ") +
                told);
            QVERIFY2(plan.code == ExitCode::Good, plan.err.constData());
            const test::Said simulated = test::ranLine(
                QStringLiteral("simulate 1f1b --devices 4 --micro-batches 8 ") + told);
            QVERIFY2(simulated.code == ExitCode::Good, simulated.err.constData());
            const QJsonArray peaks = QJsonDocument::fromJson(plan.out)
                                         .array()
                                         .first()
                                         .toObject()[QStringLiteral("peak_bytes")]
                                         .toArray();
            const QJsonArray devices = QJsonDocument::fromJson(simulated.out)
                                           .object()[QStringLiteral("per_device")]
                                           .toArray();
            QCOMPARE(peaks.size(), 4);
            for (qsizetype rank = 0; rank < 4; ++rank)
                QCOMPARE(devices[rank].toObject()[QStringLiteral("peak_memory_bytes")].toDouble(),
                         peaks[rank].toDouble());
        }
        const test::Said alone =
            test::ranLine(QStringLiteral("simulate 1f1b --engine-memory megatron-te"));
        QCOMPARE(alone.code, ExitCode::Usage);
        QVERIFY2(alone.err.contains("--engine-memory needs --model"), alone.err.constData());
    }

    void mistakesAreToldByTheirOption()
    {
        const test::Said engine = memoryPlanned(QStringLiteral("--engine-memory megatron"));
        QCOMPARE(engine.code, ExitCode::Usage);
        QVERIFY2(engine.err.contains("--engine-memory") && engine.err.contains("megatron-te"),
                 engine.err.constData());
        for (const char* wrong : {"chunked", "chunked:0", "half"}) {
            const test::Said loss = memoryPlanned(QStringLiteral("--loss ") + QLatin1String(wrong));
            QCOMPARE(loss.code, ExitCode::Usage);
            QVERIFY2(loss.err.contains("--loss"), loss.err.constData());
        }
    }

    /// Peaks in a table of measurements say whose terms they are; without any nothing is said.
    void measuredPeaksSayTheEngine()
    {
        QTemporaryDir folder;
        const QString table = folder.filePath(QStringLiteral("measured.csv"));
        const auto fitted = [&](const char* columns, const char* cells) {
            QFile file(table);
            [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
            file.write(QByteArray("model,layers,gpus,micro_batch,micro_batches,tensor_parallel,"
                                  "pipeline_parallel,sequence,overlap_tensor,iteration_ms") +
                       columns + "\nllama3-70b,12,8,1,4,1,2,4096,no,843.0" + cells + "\n");
            file.close();
            return test::ranLine(QStringLiteral("fit --hardware b200 --measured ") + table +
                                 QStringLiteral(" --output ") +
                                 folder.filePath(QStringLiteral("constants.json")));
        };
        const test::Said without = fitted("", "");
        QCOMPARE(without.code, ExitCode::Good);
        QVERIFY(!without.out.contains("--engine-memory"));
        // MooreThreads/SimuMax, b200_release_v1.2_summary.json: 68,149 and 64,479 MiB.
        const test::Said told =
            fitted(",first_stage_peak_bytes,last_stage_peak_bytes", ",71459405824,67611131904");
        QCOMPARE(told.code, ExitCode::Good);
        QVERIFY2(told.out.contains("plan --engine-memory megatron-te has"), told.out.constData());
    }

    /// What the plan counts with is what it writes for the engine.
    void megatronIsToldOfFusedCrossEntropy()
    {
        const QString written = QStringLiteral("--family 1f1b --split 6,6,6,6 --emit megatron ");
        const char* const flag = "--cross-entropy-loss-fusion";
        QVERIFY(!memoryPlanned(written).out.contains(flag));
        QVERIFY(memoryPlanned(written + QStringLiteral("--engine-memory megatron-te"))
                    .out.contains(flag));
    }
};

PW_TEST(TestPlanMemory)
#include "tst_plan_memory.moc"
