// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/pages/page.h"

namespace pw::ui {

QString Page::whyNoFigure() const
{
    return tr("No timeline is in front.");
}

} // namespace pw::ui
