// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/export/figure.h"

#include <QString>

namespace pw::ui {

/// A figure of a file or a family, as `pipewright-studio --render` makes it.
struct RenderRequest
{
    QString input;        ///< a project, schedule text or PyTorch CSV, or the id of a family
    QString output;       ///< .svg, .pdf or .png
    int devices = 0;      ///< of a family; 0: as it has them
    int microBatches = 0; ///< of a family; 0: two a device
    double dpi = 300;     ///< of a PNG
    FigureLook look;
};

/// What there is to see of a file or a family.
///
/// @error BadValue  neither a family nor a file, or an option that a file decides
/// @error of the reader, the family, the simulation
Result<FigureContent> contentOf(const RenderRequest& request);

/// Makes the figure and writes its file. @pre the output's name tells its format
/// @error as of `contentOf`, of the figure and of writing
Result<void> render(const RenderRequest& request);

} // namespace pw::ui
