// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/svg_figure.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/io/annotation_shape.h"
#include "core/io/colors.h"
#include "core/io/schedule_text.h"
#include "core/io/svg_copies.h"
#include "core/io/svg_text.h"
#include "core/sim/annotation_places.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw {

namespace {

/// How blocks of one kind look and what the legend says of them.
struct Ink
{
    PassKind kind;
    std::string_view style;   ///< class of the first chunk's block; later chunks append "l"
    bool whiteOnFirst = true; ///< text of the first chunk's block
    std::string_view meaning;
};

// BW has B's ground and a stripe in W's colour.
constexpr std::array<Ink, passKindCount> inks = {{
    {PassKind::F, "f", true, "forward"},
    {PassKind::B, "b", true, "backward, input"},
    {PassKind::W, "w", false, "backward, weights"},
    {PassKind::BW, "b", true, "backward, both"},
    {PassKind::R, "r", true, "recompute"},
    {PassKind::U, "u", true, "update"},
}};

/// A colour of the figure as CSS has it; figures are for paper.
std::string ink(Role role)
{
    return hexOf(colorOf(role, Ground::Light));
}

const Ink& inkOf(PassKind kind)
{
    return inks[static_cast<std::size_t>(kind)];
}

/// Width of a text in units of its size, for labels of passes: digits, / and the letters of kinds,
/// as wide as in a wide font.
double emWidth(std::string_view text)
{
    double width = 0;
    for (const char c : text)
        width += c == 'W' ? 0.99 : c == '/' ? 0.34 : c >= 'A' && c <= 'Z' ? 0.70 : 0.64;
    return width;
}

/// A round distance between marks, so that about `count` of them fit.
double niceStep(double range, double count)
{
    const double rough = range / std::max(count, 1.0);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * power >= rough * 0.999)
            return factor * power;
    }
    return 10 * power;
}

class FigureWriter
{
public:
    FigureWriter(const Schedule& schedule, const SimResult& result, const FigureStyle& style)
        : m_schedule(schedule)
        , m_result(result)
        , m_style(style)
        , m_chunks(schedule.spec())
    {
        const int p = schedule.devices();
        m_lane = style.laneHeight > 0 ? style.laneHeight : std::clamp(410.0 / p, 6.0, 34.0);
        m_gap = m_lane >= 20 ? 6 : 1;
        m_left = 18 + svgTextWidth(std::to_string(p - 1).size() + 7, labelSize());
        m_right = style.width - 20;
        m_scale =
            result.makespan > 0 ? (m_right - m_left) / static_cast<double>(result.makespan) : 0;
        chooseLabels();
    }

    std::string run()
    {
        double y = 16;
        std::string head;
        if (!m_style.title.empty()) {
            head += text(m_left, y + 14, "title", svgEscaped(m_style.title));
            y += 26;
        }
        if (m_style.numbers) {
            head += text(m_left, y + 11, "numbers", numbers());
            y += 24;
        }
        m_top = y + 4;
        const int p = m_schedule.devices();
        m_bottom = m_top + p * m_lane + (p - 1) * m_gap;
        std::string lanes;
        for (const DeviceId device : Ids<DeviceId>(p))
            lanes += lane(device);
        const std::string marks = axis();
        double height = m_bottom + 32;
        std::string foot;
        if (m_style.legend) {
            foot = legend(height + 2);
            height += 30;
        }
        return begin(height) + head + marks + lanes + annotations() + foot + "</svg>\n";
    }

private:
    double labelSize() const { return std::clamp(m_lane - 2, 6.0, 12.0); }
    double xOf(Ticks time) const { return m_left + static_cast<double>(time) * m_scale; }
    double yOf(DeviceId device) const { return m_top + device * (m_lane + m_gap); }

    static std::string text(double x, double y, std::string_view style, std::string_view content)
    {
        std::string out = "<text class=\"";
        out.append(style)
            .append("\" x=\"")
            .append(svgNumber(x))
            .append("\" y=\"")
            .append(svgNumber(y));
        out.append("\">").append(content).append("</text>\n");
        return out;
    }

    static std::string rectangle(std::string_view style, double x, double y, double width,
                                 double height, double radius = 0)
    {
        std::string out = "<rect class=\"";
        out.append(style)
            .append("\" x=\"")
            .append(svgNumber(x))
            .append("\" y=\"")
            .append(svgNumber(y));
        out.append("\" width=\"")
            .append(svgNumber(width))
            .append("\" height=\"")
            .append(svgNumber(height));
        if (radius > 0)
            out.append("\" rx=\"").append(svgNumber(radius));
        return out + "\"/>\n";
    }

    std::string begin(double height) const
    {
        const std::string size = svgNumber(m_style.width) + "\" height=\"" + svgNumber(height);
        std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size +
                          "\" viewBox=\"0 0 " + svgNumber(m_style.width) + ' ' + svgNumber(height) +
                          "\">\n";
        if (!m_style.title.empty())
            out += "<title>" + svgEscaped(m_style.title) + "</title>\n";
        out += "<defs><pattern id=\"idle\" width=\"6\" height=\"6\" "
               "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
               "<rect width=\"6\" height=\"6\" fill=\"" +
               ink(Role::Lane) + "\"/><rect width=\"1.6\" height=\"6\" fill=\"" + ink(Role::Hatch) +
               "\"/></pattern></defs>\n"
               "<style>text{font-family:Inter,'DejaVu Sans','Helvetica Neue',Arial,sans-serif;"
               "font-size:11px;fill:" +
               ink(Role::Text) +
               ";font-variant-numeric:tabular-nums}"
               ".title{font-size:16px;font-weight:600}.numbers{font-size:12px;fill:" +
               ink(Role::Secondary) +
               "}"
               ".m{text-anchor:middle;font-size:" +
               svgNumber(m_size) + "px}.q{font-size:10.5px;fill:" + ink(Role::Secondary) +
               ";text-anchor:middle}"
               ".key{font-size:11px;fill:" +
               ink(Role::Secondary) + "}.n{text-anchor:end;font-size:" + svgNumber(labelSize()) +
               "px;fill:" + ink(Role::Secondary) +
               "}.t{fill:#ffffff}.ground{fill:" + ink(Role::Paper) +
               "}.i{fill:url(#idle)}"
               ".g{stroke:" +
               ink(Role::Line) + ";stroke-width:1}";
        for (const Ink& one : inks) {
            if (one.kind == PassKind::BW)
                continue;
            out.append(".")
                .append(one.style)
                .append("{fill:")
                .append(ink(roleOf(one.kind, false)))
                .append("}.");
            out.append(one.style).append("l{fill:").append(ink(roleOf(one.kind, true))).append("}");
        }
        out += (m_result.copies.empty() ? std::string() : svgCopyStyle()) + "</style>\n";
        return out + rectangle("ground", 0, 0, m_style.width, height);
    }

    std::string numbers() const
    {
        const Bubble span = spanBubble(m_result);
        const Bubble wall = wallBubble(m_result);
        auto bubble = [](const char* what, const Bubble& one) {
            return std::string(what) + " bubble " + millisecondText(one.idle, 4) + " (" +
                   percentText(one.rate()) + ")";
        };
        const std::string sign = " · ";
        return "makespan " + millisecondText(m_result.makespan, 4) + sign + bubble("span", span) +
               sign + bubble("wall", wall) + sign + "peak " +
               plainNumber(peakMicroBatches(m_result)) + " micro-batches";
    }

    std::string lane(DeviceId device) const
    {
        const double y = yOf(device);
        std::string out = text(m_left - 10, y + m_lane / 2 + 0.36 * labelSize(), "n",
                               "device " + std::to_string(device));
        out += rectangle("i", m_left, y, m_right - m_left, m_lane);
        std::string labels;
        double drawn = -1;
        for (const EntryId i : m_schedule.entries(device)) {
            const auto at = static_cast<std::size_t>(i);
            const double x = xOf(m_result.start[at]);
            const double end = xOf(m_result.end[at]);
            // A hairline between blocks where there is room for one.
            const double gap = end - x > 4 ? 0.8 : 0;
            if (end - std::max(x, drawn) < 0.25)
                continue;
            const double left = std::max(x, drawn);
            drawn = end;
            const OrderEntry entry = m_schedule.entry(i);
            if (!entry.paired) {
                block(out, labels, entry.pass, left, y, end - left - gap, m_lane);
            } else {
                const double half = (m_lane - 0.8) / 2;
                block(out, labels, entry.pass, left, y, end - left - gap, half);
                block(out, labels, entry.partner, left, y + m_lane - half, end - left - gap, half);
            }
        }
        // The labels stay readable: a row is thinner than what they leave free below them.
        return out + labels +
               svgCopies(m_result, {device, y, m_lane, [this](Ticks time) { return xOf(time); }});
    }

    void block(std::string& out, std::string& labels, const Pass& pass, double x, double y,
               double width, double height) const
    {
        const Ink& look = inkOf(pass.kind);
        const bool later = m_chunks.chunk(pass.route, pass.stage) > 0;
        const std::string suffix = later ? "l" : "";
        out += rectangle(std::string(look.style) + suffix, x, y, width, height);
        const bool striped = pass.kind == PassKind::BW && height >= 5;
        const double stripe = striped ? std::max(2.0, 0.2 * height) : 0;
        if (striped)
            out += rectangle("w" + suffix, x, y + height - stripe, width, stripe);
        const bool bright = !later && look.whiteOnFirst;
        label(labels, pass, x, y, width, height - stripe, bright ? "m t" : "m");
    }

    std::string numberOf(const Pass& pass) const
    {
        std::string number = std::to_string(pass.microBatch);
        if (m_schedule.spec().segments() > 1 && pass.kind != PassKind::U)
            number += '/' + std::to_string(pass.segment);
        return number;
    }

    /// The largest size of text in a box, for each way to write a label.
    std::array<double, 3> sizesIn(const Pass& pass, double width, double height) const
    {
        const double number = emWidth(numberOf(pass));
        const double kind = emWidth(name(pass.kind));
        const double room = width - 2;
        return {std::min(room / (kind + number), height - 2.4),
                std::min(room / std::max(kind, number), (height - 4) / 2.2),
                std::min((width - 1) / number, height - 2.4)};
    }

    /// All labels of a figure are written in one way and one size: the best one that fits nearly
    /// all blocks.
    void chooseLabels()
    {
        constexpr std::array<double, 3> least = {8.5, 7, 6};
        std::array<std::vector<double>, 3> sizes;
        for (const EntryId i : m_schedule.entries()) {
            const auto at = static_cast<std::size_t>(i);
            const OrderEntry entry = m_schedule.entry(i);
            const double width = xOf(m_result.end[at]) - xOf(m_result.start[at]) - 0.8;
            // The two halves of a pair have the room of one line each.
            const auto fit = sizesIn(entry.pass, width, m_lane * 0.8);
            for (std::size_t way = 0; way < fit.size(); ++way)
                sizes[way].push_back(fit[way]);
        }
        m_way = sizes.size();
        for (std::size_t way = 0; way < sizes.size() && m_way == sizes.size(); ++way) {
            if (sizes[way].empty())
                return;
            const auto few =
                sizes[way].begin() + static_cast<std::ptrdiff_t>(sizes[way].size() / 50);
            std::nth_element(sizes[way].begin(), few, sizes[way].end());
            if (*few >= least[way]) {
                m_way = way;
                m_size = std::min(*few, 11.0);
            }
        }
        if (m_way == sizes.size()) {
            m_way = 2;
            m_size = 6;
        }
        m_size = std::floor(m_size * 2) / 2;
    }

    /// Kind and micro-batch in one line, or above each other, or the number alone; nothing where it
    /// does not fit.
    void label(std::string& out, const Pass& pass, double x, double y, double width, double height,
               std::string_view style) const
    {
        auto line = [&](double middle, double size, std::string_view content) {
            out += text(x + width / 2, middle + 0.36 * size, style, content);
        };
        const auto sizes = sizesIn(pass, width, height);
        const double tolerance = 0.3;
        std::size_t way = m_way;
        // A flat box, half of a pair, has no room for two lines but often for a long one.
        if (way == 1 && sizes[1] < m_size)
            way = sizes[0] + tolerance >= m_size ? 0 : 2;
        if (sizes[way] + tolerance < std::min(m_size, 8.0))
            return;
        const double middle = y + height / 2;
        const std::string number = numberOf(pass);
        if (way == 0) {
            line(middle, m_size, std::string(name(pass.kind)) + number);
        } else if (way == 1) {
            line(middle - 0.58 * m_size, m_size, name(pass.kind));
            line(middle + 0.58 * m_size, m_size, number);
        } else {
            line(middle, m_size, number);
        }
    }

    std::string annotations() const
    {
        AnnotationFrame frame = svgFrame(11);
        frame.x = [this](double time) { return m_left + time * m_scale; };
        frame.lane = [this](DeviceId device) {
            return PictureBox{m_left, yOf(device), m_right - m_left, m_lane};
        };
        frame.room = {m_left, m_top - 3, m_right - m_left, m_bottom - m_top + 6};
        return svgAnnotations(placeAnnotations(m_style.annotations, m_schedule, m_result), frame);
    }

    std::string axis() const
    {
        const double range = msFromTicks(m_result.makespan);
        std::string out;
        if (range <= 0)
            return out;
        const double step = niceStep(range, (m_right - m_left) / 90);
        const int marks = static_cast<int>(std::floor(range / step * (1 + 1e-9)));
        for (int i = 0; i <= marks; ++i) {
            const double x = m_left + i * step / range * (m_right - m_left);
            out += "<path class=\"g\" d=\"M" + svgNumber(x) + ' ' + svgNumber(m_top - 3) + 'V' +
                   svgNumber(m_bottom + 6) + "\"/>\n";
            std::string label = plainNumber(i * step, 6);
            if (i == marks)
                label += " ms";
            out += text(x, m_bottom + 19, "q", label);
        }
        return out;
    }

    /// The kinds that occur, and the hatch.
    std::string legend(double y) const
    {
        std::array<bool, passKindCount> used{};
        bool laterChunk = false;
        for (const EntryId i : m_schedule.entries()) {
            const OrderEntry entry = m_schedule.entry(i);
            for (const Pass* pass : {&entry.pass, &entry.partner}) {
                if (pass == &entry.partner && !entry.paired)
                    continue;
                used[static_cast<std::size_t>(pass->kind)] = true;
                laterChunk |= m_chunks.chunk(pass->route, pass->stage) > 0;
            }
        }
        std::string out;
        double x = m_left;
        auto word = [&](const std::string& content, std::size_t length) {
            out += text(x, y + 9.5, "key", content);
            x += svgTextWidth(length, 10.2) + 14;
        };
        for (const Ink& ink : inks) {
            if (!used[static_cast<std::size_t>(ink.kind)])
                continue;
            out += rectangle(ink.style, x, y, 13, 12);
            if (ink.kind == PassKind::BW)
                out += rectangle("w", x, y + 9, 13, 3);
            x += 13;
            if (laterChunk) {
                out += rectangle(std::string(ink.style) + "l", x, y, 13, 12);
                if (ink.kind == PassKind::BW)
                    out += rectangle("wl", x, y + 9, 13, 3);
                x += 13;
            }
            x += 6;
            const std::string content =
                std::string(name(ink.kind)) + "  " + std::string(ink.meaning);
            word(content, content.size());
        }
        out += rectangle("i", x, y, 13, 12);
        x += 19;
        word("idle", 4);
        if (laterChunk)
            word("lighter: later chunks", 21);
        return m_result.copies.empty() ? out : out + svgCopyLegend(x, y);
    }

    const Schedule& m_schedule;
    const SimResult& m_result;
    const FigureStyle& m_style;
    ChunkTable m_chunks;
    double m_lane = 34;
    double m_gap = 6;
    double m_left = 0;
    double m_right = 0;
    double m_top = 0;
    double m_bottom = 0;
    double m_scale = 0;    // pixels a tick
    std::size_t m_way = 0; // of writing labels: one line, two lines, number alone
    double m_size = 11;    // of labels
};

} // namespace

std::string writeSvgFigure(const Schedule& schedule, const SimResult& result,
                           const FigureStyle& style)
{
    return FigureWriter(schedule, result, style).run();
}

} // namespace pw
