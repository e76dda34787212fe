// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/figure.h"

namespace pw {

// The inside of `layFigure`: where the parts of a figure lie.

/// What is drawn of a figure so far, and with which letters and colours.
class FigurePen
{
protected:
    FigurePen(FigureGround ground, const TextMeasure& measure)
        : m_ground(ground)
        , m_measure(measure)
        , m_size(paper() ? 11 : 12) // 8 pt in print, the window's size on a screen
        , m_line(m_size * measure.line)
    {
    }

    bool paper() const { return m_ground == FigureGround::Paper; }
    Ground ground() const { return groundOf(m_ground); }
    Rgb textColor() const { return paper() ? Rgb{0, 0, 0} : colorOf(Role::Text, ground()); }
    Rgb quietColor() const { return paper() ? Rgb{0, 0, 0} : colorOf(Role::Secondary, ground()); }
    double line() const { return m_line; }
    double wide(std::string_view text, bool bold = false) const
    {
        return m_size * m_measure.width(text, bold);
    }

    void add(PictureItem item) { m_items.push_back(std::move(item)); }
    void text(std::string_view part, PicturePoint at, std::string words, Rgb color,
              TextAnchor anchor = TextAnchor::Begin, bool bold = false);
    void fill(std::string_view part, const PictureBox& box, Rgb color);
    void stroke(std::string_view part, std::vector<PicturePoint> points, Rgb color, double width,
                bool dashed = false);

    const FigureGround m_ground;
    const TextMeasure& m_measure;
    const double m_size; ///< of letters
    const double m_line;
    PictureItems m_items;
};

/// Where the parts of a figure lie, one below the other.
class FigureLayout : private FigurePen
{
public:
    FigureLayout(const FigureParts& figure, const FigureForm& form, const FigureWords& words,
                 const TextMeasure& measure);

    Picture run();

private:
    double laneTop(std::size_t lane) const
    {
        return m_lanesTop + static_cast<double>(lane) * (m_laneHeight + m_laneGap);
    }
    PictureBox laneBox(std::size_t lane) const
    {
        return {m_left, laneTop(lane), m_right - m_left, m_laneHeight};
    }

    // Each from `m_y` on, which is then below it.
    void layHead();
    void layLanes();
    void layNames();
    void layAxis();
    void layNotes();
    void layMemory();
    void layMemoryKinds(const PictureBox& box, double most, double nameless);
    void layMicroBatches(const PictureBox& box, double most);
    void layMemoryScale(const PictureBox& box, double most, double peak);
    void layBubbles();
    void layBubbleAxis(double room, double top, double bottom);
    void layLegend();
    void layCopyLegend();

    /// A heading in bold and what it is of. @return where it ends
    double heading(const std::string& words, const std::string& of);
    std::string bytesText(double bytes) const;

    const FigureParts& m_figure;
    const FigureForm& m_form;
    const FigureWords& m_words;
    KindKey m_key;
    TimeScale m_scale;
    double m_pad = 6;
    double m_left = 0;
    double m_right = 0;
    double m_laneHeight = 0;
    double m_laneGap = 0;
    double m_lanesTop = 0;
    double m_axis = 0;
    double m_y = 0;
    bool m_arrows = false; ///< blocks have the mark ⇡
};

} // namespace pw
