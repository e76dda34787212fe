// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "core/base/try.h"
#include "core/reading/digest/digest_request.h"
#include "core/reading/digest/rank_slices.h"
#include "core/store/slice_store.h"

#include <iostream>
#include <optional>
#include <ostream>
#include <string>

namespace pw::app::commands {

namespace {

/// The first line, and no more than a request has: whoever asks may hold the other end open.
std::string requestLine()
{
    std::string line;
    for (char c = 0; line.size() < longestSliceRequest && std::cin.get(c) && c != '\n';)
        line += c;
    return line;
}

Outcome runSlices(const Arguments& /*arguments*/, Console& console)
{
    const std::string line = requestLine();
    PW_TRY(const std::optional<DigestRequest> wanted, digestRequestOf(line));
    if (wanted) {
        PW_TRY(const std::string digest, digestAnswer(*wanted));
        console.out << digest << "\n";
        return ExitCode::Good;
    }
    PW_TRY(const SliceRequest request, sliceRequestOf(line));
    PW_TRY(Trace trace, rankSlices(request));
    PW_TRY(const std::string text, sliceText(std::move(trace), request.file));
    console.out << text << "\n";
    return ExitCode::Good;
}

} // namespace

Command slices()
{
    Command command;
    command.name = "slices";
    command.group = CommandGroup::Traces;
    command.summary = "answers `show --rank` and the studio on the machine that has a trace";
    command.about =
        "A store of digests has no slices of single kernels. `pipewright show RUN --rank N --via "
        "'ssh node pipewright'` and the studio start this command on the machine that has the "
        "rank's trace: it reads a line of JSON from its standard input (file, content: the hash "
        "that the digest has, rank, replica; optional: iteration, rules and kernels, which the "
        "trace is read by) and writes the slices to its "
        "standard output: a store with one run, as hexadecimal digits. It refuses a file that has "
        "changed since. Where the line has `digest_of`, a file, and rules at most, it answers "
        "with the digest of that file, as `pipewright reduce` makes it: so the studio opens what "
        "is on another machine.";
    command.examples = {"pipewright slices --help"};
    command.run = runSlices;
    return command;
}

} // namespace pw::app::commands
