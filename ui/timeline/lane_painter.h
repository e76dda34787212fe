// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"
#include "ui/timeline/label_words.h"
#include "ui/timeline/time_scale.h"

#include <QBrush>
#include <QColor>
#include <QRectF>

#include <array>
#include <optional>
#include <utility>

class QPainter;

namespace pw::ui {

/// What the number on a block is: a micro-batch everywhere, but where one micro-batch is drawn its
/// stage, which is then written "s7".
enum class BlockNumber : bool
{
    MicroBatch,
    Stage
};

/// The number that a pass shows: "7" or "s7".
/// @param segmented  the segment of its micro-batch too: "7/2"
QString numberOf(const Pass& pass, BlockNumber number = BlockNumber::MicroBatch,
                 bool segmented = false);

/// Paints the spans of one lane on a screen, quickly; files have `LanePictures`. Blocks with labels
/// from near, mixed colours from afar, idle time hatched.
class LanePainter
{
public:
    /// Height of a lane from which on it shows what goes to the host's memory and back.
    static constexpr double leastWithCopies = 16;

    LanePainter(const Lanes& lanes, const TimeScale& scale, ColorBy colorBy)
        : m_lanes(lanes)
        , m_scale(scale)
        , m_colorBy(colorBy)
    {
    }

    void setNumber(BlockNumber number) { m_number = number; }
    /// Words that outlive this, for the next picture.
    void setWords(LabelWords& words) { m_words = &words; }

    /// Blocks are as seen through: so much of their colours on that of a lane, without the cost of
    /// a painter that mixes every pixel.
    void setOpacity(double opacity)
    {
        m_opacity = opacity;
        m_inks = {};
    }

    /// @param area  of the lane; spans are clipped to it
    void paint(QPainter& painter, std::size_t lane, const QRectF& area) const
    {
        paint(painter, lane, area, area);
    }
    /// Paints a part of the area, as it would be with all of it.
    /// @param exposed  whole pixels
    void paint(QPainter& painter, std::size_t index, const QRectF& area,
               const QRectF& exposed) const;
    /// Whether the spans in an area are too narrow to be painted one by one.
    bool mixes(std::size_t index, const QRectF& area) const;

    /// Whether a block of this size has round corners, or what looks like them.
    static bool isSoft(const QRectF& box) { return box.width() >= 9 && box.height() >= 14; }

    /// One block, as lanes and ghosts have it.
    void paintSpan(QPainter& painter, const QRectF& box, SpanLook look, const Pass& pass,
                   const Pass& partner) const;

private:
    /// The colour of a block, as it is seen on a lane, and that of the letters on it.
    struct Ink
    {
        QColor block;
        QColor letters;
    };

    /// Spans that reach into a stretch of pixels: the first, and the one behind the last.
    std::pair<std::size_t, std::size_t> spansIn(const Lane& lane, double left, double right) const;
    void paintIdle(QPainter& painter, const Lane& lane, const QRectF& box, std::size_t first,
                   std::size_t last) const;
    void paintBlocks(QPainter& painter, std::size_t index, const QRectF& area, std::size_t first,
                     std::size_t last) const;
    void paintMixed(QPainter& painter, std::size_t index, const QRectF& area, std::size_t first,
                    std::size_t last) const;
    void paintCopies(QPainter& painter, const Lane& lane, const QRectF& area,
                     const QRectF& exposed) const;
    /// @param ink  of the block that leaves
    void paintMarks(QPainter& painter, const QRectF& box, SpanLook look, const QColor& ink) const;
    void paintHalf(QPainter& painter, const QRectF& box, PassKind kind, int tint,
                   const Pass& pass) const;
    void paintLabel(QPainter& painter, const QRectF& block, PassKind kind, const Pass& pass,
                    const Ink& ink) const;
    void paintText(QPainter& painter, const QRectF& box, Qt::Alignment where, const QString& text,
                   const Ink& ink) const;

    Ink inkOf(PassKind kind, int tint, int microBatch) const;
    Ink newInk(PassKind kind, int tint, int microBatch) const;
    const LabelWords::Word& word(QPainter& painter, const QString& letters) const;

    /// Of kind and tint, where these are all that a colour tells: neighbours have few.
    mutable std::array<std::optional<std::pair<int, Ink>>, 16> m_inks;
    mutable LabelWords m_own;
    LabelWords* m_words = nullptr;    ///< those of somebody who paints again; null: `m_own`
    mutable bool m_hatched = false;   ///< the block that is painted has lines over its colour
    mutable bool m_segmented = false; ///< it is of a segment of its micro-batch
    const Lanes& m_lanes;
    TimeScale m_scale;
    ColorBy m_colorBy;
    double m_opacity = 1;
    BlockNumber m_number = BlockNumber::MicroBatch;
};

/// The colour of a pass on the ground that this thread paints for.
QColor spanColor(ColorBy colorBy, PassKind kind, int tint, int microBatch);

/// Brush for idle time.
QBrush hatchBrush();

} // namespace pw::ui
