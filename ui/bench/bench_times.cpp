// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/origin_costs.h"
#include "core/model/building_block.h"
#include "ui/bench/bench_panel.h"
#include "ui/bench/flow_layout.h"
#include "ui/bench/own_times_dialog.h"
#include "ui/core_sentences.h"
#include "ui/plural.h"
#include "ui/text.h"

#include <QMenu>
#include <QToolButton>

#include <algorithm>

// A block in milliseconds and bytes: what its passes take and hold, beside the units it is drawn
// in.

namespace pw::ui {

void BenchModel::setCosts(std::optional<BenchCosts> costs)
{
    m_costs = std::move(costs);
    m_timed.reset();
    Q_EMIT changed();
}

Result<Costs> BenchModel::costsFor(const PipelineSpec& spec) const
{
    if (const auto* origin = std::get_if<CostOrigin>(&m_costs->from))
        return costsOf(*origin, spec);
    return expand(std::get<UniformCosts>(m_costs->from), spec);
}

const Result<TimedBlock>* BenchModel::timed() const
{
    const std::size_t passes = block().passes.size() * static_cast<std::size_t>(microBatches());
    if (!m_costs || !m_findings.refusal.isEmpty() || passes > mostAssembled ||
        (trying() && passes > mostTimedWhileTrying))
        return nullptr;
    if (!m_timed) {
        const auto timed = [this]() -> Result<TimedBlock> {
            PW_TRY(const Costs costs, costsFor(specOf(block(), microBatches())));
            return timedBlock(block(), microBatches(), m_findings.lifespans, costs);
        };
        m_timed = timed();
    }
    return &*m_timed;
}

std::optional<SimResult> BenchModel::run(const Arrangement& arrangement) const
{
    if (!m_costs)
        return std::nullopt;
    const Result<Costs> costs = costsFor(arrangement.spec);
    const Result<Schedule> schedule = scheduleOf(arrangement);
    if (!costs || !schedule)
        return std::nullopt;
    Result<SimResult> result = simulate(*schedule, *costs);
    return result ? std::optional<SimResult>(*std::move(result)) : std::nullopt;
}

void BenchPanel::addTimes(QWidget* all, FlowLayout* line)
{
    auto* times = new QToolButton(all);
    times->setText(tr("Times"));
    times->setToolTip(tr("What passes take and hold, in milliseconds and bytes: of a model, of the "
                         "schedule, or your own"));
    times->setPopupMode(QToolButton::InstantPopup);
    times->setFocusPolicy(Qt::StrongFocus);
    m_timesMenu = new QMenu(times);
    times->setMenu(m_timesMenu);
    connect(m_timesMenu, &QMenu::aboutToShow, this, &BenchPanel::fillTimesMenu);
    line->addWidget(times);
}

void BenchPanel::setSources(std::function<std::vector<BuildingBlock>()> own,
                            std::function<Result<BuildingBlock>()> strand)
{
    m_own = std::move(own);
    m_strand = std::move(strand);
}

void BenchPanel::setScheduleCosts(std::function<Result<BenchCosts>()> costs)
{
    m_scheduleCosts = std::move(costs);
}

void BenchPanel::fillTimesMenu()
{
    m_timesMenu->clear();
    const auto add = [this](const char* name, const QString& label) {
        QAction* action = m_timesMenu->addAction(label);
        action->setObjectName(QString::fromLatin1(name));
        return action;
    };
    QAction* units = add("units", tr("Units, as they are drawn"));
    connect(units, &QAction::triggered, this, [this] { m_model.setCosts(std::nullopt); });
    connect(add("own", tr("Own times…")), &QAction::triggered, this, &BenchPanel::askOwnTimes);
    connect(add("model", tr("Of a model…")), &QAction::triggered, this, &BenchPanel::modelAsked);
    QAction* schedule = add("schedule", tr("Of the schedule"));
    const Result<BenchCosts> costs =
        m_scheduleCosts ? m_scheduleCosts()
                        : fail(ErrorCode::BadValue, tr("No schedule is open.").toStdString());
    schedule->setEnabled(costs.has_value());
    m_timesMenu->setToolTipsVisible(true);
    if (!costs) {
        schedule->setToolTip(coreSentence(costs.error().message));
        return;
    }
    connect(schedule, &QAction::triggered, this,
            [this, costs = *costs] { m_model.setCosts(costs); });
}

void BenchPanel::askOwnTimes()
{
    UniformCosts before;
    if (m_model.costs())
        if (const auto* own = std::get_if<UniformCosts>(&m_model.costs()->from))
            before = *own;
    auto* dialog = new OwnTimesDialog(before, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_model.setCosts(BenchCosts{dialog->costs(), tr("own times")});
    });
    dialog->open();
}

/// The line of the state in milliseconds and bytes; empty where neither is known.
QString BenchPanel::timesText() const
{
    const Result<TimedBlock>* timed = m_model.timed();
    if (timed == nullptr)
        return {};
    if (!*timed)
        return tr("%1: %2.").arg(m_model.costs()->about, coreSentence(timed->error().message));
    const TimedBlock& times = **timed;
    const QString batches = plural(m_model.microBatches(), Noun::MicroBatch);
    const QString sentence = tr("With %1: one block every %2 at best, %3 take %4")
                                 .arg(m_model.costs()->about, text(timeText(times.interval)),
                                      batches, text(timeText(times.result.makespan)));
    if (!times.sized)
        return sentence + QLatin1Char('.');
    const auto& devices = times.result.devices;
    const auto fullest = std::max_element(devices.begin(), devices.end(),
                                          [](const DeviceResult& a, const DeviceResult& b) {
                                              return a.peakActivation < b.peakActivation;
                                          });
    return sentence + tr("; device %1 keeps %2 of activations.")
                          .arg(fullest - devices.begin())
                          .arg(text(byteText(fullest->peakActivation)));
}

} // namespace pw::ui
