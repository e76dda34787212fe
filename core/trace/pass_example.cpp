// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/pass_example.h"

#include "core/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t pieceLength = 4;
constexpr std::size_t mostPieces = 3; // that candidates are looked for by

std::uint64_t pieceHash(std::span<const std::int32_t> piece)
{
    std::uint64_t hash = 1469598103934665603U;
    for (const std::int32_t name : piece)
        hash = (hash ^ static_cast<std::uint32_t>(name)) * 1099511628211U;
    return hash;
}

/// The fewest edits from a pattern to a front of a text, and how long that front is; the lengths
/// differ by at most `band`. Nothing above `most` edits.
std::optional<std::pair<std::size_t, std::size_t>> editsTo(std::span<const std::int32_t> pattern,
                                                           std::span<const std::int32_t> text,
                                                           std::size_t band, std::size_t most)
{
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max() / 2;
    const std::size_t width = 2 * band + 1;
    // Row i, place j − i + band.
    std::vector<std::size_t> before(width, none), now(width, none);
    for (std::size_t d = band; d < width; ++d)
        before[d] = d - band;
    for (std::size_t i = 1; i <= pattern.size(); ++i) {
        std::size_t least = none;
        for (std::size_t d = 0; d < width; ++d) {
            now[d] = none;
            if (i + d < band)
                continue;
            const std::size_t j = i + d - band;
            if (j > text.size())
                continue;
            std::size_t edits = d + 1 < width ? before[d + 1] + 1 : none;
            if (j > 0) {
                edits = std::min(edits, before[d] + (pattern[i - 1] == text[j - 1] ? 0U : 1U));
                if (d > 0)
                    edits = std::min(edits, now[d - 1] + 1);
            }
            now[d] = edits;
            least = std::min(least, edits);
        }
        if (least > most)
            return std::nullopt;
        std::swap(before, now);
    }
    std::size_t best = none, length = 0;
    for (std::size_t d = 0; d < width; ++d) {
        const std::size_t j = pattern.size() + d;
        if (j < band || j - band > text.size())
            continue;
        const auto away = [&](std::size_t size) {
            return size > pattern.size() ? size - pattern.size() : pattern.size() - size;
        };
        if (before[d] < best || (before[d] == best && away(j - band) < away(length))) {
            best = before[d];
            length = j - band;
        }
    }
    if (best > most)
        return std::nullopt;
    return std::pair(best, length);
}

/// Places of the pattern whose pieces are rarest in the sequence, and where those are.
std::set<std::size_t> candidatesOf(std::span<const std::int32_t> pattern,
                                   std::span<const std::int32_t> sequence)
{
    const std::size_t length = std::min(pieceLength, pattern.size());
    std::unordered_map<std::uint64_t, std::size_t> offsets; // of the pattern's pieces, the first
    for (std::size_t i = 0; i + length <= pattern.size(); ++i)
        offsets.try_emplace(pieceHash(pattern.subspan(i, length)), i);
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i + length <= sequence.size(); ++i) {
        const std::uint64_t hash = pieceHash(sequence.subspan(i, length));
        if (offsets.count(hash) > 0)
            places[hash].push_back(i);
    }
    std::vector<std::pair<std::size_t, std::uint64_t>> rarest;
    for (const auto& [hash, list] : places)
        rarest.emplace_back(list.size(), hash);
    std::sort(rarest.begin(), rarest.end());
    std::set<std::size_t> starts;
    for (std::size_t i = 0; i < std::min(rarest.size(), mostPieces); ++i) {
        const std::size_t offset = offsets[rarest[i].second];
        for (const std::size_t place : places[rarest[i].second])
            starts.insert(place >= offset ? place - offset : 0);
    }
    return starts;
}

} // namespace

Result<ExamplePlace> ExamplePlace::parse(std::string_view text)
{
    const auto wrong = [](const std::string& what) -> Result<ExamplePlace> {
        return fail(ErrorCode::Syntax,
                    "%1; an example is KIND STAGE=RANK:FROM..TO in ms, as in F0=0:324.5..328.1",
                    what);
    };
    const std::size_t equals = text.find('=');
    const std::size_t colon = text.find(':', equals == std::string_view::npos ? 0 : equals);
    const std::size_t dots = text.find("..", colon == std::string_view::npos ? 0 : colon);
    if (equals == std::string_view::npos || colon == std::string_view::npos ||
        dots == std::string_view::npos)
        return wrong("no '=', ':' or '..'");
    ExamplePlace place;
    std::string_view head = text.substr(0, equals);
    const std::size_t letters = head.find_first_of("0123456789");
    const std::string_view kind = head.substr(0, letters);
    constexpr std::array<PassKind, 4> kinds = {PassKind::F, PassKind::B, PassKind::W, PassKind::BW};
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [kind](PassKind one) { return kind == pw::name(one); });
    if (known == kinds.end())
        return wrong("'" + std::string(kind.substr(0, 20)) + "' is not a kind: F, B, W or BW");
    place.kind = *known;
    const auto whole = [](std::string_view digits, std::int32_t& read) {
        constexpr std::int32_t most = 1'000'000;
        const auto [end, problem] =
            std::from_chars(digits.data(), digits.data() + digits.size(), read);
        return problem == std::errc{} && end == digits.data() + digits.size() && read >= 0 &&
               read <= most;
    };
    if (letters == std::string_view::npos || !whole(head.substr(letters), place.stage.value))
        return wrong("no stage behind the kind");
    if (!whole(text.substr(equals + 1, colon - equals - 1), place.number))
        return wrong("no rank between '=' and ':'");
    const std::optional<double> from = decimalNumber(text.substr(colon + 1, dots - colon - 1));
    const std::optional<double> to = decimalNumber(text.substr(dots + 2));
    constexpr double furthest = 1e12;
    if (!from || !to || !(*from < *to) || *from < -furthest || *to > furthest)
        return wrong("no stretch of time from an earlier to a later moment");
    place.from = ticksFromMs(*from);
    place.to = ticksFromMs(*to);
    return place;
}

Result<PassExample> exampleAt(const Trace& trace, const ExamplePlace& place)
{
    TraceRankId rank;
    for (const TraceRankId one : Ids<TraceRankId>(trace.ranks.size()))
        if (!rank.valid() && trace.ranks[one.index()].number == place.number)
            rank = one;
    if (!rank.valid() && place.number == 0 && trace.ranks.size() == 1)
        rank = TraceRankId(0); // the only one, which has no number
    if (!rank.valid())
        return fail(ErrorCode::BadValue, "the trace has no rank %1 for an example", place.number);
    std::map<std::int32_t, std::vector<const TraceSpan*>> streams;
    for (const TraceSpan& span : trace.spans)
        if (span.rank == rank && span.activity == ActivityKind::Compute &&
            span.start >= place.from && span.start < place.to)
            streams[span.track].push_back(&span);
    std::vector<const TraceSpan*> kernels;
    for (auto& [track, list] : streams)
        if (list.size() > kernels.size())
            kernels = std::move(list);
    if (kernels.size() < 2 || kernels.size() > PassExample::mostNames)
        return fail(ErrorCode::BadValue,
                    "%1 kernels begin in the example on rank %2; 2 to %3 make one", kernels.size(),
                    place.number, PassExample::mostNames);
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const TraceSpan* a, const TraceSpan* b) { return a->start < b->start; });
    PassExample example;
    example.kind = place.kind;
    example.stage = place.stage;
    for (const TraceSpan* kernel : kernels)
        example.names.emplace_back(trace.nameOf(*kernel));
    return example;
}

std::vector<ExampleMatch> matchesOf(std::span<const std::int32_t> pattern,
                                    std::span<const std::int32_t> sequence,
                                    const std::function<bool()>& goOn)
{
    if (pattern.empty() || sequence.empty())
        return {};
    constexpr std::size_t hundred = 100, mostOfHundred = 15;
    const std::size_t most = pattern.size() * mostOfHundred / hundred;
    const std::size_t band = std::max<std::size_t>(1, most);
    std::vector<ExampleMatch> found;
    std::size_t work = 0;
    constexpr std::size_t mostWork = 600'000'000; // seconds
    for (const std::size_t start : candidatesOf(pattern, sequence)) {
        work += pattern.size() * (2 * band + 1);
        if (work > mostWork || (goOn && !goOn()))
            break;
        const std::size_t longest = std::min(sequence.size() - start, pattern.size() + band);
        if (const auto edits = editsTo(pattern, sequence.subspan(start, longest), band, most))
            if (edits->second > 0)
                found.push_back({start, start + edits->second, edits->first});
    }
    std::stable_sort(found.begin(), found.end(), [](const ExampleMatch& a, const ExampleMatch& b) {
        return std::tie(a.edits, a.first) < std::tie(b.edits, b.first);
    });
    std::map<std::size_t, ExampleMatch> taken; // by first
    for (const ExampleMatch& one : found) {
        const auto next = taken.lower_bound(one.first);
        const bool before = next == taken.begin() || std::prev(next)->second.behind <= one.first;
        if (before && (next == taken.end() || one.behind <= next->second.first))
            taken.emplace(one.first, one);
    }
    std::vector<ExampleMatch> matches;
    for (const auto& [first, one] : taken)
        matches.push_back(one);
    return matches;
}

} // namespace pw
