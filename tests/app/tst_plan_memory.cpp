// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <sstream>

using namespace pw::app;

namespace {

struct MemoryAnswer
{
    ExitCode code = ExitCode::Good;
    QString out, err;
};

/// A GPT on four stages of one A100 each, with what is told of the engine.
MemoryAnswer memoryPlanned(const QString& told)
{
    const QString line =
        QStringLiteral("plan --hidden 2048 --layers 24 --heads 16 --sequence 8192 --vocabulary "
                       "50304 --flash-attention yes --hardware a100 --gpus 4 --global-batch 4 "
                       "--micro-batch-size 1 --tensor-parallel 1 --pipeline-parallel 4 "
                       "--recompute none --fused-accumulation yes ") +
        told;
    std::vector<std::string> words;
    for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

/// The memory of the first row, by rank.
QJsonArray ranksOf(const QString& told)
{
    const MemoryAnswer answer = memoryPlanned(told + QStringLiteral(" --json"));
    return QJsonDocument::fromJson(answer.out.toUtf8())
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
        const MemoryAnswer plain = memoryPlanned(why + QStringLiteral("1f1b"));
        QCOMPARE(plain.code, ExitCode::Good);
        for (const char* title : {"dummies", "slices", "loss"})
            QVERIFY2(!plain.out.contains(QLatin1String(title)), qPrintable(plain.out));
        const MemoryAnswer local = memoryPlanned(
            why + QStringLiteral("seq1f1b --parameter segments=4 --engine-memory megatron-local"));
        QCOMPARE(local.code, ExitCode::Good);
        QVERIFY(local.out.contains(QStringLiteral("slices")) &&
                local.out.contains(QStringLiteral("loss")) &&
                !local.out.contains(QStringLiteral("dummies")));
    }

    void mistakesAreToldByTheirOption()
    {
        const MemoryAnswer engine = memoryPlanned(QStringLiteral("--engine-memory megatron"));
        QCOMPARE(engine.code, ExitCode::Usage);
        QVERIFY2(engine.err.contains(QStringLiteral("--engine-memory")) &&
                     engine.err.contains(QStringLiteral("megatron-te")),
                 qPrintable(engine.err));
        for (const char* wrong : {"chunked", "chunked:0", "half"}) {
            const MemoryAnswer loss =
                memoryPlanned(QStringLiteral("--loss ") + QLatin1String(wrong));
            QCOMPARE(loss.code, ExitCode::Usage);
            QVERIFY2(loss.err.contains(QStringLiteral("--loss")), qPrintable(loss.err));
        }
    }

    /// What the plan counts with is what it writes for the engine.
    void megatronIsToldOfFusedCrossEntropy()
    {
        const QString written = QStringLiteral("--family 1f1b --split 6,6,6,6 --emit megatron ");
        const QString flag = QStringLiteral("--cross-entropy-loss-fusion");
        QVERIFY(!memoryPlanned(written).out.contains(flag));
        QVERIFY(memoryPlanned(written + QStringLiteral("--engine-memory megatron-te"))
                    .out.contains(flag));
    }
};

PW_TEST(TestPlanMemory)
#include "tst_plan_memory.moc"
