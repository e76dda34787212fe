// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>
#include <vector>

namespace pw::test {

/// The path of a file or folder under tests/data.
std::string testData(const std::string& name);

/// The content of a file under tests/data, unpacked where it is packed; ends the test program where
/// it cannot be read.
std::string testDataText(const std::string& name);

/// Makes an SQLite file from the statements of a file under tests/data; ends the test program where
/// it cannot.
void makeDatabase(const std::string& name, const std::string& path);

/// Writes the measured step of traces/megatron-p4-v4-m8.csv in Megatron's form: a B and an E event
/// a pass, the pass's numbers on the E alone, events of all ranks in the order of time.
void writeMegatronStep(const std::string& path);

/// A folder of larger real traces, which are not part of the sources: PW_DATA, else the one of the
/// build; there or not.
std::string largeTraceFolder();

/// The files and folders in it that are a trace each, by name. Left out are tables of measured
/// times, logs without a schedule, descriptions, and folders of small cases of many kinds.
std::vector<std::string> largeTraces();

} // namespace pw::test
