// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_page.h"

#include "core/base/text.h"
#include "core/plan/plan_words.h"
#include "ui/charts/scatter_chart.h"
#include "ui/core_sentences.h"
#include "ui/plan/plan_details.h"
#include "ui/plan/plan_picture.h"
#include "ui/plan/plan_table.h"
#include "ui/plan/split_bars.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace pw::ui {

namespace {

constexpr double planMsOfSecond = 1e3;

} // namespace

/// How far the search is, written by its thread.
struct PlanPage::Progress
{
    std::mutex mutex;
    plan::SearchProgress now;
};

PlanPage::PlanPage(QWidget* parent)
    : Page(parent)
    , m_fields(new PlanFields(this))
    , m_button(new QPushButton(this))
    , m_keep(new QPushButton(tr("&Keep this answer"), this))
    , m_progress(new QProgressBar(this))
    , m_words(new QLabel(this))
    , m_chart(new ScatterChart(this))
    , m_table(new QTableWidget(this))
    , m_shape(new QWidget(this))
    , m_picture(new PlanPicture(m_shape))
    , m_bars(new SplitBars(m_shape))
    , m_shapeWords(new QLabel(m_shape))
    , m_openShaped(new QPushButton(tr("&Open as a schedule"), m_shape))
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
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_button);
    bar->addWidget(m_progress, 1);
    bar->addWidget(m_keep);
    auto* split = new QSplitter(Qt::Vertical, this);
    // What was found first: how it runs and is split, then what else there is.
    split->addWidget(m_shape);
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
    connect(&m_work, &LatestWork::changed, this, &PlanPage::showBusy);
    connect(m_chart, &ScatterChart::chosen, this, &PlanPage::select);
    connect(m_chart, &ScatterChart::activated, this, &PlanPage::open);
    connect(m_chart, &ScatterChart::hovered, this,
            [this](int row) { Q_EMIT told(row < 0 ? QString() : rowText(row)); });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) { select(row); });
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row) { open(row); });
    makeShape();
    showBusy();
    showWords();
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
    m_found = {};
    m_rows.clear();
    m_help.clear();
    m_status.clear();
    m_then.clear();
    m_row = -1;
    m_shaped.reset();
    m_helpWork.drop();
    m_pictureWork.drop();
    m_chart->setSentence(tr("Planning …"));
    showRows();
    auto progress = std::make_shared<Progress>();
    disconnect(&m_work, &LatestWork::tick, this, nullptr);
    connect(&m_work, &LatestWork::tick, this, [this, progress] {
        const std::lock_guard lock(progress->mutex);
        m_progress->setRange(0,
                             static_cast<int>(std::max<std::size_t>(progress->now.candidates, 1)));
        m_progress->setValue(static_cast<int>(progress->now.looked));
        m_progress->setFormat(
            progress->now.best > 0
                ? tr("%v of %m configurations, best %1 ms")
                      .arg(text(plainNumber(planMsOfSecond * progress->now.best, 5)))
                : tr("%v of %m configurations"));
    });
    m_work.begin([this, asked = m_asked, progress](const std::atomic<bool>& stop) {
        auto table = std::make_shared<Result<plan::PlanTable>>(
            plan::search(asked.model, asked.cluster, asked.wish, &stop,
                         [&progress](const plan::SearchProgress& now) {
                             const std::lock_guard lock(progress->mutex);
                             progress->now = now;
                         }));
        return LatestWork::Answer([this, table] { take(*table); });
    });
    Q_EMIT titleChanged();
}

void PlanPage::stop()
{
    m_work.stop();
}

void PlanPage::showBusy()
{
    const bool working = busy();
    m_button->setText(m_work.stopping() ? tr("Stopping …") : working ? tr("Stop") : tr("Plan"));
    m_button->setEnabled(!m_work.stopping());
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

void PlanPage::take(const Result<plan::PlanTable>& table)
{
    if (!table) {
        m_fields->refuse(coreSentence(table.error().message));
        m_chart->setSentence(tr("Nothing can be planned so."));
        return;
    }
    m_found = *table;
    m_rows = m_found.rows;
    const auto wanted = static_cast<std::size_t>(m_asked.wish.rows);
    if (m_rows.size() > wanted)
        m_rows.resize(wanted);
    for (const plan::Evaluation& one : m_found.pareto)
        if (std::find(m_rows.begin(), m_rows.end(), one) == m_rows.end())
            m_rows.push_back(one);
    // Behind all others: they train with older weights.
    m_rows.insert(m_rows.end(), m_found.unflushed.begin(), m_found.unflushed.end());
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
            m_fields->refuse(leanestText());
    }
    m_row = m_rows.empty() ? -1 : 0;
    sayThen();
    showRows();
    if (!m_found.stopped)
        askForHelp();
}

/// What would help, or make it possible: further searches, while the table can be read.
void PlanPage::askForHelp()
{
    m_helpWork.begin([this, asked = m_asked, table = m_found](const std::atomic<bool>& stop) {
        QStringList lines;
        if (table.rows.empty() && table.nearest) {
            const plan::SmallestChange change =
                plan::smallestChange(asked.model, asked.cluster, asked.wish, table, &stop);
            lines << tr("It would fit with %1 GiB of memory.")
                         .arg(text(plainNumber(change.memoryGib, 6)));
            if (change.devices > 0)
                lines << tr("It would fit on %1 GPUs.").arg(change.devices);
            if (change.offload)
                lines << tr("It would fit with activations in the host's memory (%1).")
                             .arg(text(name(*change.offload)));
        } else {
            for (const std::string& line :
                 plan::whatWouldHelp(asked.model, asked.cluster, asked.wish, table, stop))
                lines << text(line);
        }
        return LatestWork::Answer([this, lines] {
            m_help = lines;
            showWords();
            Q_EMIT selectionChanged();
            Q_EMIT helped();
        });
    });
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
    showShape();
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
        m_chart->setLimit(plan::mostUsableMemory(m_asked.cluster) / plan::gibibyte, limitText());
}

/// What would make possible what is not; what would help a plan stands beside the page.
void PlanPage::showWords()
{
    QStringList lines;
    if (!m_then.isEmpty())
        lines << m_then;
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
    m_shaped = m_rows[static_cast<std::size_t>(row)];
    showShape();
    Q_EMIT selectionChanged();
}

void PlanPage::open(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size()))
        return;
    const Result<Project> project = plan::projectOf(m_asked.model, m_asked.cluster, m_asked.wish,
                                                    m_rows[static_cast<std::size_t>(row)]);
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

} // namespace pw::ui
