// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/sequence_partition.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace pw;

namespace {

/// A row of the reference solver.
struct SolvedRow
{
    TransformerModel model;
    int segments = 1;
    int multiple = 1;
    QStringList lengths;
    QStringList work; ///< 10^12 operations of each segment
    double allWork = 0;
    double imbalance = 0;
};

std::vector<SolvedRow> solvedRows()
{
    const QString text = QString::fromStdString(test::testDataText("seq1f1b-segments.csv"));
    std::vector<SolvedRow> rows;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList cells = line.split(QLatin1Char(','));
        bool number = false;
        cells[0].toInt(&number);
        if (!number || cells.size() != 12)
            continue;
        SolvedRow row;
        int* const whole[] = {&row.model.layers, &row.model.hidden,     &row.model.ffn,
                              &row.model.heads,  &row.model.vocabulary, &row.model.sequence,
                              &row.segments,     &row.multiple};
        for (int i = 0; i < 8; ++i)
            *whole[i] = cells[i].toInt();
        row.lengths = cells[8].split(QLatin1Char(' '));
        row.work = cells[9].split(QLatin1Char(' '));
        row.allWork = cells[10].toDouble();
        row.imbalance = cells[11].toDouble();
        rows.push_back(row);
    }
    return rows;
}

/// Operations of the forward of so many tokens that end at a token of one sample, by the formula
/// of the header.
double segmentFlops(const TransformerModel& model, double length, double end)
{
    const double d = model.headSize(), a = model.heads;
    const double scores = (4 * d + 3) * a;
    const double matrices = 2 * static_cast<double>(matrixParameters(model));
    const double output = 4.0 * model.hidden * model.vocabulary;
    return length * output + model.layers * (length * end * scores - length * length * scores / 2 +
                                             length * matrices);
}

/// Of every segment, in order.
std::vector<double> segmentWork(const TransformerModel& model, const std::vector<int>& lengths)
{
    std::vector<double> amounts;
    double end = 0;
    for (const int length : lengths) {
        end += length;
        amounts.push_back(segmentFlops(model, length, end));
    }
    return amounts;
}

/// Longest over mean, less 1: 0 for perfect balance.
double imbalance(const std::vector<double>& work)
{
    const double mean =
        std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(work.size());
    return *std::max_element(work.begin(), work.end()) / mean - 1;
}

} // namespace

/// Segments of equal work, against the reference solver and against a search.
class TestSequencePartition : public QObject
{
    Q_OBJECT

private slots:
    void checkValuesOfTheFormula_data();
    void checkValuesOfTheFormula();
    void theReferenceSolverCutsAtTheSameTokens();
    void lengthsAgreeWithASearchOverAllLengths();
    void theWorkOfTheSegmentsSumsToThatOfTheSequence();
    void oneSegmentIsTheSequence();
    void badValuesAreNamed();
};

void TestSequencePartition::checkValuesOfTheFormula_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("sequence");
    QTest::addColumn<QList<int>>("lengths");
    QTest::newRow("7 billion, 16 k") << "seq1f1b-7b" << 16384 << QList<int>{4952, 4232, 3768, 3432};
    QTest::newRow("7 billion, 32 k")
        << "seq1f1b-7b" << 32768 << QList<int>{11080, 8408, 7064, 6216};
    QTest::newRow("2.7 billion, 32 k")
        << "seq1f1b-2.7b" << 32768 << QList<int>{12032, 8248, 6696, 5792};
    QTest::newRow("30 billion, 64 k")
        << "seq1f1b-30b" << 65536 << QList<int>{23464, 16616, 13624, 11832};
}

void TestSequencePartition::checkValuesOfTheFormula()
{
    QFETCH(QString, model);
    QFETCH(int, sequence);
    QFETCH(QList<int>, lengths);
    TransformerModel used = findModel(model.toStdString()).value().dense;
    used.sequence = sequence;
    const auto found = equalWorkSegments(used, 4, 8);
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(QList<int>(found->begin(), found->end()), lengths);
    const auto work = segmentWork(used, *found);
    const double mean = std::accumulate(work.begin(), work.end(), 0.0) / 4;
    for (const double amount : work)
        QVERIFY(std::abs(amount / mean - 1) < 0.004);
}

void TestSequencePartition::theReferenceSolverCutsAtTheSameTokens()
{
    const std::vector<SolvedRow> rows = solvedRows();
    QCOMPARE(rows.size(), std::size_t{93});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SolvedRow& row = rows[i];
        const QByteArray where = "row " + QByteArray::number(static_cast<int>(i)) + ": " +
                                 QByteArray::number(row.model.sequence) + " tokens, " +
                                 QByteArray::number(row.segments) + " segments, multiples of " +
                                 QByteArray::number(row.multiple);
        const auto found = equalWorkSegments(row.model, row.segments, row.multiple);
        QVERIFY2(found, where.constData());
        QCOMPARE(found->size(), static_cast<std::size_t>(row.lengths.size()));
        // The file has its work in 10^12 operations, rounded to six places.
        const auto work = segmentWork(row.model, *found);
        for (std::size_t q = 0; q < found->size(); ++q) {
            const int at = static_cast<int>(q);
            QVERIFY2((*found)[q] == row.lengths[at].toInt(), where.constData());
            QVERIFY2(std::abs(work[q] / 1e12 - row.work[at].toDouble()) < 1e-6, where.constData());
        }
        const double all = segmentFlops(row.model, row.model.sequence, row.model.sequence);
        QVERIFY2(std::abs(all / 1e12 / row.allWork - 1) < 1e-9, where.constData());
        QVERIFY2(std::abs(imbalance(work) - row.imbalance) < 1e-6, where.constData());
    }
}

void TestSequencePartition::lengthsAgreeWithASearchOverAllLengths()
{
    for (const int sequence : {64, 1000, 4096}) {
        for (const int segments : {2, 3, 5}) {
            for (const int multiple : {1, 4}) {
                TransformerModel model = findModel("tiny").value().dense;
                model.sequence = sequence;
                const auto found = equalWorkSegments(model, segments, multiple).value();
                const double target = segmentFlops(model, sequence, sequence) / segments;
                int end = sequence;
                for (int q = segments - 1; q > 0; --q) {
                    int length = 0;
                    while (segmentFlops(model, length + multiple, end) <= target)
                        length += multiple;
                    QCOMPARE(found[static_cast<std::size_t>(q)], length);
                    end -= length;
                }
                QCOMPARE(found.front(), end);
            }
        }
    }
}

void TestSequencePartition::theWorkOfTheSegmentsSumsToThatOfTheSequence()
{
    TransformerModel model = findModel("llama-7b").value().dense;
    model.kvHeads = 8;
    for (const std::vector<int>& lengths :
         {std::vector<int>{4096}, {1, 4095}, {1000, 2000, 1096}, {1024, 1024, 1024, 1024}}) {
        const auto work = segmentWork(model, lengths);
        const double sum = std::accumulate(work.begin(), work.end(), 0.0);
        QVERIFY(std::abs(sum / segmentFlops(model, 4096, 4096) - 1) < 1e-12);
    }
    QVERIFY(imbalance(segmentWork(model, {1024, 1024, 1024, 1024})) >
            imbalance(segmentWork(model, equalWorkSegments(model, 4).value())));
}

void TestSequencePartition::oneSegmentIsTheSequence()
{
    const TransformerModel model = findModel("gpt-175b").value().dense;
    QCOMPARE(equalWorkSegments(model, 1, 7).value(), std::vector<int>{2048});
    QCOMPARE(imbalance({3.0}), 0.0);
}

void TestSequencePartition::badValuesAreNamed()
{
    const TransformerModel model = findModel("tiny").value().dense;
    const auto message = [&](int segments, int multiple) {
        const auto found = equalWorkSegments(model, segments, multiple);
        return found ? std::string() : found.error().message.english();
    };
    QCOMPARE(message(0, 1), std::string("segments is 0; at least 1"));
    QCOMPARE(message(129, 1), std::string("segments is 129; the sequence has 128 tokens"));
    QCOMPARE(message(2, 0), std::string("segment lengths cannot be multiples of 0"));
    QCOMPARE(message(4, 64), std::string("segment 3 of 4 is shorter than the multiple 64"));
    TransformerModel bad = model;
    bad.heads = 3;
    QVERIFY(!equalWorkSegments(bad, 2));
}

PW_TEST(TestSequencePartition)
#include "tst_sequence_partition.moc"
