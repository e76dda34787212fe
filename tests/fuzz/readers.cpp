// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/fuzz/readers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace pw::fuzz {

std::vector<Reader> allReaders()
{
    std::vector<Reader> all;
    for (const std::span<const Reader> some :
         {fileReaders(), traceReaders(), sourceReaders(), studyReaders()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

const Reader& readerOf(std::string_view name)
{
    static const std::vector<Reader> all = allReaders();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [name](const Reader& one) { return one.name == name; });
    if (found == all.end())
        broken("there is no reader " + std::string(name));
    return *found;
}

void broken(const std::string& why)
{
    std::fprintf(stderr, "fuzz: %s\n", why.c_str());
    std::abort();
}

} // namespace pw::fuzz
