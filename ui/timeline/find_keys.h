// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>

class QKeyEvent;

namespace pw::ui {

/// What a key asks for in a field of words to be found.
enum class FindKey : std::uint8_t
{
    None,     ///< it is typed
    Next,     ///< Enter, Down
    Previous, ///< Shift+Enter, Up
    Leave     ///< Escape
};

FindKey findKeyOf(const QKeyEvent& event);

} // namespace pw::ui
