// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/model/schedule.h"
#include "core/sim/metrics.h"
#include "ui/charts/step_chart.h"
#include "ui/document/placed_annotations.h"
#include "ui/document/schedule_document.h"
#include "ui/export/figure.h"
#include "ui/models/whole_peak.h"
#include "ui/plural.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"

#include <QCoreApplication>

namespace pw::ui {

namespace {

struct FigureContentWords
{
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

} // namespace

QString numbersOf(const SimResult& result)
{
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2)").arg(durationText(static_cast<double>(one.idle)),
                                             text(pw::percentText(one.rate())));
    };
    QString line = FigureContentWords::tr("makespan %1 · span bubble %2 · wall bubble %3 · peak "
                                          "activation %4")
                       .arg(durationText(static_cast<double>(result.makespan)),
                            bubble(spanBubble(result)), bubble(wallBubble(result)),
                            plural(peakMicroBatches(result),
                                   text(plainNumber(peakMicroBatches(result))), Noun::MicroBatch));
    if (const Bytes bytes = peakActivation(result); bytes > 0)
        line += QStringLiteral(", ") + bytesText(static_cast<double>(bytes));
    return line;
}

FigureContent figureOf(std::shared_ptr<const Schedule> schedule, const Costs& costs,
                       const SimResult& result, const QString& title)
{
    FigureContent content;
    content.title = title;
    content.numbers = numbersOf(result);
    const WholePeak memory = wholePeak(*schedule, costs, result);
    if (memory.total > peakActivation(result))
        content.numbers += FigureContentWords::tr(" · peak memory %1")
                               .arg(bytesText(static_cast<double>(memory.total)));
    const int devices = schedule->devices();
    for (const DeviceId device : Ids<DeviceId>(devices))
        content.bubbles.push_back({FigureContentWords::tr("device %1").arg(device),
                                   wallBubble(result, device).rate(),
                                   spanBubble(result, device).rate()});
    content.memory = fullestMemory(*schedule, costs, result);
    content.lanes = lanesOf(std::move(schedule), result);
    return content;
}

FigureContent figureOf(const ScheduleDocument& document)
{
    FigureContent content;
    if (document.schedule()) {
        content =
            figureOf(document.schedule(), document.costs(), document.result(), document.title());
    } else {
        content.title = document.title();
        content.lanes = document.lanes();
    }
    content.annotations = placedAnnotations(document);
    return content;
}

} // namespace pw::ui
