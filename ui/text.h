// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <concepts>
#include <string_view>

namespace pw {
class Sentence;
}

namespace pw::ui {

/// A name or a text of somebody else, for a widget; broken UTF-8 shows as replacement characters.
QString text(std::string_view utf8);

/// What the core says has words in the window's language: `coreSentence`.
template<std::same_as<Sentence> Said>
QString text(const Said& said) = delete;

} // namespace pw::ui
