// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/block_store.h"

#include "core/base/assert.h"

#include <algorithm>
#include <iterator>

namespace pw::exec::cuda {

namespace {

constexpr Bytes grain = 512; ///< blocks are multiples of it, so that vectors of 16 bytes fit

} // namespace

Bytes blockBytes(Bytes bytes)
{
    return std::max((bytes + grain - 1) / grain * grain, grain);
}

SlabStore::~SlabStore()
{
    for (const auto& [address, block] : m_blocks) {
        if (block.first)
            m_source.giveBack(address);
    }
}

void* SlabStore::take(Bytes bytes)
{
    const Bytes wanted = blockBytes(bytes);
    const auto fit = m_free.lower_bound({wanted, nullptr});
    auto block = fit == m_free.end() ? grow(wanted) : m_blocks.find(fit->second);
    if (block == m_blocks.end())
        return nullptr;
    m_free.erase({block->second.bytes, block->first});
    block->second.free = false;
    split(block, wanted);
    m_used += block->second.bytes;
    return block->first;
}

SlabStore::Blocks::iterator SlabStore::grow(Bytes bytes)
{
    // A slab of its own for what is large; where the device is nearly full, no more than needed.
    Bytes slab = std::max(bytes, m_slab);
    void* data = m_source.take(slab);
    if (data == nullptr && slab > bytes) {
        slab = bytes;
        data = m_source.take(slab);
    }
    if (data == nullptr)
        return m_blocks.end();
    m_reserved += slab;
    auto* const address = static_cast<std::byte*>(data);
    m_free.emplace(slab, address);
    return m_blocks.emplace(address, Block{slab, true, true, true}).first;
}

void SlabStore::split(Blocks::iterator block, Bytes bytes)
{
    const Bytes rest = block->second.bytes - bytes;
    if (rest < grain)
        return;
    std::byte* const address = block->first + bytes;
    m_blocks.emplace(address, Block{rest, true, false, block->second.last});
    m_free.emplace(rest, address);
    block->second.bytes = bytes;
    block->second.last = false;
}

void SlabStore::absorbNext(Blocks::iterator block)
{
    const auto next = std::next(block);
    m_free.erase({next->second.bytes, next->first});
    block->second.bytes += next->second.bytes;
    block->second.last = next->second.last;
    m_blocks.erase(next);
}

void SlabStore::put(void* data) noexcept
{
    auto block = m_blocks.find(static_cast<std::byte*>(data));
    PW_ASSERT(block != m_blocks.end() && !block->second.free);
    m_used -= block->second.bytes;
    block->second.free = true;
    if (!block->second.last && std::next(block)->second.free)
        absorbNext(block);
    if (!block->second.first && std::prev(block)->second.free) {
        block = std::prev(block);
        m_free.erase({block->second.bytes, block->first});
        // The block behind is not in the list of free ones yet; erasing it there changes nothing.
        absorbNext(block);
    }
    m_free.emplace(block->second.bytes, block->first);
}

void SlabStore::trim() noexcept
{
    for (auto block = m_blocks.begin(); block != m_blocks.end();) {
        const Block& here = block->second;
        if (!here.free || !here.first || !here.last) {
            ++block;
            continue;
        }
        m_free.erase({here.bytes, block->first});
        m_reserved -= here.bytes;
        m_source.giveBack(block->first);
        block = m_blocks.erase(block);
    }
}

ParkedStore::~ParkedStore()
{
    for (const auto& [data, bytes] : m_sizes)
        m_source.giveBack(const_cast<void*>(data));
}

bool ParkedStore::isReady(const Taken& block)
{
    return block.after == nullptr || block.after->passed();
}

ParkedStore::Taken ParkedStore::take(Bytes bytes)
{
    const Bytes wanted = blockBytes(bytes);
    return m_keepsPlaces ? takeAtPlace(wanted, m_places[wanted]) : takeAny(wanted);
}

void* ParkedStore::takeNew(Bytes wanted)
{
    void* const data = m_source.take(wanted);
    if (data != nullptr) {
        m_reserved += wanted;
        m_sizes.emplace(data, wanted);
    }
    return data;
}

ParkedStore::Taken ParkedStore::takeAtPlace(Bytes wanted, Places& places)
{
    const std::size_t place = places.next++;
    if (place >= places.blocks.size()) {
        const Taken taken = takeAny(wanted);
        places.blocks.push_back(taken.data);
        return taken;
    }
    std::vector<Taken>& free = m_free[wanted];
    void*& own = places.blocks[place];
    const auto ofNobody = [&places](const void* data) {
        return std::find(places.blocks.begin(), places.blocks.end(), data) == places.blocks.end();
    };
    auto found = std::find_if(free.begin(), free.end(), [own](const Taken& block) {
        return block.data == own && isReady(block);
    });
    if (found == free.end())
        found = std::find_if(free.begin(), free.end(), [&](const Taken& block) {
            return isReady(block) && ofNobody(block.data);
        });
    if (found != free.end()) {
        own = found->data;
        free.erase(found);
        return {own, nullptr};
    }
    // Each place comes to a block of its own at most, however often the first was late.
    if (places.changed < places.blocks.size()) {
        if (void* const data = takeNew(wanted); data != nullptr) {
            ++places.changed;
            own = data;
            return {data, nullptr};
        }
    }
    return takeAny(wanted);
}

ParkedStore::Taken ParkedStore::takeAny(Bytes wanted)
{
    std::vector<Taken>& free = m_free[wanted];
    const auto ready = std::find_if(free.begin(), free.end(), isReady);
    if (ready != free.end()) {
        const Taken taken{ready->data, nullptr};
        free.erase(ready);
        return taken;
    }
    if (free.size() < m_spares) {
        if (void* const data = takeNew(wanted); data != nullptr)
            return {data, nullptr};
    }
    if (free.empty())
        return {};
    Taken taken = std::move(free.front());
    free.erase(free.begin());
    return taken;
}

void ParkedStore::put(void* data, std::shared_ptr<Moment> after)
{
    const auto size = m_sizes.find(data);
    PW_ASSERT(size != m_sizes.end());
    m_free[size->second].push_back({data, std::move(after)});
}

void ParkedStore::trim() noexcept
{
    m_places.clear();
    for (auto& [bytes, free] : m_free) {
        for (const Taken& block : free) {
            m_reserved -= bytes;
            m_sizes.erase(block.data);
            m_source.giveBack(block.data);
        }
        free.clear();
    }
}

} // namespace pw::exec::cuda
