// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "core/families/family.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <sstream>

using namespace pw::app;

namespace {

/// What a command writes as JSON; empty where it fails.
QJsonDocument answer(const QStringList& words)
{
    std::vector<std::string> typed;
    for (const QString& word : words)
        typed.push_back(word.toStdString());
    std::ostringstream out, err;
    const ExitCode code = runProgram(typed, out, err);
    if (code == ExitCode::Usage || !err.str().empty())
        qWarning("%s", err.str().c_str());
    return QJsonDocument::fromJson(QByteArray::fromStdString(out.str()));
}

QStringList wordsOf(const QString& line)
{
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

double numberOf(const QJsonObject& object, const char* name)
{
    return object[QLatin1String(name)].toDouble();
}

/// One way to train, as `plan` is told it.
struct Way
{
    const char* model;
    const char* hardware;
    const char* options;  ///< of `plan` and of `simulate`
    const char* planOnly; ///< what only `plan` is told
};

// Dense and with experts, old machines and new ones, every kind of engine and of recomputation.
const Way waysToTrain[] = {
    {"llama3-8b", "h100", "--tensor-parallel 2 --recompute-policy full --engine-memory torchtitan",
     ""},
    {"llama3-70b", "a100",
     "--tensor-parallel 1 --engine-memory torch-eager --recompute-policy full", "--split even"},
    {"qwen3-30b-a3b", "b200",
     "--expert-parallel 2 --precision fp8 --engine-memory megatron-te --recompute-policy selective",
     ""},
    {"zb-6.2b", "v100", "--recompute-policy none --micro-batch-size 2", "--split even"},
};

} // namespace

/// Two commands never tell two numbers for one thing: a row of `plan`, and the project that it
/// writes, asked by every other command; over models, machines and families.
class TestOneNumber : public QObject
{
    Q_OBJECT

private slots:
    void everyCommandTellsTheSame_data()
    {
        QTest::addColumn<int>("way");
        QTest::addColumn<QString>("family");
        for (int way = 0; way < static_cast<int>(std::size(waysToTrain)); ++way) {
            for (const pw::Family& family : pw::allFamilies()) {
                const QString id =
                    QString::fromUtf8(family.id.data(), static_cast<qsizetype>(family.id.size()));
                QTest::addRow("%s on %s, %s", waysToTrain[way].model, waysToTrain[way].hardware,
                              qPrintable(id))
                    << way << id;
            }
        }
    }

    void everyCommandTellsTheSame()
    {
        QFETCH(int, way);
        QFETCH(QString, family);
        const Way& asked = waysToTrain[way];
        const QString where = QStringLiteral("--model %1 --hardware %2 ")
                                  .arg(QLatin1String(asked.model), QLatin1String(asked.hardware));
        const QString saved = m_folder.filePath(QStringLiteral("row.pipewright.json"));
        QString plan = QStringLiteral("plan ") + where + QLatin1String(asked.options) +
                       QStringLiteral(" --gpus-per-node 8 --pipeline-parallel 4 --data-parallel 2 "
                                      "--family %1 --memory-limit 100000 --top 1 --json ")
                           .arg(family) +
                       QLatin1String(asked.planOnly);
        const bool twos = plan.contains(QLatin1String("--micro-batch-size 2"));
        plan += QStringLiteral(" --global-batch %1").arg(twos ? 32 : 16);
        if (!twos)
            plan += QStringLiteral(" --micro-batch-size 1");
        const pw::Family& of = **pw::findFamily(family.toStdString());
        if (pw::findParameter(of, pw::ParameterRole::TimeLimit) != nullptr)
            plan += QStringLiteral(" --parameter time-limit=0");
        const QJsonArray rows = answer(wordsOf(plan) << QStringLiteral("--save") << saved).array();
        QCOMPARE(rows.size(), 1);
        const QJsonObject row = rows.first().toObject();
        const QJsonObject simulated =
            answer({QStringLiteral("simulate"), saved, QStringLiteral("--json")}).object();
        compareWithSimulation(row, simulated);
        compareWithOthers(simulated, saved);
    }

private:
    /// A row of a plan and the simulation of its project.
    static void compareWithSimulation(const QJsonObject& row, const QJsonObject& simulated)
    {
        const QJsonArray devices = simulated[QLatin1String("per_device")].toArray();
        const QJsonArray peaks = row[QLatin1String("peak_bytes")].toArray();
        QCOMPARE(devices.size(), peaks.size());
        double idle = 0;
        for (qsizetype d = 0; d < devices.size(); ++d) {
            QCOMPARE(numberOf(devices[d].toObject(), "peak_memory_bytes"), peaks[d].toDouble());
            idle += numberOf(devices[d].toObject(), "wall_bubble_ms");
        }
        const QJsonObject fullest = simulated[QLatin1String("peak_memory")].toObject();
        const QJsonObject held = row[QLatin1String("memory")]
                                     .toArray()[fullest[QLatin1String("device")].toInt()]
                                     .toObject();
        for (const char* kind :
             {"weights", "weight_versions", "gradients", "optimizer", "fragments"})
            QCOMPARE(numberOf(fullest, kind), numberOf(held, kind));
        // Without a flush a plan tells one of many steps, and a simulation all of them.
        const double makespan = numberOf(simulated, "makespan_ms");
        if (simulated[QLatin1String("steps")].toInt() > 1)
            return;
        constexpr double tick = 1e-6;
        QVERIFY(std::abs(numberOf(row, "pipeline_ms") - makespan) <= tick);
        QVERIFY(std::abs(numberOf(row, "bubble_rate") -
                         idle / (static_cast<double>(devices.size()) * makespan)) < tick);
    }

    /// The same project, asked by commands beside `simulate`.
    static void compareWithOthers(const QJsonObject& simulated, const QString& saved)
    {
        const double makespan = numberOf(simulated, "makespan_ms");
        const QString json = QStringLiteral("--json");
        const QJsonObject compared =
            answer({QStringLiteral("compare"), saved, json}).array().first().toObject();
        for (const char* name :
             {"makespan_ms", "span_bubble_rate", "wall_bubble_rate", "peak_activation_mb",
              "peak_activation_bytes", "peak_memory_bytes"})
            QCOMPARE(numberOf(compared, name), numberOf(simulated, name));
        const QJsonObject noise =
            answer({QStringLiteral("noise"), saved, json, QStringLiteral("--samples"),
                    QStringLiteral("1"), QStringLiteral("--jitter"), QStringLiteral("0")})
                .array()
                .first()
                .toObject();
        for (const char* name : {"nominal_ms", "mean_ms", "p50_ms"})
            QCOMPARE(numberOf(noise, name), makespan);
        // All families that could be instead take a while: asked of a few.
        const bool all = QStringLiteral("1f1b zb-v seq1f1b pipedream-2bw hanayo")
                             .split(QLatin1Char(' '))
                             .contains(simulated[QLatin1String("family")].toString());
        QStringList asked = {QStringLiteral("whatif"), saved, json};
        if (!all)
            asked << QStringLiteral("--family") << QStringLiteral("gpipe");
        const QJsonObject whatIf = answer(asked).object();
        constexpr double ticks = 1e6;
        QCOMPARE(numberOf(whatIf, "predicted_ns"), std::round(ticks * makespan));
        if (!all)
            return;
        const QJsonObject same = whatIf[QLatin1String("what_if")].toArray().first().toObject();
        QCOMPARE(numberOf(same, "makespan_ns"), std::round(ticks * makespan));
        QCOMPARE(numberOf(same, "peak_memory_bytes"), numberOf(simulated, "peak_memory_bytes"));
        const QJsonArray devices = simulated[QLatin1String("per_device")].toArray();
        const QJsonArray bytes = same[QLatin1String("memory_bytes")].toArray();
        QCOMPARE(bytes.size(), devices.size());
        for (qsizetype d = 0; d < devices.size(); ++d)
            QCOMPARE(bytes[d].toDouble(), numberOf(devices[d].toObject(), "peak_memory_bytes"));
    }

    QTemporaryDir m_folder;
};

PW_TEST(TestOneNumber)
#include "tst_one_number.moc"
