// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/recover.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <vector>

using namespace pw;

namespace {

constexpr Ticks someDay = 1'790'000'000'000'000'000; // since 1970
constexpr int devices = 2;

/// How a program writes spans.
struct Dialect
{
    const char* resources = "resourceSpans";
    const char* scopes = "scopeSpans";
    const char* start = "startTimeUnixNano";
    const char* end = "endTimeUnixNano";
    const char* whole = "intValue";
    const char* text = "stringValue";
    bool numbersAsText = true;
};

struct Row
{
    QString name;
    Ticks start;
    Ticks end;
};

std::vector<Row> rowsOf(const test::FamilyRun& run, DeviceId device)
{
    std::vector<Row> rows;
    for (const EntryId i : run.schedule.entries(device)) {
        const auto at = static_cast<std::size_t>(i);
        const bool forward = run.schedule.entry(i).pass.kind == PassKind::F;
        rows.push_back({forward ? QStringLiteral("megatron.microbatch.forward")
                                : QStringLiteral("megatron.microbatch.backward"),
                        run.result.start[at], run.result.end[at]});
    }
    rows.push_back({QStringLiteral("megatron.train_step"), 0, run.result.makespan + 1000});
    return rows;
}

QJsonValue number(Ticks value, bool asText)
{
    return asText ? QJsonValue(QString::number(value)) : QJsonValue(static_cast<qint64>(value));
}

QJsonObject resourceOf(const test::FamilyRun& run, DeviceId device, const Dialect& as)
{
    const QJsonArray said{
        QJsonObject{{"key", "service.instance.id"},
                    {"value", QJsonObject{{as.text, QStringLiteral("x-rank%1").arg(device)}}}},
        QJsonObject{{"key", "dl.pipeline_parallel.size"},
                    {"value", QJsonObject{{as.whole, number(devices, as.numbersAsText)}}}}};
    QJsonArray spans;
    for (const Row& row : rowsOf(run, device))
        spans.append(QJsonObject{{"name", row.name},
                                 {as.start, number(someDay + row.start, as.numbersAsText)},
                                 {as.end, number(someDay + row.end, as.numbersAsText)}});
    return {{"resource", QJsonObject{{"attributes", said}}},
            {as.scopes, QJsonArray{QJsonObject{{"spans", spans}}}}};
}

QJsonArray resourcesOf(const test::FamilyRun& run, const Dialect& as)
{
    QJsonArray all;
    for (const DeviceId device : Ids<DeviceId>(devices))
        all.append(resourceOf(run, device, as));
    return all;
}

/// As Jaeger's page and its API hand a trace out.
QJsonObject jaegerOf(const test::FamilyRun& run)
{
    QJsonArray spans;
    QJsonObject processes;
    for (const DeviceId device : Ids<DeviceId>(devices)) {
        const QString process = QStringLiteral("p%1").arg(device + 1);
        for (const Row& row : rowsOf(run, device))
            spans.append(QJsonObject{{"operationName", row.name},
                                     {"startTime", number((someDay + row.start) / 1000, false)},
                                     {"duration", number((row.end - row.start) / 1000, false)},
                                     {"processID", process}});
        processes.insert(
            process,
            QJsonObject{
                {"serviceName", "megatron"},
                {"tags", QJsonArray{QJsonObject{{"key", "service.instance.id"},
                                                {"type", "string"},
                                                {"value", QStringLiteral("x-rank%1").arg(device)}},
                                    QJsonObject{{"key", "dl.pipeline_parallel.size"},
                                                {"type", "int64"},
                                                {"value", devices}}}}});
    }
    const QJsonObject trace{{"spans", spans}, {"processes", processes}};
    return {{"data", QJsonArray{trace}}};
}

QByteArray textOf(const test::FamilyRun& run, const QString& form)
{
    Dialect as;
    QJsonDocument::JsonFormat format = QJsonDocument::Compact;
    if (form == QLatin1String("protobuf names"))
        as = {"resource_spans",
              "scope_spans",
              "start_time_unix_nano",
              "end_time_unix_nano",
              "int_value",
              "string_value",
              false};
    else if (form == QLatin1String("before version 1"))
        as.scopes = "instrumentationLibrarySpans";
    else if (form == QLatin1String("indented"))
        format = QJsonDocument::Indented;
    if (form == QLatin1String("Jaeger"))
        return QJsonDocument(jaegerOf(run)).toJson();
    const QJsonArray resources = resourcesOf(run, as);
    if (form == QLatin1String("batches of Tempo"))
        return QJsonDocument(QJsonObject{{"batches", resources}}).toJson(format);
    if (form == QLatin1String("trace of Tempo"))
        return QJsonDocument(QJsonObject{{"trace", QJsonObject{{as.resources, resources}}}})
            .toJson(format);
    if (form == QLatin1String("an array")) {
        QJsonArray all;
        for (const QJsonValue& resource : resources)
            all.append(QJsonObject{{as.resources, QJsonArray{resource}}});
        return QJsonDocument(all).toJson(format);
    }
    return QJsonDocument(QJsonObject{{as.resources, resources}}).toJson(format);
}

} // namespace

/// Spans of OpenTelemetry as the programs that hand them out write them.
class TestOtelDialects : public QObject
{
    Q_OBJECT

private:
    static test::FamilyRun run()
    {
        return test::runFamily(
            test::familyOf("1f1b"), test::sized(devices, 6),
            test::equalStages(4 * ticksPerMs, 5 * ticksPerMs, 3 * ticksPerMs, ticksPerMs));
    }

    void holdsTheOrder(const std::string& where)
    {
        const Result<Trace> trace = importTrace({where});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(QString::fromStdString(trace->origin), QStringLiteral("Megatron OpenTelemetry"));
        const RecoveredPipeline pipeline = recover(*trace);
        QVERIFY2(pipeline.schedule, whyNoOrder(pipeline).c_str());
        QVERIFY(pipeline.schedule->orders() == run().schedule.orders());
    }

    QTemporaryDir m_folder;

private slots:
    void everyFormIsRead_data()
    {
        QTest::addColumn<QString>("form");
        for (const char* form : {"OTLP", "indented", "protobuf names", "before version 1",
                                 "batches of Tempo", "trace of Tempo", "an array", "Jaeger"})
            QTest::newRow(form) << QString::fromLatin1(form);
    }

    void everyFormIsRead()
    {
        QFETCH(QString, form);
        const std::string file = m_folder.filePath(QStringLiteral("spans.json")).toStdString();
        std::ofstream(file, std::ios::binary) << textOf(run(), form).toStdString();
        holdsTheOrder(file);
    }

    /// What lacks spans or the processes that they name is no trace, and no harm to those beside
    /// it.
    void tracesOfJaegerMayBeBroken()
    {
        const QString file = m_folder.filePath(QStringLiteral("jaeger.json"));
        QJsonObject whole = jaegerOf(run());
        QJsonArray traces = whole.value(QStringLiteral("data")).toArray();
        const QJsonObject good = traces.at(0).toObject();
        QJsonObject spansAlone = good, processesAlone = good, noList = good;
        spansAlone.remove(QStringLiteral("processes"));
        processesAlone.remove(QStringLiteral("spans"));
        noList.insert(QStringLiteral("spans"), QJsonObject{{"a", 1}});
        for (const QJsonObject& broken : {spansAlone, processesAlone, noList})
            traces.prepend(broken);
        whole.insert(QStringLiteral("data"), traces);
        std::ofstream(file.toStdString(), std::ios::binary)
            << QJsonDocument(whole).toJson().toStdString();
        holdsTheOrder(file.toStdString());
    }

    /// What the console of each rank was sent to, with whatever else a program says there.
    void logsOfAFolderAreFoundByTheirContent()
    {
        const QString folder = m_folder.filePath(QStringLiteral("logs"));
        QVERIFY(QDir().mkpath(folder));
        std::ofstream((folder + QStringLiteral("/readme.txt")).toStdString()) << "nothing here\n";
        for (const DeviceId device : Ids<DeviceId>(devices)) {
            std::ofstream log((folder + QStringLiteral("/rank%1.log").arg(device)).toStdString());
            log << "loading {checkpoint}\n";
            for (const Row& row : rowsOf(run(), device)) {
                const auto date = [](Ticks time) {
                    return QStringLiteral("2026-09-21T14:13:%1.%2Z")
                        .arg(20 + time / 1'000'000'000, 2, 10, QLatin1Char('0'))
                        .arg(time % 1'000'000'000, 9, 10, QLatin1Char('0'));
                };
                const QJsonObject resource{
                    {"attributes",
                     QJsonObject{{"service.instance.id", QStringLiteral("x-rank%1").arg(device)},
                                 {"dl.pipeline_parallel.size", devices}}}};
                const QJsonObject span{{"name", row.name},
                                       {"context", QJsonObject{{"trace_id", "0x1"}}},
                                       {"start_time", date(row.start)},
                                       {"end_time", date(row.end)},
                                       {"resource", resource}};
                log << QJsonDocument(span).toJson().toStdString() << "iteration {1}\n";
            }
        }
        holdsTheOrder(folder.toStdString());
    }
};

PW_TEST(TestOtelDialects)
#include "tst_otel_dialects.moc"
