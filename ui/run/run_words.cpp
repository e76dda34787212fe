// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_session.h"
#include "ui/run/slurm_fields.h"

// The words that a connection's command line ends with.

namespace pw::ui {

QStringList RunSession::modelArguments() const
{
    QStringList words = {QStringLiteral("--backend"), backend()};
    if (backend() != QLatin1String("emulated"))
        words << QStringLiteral("--size") << m_settings.size;
    return words;
}

QStringList RunSession::runArguments() const
{
    QStringList words = {QStringLiteral("run"),
                         QStringLiteral("-"),
                         QStringLiteral("--attended"),
                         QStringLiteral("--wire"),
                         QStringLiteral("--no-store"),
                         QStringLiteral("--iterations"),
                         QString::number(m_settings.iterations)};
    if (m_settings.warmup != RunSettings::backendsWarmup)
        words << QStringLiteral("--warmup") << QString::number(m_settings.warmup);
    words += modelArguments();
    if (!m_settings.measureFirst && backend() != QLatin1String("emulated"))
        words << QStringLiteral("--as-planned");
    return words;
}

QString RunSession::jobScript() const
{
    const Result<std::optional<SlurmJob>> job = jobOfConnection(m_connections.current().command);
    if (!job || !job->has_value() || m_document == nullptr || m_document->schedule() == nullptr)
        return {};
    SlurmJob sent = **job;
    if (sent.tasks == 0)
        sent.tasks = m_document->schedule()->devices();
    SlurmStep step;
    step.command = {"pipewright"};
    const QStringList words = runArguments();
    for (const QString& word : words) {
        if (word != QLatin1String("--attended"))
            step.command.push_back(word == QLatin1String("-") ? "plan.pipewright.json"
                                                              : word.toStdString());
    }
    step.output = "run.jsonl";
    step.log = "job.log";
    return text(slurmScript(sent, step));
}

} // namespace pw::ui
