// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/io/json_text.h"

namespace pw {

// What web pages are given beside lanes (core/io/lanes_json.h); web/src has the types.

/// A sentence: a text that is the same in every language, or the pattern and what stands at its
/// places, `["%1 of %2", …]`. A page says it in its language.
void writeSentence(JsonText& out, const Sentence& sentence);

/// The studio's own colours as the members `light` and `dark`, and whether white reads better on
/// each; the members of an object that is begun.
void writeColours(JsonText& out);

} // namespace pw
