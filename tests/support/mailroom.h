// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/mpi/mpi_port.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace pw::test {

/// Stands for MPI where all ranks are in one process: carries messages between its ports.
class Mailroom
{
public:
    struct Letter
    {
        int from = 0;
        int to = 0;
        int tag = 0;
        exec::MpiChannel channel = exec::MpiChannel::Control;
        std::vector<std::byte> bytes;
    };

    explicit Mailroom(int ranks, int maxTag = 1 << 20)
        : m_ranks(ranks)
        , m_maxTag(maxTag)
        , m_boxes(static_cast<std::size_t>(ranks))
    {
    }

    /// Sees every letter on its way; false loses it. Set before anything is sent.
    std::function<bool(Letter&)> censor{};

    /// Sees what a rank gives when all give something to rank 0, and may change it.
    std::function<void(int rank, std::vector<std::byte>& given)> gathered{};

    int aborts() const { return m_aborts.load(); }
    int leaves() const { return m_leaves.load(); }

    std::unique_ptr<exec::MpiPort> port(int rank) { return std::make_unique<Port>(*this, rank); }

private:
    class Port final : public exec::MpiPort
    {
    public:
        Port(Mailroom& room, int rank)
            : m_room(room)
            , m_rank(rank)
        {
        }
        int rank() const override { return m_rank; }
        int size() const override { return m_room.m_ranks; }
        std::string host() const override { return "host" + std::to_string(m_rank / 2); }
        std::string library() const override { return "a mailroom"; }
        int maxTag() const override { return m_room.m_maxTag; }

        Result<Transfer> send(exec::MpiChannel channel, int to, int tag,
                              std::span<const std::byte> head,
                              std::span<const std::byte> body) override
        {
            Letter letter{m_rank, to, tag, channel, {head.begin(), head.end()}};
            letter.bytes.insert(letter.bytes.end(), body.begin(), body.end());
            const std::lock_guard lock(m_room.m_mutex);
            if (!m_room.censor || m_room.censor(letter))
                m_room.box(to, channel).push_back(std::move(letter));
            // Takes a while: done when asked about the second time.
            m_open[++m_last] = 1;
            return m_last;
        }
        Result<std::optional<Incoming>> next(exec::MpiChannel channel) override
        {
            const std::lock_guard lock(m_room.m_mutex);
            std::deque<Letter>& box = m_room.box(m_rank, channel);
            if (box.empty())
                return std::nullopt;
            m_found = std::move(box.front());
            box.pop_front();
            return Incoming{m_found.from, m_found.tag,
                            static_cast<std::int64_t>(m_found.bytes.size())};
        }
        Result<Transfer> receive(exec::MpiChannel /*channel*/, std::span<std::byte> head,
                                 std::span<std::byte> body) override
        {
            std::memcpy(head.data(), m_found.bytes.data(), head.size());
            if (!body.empty())
                std::memcpy(body.data(), m_found.bytes.data() + head.size(), body.size());
            ++m_last;
            m_open[m_last] = static_cast<int>(m_last % 3);
            return m_last;
        }
        Result<Transfer> barrier() override { return join({}, {}); }
        Result<Transfer> broadcast(std::span<std::byte> bytes) override
        {
            return join(m_rank == 0 ? bytes : std::span<std::byte>(), bytes);
        }
        Result<Transfer> gather(std::span<const std::byte> own, std::span<std::byte> all) override
        {
            std::vector<std::byte> given(own.begin(), own.end());
            if (m_room.gathered)
                m_room.gathered(m_rank, given);
            return join(given, all);
        }
        Result<bool> done(Transfer transfer) override
        {
            if (const auto call = m_calls.find(transfer); call != m_calls.end()) {
                const std::lock_guard lock(m_room.m_mutex);
                const std::map<int, std::vector<std::byte>>& given =
                    m_room.m_calls[call->second.number];
                if (given.size() < static_cast<std::size_t>(m_room.m_ranks))
                    return false;
                // What all gave, by rank: of a broadcast, only rank 0 gave something.
                auto to = call->second.into.begin();
                for (int rank = 0; rank < m_room.m_ranks && !call->second.into.empty(); ++rank)
                    to = std::copy(given.at(rank).begin(), given.at(rank).end(), to);
                m_calls.erase(call);
                return true;
            }
            const auto found = m_open.find(transfer);
            if (found == m_open.end())
                return true;
            if (found->second-- > 0)
                return false;
            m_open.erase(found);
            return true;
        }
        void leave() noexcept override { ++m_room.m_leaves; }
        void abort() noexcept override { ++m_room.m_aborts; }

    private:
        /// A call of all that is under way.
        struct Call
        {
            std::size_t number;
            std::span<std::byte> into;
        };

        Transfer join(std::span<const std::byte> given, std::span<std::byte> into)
        {
            const std::lock_guard lock(m_room.m_mutex);
            m_room.m_calls[m_next].emplace(m_rank, std::vector(given.begin(), given.end()));
            m_calls.emplace(++m_last, Call{m_next++, into});
            return m_last;
        }

        Mailroom& m_room;
        const int m_rank;
        std::size_t m_next = 0; ///< number of the next call of all
        std::map<Transfer, Call> m_calls;
        Letter m_found;
        Transfer m_last = 0;
        std::map<Transfer, int> m_open; ///< questions until it is done
    };

    std::deque<Letter>& box(int rank, exec::MpiChannel channel)
    {
        return m_boxes[static_cast<std::size_t>(rank)][static_cast<std::size_t>(channel)];
    }

    const int m_ranks;
    const int m_maxTag;
    std::mutex m_mutex;
    std::vector<std::array<std::deque<Letter>, exec::mpiChannelCount>> m_boxes;
    std::map<std::size_t, std::map<int, std::vector<std::byte>>> m_calls; ///< what each rank gave
    std::atomic<int> m_aborts{0};
    std::atomic<int> m_leaves{0};
};

} // namespace pw::test
