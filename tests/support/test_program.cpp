// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"

#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace pw::tests {

namespace {

// Filled before main begins, in any order of files.
std::map<std::string, RunTestFile, std::less<>>& testFiles()
{
    static std::map<std::string, RunTestFile, std::less<>> files;
    return files;
}

} // namespace

void addTestFile(const char* path, RunTestFile run)
{
    std::string_view stem = path;
    stem.remove_prefix(stem.rfind('/') + 1);
    stem.remove_suffix(stem.size() - stem.find('.'));
    testFiles().emplace(stem, run);
}

} // namespace pw::tests

int main(int argc, char** argv)
{
    const auto& files = pw::tests::testFiles();
    const auto file = argc > 1 ? files.find(std::string_view(argv[1])) : files.end();
    if (file == files.end()) {
        std::fprintf(stderr, "Usage: %s TEST [ARGUMENTS OF QT TEST]\nTests:\n", argv[0]);
        for (const auto& [name, run] : files)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    // Qt Test sees its own arguments alone.
    argv[1] = argv[0];
    return file->second(argc - 1, argv + 1);
}
