// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/advice/after_trace.h"

#include "core/base/try.h"
#include "core/io/schedule_file.h"
#include "core/reading/copies.h"
#include "core/reading/import_trace.h"
#include "core/reading/sniff.h"
#include "core/trace/rules_file.h"

#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

namespace pw::ui {

QStringList localFiles(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    QStringList paths;
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            paths += url.toLocalFile();
    return paths.size() == urls.size() ? paths : QStringList();
}

Result<AdviceSource> stepOfFiles(const QStringList& paths, const std::atomic<bool>& stop)
{
    std::vector<std::string> files;
    for (const QString& path : paths)
        files.push_back(path.toStdString());
    const std::string name = QFileInfo(paths.front()).fileName().toStdString();
    if (files.size() == 1 && !looksLikeTrace(files.front())) {
        PW_TRY(const ScheduleFile file, readScheduleFile(files.front()));
        return adviceSource(file.project, name);
    }
    ImportOptions options;
    PW_TRY(options.rules, keptNameRules(defaultRulesPath()));
    options.progress = [&stop](const ImportProgress&) { return !stop.load(); };
    PW_TRY(Trace trace, importTrace(files, options));
    if (runsOf(trace) > 1)
        keepRun(trace, 0);
    const std::vector<AlignedPipeline> replicas = recoverAllAligned(trace);
    PW_TRY(AdviceSource source, adviceSource(trace, replicas, 0));
    source.name = name;
    return source;
}

} // namespace pw::ui
