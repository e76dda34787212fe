// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_recorder.h"

#include <QString>

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <mutex>

namespace pw::ui {

/// A run under way as the store has it. All but `hurry` and `outOfTime` is called from one thread.
class KeptRun
{
public:
    /// @param trouble  hears what goes wrong with the store from then on
    /// @error  the run cannot be kept
    Result<RunNumber> open(const QString& path, const NewRun& run,
                           const RunRecorder::Trouble& trouble);
    bool isOpen() const { return m_recorder != nullptr; }
    /// Nothing where it is not open.
    template<typename What>
    void add(const What& what)
    {
        if (isOpen())
            m_recorder->add(what);
    }
    /// Likewise.
    void finish(RunStatus status, const RunFigures& figures);
    void close();

    /// The store gets a moment for what it has, and nothing waits for it.
    void hurry();
    /// Whether that moment is over.
    bool outOfTime() const;

private:
    /// What the store has from `hurry` on; the executor's end takes some of the time too.
    static constexpr std::chrono::milliseconds storeTime{1100};

    std::mutex m_mutex; ///< of the pointer, which only one thread changes
    std::unique_ptr<RunRecorder> m_recorder;
    /// After which the store does nothing more; outlives the recorder's use of it.
    std::atomic<std::chrono::steady_clock::rep> m_end =
        std::numeric_limits<std::chrono::steady_clock::rep>::max();
    std::atomic<bool> m_hurried = false;
};

} // namespace pw::ui
