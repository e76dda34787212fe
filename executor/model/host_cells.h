// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/cell.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pw::exec {

/// The cells of a rank that are in the host's memory, or on the way there or back. A cell is known
/// by its number.
///
/// Room that one cell leaves and another takes at once goes from the one to the other, so that
/// neither the device's memory nor its operations have to wait for the copy in between.
class HostCells
{
public:
    explicit HostCells(Ops& ops)
        : m_ops(ops)
    {
    }
    ~HostCells();
    HostCells(const HostCells&) = delete;
    HostCells& operator=(const HostCells&) = delete;

    /// Has everything that a cell holds copied to the host.
    /// @error Fault  it has gone there already
    Result<void> stow(std::int32_t number, const Pass& pass, Cell& cell);
    /// The memory of a cell is free, once the copy has ended: at the latest at `settle`.
    /// @error Fault  the cell is not on its way to the host
    Result<void> free(std::int32_t number);
    /// Has it copied back.
    /// @error Fault  the cell is not in the host's memory
    Result<void> fetch(std::int32_t number, Cell& cell);
    /// Frees what is to be free: before anything that needs room.
    void settle();
    /// Operations from now on find the cell on the device; nothing where it never left.
    /// @error Fault  nobody has asked for it to come back
    Result<void> arrive(std::int32_t number);

    std::vector<Copied> takeCopies() { return std::exchange(m_copied, {}); }
    /// What has been copied so far, in a sentence; empty where nothing has.
    std::string text() const;

private:
    enum class State : std::uint8_t
    {
        Leaving,  ///< its memory is read
        Freeing,  ///< nobody needs its memory but the copy
        Away,     ///< on the host alone
        Returning ///< its memory is written
    };

    struct Away
    {
        Pass pass;
        State state = State::Leaving;
        std::byte* host = nullptr;
        Bytes bytes = 0;
        std::vector<Bytes> tensors;  ///< bytes by tensor, 0 where there is none
        std::vector<Buffer> buffers; ///< while it leaves
        HostTransfer there;
        HostTransfer back;
    };

    std::vector<HostPiece> piecesOf(const Away& cell, const std::vector<Buffer>& buffers) const;
    void note(const Away& cell, const HostTransfer& transfer, bool back);

    Ops& m_ops;
    std::map<std::int32_t, Away> m_cells;
    std::vector<std::int32_t> m_freeing; ///< the longest first
    std::vector<Copied> m_copied;
    std::int64_t m_stowed = 0;
    Bytes m_bytesThere = 0; ///< of all copies to the host
    Bytes m_onHost = 0;
    Bytes m_mostOnHost = 0;
};

} // namespace pw::exec
