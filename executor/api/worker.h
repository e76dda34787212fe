// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/lower/program.h"
#include "core/model/schedule.h"
#include "core/trace/gpu_reading.h"
#include "core/trace/records.h"
#include "executor/api/stop.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::exec {

/// A moment on a device. A device that computes apart from its host thread (CUDA) comes to it
/// later.
struct Mark
{
    std::int64_t value = -1;
};

/// Memory that holds a result between two passes: an activation, a gradient, or the weight
/// gradients of a stage. Each backend has its own kind; only workers and transports of one backend
/// look inside.
class Payload
{
public:
    virtual ~Payload() = default;
    virtual Bytes bytes() const = 0;
};

/// A result on its way from the pass that made it to the one that uses it.
struct Packet
{
    std::shared_ptr<Payload> payload;
    /// When the result is there by the plan's own clock; 0: whenever it arrives. Only where passes
    /// take modelled times.
    Ticks due = 0;
    /// On the run's clock, where passes take modelled times: when it was complete, or, of one that
    /// has come, when it was there; 0: when it was seen.
    Ticks at = 0;
    /// Of gradients that were exchanged: both replicas' sum, not the other's alone.
    bool summed = false;
    /// Made of weights whose update may still be taken back; what replaces it then is sent again.
    bool optimistic = false;
};

/// Bytes of a rank's memory by use.
using MemoryNow = std::array<Bytes, memoryUseCount>;

/// What an entry left behind.
struct Computed
{
    Mark start;
    Mark end;
    MemoryNow atStart{}; ///< with what the entry has taken
    /// After copies between device and host that belong within the entry; none without such.
    std::optional<MemoryNow> within{};
    MemoryNow atEnd{}; ///< without what it has given back
};

/// A copy of an activation between the device and its host, which may still be on its way.
struct Copied
{
    Pass cell;         ///< its F
    bool back = false; ///< from the host
    Bytes bytes = 0;
    Mark start;
    Mark end;
};

/// Mean loss over the tokens of a micro-batch.
struct MicroBatchLoss
{
    std::int32_t microBatch = 0; ///< of the iteration
    double loss = 0;
};

/// One device at work: does the entries of its rank in the order in which it is told. All calls
/// come from one thread, the rank's own.
///
/// Exceptions of a worker end the run as a fault of the pass at hand.
class Worker
{
public:
    virtual ~Worker() = default;

    /// Says whose request ends what the worker waits for; before anything else.
    /// @param ended  of the run; outlives the worker
    virtual void setStop(const Stop& /*ended*/) {}
    /// Takes weights and whatever else lasts for the run.
    virtual Result<void> begin() = 0;
    /// A new execution of the schedule; all ranks are there.
    /// @param iteration  below 0 while warming up
    virtual Result<void> beginIteration(int iteration) = 0;

    /// Hands over a result of another rank, before the entry that uses it.
    virtual Result<void> deliver(const Pass& producer, Packet packet) = 0;
    /// Runs an entry, a U too.
    virtual Result<Computed> compute(const OrderEntry& entry) = 0;
    /// The result of a pass of this rank that another rank needs; once.
    virtual Result<Packet> take(const Pass& producer) = 0;

    /// Does one of `Stow`, `Free`, `Fetch` to an activation, or has the next entry do it where the
    /// move says so. Does not wait for the copy.
    virtual Result<void> move(const HostMove& move, InstructionKind what);
    /// The copies that were asked for since the last call.
    virtual std::vector<Copied> takeCopies() { return {}; }

    /// The weight gradients of a hosted stage that belong to an update, for the other replica.
    virtual Result<Packet> gradients(HostedStage stage, int update) = 0;
    /// Adds those of the other replica. Both replicas then hold the same numbers: the sum is
    /// route 0's plus route 1's.
    virtual Result<void> addGradients(HostedStage stage, int update, Packet packet) = 0;

    /// Numbers of a shard of a hosted stage, for the rank that holds another copy: of its gradients
    /// for an update (`Scatter`, `Gather`) or of its weights (`Weights`).
    virtual Result<Packet> shard(HostedStage stage, int update, ReductionKind kind, int shard);
    /// Takes such numbers in: adds them (`Scatter`), or puts them in the place of its own.
    virtual Result<void> takeShard(HostedStage stage, int update, ReductionKind kind, int shard,
                                   Packet packet);

    /// Sum of the squares of an update's gradients, over the hosted stages of route 0.
    virtual Result<double> gradientSquares(int update);
    /// Scales the gradients of an update, of all hosted stages, once it takes them in.
    virtual Result<void> scaleGradients(int update, double factor);
    /// From now on an update can be taken back, until it is settled.
    virtual Result<void> keepForRollback(int update);
    /// Takes the updates of a number back and does them again with scaled gradients.
    virtual Result<void> rollBack(int update, double factor);
    /// A forward was made of weights that were taken back: what it left is dropped, and the entry
    /// will be computed again. Those that follow it on its micro-batch are forgotten, too.
    virtual Result<void> forget(const OrderEntry& entry);
    /// What was kept for a rollback is needed no more.
    virtual void settled(int update);

    /// After the last iteration; all ranks have come to it.
    virtual Result<void> end() { return {}; }

    /// Losses of the micro-batches whose last stage ran here since the last call.
    virtual std::vector<MicroBatchLoss> takeLosses() = 0;

    /// Time of a mark on the run's clock; none while the device has not come to it.
    virtual std::optional<Ticks> time(Mark mark) = 0;
    /// Something that the device reported on its own (an asynchronous CUDA error), or good.
    virtual Result<void> health() { return {}; }
    /// What the rank's GPU says of itself since the last call: after `begin`, and after the last
    /// iteration. Of the ranks on a GPU one has it.
    virtual std::vector<GpuReading> takeGpuReadings() { return {}; }
    /// What a person should know about how this rank ran (jitter, pairs that did not overlap);
    /// asked once, at the end.
    virtual std::vector<std::string> notes() { return {}; }
};

} // namespace pw::exec
