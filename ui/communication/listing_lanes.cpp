// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/listing_lanes.h"

#include <QCoreApplication>

#include <algorithm>
#include <tuple>

namespace pw::ui {

using communication::Action;
using communication::ActionKind;
using communication::ActionPlace;
using communication::ActionTime;

namespace {

/// One action as it is drawn: waiting from `from`, at work from `works` to `to`.
struct Drawn
{
    Ticks from = 0;
    Ticks works = 0;
    Ticks to = 0;
    SpanLook look;
    int action = 0;
};

QString laneWord(const char* word)
{
    return QCoreApplication::translate("pw::ui::CommunicationPage", word);
}

/// Makes the lanes of one listing.
class ListingLaneMaker
{
public:
    ListingLaneMaker(const Schedule& schedule, const communication::Listing& listing,
                     const communication::Played& played, const StageLayers& layers,
                     const ListingLanes* like)
        : m_schedule(schedule)
        , m_listing(listing)
        , m_played(played)
        , m_layers(layers)
        , m_like(like)
        , m_looks(schedule.spec())
    {
        // A ring has no end: what it holds is drawn a little beyond what was done.
        for (const auto& row : played.times) {
            for (const ActionTime& time : row)
                m_horizon = std::max({m_horizon, time.posted, time.end});
        }
        m_horizon = std::max<Ticks>(m_horizon, 1);
        m_least = std::max<Ticks>(1, m_horizon / 400);
        if (!played.whole)
            m_horizon += std::max<Ticks>(1, m_horizon / 6);
    }

    ListingLanes run()
    {
        for (const RankId rank : Ids<RankId>(m_listing.ranks.size()))
            addRank(rank);
        return std::move(m_out);
    }

    std::vector<Lane> takeLanes() { return std::move(m_lanes); }

private:
    void addRank(RankId rank)
    {
        const auto& row = m_listing.of(rank);
        std::vector<Drawn> passes, waits, sends, receives, collectives, exchanges;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto index = static_cast<int>(i);
            switch (row[i].kind) {
            case ActionKind::Compute:
                append(passes, rank, index, m_looks.look(m_schedule.entry(EntryId(row[i].index))));
                break;
            case ActionKind::Send:
                append(sends, rank, index, lookOf(row[i]));
                break;
            case ActionKind::Receive:
                append(receives, rank, index, lookOf(row[i]));
                break;
            case ActionKind::Gather:
            case ActionKind::Exchange:
            case ActionKind::Reduce: {
                SpanLook look;
                look.kind = row[i].kind == ActionKind::Gather ? PassKind::R : PassKind::U;
                append(row[i].kind == ActionKind::Exchange ? exchanges : collectives, rank, index,
                       look);
                break;
            }
            case ActionKind::WaitSend:
            case ActionKind::WaitReceive:
                append(waits, rank, index, lookOf(row[i]));
                break;
            case ActionKind::Free:
                break; // takes no time
            }
        }
        // A rank waits for its passes in sight, as the gap before them.
        for (Drawn& pass : passes) {
            if (pass.look.blocked == 0)
                pass.from = pass.works;
        }
        // A wait of its own stands among them, hatched as long as it takes.
        for (Drawn& wait : waits) {
            if (wait.look.blocked == 0) {
                const ActionTime& time =
                    m_played.times[rank.index()][static_cast<std::size_t>(wait.action)];
                wait.works = wait.to = time.end;
            }
            if (wait.to > wait.from)
                passes.push_back(wait);
        }
        const QString device =
            laneWord(QT_TRANSLATE_NOOP("pw::ui::CommunicationPage", "device %1")).arg(rank);
        addLanes(rank, passes, device, {});
        if (!m_layers.empty())
            addParts(rank, device);
        addLanes(rank, sends, laneWord(QT_TRANSLATE_NOOP("pw::ui::CommunicationPage", "sends")),
                 device);
        addLanes(rank, receives,
                 laneWord(QT_TRANSLATE_NOOP("pw::ui::CommunicationPage", "receives")), device);
        if (!collectives.empty())
            addLanes(rank, collectives,
                     laneWord(QT_TRANSLATE_NOOP("pw::ui::CommunicationPage", "gathers")), device);
        if (!exchanges.empty())
            addLanes(rank, exchanges,
                     laneWord(QT_TRANSLATE_NOOP("pw::ui::CommunicationPage", "gradients")), device);
    }

    /// The parts of a device's passes: what it computes, and below what it exchanges.
    void addParts(RankId rank, const QString& device)
    {
        const auto& row = m_listing.of(rank);
        Lane lanes[2];
        lanes[0].title = laneWord(QT_TRANSLATE_NOOP("pw::ui::CommunicationPage", "parts"));
        lanes[1].title = laneWord(QT_TRANSLATE_NOOP("pw::ui::CommunicationPage", "all-to-all"));
        for (std::size_t i = 0; i < row.size(); ++i) {
            const ActionTime& time = m_played.times[rank.index()][i];
            if (row[i].kind != ActionKind::Compute || time.end < 0)
                continue;
            const communication::InnerTimes& inner =
                partsOf(m_schedule.entry(EntryId(row[i].index)));
            for (const bool exchanges : {false, true}) {
                for (const communication::PartSpan& part :
                     exchanges ? inner.exchange : inner.compute)
                    addPart(lanes[exchanges ? 1 : 0], {rank, static_cast<std::int32_t>(i)}, part,
                            time.start);
            }
        }
        for (Lane& lane : lanes) {
            lane.detail = device;
            m_lanes.push_back(std::move(lane));
            m_out.rankOfLane.push_back(rank);
        }
    }

    void addPart(Lane& lane, ActionPlace place, communication::PartSpan part, Ticks begin)
    {
        part.start += begin;
        part.end += begin;
        lane.start.push_back(part.start);
        lane.end.push_back(part.end);
        SpanLook look;
        look.kind = part.pass;
        const bool second = part.part == communication::LayerPart::Mlp ||
                            part.part == communication::LayerPart::Combine;
        look.tint = second ? fullTint : 0;
        lane.look.push_back(look);
        lane.entry.push_back(static_cast<std::int32_t>(m_out.places.size()));
        m_out.places.push_back(place);
        m_out.parts.emplace_back(part);
    }

    /// Equal entries of the same stages have the same parts.
    const communication::InnerTimes& partsOf(const OrderEntry& entry)
    {
        communication::InnerWork work{false, false, false};
        int forward = -1, backward = -1;
        for (const Pass& pass : {entry.pass, entry.partner}) {
            work.forward |= pass.kind == PassKind::F || pass.kind == PassKind::R;
            work.backward |= isBackward(pass.kind);
            work.weight |= pass.kind == PassKind::BW || pass.kind == PassKind::W;
            (isBackward(pass.kind) || pass.kind == PassKind::W ? backward : forward) = pass.stage;
            if (!entry.paired)
                break;
        }
        const int key = (work.forward ? 1 : 0) + (work.backward ? 2 : 0) + (work.weight ? 4 : 0);
        const auto [found, isNew] = m_parts.try_emplace({forward, backward, key});
        if (isNew) {
            static const std::vector<communication::LayerTimes> none;
            const auto layersOf = [&](int stage) -> const std::vector<communication::LayerTimes>& {
                return stage < 0 ? none : m_layers[static_cast<std::size_t>(stage)];
            };
            found->second = communication::runParts(layersOf(forward), layersOf(backward), work);
        }
        return found->second;
    }

    SpanLook lookOf(const Action& action) const
    {
        const Message& message = m_listing.message(action);
        const Pass& here =
            communication::isSide(action.kind, true) ? message.producer : message.consumer;
        SpanLook look = m_looks.look(single(here));
        look.kind = communication::isForward(message) ? PassKind::F : PassKind::B;
        return look;
    }

    bool isHeld(ActionPlace place) const
    {
        return std::any_of(m_played.ring.begin(), m_played.ring.end(),
                           [&](const auto& held) { return held.place == place; });
    }

    void append(std::vector<Drawn>& drawn, RankId rank, int action, SpanLook look) const
    {
        const ActionTime& time = m_played.times[rank.index()][static_cast<std::size_t>(action)];
        if (time.posted < 0 && !isHeld({rank, action}))
            return;
        Drawn one;
        one.action = action;
        one.look = look;
        if (time.end < 0) {
            one.look.blocked = 1;
            const Ticks done = m_played.ranks[rank.index()].end;
            one.from = time.posted < 0 ? std::min(done, m_horizon - m_least) : time.posted;
            one.works = one.to = m_horizon; // it waits, and never works
        } else {
            one.from = time.posted;
            one.works = std::max(time.start, time.posted);
            one.to = std::max(time.end, one.works + m_least);
        }
        drawn.push_back(one);
    }

    /// Puts what overlaps into lanes below each other.
    void addLanes(RankId rank, std::vector<Drawn>& drawn, const QString& title,
                  const QString& detail)
    {
        std::stable_sort(drawn.begin(), drawn.end(),
                         [](const Drawn& a, const Drawn& b) { return a.from < b.from; });
        const std::size_t group = m_out.rowsOfGroup.size();
        const bool fixed = m_like != nullptr && group < m_like->rowsOfGroup.size();
        std::vector<std::vector<Drawn>> rows(
            fixed ? static_cast<std::size_t>(m_like->rowsOfGroup[group]) : 1);
        for (Drawn one : drawn) {
            const auto endOf = [](const auto& row) { return row.empty() ? 0 : row.back().to; };
            auto free = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
                return row.empty() || row.back().to <= one.from;
            });
            if (free == rows.end() && !fixed)
                free = rows.emplace(rows.end());
            if (free == rows.end()) {
                free =
                    std::min_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
                        return endOf(a) < endOf(b);
                    });
                one.from = endOf(*free);
                one.works = std::max(one.works, one.from);
            }
            if (one.to > one.from)
                free->push_back(one);
        }
        m_out.rowsOfGroup.push_back(static_cast<int>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Lane& lane = m_lanes.emplace_back();
            lane.title = i == 0 ? title : QString();
            lane.detail = i == 0 ? detail : QString();
            m_out.rankOfLane.push_back(rank);
            for (const Drawn& one : rows[i])
                addSpans(lane, rank, one);
        }
    }

    void addSpans(Lane& lane, RankId rank, const Drawn& one)
    {
        const auto laneNumber = static_cast<std::int32_t>(m_lanes.size()) - 1;
        const auto add = [&](Ticks from, Ticks to, bool waits) {
            lane.start.push_back(from);
            lane.end.push_back(to);
            lane.look.push_back(one.look);
            lane.look.back().guessed = waits ? 1 : 0;
            lane.entry.push_back(static_cast<std::int32_t>(m_out.places.size()));
            m_out.places.push_back({rank, one.action});
            m_out.parts.emplace_back();
            m_out.spans[{rank, one.action}] = {laneNumber,
                                               static_cast<std::int64_t>(lane.size()) - 1};
        };
        if (one.works > one.from)
            add(one.from, one.works, true);
        if (one.to > one.works)
            add(one.works, one.to, false);
    }

    const Schedule& m_schedule;
    const communication::Listing& m_listing;
    const communication::Played& m_played;
    const StageLayers& m_layers;
    const ListingLanes* m_like;
    EntryLooks m_looks;
    std::map<std::tuple<int, int, int>, communication::InnerTimes> m_parts;
    Ticks m_horizon = 0;
    Ticks m_least = 1;
    std::vector<Lane> m_lanes;
    ListingLanes m_out;
};

/// What a span of an action shows: its pass, or the stage of a gather in the place of a
/// micro-batch.
Pass shownPass(const Schedule& schedule, const communication::Listing& listing,
               const Action& action, bool partner)
{
    if (action.kind == ActionKind::Compute) {
        const OrderEntry entry = schedule.entry(EntryId(action.index));
        return partner ? entry.partner : entry.pass;
    }
    if (communication::isMessageAction(action.kind)) {
        const Message& message = listing.message(action);
        return communication::isSide(action.kind, true) ? message.producer : message.consumer;
    }
    const StageId stage(action.index % schedule.spec().stages());
    Pass pass;
    pass.kind = action.kind == ActionKind::Gather ? PassKind::R : PassKind::U;
    pass.stage = stage;
    pass.microBatch = stage;
    return pass;
}

} // namespace

SpanRef ListingLanes::spanOf(ActionPlace place) const
{
    const auto found = spans.find({place.rank, place.action});
    return found == spans.end() ? SpanRef() : found->second;
}

ActionPlace ListingLanes::placeOf(SpanRef span) const
{
    if (!lanes || !lanes->holds(span))
        return {};
    const Lane& lane = lanes->lanes()[static_cast<std::size_t>(span.lane)];
    return places[static_cast<std::size_t>(lane.entry[static_cast<std::size_t>(span.index)])];
}

const communication::PartSpan* ListingLanes::partOf(SpanRef span) const
{
    if (!lanes || !lanes->holds(span))
        return nullptr;
    const Lane& lane = lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto& part =
        parts[static_cast<std::size_t>(lane.entry[static_cast<std::size_t>(span.index)])];
    return part ? &*part : nullptr;
}

ListingLanes lanesOf(const std::shared_ptr<const Schedule>& schedule,
                     const communication::Listing& listing, const communication::Played& played,
                     const StageLayers& layers, const ListingLanes* like)
{
    ListingLaneMaker maker(*schedule, listing, played, layers, like);
    ListingLanes made = maker.run();
    // The lanes outlive what they were made of.
    auto source = [schedule, kept = std::make_shared<const communication::Listing>(listing),
                   places = made.places, parts = made.parts](std::int32_t entry, bool partner) {
        if (const auto& part = parts[static_cast<std::size_t>(entry)]) {
            Pass shown;
            shown.kind = part->pass;
            shown.microBatch = part->layer;
            return shown;
        }
        const ActionPlace& place = places[static_cast<std::size_t>(entry)];
        return shownPass(*schedule, *kept,
                         kept->of(place.rank)[static_cast<std::size_t>(place.action)], partner);
    };
    made.lanes = std::make_shared<const Lanes>(maker.takeLanes(), std::move(source));
    return made;
}

} // namespace pw::ui
