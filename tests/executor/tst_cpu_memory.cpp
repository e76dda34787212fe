// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_ops.h"
#include "executor/cpu/host_pool.h"
#include "executor/model/memory_ledger.h"
#include "executor/model/random.h"
#include "executor/transport/host_payload.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>

using namespace pw;
using namespace pw::exec;

namespace {

Bytes of(const MemoryNow& memory, MemoryUse use)
{
    return memory[static_cast<std::size_t>(use)];
}

/// Hands packets from one thread to another.
class Channel
{
public:
    void put(Packet packet)
    {
        const std::lock_guard lock(m_mutex);
        m_packets.push_back(std::move(packet));
        m_more.notify_one();
    }
    Packet take()
    {
        std::unique_lock lock(m_mutex);
        m_more.wait(lock, [this] { return !m_packets.empty(); });
        Packet packet = std::move(m_packets.front());
        m_packets.pop_front();
        return packet;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_more;
    std::deque<Packet> m_packets;
};

/// Threads of this process.
int threadCount()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("Threads:", 0) == 0)
            return std::atoi(line.c_str() + 8);
    }
    return 0;
}

class ElsewherePayload final : public Payload
{
public:
    Bytes bytes() const override { return 64; }
};

template<typename Act>
std::string errorOf(Act act)
{
    try {
        act();
    } catch (const DeviceError& error) {
        return error.what();
    }
    return "no error";
}

} // namespace

class TestCpuMemory : public QObject
{
    Q_OBJECT

private slots:
    void everyByteIsCounted()
    {
        const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
        RandomSequence numbers(5);
        struct Piece
        {
            Buffer buffer;
            MemoryUse use;
        };
        std::vector<Piece> pieces;
        MemoryNow now{};
        MemoryNow peaks{};
        auto anyUse = [&] { return static_cast<MemoryUse>(numbers.below(memoryUseCount)); };
        auto count = [&](MemoryUse use, Bytes bytes) {
            const auto index = static_cast<std::size_t>(use);
            now[index] += bytes;
            peaks[index] = std::max(peaks[index], now[index]);
        };
        for (int i = 0; i < 20'000; ++i) {
            const int action = numbers.below(5);
            if (action <= 1) {
                const Bytes bytes = numbers.below(40) * 13;
                const MemoryUse use = anyUse();
                pieces.push_back({Buffer(*ops, bytes, use), use});
                QCOMPARE(reinterpret_cast<std::uintptr_t>(pieces.back().buffer.data()) % 64,
                         std::uintptr_t{0});
                ops->zero(pieces.back().buffer.data(), bytes);
                count(use, bytes);
            } else if (action <= 3 && !pieces.empty()) {
                std::swap(pieces[static_cast<std::size_t>(
                              numbers.below(static_cast<int>(pieces.size())))],
                          pieces.back());
                count(pieces.back().use, -pieces.back().buffer.bytes());
                pieces.pop_back();
            } else if (!pieces.empty()) {
                Piece& piece = pieces.back();
                const MemoryUse use = anyUse();
                piece.buffer.relabel(use);
                count(piece.use, -piece.buffer.bytes());
                count(use, piece.buffer.bytes());
                piece.use = use;
            }
            QCOMPARE(ops->memory(), now);
            if (i % 97 == 0) {
                QCOMPARE(ops->takePeaks(), peaks);
                peaks = now;
            }
        }
        pieces.clear();
        QCOMPARE(ops->memory(), MemoryNow{});
    }

    void aPeakBeginsAgainWhereMemoryStands()
    {
        MemoryLedger ledger;
        ledger.take(100, MemoryUse::Activations);
        ledger.take(50, MemoryUse::Weights);
        ledger.giveBack(60, MemoryUse::Activations);
        QCOMPARE(of(ledger.takePeaks(), MemoryUse::Activations), Bytes{100});
        QCOMPARE(of(ledger.takePeaks(), MemoryUse::Activations), Bytes{40});
        ledger.relabel(40, MemoryUse::Activations, MemoryUse::HeldForWeight);
        QCOMPARE(of(ledger.now(), MemoryUse::Activations), Bytes{0});
        const MemoryNow peaks = ledger.takePeaks();
        QCOMPARE(of(peaks, MemoryUse::Activations), Bytes{40});
        QCOMPARE(of(peaks, MemoryUse::HeldForWeight), Bytes{40});
        QCOMPARE(ledger.total(), Bytes{90});
        QCOMPARE(ledger.peakTotal(), Bytes{150});
    }

    void aLimitIsNamedAndNothingIsLost()
    {
        const std::unique_ptr<Ops> ops = makeCpuOps(m_clock, 256);
        Buffer weights(*ops, 192, MemoryUse::Weights);
        QCOMPARE(errorOf([&] { Buffer(*ops, 65, MemoryUse::Activations); }),
                 std::string("out of memory: 65 bytes of activations wanted, 192 in use, the limit "
                             "is 256"));
        QCOMPARE(of(ops->memory(), MemoryUse::Activations), Bytes{0});
        QCOMPARE(of(ops->memory(), MemoryUse::Weights), Bytes{192});
        const Buffer fits(*ops, 64, MemoryUse::Activations);
        weights.relabel(MemoryUse::Versions);
        QCOMPARE(of(ops->memory(), MemoryUse::Versions), Bytes{192});
    }

    void memoryComesBackUntilThereIsEnoughOfIt()
    {
        HostPool pool;
        void* first = pool.take(1000);
        pool.giveBack(first, 1000, 2000);
        QCOMPARE(pool.idle(), Bytes{1000});
        QVERIFY(pool.take(1000) == first);
        void* second = pool.take(1000);
        void* third = pool.take(500);
        pool.giveBack(first, 1000, 2000);
        pool.giveBack(second, 1000, 2000);
        pool.giveBack(third, 500, 2000);
        QCOMPARE(pool.idle(), Bytes{2000});
    }

    void aPacketLeavesOneLedgerAndEntersAnother()
    {
        const std::unique_ptr<Ops> sender = makeCpuOps(m_clock);
        const std::unique_ptr<Ops> receiver = makeCpuOps(m_clock);
        Buffer made(*sender, 128, MemoryUse::Messages);
        static_cast<float*>(made.data())[31] = 0.5F;
        void* memory = made.data();
        Packet packet = sender->pack(made.surrender(), 128);
        QCOMPARE(packet.payload->bytes(), Bytes{128});
        QCOMPARE(sender->memory(), MemoryNow{});
        QCOMPARE(receiver->memory(), MemoryNow{});
        {
            const Buffer taken(*receiver, receiver->unpack(packet, 128), 128, MemoryUse::Messages);
            QCOMPARE(of(receiver->memory(), MemoryUse::Messages), Bytes{128});
            QVERIFY(taken.data() == memory);
            QCOMPARE(static_cast<float*>(taken.data())[31], 0.5F);
        }
        QCOMPARE(receiver->memory(), MemoryNow{});
        QCOMPARE(errorOf([&] { receiver->unpack(packet, 128); }),
                 std::string("a packet without host memory came to the CPU device"));
    }

    void aPacketOfAnotherKindOrSizeIsRefused()
    {
        const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
        QCOMPARE(errorOf([&] { ops->unpack(Packet{std::make_shared<ElsewherePayload>()}, 64); }),
                 std::string("a packet without host memory came to the CPU device"));
        QCOMPARE(errorOf([&] { ops->unpack(Packet{}, 64); }),
                 std::string("a packet without host memory came to the CPU device"));
        QCOMPARE(errorOf([&] { ops->unpack(Packet{std::make_shared<HostPayload>(32)}, 64); }),
                 std::string("a packet of 32 bytes came where 64 were expected"));
        QCOMPARE(ops->memory(), MemoryNow{});
    }

    // What the thread sanitizer looks at: memory that one rank allocates, another one reads,
    // changes and keeps for itself, and that comes back in another packet.
    void ranksHandPacketsAroundInARing()
    {
        constexpr int ranks = 3;
        constexpr int laps = 200;
        constexpr Bytes bytes = 4096;
        std::vector<Channel> channels(ranks);
        std::vector<double> sums(ranks);
        std::vector<MemoryNow> left(ranks);
        auto rank = [&](std::size_t own) {
            const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
            const std::int64_t count = bytes / Bytes{sizeof(float)};
            for (int lap = 0; lap < laps; ++lap) {
                Buffer made(*ops, bytes, MemoryUse::Messages);
                float* numbers = static_cast<float*>(made.data());
                std::fill(numbers, numbers + count, static_cast<float>(lap));
                channels[(own + 1) % ranks].put(ops->pack(made.surrender(), bytes));
                Buffer taken(*ops, ops->unpack(channels[own].take(), bytes), bytes,
                             MemoryUse::Messages);
                float* received = static_cast<float*>(taken.data());
                ops->addFloats(received, received, count);
                taken.relabel(MemoryUse::Activations);
                sums[own] += static_cast<double>(received[count - 1]);
            }
            left[own] = ops->memory();
        };
        std::vector<std::thread> threads;
        for (std::size_t own = 0; own < ranks; ++own)
            threads.emplace_back(rank, own);
        for (std::thread& thread : threads)
            thread.join();
        for (std::size_t own = 0; own < ranks; ++own) {
            QCOMPARE(sums[own], 2.0 * laps * (laps - 1) / 2);
            QCOMPARE(left[own], MemoryNow{});
        }
    }

    void aPacketThatNobodyTakesIsFreedAnywhere()
    {
        Packet packet;
        std::thread([&] {
            const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
            Buffer made(*ops, 4096, MemoryUse::Messages);
            ops->zero(made.data(), made.bytes());
            packet = ops->pack(made.surrender(), 4096);
        }).join();
        QCOMPARE(packet.payload->bytes(), Bytes{4096});
        packet = {};
    }

    void productsStartNoThreads()
    {
        const int before = threadCount();
        if (before == 0)
            QSKIP("no /proc/self/status here");
        constexpr int ranks = 2;
        std::vector<int> most(ranks);
        auto rank = [&](std::size_t own) {
            const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
            RandomSequence numbers(own);
            using exec::testing::Tensor;
            Tensor a = Tensor::random(numbers, 200, 200);
            Tensor b = Tensor::random(numbers, 200, 200);
            Tensor out(200, 200);
            for (int i = 0; i < 10; ++i) {
                ops->multiply(a.matrix(), Transpose::No, b.matrix(), Transpose::Yes, out.matrix());
                most[own] = std::max(most[own], threadCount());
            }
        };
        std::vector<std::thread> threads;
        for (std::size_t own = 0; own < ranks; ++own)
            threads.emplace_back(rank, own);
        for (std::thread& thread : threads)
            thread.join();
        for (const int found : most)
            QVERIFY2(found <= before + ranks, qPrintable(QString::number(found)));
    }

private:
    RunClock m_clock;
};

PW_TEST(TestCpuMemory)
#include "tst_cpu_memory.moc"
