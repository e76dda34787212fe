// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "core/base/text.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace pw::app;

namespace {

struct Told
{
    ExitCode code = ExitCode::Good;
    QString out, err;
};

Told told(const std::vector<std::string>& words)
{
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

/// The time that an answer of `plan` or `simulate` is about.
double timeOf(const QJsonDocument& answer)
{
    return answer.isArray()
               ? answer.array().first().toObject()[QLatin1String("iteration_ms")].toDouble()
               : answer.object()[QLatin1String("makespan_ms")].toDouble();
}

/// What a reader takes from the answers of a paper's commands: the time of the first over that of
/// the second, the gain of the tuner, the bytes of the fullest device, or the activations of the
/// last schedule over those of the first.
double repeatedFigure(const std::vector<QJsonDocument>& answers, const QString& unit)
{
    const double percent = 100, gigabyte = 1e9;
    const bool points = unit == QLatin1String("%");
    if (answers.size() == 2) {
        const double ratio = timeOf(answers[0]) / timeOf(answers[1]);
        return points ? percent * (ratio - 1) : ratio;
    }
    if (points)
        return percent * answers[0].object()[QLatin1String("gain_over_1f1b")].toDouble();
    const QJsonArray rows = answers[0].array();
    const auto mbOf = [](const QJsonValue& row) {
        return row.toObject()[QLatin1String("peak_activation_mb")].toDouble();
    };
    if (unit != QLatin1String("GB"))
        return mbOf(rows.last()) / mbOf(rows.first());
    double most = 0;
    for (const QJsonValue& bytes : rows.first().toObject()[QLatin1String("peak_bytes")].toArray())
        most = std::max(most, bytes.toDouble());
    return most / gigabyte;
}

QString printed(double figure)
{
    constexpr int digits = 3;
    return QString::fromStdString(pw::plainNumber(figure, digits));
}

} // namespace

class TestHeadlinesCommand : public QObject
{
    Q_OBJECT

private slots:
    void tableHasFiguresSourcesAndAssumptions()
    {
        const Told all = told({"headlines", "--all"});
        QCOMPARE(all.code, ExitCode::Good);
        for (const char* text : {"published", "ours", "difference", "source: arXiv:2401.10241",
                                 "assumed: ", "why: ", "V-ZB", "Seq1F1B", "Primus"})
            QVERIFY2(all.out.contains(QString::fromUtf8(text)), text);
        QVERIFY(all.err.isEmpty());
    }

    /// Of each paper one claim with a verdict, no line wider than 100.
    void aPaperIsALine()
    {
        const Told all = told({"headlines"});
        QCOMPARE(all.code, ExitCode::Good);
        for (const char* paper : {"gpipe", "ada-grouper", "zero-bubble", "controllable-memory",
                                  "grid", "2bw", "seq1f1b", "primus"})
            QCOMPARE(all.out.count(QLatin1Char('\n') + QLatin1String(paper) + QLatin1String(": ")) +
                         (all.out.startsWith(QLatin1String(paper)) ? 1 : 0),
                     1);
        for (const QString& line : all.out.split(QLatin1Char('\n')))
            QVERIFY2(line.size() <= 100, qPrintable(line));
        QVERIFY(all.out.count(QStringLiteral("$ pipewright ")) >= 8);
    }

    /// The command lines that are printed with a claim give what is printed as ours, of every
    /// paper: the same digits, and what of them is not printed.
    void theCommandsRepeatOurs()
    {
        const QJsonArray papers =
            QJsonDocument::fromJson(told({"headlines", "--json"}).out.toUtf8()).array();
        QCOMPARE(papers.size(), 8);
        QString lines = told({"headlines"}).out;
        lines.replace(QRegularExpression(QStringLiteral("\\s+")), QStringLiteral(" "));
        for (const QJsonValue& value : papers) {
            const QJsonObject paper = value.toObject();
            QJsonObject claim;
            for (const QJsonValue& one : paper[QLatin1String("figures")].toArray())
                if (one.toObject().contains(QLatin1String("claim")))
                    claim = one.toObject();
            QVERIFY(!claim.isEmpty());
            std::vector<QJsonDocument> answers;
            for (const QJsonValue& line : paper[QLatin1String("commands")].toArray()) {
                std::vector<std::string> words;
                const QStringList typed = line.toString().split(QLatin1Char(' '));
                QCOMPARE(typed.first(), QStringLiteral("pipewright"));
                for (const QString& word : typed.mid(1))
                    words.push_back(word.toStdString());
                words.emplace_back("--json");
                const Told made = told(words);
                QVERIFY2(made.code == ExitCode::Good, qPrintable(line.toString() + made.err));
                answers.push_back(QJsonDocument::fromJson(made.out.toUtf8()));
            }
            const double repeated =
                repeatedFigure(answers, claim[QLatin1String("unit")].toString());
            const double ours = claim[QLatin1String("ours")].toDouble();
            const QString where = paper[QLatin1String("id")].toString() +
                                  QStringLiteral(": %1 for %2").arg(repeated).arg(ours);
            QVERIFY2(lines.contains(QLatin1String(", ") + printed(repeated) + QLatin1Char(' ') +
                                    claim[QLatin1String("unit")].toString() +
                                    QLatin1String(" here")),
                     qPrintable(where));
            constexpr double rounding = 1e-6;
            QVERIFY2(std::abs(repeated - ours) <= rounding * std::abs(ours), qPrintable(where));
        }
    }

    void onePaperAlone()
    {
        const Told one = told({"headlines", "--paper", "ada-grouper"});
        QCOMPARE(one.code, ExitCode::Good);
        QVERIFY(one.out.contains(QStringLiteral("network up to 25 times slower")));
        QVERIFY(!one.out.contains(QStringLiteral("GPipe")));
        const Told none = told({"headlines", "--paper", "adagruppe"});
        QCOMPARE(none.code, ExitCode::Usage);
        QVERIFY(none.err.contains(QStringLiteral("zero-bubble")));
    }

    void jsonHasTheFieldsOfTheManual()
    {
        const Told json = told({"headlines", "--json"});
        QCOMPARE(json.code, ExitCode::Good);
        const QJsonArray papers = QJsonDocument::fromJson(json.out.toUtf8()).array();
        QVERIFY(papers.size() >= 8);
        for (const QJsonValue& value : papers) {
            const QJsonObject paper = value.toObject();
            for (const char* field :
                 {"id", "title", "source", "assumptions", "remark", "mean_difference_percent",
                  "mean_difference_points", "commands"})
                QVERIFY2(paper.contains(QLatin1String(field)), field);
            const QJsonArray figures = paper[QLatin1String("figures")].toArray();
            QVERIFY(!figures.isEmpty());
            for (const QJsonValue& figure : figures) {
                const QJsonObject row = figure.toObject();
                for (const char* field :
                     {"experiment", "unit", "published", "ours", "difference", "verdict"})
                    QVERIFY2(row.contains(QLatin1String(field)), field);
            }
        }
    }
};

PW_TEST(TestHeadlinesCommand)
#include "tst_headlines_command.moc"
