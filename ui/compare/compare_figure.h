// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/export/figure.h"

#include <vector>

namespace pw::ui {

/// Several timelines below each other as one figure, each with a letter. @pre none is null
FigureContent figureOf(const std::vector<ComparedPtr>& timelines);

} // namespace pw::ui
