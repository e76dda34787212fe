// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"

#include <QString>

namespace pw::ui {

/// What the core says (an error, a problem of an order, a pass), in the window's language: its
/// pattern is looked up, and names, numbers and sentences in it are put at its places. A sentence
/// that the language does not have is said in English, and so is everything in an English window,
/// letter by letter.
QString coreSentence(const Sentence& said);

} // namespace pw::ui
