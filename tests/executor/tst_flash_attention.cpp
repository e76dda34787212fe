// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_ops.h"
#include "executor/model/cell.h"
#include "tests/support/flash_on_host.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>
#include <memory>
#include <numeric>

using namespace pw;
using namespace pw::exec;
using namespace pw::exec::testing;
using cuda::test::ThreadOrder;

// Attention without a matrix of scores, three ways: the CPU's, the GPU's tiles run on the host, and
// the plain one that keeps its probabilities.
namespace {

/// The last of several segments, and what its attention reads and writes.
struct Case
{
    Case(int samples, int heads, int headSize, std::vector<int> tokens, int gap)
        : keys(std::move(tokens))
        , shape{samples, heads, headSize, keys.back(), keys}
        , query(Tensor::random(numbers, rows(), shape.hidden(), gap))
        , gradient(Tensor::random(numbers, rows(), shape.hidden(), gap))
        , out(rows(), shape.hidden(), gap)
        , ofQuery(rows(), shape.hidden(), gap)
        , ofKeyValue(rows(), 2 * shape.hidden(), gap)
        , logSums(1, rows() * heads)
    {
        for (const int count : keys) {
            const std::int64_t all = std::int64_t{samples} * count;
            keysValues.push_back(Tensor::random(numbers, all, 2 * shape.hidden(), gap));
            earlier.push_back(Tensor::random(numbers, all, 2 * shape.hidden(), gap));
        }
        earlier.pop_back();
    }
    std::int64_t rows() const { return std::int64_t{shape.samples} * shape.queries; }

    static std::vector<Matrix> matrices(std::vector<Tensor>& tensors)
    {
        std::vector<Matrix> made;
        for (Tensor& tensor : tensors)
            made.push_back(tensor.matrix());
        return made;
    }

    RandomSequence numbers{29};
    std::vector<int> keys;
    Attention shape;
    Tensor query;
    Tensor gradient;
    Tensor out;
    Tensor ofQuery;
    Tensor ofKeyValue;
    Tensor logSums;
    std::vector<Tensor> keysValues;
    std::vector<Tensor> earlier;
};

void runPlain(Ops& ops, Case& at)
{
    Tensor probabilities(at.rows() * at.shape.heads, at.shape.keyCount());
    const std::vector<Matrix> held = Case::matrices(at.keysValues);
    const std::vector<Matrix> sums = Case::matrices(at.earlier);
    ops.attention(at.shape, at.query.matrix(), held, probabilities.matrix(), at.out.matrix());
    ops.attentionBackward(at.shape, at.query.matrix(), held, probabilities.matrix(),
                          at.gradient.matrix(), at.ofQuery.matrix(), at.ofKeyValue.matrix(), sums);
}

void runFlash(Ops& ops, Case& at)
{
    const std::vector<Matrix> held = Case::matrices(at.keysValues);
    const std::vector<Matrix> sums = Case::matrices(at.earlier);
    ops.flashAttention(at.shape, at.query.matrix(), held, at.logSums.floats(), at.out.matrix());
    ops.flashAttentionBackward(at.shape, at.query.matrix(), held, at.logSums.floats(),
                               at.out.matrix(), at.gradient.matrix(), at.ofQuery.matrix(),
                               at.ofKeyValue.matrix(), sums);
}

cuda::FlashRows<float> rowsOf(Tensor& tensor, std::int64_t column = 0)
{
    const Matrix matrix = tensor.matrix();
    return {static_cast<float*>(matrix.data) + column, matrix.stride};
}

cuda::FlashRows<const float> read(Tensor& tensor, std::int64_t column = 0)
{
    const cuda::FlashRows<float> rows = rowsOf(tensor, column);
    return {rows.data, rows.stride};
}

/// The sides of segment `s`, as the launches for a GPU have them.
void setSides(Case& at, std::size_t s, cuda::FlashSides<float>& sides)
{
    const int before = std::accumulate(at.keys.begin(), at.keys.begin() + static_cast<int>(s), 0);
    sides.samples = at.shape.samples;
    sides.heads = at.shape.heads;
    sides.headSize = at.shape.headSize;
    sides.queries = at.shape.queries;
    sides.keys = at.keys[s];
    sides.before = at.shape.keyCount() - at.shape.queries - before;
    sides.scale = 1.0F / std::sqrt(static_cast<float>(at.shape.headSize));
    sides.first = s == 0;
    sides.query = read(at.query);
    sides.key = read(at.keysValues[s]);
    sides.value = read(at.keysValues[s], at.shape.hidden());
    sides.logSum = at.logSums.data();
}

void runTiles(Case& at, ThreadOrder order)
{
    cuda::test::withDepth(at.shape.headSize, [&](auto depth) {
        for (std::size_t s = 0; s < at.keys.size(); ++s) {
            cuda::FlashForwardCall<float> call;
            setSides(at, s, call);
            call.out = rowsOf(at.out);
            cuda::test::flashForwardOnHost<decltype(depth)::value>(call, order);
        }
        Tensor slopes(1, at.rows() * at.shape.heads);
        for (std::size_t s = 0; s < at.keys.size(); ++s) {
            const bool own = s + 1 == at.keys.size();
            Tensor& target = own ? at.ofKeyValue : at.earlier[s];
            cuda::FlashBackwardCall<float> call;
            setSides(at, s, call);
            call.out = read(at.out);
            call.gradient = read(at.gradient);
            call.ofQuery = rowsOf(at.ofQuery);
            call.ofKey = rowsOf(target);
            call.ofValue = rowsOf(target, at.shape.hidden());
            call.adds = !own;
            call.slope = slopes.data();
            cuda::test::flashBackwardOnHost<decltype(depth)::value>(call, order);
        }
    });
}

} // namespace

class TestFlashAttention : public QObject
{
    Q_OBJECT

private slots:
    void allWaysGiveWhatThePlainOneGives_data() { cases(); }
    void allWaysGiveWhatThePlainOneGives();
    void theOrderOfThreadsChangesNoBit_data() { cases(); }
    void theOrderOfThreadsChangesNoBit();
    void oneLargeScoreTakesAll();
    void noScoresAreKept();
    void aHeadTooWideIsRefused();

private:
    static void cases()
    {
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("headSize");
        QTest::addColumn<QList<int>>("keys");
        QTest::addColumn<int>("gap");
        QTest::newRow("one token") << 1 << 1 << 1 << QList<int>{1} << 0;
        QTest::newRow("odd sizes") << 2 << 3 << 5 << QList<int>{7} << 3;
        QTest::newRow("a tile of queries exactly") << 1 << 1 << 64 << QList<int>{64} << 0;
        QTest::newRow("one more than a tile") << 1 << 2 << 64 << QList<int>{65} << 0;
        QTest::newRow("several tiles") << 2 << 1 << 32 << QList<int>{150} << 1;
        QTest::newRow("three segments") << 2 << 2 << 12 << QList<int>{40, 3, 70} << 2;
        QTest::newRow("a short last segment") << 1 << 1 << 16 << QList<int>{130, 5} << 0;
        QTest::newRow("heads of 80") << 1 << 2 << 80 << QList<int>{50, 33} << 0;
        QTest::newRow("heads of 128") << 1 << 1 << 128 << QList<int>{70} << 4;
        QTest::newRow("heads of 200") << 1 << 1 << 200 << QList<int>{9, 21} << 0;
        QTest::newRow("heads of 256") << 1 << 1 << 256 << QList<int>{33} << 0;
    }
    static Case fetched()
    {
        QFETCH(int, samples);
        QFETCH(int, heads);
        QFETCH(int, headSize);
        QFETCH(QList<int>, keys);
        QFETCH(int, gap);
        return {samples, heads, headSize, std::vector<int>(keys.cbegin(), keys.cend()), gap};
    }
    static void compare(const Tensor& found, const Tensor& wanted, const char* what)
    {
        const std::string differs = difference(found, wanted.table(), 3e-6);
        QVERIFY2(differs.empty(), (what + (": " + differs)).c_str());
    }

    RunClock m_clock;
};

void TestFlashAttention::allWaysGiveWhatThePlainOneGives()
{
    const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
    Case plain = fetched();
    Case flash = fetched();
    Case tiles = fetched();
    runPlain(*ops, plain);
    runFlash(*ops, flash);
    runTiles(tiles, ThreadOrder::Rising);
    for (Case* const other : {&flash, &tiles}) {
        const std::string way = other == &flash ? "CPU, " : "tiles, ";
        compare(other->out, plain.out, (way + "output").c_str());
        compare(other->ofQuery, plain.ofQuery, (way + "queries").c_str());
        compare(other->ofKeyValue, plain.ofKeyValue, (way + "keys and values").c_str());
        for (std::size_t s = 0; s < plain.earlier.size(); ++s)
            compare(other->earlier[s], plain.earlier[s], (way + "earlier keys").c_str());
    }
    compare(tiles.logSums, flash.logSums, "logarithms of the sums");
    QCOMPARE(ops->memory()[static_cast<std::size_t>(MemoryUse::Workspace)], Bytes{0});
}

void TestFlashAttention::theOrderOfThreadsChangesNoBit()
{
    Case rising = fetched();
    runTiles(rising, ThreadOrder::Rising);
    for (const ThreadOrder order : {ThreadOrder::Falling, ThreadOrder::Shuffled}) {
        Case other = fetched();
        runTiles(other, order);
        QVERIFY(other.out == rising.out);
        QVERIFY(other.logSums == rising.logSums);
        QVERIFY(other.ofQuery == rising.ofQuery);
        QVERIFY(other.ofKeyValue == rising.ofKeyValue);
        QVERIFY(other.earlier == rising.earlier);
    }
}

void TestFlashAttention::oneLargeScoreTakesAll()
{
    // Scores of a million: an exponential without the maximum taken off would be no number.
    const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
    for (const bool onTiles : {false, true}) {
        Case at(1, 1, 1, {40, 40}, 0);
        at.query.fill(1000);
        for (Tensor& held : at.keysValues)
            held.fill(3);
        at.keysValues[0].at(17, 0) = 900;
        at.keysValues[0].at(17, 1) = 7;
        if (onTiles)
            runTiles(at, ThreadOrder::Rising);
        else
            runFlash(*ops, at);
        for (int i = 0; i < 40; ++i)
            QCOMPARE(at.out.at(i, 0), 7.0F);
        QCOMPARE(at.ofQuery.at(39, 0), 0.0F);
    }
}

void TestFlashAttention::noScoresAreKept()
{
    GptModel model;
    model.heads = 4;
    model.hidden = 64;
    model.sequence = 512;
    const StageContent content{1, false, false, 0};
    const CellLayout plain(model, content, {256, 256}, 1);
    model.flashAttention = true;
    const CellLayout flash(model, content, {256, 256}, 1);
    const Bytes scores = Bytes{4} * 4 * 256 * 512;
    const Bytes sums = Bytes{4} * 4 * 256;
    QCOMPARE(plain.activation() - flash.activation(), scores - sums);
    QCOMPARE(plain.heldForWeight(), flash.heldForWeight());
}

void TestFlashAttention::aHeadTooWideIsRefused()
{
    GptModel model;
    model.hidden = 514;
    model.heads = 2;
    QVERIFY(check(model));
    model.flashAttention = true;
    const Result<void> refused = check(model);
    QVERIFY(!refused);
    QCOMPARE(refused.error().message,
             std::string("model: a head is 257 wide; flash attention takes at most 256"));
}

PW_TEST(TestFlashAttention)
#include "tst_flash_attention.moc"
