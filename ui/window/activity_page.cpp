// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/activity_page.h"

#include "core/base/text.h"
#include "core/families/recognise.h"
#include "core/trace/recover.h"
#include "core/trace/rules_file.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/text.h"
#include "ui/traces/paint_dialog.h"
#include "ui/traces/rank_chooser.h"
#include "ui/traces/trace_search.h"
#include "ui/window/device_time.h"
#include "ui/window/trace_details.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

ActivityPage::ActivityPage(ShownActivityPtr activity, QString title, QWidget* parent)
    : Page(parent)
    , m_given(std::move(activity))
    , m_activity(m_given)
    , m_title(std::move(title))
    , m_source(new TraceSource)
    , m_workspace(new TimelineWorkspace(m_source, this))
    , m_view(qobject_cast<ActivityView*>(&m_workspace->view()))
    , m_table(new ActivityTable(this))
    , m_search(new TraceSearch(*m_view, *m_table, this))
    , m_ranks(new RankChooser(this))
    , m_colors(new QComboBox(this))
    , m_paint(new QPushButton(tr("Paint a pass…"), this))
    , m_parts(new QSplitter(Qt::Vertical, this))
    , m_tabs(new QTabWidget(this))
    , m_proposals(new ProposalTable(this))
{
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->setSpacing(8);
    bar->addWidget(m_search, 1);
    m_colors->setObjectName(QStringLiteral("colors"));
    m_colors->addItems(
        {tr("Colour: kind"), tr("Colour: name"), tr("Colour: pass"), tr("Colour: stage")});
    m_paint->setObjectName(QStringLiteral("paint"));
    m_paint->setEnabled(false);
    m_paint->setToolTip(tr("Says what pass the marked stretch is; others like it follow."));
    bar->addWidget(m_ranks);
    bar->addWidget(m_colors);
    bar->addWidget(m_paint);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_table, tr("Selection"));
    m_tabs->addTab(m_proposals, tr("Passes proposed"));
    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(bar);
    rows->addWidget(m_workspace, 1);
    m_parts->addWidget(top);
    m_parts->addWidget(m_tabs);
    m_parts->setChildrenCollapsible(false);
    constexpr int leastTabs = 130; // a sentence and two rows
    m_tabs->setMinimumHeight(leastTabs);
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_partsMoved = true; });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_parts);
    setFocusProxy(m_workspace);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_source->setActivity(m_activity);

    connectParts();
    m_ranks->setActivity(m_activity); // sums up
    findDeviceTime();
    findProposals();
}

void ActivityPage::connectParts()
{
    // The table of the stretch follows when a marker is let go.
    connect(m_workspace, &TimelineWorkspace::stretchChanged, this, [this] {
        if (!m_view->isMeasuring())
            sumUp();
    });
    connect(m_workspace, &TimelineWorkspace::stretchChanged, this,
            [this] { m_paint->setEnabled(m_view->stretch().has_value()); });
    connect(m_ranks, &RankChooser::changed, this, [this](const RankRows& rows) {
        m_view->setRanks(rows);
        sumUp();
    });
    connect(m_ranks, &RankChooser::told, this, &Page::told);
    connect(m_view, &ActivityView::allRanksShown, m_ranks, &RankChooser::showAll);
    connect(m_paint, &QPushButton::clicked, this, &ActivityPage::paintPass);
    connect(m_colors, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_view->setColorBy(static_cast<SliceColors>(index)); });
    connect(m_proposals, &ProposalTable::chosen, this, [this](Ticks from, Ticks to) {
        range().reveal(static_cast<double>(from), static_cast<double>(to));
        m_view->setStretch(TimeStretch{from, to});
    });
    connect(m_proposals, &ProposalTable::accepted, this, &ActivityPage::accept);
    connect(m_proposals, &ProposalTable::keepAsked, this, &ActivityPage::keepAsked);
    connect(m_workspace, &TimelineWorkspace::selectionChanged, this, &Page::selectionChanged);
    connect(m_workspace, &TimelineWorkspace::selectionChanged, this, &ActivityPage::readArguments);
    connect(m_view, &ActivityView::told, this, &Page::told);
    connect(m_search, &TraceSearch::told, this, &Page::told);
}

/// The rows have most of the height, however low the window is, until somebody says otherwise.
void ActivityPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    if (!m_partsMoved)
        m_parts->setSizes({height() * 13 / 20, height() * 7 / 20});
}

void ActivityPage::setFound(const ImportedTracePtr& found)
{
    m_found = new FoundBar(found, this);
    qobject_cast<QVBoxLayout*>(layout())->insertWidget(0, m_found);
    if (m_proposed >= 0)
        m_found->setProposed(m_proposed);
    connect(m_found, &FoundBar::foundAsked, this, &ActivityPage::foundAsked);
    connect(m_found, &FoundBar::proposalsAsked, this, [this] {
        m_tabs->setCurrentWidget(m_proposals);
        m_proposals->setFocus();
    });
}

/// In a worker, once: proposals that are accepted change nothing of it.
void ActivityPage::findDeviceTime()
{
    inBackground(this, [this, activity = m_given]() -> std::function<void()> {
        const DeviceFigures figures = deviceFigures(activity->trace);
        return [this, part = deviceTimePart(figures)] {
            m_deviceTime = part;
            Q_EMIT selectionChanged();
        };
    });
}

/// In a worker; where passes are labelled on every rank there is nothing to propose.
void ActivityPage::findProposals()
{
    m_proposals->say(tr("Looking for passes…"));
    inBackground(
        this, [this, activity = m_given, examples = m_examples]() -> std::function<void()> {
            ProposeOptions options;
            if (const Result<std::vector<PassExample>> kept = keptPassExamples(defaultRulesPath()))
                options.examples = *kept;
            options.examples.insert(options.examples.end(), examples.begin(), examples.end());
            auto proposal = std::make_shared<PassProposal>(propose(activity->trace, options));
            return [this, activity, proposal] {
                m_proposals->setProposal(activity, *proposal);
                const auto outer =
                    std::count_if(proposal->passes.begin(), proposal->passes.end(),
                                  [](const ProposedPass& one) { return one.inside < 0; });
                m_proposed = outer;
                if (m_found != nullptr)
                    m_found->setProposed(m_proposed);
                m_tabs->setTabText(1, outer == 0 ? tr("Passes proposed")
                                                 : tr("Passes proposed (%1)").arg(outer));
                Q_EMIT selectionChanged();
            };
        });
}

void ActivityPage::paintPass()
{
    const auto stretch = m_view->stretch();
    if (!stretch)
        return;
    auto* dialog = new PaintDialog(m_activity, stretch->start, stretch->end, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (!dialog->example())
            return;
        follow(*dialog->example());
        m_tabs->setCurrentWidget(m_proposals);
    });
    dialog->open();
}

void ActivityPage::follow(const PassExample& example)
{
    Result<std::vector<PassExample>> kept = keptPassExamples(defaultRulesPath());
    const bool readable = kept.has_value();
    std::vector<PassExample> all = readable ? *kept : std::vector<PassExample>();
    const bool known = std::find(all.begin(), all.end(), example) != all.end();
    if (!known)
        all.push_back(example);
    const Result<void> written =
        !readable ? Result<void>(fail(kept.error())) : keepPassExamples(defaultRulesPath(), all);
    if (!written) {
        m_examples.push_back(example);
        Q_EMIT told(tr("The example is not kept: %1").arg(coreSentence(written.error().message)));
    }
    findProposals();
}

/// The passes stand in rows of their own, and colours can be theirs.
void ActivityPage::accept(double confidence)
{
    m_proposals->say(tr("Taking proposals as passes…"));
    inBackground(this,
                 [this, confidence, activity = m_given, before = m_activity,
                  proposal = m_proposals->proposal()]() -> std::function<void()> {
                     Trace trace = activity->trace;
                     const std::int64_t taken = acceptProposal(trace, proposal, confidence);
                     const RecoveredPipeline pipeline = recover(trace);
                     const QString words =
                         taken == 0 ? tr("No proposal is so sure.")
                         : pipeline.schedule
                             ? tr("%1 passes are taken: %2.")
                                   .arg(taken)
                                   .arg(pipeline.family.matches.empty()
                                            ? tr("an order of no family")
                                            : text(describe(pipeline.family.matches.front())))
                             : tr("%1 passes are taken; their order is not complete: %2.")
                                   .arg(taken)
                                   .arg(text(whyNoOrder(pipeline)));
                     auto made = std::make_shared<ShownActivity>(std::move(trace), activity->pairs);
                     return [this, before, made, words, taken] {
                         if (before != m_activity)
                             return;
                         if (taken > 0) {
                             const double from = range().begin(), to = range().end();
                             m_activity = made;
                             m_source->setActivity(m_activity);
                             m_ranks->setActivity(m_activity);
                             range().show(from, to);
                             m_colors->setCurrentIndex(static_cast<int>(SliceColors::Pass));
                         }
                         m_proposals->say(words);
                         Q_EMIT told(words);
                         Q_EMIT selectionChanged();
                     };
                 });
}

ActivityPage::~ActivityPage() = default;

/// They are not kept with the trace: a worker reads the file again, up to the event.
void ActivityPage::readArguments()
{
    m_readingArguments.drop();
    m_arguments = {};
    const std::optional<ChosenSlice>& chosen = m_view->chosen();
    if (!chosen || chosen->slice.id < 0 || chosen->slice.count != 1)
        return;
    m_readingArguments.begin([this, id = chosen->slice.id, activity = m_activity](
                                 const std::atomic<bool>& stop) -> LatestWork::Answer {
        const auto read = std::make_shared<const Result<ArgumentTexts>>(
            argumentsOf(activity->trace, static_cast<std::int32_t>(id), [&stop] { return !stop; }));
        return [this, id, read] {
            if (!*read)
                return;
            m_arguments = {id, **read};
            Q_EMIT selectionChanged();
        };
    });
}

QLineEdit* ActivityPage::searchField()
{
    return &m_search->field();
}

void ActivityPage::findNext(int direction)
{
    m_search->showNext(direction);
}

QString ActivityPage::detail() const
{
    QStringList files;
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < m_activity->trace.files.size() && i < most; ++i)
        files += text(m_activity->trace.files[i]);
    return files.join(QLatin1Char('\n'));
}

QString ActivityPage::figures() const
{
    return m_table->sentence();
}

void ActivityPage::sumUp()
{
    const auto stretch = m_view->stretch();
    const Ticks from = stretch ? stretch->start : 0, to = stretch ? stretch->end : m_activity->end;
    m_table->say(tr("Summing up…"));
    m_summing.begin(
        [this, from, to, whole = !stretch, activity = m_activity,
         ranks = m_ranks->chosen().ranks](const std::atomic<bool>& stop) -> LatestWork::Answer {
            const auto sums = std::make_shared<const Result<ActivitySums>>(
                activitySums(activity->source, from, to, ranks, [&stop] { return !stop; }));
            return [this, whole, activity, sums] {
                if (*sums)
                    m_table->setSums(activity, **sums, whole);
                else
                    m_table->say(coreSentence(sums->error().message));
                Q_EMIT figuresChanged();
            };
        });
}

PageDetails ActivityPage::details() const
{
    const std::optional<ChosenSlice>& chosen = m_view->chosen();
    const bool known = chosen && m_arguments.id == chosen->slice.id;
    return traceDetails(*m_view, m_deviceTime, known ? m_arguments.texts : ArgumentTexts{});
}

} // namespace pw::ui
