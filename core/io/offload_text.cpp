// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/offload_text.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/model/offload.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace pw {

namespace {

/// One item of the text: a stage, a range of micro-batches, and a segment where one is named.
struct OffloadItem
{
    StageId stage{0};
    int first = 0, last = 0;
    std::optional<int> segment;
};

class OffloadReader
{
public:
    OffloadReader(std::string_view text, const PipelineSpec& spec)
        : m_text(text)
        , m_spec(spec)
    {
    }

    Result<std::vector<Pass>> run()
    {
        const std::size_t every = static_cast<std::size_t>(m_spec.stages()) *
                                  static_cast<std::size_t>(m_spec.totalMicroBatches()) *
                                  static_cast<std::size_t>(m_spec.segments());
        std::vector<Pass> cells;
        for (std::size_t begin = 0; begin <= m_text.size();) {
            const std::size_t end = std::min(m_text.find(',', begin), m_text.size());
            PW_TRY(const OffloadItem item, readItem(m_text.substr(begin, end - begin)));
            append(item, cells);
            // A short text must not become a long list.
            if (cells.size() > 2 * every)
                return fail(ErrorCode::TooLarge, "offload: cells are named again and again");
            begin = end + 1;
        }
        return offloadedCells(std::move(cells), m_spec);
    }

private:
    Result<OffloadItem> readItem(std::string_view text) const
    {
        OffloadItem item;
        item.last = m_spec.totalMicroBatches() - 1;
        const std::string_view whole = text;
        if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
            PW_TRY(item.segment,
                   number(text.substr(slash + 1), whole, "segment", m_spec.segments()));
            text = text.substr(0, slash);
        }
        const std::size_t colon = text.find(':');
        PW_TRY(const int stage, number(text.substr(0, colon), whole, "stage", m_spec.stages()));
        item.stage = StageId(stage);
        if (colon == std::string_view::npos)
            return item;
        const std::string_view range = text.substr(colon + 1);
        const std::size_t dash = range.find('-');
        const int batches = m_spec.totalMicroBatches();
        PW_TRY(item.first, number(range.substr(0, dash), whole, "micro-batch", batches));
        item.last = item.first;
        if (dash != std::string_view::npos) {
            PW_TRY(item.last, number(range.substr(dash + 1), whole, "micro-batch", batches));
        }
        if (item.last < item.first)
            return fail(ErrorCode::BadValue,
                        "offload: %1 begins behind its end; the smaller number comes first",
                        inQuotes(whole));
        return item;
    }

    static Result<int> number(std::string_view text, std::string_view item, const char* what,
                              int count)
    {
        const bool digits =
            !text.empty() && text.size() < 10 &&
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!digits)
            return fail(ErrorCode::BadValue,
                        "offload: %1 is none of STAGE, STAGE:FIRST-LAST with micro-batches, or one "
                        "of these with /SEGMENT behind it",
                        inQuotes(item));
        int value = 0;
        for (const char digit : text)
            value = 10 * value + (digit - '0');
        if (value >= count)
            return fail(ErrorCode::BadValue, "offload: there is no %1 %2; the last is %3", what,
                        value, count - 1);
        return value;
    }

    void append(const OffloadItem& item, std::vector<Pass>& cells) const
    {
        for (int j = item.first; j <= item.last; ++j) {
            for (int q = item.segment.value_or(0);
                 q <= item.segment.value_or(m_spec.segments() - 1); ++q)
                cells.push_back(
                    {PassKind::F, static_cast<std::uint8_t>(m_spec.route(j)), item.stage, j, q});
        }
    }

    std::string_view m_text;
    const PipelineSpec& m_spec;
};

/// Runs of neighbouring micro-batches of one stage and segment as items of a text.
class OffloadWriter
{
public:
    explicit OffloadWriter(const PipelineSpec& spec)
        : m_spec(spec)
    {
    }

    /// @param batches  rising
    void append(StageId stage, const std::vector<int>& batches, const std::string& segment)
    {
        for (std::size_t i = 0; i < batches.size();) {
            std::size_t end = i + 1;
            while (end < batches.size() && batches[end] == batches[end - 1] + 1)
                ++end;
            const int first = batches[i], last = batches[end - 1];
            m_text += (m_text.empty() ? "" : ",") + std::to_string(stage);
            if (first > 0 || last + 1 < m_spec.totalMicroBatches()) {
                m_text += ":" + std::to_string(first);
                if (last > first)
                    m_text += "-" + std::to_string(last);
            }
            m_text += segment;
            i = end;
        }
    }

    std::string take() { return std::move(m_text); }

private:
    const PipelineSpec& m_spec;
    std::string m_text;
};

} // namespace

std::string offloadText(std::span<const Pass> cells, const PipelineSpec& spec)
{
    std::vector<Pass> sorted(cells.begin(), cells.end());
    // By stage, whatever routes the micro-batches take.
    std::sort(sorted.begin(), sorted.end(), [](const Pass& a, const Pass& b) {
        return std::tie(a.stage, a.microBatch, a.segment) <
               std::tie(b.stage, b.microBatch, b.segment);
    });
    OffloadWriter writer(spec);
    for (std::size_t from = 0; from < sorted.size();) {
        const StageId stage = sorted[from].stage;
        // Micro-batches with all of their segments, then those of single segments.
        std::vector<int> whole;
        std::vector<std::vector<int>> parts(static_cast<std::size_t>(spec.segments()));
        std::size_t i = from;
        while (i < sorted.size() && sorted[i].stage == stage) {
            std::size_t end = i + 1;
            while (end < sorted.size() && sorted[end].stage == stage &&
                   sorted[end].microBatch == sorted[i].microBatch)
                ++end;
            if (end - i == static_cast<std::size_t>(spec.segments())) {
                whole.push_back(sorted[i].microBatch);
            } else {
                for (std::size_t one = i; one < end; ++one)
                    parts[static_cast<std::size_t>(sorted[one].segment)].push_back(
                        sorted[one].microBatch);
            }
            i = end;
        }
        writer.append(stage, whole, {});
        for (std::size_t q = 0; q < parts.size(); ++q)
            writer.append(stage, parts[q], "/" + std::to_string(q));
        from = i;
    }
    return writer.take();
}

Result<std::vector<Pass>> parseOffload(std::string_view text, const PipelineSpec& spec)
{
    if (text != "all")
        return OffloadReader(text, spec).run();
    std::vector<Pass> cells;
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        for (int j = 0; j < spec.totalMicroBatches(); ++j) {
            for (int q = 0; q < spec.segments(); ++q)
                cells.push_back(
                    {PassKind::F, static_cast<std::uint8_t>(spec.route(j)), stage, j, q});
        }
    }
    return offloadedCells(std::move(cells), spec);
}

} // namespace pw
