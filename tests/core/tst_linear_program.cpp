// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/linear_program.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <optional>
#include <random>

using namespace pw;

namespace {

constexpr std::size_t variables = 3;
constexpr double box = 50, tolerance = 1e-6;

/// Σ factor · x ≤ bound over all variables.
struct Row
{
    std::array<double, variables> factor{};
    double bound = 0;

    double excess(const std::array<double, variables>& x) const
    {
        double sum = -bound;
        for (std::size_t k = 0; k < variables; ++k)
            sum += factor[k] * x[k];
        return sum;
    }
};

double determinant(const std::array<std::array<double, 3>, 3>& m)
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// The largest value over all corners where three rows meet; nothing where no corner is inside.
std::optional<double> bestCorner(std::vector<Row> rows, const std::array<double, variables>& aim)
{
    for (std::size_t k = 0; k < variables; ++k) {
        for (const double sign : {1.0, -1.0}) {
            Row side;
            side.factor[k] = sign;
            side.bound = box;
            rows.push_back(side);
        }
    }
    std::optional<double> best;
    for (std::size_t a = 0; a < rows.size(); ++a) {
        for (std::size_t b = a + 1; b < rows.size(); ++b) {
            for (std::size_t c = b + 1; c < rows.size(); ++c) {
                const std::array<const Row*, 3> three = {&rows[a], &rows[b], &rows[c]};
                std::array<std::array<double, 3>, 3> matrix{};
                for (std::size_t i = 0; i < 3; ++i)
                    matrix[i] = three[i]->factor;
                const double whole = determinant(matrix);
                if (std::abs(whole) < tolerance)
                    continue;
                std::array<double, variables> corner{};
                for (std::size_t k = 0; k < variables; ++k) {
                    auto part = matrix;
                    for (std::size_t i = 0; i < 3; ++i)
                        part[i][k] = three[i]->bound;
                    corner[k] = determinant(part) / whole;
                }
                bool inside = true;
                for (const Row& row : rows)
                    inside = inside && row.excess(corner) <= tolerance;
                if (!inside)
                    continue;
                double value = 0;
                for (std::size_t k = 0; k < variables; ++k)
                    value += aim[k] * corner[k];
                best = best ? std::max(*best, value) : value;
            }
        }
    }
    return best;
}

LinearProgram programOf(const std::vector<Row>& rows)
{
    LinearProgram program(std::vector<double>(variables, box));
    for (const Row& row : rows) {
        std::vector<LinearTerm> terms;
        for (std::size_t k = 0; k < variables; ++k)
            if (row.factor[k] != 0)
                terms.push_back({static_cast<std::int32_t>(k), row.factor[k]});
        program.add(terms, row.bound);
    }
    return program;
}

} // namespace

class TestLinearProgram : public QObject
{
    Q_OBJECT

private slots:
    /// Against all corners, with whole numbers so that rows often meet in one point.
    void theAnswerIsTheBestCorner()
    {
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        const auto whole = [&random](int from, int to) {
            return static_cast<double>(std::uniform_int_distribution<int>(from, to)(random));
        };
        int possible = 0, impossible = 0;
        for (int round = 0; round < 400; ++round) {
            std::vector<Row> rows(1 + static_cast<std::size_t>(round) % 12);
            for (Row& row : rows) {
                for (double& factor : row.factor)
                    factor = whole(-2, 2);
                row.bound = whole(-6, 12);
            }
            const std::array<double, variables> aim = {whole(-3, 3), whole(-3, 3), whole(-3, 3)};
            const std::optional<double> expected = bestCorner(rows, aim);
            const auto answer = programOf(rows).maximise(aim, tolerance);
            QVERIFY(answer);
            QCOMPARE(answer->possible, expected.has_value());
            if (!expected) {
                ++impossible;
                std::vector<Row> left;
                for (const std::int32_t row : answer->deciding)
                    left.push_back(rows[static_cast<std::size_t>(row)]);
                QVERIFY(!bestCorner(left, aim));
                continue;
            }
            ++possible;
            double value = 0;
            for (std::size_t k = 0; k < variables; ++k) {
                value += aim[k] * answer->point[k];
                QVERIFY(std::abs(answer->point[k]) <= box + tolerance);
            }
            QVERIFY2(std::abs(value - *expected) < 1e-4,
                     qPrintable(QString("%1, not %2").arg(value).arg(*expected)));
            const std::array<double, variables> point = {answer->point[0], answer->point[1],
                                                         answer->point[2]};
            for (const Row& row : rows)
                QVERIFY(row.excess(point) <= 2 * tolerance);
        }
        QVERIFY(possible > 100 && impossible > 10);
    }

    void whatNoRowBoundsTheBoxDecides()
    {
        const LinearProgram program = programOf({Row{{1, 1, 0}, 4}});
        const auto first = program.maximise(std::array<double, variables>{1, 0, 0}, tolerance);
        QVERIFY(first && first->possible);
        QVERIFY(first->boxed);
        const auto both = program.maximise(std::array<double, variables>{1, 1, 0}, tolerance);
        QVERIFY(both && both->possible);
        QVERIFY(!both->boxed);
        QCOMPARE(both->deciding, std::vector<std::int32_t>{0});
    }

    void aContradictionNamesTheRowsThatMakeIt()
    {
        // The second row has no part in it.
        const LinearProgram program =
            programOf({Row{{1, -1, 0}, -1}, Row{{0, 0, 1}, 3}, Row{{-1, 1, 0}, 0}});
        const auto answer = program.maximise(std::array<double, variables>{0, 0, 1}, tolerance);
        QVERIFY(answer);
        QVERIFY(!answer->possible);
        const std::vector<std::int32_t> both = {0, 2};
        QCOMPARE(answer->deciding, both);
    }
};

PW_TEST(TestLinearProgram)
#include "tst_linear_program.moc"
