// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/options.h"
#include "core/base/result.h"
#include "executor/api/stop.h"

#include <cstdint>
#include <memory>
#include <string>

namespace pw::app {

/// The word that stands for a file on standard input.
constexpr const char* standardInput = "-";

/// --attended: whoever started the program holds its standard input open.
Option attendedOption();

/// The file on standard input: up to its end, or up to a zero byte where it stays open for an
/// attendant. Read once; later calls give the same text.
///
/// @error Io        cannot be read, or ended without the zero byte of an attendant
/// @error TooLarge  longer than `limit` bytes
Result<std::string> readStandardInput(std::int64_t limit, bool attended);

/// While it lives, the end of standard input asks a run to stop: whoever started the program has
/// closed it, or has gone, however many links away it was. What still comes is left aside.
class Attendance
{
public:
    /// @param stop  outlives this
    explicit Attendance(exec::Stop& stop);
    ~Attendance();
    Attendance(const Attendance&) = delete;
    Attendance& operator=(const Attendance&) = delete;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace pw::app
