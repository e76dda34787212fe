// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <string_view>

namespace pw::ui {

/// What the core says, for a widget; broken UTF-8 shows as replacement characters.
QString text(std::string_view utf8);

} // namespace pw::ui
