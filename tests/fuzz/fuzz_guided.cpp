// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// One reader under libFuzzer; PW_READER names it. tests/checks/fuzz.sh runs them all.

#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const pw::fuzz::Reader& reader = pw::fuzz::readerOf(PW_READER);
    const std::string input(reinterpret_cast<const char*>(data), size);
    reader.read(input);
    return 0;
}
