// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "app/gap_report.h"
#include "core/analysis/device_activity.h"
#include "core/analysis/replay.h"
#include "core/analysis/trace_holes.h"
#include "core/base/result.h"
#include "core/job/job_analysis.h"
#include "core/store/run_store.h"
#include "core/trace/align_clocks.h"
#include "core/trace/message_split.h"
#include "core/trace/name_rule.h"
#include "core/trace/propose.h"
#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::app {

class TextTable;

/// Where files were damaged, and warnings; empty where there are none.
std::string warningsText(const Trace& trace, const Screen& screen);

/// What an import found, for people and as JSON.
class ImportReport
{
public:
    /// Both outlive this.
    ImportReport(const Trace& trace, const RecoveredPipeline& pipeline)
        : m_trace(trace)
        , m_pipeline(pipeline)
        , m_messages(pairMessages(trace))
    {
    }

    /// Runs the order again with the times measured, and every iteration with its own. @pre the
    /// pipeline has a schedule
    Result<void> replay(Ticks hop);
    void stored(RunNumber number) { m_stored = number; }
    /// The rules that the names were read with; outlive this.
    void ruled(const std::vector<NameRule>& rules) { m_rules = &rules; }
    /// Its sends and receives.
    const TraceMessages& messages() const { return m_messages; }
    /// What was found of the clocks; outlives this.
    void aligned(const AlignedClocks& clocks) { m_clocks = &clocks; }
    /// Its streams and threads as text.
    void lanes(std::string text) { m_lanes = std::move(text); }
    /// What its devices did; outlives this.
    void activity(const DeviceFigures& figures) { m_activity = &figures; }

    /// Where its devices idle longest.
    void gaps(std::vector<DeviceGaps> longest) { m_gaps = std::move(longest); }

    /// Passes that nobody labelled; outlives this. @param all  every one with its evidence
    void proposed(const PassProposal& proposal, bool all)
    {
        m_proposal = &proposal;
        m_allProposed = all;
    }

    /// The job that the pipeline is one of; null: its order is not known. Outlives this.
    void ofJob(const JobAnalysis* job, int runs)
    {
        m_job = job;
        m_runs = runs;
    }

    /// Where something was not recorded; outlives this.
    void holes(const std::vector<TraceHole>& holes) { m_holes = &holes; }

    std::string text(const Screen& screen) const;
    std::string json() const;

private:
    std::string headText(const Screen& screen) const;
    void appendPipeline(TextTable& table, const RecoveredIteration& shown) const;
    void appendFamily(TextTable& table, const Screen& screen) const;
    std::string ranksText(const Screen& screen) const;
    std::string memoryText(const Screen& screen) const;
    std::string timesText(const Screen& screen) const;
    std::string replaysText(const Screen& screen) const;
    std::string messagesText(const Screen& screen) const;
    std::string displacedText(const Screen& screen) const;
    std::vector<std::string> notes() const;
    std::vector<std::string> unknown() const;

    const Trace& m_trace;
    const RecoveredPipeline& m_pipeline;
    TraceMessages m_messages;
    std::string m_lanes;
    Ticks m_hop = 0;
    std::optional<Ticks> m_replayed;
    std::vector<ReplayedIteration> m_replays;
    std::optional<RunNumber> m_stored;
    const AlignedClocks* m_clocks = nullptr;
    const DeviceFigures* m_activity = nullptr;
    std::optional<std::vector<DeviceGaps>> m_gaps;
    const std::vector<NameRule>* m_rules = nullptr;
    const PassProposal* m_proposal = nullptr;
    bool m_allProposed = false;
    const std::vector<TraceHole>* m_holes = nullptr;
    const JobAnalysis* m_job = nullptr;
    int m_runs = 1;
};

} // namespace pw::app
