// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pw {

/// A place in a picture, in CSS pixels, 96 an inch, from the upper left corner.
struct PicturePoint
{
    double x = 0;
    double y = 0;

    friend bool operator==(const PicturePoint&, const PicturePoint&) = default;
};

struct PictureBox
{
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;

    bool empty() const { return width <= 0 || height <= 0; }
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    PicturePoint center() const { return {left + width / 2, top + height / 2}; }
    bool contains(PicturePoint point) const
    {
        return point.x >= left && point.x <= right() && point.y >= top && point.y <= bottom();
    }

    friend bool operator==(const PictureBox&, const PictureBox&) = default;
};

/// How a shape is filled and outlined; what is not there is not drawn.
struct PicturePaint
{
    std::optional<Rgb> fill{};
    std::optional<Rgb> line{};
    double lineWidth = 1;
    double fillOpacity = 1;
    bool dashed = false;

    friend bool operator==(const PicturePaint&, const PicturePaint&) = default;
};

// What a picture consists of. `part` is a short name of what it stands for, a literal; files tell
// it.

struct PictureRect
{
    std::string_view part;
    PictureBox box;
    PicturePaint paint{};
    double radius = 0;  ///< of its corners
    std::string hint{}; ///< what a viewer shows at the pointer, in UTF-8; not painted

    friend bool operator==(const PictureRect&, const PictureRect&) = default;
};

struct PicturePath
{
    std::string_view part;
    std::vector<PicturePoint> points; ///< joined by straight lines
    PicturePaint paint{};
    bool closed = false;

    friend bool operator==(const PicturePath&, const PicturePath&) = default;
};

enum class LinePattern
{
    Rising, ///< from the lower left to the upper right
    Falling,
    Level,
    Grid ///< level and upright
};

/// Lines over a box, on a grid of the page, so that those of neighbours go on in each other.
struct PicturePattern
{
    std::string_view part;
    PictureBox box;
    LinePattern lines = LinePattern::Rising;
    double distance = 5; ///< along an edge of the box
    Rgb color;
    double width = 1; ///< of a line

    friend bool operator==(const PicturePattern&, const PicturePattern&) = default;
};

/// Columns of equal width, each of one colour.
struct PictureStrip
{
    std::string_view part;
    PictureBox box;
    std::vector<Rgb> columns;

    friend bool operator==(const PictureStrip&, const PictureStrip&) = default;
};

enum class TextAnchor
{
    Begin,
    Middle,
    End
};

/// A line of text. Its place is half the height of its capitals, and where its anchor is.
struct PictureText
{
    std::string_view part;
    PicturePoint at;
    std::string text; ///< in UTF-8
    TextAnchor anchor = TextAnchor::Begin;
    double size = 0; ///< of the letters; 0: that of the font at hand, where there is one
    Rgb color{};
    bool bold = false;

    friend bool operator==(const PictureText&, const PictureText&) = default;
};

using PictureItem =
    std::variant<PictureRect, PicturePath, PicturePattern, PictureStrip, PictureText>;

/// What is drawn, in this order, whoever draws it.
using PictureItems = std::vector<PictureItem>;

struct Picture
{
    double width = 0;
    double height = 0;
    PictureItems items;

    friend bool operator==(const Picture&, const Picture&) = default;
};

/// The families of fonts that text is drawn in, the first that there is.
inline constexpr std::string_view pictureFonts[] = {"Inter", "DejaVu Sans", "Helvetica", "Arial"};

} // namespace pw
