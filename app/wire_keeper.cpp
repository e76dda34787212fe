// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/wire_keeper.h"

#include "executor/api/wire_claims.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pw::app {

WireKeeper::WireKeeper(std::string storePath, std::function<void(const std::string&)> trouble)
    : m_storePath(std::move(storePath))
    , m_trouble(std::move(trouble))
{
}

WireKeeper::~WireKeeper() = default;

template<typename Record>
void WireKeeper::keep(const Record& record)
{
    if (m_recorder != nullptr)
        m_recorder->add(record);
}

/// Records of ranks that the run does not have are left out.
template<typename Record>
void WireKeeper::keepHonest(std::span<const Record> batch)
{
    std::vector<Record> kept;
    std::copy_if(batch.begin(), batch.end(), std::back_inserter(kept),
                 [this](const Record& one) { return exec::isOfRanks(one, m_ranks); });
    keep(std::span<const Record>(kept));
}

void WireKeeper::hello(const exec::WireHello& /*hello*/)
{
    m_saidHello = true;
}

void WireKeeper::started(const exec::WireStarted& told)
{
    if (m_ranks > 0) // a run begins once
        return;
    const exec::WireStarted started = exec::withinLimits(told);
    if (started.ranks > exec::mostWireRanks) {
        m_trouble("the run is not kept: it says that it has " + std::to_string(started.ranks) +
                  " ranks; a run has at most " + std::to_string(exec::mostWireRanks));
        return;
    }
    m_ranks = started.ranks;
    m_title = started.title;
    if (m_storePath.empty())
        return;
    Result<std::unique_ptr<RunRecorder>> recorder =
        RunRecorder::open(m_storePath, exec::newRunOf(started), m_trouble);
    if (!recorder) {
        m_trouble("the run goes on, but is not kept: " + recorder.error().message);
        return;
    }
    m_recorder = std::move(*recorder);
    m_number = m_recorder->number();
}

void WireKeeper::passes(std::span<const RecordedPass> batch)
{
    keepHonest(batch);
}

void WireKeeper::messages(std::span<const RecordedMessage> batch)
{
    keepHonest(batch);
}

void WireKeeper::memory(std::span<const MemorySample> batch)
{
    keepHonest(batch);
}

void WireKeeper::copies(std::span<const RecordedCopy> batch)
{
    keepHonest(batch);
}

void WireKeeper::gpus(std::span<const GpuReading> batch)
{
    keepHonest(batch);
}

void WireKeeper::loss(const StepLoss& loss)
{
    keep(loss);
}

void WireKeeper::log(const RunLog& log)
{
    keep(log);
}

void WireKeeper::fault(const RunFault& fault)
{
    if (m_fault.empty())
        m_fault = fault.text;
    keep(fault);
}

void WireKeeper::finished(RunStatus status, const RunFigures& told)
{
    if (m_status || status == RunStatus::Running) // it ends once
        return;
    const RunFigures figures = exec::canBe(told) ? told : RunFigures();
    m_status = status;
    m_figures = figures;
    if (m_recorder != nullptr)
        m_recorder->finish(status, figures);
}

void WireKeeper::close(const std::string& why)
{
    if (m_recorder != nullptr && !m_status) {
        m_recorder->add(RunFault{RankId::none(), RankId::none(), "", why});
        m_recorder->finish(RunStatus::Incomplete, {});
    }
    m_recorder.reset();
}

} // namespace pw::app
