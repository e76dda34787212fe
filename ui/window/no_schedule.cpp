// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/no_schedule.h"

#include "ui/window/main_window.h"

namespace pw::ui {

QString noSchedule(const MainWindow& window)
{
    return window.schedulePage() == nullptr ? MainWindow::tr("No schedule is open.") : QString();
}

} // namespace pw::ui
