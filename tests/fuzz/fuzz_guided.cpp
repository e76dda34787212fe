// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// One reader under libFuzzer, the one that PW_READER names in the environment:
//
//     PW_READER=plan build/checked/tests/fuzz/fuzz_guided CORPUS
//
// tests/checks/fuzz.sh runs them all.

#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const pw::fuzz::Reader& reader = []() -> const pw::fuzz::Reader& {
        const char* name = std::getenv("PW_READER");
        if (name == nullptr) {
            std::fputs("fuzz_guided: PW_READER names the reader\n", stderr);
            std::exit(2);
        }
        return pw::fuzz::readerOf(name);
    }();
    const std::string input(reinterpret_cast<const char*>(data), size);
    reader.read(input);
    return 0;
}
