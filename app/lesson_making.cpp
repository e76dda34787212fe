// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/lesson_making.h"

#include "app/file_options.h"
#include "app/stored_run.h"
#include "app/trace_files.h"
#include "core/analysis/fit.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/lesson/level_draft.h"
#include "core/reading/sniff.h"
#include "core/store/stored_what_if.h"

#include <filesystem>

namespace pw::app {

namespace {

/// The level of an order, with as many micro-batches as were asked for or can be proven.
Result<std::string> levelText(const WhatIfBase& base, bool measured, const std::string& title,
                              const Arguments& arguments)
{
    const auto nodes = static_cast<std::int64_t>(
        arguments.number("search-nodes", static_cast<double>(usualParNodes)));
    LevelSource source{base.schedule, base.costs, title, arguments.whole("micro-batches", 0),
                       measured};
    if (!arguments.has("micro-batches")) {
        const auto draft = provenDraftOf(source, nodes);
        return draft ? Result<std::string>(writeLevelLesson(*draft)) : fail(draft.error());
    }
    PW_TRY(auto draft, levelDraftOf(source));
    PW_DO(proveDraft(draft, nodes));
    return writeLevelLesson(draft);
}

} // namespace

tl::expected<std::string, Failure> lessonOfWords(const std::vector<std::string>& names,
                                                 const Arguments& arguments, Console& console)
{
    const auto made = [&](const Result<WhatIfBase>& base, bool measured,
                          const std::string& title) -> tl::expected<std::string, Failure> {
        if (!base)
            return wrong(base.error());
        PW_TRY(auto text, levelText(*base, measured, title, arguments));
        return text;
    };
    const std::string& first = names.front();
    const bool there = fileKind(first) != FileKind::Missing;
    const bool number = first.find_first_not_of("0123456789") == std::string::npos;
    if (names.size() == 1 && !there && (number || first == "last")) {
        PW_TRY(RunStore store, storeToRead(arguments));
        PW_TRY(const RunNumber run, runOfWord(store, first));
        return made(whatIfBase(store, run), true, "Run " + std::to_string(run));
    }
    const std::string stem = std::filesystem::path(first).stem().string();
    if (names.size() == 1 && !(fileKind(first) == FileKind::Regular && looksLikeTrace(first))) {
        PW_TRY(const auto file, readScheduleFile(first, arguments));
        if (!file.unreadable.empty() || !file.problems.empty())
            return wrong(problemsText(first, file));
        return made(whatIfBase(file.project), false,
                    file.project.title.empty() ? stem : file.project.title);
    }
    PW_TRY(const ReadTrace read, readTrace(names, arguments, console));
    if (!read.aligned().pipeline.schedule)
        return wrong(first + ": " + whyNoOrder(read.aligned().pipeline));
    PW_TRY(const FittedCosts fitted, fitTrace(read.trace, read.aligned().pipeline));
    return made(whatIfBase(read.aligned().pipeline, fitted), true, stem);
}

} // namespace pw::app
