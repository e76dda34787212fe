// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_ops.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <memory>
#include <numeric>

using namespace pw;
using namespace pw::exec;
using namespace pw::exec::testing;

namespace {

struct Sizes
{
    int samples = 1;
    int heads = 1;
    int headSize = 1;

    int hidden() const { return heads * headSize; }
};

/// Rows `first` … `first` + `count` − 1 of every sample's `sequence` rows.
Tensor rowsOf(const Tensor& whole, int samples, int sequence, int first, int count, int gap)
{
    Tensor part(static_cast<std::int64_t>(samples) * count, whole.columns(), gap);
    for (int s = 0; s < samples; ++s) {
        for (int i = 0; i < count; ++i) {
            for (std::int64_t j = 0; j < whole.columns(); ++j)
                part.at(s * count + i, j) = whole.at(s * sequence + first + i, j);
        }
    }
    return part;
}

/// Causal attention over whole samples, query by query.
Table attentionOf(const Sizes& sizes, const Table& queries, const Table& keysValues,
                  Table* probabilities = nullptr)
{
    const std::int64_t sequence = queries.rows / sizes.samples;
    const int hidden = sizes.hidden();
    Table out(queries.rows, hidden);
    if (probabilities != nullptr)
        *probabilities = Table(queries.rows * sizes.heads, sequence);
    for (int s = 0; s < sizes.samples; ++s) {
        for (int head = 0; head < sizes.heads; ++head) {
            for (std::int64_t i = 0; i < sequence; ++i) {
                const std::int64_t query = s * sequence + i;
                const int first = head * sizes.headSize;
                std::vector<double> weights;
                for (std::int64_t k = 0; k <= i; ++k) {
                    double score = 0;
                    for (int c = first; c < first + sizes.headSize; ++c)
                        score += queries(query, c) * keysValues(s * sequence + k, c);
                    weights.push_back(std::exp(score / std::sqrt(sizes.headSize)));
                }
                const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
                for (std::int64_t k = 0; k <= i; ++k) {
                    const double weight = weights[static_cast<std::size_t>(k)] / all;
                    if (probabilities != nullptr)
                        (*probabilities)((s * sizes.heads + head) * sequence + i, k) = weight;
                    for (int c = first; c < first + sizes.headSize; ++c)
                        out(query, c) += weight * keysValues(s * sequence + k, hidden + c);
                }
            }
        }
    }
    return out;
}

/// Attention of a whole sequence that a device does segment after segment, forwards and then
/// backwards.
class Segmented
{
public:
    Segmented(Ops& ops, Sizes sizes, std::vector<int> segments, int gap)
        : m_ops(ops)
        , m_sizes(sizes)
        , m_segments(std::move(segments))
        , m_sequence(std::accumulate(m_segments.begin(), m_segments.end(), 0))
        , m_gap(gap)
    {
    }

    Tensor forward(const Tensor& queries, const Tensor& keysValues)
    {
        Tensor out(queries.rows(), m_sizes.hidden());
        int first = 0;
        for (const int tokens : m_segments) {
            m_queries.push_back(part(queries, first, tokens));
            m_keysValues.push_back(part(keysValues, first, tokens));
            m_probabilities.emplace_back(static_cast<std::int64_t>(m_sizes.samples) *
                                             m_sizes.heads * tokens,
                                         first + tokens, m_gap);
            Tensor written(static_cast<std::int64_t>(m_sizes.samples) * tokens, m_sizes.hidden(),
                           m_gap);
            const std::size_t segment = m_queries.size() - 1;
            m_ops.attention(shape(segment), m_queries.back().matrix(), matrices(m_keysValues),
                            m_probabilities.back().matrix(), written.matrix());
            m_gapsUntouched = m_gapsUntouched && written.gapsUntouched() &&
                              m_probabilities.back().gapsUntouched();
            place(written, first, tokens, out);
            first += tokens;
        }
        return out;
    }

    /// Gradients of queries, and of keys and values, of the whole sequence.
    std::pair<Tensor, Tensor> backward(const Tensor& gradient)
    {
        Tensor ofQueries(gradient.rows(), m_sizes.hidden());
        Tensor ofKeysValues(gradient.rows(), 2 * m_sizes.hidden());
        std::vector<Tensor> fromLater;
        for (const int tokens : m_segments) {
            fromLater.emplace_back(static_cast<std::int64_t>(m_sizes.samples) * tokens,
                                   2 * m_sizes.hidden(), m_gap);
            fromLater.back().fill(0);
        }
        int end = m_sequence;
        for (std::size_t segment = m_segments.size(); segment-- > 0;) {
            const int tokens = m_segments[segment];
            const int first = end - tokens;
            Tensor slope = part(gradient, first, tokens);
            Tensor queryGradient(slope.rows(), m_sizes.hidden(), m_gap);
            Tensor own(slope.rows(), 2 * m_sizes.hidden(), m_gap);
            std::vector<Matrix> keysValues = matrices(m_keysValues);
            keysValues.resize(segment + 1);
            std::vector<Matrix> earlier = matrices(fromLater);
            earlier.resize(segment);
            m_ops.attentionBackward(shape(segment), m_queries[segment].matrix(), keysValues,
                                    m_probabilities[segment].matrix(), slope.matrix(),
                                    queryGradient.matrix(), own.matrix(), earlier);
            m_gapsUntouched =
                m_gapsUntouched && queryGradient.gapsUntouched() && own.gapsUntouched();
            m_ops.add(own.matrix(), fromLater[segment].matrix(), own.matrix());
            place(queryGradient, first, tokens, ofQueries);
            place(own, first, tokens, ofKeysValues);
            end = first;
        }
        return {std::move(ofQueries), std::move(ofKeysValues)};
    }

    const std::vector<Tensor>& probabilities() const { return m_probabilities; }
    bool gapsUntouched() const { return m_gapsUntouched; }

private:
    static std::vector<Matrix> matrices(std::vector<Tensor>& tensors)
    {
        std::vector<Matrix> made;
        for (Tensor& tensor : tensors)
            made.push_back(tensor.matrix());
        return made;
    }
    Attention shape(std::size_t segment) const
    {
        return {m_sizes.samples, m_sizes.heads, m_sizes.headSize, m_segments[segment],
                std::span(m_segments).first(segment + 1)};
    }
    Tensor part(const Tensor& whole, int first, int tokens) const
    {
        return rowsOf(whole, m_sizes.samples, m_sequence, first, tokens, m_gap);
    }
    void place(const Tensor& from, int first, int tokens, Tensor& whole) const
    {
        for (std::int64_t i = 0; i < from.rows(); ++i) {
            for (std::int64_t j = 0; j < from.columns(); ++j)
                whole.at(i / tokens * m_sequence + first + i % tokens, j) = from.at(i, j);
        }
    }

    Ops& m_ops;
    Sizes m_sizes;
    std::vector<int> m_segments;
    int m_sequence = 0;
    int m_gap = 0;
    std::vector<Tensor> m_queries;
    std::vector<Tensor> m_keysValues;
    std::vector<Tensor> m_probabilities;
    bool m_gapsUntouched = true;
};

} // namespace

class TestCpuAttention : public QObject
{
    Q_OBJECT

private slots:
    void segmentsGiveWhatTheWholeSequenceGives_data()
    {
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("headSize");
        QTest::addColumn<QList<int>>("segments");
        QTest::addColumn<int>("gap");
        QTest::newRow("one token") << 1 << 1 << 1 << QList<int>{1} << 0;
        QTest::newRow("one token of each sample") << 3 << 2 << 5 << QList<int>{1} << 2;
        QTest::newRow("one piece") << 2 << 3 << 4 << QList<int>{13} << 0;
        QTest::newRow("halves") << 2 << 2 << 3 << QList<int>{6, 6} << 3;
        QTest::newRow("unequal halves") << 1 << 2 << 8 << QList<int>{3, 8} << 0;
        QTest::newRow("three pieces") << 2 << 1 << 7 << QList<int>{5, 1, 4} << 1;
        QTest::newRow("four pieces") << 3 << 2 << 4 << QList<int>{2, 3, 1, 5} << 0;
        QTest::newRow("large enough for the library") << 1 << 2 << 16 << QList<int>{17, 16} << 0;
    }
    void segmentsGiveWhatTheWholeSequenceGives()
    {
        QFETCH(int, samples);
        QFETCH(int, heads);
        QFETCH(int, headSize);
        QFETCH(QList<int>, segments);
        QFETCH(int, gap);
        const Sizes sizes{samples, heads, headSize};
        const std::vector<int> pieces(segments.cbegin(), segments.cend());
        const int sequence = std::accumulate(pieces.begin(), pieces.end(), 0);
        RandomSequence numbers(23);
        const Tensor queries = Tensor::random(numbers, samples * sequence, sizes.hidden());
        const Tensor keysValues = Tensor::random(numbers, samples * sequence, 2 * sizes.hidden());
        const Tensor gradient = Tensor::random(numbers, samples * sequence, sizes.hidden());

        const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
        Segmented device(*ops, sizes, pieces, gap);
        const Tensor out = device.forward(queries, keysValues);
        Table weights;
        compare(out, attentionOf(sizes, queries.table(), keysValues.table(), &weights), 2e-6);
        compareProbabilities(device.probabilities(), weights, sizes, pieces);

        const auto [ofQueries, ofKeysValues] = device.backward(gradient);
        compare(ofQueries,
                slopes(queries.table(), gradient.table(),
                       [&](const Table& at) { return attentionOf(sizes, at, keysValues.table()); }),
                2e-6);
        compare(ofKeysValues,
                slopes(keysValues.table(), gradient.table(),
                       [&](const Table& at) { return attentionOf(sizes, queries.table(), at); }),
                2e-6);
        QVERIFY(device.gapsUntouched());
        QCOMPARE(ops->memory()[static_cast<std::size_t>(MemoryUse::Workspace)], Bytes{0});
        QCOMPARE(ops->takePeaks()[static_cast<std::size_t>(MemoryUse::Workspace)],
                 largestScratch(pieces));
    }

    void oneLargeScoreTakesAll()
    {
        const std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
        Tensor queries(2, 1);
        queries.fill(1000);
        Tensor keysValues(2, 2);
        keysValues.fill(3);
        keysValues.at(1, 0) = 900;
        keysValues.at(1, 1) = 7;
        Tensor probabilities(2, 2);
        Tensor out(2, 1);
        const std::vector<int> keys = {2};
        const Matrix held = keysValues.matrix();
        ops->attention({1, 1, 1, 2, keys}, queries.matrix(), {&held, 1}, probabilities.matrix(),
                       out.matrix());
        QCOMPARE(out.at(0, 0), 3.0F);
        QCOMPARE(out.at(1, 0), 7.0F);
        QCOMPARE(probabilities.at(0, 1), 0.0F);
    }

private:
    static void compare(const Tensor& found, const Table& wanted, double tolerance)
    {
        const std::string differs = difference(found, wanted, tolerance);
        QVERIFY2(differs.empty(), differs.c_str());
    }
    static void compareProbabilities(const std::vector<Tensor>& found, const Table& whole,
                                     const Sizes& sizes, const std::vector<int>& segments)
    {
        const std::int64_t sequence = whole.columns;
        int first = 0;
        for (std::size_t segment = 0; segment < segments.size(); ++segment) {
            const int tokens = segments[segment];
            Table wanted(static_cast<std::int64_t>(sizes.samples) * sizes.heads * tokens,
                         first + tokens);
            for (std::int64_t i = 0; i < wanted.rows; ++i) {
                for (std::int64_t k = 0; k < wanted.columns; ++k)
                    wanted(i, k) = whole(i / tokens * sequence + first + i % tokens, k);
            }
            compare(found[segment], wanted, 1e-6);
            first += tokens;
        }
    }
    static Bytes largestScratch(const std::vector<int>& segments)
    {
        Bytes largest = 0;
        int seen = 0;
        for (const int tokens : segments) {
            seen += tokens;
            largest = std::max(largest, Bytes{4} * tokens * seen);
        }
        return largest;
    }

    RunClock m_clock;
};

PW_TEST(TestCpuAttention)
#include "tst_cpu_attention.moc"
