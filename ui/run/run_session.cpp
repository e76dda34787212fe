// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_session.h"

#include "ui/core_sentences.h"
#include "ui/runs/store_setting.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

RunSession::RunSession(Connections& connections, const ExecutorLimits& limits, QObject* parent)
    : QObject(parent)
    , m_connections(connections)
    , m_client(limits)
    , m_settings(keptRunSettings())
{
    connect(&m_test, &ConnectionTest::ended, this, &RunSession::takeReport);
    connect(&m_calibration, &Calibration::ended, this, [this] { setActivity(Activity::Idle); });
    connect(&m_calibration, &Calibration::told, this, &RunSession::told);
    connect(&m_calibration, &Calibration::refused, this, &RunSession::refused);
    connect(&m_calibration, &Calibration::failed, this, &RunSession::failed);
    // What was measured is not measured again.
    connect(&m_calibration, &Calibration::taken, this, [this] {
        RunSettings settings = m_settings;
        settings.measureFirst = false;
        setSettings(settings);
    });
    connect(&m_client, &ExecutorClient::changed, this, &RunSession::progressed);
    connect(&m_client, &ExecutorClient::ended, this, &RunSession::endRun);
    connect(&m_connections, &Connections::currentChanged, this, &RunSession::followConnection);
}

void RunSession::setDocument(ScheduleDocument* document)
{
    if (document == m_document)
        return;
    disconnect(m_listening);
    m_document = document;
    if (document != nullptr)
        m_listening =
            connect(document, &ScheduleDocument::resultChanged, this, &RunSession::changed);
    Q_EMIT changed();
}

void RunSession::setSettings(const RunSettings& settings)
{
    if (settings == m_settings)
        return;
    m_settings = settings;
    keepRunSettings(settings);
    Q_EMIT changed();
}

const ConnectionReport* RunSession::report() const
{
    const auto found = m_reports.find(m_connections.current().command);
    return found == m_reports.end() ? nullptr : &found->second;
}

void RunSession::setReport(const Connection& connection, const ConnectionReport& report)
{
    m_reports[connection.command] = report;
    Q_EMIT changed();
}

void RunSession::setActivity(Activity activity)
{
    m_activity = activity;
    Q_EMIT changed();
}

void RunSession::ask()
{
    if (m_activity != Activity::Idle)
        return;
    m_next = Next::Nothing;
    setActivity(Activity::Asking);
    m_test.start(m_connections.current());
}

/// Another connection is chosen: what the one before has is of no use any more, however long it
/// takes to say it.
void RunSession::followConnection()
{
    if (m_activity == Activity::Asking && m_test.connection() != m_connections.current()) {
        m_test.drop();
        m_next = Next::Nothing;
        m_stopAsked = false;
        m_activity = Activity::Idle;
    }
    if (report() == nullptr && m_activity == Activity::Idle)
        ask();
    Q_EMIT changed();
}

/// What was asked for waits for an answer: one must not think that it was not heard.
void RunSession::sayAsking()
{
    Q_EMIT told(tr("Asking %1 what it can run…").arg(m_connections.current().name));
}

void RunSession::takeReport(const ConnectionReport& report)
{
    if (std::exchange(m_stopAsked, false)) {
        setActivity(Activity::Idle);
        return;
    }
    m_reports[m_test.connection().command] = report;
    const Next next = std::exchange(m_next, Next::Nothing);
    if (report.trouble && next != Next::Nothing)
        Q_EMIT failed(report.output.split(QLatin1Char('\n'), Qt::SkipEmptyParts),
                      inOneLine(report.trouble));
    setActivity(Activity::Idle);
    if (next != Next::Nothing)
        begin(next, true);
}

QString RunSession::backend() const
{
    if (m_settings.backend != QLatin1String("auto"))
        return m_settings.backend;
    const ConnectionReport* known = report();
    if (known == nullptr || !known->good() || m_document == nullptr)
        return {};
    return pickBackend(known->findings, m_document->draft().spec.devices);
}

QString RunSession::whyNotRun() const
{
    if (m_activity == Activity::Running)
        return tr("A run is under way: stop it first.");
    if (m_activity == Activity::Calibrating)
        return tr("Passes are being measured: wait, or stop it first.");
    return whyNoSchedule(m_document);
}

QString RunSession::whyNotCalibrate() const
{
    if (const QString why = whyNotRun(); !why.isEmpty())
        return why;
    return backend() == QLatin1String("emulated")
               ? tr("The emulated backend takes the costs of the schedule: there is nothing to "
                    "measure. Choose cpu or cuda.")
               : QString();
}

std::vector<RunCheck> RunSession::checks() const
{
    if (const QString why = whyNotRun(); !why.isEmpty())
        return {{true, why}};
    std::vector<RunCheck> found = checksOfMemory(*m_document);
    if (const ConnectionReport* known = report()) {
        const std::vector<RunCheck> there =
            checksOfExecutor(*known, backend(), m_document->schedule()->devices(), m_settings.size);
        found.insert(found.end(), there.begin(), there.end());
    }
    return found;
}

void RunSession::run()
{
    begin(Next::Run);
}

void RunSession::calibrate()
{
    begin(Next::Calibrate);
}

void RunSession::begin(Next next, bool justAsked)
{
    if (m_activity == Activity::Asking) {
        m_next = next;
        sayAsking();
        return;
    }
    if (const QString why = next == Next::Run ? whyNotRun() : whyNotCalibrate(); !why.isEmpty()) {
        Q_EMIT refused(why);
        return;
    }
    // What failed may have been mended since.
    if (!justAsked && (report() == nullptr || !report()->good())) {
        m_reports.erase(m_connections.current().command);
        setActivity(Activity::Asking);
        m_next = next;
        m_test.start(m_connections.current());
        sayAsking();
        return;
    }
    const std::vector<RunCheck> all = checks();
    const auto refusal =
        std::find_if(all.begin(), all.end(), [](const RunCheck& check) { return check.blocks; });
    if (refusal != all.end()) {
        Q_EMIT refused(refusal->text);
        return;
    }
    const Result<QStringList> words = commandWords(m_connections.current().command);
    if (!words) {
        Q_EMIT refused(coreSentence(words.error().message));
    } else if (next == Next::Run) {
        send(*words);
    } else {
        m_runDocument = m_document;
        setActivity(Activity::Calibrating);
        m_calibration.start(*m_document, *words, modelArguments());
    }
}

void RunSession::send(const QStringList& words)
{
    auto project = std::make_shared<Project>(m_document->project());
    if (project->title.empty())
        project->title = m_document->title().toStdString();
    if (report() != nullptr && report()->findings.ordersOnly && m_document->schedule() != nullptr) {
        project->family.reset();
        project->draft = draftOf(*m_document->schedule());
    }
    RunRequest request;
    request.words = words;
    request.arguments = runArguments();
    request.project = std::move(project);
    request.storePath = storeFile();
    m_runDocument = m_document;
    m_runConnection = m_connections.current().name;
    m_activity = Activity::Running;
    m_client.start(request);
    Q_EMIT changed();
    Q_EMIT runBegan();
}

void RunSession::endRun()
{
    setActivity(Activity::Idle);
    if (m_client.stored() > 0)
        Q_EMIT runStored(m_client.stored());
    const QString title = m_client.outline() ? m_client.outline()->title : tr("The run");
    switch (m_client.state()) {
    case RunState::Finished:
        Q_EMIT told(tr("%1 has run: it is run %2 of the store.").arg(title).arg(m_client.stored()));
        break;
    case RunState::Stopped:
        Q_EMIT told(tr("%1 was stopped.").arg(title));
        break;
    default:
        Q_EMIT refused(inOneLine(m_client.trouble()));
        Q_EMIT failed({}, {});
        break;
    }
}

void RunSession::stop()
{
    switch (m_activity) {
    case Activity::Idle:
        break;
    case Activity::Asking:
        m_next = Next::Nothing;
        m_stopAsked = true;
        m_test.cancel();
        break;
    case Activity::Running:
        m_client.stop();
        break;
    case Activity::Calibrating:
        m_calibration.stop();
        break;
    }
}

} // namespace pw::ui
