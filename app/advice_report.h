// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/advise/after.h"

#include <cstddef>
#include <optional>
#include <string>

namespace pw::app {

/// Advice as a command tells it.
struct ToldAdvice
{
    const AdviceSource& source;
    const Advice& advice;
    std::optional<std::size_t> chosen; ///< the change that is drawn and written
    const AfterCheck* after = nullptr; ///< null: not asked for
};

/// For people. @param drawn  the timelines too
std::string adviceText(const ToldAdvice& told, const Screen& screen, bool drawn);

/// One object: `step_ms`, `why`, `changes` …
std::string adviceJson(const ToldAdvice& told);

/// What a change is, what it promises and how to see whether it held: three lines.
std::string adviceNote(const AdviceSource& source, const AdvisedChange& change);

} // namespace pw::app
