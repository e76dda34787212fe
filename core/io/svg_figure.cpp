// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/svg_figure.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/io/figure.h"
#include "core/io/peak_text.h"
#include "core/io/svg_picture.h"
#include "core/sim/annotation_places.h"
#include "core/sim/metrics.h"

#include <algorithm>

namespace pw {

namespace {

std::string numbersOf(const SimResult& result)
{
    auto bubble = [](const char* what, const Bubble& one) {
        return std::string(what) + " bubble " + lengthText(static_cast<double>(one.idle)) + " (" +
               percentText(one.rate()) + ")";
    };
    const std::string sign = " · ";
    std::string line = "makespan " + lengthText(static_cast<double>(result.makespan)) + sign +
                       bubble("span", spanBubble(result)) + sign +
                       bubble("wall", wallBubble(result)) + sign + "peak activation " +
                       peakText(result);
    if (const Bytes bytes = peakActivation(result); bytes > 0)
        line += ", " + byteText(bytes);
    return line;
}

} // namespace

Picture figurePicture(const Schedule& schedule, const SimResult& result, const FigureStyle& style)
{
    const std::vector<LaneSpans> spans = spansOf(schedule, result);
    FigureParts figure;
    figure.title = style.title;
    if (style.numbers)
        figure.numbers = numbersOf(result);
    for (std::size_t device = 0; device < spans.size(); ++device)
        figure.lanes.lanes.push_back({"device " + std::to_string(device), &spans[device]});
    figure.lanes.passes = [&schedule](std::int32_t entry, bool partner) {
        const OrderEntry both = schedule.entry(EntryId(entry));
        return partner ? both.partner : both.pass;
    };
    figure.lanes.end = std::max<Ticks>(1, result.makespan);
    figure.annotations = placeAnnotations(style.annotations, schedule, result);
    FigureForm form;
    form.width = style.width;
    form.laneHeight = style.laneHeight;
    form.legend = style.legend;
    return layFigure(figure, form, {}, unknownFont());
}

std::string writeSvgFigure(const Schedule& schedule, const SimResult& result,
                           const FigureStyle& style)
{
    return writeSvg(figurePicture(schedule, result, style), style.title, SvgUnit::Pixels);
}

} // namespace pw
