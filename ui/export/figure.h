// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/figure.h"
#include "core/model/annotation.h"
#include "core/model/costs.h"
#include "core/sim/simulator.h"
#include "ui/charts/bubble_chart.h"
#include "ui/models/lanes.h"

#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QSizeF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace pw::ui {

class ScheduleDocument;

/// What a figure shows. Parts that are empty are left out.
struct FigureContent
{
    QString title;
    QString numbers; ///< one line below the title
    LanesPtr lanes;  ///< not null
    std::vector<BubbleRow> bubbles;
    FigureMemory memory;
    std::vector<PlacedAnnotation> annotations; ///< over the lanes
};

/// A simulated schedule as a figure shows it; memory is that of the device that holds most.
/// @pre the result is of this schedule and these costs
FigureContent figureOf(std::shared_ptr<const Schedule> schedule, const Costs& costs,
                       const SimResult& result, const QString& title);

/// The same of an open document; of an unfinished one the lanes alone.
FigureContent figureOf(const ScheduleDocument& document);

/// Lanes as pictures have them; the lanes must outlive it.
FigureLanes lanesOf(const Lanes& lanes);

/// The numbers of a simulated schedule in a line: makespan, bubbles, peak.
QString numbersOf(const SimResult& result);

/// How a figure looks and what of its content it has.
struct FigureLook
{
    static constexpr double oneColumn = 84; ///< millimetres, as most journals have it
    static constexpr double twoColumns = 178;
    static constexpr double narrowest = 40;
    static constexpr double widest = 2000;

    FigureGround ground = FigureGround::Paper;
    double widthMm = twoColumns;
    ColorBy colorBy = ColorBy::Kind;
    bool title = true;
    bool numbers = true;
    bool legend = true;
    bool memory = false;
    bool bubbles = false;
    bool annotations = true;
};

/// A picture of lanes and charts, laid out by the core; paints into anything. All lengths are CSS
/// pixels, 96 an inch.
class FigureDrawing
{
public:
    FigureDrawing(const FigureContent& content, const FigureLook& look);
    /// The same where text is as wide as said.
    FigureDrawing(const FigureContent& content, const FigureLook& look, const TextMeasure& measure);

    /// What it consists of.
    const Picture& picture() const { return m_picture; }
    QSizeF size() const { return {m_picture.width, m_picture.height}; }
    void paint(QPainter& painter) const;

private:
    QFont m_font;
    Picture m_picture;
};

enum class FigureFormat
{
    Svg,
    Pdf,
    Png
};

/// The format that the end of a file's name stands for.
std::optional<FigureFormat> figureFormatOf(const QString& path);

/// A figure as an image. @param dpi  96: a pixel is a CSS pixel
/// @error TooLarge  more pixels than an image may have
Result<QImage> figureImage(const FigureDrawing& figure, double dpi);

/// The bytes of a figure's file; the same figure gives the same bytes. (A PDF of several fonts does
/// so within one process, or with a fixed seed of Qt's hashes.)
/// @param dpi  of a PNG
/// @error TooLarge  as `figureImage`
Result<QByteArray> figureFile(const FigureDrawing& figure, FigureFormat format,
                              const QString& title, double dpi = 300);

/// Puts one fixed time in the place of the one that a PDF was made at, digit by digit, as its table
/// counts bytes: what is the same is then the same file.
void fixPdfDate(QByteArray& file);

} // namespace pw::ui
