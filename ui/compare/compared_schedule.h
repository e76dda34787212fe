// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"

namespace pw::ui {

class ScheduleDocument;

/// A schedule as it is now; null where it has no times.
ComparedPtr comparedSchedule(const ScheduleDocument& document, const QString& title);

} // namespace pw::ui
