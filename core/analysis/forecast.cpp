// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/forecast.h"

#include "core/analysis/order_player.h"
#include "core/analysis/quantiles.h"
#include "core/base/assert.h"
#include "core/base/medians.h"
#include "core/base/try.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

namespace pw {

namespace {

using Times = std::vector<Ticks>;

/// Random numbers that their seed alone decides, on every platform.
class Drawing
{
public:
    explicit Drawing(std::uint64_t seed)
        : m_words(seed)
    {
    }
    std::size_t below(std::size_t n)
    {
        return static_cast<std::size_t>(((m_words() >> 32U) * static_cast<std::uint64_t>(n)) >>
                                        32U);
    }
    Ticks of(const Times& times) { return times.empty() ? 0 : times[below(times.size())]; }

private:
    std::mt19937_64 m_words;
};

double meanOf(const Times& times)
{
    return times.empty() ? 0
                         : static_cast<double>(std::accumulate(times.begin(), times.end(), 0.0L)) /
                               static_cast<double>(times.size());
}

/// A value between two neighbours of a sorted list, in proportion.
template<typename T>
double quantileOf(const std::vector<T>& sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double first = static_cast<double>(sorted[below]);
    return first + (static_cast<double>(sorted[above]) - first) * (place - std::floor(place));
}

Ticks middleOf(const Times& times)
{
    return static_cast<Ticks>(std::llround(medianOf(times)));
}

/// Single times of one round by the numbers of a player; each list has something where any round
/// has.
struct RoundTimes
{
    std::vector<const Times*> entries;
    std::vector<const Times*> partners; ///< of a pair that was measured as two passes; else null
    std::vector<const Times*> messages;
    Times fastest; ///< of each kind of message
    const Times* gaps = nullptr;
    const Times* updateGaps = nullptr;
    const Times* openings = nullptr;
    double work = 0; ///< mean time of all entries of the order
};

class RoundSource
{
public:
    RoundSource(const RoundTimes& times, Drawing& drawing)
        : m_times(times)
        , m_drawing(drawing)
    {
    }
    Ticks entryTime(const PlayedEntry& played)
    {
        const Ticks first = m_drawing.of(*m_times.entries[played.kind]);
        const Times* partner = m_times.partners[played.kind];
        return partner == nullptr ? first : first + m_drawing.of(*partner);
    }
    Ticks gap(const PlayedEntry& played)
    {
        return m_drawing.of(played.update ? *m_times.updateGaps : *m_times.gaps);
    }
    Ticks opening(const PlayedEntry&) { return m_drawing.of(*m_times.openings); }
    Ticks message(const PlayedEntry&, std::size_t kind, bool waitedFor)
    {
        return waitedFor ? m_drawing.of(*m_times.messages[kind]) : m_times.fastest[kind];
    }

private:
    const RoundTimes& m_times;
    Drawing& m_drawing;
};

/// Rounds, looked up once for a player.
class Rounds
{
public:
    static Result<Rounds> make(const OrderPlayer& player, std::span<const MeasuredRound> rounds,
                               int segments)
    {
        Rounds made;
        for (const MeasuredRound& round : rounds)
            append(*made.m_all, round);
        for (const MeasuredRound& round : rounds) {
            PW_TRY(RoundTimes times, made.lookUp(player, round, segments));
            made.m_rounds.push_back(std::move(times));
        }
        return made;
    }

    std::size_t count() const { return m_rounds.size(); }
    const RoundTimes& operator[](std::size_t round) const { return m_rounds[round]; }

private:
    /// The times of a kind in a round, or of all rounds where this one has none.
    template<typename Kind>
    static const Times* find(const std::map<Kind, Times>& round, const std::map<Kind, Times>& all,
                             const Kind& kind)
    {
        for (const std::map<Kind, Times>* place : {&round, &all}) {
            const auto found = place->find(kind);
            if (found != place->end() && !found->second.empty())
                return &found->second;
        }
        return nullptr;
    }

    static const Times* some(const Times& round, const Times& all)
    {
        return round.empty() ? &all : &round;
    }

    Result<RoundTimes> lookUp(const OrderPlayer& player, const MeasuredRound& round,
                              int segments) const
    {
        RoundTimes times;
        for (std::size_t k = 0; k < player.kinds().size(); ++k) {
            const EntryKind& kind = player.kinds()[k];
            const Times* first = find(round.entries, m_all->entries, kind);
            const Times* second = nullptr;
            if (first == nullptr && kind.paired) {
                first = find(
                    round.entries, m_all->entries,
                    EntryKind{.kind = kind.kind, .stage = kind.stage, .segment = kind.segment});
                second = find(round.entries, m_all->entries,
                              EntryKind{.kind = kind.partner,
                                        .stage = kind.partnerStage,
                                        .segment = kind.partnerSegment});
                if (second == nullptr)
                    first = nullptr;
            }
            if (first == nullptr)
                return fail(ErrorCode::BadValue, "no %1 was measured", describe(kind, segments));
            times.entries.push_back(first);
            times.partners.push_back(second);
            times.work += static_cast<double>(player.counts()[k]) *
                          (meanOf(*first) + (second == nullptr ? 0 : meanOf(*second)));
        }
        for (const MessageKind& kind : player.messages()) {
            const Times* found = find(round.messages, m_all->messages, kind);
            times.messages.push_back(found == nullptr ? likeIt(round, kind) : found);
            const Times& travels = *times.messages.back();
            times.fastest.push_back(
                travels.empty() ? 0 : *std::min_element(travels.begin(), travels.end()));
        }
        times.gaps = some(round.gaps, m_all->gaps);
        times.updateGaps =
            m_all->updateGaps.empty() ? times.gaps : some(round.updateGaps, m_all->updateGaps);
        times.openings = some(round.openings, m_all->openings);
        return times;
    }

    /// A message that was never waited for takes what others take that carry the same, or any.
    const Times* likeIt(const MeasuredRound& round, const MessageKind& wanted) const
    {
        for (const bool same : {true, false}) {
            for (const MeasuredRound* place : {&round, &std::as_const(*m_all)}) {
                for (const auto& [kind, found] : place->messages) {
                    if (!found.empty() && (kind.carries == wanted.carries || !same))
                        return &found;
                }
            }
        }
        return m_nothing.get();
    }

    // Their places stay where they are when this is moved.
    std::unique_ptr<MeasuredRound> m_all = std::make_unique<MeasuredRound>();
    std::unique_ptr<Times> m_nothing = std::make_unique<Times>();
    std::vector<RoundTimes> m_rounds;
};

/// The times of one iteration as they were; where none is known, what is usual in it.
class IterationSource
{
public:
    IterationSource(const RecordedIteration& iteration, const RoundTimes& kinds)
        : m_iteration(iteration)
        , m_kinds(kinds)
        , m_gap(usual(*kinds.gaps))
        , m_updateGap(usual(*kinds.updateGaps))
    {
    }
    Ticks entryTime(const PlayedEntry& played) const { return at(m_iteration.took, played); }
    Ticks gap(const PlayedEntry& played) const
    {
        const Ticks own = at(m_iteration.gap, played);
        return own >= 0 ? own : played.update ? m_updateGap : m_gap;
    }
    Ticks opening(const PlayedEntry& played) const
    {
        return std::max<Ticks>(at(m_iteration.gap, played), 0);
    }
    Ticks message(const PlayedEntry& played, std::size_t kind, bool) const
    {
        const Ticks own = at(m_iteration.message, played);
        return own >= 0 ? own : m_kinds.fastest[kind];
    }

private:
    static Ticks at(const Times& times, const PlayedEntry& played)
    {
        return times[static_cast<std::size_t>(played.entry)];
    }
    static Ticks usual(const Times& times) { return middleOf(times); }

    const RecordedIteration& m_iteration;
    const RoundTimes& m_kinds;
    Ticks m_gap;
    Ticks m_updateGap;
};

/// By how many times one round took as long as another one, which is drawn as well.
double stepOf(const Rounds& rounds, Drift drift, Drawing& drawing)
{
    if (drift == Drift::None || rounds.count() < 2)
        return 1;
    const bool neighbours = drift == Drift::Between;
    const std::size_t one = drawing.below(neighbours ? rounds.count() - 1 : rounds.count());
    const std::size_t other =
        neighbours ? one + 1 : (one + 1 + drawing.below(rounds.count() - 1)) % rounds.count();
    const bool up = drawing.below(2) == 0;
    const double to = rounds[up ? one : other].work;
    const double from = rounds[up ? other : one].work;
    return from > 0 ? to / from : 1;
}

} // namespace

Result<Forecast> forecastMakespan(const Schedule& schedule, std::span<const MeasuredRound> rounds,
                                  const ForecastRequest& request)
{
    PW_ASSERT(request.iterations > 0 && request.draws > 0);
    if (rounds.empty())
        return fail(ErrorCode::BadValue, "nothing was measured that a forecast could be made from");
    PW_TRY(OrderPlayer player, OrderPlayer::make(schedule));
    PW_TRY(const Rounds times, Rounds::make(player, rounds, schedule.spec().segments()));
    // The median of many iterations hardly moves any more, and each of them is played.
    constexpr int mostIterations = 9;
    constexpr std::int64_t mostPlayed = 50'000'000; // entries
    constexpr int leastDraws = 100;
    const std::int64_t entries = std::max(schedule.entryCount(), 1);
    const auto affordable = [&](std::int64_t repeats) {
        return static_cast<int>(std::min<std::int64_t>(mostPlayed / entries / repeats, 1 << 20));
    };
    const int iterations =
        std::min({request.iterations, mostIterations, std::max(affordable(request.draws), 1)});
    const int draws = std::min(request.draws, std::max(affordable(iterations), leastDraws));
    Drawing drawing(request.seed);
    std::vector<Ticks> runs, makespans;
    for (int draw = 0; draw < draws; ++draw) {
        RoundSource source((times)[drawing.below(times.count())], drawing);
        makespans.clear();
        for (int i = 0; i < iterations; ++i)
            makespans.push_back(player.play(source));
        double makespan = static_cast<double>(middleOf(makespans));
        makespan *= stepOf(times, request.drift, drawing);
        runs.push_back(static_cast<Ticks>(std::llround(makespan)));
    }
    std::sort(runs.begin(), runs.end());
    Forecast out;
    out.part = request.part;
    out.rounds = static_cast<int>(rounds.size());
    out.low = static_cast<Ticks>(std::floor(quantileOf(runs, (1 - request.part) / 2)));
    out.middle = static_cast<Ticks>(std::llround(quantileOf(runs, 0.5)));
    out.high = static_cast<Ticks>(std::ceil(quantileOf(runs, (1 + request.part) / 2)));
    double least = (times)[0].work, most = least;
    for (std::size_t round = 1; round < times.count(); ++round) {
        least = std::min(least, (times)[round].work);
        most = std::max(most, (times)[round].work);
    }
    out.drift = least > 0 ? most / least - 1 : 0;
    return out;
}

Forecast widenedForFewRounds(Forecast forecast)
{
    if (forecast.rounds < 2 || forecast.middle <= 0)
        return forecast;
    const double rounds = forecast.rounds;
    const double factor = studentHalfWidth(forecast.part, rounds - 1) /
                          normalHalfWidth(forecast.part) * std::sqrt((rounds + 1) / (rounds - 1));
    const auto middle = static_cast<double>(forecast.middle);
    const auto moved = [&](Ticks end) {
        return middle * std::pow(static_cast<double>(std::max<Ticks>(end, 1)) / middle, factor);
    };
    forecast.low = static_cast<Ticks>(std::floor(moved(forecast.low)));
    forecast.high = static_cast<Ticks>(std::ceil(moved(forecast.high)));
    return forecast;
}

double driftOf(const Schedule& schedule, std::span<const MeasuredRound> before,
               const std::vector<RecordedIteration>& run)
{
    MeasuredRound all, own;
    for (const MeasuredRound& round : before)
        append(all, round);
    for (const RecordedIteration& iteration : run)
        append(own, iteration.times);
    double expected = 0, took = 0;
    for (const EntryId e : schedule.entries()) {
        const auto then = all.entries.find(kindOf(schedule.entry(e)));
        const auto now = own.entries.find(kindOf(schedule.entry(e)));
        if (then == all.entries.end() || now == own.entries.end())
            continue;
        expected += meanOf(then->second);
        took += meanOf(now->second);
    }
    return expected > 0 && took > 0 ? took / expected - 1 : 0;
}

Result<std::optional<ModelError>> modelError(const Schedule& schedule,
                                             const std::vector<RecordedIteration>& iterations)
{
    if (iterations.size() < 2)
        return std::nullopt;
    PW_TRY(OrderPlayer player, OrderPlayer::make(schedule));
    std::vector<Ticks> played; // by iteration
    for (const RecordedIteration& one : iterations) {
        PW_TRY(const Rounds kinds,
               Rounds::make(player, {&one.times, 1}, schedule.spec().segments()));
        IterationSource source(one, (kinds)[0]);
        played.push_back(player.play(source));
    }
    std::vector<double> errors;
    std::vector<Ticks> predicted;
    for (std::size_t i = 0; i < iterations.size(); ++i) {
        std::vector<Ticks> others = played;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        predicted.push_back(middleOf(others));
        const auto measured = static_cast<double>(std::max<Ticks>(iterations[i].makespan, 1));
        errors.push_back(static_cast<double>(predicted.back()) / measured - 1);
    }
    std::sort(errors.begin(), errors.end());
    ModelError out;
    out.iterations = static_cast<int>(iterations.size());
    out.middle = quantileOf(errors, 0.5);
    constexpr double quarter = 0.25;
    out.low = quantileOf(errors, quarter);
    out.high = quantileOf(errors, 1 - quarter);
    out.predicted = middleOf(predicted);
    return out;
}

} // namespace pw
