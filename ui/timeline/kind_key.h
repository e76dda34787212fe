// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"

#include <QString>

namespace pw::ui {

/// What a legend of lanes has to explain.
KindKey keyOf(const Lanes& lanes);

/// "backward for the input"
QString meaningOf(PassKind kind);
/// What tints are, for the end of a legend.
QString tintNote();

} // namespace pw::ui
