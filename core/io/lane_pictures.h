// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/lane_spans.h"
#include "core/io/picture.h"
#include "core/io/text_measure.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pw {

/// What a figure stands on.
enum class FigureGround
{
    Paper, ///< white, black text, kinds told apart by pattern too
    Light,
    Dark
};

/// The table of colours that a ground takes.
constexpr Ground groundOf(FigureGround ground)
{
    return ground == FigureGround::Dark ? Ground::Dark : Ground::Light;
}

/// A lane of a picture. What it names must outlive it.
struct FigureLane
{
    std::string title;
    const LaneSpans* spans = nullptr; ///< not null
    /// What equal stretches of the lane are filled with, where it knows that sooner than from its
    /// spans; empty, or false where it does not.
    std::function<bool(double from, double width, int columns, Fill* out)> sample{};
};

/// Lanes over the same time.
struct FigureLanes
{
    std::vector<FigureLane> lanes;
    PassSource passes;
    Ticks begin = 0;
    Ticks end = 1; ///< after `begin`

    std::size_t spanCount() const;
};

/// Lays out the blocks of lanes: one way to write labels, and one size, for all of a picture.
class LanePictures
{
public:
    /// Height of a lane from which on it shows what goes to the host's memory and back.
    static constexpr double leastWithCopies = 12;

    /// The lanes must outlive it.
    /// @param letters  the largest size of a label, in pixels
    /// @param height   of a lane
    LanePictures(const FigureLanes& lanes, const TimeScale& scale, const TextMeasure& measure,
                 FigureGround ground, ColorBy colorBy, double letters, double height);

    /// Ground, blocks, labels and copies of a lane.
    void lay(PictureItems& out, std::size_t index, const PictureBox& box);
    /// A sample of a kind, as a legend has it.
    static void laySwatch(PictureItems& out, const PictureBox& box, PassKind kind, int tint,
                          FigureGround ground);
    /// A sample of idle time.
    static void layIdle(PictureItems& out, const PictureBox& box, FigureGround ground);
    /// A sample of what goes to the host's memory, or comes back from there.
    /// @param arrow  blocks have the mark ⇡ for what goes there, else a corner
    static void layCopySign(PictureItems& out, const PictureBox& box, bool back,
                            FigureGround ground, bool arrow);
    /// Whether some block that was laid out has the mark ⇡.
    bool hasArrows() const { return m_arrows; }

private:
    void chooseLabels();
    double wide(const std::string& text);
    Rgb inkOn(Rgb block) const;
    std::string numberOf(const Pass& pass) const;
    std::array<double, 3> sizesIn(const Pass& pass, double width, double height);
    void layMixed(PictureItems& out, const FigureLane& lane, const PictureBox& box) const;
    void layBlock(PictureItems& out, const PictureBox& box, PassKind kind, int tint,
                  const Pass& pass);
    void layLabel(const PictureBox& box, const Pass& pass, PassKind kind, Rgb ink);
    PictureBox lettersOf(const Pass& pass);
    void layMarks(const PictureBox& box, SpanLook look, const Pass& pass);
    void layCopies(PictureItems& out, const LaneSpans& lane, const PictureBox& box) const;

    const FigureLanes& m_lanes;
    TimeScale m_scale;
    const TextMeasure& m_measure;
    FigureGround m_ground;
    ColorBy m_colorBy;
    double m_height;
    bool m_many = false; ///< too many passes for a shape each
    bool m_arrows = false;
    bool m_segments = false; ///< of some micro-batches
    std::size_t m_way = 2;   ///< of writing labels: one line, two lines, number alone
    double m_size = 6;       ///< of labels
    double m_largest;
    PictureItems m_above; ///< of the lane that is laid out: labels and marks, over all blocks
    std::unordered_map<std::string, double> m_widths;
};

} // namespace pw
