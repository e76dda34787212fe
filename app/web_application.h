// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/project_file.h"
#include "core/lesson/lesson.h"
#include "core/sim/simulator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

// Pages to work on: one file, with the core as WebAssembly where it computes, which the preset
// `web` makes and this program fills with data. The file is found when it is needed, so that a
// program that was built without Emscripten is the same program: what the variable
// PIPEWRIGHT_WEB_PAGE names, share/pipewright/web beside an installed program, or build/web beside
// the build folder.

/// What was measured of a schedule, to be seen beside it.
struct MeasuredLanes
{
    std::string title; ///< "Measured, iteration 3"
    const Schedule* schedule = nullptr;
    const Costs* costs = nullptr; ///< says what passes keep
    const SimResult* result = nullptr;
};

/// A page on which a schedule can be changed.
/// @error  as of `pageWithData`, or of `writeProject`
Result<std::string> interactivePage(const Project& project,
                                    const std::optional<MeasuredLanes>& measured = std::nullopt);

/// A lesson with the text of its file.
struct ExportedLesson
{
    std::string id;
    std::string text;
};

/// A page on which lessons are taken.
/// @param languages  codes; the first is shown where a browser asks for none of them
/// @error  as of `pageWithData`
Result<std::string> lessonPage(const std::string& title, const std::vector<ExportedLesson>& lessons,
                               const std::vector<std::string>& languages);

/// What a page does with its data.
enum class PageKind : std::uint8_t
{
    Computes, ///< has the core in it
    Tells     ///< shows what was computed before; has no core, and is a tenth as large
};

/// The page with data in it, as JSON.
/// @error Io       there is no such page here, and what makes one
/// @error Version  it is of another version of Pipewright
Result<std::string> pageWithData(PageKind kind, std::string_view data);

} // namespace pw::app
