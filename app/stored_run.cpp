// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stored_run.h"

#include "core/base/try.h"
#include "core/system/clocks.h"

#include <algorithm>
#include <charconv>
#include <ctime>

namespace pw::app {

Option iterationOption()
{
    return {.name = "iteration",
            .kind = ValueKind::Whole,
            .placeholder = "N",
            .summary = "iteration to look at (default: that of the median makespan)",
            .minimum = -1'000'000,
            .maximum = 1'000'000'000};
}

tl::expected<RunStore, Failure> storeToRead(const Arguments& arguments)
{
    PW_TRY(RunStore store, RunStore::openToRead(storePath(arguments)));
    return store;
}

tl::expected<RunNumber, Failure> runOfWord(RunStore& store, const std::string& word)
{
    if (word == "last") {
        PW_TRY(const RunNumber last, store.lastRun());
        return last;
    }
    RunNumber number = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (problem != std::errc() || end != word.data() + word.size() || number < 1)
        return usage("a run is a number as `pipewright runs` shows it, or last, and not " +
                     quotedWord(word));
    PW_DO(store.run(number));
    return number;
}

tl::expected<StoredIteration, Failure> iterationOf(RunStore& store, RunNumber run,
                                                   const Arguments& arguments)
{
    std::optional<std::int32_t> iteration;
    if (arguments.has("iteration"))
        iteration = arguments.whole("iteration", 0);
    PW_TRY(StoredIteration loaded, loadIteration(store, run, iteration));
    return loaded;
}

std::string momentText(std::int64_t sinceEpochMs)
{
    const auto seconds = static_cast<std::time_t>(sinceEpochMs / 1000);
    std::tm parts{};
    char text[32] = {};
    if (!sys::universalTime(seconds, parts) ||
        std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) == 0)
        return "?";
    return text;
}

} // namespace pw::app
