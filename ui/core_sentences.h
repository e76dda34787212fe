// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <string_view>

namespace pw::ui {

/// What the core says of an error, in the window's language: its sentence is known by the words
/// around its names and numbers, which go over as they are; what stands in it and is a sentence of
/// its own ("step 2 of the demonstration: …", "… (and 3 more)") is said likewise. A sentence that
/// is not known, or that the language does not have, stays in English, and so does everything in
/// an English window, letter by letter.
QString coreSentence(std::string_view english);

} // namespace pw::ui
