// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/value.h"
#include "core/model/annotation.h"
#include "ui/presentation.h"
#include "ui/timeline/lane_geometry.h"
#include "ui/timeline/lane_painter.h"

#include <QFont>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace pw::ui {

/// A line from the end of one span to the start of another.
struct Arrow
{
    SpanRef from;
    SpanRef to;
};

/// A block where a pass would be.
struct Ghost
{
    std::int32_t lane = 0;
    Ticks start = 0;
    Ticks end = 0;
    SpanLook look;
    Pass pass;
    Pass partner;
};

/// Spans that a search has found, by lane sorted by index. Shared, since there may be millions.
using FoundSpans = std::vector<std::vector<std::int64_t>>;

// What is drawn over the lanes: layers, each set by its owner alone, whatever the others show.

/// The view's own: what is selected in it.
struct SelectedLayer
{
    std::vector<SpanRef> selected; ///< the last one is the current one
    std::optional<QRectF> band;    ///< around spans that are being selected, in pixels
};

/// What belongs to the current span, by the workspace.
struct LinkLayer
{
    std::vector<SpanRef> critical; ///< in time order
    std::vector<SpanRef> strand;   ///< of the current one's micro-batch
    std::vector<Arrow> arrows;
};

/// What is wrong with the order, by who knows it.
struct WrongLayer
{
    std::vector<SpanRef> wrong; ///< that break a rule, or stand in a ring
    std::vector<Arrow> broken;  ///< from what should have come first
};

/// What a hover card, an explanation or the stage tells of just now.
struct LitLayer
{
    std::vector<SpanRef> lit;     ///< what the thing under the pointer waits for
    std::vector<Arrow> litArrows; ///< from there
};

/// What a drag would do.
struct TrialLayer
{
    std::vector<Ghost> ghosts;
};

/// Blocks that can be put there by a double click, by the lesson.
struct ReadyLayer
{
    std::vector<Ghost> ready;
};

/// A time that somebody has predicted, by the lesson.
struct GuessLayer
{
    std::optional<Ticks> guess;
    QString guessWords; ///< beside its line
};

/// Where a device gathers the weights of a stage, by the lesson.
struct GatherLayer
{
    std::vector<SpanRef> gathers;
};

/// Of playback.
struct CursorLayer
{
    std::optional<double> cursor;
};

/// Of the stage.
struct StageLayer
{
    bool futurePale = false; ///< what is behind the cursor's time has not happened yet
};

/// Where the pointer is in a chart.
struct PointerLayer
{
    std::optional<double> pointer;
};

/// What a search has found.
struct FoundLayer
{
    std::shared_ptr<const FoundSpans> found; ///< null: no search
};

struct AnnotationLayer
{
    std::vector<PlacedAnnotation> annotations;
    int annotation = -1; ///< the selected one; −1: none
};

/// All layers of a view.
struct Overlay : SelectedLayer,
                 LinkLayer,
                 WrongLayer,
                 LitLayer,
                 TrialLayer,
                 ReadyLayer,
                 GuessLayer,
                 GatherLayer,
                 CursorLayer,
                 StageLayer,
                 PointerLayer,
                 FoundLayer,
                 AnnotationLayer
{
    Overlay();
    PW_VALUE(Overlay);
};

/// Where a block of `ready` is; several of a lane share its height.
QRectF readyBox(const LaneGeometry& geometry, const Overlay& overlay, std::size_t place);

/// Paints an overlay over lanes that are painted already.
class OverlayPainter
{
public:
    OverlayPainter(const LaneGeometry& geometry, ColorBy colorBy, const QFont& font)
        : m_geometry(geometry)
        , m_colorBy(colorBy)
        , m_font(font)
    {
    }

    /// Words that outlive this, for the next picture.
    void setWords(LabelWords& words) { m_words = &words; }

    void paint(QPainter& painter, const Overlay& overlay) const;
    /// Its ghosts alone.
    void paintTrial(QPainter& painter, const Overlay& overlay) const;

private:
    void paintCritical(QPainter& painter, const Overlay& overlay) const;
    void paintGhosts(QPainter& painter, const Overlay& overlay) const;
    void paintFuture(QPainter& painter, const Overlay& overlay, double now) const;
    void paintReady(QPainter& painter, const Overlay& overlay) const;
    void paintGuess(QPainter& painter, const Overlay& overlay) const;
    void paintGathers(QPainter& painter, const Overlay& overlay) const;
    void paintStrand(QPainter& painter, const Overlay& overlay) const;
    void paintFound(QPainter& painter, const FoundSpans& found) const;
    void paintWrong(QPainter& painter, const Overlay& overlay) const;
    void paintLit(QPainter& painter, const Overlay& overlay) const;
    void paintArrow(QPainter& painter, const Arrow& arrow, Role role,
                    Qt::PenStyle line = Qt::SolidLine) const;
    void paintSelected(QPainter& painter, const Overlay& overlay) const;

    const LaneGeometry& m_geometry;
    ColorBy m_colorBy;
    QFont m_font;
    LabelWords* m_words = nullptr; ///< null: new ones each time
};

} // namespace pw::ui
