// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_page.h"

#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "core/trace/waits.h"
#include "ui/charts/loss_chart.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/runs/run_text.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/chart_stack.h"

#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace pw::ui {

namespace {

/// The first six are the simulator's kinds, in the same colours.
QColor memoryColor(MemoryUse use)
{
    switch (use) {
    case MemoryUse::Weights:
        return color(Role::Update);
    case MemoryUse::Versions:
        return color(Role::UpdateTint);
    case MemoryUse::Gradients:
        return color(Role::RecomputeTint);
    case MemoryUse::Optimizer:
        return color(Role::Recompute);
    case MemoryUse::Activations:
        return color(Role::Forward);
    case MemoryUse::HeldForWeight:
        return color(Role::Weight);
    case MemoryUse::Messages:
        return color(Role::BackwardTint);
    case MemoryUse::Workspace:
        return color(Role::Hatch);
    }
    return color(Role::Secondary);
}

/// What a device held over time, a layer a use.
std::vector<StepSeries> memorySeries(const std::vector<MemorySample>& samples)
{
    std::vector<StepSeries> series;
    std::vector<double> below(samples.size(), 0);
    for (int use = 0; use < memoryUseCount; ++use) {
        StepSeries one;
        one.name = text(name(static_cast<MemoryUse>(use)));
        one.color = memoryColor(static_cast<MemoryUse>(use));
        one.filled = true;
        bool any = false;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const Bytes own = samples[i].of(static_cast<MemoryUse>(use));
            any = any || own > 0;
            below[i] += static_cast<double>(own);
            one.times.push_back(samples[i].time);
            one.values.push_back(below[i]);
        }
        if (any)
            series.push_back(std::move(one));
    }
    return series;
}

/// What the plan holds on a device, all uses together.
StepSeries plannedMemory(const RunTimeline& run, int device)
{
    StepSeries series;
    series.color = color(Role::Text);
    const std::vector<MemoryPoint> curve =
        memoryCurve(*run.schedule, run.costs, run.predicted, device);
    for (const MemoryPoint& point : curve) {
        series.times.push_back(point.time);
        series.values.push_back(static_cast<double>(point.total()));
    }
    return series;
}

/// Messages under way from and to a device, a line a pair of devices.
std::vector<StepSeries> linkSeries(const std::vector<RecordedMessage>& messages, int device)
{
    std::map<std::pair<int, int>, std::vector<std::pair<Ticks, int>>> changes;
    for (const RecordedMessage& message : messages) {
        if (message.message < 0 || (message.from != device && message.to != device))
            continue;
        auto& link = changes[{message.from, message.to}];
        link.emplace_back(message.posted, 1);
        link.emplace_back(std::max(message.ended, message.posted), -1);
    }
    std::vector<StepSeries> all;
    static constexpr Role roles[] = {Role::Forward, Role::Backward, Role::Weight, Role::Recompute};
    for (auto& [link, steps] : changes) {
        std::sort(steps.begin(), steps.end());
        StepSeries line;
        line.name = RunPage::tr("%1 → %2").arg(link.first).arg(link.second);
        line.color = color(roles[all.size() % std::size(roles)]);
        int now = 0;
        for (const auto& [time, step] : steps) {
            now += step;
            if (!line.times.empty() && line.times.back() == time) {
                line.values.back() = now;
                continue;
            }
            line.times.push_back(time);
            line.values.push_back(now);
        }
        all.push_back(std::move(line));
    }
    return all;
}

QToolButton* toolButton(QWidget* parent, const QString& label, const QString& tip)
{
    auto* button = new QToolButton(parent);
    button->setText(label);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    const int side = std::max(26, button->fontMetrics().height() + 10);
    button->setMinimumSize(side, side);
    return button;
}

QString iterationName(std::int32_t iteration)
{
    return iteration < 0 ? RunPage::tr("warm-up %1").arg(-iteration)
                         : RunPage::tr("iteration %1").arg(iteration);
}

/// How the times of an iteration are known, in words; empty where all were measured on the device.
QString trustText(const RunTimeline& run)
{
    const std::int64_t all = run.passCount();
    if (run.countOf(Trust::Device) == all)
        return {};
    QStringList kinds;
    for (int i = 0; i < trustCount; ++i) {
        const auto trust = static_cast<Trust>(i);
        const std::int64_t count = run.countOf(trust);
        if (count == 0)
            continue;
        kinds += text(name(trust));
        if (count < all)
            kinds.last() += QStringLiteral(" %1").arg(count);
    }
    return kinds.join(QStringLiteral(", "));
}

} // namespace

RunPage::RunPage(RunHistory& history, RunNumber run, QWidget* parent)
    : Page(parent)
    , m_history(&history)
    , m_store(history.path())
    , m_run(run)
    , m_name(new QLabel(this))
    , m_about(new QLabel(this))
    , m_note(new QLabel(this))
    , m_iterations(new QComboBox(this))
    , m_content(new QStackedWidget(this))
    , m_sentence(new QLabel(this))
    , m_overview(new Overview(m_range, this))
    , m_timeline(new TimelineView(m_range, this))
    , m_charts(new ChartStack(m_range, m_timeline, this))
    , m_losses(new LossChart(this))
{
    m_charts->addWidget(m_losses);
    m_losses->hide();
    auto* board = new QWidget(this);
    auto* parts = new QVBoxLayout(board);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(0);
    parts->addWidget(m_overview);
    parts->addWidget(new TimeRuler(m_range, this));
    parts->addWidget(m_charts, 1);
    m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentence->setMargin(16);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_content->addWidget(m_sentence);
    m_content->addWidget(board);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(14, 0, 14, 4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    layout->addWidget(m_note);
    layout->addWidget(m_content, 1);
    setFocusProxy(m_timeline);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(m_timeline, &TimelineView::selectionChanged, this, &RunPage::showSelection);
    connect(m_timeline, &TimelineView::hovered, this, &RunPage::tell);
    connect(m_timeline, &TimelineView::walkAsked, this, [this](int direction) {
        if (m_shown == nullptr)
            return;
        const SpanRef next =
            linked(*m_shown->lanes, *m_shown->schedule, timeline().current(), direction);
        if (next.valid())
            timeline().select(next);
    });
    connect(m_timeline, &TimelineView::dragBegun, this, [this] {
        timeline().setHint(tr("What was measured stays where it was. Open its schedule from the "
                              "list of runs to change it."),
                           true);
    });
    connect(m_charts, &ChartStack::stale, this, &RunPage::showCharts);
    connect(&history, &RunHistory::changed, this, [this] {
        const StoredRun* now = m_history->path() == m_store ? m_history->run(m_run) : nullptr;
        if (now != nullptr && runTitle(*now) != m_title) {
            m_title = runTitle(*now);
            showHeader();
            Q_EMIT titleChanged();
        }
    });
    if (const StoredRun* known = history.run(run))
        m_title = runTitle(*known);
    else
        m_title = tr("run %1").arg(static_cast<qlonglong>(run));
    load({});
}

QWidget* RunPage::makeHeader()
{
    auto* header = new QWidget(this);
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_about->setForegroundRole(QPalette::PlaceholderText);
    m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_before = toolButton(header, QStringLiteral("‹"), tr("The iteration before"));
    m_behind = toolButton(header, QStringLiteral("›"), tr("The next iteration"));
    m_chain = toolButton(header, tr("Deciding chain"),
                         tr("Underlines the passes that decided when the iteration ended: each "
                            "began after the one before it."));
    m_chain->setCheckable(true);
    m_lossSwitch = toolButton(header, tr("Losses"), tr("Shows the loss over optimizer steps."));
    m_lossSwitch->setCheckable(true);
    m_lossSwitch->setEnabled(false);
    QToolButton* compare =
        toolButton(header, tr("Compare with plan"), tr("Lays the run over its plan."));
    m_iterations->setAccessibleName(tr("Iteration"));
    m_iterations->setToolTip(tr("Iteration of the run that is shown"));
    m_iterations->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_iterations->setMinimumHeight(std::max(26, fontMetrics().height() + 10));
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(14, 4, 8, 4);
    row->setSpacing(4);
    row->addWidget(m_name);
    row->addSpacing(8);
    row->addWidget(m_about, 1);
    row->addWidget(m_before);
    row->addWidget(m_iterations);
    row->addWidget(m_behind);
    row->addSpacing(8);
    row->addWidget(m_chain);
    row->addWidget(m_lossSwitch);
    row->addWidget(compare);
    connect(m_before, &QToolButton::clicked, this, [this] { stepIteration(-1); });
    connect(m_behind, &QToolButton::clicked, this, [this] { stepIteration(1); });
    connect(m_chain, &QToolButton::toggled, this, [this] { showSelection(); });
    connect(m_lossSwitch, &QToolButton::toggled, this,
            [this](bool shown) { m_losses->setVisible(shown); });
    connect(compare, &QToolButton::clicked, this, [this] { Q_EMIT compareAsked(m_run); });
    connect(m_iterations, &QComboBox::activated, this,
            [this](int index) { showIteration(m_iterations->itemData(index).toInt()); });
    return header;
}

void RunPage::load(std::optional<std::int32_t> iteration)
{
    const int wanted = ++m_wanted;
    if (m_shown == nullptr)
        showProblem({});
    if (m_history == nullptr)
        return;
    m_history->readFrom(
        m_store, this,
        [this, wanted, run = m_run, iteration](Result<RunStore>& store) -> RunHistory::Answer {
            Result<RunTimelinePtr> loaded =
                store ? loadTimeline(*store, run, iteration) : fail(store.error());
            return [this, wanted, loaded = std::move(loaded)] {
                if (wanted != m_wanted)
                    return;
                if (loaded)
                    take(*loaded);
                else
                    showProblem(text(loaded.error().message));
            };
        });
}

void RunPage::take(const RunTimelinePtr& timeline)
{
    std::int32_t entry = -1;
    if (m_shown != nullptr && m_shown->lanes->holds(this->timeline().current())) {
        const SpanRef span = this->timeline().current();
        entry = m_shown->lanes->lanes()[static_cast<std::size_t>(span.lane)]
                    .entry[static_cast<std::size_t>(span.index)];
    }
    m_shown = timeline;
    m_records = nullptr;
    m_problem.clear();
    m_title = m_shown->title();
    m_content->setCurrentIndex(1);
    m_timeline->setLanes(m_shown->lanes);
    m_overview->setLanes(m_shown->lanes);
    if (entry >= 0)
        this->timeline().select(spanOf(*m_shown->lanes, *m_shown->schedule, entry));
    showHeader();
    showIterations();
    showSelection();
    Q_EMIT titleChanged();
    Q_EMIT figuresChanged();
    Q_EMIT loaded();
    if (m_history == nullptr)
        return;
    // What the timeline does without comes behind it.
    m_history->readFrom(m_store, this,
                        [this, timeline](Result<RunStore>& store) -> RunHistory::Answer {
                            Result<RunRecordsPtr> more =
                                store ? loadRecords(*store, *timeline) : fail(store.error());
                            return [this, timeline, more = std::move(more)] {
                                if (timeline != m_shown)
                                    return;
                                if (more)
                                    takeRecords(*more);
                                else
                                    Q_EMIT told(text(more.error().message));
                            };
                        });
}

void RunPage::takeRecords(const RunRecordsPtr& records)
{
    m_records = records;
    showCharts();
    showLosses();
    Q_EMIT figuresChanged();
    Q_EMIT loaded();
}

void RunPage::showProblem(const QString& why)
{
    m_problem = why;
    // What was shown before stays.
    if (m_shown != nullptr) {
        Q_EMIT told(why);
        showIterations();
        return;
    }
    QPalette palette = m_sentence->palette();
    palette.setColor(QPalette::WindowText, color(why.isEmpty() ? Role::Secondary : Role::Refusal));
    m_sentence->setPalette(palette);
    m_sentence->setText(why.isEmpty() ? tr("Reading run %1…").arg(static_cast<qlonglong>(m_run))
                                      : tr("The run cannot be shown: %1").arg(why));
    m_content->setCurrentWidget(m_sentence);
    showHeader();
    if (!why.isEmpty())
        Q_EMIT loaded();
}

void RunPage::showHeader()
{
    m_name->setText(m_title);
    for (QWidget* part : std::initializer_list<QWidget*>{m_before, m_behind, m_iterations, m_chain})
        part->setEnabled(m_shown != nullptr);
    if (m_shown == nullptr) {
        m_about->clear();
        m_note->hide();
        return;
    }
    const StoredRun& run = m_shown->details.run;
    const bool imported = run.environment.backend == "import";
    QStringList about = {
        text(imported ? run.origin : run.environment.backend), tr("%1 devices").arg(run.ranks),
        text(name(run.status)),
        whenText(QDateTime::fromMSecsSinceEpoch(run.startedMs), QDateTime::currentDateTime())};
    if (!run.environment.host.empty())
        about.insert(1, text(run.environment.host));
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(m_about->text());
    QStringList notes;
    for (const RunFault& fault : m_shown->details.faults)
        notes += text(fault.text);
    const bool faulty = !notes.isEmpty();
    if (m_shown->unrecorded > 0)
        notes += tr("%1 of %2 passes of this iteration were not recorded.")
                     .arg(m_shown->unrecorded)
                     .arg(m_shown->schedule->entryCount());
    if (const QString trust = trustText(*m_shown); !trust.isEmpty())
        notes += tr("How times are known: %1.").arg(trust);
    if (const std::int64_t guessed = m_shown->countOf(Trust::Guessed); guessed > 0)
        notes += tr("Times that were guessed are hatched: %1 of %2.")
                     .arg(guessed)
                     .arg(m_shown->passCount());
    QPalette palette = m_note->palette();
    palette.setColor(QPalette::WindowText, color(faulty ? Role::Refusal : Role::Secondary));
    m_note->setPalette(palette);
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_note->setVisible(!notes.isEmpty());
}

void RunPage::showIterations()
{
    const QSignalBlocker quiet(m_iterations);
    const std::vector<WholeIteration>& all = m_shown->iterations;
    const std::int32_t median = medianIteration(all).value_or(0);
    if (m_iterations->count() != static_cast<int>(all.size())) {
        m_iterations->clear();
        for (const WholeIteration& one : all)
            m_iterations->addItem(
                iterationName(one.iteration) + QStringLiteral(" · ") +
                    columnTimeText(one.makespan()) +
                    (one.iteration == median && all.size() > 1 ? tr(" (median)") : QString()),
                one.iteration);
    }
    const int index = m_iterations->findData(m_shown->iteration);
    m_iterations->setCurrentIndex(index);
    m_before->setEnabled(index > 0);
    m_behind->setEnabled(index + 1 < m_iterations->count());
}

void RunPage::showIteration(std::int32_t iteration)
{
    if (m_shown == nullptr || iteration != m_shown->iteration)
        load(iteration);
}

void RunPage::stepIteration(int direction)
{
    const int index = m_iterations->currentIndex() + direction;
    if (m_shown == nullptr || index < 0 || index >= m_iterations->count())
        return;
    m_iterations->setCurrentIndex(index);
    showIteration(m_iterations->itemData(index).toInt());
}

void RunPage::setChainShown(bool shown)
{
    m_chain->setChecked(shown);
}

void RunPage::showSelection()
{
    if (m_shown == nullptr)
        return;
    Overlay overlay = timeline().overlay();
    overlay.arrows = messageArrows(*m_shown->lanes, *m_shown->schedule, timeline().current());
    overlay.critical.clear();
    if (m_chain->isChecked())
        for (const ChainLink& link : decidingChain(*m_shown->schedule, m_shown->measured))
            overlay.critical.push_back(spanOf(*m_shown->lanes, *m_shown->schedule, link.entry));
    timeline().setOverlay(std::move(overlay));
    showCharts();
    Q_EMIT selectionChanged();
}

void RunPage::showCharts()
{
    if (m_shown == nullptr)
        return;
    m_charts->show({m_shown->order, m_shown->orderTimes, m_shown->costs, m_shown->schedule.get()});
    m_charts->bubble().setTrial(bubbleRows(m_shown->predicted));
    // Where there are samples and messages they stand in the place of what would follow from the
    // order.
    const int device = m_timeline->current().valid() ? m_timeline->current().lane
                                                     : fullestDevice(m_shown->predicted);
    if (m_charts->shown(Chart::Memory))
        showMemory(device);
    if (m_charts->shown(Chart::Links))
        showLinks(device);
}

void RunPage::showMemory(int device)
{
    StepChart& chart = m_charts->memory();
    const auto at = static_cast<std::size_t>(device);
    chart.setUnit(StepChart::Unit::Bytes);
    chart.setTrial({});
    if (m_records == nullptr) {
        chart.setSubtitle(tr("reading…"));
        chart.setSeries({});
        return;
    }
    std::vector<StepSeries> series = memorySeries(m_records->memory[at]);
    StepSeries planned = plannedMemory(*m_shown, device);
    const bool isPlanned = std::any_of(planned.values.begin(), planned.values.end(),
                                       [](double bytes) { return bytes > 0; });
    chart.setSubtitle(series.empty() ? tr("device %1: no samples").arg(device)
                      : isPlanned    ? tr("device %1; dashed: plan").arg(device)
                                     : tr("device %1, by use").arg(device));
    if (isPlanned)
        chart.setTrial({std::move(planned)});
    chart.setSeries(std::move(series));
}

void RunPage::showLinks(int device)
{
    StepChart& chart = m_charts->links();
    std::vector<StepSeries> series;
    if (m_records != nullptr)
        series = linkSeries(m_records->messages, device);
    chart.setSubtitle(m_records == nullptr ? tr("reading…")
                      : series.empty()     ? tr("device %1: no message was recorded").arg(device)
                                           : tr("messages on the way, device %1").arg(device));
    chart.setSeries(std::move(series));
}

void RunPage::showLosses()
{
    const std::vector<WholeIteration>& all = m_shown->iterations;
    const auto warmup = std::count_if(all.begin(), all.end(),
                                      [](const WholeIteration& one) { return one.iteration < 0; });
    m_losses->setLosses(m_records->losses,
                        static_cast<int>(warmup) * m_shown->schedule->spec().steps);
    const bool any = !m_records->losses.empty();
    m_lossSwitch->setEnabled(any);
    m_lossSwitch->setToolTip(any ? tr("Shows the loss over optimizer steps.")
                                 : tr("The run has no loss: nothing was trained."));
    if (!any)
        m_lossSwitch->setChecked(false);
}

void RunPage::tell(SpanRef span, int lane, double time)
{
    if (lane < 0 || m_shown == nullptr) {
        Q_EMIT told({});
        return;
    }
    const Schedule& schedule = *m_shown->schedule;
    const Lane& spans = m_shown->lanes->lanes()[static_cast<std::size_t>(lane)];
    const auto duration = [](Ticks ticks) { return durationText(static_cast<double>(ticks)); };
    if (span.valid()) {
        const auto index = static_cast<std::size_t>(span.index);
        const auto entry = static_cast<std::size_t>(spans.entry[index]);
        const Ticks took = spans.end[index] - spans.start[index];
        const Ticks planned = m_shown->predicted.end[entry] - m_shown->predicted.start[entry];
        const Trust trust = m_shown->trust[entry];
        Q_EMIT told(tr("%1, %2 – %3: took %4, planned %5; ends %6 against the plan")
                        .arg(text(describe(m_shown->lanes->pass(span), schedule.spec())),
                             duration(spans.start[index]), duration(spans.end[index]),
                             duration(took), duration(planned),
                             shiftText(spans.end[index] - m_shown->predicted.end[entry])) +
                    (trust > Trust::Host ? tr("; time: %1").arg(text(name(trust))) : QString()));
        return;
    }
    const auto at = static_cast<Ticks>(time);
    if (at < 0 || at >= m_shown->measured.makespan) {
        Q_EMIT told({});
        return;
    }
    const std::size_t next = spans.firstEndingAfter(at);
    const RecordedArrivals none;
    const Gap gap =
        measuredGap(schedule, m_shown->measured, m_records != nullptr ? m_records->arrivals : none,
                    lane, next < spans.size() ? spans.entry[next] : -1);
    Q_EMIT told(tr("device %1 idles for %2: %3")
                    .arg(lane)
                    .arg(duration(gap.end - gap.start), text(gap.text)));
}

QString RunPage::title() const
{
    return m_title;
}

QString RunPage::detail() const
{
    return QDir::toNativeSeparators(m_store);
}

QString RunPage::figures() const
{
    if (m_shown == nullptr)
        return {};
    const SimResult& measured = m_shown->measured;
    const SimResult& predicted = m_shown->predicted;
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2)").arg(durationText(static_cast<double>(one.idle)),
                                             percentText(one.rate()));
    };
    Bytes peak = 0;
    if (m_records != nullptr)
        for (const std::vector<MemorySample>& samples : m_records->memory)
            for (const MemorySample& sample : samples)
                peak = std::max(peak, sample.activation());
    return tr("%1: makespan %2 (planned %3, %4)     span bubble %5     wall bubble %6")
               .arg(iterationName(m_shown->iteration),
                    durationText(static_cast<double>(measured.makespan)),
                    durationText(static_cast<double>(predicted.makespan)),
                    offText(measured.makespan, predicted.makespan), bubble(spanBubble(measured)),
                    bubble(wallBubble(measured))) +
           (peak > 0 ? tr("     peak activation %1").arg(bytesText(static_cast<double>(peak)))
                     : QString());
}

RunPage::~RunPage()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

} // namespace pw::ui
