// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/event_arguments.h"
#include "ui/pages/page.h"

namespace pw::ui {

class ActivityView;

/// What stands beside a trace: what it is, where its devices' time went, and what is selected: a
/// slice with what it follows from and what follows, or idle time with its reason.
/// @param deviceTime  no rows: not known
/// @param arguments   of the selected slice, as the file has them; empty: none are known
PageDetails traceDetails(const ActivityView& view, const DetailsPart& deviceTime,
                         const ArgumentTexts& arguments);

} // namespace pw::ui
