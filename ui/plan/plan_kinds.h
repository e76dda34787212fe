// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/plan/plan_fields.h"

#include <QString>

namespace pw::ui {

// What is said of memory on a cluster of one kind of device or several.

/// What the leanest configuration needs, where nothing fits.
QString leanestText(const PlanAsked& asked, const plan::Evaluation& leanest);

/// The line of the picture: what a device has, of several kinds the one with most.
QString limitText(const PlanAsked& asked);

} // namespace pw::ui
