// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/batch_changes.h"

#include "core/base/medians.h"
#include "core/base/text.h"

#include <optional>
#include <utility>

namespace pw {

namespace {

class BatchChanges
{
public:
    BatchChanges(const AdviceSource& source, const AdviceRequest& request)
        : m_source(source)
        , m_request(request)
        , m_count(source.base.schedule.spec().microBatches)
    {
    }

    /// Those that were asked for.
    std::vector<CandidateChange> asked(const CandidateChange& own,
                                       std::vector<AdviceNote>& notes) const
    {
        std::vector<CandidateChange> all;
        for (const int count : m_request.microBatches) {
            if (count == m_count || stopped())
                continue;
            CandidateChange one = counted(own, count);
            if (const Sentence why = refusal(count, one.change); !why.empty())
                notes.push_back({said("No %1: %2", microBatches(count), why)});
            else
                all.push_back(std::move(one));
        }
        return all;
    }

    std::optional<CandidateChange> best(const CandidateChange& from) const
    {
        const std::vector<Ticks>& forward = m_source.base.costs.forward;
        constexpr double likely = 0.1;
        const auto fixed = static_cast<Ticks>(
            likely * medianOf(std::vector<double>(forward.begin(), forward.end())));
        std::optional<std::pair<Ticks, CandidateChange>> best;
        for (const int count : microBatchesOf(m_request.globalBatch)) {
            if (count == m_count || stopped())
                continue;
            CandidateChange one = counted(from, count);
            PlannedChange change = one.change;
            change.fixedTime = change.fixedTime.value_or(fixed);
            const Result<Prediction> made = predictChange(m_source, change);
            if (made && (!best || made->result.makespan < best->first))
                best.emplace(made->result.makespan, std::move(one));
        }
        const auto now = static_cast<double>(m_source.base.predicted.makespan);
        if (!best || 1 - static_cast<double>(best->first) / now <= from.gain)
            return std::nullopt;
        return std::move(best->second);
    }

private:
    bool stopped() const { return m_request.stopped && m_request.stopped(); }

    static Sentence microBatches(int count)
    {
        return pw::counted(count, "%1 micro-batch", "%1 micro-batches");
    }

    CandidateChange counted(const CandidateChange& from, int count) const
    {
        CandidateChange made = from;
        made.change.what.family->options.microBatches = count;
        made.change.microBatchSize = static_cast<double>(m_count) / count;
        const Sentence size =
            said("%1 of %2 samples", microBatches(count),
                 plainNumber(static_cast<double>(m_request.globalBatch) / count, 3));
        const Sentence todo = said("set the number of micro-batches");
        const bool own = from.title.empty();
        made.title = own ? size : said("%1, %2", from.title, size);
        made.todo = own ? todo : said("%1; %2", from.todo, todo);
        made.what = own ? ChangeKind::Family : ChangeKind::Combined;
        return made;
    }

    /// Why there is no such number of micro-batches; empty: there is.
    Sentence refusal(int count, const PlannedChange& change) const
    {
        if (m_request.globalBatch % count != 0)
            return said("%1 samples are not as many each", m_request.globalBatch);
        const Result<Prediction> made = predictChange(m_source, change);
        return made ? Sentence() : made.error().message;
    }

    const AdviceSource& m_source;
    const AdviceRequest& m_request;
    int m_count; // of the step as it is
};

} // namespace

std::vector<int> microBatchesOf(std::int64_t globalBatch)
{
    std::vector<int> counts;
    constexpr int most = 1024;
    for (int count = 1; count <= most && count <= globalBatch; ++count)
        if (globalBatch % count == 0)
            counts.push_back(count);
    return counts;
}

std::vector<CandidateChange>
changesOfCount(const AdviceSource& source, const AdviceRequest& request, const PlannedChange& plain,
               std::span<const CandidateChange> others, std::vector<AdviceNote>& notes)
{
    if (request.globalBatch == 0)
        return {};
    const BatchChanges changes(source, request);
    CandidateChange own{ChangeKind::Family, {}, plain, {}, Effort::Number};
    own.change.what.family = source.base.family;
    if (!own.change.what.family)
        notes.push_back({said("No family makes exactly this order, so it has no other number of "
                              "micro-batches")});
    if (!request.microBatches.empty())
        return own.change.what.family ? changes.asked(own, notes) : std::vector<CandidateChange>();
    std::vector<CandidateChange> from(others.begin(), others.end());
    from.insert(from.begin(), std::move(own));
    std::vector<CandidateChange> all;
    for (CandidateChange& one : from) {
        if (one.what == ChangeKind::Split)
            one.change.what.family = source.base.family;
        if (!one.change.what.family)
            continue;
        if (std::optional<CandidateChange> best = changes.best(one))
            all.push_back(std::move(*best));
    }
    return all;
}

} // namespace pw
