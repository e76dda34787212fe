// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_gemm.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/cpu/vectors.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>

using namespace pw;
using namespace pw::exec;
using namespace pw::exec::testing;

namespace {

/// What single precision leaves of sums as long as those here.
constexpr double rounding = 2e-6;

Table product(const Table& a, bool ta, const Table& b, bool tb)
{
    Table out(ta ? a.columns : a.rows, tb ? b.rows : b.columns);
    const std::int64_t inner = ta ? a.rows : a.columns;
    for (std::int64_t i = 0; i < out.rows; ++i) {
        for (std::int64_t j = 0; j < out.columns; ++j) {
            for (std::int64_t k = 0; k < inner; ++k)
                out(i, j) += (ta ? a(k, i) : a(i, k)) * (tb ? b(j, k) : b(k, j));
        }
    }
    return out;
}

Table sum(Table a, const Table& b)
{
    for (std::size_t i = 0; i < a.values.size(); ++i)
        a.values[i] += b.values[i];
    return a;
}

Table normalized(const Table& x)
{
    Table out = x;
    for (std::int64_t i = 0; i < x.rows; ++i) {
        double mean = 0;
        double variance = 0;
        for (std::int64_t j = 0; j < x.columns; ++j)
            mean += x(i, j) / static_cast<double>(x.columns);
        for (std::int64_t j = 0; j < x.columns; ++j)
            variance += (x(i, j) - mean) * (x(i, j) - mean) / static_cast<double>(x.columns);
        for (std::int64_t j = 0; j < x.columns; ++j)
            out(i, j) = (x(i, j) - mean) / std::sqrt(variance + static_cast<double>(normEpsilon));
    }
    return out;
}

Table affine(Table x, const Table& scale, const Table& shift)
{
    for (std::int64_t i = 0; i < x.rows; ++i) {
        for (std::int64_t j = 0; j < x.columns; ++j)
            x(i, j) = x(i, j) * scale(0, j) + shift(0, j);
    }
    return x;
}

double geluOf(double x)
{
    constexpr double pi = 3.14159265358979323846;
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
}

Table gelu(Table x)
{
    for (double& value : x.values)
        value = geluOf(value);
    return x;
}

/// Losses of the rows, one column.
Table losses(const Table& logits, const std::vector<std::int32_t>& targets)
{
    Table out(logits.rows, 1);
    for (std::int64_t i = 0; i < logits.rows; ++i) {
        double all = 0;
        for (std::int64_t j = 0; j < logits.columns; ++j)
            all += std::exp(logits(i, j));
        out(i, 0) = std::log(all) - logits(i, targets[static_cast<std::size_t>(i)]);
    }
    return out;
}

Table ones(std::int64_t rows, std::int64_t columns)
{
    Table out(rows, columns);
    std::fill(out.values.begin(), out.values.end(), 1.0);
    return out;
}

#define COMPARE_TABLES(found, wanted, tolerance)                                                   \
    do {                                                                                           \
        const std::string differs = difference(found, wanted, tolerance);                          \
        QVERIFY2(differs.empty(), differs.c_str());                                                \
    } while (false)

} // namespace

class TestCpuOps : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_ops = makeCpuOps(m_clock);
        m_numbers = RandomSequence(17);
    }

    void theLibraryHasAName() { QVERIFY(!cpuMathLibrary().empty()); }

    void productsAreThoseOfALoop_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("inner");
        const std::array<std::array<int, 3>, 12> shapes = {{{1, 1, 1},
                                                            {3, 17, 1},
                                                            {1, 64, 17},
                                                            {64, 1, 3},
                                                            {17, 3, 64},
                                                            {7, 8, 9},
                                                            {8, 8, 8},
                                                            {16, 16, 16},
                                                            {64, 64, 64},
                                                            {65, 33, 129},
                                                            {0, 5, 4},
                                                            {5, 4, 0}}};
        for (const std::array<int, 3>& shape : shapes)
            QTest::addRow("%d by %d over %d", shape[0], shape[1], shape[2])
                << shape[0] << shape[1] << shape[2];
    }
    void productsAreThoseOfALoop()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, inner);
        for (const bool ta : {false, true}) {
            for (const bool tb : {false, true}) {
                for (const int gap : {0, 3}) {
                    Tensor a = Tensor::random(m_numbers, ta ? inner : rows, ta ? rows : inner, gap);
                    Tensor b =
                        Tensor::random(m_numbers, tb ? columns : inner, tb ? inner : columns, gap);
                    const Table wanted = product(a.table(), ta, b.table(), tb);
                    Tensor out(rows, columns, gap);
                    m_ops->multiply(a.matrix(), Transpose(ta), b.matrix(), Transpose(tb),
                                    out.matrix());
                    COMPARE_TABLES(out, wanted, rounding);
                    Tensor total = Tensor::random(m_numbers, rows, columns);
                    const Table more = sum(total.table(), wanted);
                    m_ops->multiplyAdd(a.matrix(), Transpose(ta), b.matrix(), Transpose(tb),
                                       total.floats());
                    COMPARE_TABLES(total, more, rounding);
                    Tensor plain(rows, columns, gap);
                    cpu::multiplyPlain({rows, columns, inner}, 0.5F,
                                       {a.data(), a.matrix().stride, Transpose(ta)},
                                       {b.data(), b.matrix().stride, Transpose(tb)},
                                       cpu::Into::Nothing, plain.data(), plain.matrix().stride);
                    Table half = wanted;
                    for (double& value : half.values)
                        value /= 2;
                    COMPARE_TABLES(plain, half, rounding);
                }
            }
        }
    }

    void shapes_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("gap");
        for (const int rows : {0, 1, 3, 17}) {
            for (const int columns : {1, 3, 16, 17, 64, 67}) {
                for (const int gap : {0, 5})
                    QTest::addRow("%d by %d, %d apart", rows, columns, gap)
                        << rows << columns << gap;
            }
        }
    }

    void sumsAndBiases_data() { shapes_data(); }
    void sumsAndBiases()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, gap);
        Tensor a = Tensor::random(m_numbers, rows, columns, gap);
        Tensor b = Tensor::random(m_numbers, rows, columns, gap);
        const Table wanted = sum(a.table(), b.table());
        Tensor out(rows, columns, gap);
        m_ops->add(a.matrix(), b.matrix(), out.matrix());
        COMPARE_TABLES(out, wanted, rounding);
        Tensor left = a;
        m_ops->add(left.matrix(), b.matrix(), left.matrix());
        QVERIFY(left == out);
        Tensor right = b;
        m_ops->add(a.matrix(), right.matrix(), right.matrix());
        QVERIFY(right == out);

        Tensor bias = Tensor::random(m_numbers, 1, columns);
        Table moved = a.table();
        Table sums = bias.table();
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < columns; ++j) {
                sums(0, j) += static_cast<double>(a.at(i, j));
                moved(i, j) += static_cast<double>(bias.at(0, j));
            }
        }
        Tensor x = a;
        m_ops->addBias(x.matrix(), bias.floats());
        COMPARE_TABLES(x, moved, rounding);
        m_ops->addRowSums(a.matrix(), bias.floats());
        COMPARE_TABLES(bias, sums, rounding);
    }

    void elementsAndFloatsAreTheSame_data() { shapes_data(); }
    void elementsAndFloatsAreTheSame()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, gap);
        Tensor a = Tensor::random(m_numbers, rows, columns, gap);
        Tensor floats(rows, columns);
        m_ops->toFloat(a.matrix(), floats.floats());
        QVERIFY(floats == a);
        Tensor back(rows, columns, gap);
        m_ops->fromFloat(floats.floats(), back.matrix());
        QVERIFY(back == a && back.gapsUntouched());
    }

    void geluAndItsSlope_data() { shapes_data(); }
    void geluAndItsSlope()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, gap);
        Tensor x = Tensor::random(m_numbers, rows, columns, gap);
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < columns; ++j)
                x.at(i, j) *= 4;
        }
        Tensor out(rows, columns, gap);
        m_ops->gelu(x.matrix(), out.matrix());
        COMPARE_TABLES(out, gelu(x.table()), rounding);
        Tensor inPlace = x;
        m_ops->gelu(inPlace.matrix(), inPlace.matrix());
        QVERIFY(inPlace == out);

        Tensor gradient = Tensor::random(m_numbers, rows, columns, gap);
        const Table wanted =
            slopes(x.table(), gradient.table(), [](const Table& at) { return gelu(at); });
        Tensor found(rows, columns, gap);
        m_ops->geluBackward(gradient.matrix(), x.matrix(), found.matrix());
        COMPARE_TABLES(found, wanted, rounding);
        Tensor overX = x;
        m_ops->geluBackward(gradient.matrix(), overX.matrix(), overX.matrix());
        QVERIFY(overX == found);
        Tensor overGradient = gradient;
        m_ops->geluBackward(overGradient.matrix(), x.matrix(), overGradient.matrix());
        QVERIFY(overGradient == found);
    }

    void geluOfLargeNumbersIsTheirs()
    {
        Tensor x(1, 8);
        const std::array<float, 8> values = {-1e30F, -50, -10, -6, 0, 10, 50, 1e12F};
        for (int j = 0; j < 8; ++j)
            x.at(0, j) = values[static_cast<std::size_t>(j)];
        Tensor slope(1, 8);
        Tensor weight(1, 8);
        weight.fill(1);
        m_ops->geluBackward(weight.matrix(), x.matrix(), slope.matrix());
        Tensor out(1, 8);
        m_ops->gelu(x.matrix(), out.matrix());
        for (int j = 1; j < 8; ++j) {
            const auto wanted = static_cast<float>(geluOf(static_cast<double>(x.at(0, j))));
            QVERIFY(std::abs(out.at(0, j) - wanted) <= 2e-6F * std::max(1.0F, std::abs(wanted)));
        }
        QCOMPARE(slope.at(0, 4), 0.5F);
        QCOMPARE(slope.at(0, 6), 1.0F);
    }

    void anExponentialIsRightToTheLastPlaces()
    {
        double worst = 0;
        for (int i = -87'000; i <= 88'000; ++i) {
            const float x = static_cast<float>(i) / 1000.0F;
            const double wanted = std::exp(static_cast<double>(x));
            worst = std::max(worst, std::abs(static_cast<double>(cpu::expOf(x)) / wanted - 1));
        }
        QVERIFY2(worst < 2.5e-7, qPrintable(QString::number(worst)));
        QCOMPARE(cpu::expOf(0.0F), 1.0F);
        QVERIFY(cpu::expOf(-1e30F) < 1e-37F && cpu::expOf(-1e30F) > 0);
        QVERIFY(std::isnan(cpu::expOf(std::nanf(""))));
    }

    void normsAndTheirSlopes_data() { shapes_data(); }
    void normsAndTheirSlopes()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, gap);
        Tensor x = Tensor::random(m_numbers, rows, columns, gap);
        Tensor scale = Tensor::random(m_numbers, 1, columns);
        Tensor shift = Tensor::random(m_numbers, 1, columns);
        Tensor place(rows, columns, gap);
        Tensor inverse(1, rows);
        m_ops->normalize(x.matrix(), place.matrix(), inverse.floats());
        COMPARE_TABLES(place, normalized(x.table()), 1e-5);
        Tensor out(rows, columns, gap);
        m_ops->affine(place.matrix(), scale.floats(), shift.floats(), out.matrix());
        COMPARE_TABLES(out, affine(place.table(), scale.table(), shift.table()), rounding);

        Tensor gradient = Tensor::random(m_numbers, rows, columns, gap);
        Tensor residual = Tensor::random(m_numbers, rows, columns, gap);
        const Table slope = slopes(x.table(), gradient.table(), [&](const Table& at) {
            return affine(normalized(at), scale.table(), shift.table());
        });
        // One column has no variance at all, and its slope is 0 times a large number.
        const double tolerance = columns == 1 ? 1e-4 : 1e-5;
        Tensor found(rows, columns, gap);
        m_ops->normalizeBackward(gradient.matrix(), place.matrix(), inverse.floats(),
                                 scale.floats(), Matrix{}, found.matrix());
        COMPARE_TABLES(found, slope, tolerance);
        m_ops->normalizeBackward(gradient.matrix(), place.matrix(), inverse.floats(),
                                 scale.floats(), residual.matrix(), found.matrix());
        COMPARE_TABLES(found, sum(slope, residual.table()), tolerance);
        Tensor overGradient = gradient;
        m_ops->normalizeBackward(overGradient.matrix(), place.matrix(), inverse.floats(),
                                 scale.floats(), residual.matrix(), overGradient.matrix());
        QVERIFY(overGradient == found);
        Tensor overResidual = residual;
        m_ops->normalizeBackward(gradient.matrix(), place.matrix(), inverse.floats(),
                                 scale.floats(), overResidual.matrix(), overResidual.matrix());
        QVERIFY(overResidual == found);

        Tensor scaleGradient = Tensor::random(m_numbers, 1, columns);
        Tensor shiftGradient = Tensor::random(m_numbers, 1, columns);
        const Table wantedScale = sum(scaleGradient.table(),
                                      slopes(scale.table(), gradient.table(), [&](const Table& at) {
                                          return affine(place.table(), at, shift.table());
                                      }));
        const Table wantedShift = sum(shiftGradient.table(),
                                      slopes(shift.table(), gradient.table(), [&](const Table& at) {
                                          return affine(place.table(), scale.table(), at);
                                      }));
        m_ops->addAffineGradients(gradient.matrix(), place.matrix(), scaleGradient.floats(),
                                  shiftGradient.floats());
        COMPARE_TABLES(scaleGradient, wantedScale, rounding);
        COMPARE_TABLES(shiftGradient, wantedShift, rounding);
    }

    void aNormOfNumbersFarFromZeroKeepsItsDigits()
    {
        Tensor x = Tensor::random(m_numbers, 3, 256);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 256; ++j)
                x.at(i, j) += 1000;
        }
        Tensor place(3, 256);
        Tensor inverse(1, 3);
        m_ops->normalize(x.matrix(), place.matrix(), inverse.floats());
        // The mean is known to 6e-5 only, as a float of its size is; one pass would lose all.
        COMPARE_TABLES(place, normalized(x.table()), 2e-4);
    }

    void lossesAndTheirSlopes_data() { shapes_data(); }
    void lossesAndTheirSlopes()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, gap);
        Tensor logits = Tensor::random(m_numbers, rows, columns, gap);
        std::vector<std::int32_t> targets;
        for (int i = 0; i < rows; ++i) {
            targets.push_back(m_numbers.below(columns));
            for (int j = 0; j < columns; ++j)
                logits.at(i, j) *= 6;
        }
        const Table wanted = losses(logits.table(), targets);
        double total = 0.25;
        for (const double loss : wanted.values)
            total += loss;
        constexpr double scale = 0.125;
        Table slope = slopes(logits.table(), ones(rows, 1),
                             [&](const Table& at) { return losses(at, targets); });
        for (double& value : slope.values)
            value *= scale;
        float loss = 0.25F;
        m_ops->crossEntropy(logits.matrix(), {targets.data(), rows}, static_cast<float>(scale),
                            &loss);
        QVERIFY2(
            std::abs(static_cast<double>(loss) - total) <= rounding * std::max(1.0, total),
            qPrintable(QStringLiteral("%1, not %2").arg(static_cast<double>(loss)).arg(total)));
        COMPARE_TABLES(logits, slope, rounding);
    }

    void lossesOfLargeLogitsAreNumbers()
    {
        Tensor logits(2, 3);
        logits.fill(-3e4F);
        logits.at(0, 1) = 3e4F;
        logits.at(1, 1) = 3e4F;
        const std::array<std::int32_t, 2> targets = {1, 2};
        float loss = 0;
        m_ops->crossEntropy(logits.matrix(), {targets.data(), 2}, 1, &loss);
        QCOMPARE(loss, 6e4F);
        QVERIFY(std::abs(logits.at(0, 1)) < 1e-30F);
        QCOMPARE(logits.at(1, 1), 1.0F);
        QCOMPARE(logits.at(1, 2), -1.0F);
    }

    void aTokenOutsideTheTableIsNamed()
    {
        Tensor logits(1, 4);
        logits.fill(0);
        const std::int32_t target = 4;
        float loss = 0;
        try {
            m_ops->crossEntropy(logits.matrix(), {&target, 1}, 1, &loss);
            QFAIL("no error");
        } catch (const DeviceError& error) {
            QCOMPARE(QString::fromUtf8(error.what()),
                     QStringLiteral("token 0 is 4, not from 0 to 3"));
        }
    }

    void embeddingsAndTheirSlopes()
    {
        constexpr int samples = 3;
        constexpr int positions = 5; // of a segment that begins at the third token
        constexpr int first = 2;
        for (const int columns : {1, 3, 17}) {
            for (const int gap : {0, 2}) {
                Tensor table = Tensor::random(m_numbers, 4, columns, gap);
                Tensor places = Tensor::random(m_numbers, first + positions, columns, gap);
                std::vector<std::int32_t> tokens;
                for (int i = 0; i < samples * positions; ++i)
                    tokens.push_back(m_numbers.below(4));
                const Tokens given{tokens.data(), std::ssize(tokens)};
                Table wanted(samples * positions, columns);
                Tensor gradient = Tensor::random(m_numbers, samples * positions, columns, gap);
                Tensor tableGradient = Tensor::random(m_numbers, 4, columns);
                Tensor placeGradient = Tensor::random(m_numbers, first + positions, columns);
                Table wantedTable = tableGradient.table();
                Table wantedPlaces = placeGradient.table();
                for (int i = 0; i < samples * positions; ++i) {
                    const int token = tokens[static_cast<std::size_t>(i)];
                    const int place = first + i % positions;
                    for (int j = 0; j < columns; ++j) {
                        wanted(i, j) =
                            static_cast<double>(table.at(token, j) + places.at(place, j));
                        wantedTable(token, j) += static_cast<double>(gradient.at(i, j));
                        wantedPlaces(place, j) += static_cast<double>(gradient.at(i, j));
                    }
                }
                Tensor out(samples * positions, columns, gap);
                m_ops->embed(given, positions, first, table.matrix(), places.matrix(),
                             out.matrix());
                COMPARE_TABLES(out, wanted, 0);
                m_ops->addEmbeddingGradients(given, positions, first, gradient.matrix(),
                                             tableGradient.floats(), placeGradient.floats());
                COMPARE_TABLES(tableGradient, wantedTable, rounding);
                COMPARE_TABLES(placeGradient, wantedPlaces, rounding);
            }
        }
    }

    void optimizersFollowTheirFormulas_data()
    {
        QTest::addColumn<bool>("adam");
        QTest::addColumn<bool>("decay");
        QTest::newRow("momentum") << false << false;
        QTest::newRow("momentum knows no decay") << false << true;
        QTest::newRow("adam") << true << false;
        QTest::newRow("adam with decay") << true << true;
    }
    void optimizersFollowTheirFormulas()
    {
        QFETCH(bool, adam);
        QFETCH(bool, decay);
        Optimizer optimizer;
        optimizer.kind = adam ? OptimizerKind::AdamW : OptimizerKind::Sgd;
        optimizer.weightDecay = 0.1;
        constexpr int count = 37;
        Tensor parameters = Tensor::random(m_numbers, 1, count);
        Tensor state0(1, count);
        state0.fill(0);
        Tensor state1 = state0;
        Table wanted = parameters.table();
        Table mean(1, count);
        Table square(1, count);
        for (int step = 1; step <= 10; ++step) {
            Tensor gradients = Tensor::random(m_numbers, 1, count);
            for (int i = 0; i < count; ++i) {
                const double g = static_cast<double>(gradients.at(0, i));
                double& p = wanted(0, i);
                if (!adam) {
                    mean(0, i) = optimizer.momentum * mean(0, i) + g;
                    p -= optimizer.learningRate * mean(0, i);
                    continue;
                }
                p *= 1 - (decay ? optimizer.learningRate * optimizer.weightDecay : 0);
                mean(0, i) = optimizer.beta1 * mean(0, i) + (1 - optimizer.beta1) * g;
                square(0, i) = optimizer.beta2 * square(0, i) + (1 - optimizer.beta2) * g * g;
                p -= optimizer.learningRate * (mean(0, i) / (1 - std::pow(optimizer.beta1, step))) /
                     (std::sqrt(square(0, i) / (1 - std::pow(optimizer.beta2, step))) +
                      optimizer.epsilon);
            }
            m_ops->update(optimizer, step, count, decay, parameters.data(), gradients.data(),
                          state0.data(), adam ? state1.data() : nullptr);
        }
        COMPARE_TABLES(parameters, wanted, 1e-6);
        COMPARE_TABLES(state0, mean, 1e-6);
        if (adam)
            COMPARE_TABLES(state1, square, 1e-6);
    }

    void theSameNumbersGiveTheSameBits()
    {
        Tensor a = Tensor::random(m_numbers, 65, 33);
        Tensor b = Tensor::random(m_numbers, 33, 70);
        std::unique_ptr<Tensor> first;
        for (int repeat = 0; repeat < 20; ++repeat) {
            // Elsewhere in memory each time, at addresses of all kinds.
            const Tensor aside(1, 1 + repeat);
            Tensor left = a;
            Tensor right = b;
            Tensor out(65, 70, repeat % 3);
            m_ops->multiply(left.matrix(), Transpose::No, right.matrix(), Transpose::No,
                            out.matrix());
            m_ops->gelu(out.matrix(), out.matrix());
            if (!first)
                first = std::make_unique<Tensor>(out);
            QVERIFY(out == *first);
        }
    }

    void floatsAddUp()
    {
        Tensor a = Tensor::random(m_numbers, 1, 131);
        Tensor b = Tensor::random(m_numbers, 1, 131);
        const Table wanted = sum(a.table(), b.table());
        m_ops->addFloats(a.data(), b.data(), 131);
        COMPARE_TABLES(b, wanted, rounding);
    }

    void squaresAddUpAndFloatsAreScaled()
    {
        Tensor a = Tensor::random(m_numbers, 1, 131);
        double wanted = 0;
        for (int i = 0; i < 131; ++i)
            wanted += static_cast<double>(a.data()[i]) * static_cast<double>(a.data()[i]);
        QVERIFY(std::abs(m_ops->squares(a.data(), 131) - wanted) <= 1e-12 * wanted);
        QCOMPARE(m_ops->squares(a.data(), 0), 0.0);
        std::vector<float> scaled(a.data(), a.data() + 131);
        for (float& one : scaled)
            one = static_cast<float>(0.3 * static_cast<double>(one));
        m_ops->scale(a.data(), 0.3, 131);
        QVERIFY(std::equal(scaled.begin(), scaled.end(), a.data()));
    }

    void aMarkIsATimeAtOnce()
    {
        const Ticks before = m_clock.now();
        const Mark mark = m_ops->mark();
        const std::optional<Ticks> time = m_ops->time(mark);
        QVERIFY(time.has_value());
        QVERIFY(before <= *time && *time <= m_clock.now());
    }

private:
    RunClock m_clock;
    std::unique_ptr<Ops> m_ops;
    RandomSequence m_numbers{17};
};

PW_TEST(TestCpuOps)
#include "tst_cpu_ops.moc"
