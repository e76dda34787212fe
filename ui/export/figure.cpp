// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/figure.h"

#include "ui/charts/step_chart.h"
#include "ui/core_words.h"
#include "ui/models/lane_pyramid.h"
#include "ui/picture_painter.h"
#include "ui/timeline/kind_key.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double pixelsPerMm = 96 / 25.4;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

FigureWords figureWords()
{
    FigureWords words;
    words.idle = Words::tr("idle").toStdString();
    words.tints = tintNote().toStdString();
    words.toHost = Words::tr("to the host's memory").toStdString();
    words.fromHost = Words::tr("back from the host's memory").toStdString();
    words.device = Words::tr("device %1").toStdString();
    words.memory = Words::tr("Memory").toStdString();
    words.memoryOf = Words::tr("of %1, by kind").toStdString();
    words.activations = Words::tr("Activations").toStdString();
    words.activationsOf = Words::tr("of %1, in micro-batches").toStdString();
    words.cap = Words::tr("limit %1").toStdString();
    words.bubble = Words::tr("Bubble").toStdString();
    words.bubbleOf =
        Words::tr("idle part of the makespan (wall) and of the device's own span").toStdString();
    for (const PassKind kind : allPassKinds)
        words.kinds[static_cast<std::size_t>(kind)] = meaningOf(kind).toStdString();
    for (std::size_t kind = 0; kind < words.memoryKinds.size(); ++kind)
        words.memoryKinds[kind] = coreWords(pw::name(static_cast<MemoryKind>(kind))).toStdString();
    words.bytes = [](Bytes bytes) { return bytesText(static_cast<double>(bytes)).toStdString(); };
    return words;
}

FigureParts wanted(const FigureContent& content, const FigureLook& look)
{
    FigureParts figure;
    if (look.title)
        figure.title = content.title.toStdString();
    if (look.numbers)
        figure.numbers = content.numbers.toStdString();
    figure.lanes = lanesOf(*content.lanes);
    if (look.memory)
        figure.memory = content.memory;
    if (look.bubbles)
        for (const BubbleRow& row : content.bubbles)
            figure.bubbles.push_back(
                {row.device.toStdString(), row.wall, row.span, ratesText(row).toStdString()});
    if (look.annotations)
        figure.annotations = content.annotations;
    return figure;
}

FigureForm formOf(const FigureLook& look)
{
    FigureForm form;
    form.ground = look.ground;
    form.width = std::round(std::clamp(look.widthMm, FigureLook::narrowest, FigureLook::widest) *
                            pixelsPerMm);
    form.colorBy = look.colorBy;
    form.legend = look.legend;
    return form;
}

constexpr int usualPixels = 11; ///< of letters, 8 pt

} // namespace

FigureLanes lanesOf(const Lanes& lanes)
{
    FigureLanes all;
    for (std::size_t i = 0; i < lanes.lanes().size(); ++i) {
        FigureLane lane{lanes.lanes()[i].title.toStdString(), &lanes.lanes()[i], {}};
        if (const LanePyramid* pyramid = lanes.pyramid(i))
            lane.sample = [pyramid](double from, double width, int columns, Fill* out) {
                return pyramid->sample(from, width, columns, out);
            };
        all.lanes.push_back(std::move(lane));
    }
    all.passes = lanes.passes();
    all.begin = lanes.begin();
    all.end = lanes.end();
    return all;
}

FigureDrawing::FigureDrawing(const FigureContent& content, const FigureLook& look)
    : FigureDrawing(content, look, measureOf(pictureFont(), usualPixels))
{
}

FigureDrawing::FigureDrawing(const FigureContent& content, const FigureLook& look,
                             const TextMeasure& measure)
    : m_font(pictureFont())
    , m_picture(layFigure(wanted(content, look), formOf(look), figureWords(), measure))
{
}

void FigureDrawing::paint(QPainter& painter) const
{
    paintPicture(painter, m_picture.items, m_font);
}

} // namespace pw::ui
