// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_ops.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/cuda_ops.h"
#include "executor/model/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

using namespace pw;
using namespace pw::exec;

// Every operation of the GPU against that of the CPU, on the same numbers. In bfloat16 the CPU
// computes in floats what the GPU reads as elements; then the GPU rounds what it writes, to 8 bits
// of mantissa: one rounding is up to 2⁻⁸ of the number, and attention has two more in between.
namespace {

constexpr double floatTolerance = 1e-5;
constexpr double halfTolerance = 1.0 / 256;

std::uint16_t halfOf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

float floatOf(std::uint16_t bf16)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bf16) << 16U);
}

/// Numbers that both devices hold.
struct Twin
{
    bool element = false; ///< of the device's type; else floats
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;
    std::vector<float> first; ///< as they were at the start, gaps too
    Buffer cpu{};
    Buffer gpu{};
};

/// One device's view of the twins.
class Side
{
public:
    Side(std::vector<Twin>& twins, bool gpu)
        : m_twins(twins)
        , m_gpu(gpu)
    {
    }
    Matrix operator[](std::size_t i) const
    {
        const Twin& twin = m_twins[i];
        return {data(i), twin.rows, twin.columns, twin.stride};
    }
    FloatMatrix floats(std::size_t i) const
    {
        return {static_cast<float*>(data(i)), m_twins[i].rows, m_twins[i].columns};
    }
    Tokens tokens(std::size_t i) const
    {
        return {static_cast<const std::int32_t*>(data(i)), m_twins[i].columns};
    }

private:
    void* data(std::size_t i) const { return (m_gpu ? m_twins[i].gpu : m_twins[i].cpu).data(); }

    std::vector<Twin>& m_twins;
    bool m_gpu;
};

} // namespace

class TestCudaOps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void cleanupTestCase();

    void elementwise_data() { shapes(); }
    void elementwise();
    void rowsAtOddAddresses_data();
    void rowsAtOddAddresses();
    void norms_data() { shapes(); }
    void norms();
    void columnSumsAndTheirBits_data() { shapes(); }
    void columnSumsAndTheirBits();
    void losses_data() { shapes(); }
    void losses();
    void products_data();
    void products();
    void attention_data();
    void attention();
    void flashAttention_data() { flashCases(); }
    void flashAttention();
    void flashAttentionOfManySegments();
    void flashAttentionOfRowsApart();
    void flashAttentionHasItsBits();
    void tf32RoundsFactorsAndNothingElse();
    void whatWasUploadedMayChangeAtOnce();
    void aWaitForTheDeviceEndsWithTheRun();
    void clocksAreAlignedAtEveryIteration();
    void embedding_data();
    void embedding();
    void optimizers_data();
    void optimizers();
    void firstWeightsAreThoseOfTheHostToTheBit();
    void squaresAndScaling();
    void rowsBeyondOneGrid();
    void marksComeInOrderOnTheRunsClock();
    void aPairRunsOnTwoStreamsAndJoins();
    void whatGoesToTheHostComesBack();

private:
    static void shapes();
    static void flashCases();
    void compareFlash(const Attention& shape, std::int64_t gap);
    std::size_t matrix(std::int64_t rows, std::int64_t columns, std::int64_t gap = 0);
    std::size_t floats(std::int64_t rows, std::int64_t columns, float scale = 1);
    std::size_t tokens(std::int64_t count, int vocabulary);
    std::size_t add(Twin twin);
    void both(const std::function<void(Ops&, const Side&)>& work);
    std::vector<float> read(const Twin& twin, bool gpu);
    /// Empty, or where the devices differ, or gaps were written to.
    std::string differs(std::size_t i, double more = 1);

    RunClock m_clock;
    std::shared_ptr<cuda::RankDevice> m_device;
    std::unique_ptr<Ops> m_cpu;
    std::unique_ptr<Ops> m_floatOps;
    std::unique_ptr<Ops> m_halfOps;
    std::unique_ptr<Ops> m_tf32Ops;
    Ops* m_gpu = nullptr;
    std::vector<Twin> m_twins;
    RandomSequence m_numbers{17};
};

#define COMPARE_TWINS(...)                                                                         \
    do {                                                                                           \
        const std::string text = differs(__VA_ARGS__);                                             \
        QVERIFY2(text.empty(), text.c_str());                                                      \
    } while (false)

void TestCudaOps::initTestCase()
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
        QSKIP(cuda::errorText("no GPU here: cudaGetDeviceCount", status).c_str());
    constexpr Ticks patience = 10'000 * ticksPerMs;
    auto gpu = std::make_shared<cuda::GpuShares>(0, 1);
    auto events = std::make_shared<cuda::EventPool>(0);
    m_device = std::make_shared<cuda::RankDevice>(
        gpu, events, std::make_shared<cuda::GpuTime>(events, m_clock), 0);
    m_device->beginIteration(0, patience);
    m_cpu = makeCpuOps(m_clock);
    m_floatOps = cuda::makeCudaOps(m_device, Element::Float32, patience);
    m_halfOps = cuda::makeCudaOps(m_device, Element::BFloat16, patience);
    m_tf32Ops = cuda::makeCudaOps(m_device, Element::Float32, patience, cuda::Products::Tf32);
}

void TestCudaOps::init()
{
    m_numbers = RandomSequence(17);
    m_gpu = m_floatOps.get();
}

void TestCudaOps::cleanup()
{
    m_twins.clear();
}

void TestCudaOps::cleanupTestCase()
{
    m_floatOps.reset();
    m_halfOps.reset();
    m_tf32Ops.reset();
}

void TestCudaOps::shapes()
{
    QTest::addColumn<bool>("bf16");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("gap");
    for (const bool bf16 : {false, true}) {
        for (const int rows : {1, 3, 17, 200}) {
            for (const int columns : {1, 3, 8, 64, 67, 1024, 1030, 4096}) {
                for (const int gap : {0, 5, 8})
                    QTest::addRow("%s, %d by %d, %d apart", bf16 ? "bfloat16" : "float", rows,
                                  columns, gap)
                        << bf16 << rows << columns << gap;
            }
        }
    }
}

std::size_t TestCudaOps::add(Twin twin)
{
    const bool bf16 = twin.element && m_gpu->element() == Element::BFloat16;
    const auto bytes = static_cast<Bytes>(twin.first.size() * sizeof(float));
    if (bf16) {
        for (float& value : twin.first)
            value = floatOf(halfOf(value));
    }
    twin.cpu = Buffer(*m_cpu, bytes, MemoryUse::Workspace);
    m_cpu->upload(twin.cpu.data(), twin.first.data(), bytes);
    twin.gpu = Buffer(*m_gpu, bf16 ? bytes / 2 : bytes, MemoryUse::Workspace);
    if (bf16) {
        std::vector<std::uint16_t> halves;
        for (const float value : twin.first)
            halves.push_back(halfOf(value));
        m_gpu->upload(twin.gpu.data(), halves.data(), bytes / 2);
    } else {
        m_gpu->upload(twin.gpu.data(), twin.first.data(), bytes);
    }
    m_twins.push_back(std::move(twin));
    return m_twins.size() - 1;
}

std::size_t TestCudaOps::matrix(std::int64_t rows, std::int64_t columns, std::int64_t gap)
{
    Twin twin{true, rows, columns, columns + gap, {}};
    for (std::int64_t i = 0; i < rows * twin.stride; ++i)
        twin.first.push_back(static_cast<float>(m_numbers.below(20'001) - 10'000) / 10'000.0F);
    return add(std::move(twin));
}

std::size_t TestCudaOps::floats(std::int64_t rows, std::int64_t columns, float scale)
{
    Twin twin{false, rows, columns, columns, {}};
    for (std::int64_t i = 0; i < rows * columns; ++i)
        twin.first.push_back(scale * static_cast<float>(m_numbers.below(20'001) - 10'000) /
                             10'000.0F);
    return add(std::move(twin));
}

std::size_t TestCudaOps::tokens(std::int64_t count, int vocabulary)
{
    Twin twin{false, 1, count, count, {}};
    for (std::int64_t i = 0; i < count; ++i)
        twin.first.push_back(
            std::bit_cast<float>(static_cast<std::int32_t>(m_numbers.below(vocabulary))));
    return add(std::move(twin));
}

void TestCudaOps::both(const std::function<void(Ops&, const Side&)>& work)
{
    work(*m_cpu, Side(m_twins, false));
    work(*m_gpu, Side(m_twins, true));
}

std::vector<float> TestCudaOps::read(const Twin& twin, bool gpu)
{
    std::vector<float> values(twin.first.size());
    const auto bytes = static_cast<Bytes>(values.size() * sizeof(float));
    Ops& ops = gpu ? *m_gpu : *m_cpu;
    const void* const from = (gpu ? twin.gpu : twin.cpu).data();
    if (gpu && twin.element && ops.element() == Element::BFloat16) {
        std::vector<std::uint16_t> halves(values.size());
        ops.download(halves.data(), from, bytes / 2);
        std::transform(halves.begin(), halves.end(), values.begin(), floatOf);
    } else {
        ops.download(values.data(), from, bytes);
    }
    return values;
}

std::string TestCudaOps::differs(std::size_t i, double more)
{
    const Twin& twin = m_twins[i];
    const std::vector<float> wanted = read(twin, false);
    const std::vector<float> found = read(twin, true);
    const bool bf16 = m_gpu->element() == Element::BFloat16;
    double largest = 1;
    for (const float value : wanted)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    const double tolerance = more * (bf16 ? halfTolerance : floatTolerance) * largest;
    for (std::int64_t row = 0; row < twin.rows; ++row) {
        for (std::int64_t column = 0; column < twin.stride; ++column) {
            const auto at = static_cast<std::size_t>(row * twin.stride + column);
            const auto place = [row, column] {
                return "row " + std::to_string(row) + ", column " + std::to_string(column) + ": ";
            };
            if (column >= twin.columns && found[at] != twin.first[at])
                return place() + "the gap between rows was written to";
            const double off =
                std::abs(static_cast<double>(found[at]) - static_cast<double>(wanted[at]));
            if (column < twin.columns && !(off <= tolerance))
                return place() + std::to_string(found[at]) + ", not " + std::to_string(wanted[at]);
        }
    }
    return {};
}

#define FETCH_SHAPE                                                                                \
    QFETCH(bool, bf16);                                                                            \
    QFETCH(int, rows);                                                                             \
    QFETCH(int, columns);                                                                          \
    QFETCH(int, gap);                                                                              \
    m_gpu = bf16 ? m_halfOps.get() : m_floatOps.get()

void TestCudaOps::elementwise()
{
    FETCH_SHAPE;
    const std::size_t a = matrix(rows, columns, gap);
    const std::size_t b = matrix(rows, columns, gap);
    const std::size_t sum = matrix(rows, columns, gap);
    const std::size_t bias = floats(1, columns);
    const std::size_t out = matrix(rows, columns, gap);
    const std::size_t forGelu = matrix(rows, columns, gap);
    const std::size_t forSum = matrix(rows, columns, gap);
    const std::size_t biasedGelu = matrix(rows, columns, gap);
    const std::size_t biasedSum = matrix(rows, columns, gap);
    const std::size_t slope = matrix(rows, columns, gap);
    const std::size_t asFloats = floats(rows, columns);
    const std::size_t back = matrix(rows, columns, gap);
    both([&](Ops& ops, const Side& at) {
        ops.add(at[a], at[b], at[sum]);
        ops.gelu(at[a], at[out]);
        ops.geluBackward(at[b], at[a], at[slope]);
        ops.toFloat(at[a], at.floats(asFloats));
        ops.fromFloat(at.floats(asFloats), at[back]);
        ops.addBiasAndGelu(at[forGelu], at.floats(bias), at[biasedGelu]);
        ops.addBiasAndResidual(at[forSum], at.floats(bias), at[b], at[biasedSum]);
        ops.addBias(at[a], at.floats(bias));
        ops.add(at[b], at[a], at[b]); // into one of the two
    });
    for (const std::size_t i : {sum, out, slope, asFloats, back, a, forGelu})
        COMPARE_TWINS(i);
    COMPARE_TWINS(biasedGelu, 2); // of what had been rounded before, as the next ones
    COMPARE_TWINS(biasedSum, 2);
    COMPARE_TWINS(b, 2); // a had been rounded before
}

void TestCudaOps::rowsAtOddAddresses_data()
{
    QTest::addColumn<bool>("bf16");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("gap");
    QTest::newRow("float") << false << 17 << 64 << 8;
    QTest::newRow("bfloat16") << true << 17 << 64 << 8;
}

/// Rows that could be read in vectors, but for where they begin: slices of a wider matrix.
void TestCudaOps::rowsAtOddAddresses()
{
    FETCH_SHAPE;
    const std::size_t a = matrix(rows, columns + gap);
    const std::size_t b = matrix(rows, columns + gap);
    const std::size_t sum = matrix(rows, columns + gap);
    const std::size_t out = matrix(rows, columns + gap);
    both([&](Ops& ops, const Side& at) {
        const auto odd = [&](Matrix whole) {
            constexpr Bytes first = 3;
            whole.data = static_cast<std::byte*>(whole.data) + first * ops.elementBytes();
            whole.columns = columns;
            return whole;
        };
        ops.add(odd(at[a]), odd(at[b]), odd(at[sum]));
        ops.gelu(odd(at[a]), odd(at[out]));
    });
    for (const std::size_t i : {sum, out})
        COMPARE_TWINS(i);
}

void TestCudaOps::norms()
{
    FETCH_SHAPE;
    const std::size_t x = matrix(rows, columns, gap);
    const std::size_t scale = floats(1, columns);
    const std::size_t shift = floats(1, columns);
    const std::size_t normal = matrix(rows, columns, gap);
    const std::size_t inverse = floats(1, rows);
    const std::size_t out = matrix(rows, columns, gap);
    const std::size_t gradient = matrix(rows, columns, gap);
    const std::size_t residual = matrix(rows, columns, gap);
    const std::size_t alone = matrix(rows, columns, gap);
    const std::size_t added = matrix(rows, columns, gap);
    both([&](Ops& ops, const Side& at) {
        ops.affine(at[x], at.floats(scale), at.floats(shift), at[out]);
        ops.normalize(at[x], at[normal], at.floats(inverse));
        // What follows reads x in the place of the normalized numbers: the same on both sides.
        ops.normalizeBackward(at[gradient], at[x], at.floats(inverse), at.floats(scale), Matrix{},
                              at[alone]);
        ops.normalizeBackward(at[gradient], at[x], at.floats(inverse), at.floats(scale),
                              at[residual], at[added]);
        ops.normalizeBackward(at[gradient], at[x], at.floats(inverse), at.floats(scale),
                              at[residual], at[residual]);
    });
    // A norm magnifies what the last digit of its mean says, most where there is one column.
    const double more = columns == 1 ? 100 : 2;
    for (const std::size_t i : {out, normal, inverse, alone, added, residual})
        COMPARE_TWINS(i, more);
}

void TestCudaOps::columnSumsAndTheirBits()
{
    FETCH_SHAPE;
    const std::size_t gradient = matrix(rows, columns, gap);
    const std::size_t normal = matrix(rows, columns, gap);
    std::array<std::size_t, 3> sums{};
    for (std::size_t& one : sums)
        one = floats(1, columns);
    both([&](Ops& ops, const Side& at) {
        ops.addRowSums(at[gradient], at.floats(sums[0]));
        ops.addAffineGradients(at[gradient], at[normal], at.floats(sums[1]), at.floats(sums[2]));
    });
    for (const std::size_t i : sums)
        COMPARE_TWINS(i);
    // The same call gives the same bits.
    std::array<std::vector<float>, 2> twice;
    const Side at(m_twins, true);
    for (std::vector<float>& values : twice) {
        m_gpu->zero(at.floats(sums[0]).data, columns * 4);
        m_gpu->addRowSums(at[gradient], at.floats(sums[0]));
        values = read(m_twins[sums[0]], true);
    }
    QVERIFY(twice[0] == twice[1]);
}

void TestCudaOps::losses()
{
    FETCH_SHAPE;
    const std::size_t logits = matrix(rows, columns, gap);
    const std::size_t targets = tokens(rows, columns);
    const std::size_t loss = floats(1, 1);
    both([&](Ops& ops, const Side& at) {
        ops.crossEntropy(at[logits], at.tokens(targets), 0.25F, at.floats(loss).data);
    });
    COMPARE_TWINS(logits);
    COMPARE_TWINS(loss);
}

void TestCudaOps::products_data()
{
    QTest::addColumn<bool>("bf16");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("inner");
    QTest::addColumn<int>("gap");
    constexpr std::array<std::array<int, 4>, 7> all = {{{1, 1, 1, 0},
                                                        {3, 17, 1, 0},
                                                        {17, 3, 64, 5},
                                                        {65, 33, 129, 3},
                                                        {256, 128, 192, 0},
                                                        {0, 5, 4, 0},
                                                        {5, 4, 0, 0}}};
    for (const bool bf16 : {false, true}) {
        for (const std::array<int, 4>& shape : all)
            QTest::addRow("%s, %d by %d over %d, %d apart", bf16 ? "bfloat16" : "float", shape[0],
                          shape[1], shape[2], shape[3])
                << bf16 << shape[0] << shape[1] << shape[2] << shape[3];
    }
}

void TestCudaOps::products()
{
    FETCH_SHAPE;
    QFETCH(int, inner);
    for (const bool ta : {false, true}) {
        for (const bool tb : {false, true}) {
            const std::size_t a = ta ? matrix(inner, rows, gap) : matrix(rows, inner, gap);
            const std::size_t b = tb ? matrix(columns, inner, gap) : matrix(inner, columns, gap);
            const std::size_t out = matrix(rows, columns, gap);
            const std::size_t total = floats(rows, columns);
            both([&](Ops& ops, const Side& at) {
                ops.multiply(at[a], Transpose(ta), at[b], Transpose(tb), at[out]);
                ops.multiplyAdd(at[a], Transpose(ta), at[b], Transpose(tb), at.floats(total));
            });
            COMPARE_TWINS(out);
            COMPARE_TWINS(total);
        }
    }
}

void TestCudaOps::attention_data()
{
    QTest::addColumn<bool>("bf16");
    QTest::addColumn<int>("samples");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("headSize");
    QTest::addColumn<QList<int>>("keys");
    for (const bool bf16 : {false, true}) {
        const char* const type = bf16 ? "bfloat16" : "float";
        QTest::addRow("%s, one token", type) << bf16 << 1 << 1 << 1 << QList<int>{1};
        QTest::addRow("%s, odd sizes", type) << bf16 << 2 << 3 << 5 << QList<int>{7};
        QTest::addRow("%s, three segments", type) << bf16 << 2 << 3 << 5 << QList<int>{4, 3, 5};
        QTest::addRow("%s, more samples than heads", type)
            << bf16 << 5 << 2 << 8 << QList<int>{8, 16};
        QTest::addRow("%s, wide rows", type) << bf16 << 1 << 4 << 64 << QList<int>{128, 128};
        QTest::addRow("%s, a block a row", type) << bf16 << 1 << 2 << 16 << QList<int>{1100, 100};
    }
}

void TestCudaOps::attention()
{
    QFETCH(bool, bf16);
    QFETCH(int, samples);
    QFETCH(int, heads);
    QFETCH(int, headSize);
    QFETCH(QList<int>, keys);
    m_gpu = bf16 ? m_halfOps.get() : m_floatOps.get();
    const std::vector<int> counts(keys.cbegin(), keys.cend());
    const Attention shape{samples, heads, headSize, counts.back(), counts};
    const int h = shape.hidden();
    const std::int64_t rows = static_cast<std::int64_t>(samples) * shape.queries;
    std::vector<std::size_t> keysValues;
    std::vector<std::size_t> earlier;
    for (const int count : counts) {
        keysValues.push_back(matrix(std::int64_t{samples} * count, 2 * h));
        if (keysValues.size() < counts.size())
            earlier.push_back(matrix(std::int64_t{samples} * count, 2 * h));
    }
    const std::size_t query = matrix(rows, h);
    const std::size_t shares = matrix(rows * heads, shape.keyCount());
    const std::size_t out = matrix(rows, h);
    const std::size_t gradient = matrix(rows, h);
    const std::size_t ofQuery = matrix(rows, h);
    const std::size_t ofKeyValue = matrix(rows, 2 * h);
    both([&](Ops& ops, const Side& at) {
        std::vector<Matrix> all;
        for (const std::size_t i : keysValues)
            all.push_back(at[i]);
        std::vector<Matrix> sums;
        for (const std::size_t i : earlier)
            sums.push_back(at[i]);
        ops.attention(shape, at[query], all, at[shares], at[out]);
        ops.attentionBackward(shape, at[query], all, at[shares], at[gradient], at[ofQuery],
                              at[ofKeyValue], sums);
    });
    for (const std::size_t i : {shares, out, ofQuery, ofKeyValue})
        COMPARE_TWINS(i, 4);
    for (const std::size_t i : earlier)
        COMPARE_TWINS(i, 4);
}

void TestCudaOps::flashCases()
{
    // On tensor cores: bfloat16, multiples of 16 up to 128.
    QTest::addColumn<bool>("bf16");
    QTest::addColumn<int>("samples");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("headSize");
    QTest::addColumn<QList<int>>("keys");
    for (const bool bf16 : {false, true}) {
        const char* const type = bf16 ? "bfloat16" : "float";
        QTest::addRow("%s, one token", type) << bf16 << 1 << 1 << 1 << QList<int>{1};
        QTest::addRow("%s, odd sizes", type) << bf16 << 2 << 3 << 5 << QList<int>{7};
        QTest::addRow("%s, several tiles", type) << bf16 << 2 << 2 << 64 << QList<int>{200};
        QTest::addRow("%s, heads of 128", type) << bf16 << 1 << 2 << 128 << QList<int>{130};
        QTest::addRow("%s, heads of 200", type) << bf16 << 1 << 1 << 200 << QList<int>{77};
        QTest::addRow("%s, three segments", type) << bf16 << 2 << 3 << 12 << QList<int>{40, 3, 70};
        for (const int size : {16, 32, 48, 64, 80, 96, 112, 128})
            QTest::addRow("%s, 67 tokens, heads of %d", type, size)
                << bf16 << 2 << 2 << size << QList<int>{67};
        for (const int size : {16, 64, 96, 128}) {
            QTest::addRow("%s, one token, heads of %d", type, size)
                << bf16 << 1 << 2 << size << QList<int>{1};
            QTest::addRow("%s, whole tiles, heads of %d", type, size)
                << bf16 << 1 << 1 << size << QList<int>{128};
            QTest::addRow("%s, segments, heads of %d", type, size)
                << bf16 << 2 << 2 << size << QList<int>{70, 1, 33, 95};
        }
    }
}

/// Flash attention of the GPU against that of the CPU.
///
/// In bfloat16 scores and their sums are products of 16-bit numbers added up in 32: nothing of them
/// is rounded to 16. On tensor cores the weights are, which shifts an output by no more than one
/// rounding of the largest value; after every segment the output is rounded, once more each. The
/// gradients have four roundings: of the weights, or of the gradients of the scores that they
/// become; of the output, twice, in the slopes (as many as a head is wide, whose sum grows with the
/// root of that, and the scale takes it back); of the result, which for queries comes again with
/// every segment.
void TestCudaOps::compareFlash(const Attention& shape, std::int64_t gap)
{
    const int h = shape.hidden();
    const std::int64_t rows = static_cast<std::int64_t>(shape.samples) * shape.queries;
    std::vector<std::size_t> keysValues;
    std::vector<std::size_t> earlier;
    for (const int count : shape.keys) {
        keysValues.push_back(matrix(std::int64_t{shape.samples} * count, 2 * h, gap));
        if (keysValues.size() < shape.keys.size())
            earlier.push_back(matrix(std::int64_t{shape.samples} * count, 2 * h, gap));
    }
    const std::size_t query = matrix(rows, h, gap);
    const std::size_t logSums = floats(1, rows * shape.heads);
    const std::size_t out = matrix(rows, h, gap);
    const std::size_t gradient = matrix(rows, h, gap);
    const std::size_t ofQuery = matrix(rows, h, gap);
    const std::size_t ofKeyValue = matrix(rows, 2 * h, gap);
    both([&](Ops& ops, const Side& at) {
        std::vector<Matrix> all;
        for (const std::size_t i : keysValues)
            all.push_back(at[i]);
        std::vector<Matrix> sums;
        for (const std::size_t i : earlier)
            sums.push_back(at[i]);
        ops.flashAttention(shape, at[query], all, at.floats(logSums), at[out]);
        ops.flashAttentionBackward(shape, at[query], all, at.floats(logSums), at[out], at[gradient],
                                   at[ofQuery], at[ofKeyValue], sums);
    });
    const bool bf16 = m_gpu->element() == Element::BFloat16;
    const auto segments = static_cast<double>(shape.keys.size());
    COMPARE_TWINS(logSums, bf16 ? 4 * floatTolerance / halfTolerance : 4);
    COMPARE_TWINS(out, bf16 ? 1 + segments : 4);
    COMPARE_TWINS(ofQuery, bf16 ? 3 + segments : 4);
    COMPARE_TWINS(ofKeyValue, 4);
    for (const std::size_t i : earlier)
        COMPARE_TWINS(i, 4);
}

void TestCudaOps::flashAttention()
{
    QFETCH(bool, bf16);
    QFETCH(int, samples);
    QFETCH(int, heads);
    QFETCH(int, headSize);
    QFETCH(QList<int>, keys);
    m_gpu = bf16 ? m_halfOps.get() : m_floatOps.get();
    const std::vector<int> counts(keys.cbegin(), keys.cend());
    compareFlash({samples, heads, headSize, counts.back(), counts}, 0);
}

void TestCudaOps::flashAttentionOfRowsApart()
{
    // Vectors of 16 bytes where 8 numbers lie between rows, none where 5 do.
    const std::vector<int> counts{40, 75};
    for (const std::int64_t gap : {5, 8}) {
        for (Ops* const ops : {m_floatOps.get(), m_halfOps.get()}) {
            m_gpu = ops;
            m_twins.clear();
            compareFlash({2, 3, 32, 75, counts}, gap);
        }
    }
}

void TestCudaOps::flashAttentionHasItsBits()
{
    m_gpu = m_halfOps.get();
    const std::vector<int> counts{90, 150};
    const Attention shape{2, 3, 64, 150, counts};
    const int h = shape.hidden();
    constexpr std::size_t times = 2;
    std::vector<std::vector<float>> found[times];
    for (std::vector<std::vector<float>>& results : found) {
        m_twins.clear();
        m_numbers = RandomSequence(17);
        const std::vector<std::size_t> keysValues{matrix(180, 2 * h), matrix(300, 2 * h)};
        const std::size_t query = matrix(300, h);
        const std::size_t logSums = floats(1, std::int64_t{300} * shape.heads);
        const std::size_t out = matrix(300, h);
        const std::size_t gradient = matrix(300, h);
        const std::size_t ofQuery = matrix(300, h);
        const std::size_t ofKeyValue = matrix(300, 2 * h);
        const std::size_t earlier = matrix(180, 2 * h);
        const Side at(m_twins, true);
        const std::vector<Matrix> all{at[keysValues[0]], at[keysValues[1]]};
        const std::vector<Matrix> sums{at[earlier]};
        m_gpu->flashAttention(shape, at[query], all, at.floats(logSums), at[out]);
        m_gpu->flashAttentionBackward(shape, at[query], all, at.floats(logSums), at[out],
                                      at[gradient], at[ofQuery], at[ofKeyValue], sums);
        for (const std::size_t i : {logSums, out, ofQuery, ofKeyValue, earlier})
            results.push_back(read(m_twins[i], true));
    }
    for (std::size_t i = 0; i < found[0].size(); ++i)
        QVERIFY(std::memcmp(found[0][i].data(), found[1][i].data(),
                            found[0][i].size() * sizeof(float)) == 0);
}

void TestCudaOps::flashAttentionOfManySegments()
{
    const std::vector<int> counts(70, 3);
    compareFlash({2, 2, 8, 3, counts}, 0);
    m_twins.clear();
    m_gpu = m_halfOps.get();
    compareFlash({1, 2, 16, 3, counts}, 0);
}

void TestCudaOps::tf32RoundsFactorsAndNothingElse()
{
    // 1 + 2⁻¹² is 1 where factors have 10 bits of mantissa; 4096 ones are still added in full.
    // GPUs before 8.0 have no TF32 and multiply in full.
    constexpr std::int64_t size = 4096;
    int major = 0;
    QCOMPARE(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
    const float rounded = major < 8 ? 4097.0F : 4096.0F;
    for (Ops* const ops : {m_floatOps.get(), m_tf32Ops.get()}) {
        const Buffer memory(*ops, 4 * (2 * 64 * size + 64 * 64), MemoryUse::Workspace);
        std::vector<float> factor(64 * size, 1.0F + 1.0F / 4096);
        float* const a = static_cast<float*>(memory.data());
        float* const b = a + 64 * size;
        float* const out = b + 64 * size;
        const auto bytes = static_cast<Bytes>(factor.size() * sizeof(float));
        ops->upload(a, factor.data(), bytes);
        std::fill(factor.begin(), factor.end(), 1.0F);
        ops->upload(b, factor.data(), bytes);
        ops->multiply({a, 64, size, size}, Transpose::No, {b, size, 64, 64}, Transpose::No,
                      {out, 64, 64, 64});
        float sum = 0;
        ops->download(&sum, out, sizeof(sum));
        QCOMPARE(sum, ops == m_floatOps.get() ? 4097.0F : rounded);
    }
}

void TestCudaOps::whatWasUploadedMayChangeAtOnce()
{
    // More than all places of the staging memory hold, and no whole number of them.
    std::vector<float> numbers(3'000'001);
    std::iota(numbers.begin(), numbers.end(), 1.0F);
    const std::vector<float> wanted = numbers;
    const auto bytes = static_cast<Bytes>(numbers.size() * sizeof(float));
    const Buffer memory(*m_gpu, bytes, MemoryUse::Workspace);
    m_gpu->upload(memory.data(), numbers.data(), bytes);
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    m_gpu->download(numbers.data(), memory.data(), bytes);
    QVERIFY(numbers == wanted);
}

void TestCudaOps::aWaitForTheDeviceEndsWithTheRun()
{
    constexpr std::int64_t size = 1024;
    const std::size_t x = matrix(size, size);
    const std::size_t out = matrix(size, size);
    const Side at(m_twins, true);
    float first = 0;
    const auto multiply = [&] {
        m_gpu->multiply(at[x], Transpose::No, at[x], Transpose::No, at[out]);
    };
    // So many that the device is busy for longer than it takes to ask for them.
    multiply();
    const Mark begun = m_gpu->mark();
    multiply();
    const Mark ended = m_gpu->mark();
    m_gpu->download(&first, at[out].data, sizeof(first));
    constexpr Ticks busy = 50 * ticksPerMs;
    const Ticks one = std::max<Ticks>(*m_gpu->time(ended) - *m_gpu->time(begun), 1);
    Stop stop;
    stop.request();
    m_device->stop = &stop;
    for (Ticks i = 0; i < busy / one + 1; ++i)
        multiply();
    std::string said;
    try {
        m_gpu->download(&first, at[out].data, sizeof(first));
    } catch (const DeviceError& failure) {
        said = failure.what();
    }
    m_device->stop = nullptr;
    QCOMPARE(said, std::string("the run was stopped before the work before a download was done"));
}

void TestCudaOps::clocksAreAlignedAtEveryIteration()
{
    for (int iteration = 1; iteration < 20; ++iteration) {
        m_device->beginIteration(iteration, 10'000 * ticksPerMs);
        const Ticks before = m_clock.now();
        const Mark mark = m_gpu->mark();
        float nothing = 0;
        const Buffer memory(*m_gpu, 4, MemoryUse::Workspace);
        m_gpu->download(&nothing, memory.data(), sizeof(nothing));
        const Ticks after = m_clock.now();
        const Ticks time = m_gpu->time(mark).value_or(0);
        constexpr Ticks band = 100'000;
        QVERIFY2(time > before - band && time < after + band,
                 qPrintable(QString::number(time - before)));
    }
}

void TestCudaOps::embedding_data()
{
    QTest::addColumn<bool>("bf16");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("vocabulary");
    for (const bool bf16 : {false, true}) {
        const char* const type = bf16 ? "bfloat16" : "float";
        QTest::addRow("%s, few tokens", type) << bf16 << 3 << 5 << 2;
        QTest::addRow("%s, more tokens than a tile", type) << bf16 << 300 << 64 << 7;
        QTest::addRow("%s, each token once or so", type) << bf16 << 40 << 1100 << 5000;
        QTest::addRow("%s, one token everywhere", type) << bf16 << 2000 << 33 << 1;
    }
}

void TestCudaOps::embedding()
{
    QFETCH(bool, bf16);
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, vocabulary);
    m_gpu = bf16 ? m_halfOps.get() : m_floatOps.get();
    constexpr int samples = 2;
    constexpr int first = 3;
    const std::size_t words = tokens(std::int64_t{samples} * rows, vocabulary);
    const std::size_t table = matrix(vocabulary, columns);
    const std::size_t places = matrix(first + rows, columns);
    const std::size_t out = matrix(std::int64_t{samples} * rows, columns);
    const std::size_t gradient = matrix(std::int64_t{samples} * rows, columns);
    const std::size_t ofTable = floats(vocabulary, columns);
    const std::size_t ofPlaces = floats(first + rows, columns);
    both([&](Ops& ops, const Side& at) {
        ops.embed(at.tokens(words), rows, first, at[table], at[places], at[out]);
        ops.addEmbeddingGradients(at.tokens(words), rows, first, at[gradient], at.floats(ofTable),
                                  at.floats(ofPlaces));
    });
    for (const std::size_t i : {out, ofTable, ofPlaces})
        COMPARE_TWINS(i);
}

void TestCudaOps::optimizers_data()
{
    QTest::addColumn<bool>("adam");
    QTest::addColumn<int>("count");
    for (const bool adam : {false, true}) {
        for (const int count : {1, 7, 4096, 70'001})
            QTest::addRow("%s, %d", adam ? "AdamW" : "SGD", count) << adam << count;
    }
}

void TestCudaOps::optimizers()
{
    QFETCH(bool, adam);
    QFETCH(int, count);
    Optimizer optimizer;
    optimizer.kind = adam ? OptimizerKind::AdamW : OptimizerKind::Sgd;
    const std::size_t parameters = floats(1, count);
    const std::size_t gradients = floats(1, count);
    const std::size_t first = floats(1, count, 0);
    const std::size_t second = floats(1, count, 0);
    both([&](Ops& ops, const Side& at) {
        for (int step = 1; step <= 3; ++step)
            ops.update(optimizer, step, count, step != 2, at.floats(parameters).data,
                       at.floats(gradients).data, at.floats(first).data,
                       adam ? at.floats(second).data : nullptr);
        ops.addFloats(at.floats(gradients).data, at.floats(first).data, count);
    });
    for (const std::size_t i : {parameters, first, second})
        COMPARE_TWINS(i);
}

/// More numbers than a part of the sum has, so that parts are added up.
void TestCudaOps::firstWeightsAreThoseOfTheHostToTheBit()
{
    constexpr int count = 200'003;
    const std::size_t numbers = floats(1, count);
    std::vector<std::vector<float>> drawn;
    both([&](Ops& ops, const Side& at) {
        float* const out = at.floats(numbers).data;
        ops.draw(out, count, 0xfedcba9876543210U, 0.037F);
        drawn.emplace_back(static_cast<std::size_t>(count));
        ops.download(drawn.back().data(), out, count * static_cast<Bytes>(sizeof(float)));
    });
    QCOMPARE(drawn.size(), std::size_t{2});
    QVERIFY(drawn[0] == drawn[1]);
    double squares = 0;
    for (const float one : drawn[0])
        squares += static_cast<double>(one) * static_cast<double>(one);
    QVERIFY(std::abs(std::sqrt(squares / count) - 0.037) < 0.001);
}

void TestCudaOps::squaresAndScaling()
{
    constexpr int count = 200'003;
    const std::size_t numbers = floats(1, count);
    std::vector<double> sums;
    both([&](Ops& ops, const Side& at) {
        sums.push_back(ops.squares(at.floats(numbers).data, count));
        ops.scale(at.floats(numbers).data, 0.3, count);
    });
    QCOMPARE(sums.size(), std::size_t{2});
    QVERIFY(sums[0] > 0);
    QVERIFY(std::abs(sums[1] - sums[0]) <= 1e-12 * sums[0]);
    COMPARE_TWINS(numbers);
}

void TestCudaOps::rowsBeyondOneGrid()
{
    // A block takes one row of so many columns, and a grid has fewer in its second direction.
    constexpr std::int64_t rows = 65'540;
    constexpr std::int64_t columns = 257;
    const std::size_t x = matrix(rows, columns);
    const std::size_t bias = floats(1, columns);
    const std::size_t normal = matrix(rows, columns);
    const std::size_t inverse = floats(1, rows);
    both([&](Ops& ops, const Side& at) {
        ops.addBias(at[x], at.floats(bias));
        ops.affine(at[x], at.floats(bias), at.floats(bias), at[normal]);
        ops.addRowSums(at[x], at.floats(bias));
    });
    COMPARE_TWINS(x);
    COMPARE_TWINS(normal);
    // So many rows are added in another order.
    COMPARE_TWINS(bias, 100);
    both([&](Ops& ops, const Side& at) { ops.normalize(at[x], at[normal], at.floats(inverse)); });
    COMPARE_TWINS(normal, 100);
}

void TestCudaOps::marksComeInOrderOnTheRunsClock()
{
    const Ticks before = m_clock.now();
    const std::size_t x = matrix(512, 512);
    const std::size_t out = matrix(512, 512);
    std::vector<Mark> marks = {m_gpu->mark()};
    const Side at(m_twins, true);
    for (int i = 0; i < 20; ++i) {
        m_gpu->multiply(at[x], Transpose::No, at[x], Transpose::No, at[out]);
        marks.push_back(m_gpu->mark());
    }
    read(m_twins[out], true); // the device has come to all
    const Ticks after = m_clock.now();
    Ticks last = before - ticksPerMs;
    for (const Mark mark : marks) {
        const std::optional<Ticks> time = m_gpu->time(mark);
        QVERIFY(time.has_value());
        QVERIFY(*time >= last);
        QCOMPARE(*m_gpu->time(mark), *time);
        last = *time;
    }
    QVERIFY(last <= after + ticksPerMs);
}

void TestCudaOps::aPairRunsOnTwoStreamsAndJoins()
{
    const std::size_t x = matrix(300, 300);
    const std::size_t one = matrix(300, 300);
    const std::size_t other = matrix(300, 300);
    const std::size_t sum = matrix(300, 300);
    both([&](Ops& ops, const Side& at) {
        ops.fork();
        {
            const Buffer given(ops, 4096, MemoryUse::Workspace); // free for the second only later
            ops.multiply(at[x], Transpose::No, at[x], Transpose::No, at[one]);
        }
        ops.beginSecond();
        ops.multiply(at[x], Transpose::Yes, at[x], Transpose::No, at[other]);
        ops.join();
        ops.add(at[one], at[other], at[sum]);
    });
    for (const std::size_t i : {one, other, sum})
        COMPARE_TWINS(i);
}

void TestCudaOps::whatGoesToTheHostComesBack()
{
    const std::size_t x = matrix(700, 500);
    const Bytes bytes = m_twins[x].gpu.bytes();
    for (int turn = 0; turn < 6; ++turn) {
        void* const host = m_gpu->allocateHost(bytes);
        std::byte* const place = static_cast<std::byte*>(host);
        // The copy sees what was computed before it, and nothing of what is written after it.
        m_gpu->add(Side(m_twins, true)[x], Side(m_twins, true)[x], Side(m_twins, true)[x]);
        m_cpu->add(Side(m_twins, false)[x], Side(m_twins, false)[x], Side(m_twins, false)[x]);
        const HostPiece leaves{m_twins[x].gpu.data(), place, bytes};
        const HostTransfer there = m_gpu->copyToHost({&leaves, 1});
        m_gpu->waitFor(there);
        m_gpu->zero(m_twins[x].gpu.data(), bytes);
        const HostPiece returns{m_twins[x].gpu.data(), place, bytes};
        const HostTransfer back = m_gpu->copyFromHost({&returns, 1}, there, nullptr);
        m_gpu->waitFor(back);
        m_gpu->releaseHost(host, bytes, back);
        COMPARE_TWINS(x);
        QVERIFY(*m_gpu->time(there.start) <= *m_gpu->time(there.end));
        QVERIFY(*m_gpu->time(there.end) <= *m_gpu->time(back.end));
    }
}

PW_TEST(TestCudaOps)
#include "tst_cuda_ops.moc"
