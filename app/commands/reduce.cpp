// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/shard.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/reading/digest/digest.h"
#include "core/reading/events/importer.h"
#include "core/reading/file_order.h"
#include "core/reading/import_files.h"
#include "core/trace/reading_rules.h"

#include <filesystem>
#include <ostream>
#include <system_error>

namespace pw::app::commands {

namespace {

namespace fs = std::filesystem;

/// What became of the files of this process.
struct ReducedFiles
{
    std::int64_t files = 0; ///< of all processes
    std::int64_t mine = 0;
    std::int64_t made = 0;
    std::int64_t kept = 0;    ///< whose digest was there
    std::int64_t leftOut = 0; ///< of a folder, and no traces
    Bytes read = 0;
    Bytes written = 0;
    Sentence why;                      ///< the first of them
    std::vector<std::string> problems; ///< of files that could not be reduced
};

class ReduceCommand
{
public:
    ReduceCommand(const Arguments& arguments, Console& console)
        : m_arguments(arguments)
        , m_console(console)
    {
    }

    Outcome run();

private:
    tl::expected<std::vector<ImportFile>, Failure> files() const;
    std::string digestPath(const std::string& file) const;
    Result<DigestSource> sourceOf(const std::string& file) const;
    bool isOfAnother(const DigestSource& there, const DigestSource& source) const;
    void leaveOut(Sentence why);
    Result<void> reduceFile(const ImportFile& from, const ImportOptions& options);
    std::string report(const Shard& shard) const;

    const Arguments& m_arguments;
    Console& m_console;
    std::size_t m_folder = 0; // in a path: from there on folders tell files apart
    ReducedFiles m_done;
};

tl::expected<std::vector<ImportFile>, Failure> ReduceCommand::files() const
{
    PW_TRY(ImportFiles found, importFiles(m_arguments.words()));
    for (const ImportFile& file : found.files)
        if (file.member)
            return wrong(file.path + ": an archive is unpacked first; import reads it as it is");
    return std::move(found.files);
}

std::string ReduceCommand::digestPath(const std::string& file) const
{
    if (!m_arguments.has("output"))
        return file + std::string(digestEnding);
    return (fs::path(m_arguments.text("output")) / file.substr(m_folder)).string() +
           std::string(digestEnding);
}

Result<DigestSource> ReduceCommand::sourceOf(const std::string& file) const
{
    std::string salt;
    for (const char* option : {"rule", "kernel"})
        for (const std::string& text : m_arguments.texts(option))
            salt += std::string(option) + "=" + text + "\n";
    if (m_arguments.has("rules")) {
        PW_TRY(const DigestSource rules, digestSource(m_arguments.text("rules"), {}));
        salt += std::to_string(rules.key);
    }
    if (!salt.empty())
        salt += "said"; // digests of before did not say their rules
    return digestSource(file, salt);
}

/// Whether a digest that is in the place of the source's is of another file. Beside its file it
/// never is; in a folder of digests it may be the same file under another path, or moved.
bool ReduceCommand::isOfAnother(const DigestSource& there, const DigestSource& source) const
{
    if (!m_arguments.has("output") || there.place == source.place)
        return false;
    std::error_code problem;
    const bool same = fs::equivalent(there.file, source.file, problem);
    return there.key == source.key ? !problem && !same : !same;
}

void ReduceCommand::leaveOut(Sentence why)
{
    --m_done.mine;
    if (++m_done.leftOut == 1)
        m_done.why = std::move(why);
}

Result<void> ReduceCommand::reduceFile(const ImportFile& from, const ImportOptions& options)
{
    const std::string& file = from.path;
    PW_TRY(DigestSource source, sourceOf(file));
    source.readBy = readingRulesText({options.rules, options.kernels});
    m_done.read += source.bytes;
    const std::string path = digestPath(file);
    const std::optional<DigestSource> there = sourceOfDigest(path);
    if (there && isOfAnother(*there, source))
        return fail(ErrorCode::BadValue,
                    "%1 is the digest of %2, and that of %3 would take its place; reduce both in "
                    "one call, or to two folders",
                    path, there->file, file);
    if (there && there->key == source.key) {
        ++m_done.kept;
        return {};
    }
    Result<FilePart> read = importPart(file, options);
    // What lies in a folder may be no trace.
    if (!from.named && !read && read.error().code == ErrorCode::Syntax) {
        leaveOut(read.error().message);
        return {};
    }
    PW_TRY(FilePart part, std::move(read));
    if (!from.named && !part.said.tells(!part.trace.spans.empty())) {
        leaveOut(said("%1: no event in it", file));
        return {};
    }
    if (part.said.log) {
        const Sentence why = said("%1 is a log, which is short as it is", file);
        if (from.named)
            return fail(ErrorCode::BadValue, why);
        leaveOut(why);
        return {};
    }
    PW_TRY(const std::string packed, packedDigest(reduced(std::move(part)), source));
    std::error_code ignored; // writing says it
    if (const fs::path folder = fs::path(path).parent_path(); !folder.empty())
        fs::create_directories(folder, ignored);
    PW_DO(writeFile(path, packed));
    ++m_done.made;
    m_done.written += static_cast<Bytes>(packed.size());
    return {};
}

std::string ReduceCommand::report(const Shard& shard) const
{
    std::string text = countText(m_done.made, "digest") + " made";
    if (m_done.made > 0)
        text += ", " + byteText(m_done.written);
    if (m_done.kept > 0)
        text += ", " + groupedNumber(m_done.kept) + " were there";
    text += ", of " + countText(m_done.mine, "file") + ", " + byteText(m_done.read);
    if (m_done.leftOut > 0)
        text += ", " + countText(m_done.leftOut, "other file") + " left out";
    if (shard.of > 1)
        text += "; shard " + std::to_string(shard.number) + " of " + std::to_string(shard.of) +
                " by " + shard.from + ", of " + countText(m_done.files, "file");
    text += "\n";
    if (m_done.leftOut > 0)
        text += "left out, " + m_done.why.english() + "\n";
    return text;
}

Outcome ReduceCommand::run()
{
    const std::optional<std::string> text =
        m_arguments.has("shard") ? std::optional(m_arguments.text("shard")) : std::nullopt;
    PW_TRY(const Shard shard, shardOf(text, environmentValue));
    PW_TRY(const ImportOptions options, importOptions(m_arguments));
    PW_TRY(const std::vector<ImportFile> all, files());
    std::vector<std::string> paths;
    for (const ImportFile& file : all)
        paths.push_back(file.path);
    m_folder = commonFolder(paths);
    m_done.files = static_cast<std::int64_t>(all.size());
    const EndAtOnce endAtOnce; // a digest is written whole or not at all
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!shard.has(i))
            continue;
        ++m_done.mine;
        if (terminalTakesProgress())
            showStatus(m_console.err,
                       "file " + std::to_string(i + 1) + " of " + std::to_string(all.size()));
        if (const Result<void> done = reduceFile(all[i], options); !done)
            m_done.problems.push_back(done.error().message.english());
    }
    showStatus(m_console.err, {});
    m_console.out << fitted(report(shard), m_console.screen.width);
    if (m_done.problems.empty())
        return ExitCode::Good;
    std::string why = m_done.problems.front();
    if (m_done.problems.size() > 1)
        why += "; and of " + countText(m_done.problems.size() - 1, "other file") +
               " no digest could be made";
    return wrong(why);
}

Outcome runReduce(const Arguments& arguments, Console& console)
{
    return ReduceCommand(arguments, console).run();
}

std::vector<Option> optionsOfReduce()
{
    std::vector<Option> all = readingOptions();
    all.insert(all.begin(),
               {{.name = "output",
                 .kind = ValueKind::Text,
                 .placeholder = "FOLDER",
                 .summary = "where digests go, in folders as the files are (default: beside them)",
                 .formerly = {{"to"}}},
                {.name = "shard",
                 .kind = ValueKind::Text,
                 .placeholder = "I/N",
                 .summary = "every N-th file only, from the I-th, from 0 (default: by the "
                            "variables of MPI or Slurm); /N: I is PARALLEL_SEQ of GNU parallel "
                            "less 1"}});
    return all;
}

} // namespace

Command reduce()
{
    Command command;
    command.name = "reduce";
    command.group = CommandGroup::Traces;
    command.summary = "traces of many ranks, each made small where it lies; `merge` joins them";
    command.words = "TRACE…";
    command.about =
        "Makes a digest of every trace: its passes, messages and operations of groups, its steps, "
        "when its devices work beside passes, and kernels summed up by name. A digest is some "
        "kilobytes; `pipewright merge` makes a job of them that is told as `pipewright import` of "
        "all the traces would tell it.\n"
        "A digest has the hash of its file, and is not made again while that holds: what was "
        "interrupted goes on where it was. Several processes share the work as MPI's or Slurm's "
        "variables say, or as --shard does.";
    command.examples = {"pipewright reduce traces --output digests",
                        "pipewright reduce traces --output digests --shard 0/4"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = optionsOfReduce;
    command.run = runReduce;
    return command;
}

} // namespace pw::app::commands
