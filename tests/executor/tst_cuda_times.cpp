// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_attention.h"
#include "executor/cuda/cuda_error.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QThread>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

using namespace pw;
using namespace pw::exec;

// How long attention takes on a whole GPU: PW_TIMES=1 measures, PW_TIMES=small tries the
// measurement with few tokens, PW_TIMES unset skips. What is measured is compared, too.
namespace {

struct MemoryEnd
{
    void operator()(void* memory) const noexcept { static_cast<void>(cudaFree(memory)); }
};
using Memory = std::unique_ptr<void, MemoryEnd>;

Memory memoryOf(std::int64_t bytes)
{
    void* memory = nullptr;
    cuda::check("cudaMalloc", cudaMalloc(&memory, static_cast<std::size_t>(bytes)));
    return Memory(memory);
}

struct EventEnd
{
    void operator()(cudaEvent_t event) const noexcept
    {
        static_cast<void>(cudaEventDestroy(event));
    }
};
using Event = std::unique_ptr<CUevent_st, EventEnd>;

Event eventOf(unsigned flags)
{
    cudaEvent_t event = nullptr;
    cuda::check("cudaEventCreateWithFlags", cudaEventCreateWithFlags(&event, flags));
    return Event(event);
}

/// Waits on the host until a stream has nothing to do.
void awaitStream(cudaStream_t stream)
{
    while (cuda::notReady(cudaStreamQuery(stream)))
        QThread::usleep(100);
    cuda::check("cudaStreamQuery", cudaStreamQuery(stream));
}

/// How far numbers are from others, as a part of the largest of these.
double partApart(const std::vector<float>& found, const std::vector<float>& wanted)
{
    double largest = 0;
    double off = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto want = static_cast<double>(wanted[i]);
        const double apart = std::abs(static_cast<double>(found[i]) - want);
        if (std::isnan(apart))
            return INFINITY;
        largest = std::max(largest, std::abs(want));
        off = std::max(off, apart);
    }
    return off / largest;
}

/// What one way of attention reads and writes.
struct Places
{
    Matrix query;
    Matrix keyValue;
    Matrix probabilities; ///< of the way that keeps them
    Matrix scores;
    float* logSums = nullptr;
    float* slopes = nullptr;
    Matrix out;
    Matrix gradient;
    Matrix ofQuery;
    Matrix ofKeyValue;
};

struct Way
{
    const char* name;
    bool flash;
    bool tensorCores;
};

constexpr Way plain{"with a matrix of scores, by cuBLAS", false, true};
constexpr Way cudaCores{"flash, on CUDA cores", true, false};
constexpr Way tensorCores{"flash, on tensor cores", true, true};

} // namespace

class TestCudaTimes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void attentionTimes_data();
    void attentionTimes();

private:
    Matrix matrix(std::int64_t rows, std::int64_t columns, unsigned seed = 0);
    Places placesOf(const Attention& shape);
    void forward(const Way& way, const Attention& shape, const Places& at);
    void backward(const Way& way, const Attention& shape, const Places& at);
    double milliseconds(const std::function<void()>& work);
    double timeWays(const Attention& shape);
    std::vector<float> read(const Matrix& matrix);

    bool m_small = false;
    cudaStream_t m_stream = nullptr;
    std::unique_ptr<cuda::Blas> m_blas;
    cuda::Launches m_launches{nullptr, cuda::Graphs::None};
    std::vector<Memory> m_memory;
};

void TestCudaTimes::initTestCase()
{
    const QByteArray wanted = qgetenv("PW_TIMES");
    if (wanted.isEmpty())
        QSKIP("PW_TIMES=1 measures how long attention takes on a GPU");
    m_small = wanted == "small";
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        QSKIP("no GPU here");
    cuda::check("cudaSetDevice", cudaSetDevice(0));
    int multiprocessors = 0;
    cuda::check("cudaDeviceGetAttribute",
                cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    cuda::check("cudaStreamCreateWithPriority",
                cudaStreamCreateWithPriority(&m_stream, cudaStreamNonBlocking, 0));
    m_launches.goOn(m_stream);
    m_blas = std::make_unique<cuda::Blas>(m_stream, multiprocessors, cuda::Products::Full);
    cudaDeviceProp properties;
    cuda::check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
    std::printf("%s, %d multiprocessors; bfloat16, one sample. TFLOP/s count what a causal mask "
                "leaves: 2 × tokens² × heads × size forward, 2.5 times that backward.\n",
                properties.name, multiprocessors);
}

void TestCudaTimes::cleanupTestCase()
{
    m_blas.reset();
    if (m_stream != nullptr)
        cuda::check("cudaStreamDestroy", cudaStreamDestroy(m_stream));
}

void TestCudaTimes::attentionTimes_data()
{
    QTest::addColumn<int>("tokens");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("headSize");
    const auto add = [](int tokens, int heads, int size) {
        QTest::addRow("%d tokens, %d heads of %d", tokens, heads, size) << tokens << heads << size;
    };
    if (m_small) {
        add(150, 2, 64);
        add(130, 1, 128);
        return;
    }
    add(2048, 40, 128);
    add(4096, 40, 128);
    add(2048, 16, 64);
}

/// A matrix of numbers of a seed between −1 and 1; of 0: nothing is written.
Matrix TestCudaTimes::matrix(std::int64_t rows, std::int64_t columns, unsigned seed)
{
    const std::int64_t bytes = rows * columns * 2;
    m_memory.push_back(memoryOf(bytes));
    if (seed != 0) {
        std::vector<std::uint16_t> halves(static_cast<std::size_t>(rows * columns));
        for (std::uint16_t& one : halves) {
            seed = seed * 1664525U + 1013904223U;
            const float value = static_cast<float>(seed >> 8U) / static_cast<float>(1U << 23U) - 1;
            one = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
        }
        cuda::check("cudaMemcpy", cudaMemcpy(m_memory.back().get(), halves.data(),
                                             static_cast<std::size_t>(bytes), cudaMemcpyDefault));
    }
    return {m_memory.back().get(), rows, columns, columns};
}

Places TestCudaTimes::placesOf(const Attention& shape)
{
    const std::int64_t rows = shape.queries;
    const int h = shape.hidden();
    const auto floats = [&] {
        m_memory.push_back(memoryOf(rows * shape.heads * 4));
        return static_cast<float*>(m_memory.back().get());
    };
    Places at;
    at.query = matrix(rows, h, 1);
    at.keyValue = matrix(rows, 2 * h, 2);
    at.gradient = matrix(rows, h, 3);
    at.probabilities = matrix(rows * shape.heads, rows);
    at.scores = matrix(rows * shape.heads, rows);
    at.logSums = floats();
    at.slopes = floats();
    at.out = matrix(rows, h);
    at.ofQuery = matrix(rows, h);
    at.ofKeyValue = matrix(rows, 2 * h);
    return at;
}

void TestCudaTimes::forward(const Way& way, const Attention& shape, const Places& at)
{
    const cuda::AttentionPlace place{*m_blas, m_launches, cuda::Type::BFloat16, way.tensorCores};
    if (way.flash)
        cuda::attendFlash(place, shape, at.query, {&at.keyValue, 1}, at.logSums, at.out);
    else
        cuda::attend(place, shape, at.query, {&at.keyValue, 1}, at.probabilities, at.out);
}

void TestCudaTimes::backward(const Way& way, const Attention& shape, const Places& at)
{
    const cuda::AttentionPlace place{*m_blas, m_launches, cuda::Type::BFloat16, way.tensorCores};
    if (way.flash)
        cuda::attendFlashBackward(
            place, shape, at.query, {&at.keyValue, 1},
            {at.logSums, at.out, at.gradient, at.ofQuery, at.ofKeyValue, {}, at.slopes});
    else
        cuda::attendBackward(place, shape, at.query, {&at.keyValue, 1}, at.probabilities,
                             at.gradient, at.ofQuery, at.ofKeyValue, {}, at.scores);
}

/// The median of 20 after 5 that do not count, by the GPU's own clock.
double TestCudaTimes::milliseconds(const std::function<void()>& work)
{
    const int warm = m_small ? 0 : 5;
    const std::size_t times = m_small ? 2 : 20;
    for (int i = 0; i < warm; ++i)
        work();
    std::vector<Event> events;
    for (std::size_t i = 0; i <= times; ++i) {
        if (i > 0)
            work();
        events.push_back(eventOf(cudaEventDefault));
        cuda::check("cudaEventRecord", cudaEventRecord(events.back().get(), m_stream));
    }
    cuda::checkLaunch("attention");
    awaitStream(m_stream);
    std::vector<float> took(times);
    for (std::size_t i = 0; i < times; ++i)
        cuda::check("cudaEventElapsedTime",
                    cudaEventElapsedTime(&took[i], events[i].get(), events[i + 1].get()));
    std::sort(took.begin(), took.end());
    return (static_cast<double>(took[(times - 1) / 2]) + static_cast<double>(took[times / 2])) / 2;
}

std::vector<float> TestCudaTimes::read(const Matrix& matrix)
{
    const auto count = static_cast<std::size_t>(matrix.rows * matrix.columns);
    std::vector<std::uint16_t> halves(count);
    cuda::check("cudaMemcpy", cudaMemcpy(halves.data(), matrix.data, 2 * count, cudaMemcpyDefault));
    std::vector<float> values(count);
    std::transform(halves.begin(), halves.end(), values.begin(), [](std::uint16_t one) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(one) << 16U);
    });
    return values;
}

/// Prints what every way takes.
/// @return  how far their results are apart, as a part of the largest number
double TestCudaTimes::timeWays(const Attention& shape)
{
    const Places at = placesOf(shape);
    std::printf("%s\n", QTest::currentDataTag());
    std::vector<std::vector<float>> first;
    double apart = 0;
    for (const Way& way : {plain, cudaCores, tensorCores}) {
        const double there = milliseconds([&] { forward(way, shape, at); });
        const double back = milliseconds([&] { backward(way, shape, at); });
        // 10¹² of them a second are 10⁹ a millisecond.
        const double work = 2e-9 * shape.queries * shape.queries * shape.hidden();
        std::printf("  %-36s forward %9.3f ms, %7.1f TFLOP/s; backward %9.3f ms, %7.1f TFLOP/s\n",
                    way.name, there, there > 0 ? work / there : 0.0, back,
                    back > 0 ? 2.5 * work / back : 0.0);
        std::fflush(stdout);
        const std::array<Matrix, 3> results{at.out, at.ofQuery, at.ofKeyValue};
        for (std::size_t i = 0; i < results.size(); ++i) {
            const std::vector<float> found = read(results[i]);
            if (first.size() <= i)
                first.push_back(found);
            else
                apart = std::max(apart, partApart(found, first[i]));
        }
    }
    std::printf("  results are apart by %.4f of the largest number\n", apart);
    return apart;
}

void TestCudaTimes::attentionTimes()
{
    QFETCH(int, tokens);
    QFETCH(int, heads);
    QFETCH(int, headSize);
    const std::vector<int> keys{tokens};
    double apart = 0;
    std::string failed;
    try {
        apart = timeWays({1, heads, headSize, tokens, keys});
    } catch (const DeviceError& error) {
        failed = error.what();
    }
    m_memory.clear();
    QVERIFY2(failed.empty(), failed.c_str());
    // Four roundings of each, as in tst_cuda_ops.
    QVERIFY(apart <= 8.0 / 256);
}

PW_TEST(TestCudaTimes)

#include "tst_cuda_times.moc"
