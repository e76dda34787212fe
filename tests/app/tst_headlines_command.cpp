// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

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

} // namespace

class TestHeadlinesCommand : public QObject
{
    Q_OBJECT

private slots:
    void tableHasFiguresSourcesAndAssumptions()
    {
        const Told all = told({"headlines"});
        QCOMPARE(all.code, ExitCode::Good);
        for (const char* text : {"published", "ours", "difference", "source: arXiv:2401.10241",
                                 "assumed: ", "why: ", "V-ZB", "Seq1F1B", "Primus"})
            QVERIFY2(all.out.contains(QString::fromUtf8(text)), text);
        QVERIFY(all.err.isEmpty());
    }

    void onePaperAlone()
    {
        const Told one = told({"headlines", "--paper", "ada-grouper"});
        QCOMPARE(one.code, ExitCode::Good);
        QVERIFY(one.out.contains(QStringLiteral("4 … 30")));
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
            for (const char* field : {"id", "title", "source", "assumptions", "remark",
                                      "mean_difference_percent", "mean_difference_points"})
                QVERIFY2(paper.contains(QLatin1String(field)), field);
            const QJsonArray figures = paper[QLatin1String("figures")].toArray();
            QVERIFY(!figures.isEmpty());
            for (const QJsonValue& figure : figures) {
                const QJsonObject row = figure.toObject();
                for (const char* field : {"experiment", "unit", "published", "ours", "difference"})
                    QVERIFY2(row.contains(QLatin1String(field)), field);
            }
        }
    }
};

PW_TEST(TestHeadlinesCommand)
#include "tst_headlines_command.moc"
