// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/lane_pictures.h"

#include "core/io/away_mark.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr double gapBetween = 0.8; ///< a hairline between blocks where there is room for one
constexpr double cornerSide = 6;   ///< of the mark of a copy
constexpr const char* awayPart = "ho";
constexpr const char* backPart = "hb";

/// A name for what a block shows: its kind and how light it is. B and BW look alike but for the
/// stripe.
std::string_view partOf(PassKind kind, int tint)
{
    constexpr std::string_view names[][fullTint + 1] = {
        {"f", "f1", "f2", "f3", "f4", "f5", "f6", "fl"},
        {"b", "b1", "b2", "b3", "b4", "b5", "b6", "bl"},
        {"w", "w1", "w2", "w3", "w4", "w5", "w6", "wl"},
        {"b", "b1", "b2", "b3", "b4", "b5", "b6", "bl"},
        {"r", "r1", "r2", "r3", "r4", "r5", "r6", "rl"},
        {"u", "u1", "u2", "u3", "u4", "u5", "u6", "ul"}};
    static_assert(std::size(names) == passKindCount);
    return names[static_cast<std::size_t>(kind)][tint];
}

PictureRect filled(std::string_view part, const PictureBox& box, Rgb color, double radius = 0)
{
    PictureRect rect{part, box};
    rect.paint.fill = color;
    rect.radius = radius;
    return rect;
}

Rgb laneGround(FigureGround ground)
{
    return ground == FigureGround::Paper ? Rgb{255, 255, 255}
                                         : colorOf(Role::Lane, groundOf(ground));
}

/// The lines that tell kinds apart in print; F has none.
void layPattern(PictureItems& out, const PictureBox& box, PassKind kind, Rgb ink)
{
    constexpr double distance = 3.6, width = 0.6;
    if (kind == PassKind::F)
        return;
    const LinePattern lines = kind == PassKind::W   ? LinePattern::Level
                              : kind == PassKind::R ? LinePattern::Falling
                              : kind == PassKind::U ? LinePattern::Grid
                                                    : LinePattern::Rising;
    const Rgb color = wantsWhiteText(ink) ? mixedColor(ink, {255, 255, 255}, 0.5)
                                          : mixedColor(ink, {0, 0, 0}, 0.35);
    out.push_back(PicturePattern{"k", box, lines, distance, color, width});
}

/// Idle time; finer in print.
PicturePattern hatch(const PictureBox& box, FigureGround ground)
{
    const bool paper = ground == FigureGround::Paper;
    return {"i",
            box,
            LinePattern::Rising,
            paper ? 5.0 : 6.0,
            colorOf(Role::Hatch, groundOf(ground)),
            paper ? 0.7 : 1.2};
}

/// Of the blocks' upper corners: the right one where the activation leaves, the left one where it
/// is needed again.
PicturePath corner(const PictureBox& box, double side, bool back)
{
    const double edge = back ? box.left : box.right();
    PicturePath path{
        back ? backPart : awayPart,
        {{edge, box.top}, {edge + (back ? side : -side), box.top}, {edge, box.top + side}}};
    path.closed = true;
    return path;
}

/// The mark ⇡ with its upper left corner at a place, in parts of its size.
void layAway(PictureItems& out, PicturePoint at, double size, Rgb ink)
{
    const std::string_view part = ink.red == 255 ? "aw" : "a";
    const double middle = at.x + size * AwayMark::width / 2;
    const double base = at.y + size * AwayMark::head;
    PicturePath head{part, {{middle, at.y}, {at.x + size * AwayMark::width, base}, {at.x, base}}};
    head.paint.fill = ink;
    head.closed = true;
    out.push_back(std::move(head));
    for (const int dash : AwayMark::stem)
        out.push_back(filled(
            part, {middle - size / 2, at.y + size * dash, size, size * AwayMark::dash}, ink));
}

Rgb copyColor(bool back, FigureGround ground)
{
    return colorOf(back ? Role::Later : Role::Accent, groundOf(ground));
}

} // namespace

std::size_t FigureLanes::spanCount() const
{
    std::size_t count = 0;
    for (const FigureLane& lane : lanes)
        count += lane.spans->size();
    return count;
}

LanePictures::LanePictures(const FigureLanes& lanes, const TimeScale& scale,
                           const TextMeasure& measure, FigureGround ground, ColorBy colorBy,
                           double letters, double height)
    : m_lanes(lanes)
    , m_scale(scale)
    , m_measure(measure)
    , m_ground(ground)
    , m_colorBy(colorBy)
    , m_height(height)
    , m_largest(letters)
{
    // A file with a shape for each of very many passes is of no use to anybody.
    constexpr std::size_t mostShapes = 12'000;
    m_many = lanes.spanCount() > mostShapes;
    if (!m_many)
        chooseLabels();
}

double LanePictures::wide(const std::string& text)
{
    const auto known = m_widths.find(text);
    if (known != m_widths.end())
        return known->second;
    return m_widths.emplace(text, m_measure.width(text, false)).first->second;
}

std::string LanePictures::numberOf(const Pass& pass) const
{
    std::string number = std::to_string(pass.microBatch);
    if (m_segments && pass.kind != PassKind::U)
        number += '/' + std::to_string(pass.segment);
    return number;
}

/// The largest size of text in a box, for each way to write a label.
std::array<double, 3> LanePictures::sizesIn(const Pass& pass, double width, double height)
{
    const double number = wide(numberOf(pass));
    const double kind = wide(std::string(name(pass.kind)));
    const double room = width - 2;
    return {std::min(room / (kind + number), height - 2.4),
            std::min(room / std::max(kind, number), (height - 4) / 2.2),
            std::min((width - 1) / number, height - 2.4)};
}

/// The best way to write labels that fits nearly all blocks.
void LanePictures::chooseLabels()
{
    constexpr std::array<double, 3> least = {8.5, 7, 6};
    struct Block
    {
        Pass pass;
        double width;
    };
    std::vector<Block> blocks;
    for (const FigureLane& lane : m_lanes.lanes) {
        for (std::size_t i = 0; i < lane.spans->size(); ++i) {
            const Pass pass = m_lanes.passes(lane.spans->entry[i], false);
            m_segments = m_segments || lane.spans->look[i].segmented != 0;
            const Ticks length = lane.spans->end[i] - lane.spans->start[i];
            blocks.push_back(
                {pass, static_cast<double>(length) / m_scale.ticksPerPixel - gapBetween});
        }
    }
    if (blocks.empty())
        return;
    std::array<std::vector<double>, 3> sizes;
    for (const Block& block : blocks) {
        // The two halves of a pair have the room of one line each.
        const auto fit = sizesIn(block.pass, block.width, m_height * 0.8);
        for (std::size_t way = 0; way < fit.size(); ++way)
            sizes[way].push_back(fit[way]);
    }
    for (std::size_t way = 0; way < sizes.size(); ++way) {
        const auto few = sizes[way].begin() + static_cast<std::ptrdiff_t>(sizes[way].size() / 50);
        std::nth_element(sizes[way].begin(), few, sizes[way].end());
        if (*few < least[way])
            continue;
        m_way = way;
        m_size = std::floor(std::min(*few, m_largest));
        return;
    }
}

void LanePictures::lay(PictureItems& out, std::size_t index, const PictureBox& box)
{
    const FigureLane& lane = m_lanes.lanes[index];
    const LaneSpans& spans = *lane.spans;
    const double begin = m_scale.x(m_lanes.begin), end = m_scale.x(m_lanes.end);
    out.push_back(filled("lane", box, laneGround(m_ground)));
    if (spans.size() == 0)
        return;
    // Where passes are too narrow to be told apart, their colours are mixed.
    constexpr double narrowest = 1.5;
    if (m_many || static_cast<double>(spans.size()) * narrowest >= box.width) {
        layMixed(out, lane, box);
        return;
    }
    out.push_back(hatch({begin, box.top, end - begin, box.height}, m_ground));
    m_above.clear();
    double drawn = box.left - 1;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const double left = std::max(m_scale.x(spans.start[i]), drawn);
        const double right = m_scale.x(spans.end[i]);
        if (right - left < 0.25)
            continue;
        drawn = right;
        const SpanLook look = spans.look[i];
        const PictureBox whole{left, box.top, right - left, box.height};
        const Pass pass = m_lanes.passes(spans.entry[i], false);
        if (look.paired == 0) {
            layBlock(out, whole, look.kind, look.tint, pass);
        } else {
            const double half = (box.height - gapBetween) / 2;
            layBlock(out, {left, box.top, whole.width, half}, look.kind, look.tint, pass);
            layBlock(out, {left, box.bottom() - half, whole.width, half}, look.partner,
                     look.partnerTint, m_lanes.passes(spans.entry[i], true));
        }
        if (look.guessed != 0)
            m_above.push_back(
                PicturePattern{"guessed", whole, LinePattern::Rising, 5, laneGround(m_ground), 1});
        layMarks(whole, look, pass);
    }
    // The labels stay readable: a row of copies is thinner than what they leave free below them.
    out.insert(out.end(), std::make_move_iterator(m_above.begin()),
               std::make_move_iterator(m_above.end()));
    layCopies(out, spans, box);
}

/// Of letters and marks on a block.
Rgb LanePictures::inkOn(Rgb block) const
{
    return wantsWhiteText(block)             ? Rgb{255, 255, 255}
           : m_ground == FigureGround::Paper ? Rgb{0, 0, 0}
                                             : colorOf(Role::Text, Ground::Light);
}

void LanePictures::layMixed(PictureItems& out, const FigureLane& lane, const PictureBox& box) const
{
    constexpr double fine = 4; // columns a pixel, as paper may have them
    TimeScale scale = m_scale;
    scale.left *= fine;
    scale.ticksPerPixel /= fine;
    const double left = box.left * fine;
    std::vector<Fill> fills(static_cast<std::size_t>(std::max(1.0, std::ceil(box.width * fine))));
    if (!lane.sample || !lane.sample(scale.time(left), scale.ticksPerPixel,
                                     static_cast<int>(fills.size()), fills.data()))
        fillOf(*lane.spans, 0, lane.spans->size(), scale, left, fills);
    PictureStrip strip{"mixed", box, {}};
    strip.columns.reserve(fills.size());
    const FillMixer mixer(groundOf(m_ground));
    for (const Fill& fill : fills)
        strip.columns.push_back(mixer.color(fill));
    out.push_back(std::move(strip));
}

void LanePictures::layBlock(PictureItems& out, const PictureBox& box, PassKind kind, int tint,
                            const Pass& pass)
{
    const Rgb ink = spanColor(m_colorBy, kind, tint, pass.microBatch, groundOf(m_ground));
    PictureBox block = box;
    if (box.width > 4)
        block.width -= gapBetween;
    const bool paper = m_ground == FigureGround::Paper;
    const bool rounded = !paper && box.width >= 9 && box.height >= 14;
    out.push_back(filled(partOf(kind, tint), block, ink, rounded ? 2.5 : 0));
    if (kind == PassKind::BW && box.height >= 6) {
        const double stripe = std::max(2.0, 0.18 * block.height);
        block.height -= stripe;
        out.push_back(
            filled(partOf(PassKind::W, tint), {block.left, block.bottom(), block.width, stripe},
                   spanColor(m_colorBy, PassKind::W, tint, pass.microBatch, groundOf(m_ground))));
    }
    if (paper && block.width >= 4 && box.height >= 8)
        layPattern(out, block, kind, ink);
    layLabel(block, pass, kind, ink);
}

/// Kind and micro-batch in one line, or above each other, or the number alone; nothing where it
/// does not fit.
void LanePictures::layLabel(const PictureBox& box, const Pass& pass, PassKind kind, Rgb ink)
{
    constexpr double tolerance = 0.3, least = 8;
    // Most blocks of a picture that is seen from afar have room for nothing.
    if (box.width < 4 || box.height < 6)
        return;
    const auto sizes = sizesIn(pass, box.width, box.height);
    std::size_t way = m_way;
    // A flat box, half of a pair, has no room for two lines but often for a long one.
    if (way == 1 && sizes[1] < m_size)
        way = sizes[0] + tolerance >= m_size ? 0 : 2;
    if (sizes[way] + tolerance < std::min(m_size, least))
        return;
    const bool paper = m_ground == FigureGround::Paper;
    const Rgb color = inkOn(ink);
    const auto line = [&](double middle, std::string words) {
        const double half = m_size * wide(words) / 2;
        const double high = 0.45 * m_size;
        // The pattern makes room for the text.
        if (paper && kind != PassKind::F)
            m_above.push_back(filled(
                "k", {box.center().x - half - 0.5, middle - high, 2 * half + 1, 2 * high}, ink));
        m_above.push_back(PictureText{color.red == 255 ? "mw" : "m",
                                      {box.center().x, middle},
                                      std::move(words),
                                      TextAnchor::Middle,
                                      m_size,
                                      color});
    };
    const double middle = box.center().y;
    const std::string letters(name(kind)), number = numberOf(pass);
    if (way == 1) {
        line(middle - 0.58 * m_size, letters);
        line(middle + 0.58 * m_size, number);
    } else {
        line(middle, way == 0 ? letters + number : number);
    }
}

/// The room of a label in the way of this picture.
PictureBox LanePictures::lettersOf(const Pass& pass)
{
    const double kind = wide(std::string(name(pass.kind))), number = wide(numberOf(pass));
    const bool two = m_way == 1;
    return {0, 0, m_size * (two ? std::max(kind, number) : kind + number),
            m_size * (two ? 2 : 1) * m_measure.line};
}

/// As lanes have them: a ⇡ where it stands clear of the letters, else corners.
void LanePictures::layMarks(const PictureBox& box, SpanLook look, const Pass& pass)
{
    if ((look.leaves == 0 && look.returns == 0) || box.width < cornerSide + 1 ||
        box.height < leastWithCopies)
        return;
    for (const bool back : {false, true}) {
        if (back ? look.returns == 0 : look.leaves == 0)
            continue;
        if (!back && AwayMark::fits(box, lettersOf(pass), look)) {
            const Rgb block =
                spanColor(m_colorBy, look.kind, look.tint, pass.microBatch, groundOf(m_ground));
            const PictureBox mark{box.right() - AwayMark::room - AwayMark::width,
                                  box.top + AwayMark::top, AwayMark::width, AwayMark::height};
            // Lines of a guessed time are away.
            if (look.guessed != 0)
                m_above.push_back(filled("k", mark, block));
            layAway(m_above, {mark.left, mark.top}, 1, inkOn(block));
            m_arrows = true;
            continue;
        }
        const PictureBox solid{box.left, box.top, box.width - gapBetween, box.height};
        PicturePath path = corner(solid, cornerSide, back);
        path.paint.fill = copyColor(back, m_ground);
        m_above.push_back(std::move(path));
    }
}

/// Two thin rows at the lower edge: what leaves for the host, and under it what comes back. Bars
/// narrower than a quarter of a pixel are joined, as blocks are.
void LanePictures::layCopies(PictureItems& out, const LaneSpans& lane, const PictureBox& box) const
{
    if (box.height < leastWithCopies)
        return;
    const double row = std::clamp(std::floor(box.height / 12), 1.0, 3.0);
    std::vector<std::pair<Ticks, Ticks>> ways[2]; // there, back
    for (const LaneCopy& copy : lane.copies)
        ways[copy.back ? 1 : 0].emplace_back(copy.start, copy.end);
    for (const bool back : {false, true}) {
        auto& times = ways[back ? 1 : 0];
        std::sort(times.begin(), times.end());
        const double top = box.bottom() - (back ? row : 2 * row + 1);
        double drawn = box.left - 1;
        for (const auto& [start, end] : times) {
            const double left = std::max(m_scale.x(start), drawn), right = m_scale.x(end);
            if (right - left < 0.25)
                continue;
            drawn = right;
            const double width = right - left - (right - left > 3 ? gapBetween : 0);
            // A rim of the ground keeps it apart from the block that it lies on.
            out.push_back(filled("hr", {left, top - 1, width, row + 1}, laneGround(m_ground)));
            out.push_back(filled(back ? backPart : awayPart, {left, top, width, row},
                                 copyColor(back, m_ground)));
        }
    }
}

void LanePictures::laySwatch(PictureItems& out, const PictureBox& box, PassKind kind, int tint,
                             FigureGround ground)
{
    const Rgb ink = spanColor(ColorBy::Kind, kind, tint, 0, groundOf(ground));
    out.push_back(filled(partOf(kind, tint), box, ink));
    PictureBox rest = box;
    if (kind == PassKind::BW) {
        rest.height *= 0.75;
        out.push_back(filled(partOf(PassKind::W, tint),
                             {box.left, rest.bottom(), box.width, box.height - rest.height},
                             spanColor(ColorBy::Kind, PassKind::W, tint, 0, groundOf(ground))));
    }
    if (ground == FigureGround::Paper)
        layPattern(out, rest, kind, ink);
}

void LanePictures::layIdle(PictureItems& out, const PictureBox& box, FigureGround ground)
{
    PictureRect frame = filled("frame", box, laneGround(ground));
    frame.paint.line = colorOf(Role::Hatch, groundOf(ground));
    frame.paint.lineWidth = 0.5;
    out.push_back(std::move(frame));
    out.push_back(hatch(box, ground));
}

void LanePictures::layCopySign(PictureItems& out, const PictureBox& box, bool back,
                               FigureGround ground, bool arrow)
{
    constexpr double row = 3;
    const Rgb color = copyColor(back, ground);
    if (!back && arrow) {
        const double size = (box.height - row - 0.5) / AwayMark::height;
        layAway(out, {box.center().x - size * AwayMark::width / 2, box.top}, size,
                ground == FigureGround::Paper ? Rgb{0, 0, 0}
                                              : colorOf(Role::Text, groundOf(ground)));
    } else {
        PicturePath path = corner(box, 0.45 * box.width, back);
        path.paint.fill = color;
        out.push_back(std::move(path));
    }
    out.push_back(
        filled(back ? backPart : awayPart, {box.left, box.bottom() - row, box.width, row}, color));
}

} // namespace pw
