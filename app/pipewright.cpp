// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"

#include <iostream>
#include <new>
#include <string>
#include <vector>

int main(int argc, char** argv)
{
    std::ios::sync_with_stdio(false);
    try {
        const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
        return static_cast<int>(pw::app::runProgram(words, std::cout, std::cerr));
    } catch (const std::bad_alloc&) {
        std::cerr << "pipewright: out of memory\n";
        return static_cast<int>(pw::app::ExitCode::Wrong);
    }
}
