// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "executor/cuda/block_store.h"

#include <algorithm>

// In the place of block_store.cpp where AddressSanitizer watches: every block is an allocation of
// its own, no byte larger than what was asked for, and none is taken twice, so that an access
// beyond one ends the program. How blocks are used again is what the other builds show.
namespace pw::exec::cuda {

Bytes blockBytes(Bytes bytes)
{
    constexpr Bytes grain = 512;
    return std::max((bytes + grain - 1) / grain * grain, grain);
}

SlabStore::~SlabStore()
{
    for (const auto& [address, block] : m_blocks)
        m_source.giveBack(address);
}

void* SlabStore::take(Bytes bytes)
{
    auto* const data = static_cast<std::byte*>(m_source.take(std::max(bytes, Bytes{1})));
    if (data == nullptr)
        return nullptr;
    m_blocks.emplace(data, Block{blockBytes(bytes)});
    m_reserved += blockBytes(bytes);
    m_used += blockBytes(bytes);
    return data;
}

void SlabStore::put(void* data) noexcept
{
    const auto block = m_blocks.find(static_cast<std::byte*>(data));
    PW_ASSERT(block != m_blocks.end() && !block->second.free);
    block->second.free = true; // work that was enqueued may still use it
    m_used -= block->second.bytes;
}

void SlabStore::trim() noexcept
{
    for (auto block = m_blocks.begin(); block != m_blocks.end();) {
        if (!block->second.free) {
            ++block;
            continue;
        }
        m_reserved -= block->second.bytes;
        m_source.giveBack(block->first);
        block = m_blocks.erase(block);
    }
}

ParkedStore::~ParkedStore()
{
    for (const auto& [data, bytes] : m_sizes)
        m_source.giveBack(const_cast<void*>(data));
}

ParkedStore::Taken ParkedStore::take(Bytes bytes)
{
    void* const data = m_source.take(std::max(bytes, Bytes{1}));
    if (data == nullptr)
        return {};
    m_reserved += blockBytes(bytes);
    m_sizes.emplace(data, bytes);
    return {data, nullptr};
}

void ParkedStore::put(void* data, std::shared_ptr<Moment> after)
{
    PW_ASSERT(owns(data));
    m_free[m_sizes.at(data)].push_back({data, std::move(after)});
}

void ParkedStore::trim() noexcept
{
    for (auto& [bytes, free] : m_free) {
        for (const Taken& block : free) {
            m_reserved -= blockBytes(bytes);
            m_sizes.erase(block.data);
            m_source.giveBack(block.data);
        }
        free.clear();
    }
}

} // namespace pw::exec::cuda
