// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Speed of the CPU device, one thread. Build the release preset, then:
// build/release/tests/bench_executor
//
// Every figure is the best of several repeats, since other work on a machine only ever adds time.
// Products stand beside own loops and beside two threads that each do the same at once; operations
// on elements beside a copy of as many bytes in the same run.

#include "executor/cpu/cpu_gemm.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/model/data.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace pw;
using namespace pw::exec;

/// Shortest time of one call, seconds; the calls of a repeat take about a millisecond together.
double best(const std::function<void()>& work)
{
    using Clock = std::chrono::steady_clock;
    constexpr int repeats = 25;
    constexpr double enough = 1e-3;
    int calls = 1;
    double shortest = std::numeric_limits<double>::max();
    work();
    for (int i = 0; i < repeats; ++i) {
        const auto start = Clock::now();
        for (int call = 0; call < calls; ++call)
            work();
        const double time = std::chrono::duration<double>(Clock::now() - start).count();
        shortest = std::min(shortest, time / calls);
        if (time < enough)
            calls = std::min(100'000, 1 + static_cast<int>(calls * enough / (time + 1e-9)));
    }
    return shortest;
}

/// A matrix on a device, its numbers all the same.
class Filled
{
public:
    Filled(Ops& ops, std::int64_t rows, std::int64_t columns, float value = 0.5F)
        : m_buffer(ops, rows * columns * Bytes{sizeof(float)}, MemoryUse::Workspace)
        , m_rows(rows)
        , m_columns(columns)
    {
        std::fill_n(data(), rows * columns, value);
    }
    float* data() const { return static_cast<float*>(m_buffer.data()); }
    Matrix matrix() const { return {data(), m_rows, m_columns, m_columns}; }
    FloatMatrix floats() const { return {data(), m_rows, m_columns}; }

private:
    Buffer m_buffer;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
};

/// Rate of two threads that multiply at the same time, in all; floating point operations a second.
double twoThreads(const RunClock& clock, int n, double flops)
{
    double rates[2] = {};
    auto rank = [&](double& rate) {
        const std::unique_ptr<Ops> ops = makeCpuOps(clock);
        const Filled a(*ops, n, n), b(*ops, n, n), out(*ops, n, n);
        rate =
            flops / best([&] {
                ops->multiply(a.matrix(), Transpose::No, b.matrix(), Transpose::No, out.matrix());
            });
    };
    std::thread other(rank, std::ref(rates[0]));
    rank(rates[1]);
    other.join();
    return rates[0] + rates[1];
}

void timeProducts(const RunClock& clock)
{
    std::printf("products of n by n, GF/s (%.*s)\n", static_cast<int>(cpuMathLibrary().size()),
                cpuMathLibrary().data());
    std::printf("%6s %10s %8s %8s %8s %10s %12s\n", "n", "us a call", "a b", "a bT", "+= aT b",
                "own loops", "two threads");
    const std::unique_ptr<Ops> ops = makeCpuOps(clock);
    for (const int n : {4, 8, 16, 32, 64, 128, 256, 512}) {
        const Filled a(*ops, n, n), b(*ops, n, n), out(*ops, n, n);
        const double flops = 2.0 * n * n * n;
        const double plain = best([&] {
            ops->multiply(a.matrix(), Transpose::No, b.matrix(), Transpose::No, out.matrix());
        });
        const double turned = best([&] {
            ops->multiply(a.matrix(), Transpose::No, b.matrix(), Transpose::Yes, out.matrix());
        });
        const double added = best([&] {
            ops->multiplyAdd(a.matrix(), Transpose::Yes, b.matrix(), Transpose::No, out.floats());
        });
        const double loops = best([&] {
            cpu::multiplyPlain({n, n, n}, 1, {a.data(), n}, {b.data(), n}, cpu::Into::Nothing,
                               out.data(), n);
        });
        std::printf("%6d %10.2f %8.1f %8.1f %8.1f %10.1f %12.1f\n", n, plain * 1e6,
                    flops / plain * 1e-9, flops / turned * 1e-9, flops / added * 1e-9,
                    flops / loops * 1e-9, twoThreads(clock, n, flops) * 1e-9);
    }
}

struct Timed
{
    const char* name;
    double floats; ///< read and written, of one element of the matrix
    std::function<void()> work;
};

void timeElements(const RunClock& clock, std::int64_t rows, std::int64_t columns)
{
    const std::unique_ptr<Ops> ops = makeCpuOps(clock);
    const Filled a(*ops, rows, columns), b(*ops, rows, columns), out(*ops, rows, columns);
    const Filled scale(*ops, 1, columns), shift(*ops, 1, columns), inverse(*ops, 1, rows);
    const Filled state0(*ops, rows, columns, 0), state1(*ops, rows, columns, 0);
    const std::vector<std::int32_t> targets(static_cast<std::size_t>(rows), 1);
    const std::int64_t count = rows * columns;
    float loss = 0;
    const Timed timed[] = {
        {"copy", 2, [&] { ops->copy(out.data(), a.data(), count * Bytes{sizeof(float)}); }},
        {"add", 3, [&] { ops->add(a.matrix(), b.matrix(), out.matrix()); }},
        {"addBias", 2, [&] { ops->addBias(out.matrix(), shift.floats()); }},
        {"addRowSums", 1, [&] { ops->addRowSums(a.matrix(), shift.floats()); }},
        {"normalize", 2, [&] { ops->normalize(a.matrix(), out.matrix(), inverse.floats()); }},
        {"affine", 2,
         [&] { ops->affine(a.matrix(), scale.floats(), shift.floats(), out.matrix()); }},
        {"normalizeBackward", 4,
         [&] {
             ops->normalizeBackward(a.matrix(), b.matrix(), inverse.floats(), scale.floats(),
                                    a.matrix(), out.matrix());
         }},
        {"addAffineGradients", 2,
         [&] { ops->addAffineGradients(a.matrix(), b.matrix(), scale.floats(), shift.floats()); }},
        {"gelu", 2, [&] { ops->gelu(a.matrix(), out.matrix()); }},
        {"geluBackward", 3, [&] { ops->geluBackward(a.matrix(), b.matrix(), out.matrix()); }},
        {"crossEntropy", 2,
         [&] {
             ops->crossEntropy(out.matrix(), {targets.data(), rows}, 1, &loss);
         }},
        {"update (AdamW)", 7,
         [&] {
             ops->update(Optimizer{}, 1, count, true, out.data(), a.data(), state0.data(),
                         state1.data());
         }},
    };
    std::printf("operations on %lld by %lld elements\n%-22s %10s %10s %10s\n",
                static_cast<long long>(rows), static_cast<long long>(columns), "operation",
                "us a call", "GB/s", "of a copy");
    double copy = 0;
    for (const Timed& each : timed) {
        const double time = best(each.work);
        const double rate = each.floats * sizeof(float) * static_cast<double>(count) / time;
        copy = copy == 0 ? rate : copy;
        std::printf("%-22s %10.2f %10.1f %9.0f%%\n", each.name, time * 1e6, rate * 1e-9,
                    rate / copy * 100);
    }
}

void timeAttention(const RunClock& clock)
{
    std::printf("attention, 4 heads of 64, one sample, us a call\n%8s %10s %10s\n", "tokens",
                "forward", "backward");
    const std::unique_ptr<Ops> ops = makeCpuOps(clock);
    for (const int tokens : {16, 64, 256, 1024}) {
        constexpr int heads = 4;
        constexpr int hidden = heads * 64;
        const Filled queries(*ops, tokens, hidden), keysValues(*ops, tokens, 2 * hidden),
            probabilities(*ops, std::int64_t{heads} * tokens, tokens), out(*ops, tokens, hidden),
            queryGradient(*ops, tokens, hidden), keyValueGradient(*ops, tokens, 2 * hidden);
        const int keys[] = {tokens};
        const Attention shape{1, heads, 64, tokens, keys};
        const Matrix held = keysValues.matrix();
        const double forward = best([&] {
            ops->attention(shape, queries.matrix(), {&held, 1}, probabilities.matrix(),
                           out.matrix());
        });
        const double backward = best([&] {
            ops->attentionBackward(shape, queries.matrix(), {&held, 1}, probabilities.matrix(),
                                   out.matrix(), queryGradient.matrix(), keyValueGradient.matrix(),
                                   {});
        });
        std::printf("%8d %10.1f %10.1f\n", tokens, forward * 1e6, backward * 1e6);
    }
}

void timeMemory(const RunClock& clock)
{
    const std::unique_ptr<Ops> ops = makeCpuOps(clock);
    const double time = best([&] { Buffer(*ops, 1 << 20, MemoryUse::Activations); });
    const double text = best([] { sample(1, 2, 65, 64); });
    std::printf("memory taken and given back: %.0f ns; text: %.1f ns a token\n", time * 1e9,
                text / 65 * 1e9);
}

} // namespace

int main()
{
    const RunClock clock;
    timeProducts(clock);
    timeElements(clock, 256, 256);
    timeElements(clock, 4096, 1024);
    timeAttention(clock);
    timeMemory(clock);
    return 0;
}
