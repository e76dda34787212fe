// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QImage>
#include <QString>

namespace pw::ui {

/// A small picture of what a word of the glossary means: a schedule that is built and simulated
/// when it is asked for, with what the word is about in full colour and the rest pale; idle time,
/// a message, a stretch of time or the memory of a device are marked where the word is about them.
///
/// @param word   as the glossary writes it
/// @param width  in points
/// @param ratio  pixels of a point
/// @return       null for a word that no schedule shows
QImage glossaryPicture(const QString& word, int width, double ratio);

} // namespace pw::ui
