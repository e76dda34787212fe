// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/propose.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What a proposal is made of, for the files that make it. Nobody else includes this.
namespace pw {

/// What evidence says of an item. Its order is that of `ProposeState`, where both have it.
enum class ProposeHint : std::uint8_t
{
    None,
    F,
    Backward, ///< B, W or both
    B,
    W,
    U
};

/// Where a hint comes from, the surest first.
enum class HintSource : std::uint8_t
{
    Example,
    Range,    ///< launched in a range that names the kind: "attn(F)", "mlp(W)"
    Autograd, ///< launched in a backward
    Linked,   ///< launched in an operator that a backward belongs to
    Step,     ///< launched in an optimizer's step
    Name,
    Learned, ///< other items of the name are of the kind
    None
};

constexpr std::size_t hintSourceCount = 8;

/// A kernel that computes, or an operator where no device was recorded.
struct ProposeItem
{
    Ticks start = 0;
    Ticks end = 0;
    std::int32_t span = -1;
    std::int32_t name = -1;
    std::int32_t track = -1;
    std::int32_t forward = -1;   ///< span of the operator that it is of, or whose backward it is of
    std::int32_t operation = -1; ///< of autograd's backwards the outermost that launched it
    std::int32_t range = -1;     ///< name of the range that says its kind; −1: none
    ProposeHint hint = ProposeHint::None;
    HintSource source = HintSource::None;
    StageId stage;       ///< by an example
    bool begins = false; ///< first of a match of an example, or behind the end of one
};

/// The items of a rank and what lies between them.
struct ProposeRank
{
    TraceRankId rank{0};
    bool device = false;                          ///< items are kernels
    std::vector<ProposeItem> items;               ///< by track, then by start
    std::vector<Ticks> messages;                  ///< starts of sends and receives, sorted
    std::vector<std::pair<Ticks, Ticks>> experts; ///< dispatch, combine, all-to-all: from, to
};

/// The kinds that a stretch can have.
enum class ProposeState : std::uint8_t
{
    F,
    B,
    W,
    U,
    Other
};

constexpr std::size_t proposeStateCount = 5;

/// Items of one kind on a track, or on several whose stretches of that kind touch.
struct ProposeSegment
{
    ProposeState state = ProposeState::Other;
    Ticks start = 0;
    Ticks end = 0;
    std::vector<std::size_t> items; ///< of the rank, by start
    bool cutByMessage = false;      ///< begins at a send or a receive
    bool cutByNumbers = false;      ///< begins where autograd's numbers jump
    bool cutByRepeat = false;       ///< begins where a sequence comes again
    bool cutByExample = false;
};

/// What a kernel's or an operator's name says of it.
ProposeHint hintOfName(std::string_view name);

/// The kind that a range names by its end, as DualPipe's published profile does: "attn(F)",
/// "mlp(B)", "mlp(W)".
ProposeHint hintOfRange(std::string_view name);

/// Whether a kernel's or an operator's name is of a loss.
bool isLossName(std::string_view name);

/// The items of every rank whose spans name no pass.
std::vector<ProposeRank> proposeRanks(const Trace& trace);

/// Gives the items that are like an example its kind and stage.
void applyExamples(const Trace& trace, const std::vector<PassExample>& examples,
                   const std::function<bool()>& goOn, ProposeRank& rank,
                   std::vector<std::string>& notes);

/// The cheapest kind of every item, track by track, by place in `rank.items`. Items without a hint
/// get that of others of their name, where those agree.
std::vector<ProposeState> explain(ProposeRank& rank);

/// Stretches of one kind, cut where a pass ends; by start. Those of no kind are left out.
std::vector<ProposeSegment> segmentsOf(const Trace& trace, const ProposeRank& rank,
                                       const std::vector<ProposeState>& states);

/// The names of the ranges that say the kinds of a segment's items.
std::set<std::int32_t> rangesOf(const ProposeRank& rank, const ProposeSegment& segment);

/// A run of segments in which parts of F and of a backward alternate.
struct ProposeOverlap
{
    std::size_t first = 0;
    std::size_t behind = 0; // of segments
    std::size_t forwards = 0;
    std::size_t backwards = 0; // turns, each of B and W
    std::string why;
    bool sure = false; // two signs
};

/// Where one chunk's F is laid over another one's backward, part by part.
std::vector<ProposeOverlap> overlapsOf(const ProposeRank& rank,
                                       const std::vector<ProposeSegment>& segments);

/// Passes of the segments, with what speaks for them.
void describeSegments(const Trace& trace, const ProposeRank& rank,
                      const std::vector<ProposeSegment>& segments, PassProposal& proposal);

} // namespace pw
