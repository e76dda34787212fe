// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/kept_run.h"

#include <utility>

namespace pw::ui {

Result<RunNumber> KeptRun::open(const QString& path, const NewRun& run,
                                const RunRecorder::Trouble& trouble)
{
    Result<std::unique_ptr<RunRecorder>> recorder =
        RunRecorder::open(path.toStdString(), run, trouble, {.end = &m_end});
    if (!recorder)
        return fail(recorder.error());
    const std::lock_guard lock(m_mutex);
    m_recorder = std::move(*recorder);
    if (m_hurried)
        m_recorder->hurry(storeTime);
    return m_recorder->number();
}

void KeptRun::finish(RunStatus status, const RunFigures& figures)
{
    if (isOpen())
        m_recorder->finish(status, figures);
}

void KeptRun::close()
{
    const std::lock_guard lock(m_mutex);
    m_recorder.reset();
}

void KeptRun::hurry()
{
    m_hurried = true;
    m_end = (std::chrono::steady_clock::now() + storeTime).time_since_epoch().count();
    const std::lock_guard lock(m_mutex);
    if (m_recorder != nullptr)
        m_recorder->hurry(storeTime);
}

bool KeptRun::outOfTime() const
{
    return m_hurried && std::chrono::steady_clock::now().time_since_epoch().count() >= m_end;
}

} // namespace pw::ui
