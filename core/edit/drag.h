// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"
#include "core/edit/edit.h"
#include "core/sim/ring.h"
#include "core/sim/simulator.h"

#include <memory>
#include <string>
#include <vector>

namespace pw {

enum class DragMode : std::uint8_t
{
    Strict, ///< a place that breaks a rule is refused
    Free    ///< every place is taken, and what is wrong is listed
};

/// The rule that a place breaks, for whoever says it in a person's words.
struct DragRefusal
{
    enum class Rule : std::uint8_t
    {
        None,  ///< the place is taken
        Input, ///< `consumer` would start before `producer` ends, or before its message is there
        Order, ///< `problem`
        Ring   ///< more passes would wait for each other in a ring
    };

    Rule rule = Rule::None;
    Pass consumer;
    Pass producer;
    Ticks end = 0;   ///< of the producer
    Ticks there = 0; ///< when its result is on the consumer's device
    Problem problem; ///< of the order that the place would give
    std::vector<RingLink> ring;

    friend bool operator==(const DragRefusal&, const DragRefusal&) = default;
};

/// A refusal as a sentence; empty where the place is taken.
Sentence refusalText(const DragRefusal& refusal, const PipelineSpec& spec);

/// What a drag by some time would give.
struct DragTrial
{
    /// Moves of entries; empty where the order stays. Of a place before an input: to the nearest
    /// place behind it; where updates or blocking sends refuse the place, nothing moves.
    Edit edit;
    DragRefusal why;              ///< the rule that the place breaks; `refusalText` says it
    Problems problems;            ///< of the new order, in free mode
    std::vector<EntryAt> grabbed; ///< where the grabbed entries are in the new order

    bool refused() const { return why.rule != DragRefusal::Rule::None; }

    friend bool operator==(const DragTrial& a, const DragTrial& b)
    {
        return a.edit == b.edit && a.why == b.why && a.grabbed == b.grabbed &&
               a.problems.list == b.problems.list;
    }
};

/// Passes under the pointer: a selection that moves along its devices as one rigid body.
///
/// Times are those that the order gives. Entries are passed when the edge that goes ahead has come
/// beyond their middle. What depends on what is a rod, the order of a device a plunger:
///
/// - To the right the body overtakes what does not depend on it. What does, over passes and over
///   the orders of other devices, is pushed along, and so is what stands behind that.
/// - To the left it overtakes until its first input is there. Nothing can be pushed to the left,
///   since everything starts as early as its order lets it; so a place before that is refused, and
///   the refusal names the input.
/// - In free mode the time alone decides. So it does in an order that never ends, whose times are
///   only drawn: how else would it be mended? A place that puts more passes into a ring is refused.
///
/// So a strict drag in an order that runs gives an order that runs.
class Drag
{
public:
    /// @param draft    the orders as they are; may be unfinished
    /// @param grabbed  at least one entry
    /// @error BadValue, TooLarge  of the draft or the costs; an entry that is not there
    static Result<Drag> begin(Draft draft, Costs costs, std::vector<EntryAt> grabbed,
                              DragMode mode);
    ~Drag();
    Drag(Drag&&) noexcept;
    Drag& operator=(Drag&&) noexcept;

    /// Tries another offset of the pointer from where it grabbed; each trial starts from the
    /// beginning. Valid until the next one.
    /// @complexity O(passes) for the times, and a small part of that for the order
    const DragTrial& trial(Ticks offset);

    /// The draft with the order of the last trial.
    const Draft& draft() const;
    /// Its times, in which everything has fallen into place.
    const DraftTimes& times() const;
    /// The draft as a schedule, where it is one that runs; else null.
    const Schedule* schedule() const;
    /// The times of the last trial while the grabbed entries are still held where the pointer is,
    /// never before they could start: what is pushed stands behind them.
    /// @param until  what starts later may be at `Simulator::never`: who draws a part needs no more
    const DraftTimes& held(Ticks until = Simulator::never);

private:
    struct State;

    explicit Drag(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

/// The entries of a whole micro-batch on all devices.
std::vector<EntryAt> strandOf(const Draft& draft, int microBatch);

} // namespace pw
