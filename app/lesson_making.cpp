// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/lesson_making.h"

#include "app/file_options.h"
#include "app/stored_run.h"
#include "app/trace_files.h"
#include "core/io/file_problem.h"
#include "core/lesson/level_draft.h"
#include "core/store/stored_what_if.h"
#include "core/trace/fit.h"
#include "core/trace/importers/sniff.h"

#include <filesystem>

namespace pw::app {

namespace {

/// The level of an order, with as many micro-batches as were asked for or can be proven.
Result<std::string> levelText(const WhatIfBase& base, bool measured, const std::string& title,
                              const Arguments& arguments)
{
    const auto nodes =
        static_cast<std::int64_t>(arguments.number("nodes", static_cast<double>(usualParNodes)));
    LevelSource source{base.schedule, base.costs, title, arguments.whole("micro-batches", 0),
                       measured};
    if (!arguments.has("micro-batches")) {
        const auto draft = provenDraftOf(source, nodes);
        return draft ? Result<std::string>(writeLevelLesson(*draft)) : fail(draft.error());
    }
    auto draft = levelDraftOf(source);
    if (!draft)
        return fail(draft.error());
    if (const auto proven = proveDraft(*draft, nodes); !proven)
        return fail(proven.error());
    return writeLevelLesson(*draft);
}

} // namespace

tl::expected<std::string, Failure> lessonOfWords(const std::vector<std::string>& names,
                                                 const Arguments& arguments, Console& console)
{
    const auto made = [&](const Result<WhatIfBase>& base, bool measured,
                          const std::string& title) -> tl::expected<std::string, Failure> {
        if (!base)
            return wrong(base.error());
        auto text = levelText(*base, measured, title, arguments);
        if (!text)
            return wrong(text.error());
        return std::move(*text);
    };
    const std::string& first = names.front();
    const bool there = fileKind(first) != FileKind::Missing;
    const bool number = first.find_first_not_of("0123456789") == std::string::npos;
    if (names.size() == 1 && !there && (number || first == "last")) {
        tl::expected<RunStore, Failure> store = storeToRead(arguments);
        if (!store)
            return tl::unexpected<Failure>(store.error());
        const tl::expected<RunNumber, Failure> run = runOfWord(*store, first);
        if (!run)
            return tl::unexpected<Failure>(run.error());
        return made(whatIfBase(*store, *run), true, "Run " + std::to_string(*run));
    }
    const std::string stem = std::filesystem::path(first).stem().string();
    if (names.size() == 1 && !(fileKind(first) == FileKind::Regular && looksLikeTrace(first))) {
        const auto file = readScheduleFile(first, arguments);
        if (!file)
            return tl::unexpected<Failure>(file.error());
        if (!file->unreadable.empty() || !file->problems.empty())
            return wrong(problemsText(first, *file));
        return made(whatIfBase(file->project), false,
                    file->project.title.empty() ? stem : file->project.title);
    }
    const tl::expected<ReadTrace, Failure> read = readTrace(names, arguments, console);
    if (!read)
        return tl::unexpected<Failure>(read.error());
    if (!read->aligned.pipeline.schedule)
        return wrong(first + ": " + whyNoOrder(read->aligned.pipeline));
    const Result<FittedCosts> fitted = fitTrace(read->trace, read->aligned.pipeline);
    if (!fitted)
        return wrong(fitted.error());
    return made(whatIfBase(read->aligned.pipeline, *fitted), true, stem);
}

} // namespace pw::app
