// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"

#include "core/base/try.h"
#include "core/reading/assembly.h"
#include "core/reading/file_part.h"
#include "core/reading/file_reading.h"
#include "core/reading/files_beside.h"
#include "core/reading/import_files.h"

#include <memory>

namespace pw {

Result<Trace> importTrace(const std::vector<std::string>& paths, const ImportOptions& options)
{
    const Result<ImportFiles> files = importFiles(paths);
    if (!files)
        return fail(files.error());
    FileReading reading(options, *files);
    PW_DO(takeBesideEachOther(reading, options, files->files,
                              readingThreads(options, files->files.size())));
    return reading.finish();
}

Result<FilePart> importPart(const std::string& path, const ImportOptions& options)
{
    ImportFiles files;
    files.files.push_back({path});
    FileReading reading(options, files);
    PW_DO(reading.take(files.files.front()));
    return reading.part();
}

Result<Trace> importTraceText(std::string_view text, const std::string& name,
                              const std::vector<NameRule>& rules)
{
    Trace trace;
    TraceNames names(trace, rules);
    trace.files.push_back(name);
    const OpenSource open = [text]() -> Result<std::unique_ptr<ByteSource>> {
        return std::make_unique<MemorySource>(text);
    };
    PW_TRY(EventFile part, readBytes(open, 0, trace, names, {}));
    std::vector<EventFile> parts;
    parts.push_back(std::move(part));
    return assembled(std::move(trace), std::move(parts));
}

} // namespace pw
