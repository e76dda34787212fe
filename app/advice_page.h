// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/advice_report.h"
#include "core/base/result.h"

#include <string>

namespace pw::app {

/// Advice as a page: changes ranked, and of the one that is picked the lanes before and after.
/// @error  as of `pageWithData`
Result<std::string> advicePage(const ToldAdvice& told);

} // namespace pw::app
