// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_recorder.h"
#include "executor/api/wire.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pw::app {

/// Hears a run that is told on the wire, and keeps it in a store.
class WireKeeper : public exec::WireListener
{
public:
    /// @param storePath  empty: the run is not kept
    /// @param trouble    told what goes wrong with the store
    WireKeeper(std::string storePath, std::function<void(const std::string&)> trouble);
    ~WireKeeper() override;

    bool saidHello() const { return m_saidHello; }
    const std::string& title() const { return m_title; }
    /// How it ended; none: it has not said.
    std::optional<RunStatus> status() const { return m_status; }
    const RunFigures& figures() const { return m_figures; }
    /// The first fault in words.
    const std::string& fault() const { return m_fault; }
    /// Its number in the store; 0: it is not kept.
    RunNumber number() const { return m_number; }
    /// The stream is over. A run that has not said how it ended is kept as one that is incomplete.
    void close(const std::string& why);

    void hello(const exec::WireHello& hello) override;
    void started(const exec::WireStarted& told) override;
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void copies(std::span<const RecordedCopy> batch) override;
    void gpus(std::span<const GpuReading> batch) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override;
    void finished(RunStatus status, const RunFigures& told) override;

private:
    template<typename Record>
    void keep(const Record& record);
    template<typename Record>
    void keepHonest(std::span<const Record> batch);

    std::string m_storePath;
    std::function<void(const std::string&)> m_trouble;
    std::unique_ptr<RunRecorder> m_recorder;
    bool m_saidHello = false;
    int m_ranks = 0;
    std::string m_title;
    std::string m_fault;
    std::optional<RunStatus> m_status;
    RunFigures m_figures;
    RunNumber m_number = 0;
};

} // namespace pw::app
