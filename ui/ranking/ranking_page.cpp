// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/ranking/ranking_page.h"

#include "core/base/stop.h"
#include "core/base/text.h"
#include "core/cost/origin_costs.h"
#include "core/families/default_family.h"
#include "core/model/known_sizes.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/core_sentences.h"
#include "ui/panels/field_bar.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/ranking/ranking_table.h"
#include "ui/ranking/schedule_card.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace pw::ui {

namespace {

constexpr double bytesOfGiB = 1024.0 * 1024.0 * 1024.0;
constexpr int mostRankedDevices = 1024;
constexpr int mostRankedMicroBatches = 4096;

} // namespace

/// Rows on their way from the other thread.
struct RankingPage::Fresh
{
    std::mutex mutex;
    std::vector<Ranked> rows;

    std::vector<Ranked> taken()
    {
        const std::lock_guard lock(mutex);
        return std::exchange(rows, {});
    }
};

RankingPage::RankingPage(Project project, const QString& name, QWidget* parent)
    : Page(parent)
    , m_project(std::move(project))
    , m_name(name)
    , m_fields(new FieldBar(11, this))
    , m_stack(new QStackedWidget(this))
    , m_chart(new ScatterChart(this))
    , m_curveChart(new CurveChart(this))
    , m_table(new QTableWidget(this))
    , m_card(new ScheduleCard(this))
{
    makeFields();
    makeSweepFields();
    makeRankingTable(*m_table);
    m_stack->addWidget(m_chart);
    m_stack->addWidget(m_curveChart);
    m_chart->setSentence(tr("Working out the schedules …"));
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_stack);
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 6);
    layout->setSpacing(6);
    layout->addWidget(m_fields);
    layout->addWidget(split, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connectParts();
    showCap();
    rank();
}

RankingPage::~RankingPage() = default;

void RankingPage::makeFields()
{
    QStringList costs = {tr("own")};
    for (const LanguageModel& model : modelPresets())
        costs << text(model.dense.name);
    m_costs = m_fields->addChoice(tr("&Costs"), costs, QStringLiteral("costs"));
    m_costs->setToolTip(tr("What passes take: as in the schedule, or of a model on a machine."));
    QStringList machines;
    for (const Accelerator& device : accelerators())
        machines << text(device.name);
    m_machine = m_fields->addChoice(tr("Mach&ine"), machines, QStringLiteral("machine"));
    const PipelineSpec& spec = m_project.draft.spec;
    m_devices = m_fields->addCount(tr("&Devices"), 1, mostRankedDevices, spec.devices,
                                   QStringLiteral("devices"));
    m_microBatches = m_fields->addCount(tr("Micro-&batches"), 1, mostRankedMicroBatches,
                                        spec.microBatches, QStringLiteral("micro-batches"));
    m_cap =
        m_fields->addNumber(tr("Ca&p"), tr("GiB"), 2, 0, 1e6, 0, QStringLiteral("cap"), tr("none"));
    constexpr double mostJitter = 100;
    m_jitter = m_fields->addNumber(tr("&Jitter"), tr("%"), 1, 0, mostJitter, 0,
                                   QStringLiteral("jitter"), tr("none"));
    m_jitter->setToolTip(tr("How far times of passes and messages spread, as a part of each; then "
                            "schedules are ranked by what 95 % of many runs stay below."));
    m_searches = m_fields->addSwitch(tr("With"), tr("se&arches"), QStringLiteral("searches"));
    m_searches->setChecked(true);
    m_searches->setToolTip(tr("Also families that search for their order, which takes longer."));
    if (m_project.origin)
        m_machine->setCurrentText(text(m_project.origin->hardware));
}

void RankingPage::connectParts()
{
    const auto again = [this] { rank(); };
    connect(m_costs, &QComboBox::currentIndexChanged, this, [this] {
        showCap();
        rank();
    });
    connect(m_machine, &QComboBox::currentIndexChanged, this, [this] {
        showCap();
        rank();
    });
    connect(m_devices, &QSpinBox::valueChanged, this, again);
    connect(m_microBatches, &QSpinBox::valueChanged, this, again);
    connect(m_cap, &QDoubleSpinBox::valueChanged, this, again);
    connect(m_searches, &QCheckBox::toggled, this, again);
    connect(m_jitter, &QDoubleSpinBox::valueChanged, this, again);
    connect(m_sweep, &QComboBox::currentIndexChanged, this, [this](int what) {
        // Ranges that mean something for each of them.
        const QSignalBlocker noFrom(m_from), noTo(m_to);
        const auto sweep = static_cast<SweepOf>(what);
        m_from->setValue(sweep == SweepOf::Devices        ? 2
                         : sweep == SweepOf::MicroBatches ? m_devices->value()
                                                          : 1);
        m_to->setValue(sweep == SweepOf::Devices        ? 16
                       : sweep == SweepOf::MicroBatches ? 16 * m_devices->value()
                       : sweep == SweepOf::Group        ? 2 * m_devices->value()
                                                        : 4);
        beginSweep();
    });
    connect(m_from, &QSpinBox::valueChanged, this, &RankingPage::beginSweep);
    connect(m_to, &QSpinBox::valueChanged, this, &RankingPage::beginSweep);
    connect(m_shown, &QComboBox::currentIndexChanged, this, &RankingPage::showSweep);
    connect(m_chart, &ScatterChart::hovered, this, &RankingPage::showCard);
    connect(m_chart, &ScatterChart::chosen, this, [this](int point) {
        select(m_points[static_cast<std::size_t>(point)]);
        if (m_chart->hasFocus())
            showCard(point);
    });
    connect(m_chart, &ScatterChart::activated, this,
            [this](int point) { open(m_points[static_cast<std::size_t>(point)]); });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) { select(row); });
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row) { open(row); });
    connect(m_curveChart, &CurveChart::told, this, &Page::told);
    connect(m_curveChart, &CurveChart::chosen, this, [this](const QString& name) {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (text(m_rows[i].candidate.name) == name)
                return select(static_cast<int>(i));
    });
    connect(&m_work, &LatestWork::changed, this, &RankingPage::showStatus);
    connect(&m_sweepWork, &LatestWork::changed, this, &RankingPage::showStatus);
}

QString RankingPage::title() const
{
    // The fields may have gone on from the shape that the schedule's title tells.
    const auto shape = [](int devices, int microBatches) {
        return QStringLiteral(" · %1 × %2").arg(devices).arg(microBatches);
    };
    const PipelineSpec& spec = m_project.draft.spec;
    const QString own = shape(spec.devices, spec.microBatches);
    const QString now = shape(m_devices->value(), m_microBatches->value());
    QString name = m_name;
    if (now != own && name.endsWith(own))
        name.chop(own.size());
    return tr("Ranking · %1").arg(now == own ? name : name + now);
}

RankQuestion RankingPage::question() const
{
    RankQuestion asked;
    asked.project = m_project;
    asked.devices = m_devices->value();
    asked.microBatches = m_microBatches->value();
    asked.jitter = m_jitter->value() / 100;
    asked.searches = m_searches->isChecked();
    if (const int model = m_costs->currentIndex() - 1; model >= 0) {
        CostOrigin origin;
        origin.model = modelPresets()[static_cast<std::size_t>(model)];
        origin.hardware = m_machine->currentText().toStdString();
        asked.origin = origin;
    } else {
        asked.origin = m_project.origin;
    }
    const double cap = m_cap->value();
    if (m_cap->suffix().endsWith(tr("GiB")))
        asked.capBytes = static_cast<Bytes>(cap * bytesOfGiB);
    else if (cap > 0)
        asked.capShare = shareLimit(cap);
    return asked;
}

/// The cap that costs bring along, in the unit that they have.
void RankingPage::showCap()
{
    const bool own = m_costs->currentIndex() == 0;
    m_machine->setEnabled(!own);
    m_machine->setToolTip(own ? tr("The schedule's costs are what they are; choose a model to have "
                                   "a machine.")
                              : tr("What the model runs on."));
    const QSignalBlocker block(m_cap);
    Bytes bytes = 0;
    double microBatches = 0;
    bool sizes = true;
    if (own) {
        const Costs costs = costsOf(m_project);
        sizes = hasSizes(costs);
        if (!costs.memoryCap.empty())
            bytes = *std::max_element(costs.memoryCap.begin(), costs.memoryCap.end());
        microBatches = microBatchesFromShare(costs.shareCap);
    } else if (const auto usable = usableMemory(m_machine->currentText().toStdString()); usable) {
        bytes = *usable;
    }
    const bool inBytes = sizes && (microBatches <= 0 || bytes > 0);
    m_cap->setSuffix(QStringLiteral(" ") + (inBytes ? tr("GiB") : tr("mb")));
    m_cap->setToolTip(inBytes ? tr("Most memory of a device; 0: no cap")
                              : tr("Most activation of a device, in micro-batches; 0: no cap"));
    m_cap->setValue(inBytes ? static_cast<double>(bytes) / bytesOfGiB : microBatches);
}

void RankingPage::rank()
{
    m_asked = question();
    m_helpWork.drop();
    Q_EMIT titleChanged();
    m_stale = true; // what is there stays until something new comes
    m_candidates = rankCandidates(m_asked).size();
    m_chart->setSentence(tr("Working out the schedules …"));
    auto fresh = std::make_shared<Fresh>();
    disconnect(&m_work, &LatestWork::tick, this, nullptr);
    connect(&m_work, &LatestWork::tick, this, [this, fresh] { take(fresh->taken()); });
    m_work.begin([this, fresh, asked = m_asked](const std::atomic<bool>& stop) {
        QElapsedTimer timer;
        timer.start();
        const StopScope scope(stop);
        for (const RankCandidate& candidate : rankCandidates(asked)) {
            Ranked row = rankOf(asked, candidate);
            if (stop)
                return LatestWork::Answer();
            const std::lock_guard lock(fresh->mutex);
            fresh->rows.push_back(std::move(row));
        }
        return LatestWork::Answer([this, fresh, took = timer.nsecsElapsed()] {
            take(fresh->taken());
            finishRanking(took);
        });
    });
    beginSweep();
}

void RankingPage::take(std::vector<Ranked> rows)
{
    if (rows.empty())
        return;
    const std::string current =
        m_row >= 0 ? m_rows[static_cast<std::size_t>(m_row)].candidate.name : std::string();
    if (std::exchange(m_stale, false))
        m_rows.clear();
    m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin()),
                  std::make_move_iterator(rows.end()));
    orderRanking(m_rows);
    m_row = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (!current.empty() && m_rows[i].candidate.name == current)
            m_row = static_cast<int>(i);
    showRows();
}

void RankingPage::finishRanking(qint64 nanoseconds)
{
    m_nanoseconds = nanoseconds;
    // Nothing new has come: what is there is an answer to another question.
    if (std::exchange(m_stale, false)) {
        m_rows.clear();
        m_row = -1;
        showRows();
    }
    if (std::none_of(m_rows.begin(), m_rows.end(), [](const Ranked& row) { return row.made(); })) {
        m_chart->setSentence(
            tr("No family can be made so: %1.")
                .arg(m_rows.empty() ? tr("there is none") : coreSentence(m_rows.front().refusal)));
        m_fields->refuse(m_rows.empty() ? QString() : coreSentence(m_rows.front().refusal));
    } else {
        m_fields->refuse({});
    }
    showStatus();
    askForHelp();
    if (!m_sweepWork.busy())
        Q_EMIT ranked();
}

/// Once the rows are there, what would bring a better first one.
void RankingPage::askForHelp()
{
    m_help.clear();
    if (m_rows.empty() || !m_rows.front().fits())
        return m_helpWork.drop();
    Ranked best = m_rows.front();
    best.schedule.reset();
    m_helpWork.begin(
        [this, asked = m_asked, best = std::move(best)](const std::atomic<bool>& stop) {
            const StopScope scope(stop);
            return LatestWork::Answer([this, help = whatHelps(asked, best)] {
                m_help = help;
                Q_EMIT selectionChanged();
            });
        });
}

bool RankingPage::sized() const
{
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](const Ranked& row) { return row.peakBytes > 0; });
}

const Ranked* RankingPage::baseline() const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [](const Ranked& row) {
        return row.made() && row.candidate.name == defaultFamily;
    });
    return found == m_rows.end() ? nullptr : &*found;
}

void RankingPage::showRows()
{
    const Ranked* base = baseline();
    fillRankingTable(*m_table, m_rows, m_asked, base != nullptr ? base->makespan : 0);
    showChart();
    const int row = m_row;
    m_row = -1;
    select(row);
    showStatus();
}

void RankingPage::showChart()
{
    m_points.clear();
    std::vector<ScatterPoint> points;
    Ticks longest = 0;
    const bool bytes = sized();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Ranked& row = m_rows[i];
        if (!row.made())
            continue;
        points.push_back({static_cast<double>(row.time()),
                          bytes ? static_cast<double>(row.peakBytes) : row.peakMicroBatches,
                          text(row.candidate.name), !row.fits(), row.pareto,
                          static_cast<double>(row.low), static_cast<double>(row.high)});
        m_points.push_back(static_cast<int>(i));
        longest = std::max(longest, row.time());
    }
    const Unit unit = timeUnit(longest);
    PlotAxis across;
    across.title = m_asked.jitter > 0
                       ? tr("makespan that 95 % of runs stay below; the band begins at 5 %")
                       : tr("makespan, shorter is better");
    across.write = [unit](double value) {
        return text(plainNumber(value / unit.size) + " " + std::string(unit.name));
    };
    PlotAxis up;
    up.title = bytes ? tr("Peak memory of a device") : tr("Peak activation, micro-batches");
    up.sizes = bytes;
    up.write = [bytes](double value) {
        return bytes ? (value > 0 ? bytesText(value) : QStringLiteral("0"))
                     : text(plainNumber(value));
    };
    m_chart->setAxes(across, up);
    m_chart->setPoints(std::move(points));
    if (bytes && m_asked.capBytes > 0)
        m_chart->setLimit(
            static_cast<double>(m_asked.capBytes),
            tr("memory cap %1").arg(bytesText(static_cast<double>(m_asked.capBytes))));
    else if (!bytes && m_asked.capShare > 0)
        m_chart->setLimit(microBatchesFromShare(m_asked.capShare),
                          tr("memory cap %1").arg(m_cap->text()));
    else
        m_chart->setLimit(std::nullopt, {});
}

void RankingPage::select(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size()) || row == m_row)
        return;
    m_row = row;
    {
        const QSignalBlocker block(m_table);
        m_table->setCurrentCell(row, 0);
    }
    const auto point = std::find(m_points.begin(), m_points.end(), row);
    m_chart->setCurrent(point == m_points.end() ? -1 : static_cast<int>(point - m_points.begin()));
    m_curveChart->setCurrent(text(m_rows[static_cast<std::size_t>(row)].candidate.name));
    Q_EMIT selectionChanged();
}

void RankingPage::open(int row)
{
    const Ranked& one = m_rows[static_cast<std::size_t>(row)];
    if (!one.made())
        return Q_EMIT refused(coreSentence(one.refusal));
    const Result<Project> project = rankedProject(m_asked, one.candidate);
    if (!project)
        return Q_EMIT refused(coreSentence(project.error().message));
    m_card->hide();
    Q_EMIT openAsked(*project);
}

void RankingPage::showStatus()
{
    Q_EMIT figuresChanged();
}

} // namespace pw::ui
