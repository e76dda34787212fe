// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/import_report.h"
#include "app/interrupt.h"
#include "app/job_report.h"
#include "app/progress.h"
#include "app/store_path.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/reading/digest/digest.h"
#include "core/store/keep_trace.h"
#include "core/store/kept_job.h"
#include "core/system/files.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace pw::app::commands {

namespace {

namespace fs = std::filesystem;

/// The files of the command line, and the digests in its folders.
tl::expected<std::vector<std::string>, Failure> digestsOf(const std::vector<std::string>& words)
{
    std::vector<std::string> all;
    for (const std::string& word : words) {
        if (fileKind(word) != FileKind::Folder) {
            all.push_back(word);
            continue;
        }
        std::vector<std::string> found;
        std::error_code problem;
        for (fs::recursive_directory_iterator one(word, problem), end; !problem && one != end;
             one.increment(problem))
            if (one->path().extension() == digestEnding)
                found.push_back(one->path().string());
        if (problem)
            return wrong(word + ": " + systemSentence(sys::reasonOf(problem)).english());
        if (found.empty())
            return wrong(word + " has no digest (" + std::string(digestEnding) +
                         "); pipewright reduce makes them");
        std::sort(found.begin(), found.end());
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

Outcome runMerge(const Arguments& arguments, Console& console)
{
    PW_TRY(const std::vector<std::string> files, digestsOf(arguments.words()));
    const std::string store = storePath(arguments);
    PW_TRY(ReadTrace read, readTrace(files, arguments, console));
    const std::optional<JobAnalysis> job = analyseJob(read.trace, read.replicas);
    const RecoveredPipeline& pipeline = read.aligned().pipeline;
    const TraceMessages messages = pairMessages(read.trace);
    const EndAtOnce endAtOnce; // all of it is kept or nothing
    const TraceActivity source(read.trace);
    PW_TRY(const RunNumber number,
           keepWholeTrace({read.trace, source, messages.pairs, pipeline.rankOfDevice,
                           keepingJob(job ? &*job : nullptr, read.trace)},
                          pipeline,
                          traceFigures(pipeline, read.aligned().clocks,
                                       transfersOf(read.trace, pipeline, messages)),
                          store, arguments.text("title")));
    const std::string stored = std::to_string(number);
    std::string text = countText(files.size(), "digest") + " of " +
                       countText(read.trace.ranks.size(), "rank") + ": run " + stored + " in " +
                       store + "; pipewright show " + stored + " --store " + store + "\n";
    if (job)
        text += jobText(*job, console.screen);
    else if (!pipeline.schedule)
        text += "no job: " + whyNoOrder(pipeline) + "\n";
    text += warningsText(read.trace, console.screen);
    console.out << fitted(text, console.screen.width);
    return ExitCode::Good;
}

std::vector<Option> optionsOfMerge()
{
    return {storeOption(),
            {.name = "title",
             .kind = ValueKind::Text,
             .placeholder = "TEXT",
             .summary = "of the run (default: the name of the traces' folder)"}};
}

} // namespace

Command merge()
{
    Command command;
    command.name = "merge";
    command.group = CommandGroup::Traces;
    command.summary = "digests of `reduce` become one job in a store";
    command.words = "DIGEST…";
    command.about =
        "Puts the digests of a job's ranks into a store as one run, which show, query, export and "
        "the studio open, and tells the job. A folder stands for all digests in it and below it. "
        "Ranks, replicas and figures of the job are those of `pipewright import` of the traces.";
    command.examples = {"pipewright merge digests --store job.sqlite"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = optionsOfMerge;
    command.run = runMerge;
    return command;
}

} // namespace pw::app::commands
