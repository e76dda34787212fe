// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/interrupt.h"
#include "app/own_families.h"
#include "core/base/display_text.h"
#include "core/system/process.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view outOfMemory = "pipewright: out of memory\n";

void sayOutOfMemory()
{
    pw::sys::sayWithoutMemory(outOfMemory);
}

void endWithoutMemory()
{
    sayOutOfMemory();
    pw::sys::endProcess(static_cast<int>(pw::app::ExitCode::Wrong));
}

/// What nobody caught, in a thread of a library or between two of them, is most often memory that
/// was not there.
[[noreturn]] void endUncaught()
{
    try {
        if (const std::exception_ptr uncaught = std::current_exception())
            std::rethrow_exception(uncaught);
    } catch (const std::bad_alloc&) {
        endWithoutMemory();
    } catch (...) {
        std::abort();
    }
    std::abort();
}

// Some libraries (oneDNN 3) take memory while they are loaded, where nobody catches what they
// throw. What stands here is called before any of them.
#ifdef __ELF__
[[gnu::used, gnu::section(".preinit_array")]] void (*beforeLibraries)() = [] {
    std::set_new_handler(endWithoutMemory);
};
#endif

} // namespace

int main(int argc, char** argv)
{
    using pw::app::ExitCode;
    std::set_new_handler(nullptr); // from here on it is caught
    std::set_terminate(endUncaught);
    pw::sys::beginProgram();
    try {
        std::ios::sync_with_stdio(false); // takes memory, too
        const std::vector<std::string> words = pw::sys::programWords(argc, argv);
        for (const std::string& problem : pw::app::useOwnFamilies())
            std::cerr << "pipewright: " << pw::displayText(problem) << "\n";
        const ExitCode code = pw::app::runProgram(words, std::cout, std::cerr);
        const int signal = pw::app::Interrupt::received();
        if (code != ExitCode::Good && signal != 0)
            return pw::app::endedBySignal + signal;
        return static_cast<int>(code);
    } catch (const std::bad_alloc&) {
        sayOutOfMemory(); // the streams may have got none
    } catch (const std::exception& problem) {
        std::cerr << "pipewright: " + std::string(problem.what()) + "\n";
    } catch (...) {
        std::cerr << "pipewright: a failure of no known kind\n";
    }
    return static_cast<int>(ExitCode::Wrong);
}
