// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/slurm_fields.h"

#include "core/base/try.h"
#include "ui/core_sentences.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

QString slurmQuoted(const QString& word)
{
    QString inner = word;
    inner.replace(QLatin1Char('"'), QStringLiteral("\"\"\""));
    return word.contains(QLatin1Char(' ')) || word.contains(QLatin1Char('"'))
               ? QStringLiteral("\"%1\"").arg(inner)
               : word;
}

std::vector<std::string> slurmWords(const QString& command)
{
    std::vector<std::string> all;
    const Result<QStringList> words = commandWords(command);
    if (!words)
        return all;
    for (const QString& word : *words)
        all.push_back(word.toStdString());
    return all;
}

/// The text of a field, as the option takes it.
QString fieldText(const SlurmJob& job, const QString& option)
{
    const auto number = [](int value) { return value > 0 ? QString::number(value) : QString(); };
    if (option == QLatin1String("partition"))
        return text(job.partition);
    if (option == QLatin1String("time"))
        return text(job.time);
    if (option == QLatin1String("account"))
        return text(job.account);
    if (option == QLatin1String("nodes"))
        return number(job.nodes);
    if (option == QLatin1String("tasks"))
        return number(job.tasks);
    return number(job.gpusPerTask);
}

} // namespace

Result<std::optional<SlurmJob>> jobOfConnection(const QString& command)
{
    const std::vector<std::string> words = slurmWords(command);
    if (std::find(words.begin(), words.end(), "submit") == words.end())
        return std::nullopt;
    PW_TRY(SlurmJob job, slurmJobOf(words));
    return std::optional(std::move(job));
}

Connection slurmConnection(const Connection& local)
{
    return {QStringLiteral("Slurm"), local.command + QStringLiteral(" submit --")};
}

SlurmFields::SlurmFields(QWidget* parent)
    : QWidget(parent)
{
    auto* grid = new QGridLayout;
    const std::pair<const char*, std::pair<QString, QString>> fields[] = {
        {"partition", {tr("Part&ition"), tr("the cluster's")}},
        {"nodes", {tr("No&des"), tr("as needed")}},
        {"tasks", {tr("Tas&ks"), tr("one a device")}},
        {"gpus-per-task", {tr("&GPUs a task"), QStringLiteral("0")}},
        {"time", {tr("Ti&me"), tr("the partition's")}},
        {"account", {tr("Acc&ount"), tr("yours")}}};
    constexpr int columns = 2;
    int place = 0;
    for (const auto& [option, words] : fields) {
        auto* field = new QLineEdit(this);
        field->setObjectName(QLatin1String(option));
        field->setPlaceholderText(words.second);
        auto* label = new QLabel(words.first, this);
        label->setBuddy(field);
        grid->addWidget(label, place / columns, 2 * (place % columns));
        grid->addWidget(field, place / columns, 2 * (place % columns) + 1);
        m_fields[QLatin1String(option)] = field;
        connect(field, &QLineEdit::textEdited, this, &SlurmFields::take);
        ++place;
    }
    m_fields[QStringLiteral("time")]->setToolTip(
        tr("Minutes, hours:minutes:seconds or days-hours: 30, 2:00:00, 1-12"));
    m_refusal = new QLabel(this);
    m_refusal->setObjectName(QStringLiteral("jobRefusal"));
    m_refusal->setWordWrap(true);
    setInk(m_refusal, Role::Refusal);
    m_script = new QPlainTextEdit(this);
    m_script->setObjectName(QStringLiteral("script"));
    m_script->setAccessibleName(tr("The batch script"));
    m_script->setReadOnly(true);
    m_script->setFrameShape(QFrame::NoFrame);
    m_script->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_script->setLineWrapMode(QPlainTextEdit::NoWrap);
    constexpr int lines = 9;
    m_script->setMinimumHeight(fontMetrics().height() * lines);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(grid);
    layout->addWidget(m_refusal);
    layout->addWidget(m_script);
    setVisible(false);
}

bool SlurmFields::showJob(const QString& command)
{
    const Result<std::optional<SlurmJob>> job = jobOfConnection(command);
    const bool sends = !job || job->has_value();
    setVisible(sends);
    m_refusal->setVisible(!job);
    m_command = command;
    if (!sends)
        return false;
    if (!job) {
        m_refusal->setText(coreSentence(job.error().message));
        m_script->clear();
        return true;
    }
    m_filling = true;
    for (const auto& [option, field] : m_fields) {
        if (const QString value = fieldText(**job, option); field->text() != value)
            field->setText(value);
    }
    m_filling = false;
    showScript(**job);
    return true;
}

void SlurmFields::showScript(const SlurmJob& job)
{
    SlurmJob shown = job;
    SlurmStep step;
    step.command = {"pipewright", "run", "…"};
    step.output = "run.jsonl";
    step.log = "job.log";
    QString script;
    if (shown.tasks == 0) {
        shown.tasks = 2;
        script = text(slurmScript(shown, step));
        script.replace(QLatin1String("--ntasks=2"), tr("--ntasks=(the schedule's devices)"));
    } else {
        script = text(slurmScript(shown, step));
    }
    m_script->setPlainText(script);
}

/// The command line with the options of the fields: what stands before "submit", and the options
/// that have no field, stay.
void SlurmFields::take()
{
    if (m_filling)
        return;
    SlurmJob job;
    if (const Result<std::optional<SlurmJob>> before = jobOfConnection(m_command);
        before && before->has_value())
        job = **before;
    for (const auto& [option, field] : m_fields) {
        QString value = field->text().trimmed();
        const bool counts = option == QLatin1String("nodes") || option == QLatin1String("tasks") ||
                            option == QLatin1String("gpus-per-task");
        if (counts && value.isEmpty())
            value = QStringLiteral("0");
        const Result<void> set = setSlurmOption(job, option.toStdString(), value.toStdString());
        if (!set) {
            m_refusal->setText(coreSentence(set.error().message));
            m_refusal->show();
            return;
        }
    }
    m_refusal->hide();
    showScript(job);
    const QStringList words = QProcess::splitCommand(m_command);
    const qsizetype options = words.indexOf(QStringLiteral("submit")) + 1;
    QStringList made = words.mid(0, options);
    for (const std::string& word : slurmOptions(job))
        made << text(word);
    for (qsizetype i = options; i + 1 < words.size(); ++i) {
        if (words[i] == QLatin1String("--folder") || words[i] == QLatin1String("--program"))
            made << words[i] << words[i + 1];
    }
    made << QStringLiteral("--");
    for (QString& word : made)
        word = slurmQuoted(word);
    m_command = made.join(QLatin1Char(' '));
    Q_EMIT edited(m_command);
}

} // namespace pw::ui
