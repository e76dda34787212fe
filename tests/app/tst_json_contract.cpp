// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

using namespace pw::app;

// The names and the meaning of what --json prints, as the README has them. Times are compared as
// whole nanoseconds.

namespace {

QJsonDocument documentOf(const QString& line)
{
    std::vector<std::string> words;
    for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    std::ostringstream out, err;
    if (const ExitCode code = runProgram(words, out, err); code != ExitCode::Good)
        qWarning("%s", err.str().c_str());
    return QJsonDocument::fromJson(QByteArray::fromStdString(out.str()));
}

QString textOf(const QString& line)
{
    std::vector<std::string> words;
    for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    std::ostringstream out, err;
    runProgram(words, out, err);
    return QString::fromStdString(out.str());
}

qint64 ns(const QJsonValue& milliseconds)
{
    return qRound64(milliseconds.toDouble() * 1e6);
}

QStringList sorted(QStringList names)
{
    names.sort();
    return names;
}

/// A stretch of a device: a pass or a gap.
struct Stretch
{
    qint64 start = 0;
    qint64 end = 0;
};

std::map<int, std::vector<Stretch>> byDevice(const QJsonArray& list)
{
    std::map<int, std::vector<Stretch>> out;
    for (const QJsonValue& value : list)
        out[value["device"].toInt()].push_back({ns(value["start_ms"]), ns(value["end_ms"])});
    return out;
}

constexpr const char* schedules[] = {
    "1f1b --devices 3 --micro-batches 3 --comm 0.25",
    "zb-h1 --forward 5 --backward 6 --weight 4 --comm 1",
    "zb-v --devices 4 --micro-batches 8",
    "interleaved-1f1b --comm 0.5",
    "gpipe --devices 1",
};

void addSchedules()
{
    QTest::addColumn<QString>("schedule");
    for (const char* const schedule : schedules)
        QTest::newRow(schedule) << QString(schedule);
}

} // namespace

class TestJsonContract : public QObject
{
    Q_OBJECT

private slots:
    void simulateHasTheNamesOfTheReadme()
    {
        const QStringList always = {"family",
                                    "title",
                                    "devices",
                                    "micro_batches",
                                    "steps",
                                    "stages",
                                    "segments",
                                    "routes",
                                    "parameters",
                                    "makespan_ms",
                                    "span_bubble_ms",
                                    "span_bubble_rate",
                                    "wall_bubble_ms",
                                    "wall_bubble_rate",
                                    "peak_activation_mb",
                                    "peak_activation_bytes",
                                    "peak_memory_bytes",
                                    "peak_memory",
                                    "closed_forms",
                                    "per_device"};
        QCOMPARE(documentOf("simulate 1f1b --json").object().keys(), sorted(always));
        const QJsonObject all =
            documentOf("simulate 1f1b --json --why --critical-path --passes").object();
        QCOMPARE(all.keys(), sorted(always + QStringList{"gaps", "critical_path", "passes"}));
        const auto first = [&all](const char* list) { return all[list].toArray()[0].toObject(); };
        const QStringList pass = {"device",      "kind",    "route",    "stage",
                                  "micro_batch", "segment", "start_ms", "end_ms"};
        QCOMPARE(first("passes").keys(), sorted(pass));
        QCOMPARE(first("critical_path").keys(), sorted(pass + QStringList{"reason"}));
        QCOMPARE(first("gaps").keys(), sorted({"device", "start_ms", "end_ms", "reason", "text"}));
        QCOMPARE(first("per_device").keys(),
                 sorted({"device", "busy_ms", "first_start_ms", "last_end_ms", "span_bubble_ms",
                         "wall_bubble_ms", "peak_activation_mb", "peak_activation_bytes",
                         "peak_memory_bytes"}));
        QCOMPARE(first("closed_forms").keys(),
                 sorted({"quantity", "value", "rate", "formula", "condition", "published"}));
    }

    void gapsAndPassesFillEveryDevice_data() { addSchedules(); }

    /// Nothing between 0 and the makespan is told twice or left out.
    void gapsAndPassesFillEveryDevice()
    {
        QFETCH(QString, schedule);
        const QJsonObject all =
            documentOf("simulate " + schedule + " --json --why --passes").object();
        const QStringList reasons = {"start",  "order",  "dependency", "message",
                                     "reload", "memory", "finished"};
        const QJsonArray everyGap = all["gaps"].toArray();
        for (const QJsonValue& gap : everyGap) {
            QVERIFY2(reasons.contains(gap["reason"].toString()),
                     qPrintable(gap["reason"].toString()));
            QVERIFY(!gap["text"].toString().isEmpty());
        }
        std::map<int, std::vector<Stretch>> lanes = byDevice(all["passes"].toArray());
        QCOMPARE(static_cast<int>(lanes.size()), all["devices"].toInt());
        for (const auto& [device, gaps] : byDevice(all["gaps"].toArray()))
            lanes[device].insert(lanes[device].end(), gaps.begin(), gaps.end());
        for (auto& [device, lane] : lanes) {
            std::sort(lane.begin(), lane.end(),
                      [](const Stretch& a, const Stretch& b) { return a.start < b.start; });
            qint64 end = 0;
            for (const Stretch& stretch : lane) {
                QCOMPARE(stretch.start, end);
                QVERIFY(stretch.end > stretch.start);
                end = stretch.end;
            }
            QCOMPARE(end, ns(all["makespan_ms"]));
        }
    }

    void theCriticalPathAddsUpToTheMakespan_data() { addSchedules(); }

    /// Its passes and the messages between them take the whole makespan, without slack.
    void theCriticalPathAddsUpToTheMakespan()
    {
        QFETCH(QString, schedule);
        const QStringList words = schedule.split(QLatin1Char(' '));
        const qsizetype comm = words.indexOf("--comm");
        const qint64 hop = comm < 0 ? 0 : qRound64(words[comm + 1].toDouble() * 1e6);
        const QJsonObject all =
            documentOf("simulate " + schedule + " --json --critical-path").object();
        const QJsonArray path = all["critical_path"].toArray();
        QVERIFY(!path.isEmpty());
        QCOMPARE(path[0]["reason"].toString(), QString("start"));
        qint64 end = 0;
        int device = path[0]["device"].toInt();
        for (const QJsonValue& pass : path) {
            const QString reason = pass["reason"].toString();
            const bool moved = pass["device"].toInt() != device;
            QCOMPARE(ns(pass["start_ms"]), end + (reason == "message" ? hop : 0));
            QVERIFY2(reason == "message" ? moved && hop > 0 : reason != "order" || !moved,
                     qPrintable(reason));
            end = ns(pass["end_ms"]);
            device = pass["device"].toInt();
        }
        QCOMPARE(end, ns(all["makespan_ms"]));
    }

    /// By hand: with three devices and 0.25 ms a hop the first backward is back on device 0 at
    /// 3·1 + 2·0.25 + 3·2 − 2 + 2·0.25 = 8 ms.
    void theFirstGapOf1f1bIsTheOneByHand()
    {
        const QJsonObject all =
            documentOf(QString("simulate ") + schedules[0] + " --json --why --critical-path")
                .object();
        const QJsonObject gap = all["gaps"].toArray()[0].toObject();
        QCOMPARE(gap["device"].toInt(), 0);
        QCOMPARE(ns(gap["start_ms"]), 3'000'000);
        QCOMPARE(ns(gap["end_ms"]), 8'000'000);
        QCOMPARE(gap["reason"].toString(), QString("dependency"));
        QVERIFY(gap["text"].toString().contains("BW of micro-batch 0 on stage 1"));
        QCOMPARE(all["critical_path"].toArray().size(), 10);
    }

    void runHasTheNamesOfTheReadme()
    {
        const QJsonObject run =
            documentOf("run 1f1b --devices 2 --backend emulated --iterations 2 --no-store --json")
                .object();
        QCOMPARE(run.keys(), sorted({"title",
                                     "family",
                                     "backend",
                                     "transport",
                                     "host",
                                     "picked",
                                     "costs",
                                     "model",
                                     "devices",
                                     "micro_batches",
                                     "status",
                                     "error",
                                     "warmup",
                                     "iterations",
                                     "makespan_ms",
                                     "makespan_low_ms",
                                     "makespan_high_ms",
                                     "predicted_makespan_ms",
                                     "span_bubble_rate",
                                     "predicted_span_bubble_rate",
                                     "first_loss",
                                     "last_loss",
                                     "per_device",
                                     "passes",
                                     "predicted_makespan_low_ms",
                                     "predicted_makespan_high_ms",
                                     "interval_holds",
                                     "both_sides_low_ms",
                                     "both_sides_high_ms",
                                     "own_times_makespan_ms",
                                     "model_error_rate",
                                     "worst_pass",
                                     "kernels",
                                     "job",
                                     "notes",
                                     "store"}));
        QCOMPARE(run["passes"].toArray()[0].toObject().keys(),
                 sorted({"kind", "stage", "segment", "count", "predicted_ms", "low_ms", "median_ms",
                         "high_ms"}));
        QVERIFY(ns(run["makespan_low_ms"]) <= ns(run["makespan_ms"]));
        QVERIFY(ns(run["makespan_ms"]) <= ns(run["makespan_high_ms"]));
        for (const QJsonArray lanes = run["passes"].toArray(); const QJsonValue& passes : lanes) {
            QCOMPARE(passes["count"].toInt(), 2 * run["micro_batches"].toInt());
            QVERIFY(ns(passes["low_ms"]) <= ns(passes["median_ms"]));
            QVERIFY(ns(passes["median_ms"]) <= ns(passes["high_ms"]));
        }
    }

    /// The pass that differs most differs at least as much as the quartiles of every kind.
    void theWorstPassIsTheOneThatDiffersMost()
    {
        const QJsonObject run =
            documentOf("run zb-h1 --devices 2 --backend emulated --iterations 2 --no-store --json")
                .object();
        const QJsonObject worst = run["worst_pass"].toObject();
        QCOMPARE(worst.keys(),
                 sorted({"label", "iteration", "device", "predicted_ms", "measured_ms"}));
        QVERIFY2(worst["label"].toString().startsWith("PP:"),
                 qPrintable(worst["label"].toString()));
        QVERIFY(worst["iteration"].toInt() >= 0 && worst["iteration"].toInt() < 3);
        QVERIFY(worst["device"].toInt() >= 0 && worst["device"].toInt() < 2);
        const auto off = [](const QJsonValue& measured, const QJsonValue& predicted) {
            return qAbs(ns(measured) - ns(predicted));
        };
        const qint64 most = off(worst["measured_ms"], worst["predicted_ms"]);
        for (const QJsonArray lanes = run["passes"].toArray(); const QJsonValue& passes : lanes)
            for (const char* quartile : {"low_ms", "median_ms", "high_ms"})
                QVERIFY(off(passes[QLatin1String(quartile)], passes["predicted_ms"]) <= most);
    }

    void compareHasTheNamesOfTheReadme()
    {
        const QJsonArray rows = documentOf("compare 1f1b dualpipe --devices 5 --json").array();
        QCOMPARE(rows.size(), 2);
        for (const char* name :
             {"family", "title", "makespan_ms", "span_bubble_ms", "span_bubble_rate",
              "wall_bubble_ms", "wall_bubble_rate", "peak_activation_mb", "peak_activation_bytes",
              "peak_memory_bytes", "peak_memory", "span_bubble_formula_ms",
              "wall_bubble_formula_ms", "peak_activation_formula_mb"})
            QVERIFY2(rows[0].toObject().contains(QLatin1String(name)), name);
        QCOMPARE(rows[1].toObject().keys(), sorted({"family", "title", "refusal"}));
    }

    void memoryIsTheSameEverywhere_data()
    {
        QTest::addColumn<QString>("schedule");
        for (const char* one : {"gpipe --micro-batches 4", "1f1b", "zb-h1", "pipedream --steps 2",
                                "pipedream-2bw --steps 3", "chimera", "interleaved-1f1b"})
            QTest::newRow(one) << one;
    }

    /// Whoever shows what a device holds shows all of it, by the same account: `simulate`,
    /// `compare` and `optimise`, as numbers and as text.
    void memoryIsTheSameEverywhere()
    {
        QFETCH(QString, schedule);
        const QString costs = " --model zb-1.5b";
        const QJsonObject one = documentOf("simulate " + schedule + costs + " --json").object();
        const QJsonObject kinds = one["peak_memory"].toObject();
        double sum = 0, most = 0;
        for (const char* kind :
             {"weights", "weight_versions", "gradients", "optimizer", "activations",
              "held_for_weight", "buffers", "workspace", "fragments"})
            sum += kinds[QLatin1String(kind)].toDouble(-1);
        QCOMPARE(one["peak_memory_bytes"].toDouble(), sum);
        QVERIFY(kinds["weights"].toDouble() > 0 && kinds["optimizer"].toDouble() > 0);
        QVERIFY(kinds["buffers"].toDouble() > 0 && kinds["fragments"].toDouble() > 0);
        QVERIFY(sum > one["peak_activation_bytes"].toDouble());
        QCOMPARE(kinds["weight_versions"].toDouble() > 0, schedule.startsWith("pipedream"));
        const QJsonArray devices = one["per_device"].toArray();
        for (const QJsonValue& device : devices)
            most = std::max(most, device["peak_memory_bytes"].toDouble());
        QCOMPARE(most, sum);
        const QJsonObject row =
            documentOf("compare " + schedule + costs + " --json").array()[0].toObject();
        QCOMPARE(row["peak_memory"].toObject(), kinds);
        QCOMPARE(row["peak_memory_bytes"].toDouble(), sum);
        for (const char* command : {"compare ", "simulate "}) {
            const QString text = textOf(command + schedule + costs);
            double nearest = 1;
            for (const QString& word : text.split(QRegularExpression("\\s+")))
                nearest = std::min(nearest, std::abs(word.toDouble() * 1073741824.0 / sum - 1));
            QVERIFY2(nearest < 0.005 && text.contains("GiB"), qPrintable(text));
        }
    }

    void aBlockHasTheNamesOfItsText()
    {
        const QJsonObject block = documentOf("block v-half --json").object();
        for (const char* name : {"title", "devices", "interval", "micro_batches_in_block",
                                 "micro_batches", "collisions", "lifespans", "per_device"})
            QVERIFY2(block.contains(QLatin1String(name)), name);
        QVERIFY(block["collisions"].toArray().isEmpty());
        QCOMPARE(block["per_device"].toArray().size(), block["devices"].toInt());
    }
};

PW_TEST(TestJsonContract)
#include "tst_json_contract.moc"
