// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_session.h"

#include "core/io/costs_file.h"
#include "core/sim/memory.h"
#include "ui/core_sentences.h"
#include "ui/plural.h"
#include "ui/runs/store_setting.h"

#include <QSettings>
#include <QThread>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr const char* backendKey = "run/backend";
constexpr const char* sizeKey = "run/size";
constexpr const char* iterationsKey = "run/iterations";
constexpr const char* warmupKey = "run/warmup";
constexpr const char* measureKey = "run/measureFirst";
constexpr int mostEmulated = 1024;

RunSettings keptSettings()
{
    const QSettings kept;
    RunSettings settings;
    settings.backend = kept.value(QLatin1String(backendKey), settings.backend).toString();
    settings.size = kept.value(QLatin1String(sizeKey), settings.size).toString();
    settings.iterations = std::clamp(
        kept.value(QLatin1String(iterationsKey), settings.iterations).toInt(), 1, 1'000'000);
    settings.warmup = std::clamp(kept.value(QLatin1String(warmupKey), settings.warmup).toInt(),
                                 RunSettings::backendsWarmup, 1'000'000);
    settings.measureFirst = kept.value(QLatin1String(measureKey), settings.measureFirst).toBool();
    return settings;
}

} // namespace

QString pickBackend(const Findings& findings, int devices)
{
    const FoundBackend* cuda = findings.backend(QStringLiteral("cuda"));
    if (cuda != nullptr && cuda->available && !cuda->devices.empty())
        return cuda->name;
    const FoundBackend* cpu = findings.backend(QStringLiteral("cpu"));
    if (cpu != nullptr && cpu->available && static_cast<int>(cpu->devices.size()) >= devices)
        return cpu->name;
    return QStringLiteral("emulated");
}

RunSession::RunSession(Connections& connections, const ExecutorLimits& limits, QObject* parent)
    : QObject(parent)
    , m_connections(connections)
    , m_client(limits)
    , m_settings(keptSettings())
{
    connect(&m_test, &ConnectionTest::ended, this, &RunSession::takeReport);
    connect(&m_calibration, &CommandOutput::ended, this, &RunSession::takeCosts);
    connect(&m_client, &ExecutorClient::changed, this, &RunSession::progressed);
    connect(&m_client, &ExecutorClient::ended, this, &RunSession::endRun);
    connect(&m_connections, &Connections::currentChanged, this, &RunSession::followConnection);
}

RunSession::~RunSession()
{
    if (m_writing != nullptr)
        m_writing->wait();
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
    QSettings kept;
    kept.setValue(QLatin1String(backendKey), settings.backend);
    kept.setValue(QLatin1String(sizeKey), settings.size);
    kept.setValue(QLatin1String(iterationsKey), settings.iterations);
    kept.setValue(QLatin1String(warmupKey), settings.warmup);
    kept.setValue(QLatin1String(measureKey), settings.measureFirst);
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
    if (m_document == nullptr)
        return tr("No schedule is open: choose a family in the palette, or open a project.");
    if (m_document->schedule() == nullptr) {
        if (!m_document->times().ring.empty())
            return tr("%1 Undo the move that closed the ring, or move one of its passes.")
                .arg(m_document->problem());
        if (!m_document->problem().isEmpty())
            return tr("%1 A run needs the whole schedule: finish the rest, or undo.")
                .arg(m_document->problem());
        return tr("The schedule is empty: drag a family or a block into the timeline.");
    }
    return {};
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
    std::vector<RunCheck> found;
    if (const QString why = whyNotRun(); !why.isEmpty()) {
        found.push_back({true, why});
        return found;
    }
    const Schedule& schedule = *m_document->schedule();
    const int devices = schedule.devices();
    if (const auto over = firstOverflow(schedule, m_document->costs(), m_document->result()))
        found.push_back(
            {false, tr("%1. Raise the cap, or choose a schedule that keeps less; the run goes on "
                       "without a cap.")
                        .arg(coreSentence(over->text(schedule.spec())))});
    const ConnectionReport* known = report();
    if (known == nullptr)
        return found;
    if (!known->good()) {
        found.push_back({true, inOneLine(known->trouble)});
        return found;
    }
    const QString asked = backend();
    const FoundBackend* one = known->findings.backend(asked);
    if (one == nullptr || !one->available) {
        found.push_back(
            {true, tr("%1 is not available there: %2. Choose another backend.")
                       .arg(asked, one == nullptr ? tr("it is not known") : one->missing)});
        return found;
    }
    const auto there = static_cast<int>(one->devices.size());
    const QString wanted = plural(devices, Noun::Device);
    if (asked == QLatin1String("emulated")) {
        if (devices > mostEmulated)
            found.push_back({true, tr("%1 are too many to be emulated; the most is %2.")
                                       .arg(wanted)
                                       .arg(mostEmulated)});
        return found;
    }
    if (there > 0 && there < devices)
        found.push_back(
            {false, asked == QLatin1String("cuda")
                        ? tr("%1 share %2: each gets a part of its processors.")
                              .arg(wanted, plural(there, Noun::Gpu))
                        : tr("%1 share %2 and take turns: times are not those of devices of their "
                             "own. The emulated backend keeps to the modelled times.")
                              .arg(wanted, plural(there, Noun::Core))});
    if (asked == QLatin1String("cpu") && m_settings.size != QLatin1String("tiny") &&
        m_settings.size != QLatin1String("small"))
        found.push_back({false, tr("The model %1 is meant for GPUs: on a CPU an iteration takes "
                                   "minutes. tiny and small take seconds.")
                                    .arg(m_settings.size)});
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
    if (next == Next::Run)
        send();
    else
        sendCalibration();
}

void RunSession::send()
{
    const Result<QStringList> words = commandWords(m_connections.current().command);
    if (!words) {
        Q_EMIT refused(coreSentence(words.error().message));
        return;
    }
    auto project = std::make_shared<Project>(m_document->project());
    if (project->title.empty())
        project->title = m_document->title().toStdString();
    if (report() != nullptr && report()->findings.ordersOnly && m_document->schedule() != nullptr) {
        project->family.reset();
        project->draft = draftOf(*m_document->schedule());
    }
    RunRequest request;
    request.words = *words;
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

void RunSession::sendCalibration()
{
    m_runDocument = m_document;
    m_stopAsked = false;
    setActivity(Activity::Calibrating);
    // A long order takes a while to write.
    auto written = std::make_shared<Result<std::string>>();
    m_writing = QThread::create(
        [project = m_document->project(), written] { *written = writeProject(project); });
    connect(m_writing, &QThread::finished, this, [this, written] {
        m_writing->deleteLater();
        m_writing = nullptr;
        const Result<QStringList> words = commandWords(m_connections.current().command);
        if (!*written || !words || m_stopAsked) {
            setActivity(Activity::Idle);
            if (!std::exchange(m_stopAsked, false))
                Q_EMIT refused(
                    coreSentence(!*written ? written->error().message : words.error().message));
            return;
        }
        m_calibration.start(*words +
                                QStringList{QStringLiteral("costs"), QStringLiteral("calibrate"),
                                            QStringLiteral("-"), QStringLiteral("--attended"),
                                            QStringLiteral("--json")} +
                                modelArguments(),
                            attendedInput(**written), {0, maxCostsFileBytes});
    });
    m_writing->start();
}

void RunSession::takeCosts(const ProcessEnd& end, const QByteArray& output)
{
    setActivity(Activity::Idle);
    if (std::exchange(m_stopAsked, false)) {
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
        return;
    }
    if (m_runDocument == nullptr) {
        Q_EMIT told(tr("The schedule was closed meanwhile: the measured costs are not used."));
        return;
    }
    Project project = m_runDocument->project();
    Result<Costs> costs = costsOf(*file, project.draft.spec);
    if (!costs) {
        Q_EMIT refused(coreSentence(costs.error().message));
        return;
    }
    // Caps are a matter of the machine that is planned for, not of the one that was measured.
    const Costs before = costsOf(project);
    costs->memoryCap = before.memoryCap;
    costs->shareCap = before.shareCap;
    project.costs = std::move(*costs);
    project.origin.reset();
    const Result<void> done = m_runDocument->change(
        std::move(project), tr("Costs measured on %1").arg(text(file->backend)));
    if (!done) {
        Q_EMIT refused(coreSentence(done.error().message));
        return;
    }
    RunSettings settings = m_settings;
    settings.measureFirst = false;
    setSettings(settings);
    Q_EMIT told(tr("The schedule now has the costs measured on %1 of %2. Undo brings the old ones "
                   "back.")
                    .arg(text(file->backend), text(file->host)));
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
        m_stopAsked = true;
        m_calibration.stop();
        break;
    }
}

} // namespace pw::ui
