// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/wire.h"
#include "ui/run/kept_run.h"
#include "ui/run/live_lanes.h"
#include "ui/run/news_board.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pw::ui {

/// What an executor says of its run: kept in the store, and told as news.
class RunListener : public exec::WireListener
{
public:
    /// Both outlive it. @param refuse  ends the run, which is not one
    RunListener(NewsBoard& news, KeptRun& kept, std::function<void(const Trouble&)> refuse);

    /// The store that the run is kept in; empty: none.
    void setStore(const QString& path) { m_store = path; }
    /// Lanes of the run, once it has begun; null: it has no schedule that is known.
    LiveLanes* lanes() const { return m_lanes.get(); }
    bool saidHello() const { return m_saidHello; }
    bool hasBegun() const { return m_ranks > 0; }
    /// How it ended, by what it said; none: it did not say.
    const std::optional<RunStatus>& status() const { return m_status; }
    /// The first fault that it told.
    const QString& firstFault() const { return m_fault; }

    void hello(const exec::WireHello& hello) override;
    void started(const exec::WireStarted& told) override;
    void passes(std::span<const RecordedPass> all) override;
    void messages(std::span<const RecordedMessage> all) override;
    void copies(std::span<const RecordedCopy> all) override;
    void gpus(std::span<const GpuReading> all) override;
    void memory(std::span<const MemorySample> all) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override;
    void finished(RunStatus status, const RunFigures& told) override;
    void broken(std::int64_t line, const std::string& reason) override;

private:
    void keep(const exec::WireStarted& started);
    template<typename Record>
    std::span<const Record> honest(std::span<const Record> batch, std::vector<Record>& kept);
    template<typename Record>
    void addHonest(std::span<const Record> all);

    NewsBoard& m_news;
    KeptRun& m_kept;
    std::function<void(const Trouble&)> m_refuse;
    QString m_store;
    std::unique_ptr<LiveLanes> m_lanes;
    QString m_fault;
    std::optional<RunStatus> m_status;
    int m_ranks = 0; ///< 0: the run has not begun
    bool m_saidHello = false;
    std::int64_t m_brokenShown = 0;
};

} // namespace pw::ui
