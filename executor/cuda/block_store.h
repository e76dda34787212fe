// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

// Device memory that is asked for once and used again, without a call of the driver. Pure book
// keeping: no CUDA in here. One thread.
namespace pw::exec::cuda {

/// What a block takes that holds so many bytes.
Bytes blockBytes(Bytes bytes);

/// Where device memory comes from: the driver, or what stands for it in tests.
class BlockSource
{
public:
    virtual ~BlockSource() = default;
    /// @return  at an address that 256 divides; null where there is none
    virtual void* take(Bytes bytes) = 0;
    virtual void giveBack(void* data) noexcept = 0;
};

/// A point in the work of a stream that the device comes to later.
class Moment
{
public:
    virtual ~Moment() = default;
    virtual bool passed() const = 0;
};

/// Memory that one stream uses: what is put back may be taken again at once, as the stream comes to
/// the new use after the old one. Blocks are cut from large slabs, the best fit first, and grow
/// together again.
class SlabStore
{
public:
    /// @param slab  least bytes asked of the source at a time
    explicit SlabStore(BlockSource& source, Bytes slab = Bytes{64} << 20)
        : m_source(source)
        , m_slab(slab)
    {
    }
    ~SlabStore();
    SlabStore(const SlabStore&) = delete;
    SlabStore& operator=(const SlabStore&) = delete;

    /// @return  null where the source has no more
    void* take(Bytes bytes);
    /// @pre data is of `take`
    void put(void* data) noexcept;
    /// Gives slabs without a block in use back to the source, which must wait for the device.
    void trim() noexcept;

    Bytes reserved() const { return m_reserved; } ///< taken from the source
    Bytes used() const { return m_used; }         ///< in blocks, rounded up
    /// Of the free blocks.
    Bytes largestFree() const { return m_free.empty() ? 0 : m_free.rbegin()->first; }

private:
    struct Block
    {
        Bytes bytes = 0;
        bool free = false;
        bool first = false; ///< of its slab
        bool last = false;
    };
    using Blocks = std::map<std::byte*, Block>;

    Blocks::iterator grow(Bytes bytes);
    void split(Blocks::iterator block, Bytes bytes);
    void absorbNext(Blocks::iterator block);

    BlockSource& m_source;
    Bytes m_slab;
    Bytes m_reserved = 0;
    Bytes m_used = 0;
    Blocks m_blocks;                               ///< all, by address
    std::set<std::pair<Bytes, std::byte*>> m_free; ///< the best fit is a lower bound
};

/// Memory that several streams use one after the other: each block comes back with the moment until
/// which it is still in use, and whoever takes it next waits for that on the device.
class ParkedStore
{
public:
    /// @param spares  blocks of one size that may wait for their moment before another is asked for
    explicit ParkedStore(BlockSource& source, std::size_t spares = 2)
        : m_source(source)
        , m_spares(spares)
    {
    }
    ~ParkedStore();
    ParkedStore(const ParkedStore&) = delete;
    ParkedStore& operator=(const ParkedStore&) = delete;

    /// From now on blocks are taken in rounds, and a place in a round, the third of its size, say,
    /// is given the block that it had in the last one. Where that is not back yet or still in use,
    /// it is given one that no place has, for good: before long every round is like the last.
    void keepPlaces() { m_keepsPlaces = true; }
    void beginRound()
    {
        for (auto& [bytes, places] : m_places)
            places.next = 0;
    }

    struct Taken
    {
        void* data = nullptr;          ///< null where the source has no more
        std::shared_ptr<Moment> after; ///< before which it is still in use; may be null
    };

    Taken take(Bytes bytes);
    /// @pre data is of `take`
    void put(void* data, std::shared_ptr<Moment> after);
    bool owns(const void* data) const { return m_sizes.count(data) > 0; }
    /// Gives blocks that nobody has back to the source, which must wait for the device.
    void trim() noexcept;

    Bytes reserved() const { return m_reserved; }

private:
    /// Of one size.
    struct Places
    {
        std::vector<void*> blocks; ///< by place; several may have the same one after the other
        std::size_t next = 0;      ///< in this round
        std::size_t changed = 0;
    };

    static bool isReady(const Taken& block);
    Taken takeAny(Bytes wanted);
    Taken takeAtPlace(Bytes wanted, Places& places);
    void* takeNew(Bytes wanted);

    BlockSource& m_source;
    std::size_t m_spares;
    Bytes m_reserved = 0;
    bool m_keepsPlaces = false;
    std::map<Bytes, Places> m_places;               ///< by size
    std::unordered_map<const void*, Bytes> m_sizes; ///< of all blocks
    std::map<Bytes, std::vector<Taken>> m_free;     ///< by size, the longest free first
};

} // namespace pw::exec::cuda
