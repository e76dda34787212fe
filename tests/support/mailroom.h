// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/transport/mpi_port.h"

#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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
        Result<bool> done(Transfer transfer) override
        {
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
        Mailroom& m_room;
        const int m_rank;
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
    std::atomic<int> m_aborts{0};
    std::atomic<int> m_leaves{0};
};

} // namespace pw::test
