// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_page.h"

#include "core/base/text.h"
#include "core/plan/plan_json.h"
#include "core/plan/plan_words.h"
#include "ui/charts/scatter_chart.h"
#include "ui/core_sentences.h"
#include "ui/panels/quiet_table.h"
#include "ui/plan/plan_details.h"
#include "ui/plan/plan_kinds.h"
#include "ui/plan/plan_table.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr double planMsOfSecond = 1e3;

} // namespace

PlanPage::PlanPage(QWidget* parent)
    : Page(parent)
    , m_fields(new PlanFields(this))
    , m_button(new QPushButton(this))
    , m_keep(new QPushButton(tr("&Keep this answer"), this))
    , m_progress(new QProgressBar(this))
    , m_words(new QLabel(this))
    , m_chart(new ScatterChart(this))
    , m_table(new QTableWidget(this))
    , m_split(new PlanSplit(this))
{
    makePlanTable(*m_table);
    m_button->setObjectName(QStringLiteral("plan"));
    m_button->setMinimumHeight(26);
    m_button->setDefault(true);
    m_progress->setTextVisible(true);
    m_progress->setMinimumHeight(22);
    // Until there is something to say it would look like a field to type in; its room stays.
    QSizePolicy always = m_progress->sizePolicy();
    always.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(always);
    m_progress->hide();
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setObjectName(QStringLiteral("plan-words"));
    m_words->setForegroundRole(QPalette::PlaceholderText);
    m_chart->setSentence(tr("Press Plan: all degrees of parallelism, micro-batch sizes, families, "
                            "chunks, recomputation and layer splits are looked through. What you "
                            "set above narrows the search."));
    arrange();
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (busy())
            stop();
        else
            plan();
    });
    m_keep->setObjectName(QStringLiteral("keep"));
    m_keep->setMinimumHeight(26);
    connect(m_keep, &QPushButton::clicked, this, &PlanPage::keepAsked);
    connect(m_fields, &PlanFields::planAsked, this, [this] {
        if (!busy())
            plan();
    });
    connect(&m_search, &PlanSearch::changed, this, &PlanPage::showBusy);
    connect(&m_search, &PlanSearch::progressed, this, &PlanPage::showProgress);
    connect(&m_search, &PlanSearch::found, this, &PlanPage::take);
    connect(&m_search, &PlanSearch::refused, this, &PlanPage::takeRefusal);
    connect(&m_search, &PlanSearch::helpFound, this, [this](const QStringList& lines) {
        m_help = lines;
        showWords();
        Q_EMIT selectionChanged();
        Q_EMIT helped();
    });
    connect(m_split, &PlanSplit::told, this, &PlanPage::told);
    connect(m_split, &PlanSplit::openRequested, this, [this] { openPlan(*shaped()); });
    connect(m_chart, &ScatterChart::chosen, this, &PlanPage::select);
    connect(m_chart, &ScatterChart::activated, this, &PlanPage::open);
    connect(m_chart, &ScatterChart::hovered, this,
            [this](int row) { Q_EMIT told(row < 0 ? QString() : rowText(row)); });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) { select(row); });
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row) { open(row); });
    showBusy();
    showWords();
}

/// One below the other: fields, what can be done, what was found.
void PlanPage::arrange()
{
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_button);
    bar->addWidget(m_progress, 1);
    bar->addWidget(m_keep);
    auto* split = new QSplitter(Qt::Vertical, this);
    // What was found first: how it runs and is split, then what else there is.
    split->addWidget(m_split);
    split->addWidget(m_chart);
    split->addWidget(m_table);
    split->setStretchFactor(1, 1);
    split->setStretchFactor(2, 2);
    m_chart->setUpFromZero(false);
    split->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 6);
    layout->setSpacing(6);
    layout->addWidget(m_fields);
    layout->addLayout(bar);
    layout->addWidget(m_words);
    layout->addWidget(split, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

PlanPage::~PlanPage() = default;

QString PlanPage::title() const
{
    return m_planned
               ? tr("Plan · %1 on %2")
                     .arg(text(m_asked.model.dense.name), text(plan::kindsText(m_asked.cluster)))
               : tr("Plan");
}

void PlanPage::plan()
{
    Result<PlanAsked> asked = m_fields->asked();
    m_fields->refuse(asked ? QString() : coreSentence(asked.error().message));
    if (!asked)
        return;
    m_asked = std::move(*asked);
    m_question = m_fields->question();
    m_planned = true;
    clear();
    m_chart->setSentence(tr("Planning …"));
    showRows();
    m_search.begin(m_asked);
    Q_EMIT titleChanged();
}

void PlanPage::clear()
{
    m_found = {};
    m_rows.clear();
    m_help.clear();
    m_status.clear();
    m_earlier = {};
    m_row = -1;
    m_split->clear();
}

void PlanPage::showProgress(const plan::SearchProgress& now)
{
    m_progress->setRange(0, static_cast<int>(std::max<std::size_t>(now.candidates, 1)));
    m_progress->setValue(static_cast<int>(now.looked));
    m_progress->setFormat(now.best > 0 ? tr("%v of %m configurations, best %1 ms")
                                             .arg(text(plainNumber(planMsOfSecond * now.best, 5)))
                                       : tr("%v of %m configurations"));
}

void PlanPage::showBusy()
{
    const bool working = busy();
    m_button->setText(m_search.stopping() ? tr("Stopping …") : working ? tr("Stop") : tr("Plan"));
    m_button->setEnabled(!m_search.stopping());
    m_button->setToolTip(working ? tr("Ends the search with the best so far.")
                                 : tr("Looks for the best that fits."));
    if (working && m_progress->maximum() == 0)
        m_progress->setFormat(tr("Looking for configurations …"));
    if (!working) {
        m_progress->setRange(0, 1);
        m_progress->setValue(0);
        m_progress->setFormat(m_status);
    }
    m_progress->setVisible(working || !m_status.isEmpty());
    showKeep();
    Q_EMIT figuresChanged();
}

void PlanPage::takeRefusal(const QString& why)
{
    m_fields->refuse(why);
    m_chart->setSentence(tr("Nothing can be planned so."));
}

void PlanPage::take(const plan::PlanTable& table)
{
    m_found = table;
    takeRows();
    m_status =
        tr("%1 configurations, %2 simulated%3")
            .arg(m_found.candidates)
            .arg(m_found.evaluated)
            .arg(m_found.stopped
                     ? tr("; stopped, the best so far, of which %1 are proven").arg(m_found.proven)
                     : tr("; the others cannot be among the first"));
    if (m_rows.empty()) {
        m_chart->setSentence(m_found.stopped ? tr("Stopped before anything that fits was found.")
                                             : tr("Nothing fits."));
        if (m_found.nearest && !m_found.stopped)
            m_fields->refuse(leanestText(m_asked, *m_found.nearest));
    }
    m_row = m_rows.empty() ? -1 : 0;
    if (!m_rows.empty())
        m_earlier.compare(planMsOfSecond * m_rows.front().seconds());
    showRows();
    if (!m_found.stopped)
        m_search.askForHelp(m_asked, m_found);
}

/// As many as are wanted, those of the Pareto set, and those without a flush.
void PlanPage::takeRows()
{
    m_rows = m_found.rows;
    const auto wanted = static_cast<std::size_t>(m_asked.wish.rows);
    if (m_rows.size() > wanted)
        m_rows.resize(wanted);
    for (const plan::Evaluation& one : m_found.pareto)
        if (std::find(m_rows.begin(), m_rows.end(), one) == m_rows.end())
            m_rows.push_back(one);
    // Behind all others: they train with older weights.
    m_rows.insert(m_rows.end(), m_found.unflushed.begin(), m_found.unflushed.end());
}

void PlanPage::showRows()
{
    fillPlanTable(*m_table, m_asked, m_rows);
    showKeep();
    showChart();
    const int row = m_row;
    m_row = -1;
    select(row);
    showWords();
    Q_EMIT figuresChanged();
    Q_EMIT selectionChanged();
}

void PlanPage::showChart()
{
    PlotAxis across;
    across.title = tr("iteration, shorter is better");
    across.write = [](double value) { return text(plainNumber(value)) + tr(" ms"); };
    PlotAxis up;
    up.title = tr("Peak memory of a device");
    up.write = [](double value) { return text(plainNumber(value)) + tr(" GiB"); };
    m_chart->setAxes(across, up);
    m_chart->setPoints(planPoints(m_rows, m_found));
    if (m_planned)
        m_chart->setLimit(plan::mostUsableMemory(m_asked.cluster) / plan::gibibyte,
                          limitText(m_asked));
}

/// What would make possible what is not; what would help a plan stands beside the page.
void PlanPage::showWords()
{
    QStringList lines;
    if (!m_earlier.text().isEmpty())
        lines << m_earlier.text();
    if (m_rows.empty())
        lines << m_help;
    m_words->setText(lines.join(QLatin1Char('\n')));
    m_words->setVisible(!m_words->text().isEmpty());
}

void PlanPage::select(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size()) || row == m_row)
        return;
    m_row = row;
    {
        const QSignalBlocker block(m_table);
        m_table->setCurrentCell(row, 0);
    }
    m_chart->setCurrent(row);
    m_split->setPlan(m_asked, m_rows[static_cast<std::size_t>(row)]);
    Q_EMIT selectionChanged();
}

void PlanPage::open(int row)
{
    if (row >= 0 && row < static_cast<int>(m_rows.size()))
        openPlan(m_rows[static_cast<std::size_t>(row)]);
}

void PlanPage::openPlan(const plan::Evaluation& plan)
{
    const Result<Project> project =
        plan::projectOf(m_asked.model, m_asked.cluster, m_asked.wish, plan);
    if (project)
        Q_EMIT openAsked(*project);
    else
        Q_EMIT refused(coreSentence(project.error().message));
}

QString PlanPage::rowText(int row) const
{
    const plan::Evaluation& one = m_rows[static_cast<std::size_t>(row)];
    return tr("%1: %2 ms, %3 GiB. Click opens it.")
        .arg(text(plan::rowName(one)), text(plainNumber(planMsOfSecond * one.seconds(), 5)),
             text(plainNumber(one.peakBytes() / plan::gibibyte)));
}

QString PlanPage::figures() const
{
    return m_planned ? headlineOf(m_asked) : tr("Nothing is planned yet.");
}

PageDetails PlanPage::details() const
{
    PageDetails details;
    details.kind = tr("Plan");
    if (m_row < 0) {
        DetailsPart part;
        part.heading = tr("Configuration");
        part.none = tr("Choose a row to see what its iteration consists of.");
        details.parts.push_back(std::move(part));
        return details;
    }
    addPlanParts(details, m_asked, m_rows[static_cast<std::size_t>(m_row)], m_rows.front());
    addPlanHelp(details, m_found, m_rows.size() > 1, m_help);
    return details;
}

// Plans that are kept

void PlanPage::showKeep()
{
    m_keep->setEnabled(!busy() && !m_rows.empty());
    m_keep->setToolTip(m_rows.empty()
                           ? tr("There is no plan yet.")
                           : tr("Keeps the plan beside the runs, where it is opened again."));
}

NewAnswer PlanPage::answer() const
{
    const std::string headline = plan::headline(m_asked.model, m_asked.cluster, m_asked.wish);
    return {AnswerKind::Plan, headline, m_question.toStdString(),
            headline + "\n\n" + linesOf(*m_table).toStdString(),
            plan::planJson(m_asked.model, m_asked.cluster, m_asked.wish, m_found)};
}

bool PlanPage::reopen(const StoredAnswer& kept)
{
    if (!m_fields->take(QString::fromStdString(kept.question)).isEmpty())
        return false;
    plan();
    m_earlier = EarlierPlan(kept);
    showWords();
    return true;
}

} // namespace pw::ui
