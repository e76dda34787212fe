// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/io/colors.h"
#include "core/io/time_marks.h"
#include "core/model/pass.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace pw {

class Schedule;
struct PipelineSpec;
struct SimResult;

/// The tint of the last of a device's several chunks.
constexpr int fullTint = 7;

/// How light the passes of a chunk are: 0 for the first of a device, `fullTint` for its last, and
/// evenly in between. Up to eight chunks are told apart.
std::uint8_t tintOf(int chunk, int chunks);

/// How a span is drawn; 4 bytes, since there are millions.
struct SpanLook
{
    PassKind kind = PassKind::F;
    PassKind partner = PassKind::F; ///< of an overlapped pair: kind in the lower half
    std::uint8_t paired : 1 = 0;
    std::uint8_t tint : 3 = 0; ///< of its chunk, see `tintOf`
    std::uint8_t partnerTint : 3 = 0;
    std::uint8_t blocked : 1 = 0;   ///< never starts: stands in a ring
    std::uint8_t guessed : 1 = 0;   ///< its time was not measured; hatched
    std::uint8_t leaves : 1 = 0;    ///< what it keeps goes to the host's memory
    std::uint8_t returns : 1 = 0;   ///< what it needs comes back from there
    std::uint8_t segmented : 1 = 0; ///< micro-batches have segments: a label says which
};

/// A copy between a lane's device and its host.
struct LaneCopy
{
    Ticks start = 0;
    Ticks end = 0;
    bool back = false; ///< to the device
};

/// What a lane shows over time: spans sorted by start, not overlapping. Parallel arrays: 24 bytes a
/// span.
struct LaneSpans
{
    std::vector<Ticks> start;
    std::vector<Ticks> end;
    std::vector<SpanLook> look;
    std::vector<LaneCopy> copies;    ///< in any order; drawn thin at the lane's lower edge
    std::vector<std::int32_t> entry; ///< what the maker of the lanes knows the span by

    std::size_t size() const { return start.size(); }
    /// First span that ends after `time`; `size()` if none does.
    std::size_t firstEndingAfter(Ticks time) const;
    /// Span at a time, or −1.
    std::int64_t at(Ticks time) const;
};

/// The pass of an entry; of an overlapped pair the first or the second.
using PassSource = std::function<Pass(std::int32_t entry, bool partner)>;

/// How an entry of an order is drawn, by its chunk.
class EntryLooks
{
public:
    explicit EntryLooks(const PipelineSpec& spec);

    SpanLook look(const OrderEntry& entry) const;

private:
    std::uint8_t tint(const Pass& pass) const;

    std::size_t m_stages;
    bool m_segmented;
    std::vector<std::uint8_t> m_tints; ///< by route and stage
};

/// The spans of a timed order, a lane a device; a span's entry counts through all devices' lists.
/// @param begin   of each device's entries, and behind the last one
/// @param looks   of every entry
std::vector<LaneSpans> spansOf(const std::vector<EntryId>& begin, const SimResult& result,
                               const std::function<SpanLook(EntryId entry)>& looks);

/// The same of a simulated schedule. @pre the result is of this schedule
std::vector<LaneSpans> spansOf(const Schedule& schedule, const SimResult& result);

/// What the colour of a pass stands for.
enum class ColorBy : bool
{
    Kind,
    MicroBatch
};

/// The colour of a pass; by micro-batch a ring of hues that neighbours can be told apart by.
///
/// @param tint  of its chunk, see `tintOf`; by micro-batch it makes no difference
Rgb spanColor(ColorBy colorBy, PassKind kind, int tint, int microBatch, Ground ground);

/// A colour on the way from one to another. @param part  0: the one, 1: the other
Rgb mixedColor(Rgb one, Rgb other, double part);

/// What a stretch of a lane is filled with, in parts of 255: by kind, the full colour before the
/// lightest tint. What is missing to 255 is idle.
struct Fill
{
    static constexpr int looks = 2 * passKindCount;
    std::array<std::uint8_t, looks> part{};

    static int indexOf(PassKind kind, bool tint)
    {
        return 2 * static_cast<int>(kind) + (tint ? 1 : 0);
    }
    /// Adds a span to sums by look. A tint in between is as much of the full colour and of the
    /// lightest as it is mixed from.
    static void add(std::array<float, looks>& sums, PassKind kind, int tint, float amount)
    {
        const float light = amount * static_cast<float>(tint) / static_cast<float>(fullTint);
        sums[static_cast<std::size_t>(indexOf(kind, false))] += amount - light;
        sums[static_cast<std::size_t>(indexOf(kind, true))] += light;
    }
};

/// What spans from `first` to `last` fill of each column, a pixel of the scale wide, from `left`
/// on.
void fillOf(const LaneSpans& lane, std::size_t first, std::size_t last, const TimeScale& scale,
            double left, std::vector<Fill>& columns);

/// Mixes the colours of what columns are filled with.
class FillMixer
{
public:
    explicit FillMixer(Ground ground);

    Rgb color(const Fill& fill) const;

private:
    struct Ink
    {
        int red = 0, green = 0, blue = 0;
    };

    std::array<Ink, Fill::looks> m_inks;
    Ink m_idle;
};

/// Which kinds of pass lanes have, and in which tints: what a legend of them has to explain.
class KindKey
{
public:
    void add(const LaneSpans& lane);

    /// From full to light; empty: the kind does not occur.
    std::vector<int> tints(PassKind kind) const;
    /// Several chunks of a device are told apart.
    bool anyTint() const;

    friend bool operator==(const KindKey&, const KindKey&) = default;

private:
    std::array<std::uint8_t, passKindCount> m_tints{}; ///< by kind, a bit a tint
};

} // namespace pw
