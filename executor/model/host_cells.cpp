// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/host_cells.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace pw::exec {

HostCells::~HostCells()
{
    for (auto& [number, cell] : m_cells)
        m_ops.releaseHost(cell.host, cell.bytes,
                          cell.state == State::Returning ? cell.back : cell.there);
}

std::vector<HostPiece> HostCells::piecesOf(const Away& cell,
                                           const std::vector<Buffer>& buffers) const
{
    std::vector<HostPiece> pieces;
    std::byte* host = cell.host;
    for (const Buffer& buffer : buffers) {
        if (!buffer)
            continue;
        pieces.push_back({buffer.data(), host, buffer.bytes()});
        host += buffer.bytes();
    }
    return pieces;
}

void HostCells::note(const Away& cell, const HostTransfer& transfer, bool back)
{
    m_copied.push_back({cell.pass, back, cell.bytes, transfer.start, transfer.end});
}

Result<void> HostCells::stow(std::int32_t number, const Pass& pass, Cell& cell)
{
    if (m_cells.contains(number))
        return fail(ErrorCode::Fault,
                    "an activation that has gone to the host's memory cannot go there once more");
    Away away;
    away.pass = pass;
    away.buffers = cell.takeAll();
    for (const Buffer& buffer : away.buffers) {
        away.tensors.push_back(buffer ? buffer.bytes() : 0);
        away.bytes += away.tensors.back();
    }
    away.host = static_cast<std::byte*>(m_ops.allocateHost(away.bytes));
    Away& kept = m_cells.insert_or_assign(number, std::move(away)).first->second;
    kept.there = m_ops.copyToHost(piecesOf(kept, kept.buffers));
    note(kept, kept.there, false);
    ++m_stowed;
    m_bytesThere += kept.bytes;
    m_onHost += kept.bytes;
    m_mostOnHost = std::max(m_mostOnHost, m_onHost);
    return {};
}

Result<void> HostCells::free(std::int32_t number)
{
    const auto found = m_cells.find(number);
    if (found == m_cells.end() || found->second.state != State::Leaving)
        return fail(ErrorCode::Fault,
                    "an activation that is not on its way to the host's memory cannot leave room");
    found->second.state = State::Freeing;
    m_freeing.push_back(number);
    return {};
}

void HostCells::settle()
{
    for (const std::int32_t number : m_freeing) {
        Away& cell = m_cells.at(number);
        m_ops.waitFor(cell.there);
        cell.buffers.clear();
        cell.state = State::Away;
    }
    m_freeing.clear();
}

Result<void> HostCells::fetch(std::int32_t number, Cell& cell)
{
    const auto found = m_cells.find(number);
    if (found == m_cells.end() ||
        (found->second.state != State::Freeing && found->second.state != State::Away))
        return fail(ErrorCode::Fault,
                    "an activation that is not in the host's memory cannot come back from there");
    Away& away = found->second;
    std::vector<Buffer> buffers;
    const HostTransfer* emptied = nullptr;
    // Room of a cell of the same tensors, its own before any other.
    const auto fits = [&](std::int32_t other) { return m_cells.at(other).tensors == away.tensors; };
    auto giver = std::find(m_freeing.begin(), m_freeing.end(), number);
    if (giver == m_freeing.end())
        giver = std::find_if(m_freeing.begin(), m_freeing.end(), fits);
    if (giver != m_freeing.end()) {
        Away& left = m_cells.at(*giver);
        buffers = std::move(left.buffers);
        left.buffers.clear();
        left.state = State::Away;
        emptied = &left.there;
        m_freeing.erase(giver);
    } else {
        settle();
        for (const Bytes bytes : away.tensors)
            buffers.push_back(bytes > 0 ? Buffer(m_ops, bytes, MemoryUse::Activations) : Buffer());
    }
    away.state = State::Returning;
    away.back = m_ops.copyFromHost(piecesOf(away, buffers), away.there, emptied);
    cell.putAll(std::move(buffers));
    note(away, away.back, true);
    return {};
}

Result<void> HostCells::arrive(std::int32_t number)
{
    const auto found = m_cells.find(number);
    if (found == m_cells.end())
        return {};
    Away& away = found->second;
    if (away.state != State::Returning)
        return fail(
            ErrorCode::Fault,
            "its activation is in the host's memory, and nobody has asked for it to come back");
    m_ops.waitFor(away.back);
    m_ops.releaseHost(away.host, away.bytes, away.back);
    m_onHost -= away.bytes;
    m_cells.erase(found);
    return {};
}

std::string HostCells::text() const
{
    if (m_stowed == 0)
        return {};
    return "copied " + countText(m_stowed, "activation") + " to the host's memory and back, " +
           byteText(m_bytesThere) + " either way; at most " + byteText(m_mostOnHost) +
           " were there at a time";
}

} // namespace pw::exec
