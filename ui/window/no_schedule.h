// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

class MainWindow;

/// Why a command about the schedule in front cannot be given; empty where one is in front.
QString noSchedule(const MainWindow& window);

} // namespace pw::ui
