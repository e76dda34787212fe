// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

namespace pw::exec {

/// Records on their way from one thread to another, in order. Adding never waits: what is not
/// fetched piles up.
template<typename Record>
class RecordQueue
{
public:
    RecordQueue()
        : m_write(new Chunk)
        , m_read(m_write)
    {
    }
    ~RecordQueue()
    {
        while (m_read != nullptr) {
            Chunk* const next = m_read->next.load(std::memory_order_relaxed);
            delete m_read;
            m_read = next;
        }
    }
    RecordQueue(const RecordQueue&) = delete;
    RecordQueue& operator=(const RecordQueue&) = delete;

    /// By the one thread that adds.
    void add(const Record& record)
    {
        std::size_t count = m_write->count.load(std::memory_order_relaxed);
        if (count == chunkSize) {
            Chunk* const next = new Chunk;
            m_write->next.store(next, std::memory_order_release);
            m_write = next;
            count = 0;
        }
        m_write->records[count] = record;
        m_write->count.store(count + 1, std::memory_order_release);
    }

    /// By the one thread that fetches: appends all that there is.
    void fetch(std::vector<Record>& out)
    {
        for (;;) {
            const std::size_t count = m_read->count.load(std::memory_order_acquire);
            out.insert(out.end(), m_read->records.begin() + static_cast<std::ptrdiff_t>(m_fetched),
                       m_read->records.begin() + static_cast<std::ptrdiff_t>(count));
            m_fetched = count;
            Chunk* const next =
                count == chunkSize ? m_read->next.load(std::memory_order_acquire) : nullptr;
            if (next == nullptr)
                return;
            delete m_read;
            m_read = next;
            m_fetched = 0;
        }
    }

private:
    static constexpr std::size_t chunkSize = 256;

    struct Chunk
    {
        std::array<Record, chunkSize> records{};
        std::atomic<std::size_t> count{0};
        std::atomic<Chunk*> next{nullptr};
    };

    alignas(64) Chunk* m_write;
    alignas(64) Chunk* m_read;
    std::size_t m_fetched = 0; ///< of the chunk that is read
};

} // namespace pw::exec
