// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_page.h"

#include "core/sim/metrics.h"
#include "ui/charts/loss_chart.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/runs/run_account_view.h"
#include "ui/runs/run_adaptive_view.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/value_text.h"
#include "ui/window/run_details.h"
#include "ui/window/run_header.h"
#include "ui/workspace/chart_stack.h"

#include <QDir>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

RunPage::RunPage(RunHistory& history, RunNumber run, QWidget* parent)
    : Page(parent)
    , m_history(&history)
    , m_store(history.path())
    , m_run(run)
    , m_source(new RunSource)
    , m_header(new RunHeader(this))
    , m_content(new QStackedWidget(this))
    , m_sentence(new QLabel(this))
    , m_workspace(new TimelineWorkspace(m_source, this))
    , m_losses(new LossChart(this))
    , m_account(new RunAccountView(this))
    , m_adaptive(new RunAdaptiveView(this))
{
    for (QWidget* chart : {static_cast<QWidget*>(m_account), static_cast<QWidget*>(m_adaptive),
                           static_cast<QWidget*>(m_losses)})
        charts().addWidget(chart);
    m_account->setVisible(m_header->accountShown());
    m_adaptive->hide();
    m_losses->hide();
    m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentence->setMargin(16);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_content->addWidget(m_sentence);
    m_content->addWidget(m_workspace);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_content, 1);
    setFocusProxy(m_workspace);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(m_header, &RunHeader::iterationAsked, this, &RunPage::showIteration);
    connect(m_header, &RunHeader::chainToggled, m_workspace, &TimelineWorkspace::setCriticalShown);
    connect(m_workspace, &TimelineWorkspace::criticalShownChanged, m_header,
            &RunHeader::setChainShown);
    connect(m_header, &RunHeader::accountToggled, m_account, &QWidget::setVisible);
    connect(m_header, &RunHeader::lossesToggled, m_losses, &QWidget::setVisible);
    connect(m_header, &RunHeader::adaptiveToggled, m_adaptive, &QWidget::setVisible);
    connect(m_header, &RunHeader::compareAsked, this, [this] { Q_EMIT compareAsked(m_run); });
    connect(m_header, &RunHeader::jobAsked, this, [this] { Q_EMIT jobAsked(m_run); });
    connect(m_header, &RunHeader::timesAsked, this, [this] { Q_EMIT timesAsked(m_run); });
    connect(m_header, &RunHeader::againAsked, this, [this] { Q_EMIT againAsked(m_run); });
    connect(m_workspace, &TimelineWorkspace::selectionChanged, this, &Page::selectionChanged);
    connect(m_workspace, &TimelineWorkspace::told, this, &Page::told);
    connect(&timeline(), &TimelineView::dragBegun, this, [this] {
        timeline().setHint(tr("What was measured stays where it was. Open its schedule from the "
                              "list of runs to change it."),
                           true);
    });
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
    if (shown() == nullptr)
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
                    showProblem(coreSentence(loaded.error().message));
            };
        });
}

void RunPage::take(const RunTimelinePtr& timeline)
{
    EntryId entry;
    const SpanRef span = this->timeline().current();
    if (shown() != nullptr && shown()->lanes->holds(span))
        entry = EntryId(shown()
                            ->lanes->lanes()[static_cast<std::size_t>(span.lane)]
                            .entry[static_cast<std::size_t>(span.index)]);
    m_problem.clear();
    m_title = timeline->title();
    m_account->setRun(nullptr, m_store, timeline, nullptr);
    m_content->setCurrentWidget(m_workspace);
    m_source->setRun(timeline);
    if (entry >= 0)
        this->timeline().select(spanOf(*timeline->lanes, *timeline->schedule, entry));
    showHeader();
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
                                if (timeline != shown())
                                    return;
                                if (more)
                                    takeRecords(*more);
                                else
                                    Q_EMIT told(coreSentence(more.error().message));
                            };
                        });
}

void RunPage::takeRecords(const RunRecordsPtr& records)
{
    m_account->setRun(m_history, m_store, shown(), records);
    m_source->setRecords(records);
    m_header->setJob(records->several);
    showLosses();
    loadAdaptive();
    Q_EMIT figuresChanged();
    Q_EMIT loaded();
}

/// Of the whole training, and so once for all iterations.
void RunPage::loadAdaptive()
{
    if (m_history == nullptr || std::exchange(m_adaptiveAsked, true))
        return;
    m_history->readFrom(m_store, this,
                        [this, run = m_run](Result<RunStore>& store) -> RunHistory::Answer {
                            auto found = std::make_shared<Result<std::optional<StoredAdaptive>>>(
                                store ? storedAdaptive(*store, run) : fail(store.error()));
                            return [this, found] {
                                if (!*found)
                                    Q_EMIT told(coreSentence(found->error().message));
                                if (!*found || !**found)
                                    return;
                                m_adaptive->setTraining(***found, m_run);
                                m_header->setAdaptive();
                                Q_EMIT loaded();
                            };
                        });
}

void RunPage::showProblem(const QString& why)
{
    m_problem = why;
    // What was shown before stays.
    if (shown() != nullptr) {
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
    m_header->setRun(shown());
}

void RunPage::showIteration(std::int32_t iteration)
{
    if (shown() == nullptr || iteration != shown()->iteration)
        load(iteration);
}

void RunPage::stepIteration(int direction)
{
    if (shown() != nullptr)
        m_header->stepIteration(direction);
}

void RunPage::showLosses()
{
    const std::vector<WholeIteration>& all = shown()->iterations;
    const auto warmup = std::count_if(all.begin(), all.end(),
                                      [](const WholeIteration& one) { return one.iteration < 0; });
    m_losses->setLosses(records()->losses,
                        static_cast<int>(warmup) * shown()->schedule->spec().steps);
    m_header->setLosses(!records()->losses.empty());
}

QString RunPage::whyNoFigure() const
{
    return shown() != nullptr ? QString() : tr("The run is not there yet.");
}

FigureContent RunPage::figure() const
{
    FigureContent content;
    content.title = m_title;
    content.numbers = figures().replace(QStringLiteral("     "), QStringLiteral(" · "));
    if (const QString trust = trustText(*shown()); !trust.isEmpty())
        content.numbers += tr(" · times: %1").arg(trust);
    content.lanes = shown()->lanes;
    content.bubbles = bubbleRows(shown()->measured);
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
    if (shown() == nullptr)
        return {};
    const SimResult& measured = shown()->measured;
    const SimResult& predicted = shown()->predicted;
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2)").arg(durationText(static_cast<double>(one.idle)),
                                             percentText(one.rate()));
    };
    const Bytes peak = sampledPeak(records().get());
    // Between which makespans the run was expected to lie, before it began.
    const RunFigures& run = shown()->details.run.figures;
    const QString expected = run.predictedHigh > 0
                                 ? tr(", expected %1 to %2 nine times in ten")
                                       .arg(durationText(static_cast<double>(run.predictedLow)),
                                            durationText(static_cast<double>(run.predictedHigh)))
                                 : QString();
    return tr("%1: makespan %2 (planned %3, %4%7)     span bubble %5     wall bubble %6")
               .arg(iterationText(shown()->iteration),
                    durationText(static_cast<double>(measured.makespan)),
                    durationText(static_cast<double>(predicted.makespan)),
                    offText(measured.makespan, predicted.makespan), bubble(spanBubble(measured)),
                    bubble(wallBubble(measured)), expected) +
           (peak > 0 ? tr("     peak activation %1").arg(bytesText(static_cast<double>(peak)))
                     : QString());
}

PageDetails RunPage::details() const
{
    if (shown() == nullptr)
        return {tr("Run"), {{m_title, {}, m_problem.isEmpty() ? tr("Reading it…") : m_problem}}};
    return runDetails(*shown(), records().get(), m_workspace->timeline().current());
}

RunPage::~RunPage()
{
    // What it says as it goes still finds the page.
    delete m_workspace;
}

} // namespace pw::ui
