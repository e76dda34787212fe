// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/calibration.h"

#include "core/base/try.h"
#include "core/io/project_file.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/run/run_news.h"
#include "ui/text.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace pw::ui {

Calibration::Calibration(QObject* parent)
    : QObject(parent)
{
    connect(&m_command, &CommandOutput::ended, this, &Calibration::finish);
}

void Calibration::start(ScheduleDocument& document, const QStringList& words,
                        const QStringList& arguments)
{
    m_document = &document;
    m_stopAsked = false;
    const QStringList whole =
        words +
        QStringList{QStringLiteral("costs"), QStringLiteral("calibrate"), QStringLiteral("-"),
                    QStringLiteral("--attended"), QStringLiteral("--json")} +
        arguments;
    // A long order takes a while to write.
    inBackground(this, [this, whole, project = document.project()]() -> std::function<void()> {
        const auto written = std::make_shared<const Result<std::string>>(writeProject(project));
        return [this, whole, written] { send(*written, whole); };
    });
}

void Calibration::stop()
{
    m_stopAsked = true;
    m_command.stop();
}

void Calibration::send(const Result<std::string>& project, const QStringList& words)
{
    if (!m_stopAsked && project) {
        m_command.start(words, attendedInput(*project), {0, maxCostsFileBytes});
        return;
    }
    Q_EMIT ended();
    if (m_stopAsked)
        Q_EMIT told(tr("Measuring was stopped; nothing has changed."));
    else
        Q_EMIT refused(coreSentence(project.error().message));
}

void Calibration::finish(const ProcessEnd& end, const QByteArray& output)
{
    Q_EMIT ended();
    if (m_stopAsked) {
        Q_EMIT told(tr("Measuring was stopped; nothing has changed."));
        return;
    }
    if (const Trouble trouble = troubleOf(end)) {
        Q_EMIT refused(inOneLine(trouble));
        Q_EMIT failed(lastLines(end.errors, 20).split(QLatin1Char('\n'), Qt::SkipEmptyParts),
                      inOneLine(trouble));
        return;
    }
    const qsizetype begin = std::max<qsizetype>(0, output.indexOf('{'));
    const Result<CostsFile> file =
        readCosts({output.constData() + begin, static_cast<std::size_t>(output.size() - begin)});
    if (!file) {
        Q_EMIT refused(
            tr("The measured costs cannot be read: %1").arg(coreSentence(file.error().message)));
    } else if (m_document == nullptr) {
        Q_EMIT told(tr("The schedule was closed meanwhile: the measured costs are not used."));
    } else if (const Result<void> done = take(*file); !done) {
        Q_EMIT refused(coreSentence(done.error().message));
    } else {
        Q_EMIT taken();
        Q_EMIT told(tr("The schedule now has the costs measured on %1 of %2. Undo brings the old "
                       "ones back.")
                        .arg(text(file->backend), text(file->host)));
    }
}

/// One step of the history of the schedule.
Result<void> Calibration::take(const CostsFile& file)
{
    Project project = m_document->project();
    PW_TRY(Costs costs, costsOf(file, project.draft.spec));
    // Caps are a matter of the machine that is planned for, not of the one that was measured.
    const Costs before = costsOf(project);
    costs.memoryCap = before.memoryCap;
    costs.shareCap = before.shareCap;
    project.costs = std::move(costs);
    project.origin.reset();
    return m_document->change(std::move(project),
                              tr("Costs measured on %1").arg(text(file.backend)));
}

} // namespace pw::ui
