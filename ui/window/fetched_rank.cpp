// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/fetched_rank.h"

#include "core/reading/digest/rank_slices.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/run/command_output.h"
#include "ui/run/connection.h"
#include "ui/text.h"

#include <QFileInfo>

#include <utility>

namespace pw::ui {

namespace {

SliceRequest requestOf(const KeptRankFile& file, std::int32_t iteration)
{
    return {file.path, file.content, file.rank, file.replica, iteration, file.readBy};
}

Result<ShownActivityPtr> shownSlices(Result<StoredTrace> trace)
{
    if (!trace)
        return fail(trace.error());
    return std::make_shared<const ShownActivity>(std::move(trace->trace), std::move(trace->lanes),
                                                 std::move(trace->pairs));
}

Result<ShownActivityPtr> slicesHere(const SliceRequest& request)
{
    Result<Trace> trace = rankSlices(request);
    if (!trace)
        return fail(trace.error());
    return std::make_shared<const ShownActivity>(std::move(*trace));
}

} // namespace

FetchedRank::FetchedRank(QObject* parent)
    : QObject(parent)
    , m_command(new CommandOutput(this))
{
    connect(m_command, &CommandOutput::ended, this,
            [this](const ProcessEnd& end, const QByteArray& output) {
                if (const Trouble trouble = troubleOf(end))
                    Q_EMIT failed(inOneLine(trouble));
                else
                    take(output);
            });
}

void FetchedRank::start(const KeptRankFile& file, std::int32_t iteration, const QString& connection)
{
    m_command->drop();
    if (QFileInfo(text(file.path)).isFile()) {
        readHere(file, iteration);
        return;
    }
    if (connection.isEmpty()) {
        Q_EMIT failed(tr("%1, the trace of rank %2, is not on this computer; it was on %3. Choose "
                         "a connection to it in the bar of runs.")
                          .arg(text(file.path))
                          .arg(file.rank)
                          .arg(text(file.host)));
        return;
    }
    const Result<QStringList> words = commandWords(connection);
    if (!words) {
        Q_EMIT failed(coreSentence(words.error().message));
        return;
    }
    constexpr int longest = 600'000;
    constexpr qint64 most = qint64{1} << 30;
    const std::string line = sliceRequestText(requestOf(file, iteration)) + "\n";
    m_command->start(*words + QStringList{QStringLiteral("slices")},
                     QByteArray::fromStdString(line), {longest, most});
}

void FetchedRank::readHere(const KeptRankFile& file, std::int32_t iteration)
{
    inBackground(this, [this, request = requestOf(file, iteration)]() -> std::function<void()> {
        const Result<ShownActivityPtr> activity = slicesHere(request);
        return [this, activity] {
            if (activity)
                Q_EMIT fetched(*activity);
            else
                Q_EMIT failed(coreSentence(activity.error().message));
        };
    });
}

void FetchedRank::take(const QByteArray& output)
{
    inBackground(this, [this, output]() -> std::function<void()> {
        const Result<ShownActivityPtr> activity = shownSlices(
            traceOfSliceText({output.constData(), static_cast<std::size_t>(output.size())}));
        return [this, activity] {
            if (activity)
                Q_EMIT fetched(*activity);
            else
                Q_EMIT failed(coreSentence(activity.error().message));
        };
    });
}

} // namespace pw::ui
