// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/annotation_shape.h"
#include "core/io/figure_layout.h"

#include <algorithm>
#include <cmath>

namespace pw {

FigureLayout::FigureLayout(const FigureParts& figure, const FigureForm& form,
                           const FigureWords& words, const TextMeasure& measure)
    : FigurePen(form.ground, measure)
    , m_figure(figure)
    , m_form(form)
    , m_words(words)
{
    m_pad = paper() ? 6 : 14;
    const std::vector<FigureLane>& lanes = figure.lanes.lanes;
    const auto count = static_cast<double>(std::max<std::size_t>(1, lanes.size()));
    m_laneHeight = form.laneHeight > 0 ? form.laneHeight
                                       : std::clamp(std::round(400 / count), 3.0, 2.3 * m_line);
    m_laneGap = m_laneHeight >= 16 ? 4 : m_laneHeight >= 8 ? 1 : 0.5;
    double names = 0;
    for (const FigureLane& lane : lanes) {
        names = std::max(names, wide(lane.title));
        m_key.add(*lane.spans);
    }
    if (!figure.memory.empty())
        names = std::max(names, wide("000.0 GiB"));
    m_left = m_pad + std::min(names, form.width / 4) + 8;
    m_right = form.width - m_pad - 4;
    m_scale.left = m_left;
    m_scale.begin = static_cast<double>(figure.lanes.begin);
    m_scale.ticksPerPixel =
        std::max(1e-9, static_cast<double>(figure.lanes.end - figure.lanes.begin) /
                           std::max(1.0, m_right - m_left));
}

Picture FigureLayout::run()
{
    m_y = m_pad;
    layHead();
    m_lanesTop = m_y + 3;
    m_axis = laneTop(m_figure.lanes.lanes.size()) - m_laneGap + 2;
    layAxis();
    layLanes();
    layNames();
    layNotes();
    m_y = m_axis + 4 + line();
    if (!m_figure.memory.empty())
        layMemory();
    if (!m_figure.bubbles.empty())
        layBubbles();
    if (m_form.legend)
        layLegend();
    Picture picture{m_form.width, std::ceil(m_y + m_pad), {}};
    // A little more than the page: an image ends on whole pixels.
    fill("ground", {0, 0, picture.width + 1, picture.height + 1},
         paper() ? Rgb{255, 255, 255} : colorOf(Role::Paper, ground()));
    std::rotate(m_items.begin(), m_items.end() - 1, m_items.end());
    picture.items = std::move(m_items);
    return picture;
}

void FigurePen::text(std::string_view part, PicturePoint at, std::string words, Rgb color,
                     TextAnchor anchor, bool bold)
{
    add(PictureText{part, at, std::move(words), anchor, m_size, color, bold});
}

void FigurePen::fill(std::string_view part, const PictureBox& box, Rgb color)
{
    PictureRect rect{part, box};
    rect.paint.fill = color;
    add(std::move(rect));
}

void FigurePen::stroke(std::string_view part, std::vector<PicturePoint> points, Rgb color,
                       double width, bool dashed)
{
    PicturePath path{part, std::move(points)};
    path.paint.line = color;
    path.paint.lineWidth = width;
    path.paint.dashed = dashed;
    add(std::move(path));
}

void FigureLayout::layHead()
{
    if (!m_figure.title.empty()) {
        const double size = paper() ? m_size : std::round(1.3 * m_size);
        const double high = size * m_measure.line;
        add(PictureText{"title",
                        {m_pad, m_y + high / 2},
                        elided(m_figure.title, (m_right - m_pad) / size, m_measure, true),
                        TextAnchor::Begin,
                        size,
                        textColor(),
                        true});
        m_y += high + (paper() ? 2 : 5);
    }
    for (const std::string& words :
         wrapped(m_figure.numbers, (m_right - m_pad) / m_size, m_measure)) {
        text("numbers", {m_pad, m_y + line() / 2}, words, quietColor());
        m_y += line();
    }
    if (!m_figure.numbers.empty())
        m_y += paper() ? 2 : 6;
}

void FigureLayout::layLanes()
{
    LanePictures lanes(m_figure.lanes, m_scale, m_measure, m_form.ground, m_form.colorBy,
                       m_size - 1, m_laneHeight);
    for (std::size_t lane = 0; lane < m_figure.lanes.lanes.size(); ++lane) {
        const PictureBox box = laneBox(lane);
        lanes.lay(m_items, lane, box);
        if (!paper() || m_laneHeight < 10)
            continue;
        PictureRect frame{"frame", box};
        frame.paint.line = colorOf(Role::Hatch, ground());
        frame.paint.lineWidth = 0.5;
        add(std::move(frame));
    }
    m_arrows = lanes.hasArrows();
}

/// In every second lane, or fewer, where the lanes are flat.
void FigureLayout::layNames()
{
    const auto stride =
        static_cast<std::size_t>(std::ceil(line() * 0.95 / (m_laneHeight + m_laneGap)));
    const double room = (m_left - m_pad - 8) / m_size;
    for (std::size_t lane = 0; lane < m_figure.lanes.lanes.size(); lane += stride)
        text("n", {m_left - 8, laneBox(lane).center().y},
             elided(m_figure.lanes.lanes[lane].title, room, m_measure, false), textColor(),
             TextAnchor::End);
}

void FigureLayout::layAxis()
{
    const double length = m_right - m_left;
    const TimeMarks marks = timeMarks(m_scale, length, wide("000.00 ms") + 10);
    for (const double time : marks.times) {
        const double x = m_scale.x(time);
        if (x < m_left - 0.5 || x > m_right + 0.5)
            continue;
        // Seen between the lanes.
        stroke("g", {{x, m_lanesTop - 3}, {x, m_axis}}, colorOf(Role::Line, ground()), 0.7);
        stroke("axis", {{x, m_axis}, {x, m_axis + 3}}, quietColor(), 0.7);
        const std::string label = markText(time, marks);
        // At both ends the label stays inside.
        const double half = wide(label) / 2;
        const double at = std::clamp(x, m_left + half, std::max(m_left + half, m_right - half));
        text("q", {at, m_axis + 3 + line() / 2}, label, quietColor(), TextAnchor::Middle);
    }
    stroke("axis", {{m_left, m_axis}, {m_right, m_axis}}, quietColor(), 0.7);
}

void FigureLayout::layNotes()
{
    AnnotationFrame frame;
    frame.line = line();
    frame.width = [this](const std::string& words) { return wide(words); };
    frame.x = [this](double time) { return m_scale.x(time); };
    frame.lane = [this](DeviceId device) {
        return device.index() < m_figure.lanes.lanes.size() ? laneBox(device.index())
                                                            : PictureBox();
    };
    frame.room = {m_left, m_lanesTop - 2, m_right - m_left, m_axis - m_lanesTop + 4};
    for (const PlacedAnnotation& one : m_figure.annotations)
        if (const AnnotationShape shape = shapeOf(one, frame); shape.shown)
            layAnnotation(m_items, shape, colorOf(roleOf(one.tint), ground()), frame.line, m_size,
                          ground());
}

/// The kinds that occur, idle time and what the tints are, flowing into lines; then what copies
/// are.
void FigureLayout::layLegend()
{
    const double swatch = line() * 0.9;
    double x = m_left, y = m_y + 8;
    const auto begin = [&](double width) {
        if (x > m_left && x + width > m_right) {
            x = m_left;
            y += line() + 3;
        }
    };
    const auto word = [&](const std::string& words, Rgb color) {
        text("key", {x, y + line() / 2}, words, color);
        x += wide(words) + 14;
    };
    for (const PassKind kind : allPassKinds) {
        const std::vector<int> tints = m_key.tints(kind);
        if (tints.empty())
            continue;
        const std::string words =
            std::string(name(kind)) + ' ' + m_words.kinds[static_cast<std::size_t>(kind)];
        begin(static_cast<double>(tints.size()) * (swatch + 2) + 3 + wide(words));
        for (const int tint : tints) {
            LanePictures::laySwatch(m_items, {x, y + 0.05 * line(), swatch, swatch}, kind, tint,
                                    m_form.ground);
            x += swatch + 2;
        }
        x += 3;
        word(words, textColor());
    }
    begin(swatch + 5 + wide(m_words.idle));
    LanePictures::layIdle(m_items, {x, y + 0.05 * line(), swatch, swatch}, m_form.ground);
    x += swatch + 5;
    word(m_words.idle, textColor());
    if (m_key.anyTint()) {
        begin(wide(m_words.tints));
        word(m_words.tints, quietColor());
    }
    m_y = y + line();
    layCopyLegend();
}

/// A line of its own below the kinds: the mark and the row of either way, and what they are.
void FigureLayout::layCopyLegend()
{
    const auto copies = [](const FigureLane& lane) { return !lane.spans->copies.empty(); };
    if (m_laneHeight < LanePictures::leastWithCopies ||
        std::none_of(m_figure.lanes.lanes.begin(), m_figure.lanes.lanes.end(), copies))
        return;
    const double swatch = line() * 0.9;
    double x = m_left;
    m_y += 3;
    for (const bool back : {false, true}) {
        LanePictures::layCopySign(m_items, {x, m_y + 0.05 * line(), swatch, swatch}, back,
                                  m_form.ground, m_arrows);
        x += swatch + 5;
        const std::string& words = back ? m_words.fromHost : m_words.toHost;
        text("key", {x, m_y + line() / 2}, words, textColor());
        x += wide(words) + 14;
    }
    m_y += line();
}

Picture layFigure(const FigureParts& figure, const FigureForm& form, const FigureWords& words,
                  const TextMeasure& measure)
{
    return FigureLayout(figure, form, words, measure).run();
}

} // namespace pw
