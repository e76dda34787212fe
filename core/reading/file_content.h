// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <string>

namespace pw {

/// What somebody who opens a path means.
enum class FileContent : std::uint8_t
{
    Missing,
    Unreadable, ///< a pipe or a device: reading it may wait for ever
    Trace,      ///< as `looksLikeTrace` says; folders too
    Lesson,
    Results, ///< of lessons
    Rules,   ///< for names of traces
    Costs,
    Schedule ///< everything else: whoever reads schedules says what is wrong with it
};

/// The one place that says what kind of file stands at a path: by its content, whatever its name.
/// Reads 1 MiB, as much as a lesson may have.
///
/// A file that has the mark of one of this program's own kinds is of that kind, also where it
/// cannot be read otherwise: too long, of another version, with a field missing.
FileContent fileContent(const std::string& path);

} // namespace pw
