// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/picture.h"
#include "core/io/text_measure.h"

#include <QColor>
#include <QFont>

class QPainter;

namespace pw::ui {

/// The font of pictures: the first of their families that there is.
QFont pictureFont();

/// How much room text takes in a font, whatever the size of its letters.
/// @param pixels  size that the height of a line is taken at
TextMeasure measureOf(const QFont& font, int pixels);

/// Draws what a picture consists of. @param font  of texts; they say their sizes themselves
void paintPicture(QPainter& painter, const PictureItems& items, const QFont& font);

inline QColor qtColor(Rgb color)
{
    return {color.red, color.green, color.blue};
}

inline Rgb rgbOf(const QColor& color)
{
    return {static_cast<std::uint8_t>(color.red()), static_cast<std::uint8_t>(color.green()),
            static_cast<std::uint8_t>(color.blue())};
}

} // namespace pw::ui
