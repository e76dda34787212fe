// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/record_queue.h"
#include "executor/api/runner.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pw::exec {

/// Loss of a micro-batch, and of which iteration it is.
struct RecordedLoss
{
    std::int32_t iteration = 0;
    MicroBatchLoss loss;
};

/// What a rank hands to the thread that collects.
struct RankRecords
{
    RecordQueue<RecordedPass> passes;
    RecordQueue<RecordedMessage> messages;
    RecordQueue<MemorySample> memory;
    RecordQueue<RecordedCopy> copies;
    RecordQueue<GpuReading> gpus;
    RecordQueue<RecordedLoss> losses;
    RecordQueue<RunLog> logs;
};

/// Where a rank is, for others to read: an entry of the schedule, or one of these.
enum RankPlace : std::int64_t
{
    placeBegin = -1,   ///< makes its worker
    placeBarrier = -2, ///< start of an iteration
    placeUpdates = -3, ///< reductions, and updates that do not stand in the order
    placeIterationEnd = -4,
    placeEnd = -5
};

/// What the ranks of a run and the thread that collects share.
struct RunShared
{
    RunShared(const RunPlan& thePlan, const WorkerFactory& theWorkers, RunClock& theClock,
              const Stop& theStop, Ticks thePatience)
        : plan(thePlan)
        , workers(theWorkers)
        , clock(theClock)
        , stop(theStop)
        , patience(thePatience)
    {
    }

    /// Ends the run; notes the fault where it is the first and nobody has stopped the run.
    /// @param isWait  a wait for another rank that has reached its limit, or that the end of the
    ///                run has cut short
    void fault(RunFault fault, ErrorCode code, bool isWait = false);

    /// Ends the run where there is not even memory to say why.
    void exhaust(RankId rank) noexcept;

    const RunPlan& plan;
    const WorkerFactory& workers;
    RunClock& clock;
    const Stop& stop; ///< the user's
    const Ticks patience;
    Stop ended; ///< requested on a fault and when the user stops the run

    /// Where a rank of this process is and for whom it waits, in words; empty for a rank of
    /// another process.
    std::function<std::string(RankId rank)> whereIs;

    std::mutex mutex;
    std::condition_variable changed;        ///< a rank has ended, or a fault
    int running = 0;                        ///< ranks; guarded
    std::optional<RunFault> firstFault;     ///< guarded
    ErrorCode firstCode = ErrorCode::Fault; ///< guarded
    RankId exhausted = RankId::none();      ///< the first without memory for a fault; guarded
    std::optional<RunFault> cutWait;        ///< a rank that waited at the end; guarded
};

/// One rank of a run: follows its program with its worker and its endpoint, on a thread of its own.
class RankRunner
{
public:
    RankRunner(RunShared& shared, RankId rank, std::unique_ptr<Endpoint> endpoint);

    /// The whole run; faults go to the shared state. Called on the rank's thread.
    void run() noexcept;
    /// Its thread could not be made: it has ended.
    void notBegun();

    RankId rank() const { return m_rank; }
    DeviceId device() const { return deviceOf(m_rank); }
    RankRecords& records() { return m_records; }
    /// See `RankPlace`.
    std::int64_t place() const { return m_place.load(std::memory_order_relaxed); }
    /// Rank that it waits for, or none.
    RankId peer() const { return m_peer.load(std::memory_order_relaxed); }
    /// Since when the worker is in its place, or 0 where the rank does not compute.
    Ticks computingSince() const { return m_computingSince.load(std::memory_order_relaxed); }
    bool ended() const { return m_ended.load(std::memory_order_acquire); }

private:
    void runAndReport();
    void close();
    /// An entry, a message or a copy whose times are not known yet.
    struct Pending
    {
        Mark start;
        Mark end;
        bool isMessage = false;
        bool isCopy = false;
        RecordedMessage message;
        RecordedCopy copy;
        OrderEntry entry;
        RecordedPass pass;
        MemoryNow atStart{};
        std::optional<MemoryNow> within{};
        MemoryNow atEnd{};
    };

    Result<void> runAll();
    Result<void> begin();
    Result<void> iterate(int iteration);
    Result<void> instructions();
    Result<void> prepareHint();
    Result<void> instructionsByHint();
    Result<EntryId> chooseByHint();
    bool hintAllows(EntryId entry, std::size_t place) const;
    void noteHint();
    /// A forward of weights whose update may still be taken back.
    struct Early
    {
        EntryId index{0};
        OrderEntry entry;
        std::int32_t input = -1; ///< message, of weights that may be taken back, too; −1: none
        std::vector<std::int32_t> sent{}; ///< messages with its result
    };

    /// @param index  none: an update that does not stand in the order
    Result<void> compute(EntryId index, const OrderEntry& entry);
    Result<void> work(EntryId index, const OrderEntry& entry);
    Result<void> moveToHost(const Instruction& instruction);
    void noteCopies();
    void noteGpus();
    Result<void> handOver(std::int32_t index);
    Result<void> receive(std::int32_t index);
    Result<void> accept(std::int32_t index, Arrival arrival);
    Result<void> meet(std::size_t first, std::size_t last);
    Result<void> computeInTurn(EntryId index);
    Result<void> reduce(std::int32_t index);
    Result<void> swapHere(const Reduction& reduction);
    Result<Packet> exchanged(const Reduction& reduction, int side);
    Result<void> takeIn(const Reduction& reduction, int side, Packet packet);
    Result<void> updates();
    Result<void> clip(int update);
    Result<double> factorOf(int round);
    Result<void> validate();
    bool runsAhead(const OrderEntry& entry) const;
    Result<void> validateIfKnown();
    Result<void> inputOrNorm(std::int32_t message);
    Result<void> confirm(std::int32_t message, Arrival& arrival);
    bool handsOnUnsure() const;
    Result<void> settleShards();
    Result<void> again(const std::vector<Early>& early);
    void strikeOut(const std::vector<Early>& early);
    void noteClipping();
    Result<void> settle();
    Result<void> finish();

    void strike(const OrderEntry& entry);
    bool strikes(FaultKind kind, const Pass& pass) const;
    std::int32_t wrongTag(std::int32_t index) const;

    void drain();
    bool resolved(const Pending& pending, Ticks& start, Ticks& end);
    void write(const Pending& pending, Ticks start, Ticks end);
    void write(const MemoryNow& memory, std::int32_t iteration, Ticks time);

    void enter(std::int64_t place, const OrderEntry& entry);
    const std::string& what();
    Patience patience();
    tl::unexpected<Error> named(const Error& error);
    void report(const Error& error, ErrorCode code);

    RunShared& m_shared;
    const RunPlan& m_plan;
    const RankId m_rank;
    const bool m_committed;
    std::unique_ptr<Endpoint> m_endpoint;
    std::unique_ptr<Worker> m_worker;
    std::vector<std::array<std::int32_t, 2>> m_inputs; ///< messages by entry; −1: none
    std::vector<InjectedFault> m_faults;               ///< on this rank
    RankRecords m_records;
    std::deque<Pending> m_pending;
    std::optional<MemoryNow> m_lastMemory;

    /// Of an order that is a hint; null where it is kept.
    struct Hint;
    std::shared_ptr<Hint> m_hint;
    std::int64_t m_wentAhead = 0; ///< passes of the run

    int m_iteration = 0;
    // Of clipping by the norm of all gradients.
    struct Validation
    {
        int update = 0;
        int round = 0;
    };
    int m_clipped = 0;                ///< updates of the iteration whose norm was asked for
    std::optional<Validation> m_open; ///< updates that were done without the norm
    bool m_lastClipped = false;       ///< whether the last update that is settled was
    std::vector<Early> m_early;       ///< since the open update, in turn
    /// Exchanges of the last update's weights in which a side did not know the norm.
    std::vector<std::int32_t> m_unsure;
    std::int64_t m_norms = 0, m_scaled = 0, m_rolledBack = 0; ///< of the run
    std::int64_t m_ranAhead = 0, m_ranAgain = 0;              ///< forwards, of the run
    OrderEntry m_entry;                                       ///< at hand
    bool m_hasEntry = false;
    bool m_overdue = false; ///< a wait has reached its limit
    std::string m_what;     ///< "rank 2, PP:2F1"; empty: to be made
    std::atomic<std::int64_t> m_place{placeBegin};
    std::atomic<RankId> m_peer{RankId::none()}; ///< rank that is waited for
    std::atomic<Ticks> m_computingSince{0};
    std::atomic<bool> m_ended{false};
};

/// A place in words: "PP:2F1", "the start of an iteration".
std::string placeText(std::int64_t place, const Schedule& schedule);

} // namespace pw::exec
