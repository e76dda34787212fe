// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/read_traces.h"

#include <QTemporaryDir>

#include <utility>

namespace pw::test {

Result<Trace> importFiles(const std::vector<TraceText>& files)
{
    const QTemporaryDir folder;
    std::vector<std::string> paths;
    for (const TraceText& file : files) {
        paths.push_back(folder.filePath(QString::fromStdString(file.name)).toStdString());
        writeTrace(paths.back(), file.text);
    }
    return importTrace(paths);
}

Trace traceOf(const std::vector<TraceText>& files)
{
    Result<Trace> trace = importFiles(files);
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return std::move(*trace);
}

std::string reasons(const RecoveredPipeline& pipeline)
{
    std::string all;
    for (const FamilyMatch& match : pipeline.family.matches)
        all += describe(match) + "; ";
    for (const std::string& text : pipeline.unknown)
        all += text + "; ";
    return all;
}

} // namespace pw::test
