// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/wire_keeper.h"

#include "core/base/json.h"

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
void WireKeeper::keepAll(const Record& record)
{
    if (m_recorder != nullptr)
        m_recorder->add(record);
}

void WireKeeper::hello(const exec::WireHello& /*hello*/)
{
    m_saidHello = true;
}

void WireKeeper::started(const exec::WireStarted& started)
{
    if (m_ranks > 0) // a run begins once
        return;
    m_ranks = started.ranks;
    m_title = started.title;
    if (m_storePath.empty())
        return;
    NewRun run;
    run.title = started.title;
    run.project = started.project;
    run.settings = started.settings.empty() ? "{}" : started.settings;
    run.ranks = started.ranks;
    run.environment = started.environment;
    constexpr std::int64_t longest = 1 << 20;
    if (const Result<JsonDocument> settings = parseJson(run.settings, longest);
        settings && settings->IsObject()) {
        const auto family = settings->FindMember("family");
        if (family != settings->MemberEnd() && family->value.IsString())
            run.family = family->value.GetString();
    }
    Result<std::unique_ptr<RunRecorder>> recorder = RunRecorder::open(m_storePath, run, m_trouble);
    if (!recorder) {
        m_trouble("the run goes on, but is not kept: " + recorder.error().message);
        return;
    }
    m_recorder = std::move(*recorder);
    m_number = m_recorder->number();
}

/// Records of ranks that the run does not have are left out.
void WireKeeper::passes(std::span<const RecordedPass> batch)
{
    std::vector<RecordedPass> kept;
    std::copy_if(batch.begin(), batch.end(), std::back_inserter(kept),
                 [this](const RecordedPass& one) { return one.rank < m_ranks; });
    keepAll(std::span<const RecordedPass>(kept));
}

void WireKeeper::messages(std::span<const RecordedMessage> batch)
{
    std::vector<RecordedMessage> kept;
    std::copy_if(
        batch.begin(), batch.end(), std::back_inserter(kept),
        [this](const RecordedMessage& one) { return one.from < m_ranks && one.to < m_ranks; });
    keepAll(std::span<const RecordedMessage>(kept));
}

void WireKeeper::memory(std::span<const MemorySample> batch)
{
    std::vector<MemorySample> kept;
    std::copy_if(batch.begin(), batch.end(), std::back_inserter(kept),
                 [this](const MemorySample& one) { return one.rank < m_ranks; });
    keepAll(std::span<const MemorySample>(kept));
}

void WireKeeper::loss(const StepLoss& loss)
{
    keepAll(loss);
}

void WireKeeper::log(const RunLog& log)
{
    keepAll(log);
}

void WireKeeper::fault(const RunFault& fault)
{
    if (m_fault.empty())
        m_fault = fault.text;
    keepAll(fault);
}

void WireKeeper::finished(RunStatus status, const RunFigures& figures)
{
    if (m_status)
        return;
    m_status = status;
    m_figures = figures;
    if (m_recorder != nullptr)
        m_recorder->finish(status, figures);
}

void WireKeeper::close(const std::string& why)
{
    if (m_recorder != nullptr && !m_status) {
        m_recorder->add(RunFault{-1, -1, "", why});
        m_recorder->finish(RunStatus::Incomplete, {});
    }
    m_recorder.reset();
}

} // namespace pw::app
