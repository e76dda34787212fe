// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/split_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What a change is of.
enum class ChangeKind : std::uint8_t
{
    Split,    ///< layers moved between stages, same order
    Order,    ///< an order that was found for the same stages
    Family,   ///< the order of a family, or another number of micro-batches
    Combined, ///< layers moved, and another order
    Bound     ///< not to be had: says what is not worth looking for
};

constexpr int changeKindCount = 5;

/// "split", "order", "family", "combined", "bound".
std::string_view name(ChangeKind kind);

/// What has to be done for a change.
enum class Effort : std::uint8_t
{
    Number = 1, ///< a number in a configuration
    File = 2,   ///< a file is loaded
    Model = 3   ///< the model is cut anew
};

/// A change with what it promises.
struct AdvisedChange
{
    ChangeKind what = ChangeKind::Family;
    Sentence title; ///< "Layers 5, 5, 5, 1 and ZB-H1"
    PlannedChange change;
    Promise promise;
    Sentence todo; ///< without full stop
    Effort effort = Effort::Number;
    bool best = true; ///< of a split: nothing is better, as is proven

    /// Layers of every stage; empty: as they are, or not known.
    const std::vector<int>& split() const { return change.split; }
};

/// A change that nothing is promised of yet.
struct CandidateChange
{
    ChangeKind what = ChangeKind::Family;
    Sentence title;
    PlannedChange change;
    Sentence todo;
    Effort effort = Effort::Number;
    double gain = 0; ///< where it is known
};

/// What is looked at.
struct AdviceRequest
{
    std::vector<int> split;         ///< to be looked at beside the best one; empty: none
    std::vector<int> microBatches;  ///< of one step, numbers; empty: those that divide the batch
    std::vector<int> segments{};    ///< of whole sequences, numbers to look at; empty: none
    std::int64_t globalBatch = 0;   ///< samples of a step; 0: micro-batches are not changed
    std::optional<Ticks> fixedTime; ///< of a pass, whatever its micro-batch
    std::optional<double> weightPart;
    Bytes cap = 0; ///< most memory of a device, where peaks are known; 0: the source's own
    std::optional<double> hostRate{}; ///< byte/s between a device and its host
    double seconds = 3;               ///< for all searches together
    /// Looks of each search, which makes the advice the same on every machine; none: time alone.
    std::optional<std::int64_t> looks{};
    std::size_t most = 10; ///< changes, bounds not counted
    std::function<bool()> stopped{};
};

/// What a caller could tell so that more is looked at. Programs say by which of their options or
/// fields.
enum class AdviceHint : std::uint8_t
{
    None,
    Layers,    ///< how many layers each stage has
    Recomputed ///< which stages compute their forward again
};

/// What was not looked at, and what would help.
struct AdviceNote
{
    Sentence sentence; ///< without full stop
    AdviceHint hint = AdviceHint::None;
};

/// Changes of a step, the largest gain first, bounds last.
struct Advice
{
    std::vector<AdvisedChange> changes;
    std::vector<AdvisedChange> more{}; ///< beyond `AdviceRequest::most`: not told
    std::vector<AdviceNote> notes;
    int tried = 0; ///< changes that were predicted

    /// Of all changes, those that are told first.
    std::size_t count() const { return changes.size() + more.size(); }
    const AdvisedChange& at(std::size_t index) const
    {
        return index < changes.size() ? changes[index] : more[index - changes.size()];
    }
    /// Tells a change, behind those that gain more.
    /// @return its index now
    std::size_t tell(std::size_t index);
};

/// Looks for changes that make a step shorter.
///
/// Those that gain less than .3 % are left out, but for a split that was asked for. Those above the
/// cap are told with stages that are recomputed, or whose activations go to the host, if that
/// brings them below it and still gains; and if the step as it is is above it, that whatever it
/// costs.
///
/// @error BadValue  a split that is none for the stages
Result<Advice> adviceOn(const AdviceSource& source, const AdviceRequest& request);

} // namespace pw
