// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/svg_picture.h"

#include "core/io/png_line.h"
#include "core/io/svg_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pw {

namespace {

class SvgWriter
{
public:
    std::string run(const Picture& picture, std::string_view title, SvgUnit unit)
    {
        for (const PictureItem& item : picture.items)
            std::visit([this](const auto& one) { write(one); }, item);
        return begin(picture, title, unit) + m_body + "</svg>\n";
    }

private:
    static std::string sized(double pixels, SvgUnit unit)
    {
        return unit == SvgUnit::Pixels ? svgNumber(pixels) : svgNumber(pixels * 25.4 / 96) + "mm";
    }

    std::string begin(const Picture& picture, std::string_view title, SvgUnit unit) const
    {
        std::string out =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\" xml:space=\"preserve\" width=\"" +
            sized(picture.width, unit) + "\" height=\"" + sized(picture.height, unit) +
            "\" viewBox=\"0 0 " + svgNumber(picture.width) + ' ' + svgNumber(picture.height) +
            "\">\n";
        if (!title.empty())
            out += "<title>" + svgEscaped(title) + "</title>\n";
        out += "<style>text{font-family:";
        for (const std::string_view family : pictureFonts)
            out.append("'").append(family).append("',");
        out += "sans-serif;font-variant-numeric:tabular-nums}";
        for (const auto& [part, style] : m_styles)
            out.append(".").append(part).append("{").append(style).append("}");
        return out + "</style>\n";
    }

    /// The class of a part, with what differs from how the part first looked.
    std::string classOf(std::string_view part, const std::string& style)
    {
        const auto known = m_styles.emplace(part, style).first;
        std::string out = " class=\"" + std::string(part) + '"';
        return known->second == style ? out : out + " style=\"" + style + '"';
    }

    static std::string styleOf(const PicturePaint& paint)
    {
        std::string out = "fill:" + (paint.fill ? hexOf(*paint.fill) : std::string("none"));
        if (paint.fillOpacity < 1)
            out += ";fill-opacity:" + svgNumber(paint.fillOpacity);
        if (!paint.line)
            return out;
        out += ";stroke:" + hexOf(*paint.line) + ";stroke-width:" + svgNumber(paint.lineWidth) +
               ";stroke-linejoin:round";
        return paint.dashed ? out + ";stroke-dasharray:4 2" : out + ";stroke-linecap:round";
    }

    void attribute(const char* name, double value)
    {
        m_body.append(" ").append(name).append("=\"").append(svgNumber(value)).append("\"");
    }

    void place(const PictureBox& box)
    {
        attribute("x", box.left);
        attribute("y", box.top);
        attribute("width", box.width);
        attribute("height", box.height);
    }

    void write(const PictureRect& rect)
    {
        m_body += "<rect" + classOf(rect.part, styleOf(rect.paint));
        place(rect.box);
        if (rect.radius > 0)
            attribute("rx", rect.radius);
        m_body += rect.hint.empty() ? std::string("/>\n")
                                    : "><title>" + svgEscaped(rect.hint) + "</title></rect>\n";
    }

    void write(const PicturePath& path)
    {
        m_body += "<path" + classOf(path.part, styleOf(path.paint)) + " d=\"";
        char step = 'M';
        for (const PicturePoint& point : path.points) {
            m_body += step + svgNumber(point.x) + ' ' + svgNumber(point.y);
            step = 'L';
        }
        m_body += path.closed ? "Z\"/>\n" : "\"/>\n";
    }

    void write(const PicturePattern& pattern)
    {
        const auto lines = linesOf(pattern);
        if (lines.empty())
            return;
        m_body += "<path" +
                  classOf(pattern.part, "stroke:" + hexOf(pattern.color) +
                                            ";stroke-width:" + svgNumber(pattern.width)) +
                  " d=\"";
        for (const auto& [from, to] : lines)
            m_body += 'M' + svgNumber(from.x) + ' ' + svgNumber(from.y) + 'L' + svgNumber(to.x) +
                      ' ' + svgNumber(to.y);
        m_body += "\"/>\n";
    }

    void write(const PictureStrip& strip)
    {
        m_body += "<image" + classOf(strip.part, "image-rendering:auto");
        place(strip.box);
        m_body += " preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64," +
                  base64(pngOf(strip.columns)) + "\"/>\n";
    }

    void write(const PictureText& text)
    {
        constexpr double capitals = 0.36; // half their height
        std::string style = "font-size:" + svgNumber(text.size) + "px;fill:" + hexOf(text.color);
        if (text.bold)
            style += ";font-weight:600";
        if (text.anchor != TextAnchor::Begin)
            style += text.anchor == TextAnchor::Middle ? ";text-anchor:middle" : ";text-anchor:end";
        m_body += "<text" + classOf(text.part, style);
        attribute("x", text.at.x);
        attribute("y", text.at.y + capitals * text.size);
        m_body += ">" + svgEscaped(text.text) + "</text>\n";
    }

    std::string m_body;
    std::map<std::string_view, std::string> m_styles; ///< by part
};

} // namespace

namespace {

using Lines = std::vector<std::pair<PicturePoint, PicturePoint>>;

/// Lines at 45°. @param rising  from the lower left to the upper right
void appendDiagonals(Lines& lines, const PictureBox& box, double distance, bool rising)
{
    const double along = rising ? box.left + box.top : box.left - box.bottom();
    const double end = along + box.width + box.height;
    for (double c = std::ceil(along / distance) * distance; c < end; c += distance) {
        // Points with x + y = c, or x − y = c.
        const auto yAt = [&](double x) { return rising ? c - x : x - c; };
        const double from = std::max(box.left, rising ? c - box.bottom() : c + box.top);
        const double to = std::min(box.right(), rising ? c - box.top : c + box.bottom());
        if (to - from >= 0.3)
            lines.push_back({{from, yAt(from)}, {to, yAt(to)}});
    }
}

void appendStraight(Lines& lines, const PictureBox& box, double distance, bool level)
{
    const double begin = level ? box.top : box.left;
    const double end = level ? box.bottom() : box.right();
    for (double at = (std::ceil(begin / distance - 0.5) + 0.5) * distance; at < end; at += distance)
        lines.push_back(level
                            ? std::pair(PicturePoint{box.left, at}, PicturePoint{box.right(), at})
                            : std::pair(PicturePoint{at, box.top}, PicturePoint{at, box.bottom()}));
}

} // namespace

std::vector<std::pair<PicturePoint, PicturePoint>> linesOf(const PicturePattern& pattern)
{
    Lines lines;
    if (pattern.lines == LinePattern::Rising || pattern.lines == LinePattern::Falling)
        appendDiagonals(lines, pattern.box, pattern.distance, pattern.lines == LinePattern::Rising);
    else
        appendStraight(lines, pattern.box, pattern.distance, true);
    if (pattern.lines == LinePattern::Grid)
        appendStraight(lines, pattern.box, pattern.distance, false);
    return lines;
}

std::string writeSvg(const Picture& picture, std::string_view title, SvgUnit unit)
{
    return SvgWriter().run(picture, title, unit);
}

} // namespace pw
