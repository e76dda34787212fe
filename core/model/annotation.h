// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/model/pass.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What a person draws over the lanes of a schedule to point at something.
enum class AnnotationKind : std::uint8_t
{
    Text,    ///< words at a place
    Arrow,   ///< from its words to what they speak of
    Bracket, ///< along the edge of a lane, over a stretch of time
    Region   ///< a ground over a stretch of time and some lanes
};

constexpr std::array<AnnotationKind, 4> allAnnotationKinds = {
    AnnotationKind::Text, AnnotationKind::Arrow, AnnotationKind::Bracket, AnnotationKind::Region};

/// The kind as files write it.
constexpr std::string_view name(AnnotationKind kind)
{
    constexpr std::array<std::string_view, 4> names = {"text", "arrow", "bracket", "region"};
    return names[static_cast<std::size_t>(kind)];
}

/// Colours that stand for no kind of pass, and for no refusal.
enum class AnnotationTint : std::uint8_t
{
    Ink,
    Violet,
    Orange,
    Green
};

constexpr std::array<AnnotationTint, 4> allAnnotationTints = {
    AnnotationTint::Ink, AnnotationTint::Violet, AnnotationTint::Orange, AnnotationTint::Green};

constexpr std::string_view name(AnnotationTint tint)
{
    constexpr std::array<std::string_view, 4> names = {"ink", "violet", "orange", "green"};
    return names[static_cast<std::size_t>(tint)];
}

/// The most annotations of a project, and the most bytes of the text of one.
constexpr std::size_t maxAnnotations = 200;
constexpr std::size_t longestAnnotation = 1000;

/// Where an annotation holds on: to a pass where it was put on one, and moves with it; else to a
/// time on a device.
struct AnnotationAnchor
{
    /// Where it was put. Of an anchor on a pass it holds only while the pass is not there.
    Ticks time = 0;
    DeviceId device{0};
    double down = 0.5; ///< of the lane's height: 0 its upper edge, 1 its lower one
    std::optional<Pass> pass{};
    double across = 0.5; ///< of the time of the pass: 0 its start, 1 its end

    friend bool operator==(const AnnotationAnchor&, const AnnotationAnchor&) = default;
};

struct Annotation
{
    AnnotationKind kind = AnnotationKind::Text;
    AnnotationTint tint = AnnotationTint::Ink;
    std::string text{}; ///< plain, in UTF-8; may be empty but for a text
    AnnotationAnchor from{};
    AnnotationAnchor to{}; ///< the point of an arrow, the other end; a text has none

    friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// Whether an annotation reaches from one anchor to another.
constexpr bool hasEnd(AnnotationKind kind)
{
    return kind != AnnotationKind::Text;
}

/// Checks that annotations can be drawn and kept. Devices and passes need not be there: schedules
/// change under what is drawn over them.
///
/// @error TooLarge  more than `maxAnnotations`, or a text longer than `longestAnnotation`; which
///                  one, its value and the limit
/// @error BadValue  which one, and what is wrong: a text without words, a number out of range
Result<void> check(const std::vector<Annotation>& annotations);

/// A point of an annotation over the lanes of a simulated schedule.
struct AnnotationPoint
{
    double time = 0; ///< in ticks
    DeviceId device{0};
    double down = 0.5; ///< see `AnnotationAnchor`

    friend bool operator==(const AnnotationPoint&, const AnnotationPoint&) = default;
};

/// An annotation with its anchors found.
struct PlacedAnnotation
{
    AnnotationKind kind = AnnotationKind::Text;
    AnnotationTint tint = AnnotationTint::Ink;
    std::string text{};
    AnnotationPoint from{};
    AnnotationPoint to{}; ///< as `from` where the kind has no end

    double begin() const { return from.time < to.time ? from.time : to.time; }

    friend bool operator==(const PlacedAnnotation&, const PlacedAnnotation&) = default;
};

/// The text of an annotation as every picture breaks it: at its own line ends, and at blanks so
/// that a line has 32 characters or fewer where words are not longer.
std::vector<std::string> annotationLines(std::string_view text);

/// Characters of a text in UTF-8.
std::size_t characterCount(std::string_view text);

} // namespace pw
