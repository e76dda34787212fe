// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/annotation_places.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pw {

namespace {

/// The places of a spec at which the pass of an anchor can be, the likeliest first.
std::array<PassId, 2> placesOf(const Pass& pass, const PipelineSpec& spec, const PassTable& table)
{
    std::array<PassId, 2> places;
    if (pass.route >= spec.routes.size() || pass.stage < 0 || pass.stage >= spec.stages() ||
        !belongs(spec, pass, spec.device(pass.route, pass.stage)))
        return places;
    places[0] = table.id(pass);
    if (pass.kind == PassKind::W) {
        Pass whole = pass;
        whole.kind = PassKind::BW;
        places[1] = table.id(whole);
    }
    return places;
}

/// Puts anchors where their passes are. @param find  the entry at a place, or −1
template<typename Find>
class Placer
{
public:
    Placer(const PipelineSpec& spec, const SimResult& result, Find find)
        : m_spec(spec)
        , m_table(spec)
        , m_result(result)
        , m_find(std::move(find))
    {
    }

    AnnotationPoint operator()(const AnnotationAnchor& anchor) const
    {
        AnnotationPoint point;
        point.down = anchor.down;
        if (anchor.pass) {
            for (const PassId place : placesOf(*anchor.pass, m_spec, m_table)) {
                const EntryId entry(place.valid() ? m_find(place) : -1);
                if (entry < 0)
                    continue;
                const auto at = static_cast<std::size_t>(entry);
                const auto start = static_cast<double>(m_result.start[at]);
                const auto end = static_cast<double>(m_result.end[at]);
                point.time = start + anchor.across * (end - start);
                point.device = m_spec.device(anchor.pass->route, anchor.pass->stage);
                return point;
            }
        }
        const Ticks time =
            m_result.end.empty() ? anchor.time : std::min(anchor.time, m_result.makespan);
        point.time = static_cast<double>(time);
        point.device = DeviceId(std::clamp<int>(anchor.device, 0, m_spec.devices - 1));
        return point;
    }

private:
    const PipelineSpec& m_spec;
    PassTable m_table;
    const SimResult& m_result;
    Find m_find;
};

template<typename Find>
std::vector<PlacedAnnotation> place(const std::vector<Annotation>& annotations,
                                    const PipelineSpec& spec, const SimResult& result, Find find)
{
    const Placer placer(spec, result, std::move(find));
    std::vector<PlacedAnnotation> placed;
    placed.reserve(annotations.size());
    for (const Annotation& one : annotations) {
        const AnnotationPoint from = placer(one.from);
        placed.push_back(
            {one.kind, one.tint, one.text, from, hasEnd(one.kind) ? placer(one.to) : from});
    }
    return placed;
}

/// The entries of a draft at some places.
class DraftEntries
{
public:
    DraftEntries(const std::vector<Annotation>& annotations, const Draft& draft)
    {
        const PassTable table(draft.spec);
        for (const Annotation& one : annotations)
            for (const AnnotationAnchor* anchor : {&one.from, &one.to})
                if (anchor->pass)
                    for (const PassId place : placesOf(*anchor->pass, draft.spec, table))
                        if (place.valid())
                            m_found.emplace_back(place.value, -1);
        std::sort(m_found.begin(), m_found.end());
        m_found.erase(std::unique(m_found.begin(), m_found.end()), m_found.end());
        if (!m_found.empty())
            walk(draft, table);
    }

    std::int32_t operator()(PassId place) const
    {
        const auto at =
            std::lower_bound(m_found.begin(), m_found.end(), std::pair(place.value, -1));
        return at != m_found.end() && at->first == place.value ? at->second : -1;
    }

private:
    void walk(const Draft& draft, const PassTable& table)
    {
        std::int32_t index = 0;
        for (std::size_t device = 0; device < draft.orders.size(); ++device) {
            for (const OrderEntry& entry : draft.orders[device]) {
                note(draft.spec, table, entry.pass, DeviceId(device), index);
                if (entry.paired)
                    note(draft.spec, table, entry.partner, DeviceId(device), index);
                ++index;
            }
        }
    }

    void note(const PipelineSpec& spec, const PassTable& table, const Pass& pass, DeviceId device,
              std::int32_t index)
    {
        if (!belongs(spec, pass, device))
            return;
        const std::int32_t place = table.id(pass).value;
        const auto at = std::lower_bound(m_found.begin(), m_found.end(), std::pair(place, -1));
        if (at != m_found.end() && at->first == place && at->second < 0)
            at->second = index;
    }

    std::vector<std::pair<std::int32_t, std::int32_t>> m_found; ///< place and entry, by place
};

} // namespace

std::vector<PlacedAnnotation> placeAnnotations(const std::vector<Annotation>& annotations,
                                               const Schedule& schedule, const SimResult& result)
{
    if (annotations.empty())
        return {};
    return place(annotations, schedule.spec(), result,
                 [&schedule](PassId id) { return schedule.entryOf(id); });
}

std::vector<PlacedAnnotation> placeAnnotations(const std::vector<Annotation>& annotations,
                                               const Draft& draft, const DraftTimes& times)
{
    if (annotations.empty())
        return {};
    return place(annotations, draft.spec, times.times, DraftEntries(annotations, draft));
}

} // namespace pw
