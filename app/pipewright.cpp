// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/interrupt.h"
#include "app/own_families.h"
#include "core/base/display_text.h"
#include "core/io/file_problem.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <execinfo.h>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::string_view outOfMemory = "pipewright: out of memory\n";

void sayOutOfMemory()
{
    [[maybe_unused]] const auto written =
        ::write(STDERR_FILENO, outOfMemory.data(), outOfMemory.size());
}

void endWithoutMemory()
{
    sayOutOfMemory();
    ::_exit(static_cast<int>(pw::app::ExitCode::Wrong));
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
[[gnu::used, gnu::section(".preinit_array")]] void (*beforeLibraries)() = [] {
    std::set_new_handler(endWithoutMemory);
};

} // namespace

int main(int argc, char** argv)
{
    using pw::app::ExitCode;
    std::set_new_handler(nullptr); // from here on it is caught
    std::set_terminate(endUncaught);
    pw::failPastLargestFile();
    // The C library looks up what unwinds its frames when it first needs it, which takes memory.
    void* frame = nullptr;
    (void)::backtrace(&frame, 1);
    try {
        std::ios::sync_with_stdio(false); // takes memory, too
        const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
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
