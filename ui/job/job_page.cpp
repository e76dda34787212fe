// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/job_page.h"

#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/job/job_words.h"
#include "ui/job/repairs_table.h"
#include "ui/job/stage_bars.h"
#include "ui/job/step_strip.h"
#include "ui/job/worker_choice.h"
#include "ui/job/workers_view.h"
#include "ui/panels/flat_button.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/value_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// The step that counts and whose time is the median.
std::size_t usualStep(const ShownJob& job)
{
    std::vector<std::size_t> counted = job.job().counted();
    const auto timeOf = [&job](std::size_t step) { return job.job().steps[step].time; };
    std::stable_sort(counted.begin(), counted.end(),
                     [&](std::size_t a, std::size_t b) { return timeOf(a) < timeOf(b); });
    return counted[(counted.size() - 1) / 2];
}

} // namespace

JobPage::JobPage(ShownJobPtr job, QString title, QWidget* parent)
    : Page(parent)
    , m_job(std::move(job))
    , m_title(std::move(title))
    , m_source(new JobSource)
    , m_workspace(new TimelineWorkspace(m_source, m_range, this))
    , m_step(new QLabel(this))
    , m_before(flatButton(this, QStringLiteral("‹"), tr("The step before")))
    , m_behind(flatButton(this, QStringLiteral("›"), tr("The next step")))
    , m_strip(new StepStrip(this))
    , m_workers(new WorkersView(m_job, this))
    , m_bars(new StageBars(this))
    , m_repairs(new RepairsTable(*m_job, this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* upper = new QWidget(this);
    auto* over = new Overview(m_range, upper);
    over->setTitle(tr("All ranks"));
    over->setToolTip(tr("All workers by what they are busy with; what is empty waits."));
    connect(m_source, &TimelineSource::lanesChanged, over, [this, over] {
        over->setPainter([this](QPainter& painter, QSize pixels, const TimeScale& scale) {
            m_source->paintOverview(painter, pixels, scale);
        });
    });
    auto* lanes = new QVBoxLayout(upper);
    lanes->setContentsMargins(0, 0, 0, 0);
    lanes->setSpacing(0);
    lanes->addWidget(makeHead());
    lanes->addWidget(over);
    lanes->addWidget(new TimeRuler(m_range, upper));
    lanes->addWidget(m_workspace, 1);
    lanes->addWidget(m_workspace->makeFindBar(upper));
    lanes->addWidget(m_workspace->makePlayback(upper));
    findBar()->setPlaces([this](const QString& typed, bool go) { return findRank(typed, go); },
                         tr("rank 3"));
    m_workspace->timeline().setLeastLaneHeight(10);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(upper);
    parts->addWidget(makeLower());
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 0);
    parts->setSizes({fontMetrics().height() * 34, fontMetrics().height() * 17});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    setFocusProxy(m_workspace);
    connectParts();
    m_openCause = [this](const FoundCause& cause) { openCause(cause); };
    m_at = usualStep(*m_job);
    m_strip->setSteps(m_job->job().steps, m_job->analysis.stepTime);
    load();
}

JobPage::~JobPage()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

QWidget* JobPage::makeHead()
{
    auto* head = new QWidget(this);
    auto* name = new QLabel(jobText(*m_job), head);
    QFont bold = name->font();
    bold.setWeight(QFont::DemiBold);
    name->setFont(bold);
    auto* about = new QLabel(head);
    about->setTextFormat(Qt::PlainText); // files say it
    about->setText(jobOrigin(*m_job));
    about->setForegroundRole(QPalette::PlaceholderText);
    about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(name);
    row->addSpacing(8);
    row->addWidget(about, 1);
    row->addWidget(m_before);
    row->addWidget(m_step);
    row->addWidget(m_behind);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(14, 4, 8, 2);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(m_strip);
    m_strip->setVisible(m_job->job().steps.size() > 1);
    return head;
}

QWidget* JobPage::makeLower()
{
    auto* lower = new QWidget(this);
    auto* row = new QHBoxLayout(lower);
    row->setContentsMargins(14, 6, 8, 6);
    row->setSpacing(16);
    row->addWidget(m_workers, 3);
    row->addWidget(m_bars);
    row->addWidget(m_repairs, 2);
    lower->setMinimumHeight(fontMetrics().height() * 9);
    return lower;
}

void JobPage::connectParts()
{
    const auto stepBy = [this](std::ptrdiff_t by) {
        const auto to = static_cast<std::ptrdiff_t>(m_at) + by;
        if (to >= 0 && to < static_cast<std::ptrdiff_t>(m_job->job().steps.size()))
            showStep(static_cast<std::size_t>(to));
    };
    connect(m_before, &QToolButton::clicked, this, [stepBy] { stepBy(-1); });
    connect(m_behind, &QToolButton::clicked, this, [stepBy] { stepBy(1); });
    connect(m_strip, &StepStrip::chosen, this,
            [this](int step) { showStep(static_cast<std::size_t>(step)); });
    connect(m_strip, &StepStrip::told, this, &Page::told);
    WorkerChoice& choice = m_workers->choice();
    connect(&choice, &WorkerChoice::told, this, &Page::told);
    connect(&choice, &WorkerChoice::chosen, this, &JobPage::showWorker);
    connect(&choice, &WorkerChoice::opened, this, &JobPage::openEverything);
    connect(m_workers, &WorkersView::stepChanged, this,
            [this] { m_bars->setBalance(m_workers->balance()); });
    connect(m_repairs, &RepairsTable::chosen, this, &JobPage::openRepair);
    connect(m_workspace, &TimelineWorkspace::told, this, &Page::told);
    connect(m_workspace, &TimelineWorkspace::selectionChanged, this, &JobPage::takeSelection);
    connect(&m_workspace->timeline(), &TimelineView::activated, this, [this] {
        if (m_worker)
            openEverything(*m_worker);
    });
}

void JobPage::showStep(std::size_t step)
{
    if (step == m_at && shown() != nullptr)
        return;
    m_at = step;
    load();
}

void JobPage::showWorker(const Worker& worker)
{
    m_worker = worker;
    m_workers->choice().setCurrent(worker);
    if (shown() != nullptr && shown()->laneOf(worker) < 0) {
        // As many as there is room for; the oldest goes.
        constexpr std::size_t most = 3;
        m_opened.push_back(worker.replica);
        if (m_opened.size() > most)
            m_opened.erase(m_opened.begin());
        load();
    } else {
        selectLane();
    }
    Q_EMIT selectionChanged();
}

/// The step's lanes are made beside the window's work: a replica may have millions of passes.
void JobPage::load()
{
    const JobStep& step = m_job->job().steps[m_at];
    m_strip->setCurrent(m_at);
    m_before->setEnabled(m_at > 0);
    m_behind->setEnabled(m_at + 1 < m_job->job().steps.size());
    m_step->setText(tr("step %1 · %2 (median %3)")
                        .arg(step.number)
                        .arg(durationText(static_cast<double>(step.time)),
                             durationText(static_cast<double>(m_job->analysis.stepTime))));
    const int wanted = ++m_wanted;
    inBackground(
        this, [this, wanted, job = m_job, at = m_at, opened = m_opened]() -> std::function<void()> {
            const Result<ShownStepPtr> made = shownStep(job, at, opened);
            return [this, wanted, made] {
                if (wanted != m_wanted)
                    return;
                if (made)
                    take(*made);
                else
                    Q_EMIT told(coreSentence(made.error().message));
            };
        });
}

void JobPage::take(const ShownStepPtr& step)
{
    m_selecting = true;
    m_workspace->timeline().select({});
    m_source->setStep(step);
    m_range.setWhole(0, step->window.last - step->window.first);
    m_selecting = false;
    m_workers->setStep(step);
    selectLane();
    Q_EMIT figuresChanged();
    Q_EMIT loaded();
}

/// The first pass of the chosen worker, so that its lane is in view.
void JobPage::selectLane()
{
    if (!m_worker || shown() == nullptr)
        return;
    const int lane = shown()->laneOf(*m_worker);
    const SpanRef current = m_workspace->timeline().current();
    if (lane < 0 || current.lane == lane || !shown()->lanes->holds({lane, 0}))
        return;
    m_selecting = true;
    m_workspace->timeline().select({lane, 0});
    m_workspace->timeline().reveal({lane, 0});
    m_selecting = false;
}

void JobPage::takeSelection()
{
    if (m_selecting || shown() == nullptr)
        return;
    const SpanRef current = m_workspace->timeline().current();
    if (shown()->lanes->holds(current))
        m_workers->offerPass(shown()->lanes->pass(current));
    const std::optional<Worker> worker = shown()->workerOf(current.lane);
    if (!worker || worker == m_worker)
        return;
    m_worker = worker;
    m_workers->choice().setCurrent(worker);
    Q_EMIT selectionChanged();
}

/// What a repair is about: its worker, a worker of its stage, its step.
void JobPage::openRepair(const JobWhatIf& repair)
{
    const bool any = shown() != nullptr && !shown()->replicas.empty();
    if (repair.step >= 0)
        showStep(static_cast<std::size_t>(repair.step));
    else if (repair.device.valid())
        showWorker({repair.replica >= 0 ? repair.replica
                    : any               ? shown()->replicas.front().replica
                                        : 0,
                    repair.device});
}

void JobPage::openCause(const FoundCause& cause)
{
    JobWhatIf place;
    place.replica = cause.replica;
    place.step = cause.step;
    place.device = cause.device.valid() ? cause.device : cause.from;
    if (!place.device.valid() && place.replica >= 0)
        place.device = DeviceId(0);
    openRepair(place);
}

QString JobPage::findRank(const QString& typed, bool go)
{
    static const QRegularExpression form(QStringLiteral("^\\s*(?:rank|%1)\\s*[:#=]?\\s*(\\d+)\\s*$")
                                             .arg(QRegularExpression::escape(tr("rank"))),
                                         QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(typed);
    if (!match.hasMatch())
        return {};
    const std::optional<Worker> worker = m_job->workerOfRank(match.captured(1).toInt());
    if (!worker)
        return tr("no rank %1").arg(match.captured(1));
    if (go)
        showWorker(*worker);
    return tr("rank %1: stage %2 of replica %3")
        .arg(match.captured(1))
        .arg(worker->device.value)
        .arg(worker->replica);
}

void JobPage::openEverything(const Worker& worker)
{
    const SpanRef current = m_workspace->timeline().current();
    Ticks from = shown() != nullptr ? shown()->window.first : 0;
    if (shown() != nullptr && shown()->lanes->holds(current) &&
        shown()->workerOf(current.lane) == worker)
        from += shown()
                    ->lanes->lanes()[static_cast<std::size_t>(current.lane)]
                    .start[static_cast<std::size_t>(current.index)];
    Q_EMIT everythingAsked(worker, from);
}

std::vector<QWidget*> JobPage::beside()
{
    return {m_workers, m_bars, m_repairs, m_strip};
}

QString JobPage::title() const
{
    return tr("Job · %1").arg(m_title);
}

QString JobPage::detail() const
{
    return jobText(*m_job);
}

QString JobPage::figures() const
{
    const JobStep& step = m_job->job().steps[m_at];
    QString said = tr("step %1: %2     parallel efficiency %3")
                       .arg(step.number)
                       .arg(durationText(static_cast<double>(step.time)),
                            percentText(m_job->analysis.efficiency.parallel()));
    if (!m_job->analysis.causes.empty()) {
        const FoundCause& worst = m_job->analysis.causes.front();
        said += tr("     %1 costs %2 a step")
                    .arg(causeWords(worst.cause), durationText(worst.costTicks));
    }
    return said;
}

QString JobPage::whyNoFigure() const
{
    return shown() != nullptr ? QString() : tr("The step is not there yet.");
}

FigureContent JobPage::figure() const
{
    FigureContent content;
    content.title = m_title;
    content.numbers = figures().replace(QStringLiteral("     "), QStringLiteral(" · "));
    content.lanes = shown()->lanes;
    return content;
}

PageDetails JobPage::details() const
{
    return jobDetails(*m_job, m_at, m_worker, m_openCause);
}

} // namespace pw::ui
