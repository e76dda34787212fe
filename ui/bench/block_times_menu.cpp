// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_times_menu.h"

#include "core/base/text.h"
#include "ui/bench/bench_panel.h"
#include "ui/bench/own_times_dialog.h"
#include "ui/core_sentences.h"
#include "ui/plural.h"
#include "ui/text.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

BlockTimesMenu::BlockTimesMenu(BenchModel& model, QWidget* parent)
    : QMenu(parent)
    , m_model(model)
{
    connect(this, &QMenu::aboutToShow, this, &BlockTimesMenu::fill);
}

void BlockTimesMenu::setScheduleCosts(std::function<Result<BenchCosts>()> costs)
{
    m_scheduleCosts = std::move(costs);
}

void BlockTimesMenu::fill()
{
    clear();
    const auto add = [this](const char* name, const QString& label) {
        QAction* action = addAction(label);
        action->setObjectName(QString::fromLatin1(name));
        return action;
    };
    QAction* units = add("units", BenchPanel::tr("Units, as they are drawn"));
    connect(units, &QAction::triggered, this, [this] { m_model.setCosts(std::nullopt); });
    connect(add("own", BenchPanel::tr("Own times…")), &QAction::triggered, this,
            &BlockTimesMenu::askOwnTimes);
    connect(add("model", BenchPanel::tr("Of a model…")), &QAction::triggered, this,
            &BlockTimesMenu::modelAsked);
    QAction* schedule = add("schedule", BenchPanel::tr("Of the schedule"));
    const Result<BenchCosts> costs =
        m_scheduleCosts
            ? m_scheduleCosts()
            : fail(ErrorCode::BadValue, BenchPanel::tr("No schedule is open.").toStdString());
    schedule->setEnabled(costs.has_value());
    setToolTipsVisible(true);
    if (!costs) {
        schedule->setToolTip(coreSentence(costs.error().message));
        return;
    }
    connect(schedule, &QAction::triggered, this,
            [this, costs = *costs] { m_model.setCosts(costs); });
}

void BlockTimesMenu::askOwnTimes()
{
    UniformCosts before;
    if (m_model.costs())
        if (const auto* own = std::get_if<UniformCosts>(&m_model.costs()->from))
            before = *own;
    auto* dialog = new OwnTimesDialog(before, parentWidget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_model.setCosts(BenchCosts{dialog->costs(), BenchPanel::tr("own times")});
    });
    dialog->open();
}

QString blockTimesText(const BenchModel& model)
{
    const Result<TimedBlock>* timed = model.timed();
    if (timed == nullptr)
        return {};
    if (!*timed)
        return BenchPanel::tr("%1: %2.").arg(model.costs()->about,
                                             coreSentence(timed->error().message));
    const TimedBlock& times = **timed;
    const QString batches = plural(model.microBatches(), Noun::MicroBatch);
    const QString sentence = BenchPanel::tr("With %1: one block every %2 at best, %3 take %4")
                                 .arg(model.costs()->about, text(timeText(times.interval)), batches,
                                      text(timeText(times.result.makespan)));
    if (!times.sized)
        return sentence + QLatin1Char('.');
    const auto& devices = times.result.devices;
    const auto fullest = std::max_element(devices.begin(), devices.end(),
                                          [](const DeviceResult& a, const DeviceResult& b) {
                                              return a.peakActivation < b.peakActivation;
                                          });
    return sentence + BenchPanel::tr("; device %1 keeps %2 of activations.")
                          .arg(fullest - devices.begin())
                          .arg(text(byteText(fullest->peakActivation)));
}

} // namespace pw::ui
