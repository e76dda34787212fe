// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_page.h"

#include "core/sim/metrics.h"
#include "core/trace/waits.h"
#include "ui/charts/loss_chart.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/runs/run_account_view.h"
#include "ui/timeline/hover_card.h"
#include "ui/timeline/kind_legend.h"
#include "ui/timeline/link_walk.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/value_text.h"
#include "ui/window/chart_stack.h"
#include "ui/window/run_curves.h"
#include "ui/window/run_details.h"
#include "ui/window/run_header.h"

#include <QDir>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

RunPage::RunPage(RunHistory& history, RunNumber run, QWidget* parent)
    : Page(parent)
    , m_history(&history)
    , m_store(history.path())
    , m_run(run)
    , m_header(new RunHeader(this))
    , m_content(new QStackedWidget(this))
    , m_sentence(new QLabel(this))
    , m_overview(new Overview(m_range, this))
    , m_timeline(new TimelineView(m_range, this))
    , m_charts(new ChartStack(m_range, m_timeline, this))
    , m_card(new HoverCard(*m_timeline))
    , m_losses(new LossChart(this))
    , m_account(new RunAccountView(this))
{
    m_charts->addWidget(m_account);
    m_charts->addWidget(m_losses);
    m_account->setVisible(m_header->accountShown());
    m_losses->hide();
    auto* board = new QWidget(this);
    auto* parts = new QVBoxLayout(board);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(0);
    parts->addWidget(m_overview);
    parts->addWidget(new TimeRuler(m_range, this));
    parts->addWidget(m_charts, 1);
    parts->addWidget(new KindLegend(*m_timeline, this));
    m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentence->setMargin(16);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_content->addWidget(m_sentence);
    m_content->addWidget(board);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_content, 1);
    setFocusProxy(m_timeline);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(m_header, &RunHeader::iterationAsked, this, &RunPage::showIteration);
    connect(m_header, &RunHeader::chainToggled, this, &RunPage::showSelection);
    connect(m_header, &RunHeader::accountToggled, m_account, &QWidget::setVisible);
    connect(m_header, &RunHeader::lossesToggled, m_losses, &QWidget::setVisible);
    connect(m_header, &RunHeader::compareAsked, this, [this] { Q_EMIT compareAsked(m_run); });
    connect(m_timeline, &TimelineView::selectionChanged, this, &RunPage::showSelection);
    connect(m_timeline, &TimelineView::hovered, this, &RunPage::tell);
    new LinkWalk(*m_timeline,
                 [this] { return m_shown != nullptr ? m_shown->schedule.get() : nullptr; });
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
    m_account->setRun(nullptr, m_store, timeline, nullptr);
    m_problem.clear();
    m_title = m_shown->title();
    m_content->setCurrentIndex(1);
    m_timeline->setLanes(m_shown->lanes);
    m_overview->setLanes(m_shown->lanes);
    if (entry >= 0)
        this->timeline().select(spanOf(*m_shown->lanes, *m_shown->schedule, entry));
    showHeader();
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
    m_account->setRun(m_history, m_store, m_shown, records);
    showSelection();
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
        showHeader();
        return;
    }
    setInk(m_sentence, why.isEmpty() ? Role::Secondary : Role::Refusal);
    m_sentence->setText(why.isEmpty() ? tr("Reading run %1…").arg(static_cast<qlonglong>(m_run))
                                      : tr("The run cannot be shown: %1").arg(why));
    m_content->setCurrentWidget(m_sentence);
    showHeader();
    if (!why.isEmpty())
        Q_EMIT loaded();
}

void RunPage::showHeader()
{
    m_header->setTitle(m_title);
    m_header->setRun(m_shown);
}

void RunPage::showIteration(std::int32_t iteration)
{
    if (m_shown == nullptr || iteration != m_shown->iteration)
        load(iteration);
}

void RunPage::stepIteration(int direction)
{
    if (m_shown != nullptr)
        m_header->stepIteration(direction);
}

void RunPage::setChainShown(bool shown)
{
    m_header->setChainShown(shown);
}

void RunPage::showSelection()
{
    if (m_shown == nullptr)
        return;
    Overlay overlay = timeline().overlay();
    overlay.arrows = messageArrows(*m_shown->lanes, *m_shown->schedule, timeline().current());
    overlay.critical.clear();
    if (m_header->chainShown())
        for (const ChainLink& link :
             decidingChain(*m_shown->schedule, m_shown->measured, arrivals()))
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
        showRunMemory(m_charts->memory(), *m_shown, m_records, device);
    if (m_charts->shown(Chart::Links))
        showRunLinks(m_charts->links(), m_records, device);
}

void RunPage::showLosses()
{
    const std::vector<WholeIteration>& all = m_shown->iterations;
    const auto warmup = std::count_if(all.begin(), all.end(),
                                      [](const WholeIteration& one) { return one.iteration < 0; });
    m_losses->setLosses(m_records->losses,
                        static_cast<int>(warmup) * m_shown->schedule->spec().steps);
    m_header->setLosses(!m_records->losses.empty());
}

void RunPage::tell(SpanRef span, int lane, double time)
{
    HoverNews news;
    if (lane >= 0 && m_shown != nullptr) {
        if (m_shown->lanes->holds(span))
            news = runPassNews(*m_shown, span);
        else if (const std::optional<Gap> gap = gapAt(lane, static_cast<Ticks>(time)))
            news = runGapNews(*m_shown, *gap);
    }
    const QString sentence = news.sentence;
    m_card->setNews(std::move(news));
    Q_EMIT told(sentence);
}

std::optional<Gap> RunPage::gapAt(int lane, Ticks time) const
{
    if (m_shown == nullptr || time < 0 || time >= m_shown->measured.makespan)
        return std::nullopt;
    const Lane& spans = m_shown->lanes->lanes()[static_cast<std::size_t>(lane)];
    const std::size_t next = spans.firstEndingAfter(time);
    if (next < spans.size() && spans.start[next] <= time)
        return std::nullopt;
    return measuredGap(*m_shown->schedule, m_shown->measured, arrivals(), lane,
                       next < spans.size() ? spans.entry[next] : -1);
}

const RecordedArrivals& RunPage::arrivals() const
{
    static const RecordedArrivals none;
    return m_records != nullptr ? m_records->arrivals : none;
}

QString RunPage::whyNoFigure() const
{
    return m_shown != nullptr ? QString() : tr("The run is not there yet.");
}

FigureContent RunPage::figure() const
{
    FigureContent content;
    content.title = m_title;
    content.numbers = figures().replace(QStringLiteral("     "), QStringLiteral(" · "));
    if (const QString trust = trustText(*m_shown); !trust.isEmpty())
        content.numbers += tr(" · times: %1").arg(trust);
    content.lanes = m_shown->lanes;
    content.bubbles = bubbleRows(m_shown->measured);
    return content;
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
    const Bytes peak = sampledPeak(m_records.get());
    // Between which makespans the run was expected to lie, before it began.
    const RunFigures& run = m_shown->details.run.figures;
    const QString expected = run.predictedHigh > 0
                                 ? tr(", expected %1 to %2 nine times in ten")
                                       .arg(durationText(static_cast<double>(run.predictedLow)),
                                            durationText(static_cast<double>(run.predictedHigh)))
                                 : QString();
    return tr("%1: makespan %2 (planned %3, %4%7)     span bubble %5     wall bubble %6")
               .arg(iterationText(m_shown->iteration),
                    durationText(static_cast<double>(measured.makespan)),
                    durationText(static_cast<double>(predicted.makespan)),
                    offText(measured.makespan, predicted.makespan), bubble(spanBubble(measured)),
                    bubble(wallBubble(measured)), expected) +
           (peak > 0 ? tr("     peak activation %1").arg(bytesText(static_cast<double>(peak)))
                     : QString());
}

PageDetails RunPage::details() const
{
    if (m_shown == nullptr)
        return {tr("Run"), {{m_title, {}, m_problem.isEmpty() ? tr("Reading it…") : m_problem}}};
    return runDetails(*m_shown, m_records.get(), m_timeline->current());
}

RunPage::~RunPage()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

} // namespace pw::ui
