// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/connection_test.h"

#include "core/base/text.h"
#include "executor/api/wire.h"
#include "ui/core_sentences.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace pw::ui {

namespace {

FoundBackend readBackend(const QJsonObject& object)
{
    FoundBackend backend;
    backend.name = object[QStringLiteral("name")].toString();
    backend.available = object[QStringLiteral("available")].toBool();
    backend.summary = object[QStringLiteral("summary")].toString();
    backend.missing = object[QStringLiteral("missing")].toString();
    const QJsonArray devices = object[QStringLiteral("devices")].toArray();
    for (qsizetype i = 0; i < devices.size(); ++i) {
        const QJsonObject device = devices.at(i).toObject();
        backend.devices.emplace_back(
            device[QStringLiteral("name")].toString(),
            static_cast<qint64>(device[QStringLiteral("memory_bytes")].toDouble()));
    }
    const QJsonArray notes = object[QStringLiteral("notes")].toArray();
    for (qsizetype i = 0; i < notes.size(); ++i)
        backend.notes << notes.at(i).toString();
    return backend;
}

/// Equal devices counted together: "2 × H200, 139.8 GiB".
QStringList deviceLines(const FoundBackend& backend)
{
    QStringList lines;
    for (std::size_t i = 0; i < backend.devices.size();) {
        std::size_t same = i;
        while (same < backend.devices.size() && backend.devices[same] == backend.devices[i])
            ++same;
        const auto& [name, memory] = backend.devices[i];
        lines << QStringLiteral("%1 × %2").arg(same - i).arg(name) +
                     (memory > 0 ? QStringLiteral(", ") + QString::fromStdString(byteText(memory))
                                 : QString());
        i = same;
    }
    return lines;
}

/// What came in the place of an answer, in lines that can be shown: its beginning.
QStringList shownLines(const QByteArray& output)
{
    constexpr int mostBytes = 2000, mostLines = 20, mostLetters = 200;
    QString all = QString::fromUtf8(output.left(mostBytes));
    for (QChar& letter : all)
        if (!letter.isPrint() && letter != QLatin1Char('\n'))
            letter = QLatin1Char(' ');
    QStringList lines;
    const QStringList parts = all.split(QLatin1Char('\n'));
    for (const QString& part : parts)
        if (const QString line = part.simplified(); !line.isEmpty() && lines.size() < mostLines)
            lines << line.left(mostLetters);
    return lines;
}

} // namespace

const FoundBackend* Findings::backend(const QString& name) const
{
    const auto found = std::find_if(backends.begin(), backends.end(),
                                    [&](const FoundBackend& one) { return one.name == name; });
    return found == backends.end() ? nullptr : &*found;
}

Result<Findings> readFindings(const QByteArray& output)
{
    // A login shell may greet first.
    qsizetype begin = output.startsWith('[') ? 0 : output.indexOf("\n[") + 1;
    if (begin == 0 && !output.startsWith('['))
        begin = -1;
    const QJsonDocument document =
        begin < 0 ? QJsonDocument() : QJsonDocument::fromJson(output.mid(begin));
    const QJsonArray list = document.array();
    Findings findings;
    for (qsizetype i = 0; i < list.size(); ++i) {
        const QJsonObject object = list.at(i).toObject();
        findings.program = object[QStringLiteral("program")].toString();
        findings.protocol = object[QStringLiteral("wire_protocol")].toInt();
        findings.ordersOnly = object[QStringLiteral("orders_only")].toBool();
        findings.backends.push_back(readBackend(object));
    }
    if (findings.backends.empty() || findings.backends.front().name.isEmpty())
        return fail(ErrorCode::Syntax,
                    QCoreApplication::translate("pw::ui::ConnectionTest", "no list of backends")
                        .toStdString());
    return findings;
}

QString ConnectionReport::text() const
{
    QStringList lines;
    if (trouble) {
        lines << trouble.what;
        if (!trouble.advice.isEmpty())
            lines << trouble.advice;
        return lines.join(QLatin1Char('\n'));
    }
    lines << ConnectionTest::tr("Pipewright %1 answers.").arg(findings.program);
    for (const FoundBackend& backend : findings.backends) {
        lines << QString();
        if (!backend.available) {
            lines << ConnectionTest::tr("%1 — not available").arg(backend.name) << backend.missing;
            continue;
        }
        lines << backend.name << backend.summary;
        lines << deviceLines(backend) << backend.notes;
    }
    return lines.join(QLatin1Char('\n'));
}

ConnectionTest::ConnectionTest(QObject* parent)
    : QObject(parent)
{
    connect(&m_command, &CommandOutput::ended, this,
            [this](const ProcessEnd& end, const QByteArray& output) {
                ConnectionReport report;
                report.trouble = troubleOf(end);
                report.output = lastLines(end.errors, 20);
                if (!report.trouble) {
                    Result<Findings> findings = readFindings(output);
                    if (findings)
                        report.findings = std::move(*findings);
                    else
                        report.trouble = {
                            TroubleKind::Garbage, tr("What answers there is not Pipewright."),
                            tr("It wrote: %1")
                                .arg(shownLines(output).join(QLatin1Char(' ')).left(200))};
                } else if (report.trouble.kind == TroubleKind::TimedOut && !output.isEmpty()) {
                    report.trouble.advice.prepend(
                        tr("Until then it wrote: %1")
                            .arg(shownLines(output).join(QLatin1Char(' ')).left(200)) +
                        QLatin1Char('\n'));
                }
                // Other words than those of an answer belong to what was said.
                if (report.trouble)
                    report.output = (shownLines(output) << report.output).join(QLatin1Char('\n'));
                if (!report.trouble && report.findings.protocol != exec::wireProtocol)
                    report.trouble = {
                        TroubleKind::Version,
                        tr("Pipewright %1 answers and speaks wire protocol %2; this studio speaks "
                           "%3.")
                            .arg(report.findings.program.isEmpty() ? tr("of an older version")
                                                                   : report.findings.program)
                            .arg(report.findings.protocol)
                            .arg(exec::wireProtocol),
                        tr("Use the same version of Pipewright at both ends.")};
                Q_EMIT ended(report);
            });
}

void ConnectionTest::start(const Connection& connection, int milliseconds)
{
    m_connection = connection;
    const Result<QStringList> words = commandWords(connection.command);
    if (!words) {
        ConnectionReport report;
        report.trouble = {TroubleKind::NotFound, coreSentence(words.error().message), {}};
        QMetaObject::invokeMethod(
            this,
            [this, report, connection] {
                if (m_connection == connection)
                    Q_EMIT ended(report);
            },
            Qt::QueuedConnection);
        return;
    }
    m_command.start(*words + QStringList{QStringLiteral("backends"), QStringLiteral("--json")}, {},
                    {milliseconds, 1 << 20});
}

void ConnectionTest::drop()
{
    m_connection = {};
    m_command.drop();
}

void ConnectionTest::cancel()
{
    m_command.stop();
}

} // namespace pw::ui
