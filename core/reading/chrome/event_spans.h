// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/event_pairs.h"
#include "core/reading/chrome/event_rows.h"
#include "core/reading/chrome/kernel_passes.h"
#include "core/reading/chrome/labelled_spans.h"
#include "core/reading/chrome/loose_events.h"
#include "core/reading/events/chrome_event.h"
#include "core/reading/events/collective_notes.h"
#include "core/reading/events/event_counters.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/head_groups.h"
#include "core/reading/events/importer.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/activity_kind.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Makes the spans of one file from its events, one after another.
class EventSpans
{
public:
    EventSpans(Trace& trace, TraceNames& names);

    void take(const ChromeEvent& event);
    /// A counter with all its values.
    void takeSeries(ToldSeries series, std::string_view process);
    /// An event that is damaged.
    void leaveOut();
    /// What the file says of itself.
    void setBase(Ticks base) { m_base = base; }
    void setRank(std::int32_t number) { m_file.rankNumber = number; }
    void takeGroup(const CollectiveArguments& said) { m_headGroups.take(said); }

    /// Whether begins and ends of a thread were not in the order of time, so that what belongs
    /// together is known only when the file is read again with `holdPairs`.
    bool disordered() const { return m_pairs.disordered(); }
    /// Before the first event: begins and ends are put in order before they are paired.
    void holdPairs() { m_pairs.holdAll(); }

    /// After the last event: what never ended, and the base of the times.
    EventFile finish();

private:
    void whole(const ChromeEvent& event);
    void wirePass(const ChromeEvent& event);
    void begin(const ChromeEvent& event);
    void end(const ChromeEvent& event);
    void loose(const ChromeEvent& event);
    void instant(const ChromeEvent& event);
    void finishInstants();
    void badTime();
    const CategoryMeaning& meaningFor(const std::string& category);
    ActivityKind activityOf(const CategoryMeaning& meaning, std::int32_t name) const;
    SaidEvent saidBy(const ChromeEvent& event, std::int32_t name);
    std::optional<Ticks> timeOf(const ChromeEvent& event) const;

    Trace& m_trace;
    TraceNames& m_names;
    EventFile m_file;
    EventRows m_rows;
    LabelledSpans m_spans;
    EventPairs m_pairs;
    LooseEvents m_loose;
    std::optional<Ticks> m_base;
    struct Category
    {
        std::string name;
        CategoryMeaning meaning = meaningOf({});
    };
    std::array<Category, 16> m_categories;   // that came last
    const EventDialect* m_dialect = nullptr; // of the event at hand
    DialectEvent m_made;                     // by it
    KernelPasses m_kernels;
    CollectiveNotes m_collectives;
    HeadGroups m_headGroups;
    EventCounters m_counters;
    std::int64_t m_badTimes = 0;
    std::vector<TraceSpan> m_instants;
};

} // namespace pw
