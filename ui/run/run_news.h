// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "core/store/run_store.h"
#include "core/trace/records.h"
#include "ui/run/live_lanes.h"
#include "ui/run/trouble.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace pw::ui {

/// How far a run is.
enum class RunState
{
    Idle,
    Starting, ///< the program is on its way: connecting, measuring
    Running,
    Finished,
    Stopped, ///< on request
    Failed,  ///< refused, faulty, crashed, not understood
    Lost     ///< the link to it broke
};

/// "running"
QString name(RunState state);

/// Whether the executor has not yet ended.
inline bool underWay(RunState state)
{
    return state == RunState::Starting || state == RunState::Running;
}

/// What a program with --attended reads: a project, then a zero byte. Closing the stream asks it
/// to stop.
QByteArray attendedInput(const std::string& project);

/// What is run where.
struct RunRequest
{
    QStringList words;                        ///< the connection's, see `commandWords`
    QStringList arguments;                    ///< "run", "-", "--wire" …
    QByteArray input;                         ///< the project, see `attendedInput`
    std::shared_ptr<const Project> project{}; ///< in the place of `input`
    QString storePath;                        ///< empty: the run is not kept
};

/// A line of the log.
struct RunLine
{
    enum class Kind
    {
        Info,
        Warning,
        Fault,
        Output ///< of standard error, or what was not understood
    };
    Kind kind = Kind::Info;
    QString text;
};

/// A run as its executor announced it.
struct RunOutline
{
    QString title;
    QString host;
    QString backend;
    int ranks = 0;
    int warmup = 0;
    int iterations = 0;
    int steps = 1; ///< optimizer steps of an iteration
};

/// What has happened since one looked last.
struct RunNews
{
    RunState state = RunState::Idle;
    Trouble trouble; ///< of a run that did not finish
    std::optional<RunOutline> outline;
    std::int32_t iteration = 0; ///< the latest that a pass was heard of; warm-up below 0
    std::int64_t passes = 0;    ///< heard of, of all iterations
    std::vector<StepLoss> losses;
    std::vector<RunLine> lines;
    qint64 linesLeftOut = 0; ///< that came too fast to be shown, before `lines`
    qint64 broken = 0;       ///< lines that were not understood, of the whole run
    std::optional<IterationLanes> lanes;
    RunNumber stored = 0; ///< the run's number in the store; 0: not kept
    std::optional<RunFigures> figures;
};

} // namespace pw::ui
