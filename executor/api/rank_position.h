// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_shared.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace pw::exec {

/// Where a rank is, for others to read: an entry of the schedule, or one of these.
enum RankPlace : std::int64_t
{
    placeBegin = -1,   ///< makes its worker
    placeBarrier = -2, ///< start of an iteration
    placeUpdates = -3, ///< reductions, and updates that do not stand in the order
    placeIterationEnd = -4,
    placeEnd = -5
};

/// A place in words: "PP:2F1", "the start of an iteration".
std::string placeText(std::int64_t place, const Schedule& schedule);

/// Where one rank is and for whom it waits: for other threads, which read it while the rank runs,
/// and in the rank's own sentences, "rank 2, PP:2F1: …".
///
/// What changes it is called on the rank's thread alone, as is all but the first four functions.
class RankPosition
{
public:
    RankPosition(const RunShared& shared, RankId rank);

    RankId rank() const { return m_rank; }
    /// See `RankPlace`.
    std::int64_t place() const { return m_place.load(std::memory_order_relaxed); }
    /// Rank that it waits for, or none.
    RankId peer() const { return m_peer.load(std::memory_order_relaxed); }
    /// Since when the worker is in its place, or 0 where the rank does not compute.
    Ticks computingSince() const { return m_computingSince.load(std::memory_order_relaxed); }

    /// Of the run; below 0 while it warms up.
    int iteration() const { return m_iteration; }
    /// The rank comes to the start of an iteration.
    void enterIteration(int iteration);
    void enter(std::int64_t place, const OrderEntry& entry = {});
    /// @param index  none: an update that does not stand in the order
    void enterEntry(EntryId index, const OrderEntry& entry);
    /// Around an update, whose own entry it need not be.
    void enterUpdate(const Pass& update) { enter(placeUpdates, single(update)); }
    /// All entries of the iteration have been told to the device; sentences go on to speak of the
    /// last one, or of `atEntry`.
    void enterIterationEnd();
    /// The device has come as far as to this entry.
    void atEntry(const OrderEntry& entry);
    /// The entry at hand, or the last one.
    const OrderEntry& entry() const { return m_entry; }

    void waitFor(RankId peer) { m_peer.store(peer, std::memory_order_relaxed); }
    void endWait() { m_peer.store(RankId::none(), std::memory_order_relaxed); }
    void beginComputing();
    void endComputing() { m_computingSince.store(0, std::memory_order_relaxed); }

    /// "rank 2, PP:2F1"; lasts until the rank goes on.
    const std::string& what();
    /// Of a wait that begins here.
    Patience patience();
    /// An error of a worker or an endpoint, with where it was.
    tl::unexpected<Error> named(const Error& error);
    /// @error Cancelled  the run has ended
    Result<void> checkEnded();

    /// That the rank fails here.
    RunFault faultOf(const Error& error) const;
    /// Whether it fails since a wait for another rank has reached its limit, or was cut short by
    /// the end of the run.
    bool failsWaiting(ErrorCode code) const;

private:
    const RunShared& m_shared;
    const RankId m_rank;
    std::atomic<std::int64_t> m_place{placeBegin};
    std::atomic<RankId> m_peer{RankId::none()}; ///< rank that is waited for
    std::atomic<Ticks> m_computingSince{0};
    int m_iteration = 0;
    OrderEntry m_entry; ///< at hand
    bool m_hasEntry = false;
    bool m_overdue = false; ///< a wait has reached its limit
    std::string m_what;     ///< empty: to be made
};

} // namespace pw::exec
