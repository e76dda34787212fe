// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw::app;

namespace {

struct CommunicationSaid
{
    ExitCode code = ExitCode::Good;
    QString out;
    QString err;

    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

CommunicationSaid communicated(const QString& line)
{
    std::vector<std::string> all = {"communication"};
    for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        all.push_back(word.toStdString());
    std::ostringstream out, err;
    const ExitCode code = runProgram(all, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

QString twoRanks()
{
    return QStringLiteral("1f1b --devices 2 --micro-batches 2 ");
}

} // namespace

class TestCommunicationCommand : public QObject
{
    Q_OBJECT

private slots:
    void theListingIsPrinted()
    {
        const CommunicationSaid said = communicated(twoRanks() + QStringLiteral("--sharded --csv"));
        QCOMPARE(said.code, ExitCode::Good);
        QCOMPARE(said.out,
                 QStringLiteral("0UNSHARD,0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1,"
                                "0REDUCE_GRAD,0RESHARD\r\n"
                                "1UNSHARD,1RECV_F0,1F0,1RECV_F1,1B0,1SEND_B0,1F1,1B1,1SEND_B1,"
                                "1REDUCE_GRAD,1RESHARD\r\n"));
        QVERIFY(communicated(twoRanks() + QStringLiteral("--list"))
                    .out.contains(QStringLiteral("rank 1 1RECV_F0 1F0 1RECV_F1")));
    }

    void rowsThatPyTorchDoesNotKnowAreRefused()
    {
        const CommunicationSaid said =
            communicated(twoRanks() + QStringLiteral("--send-wait backward --csv"));
        QCOMPARE(said.code, ExitCode::Wrong);
        QVERIFY2(said.err.contains(QStringLiteral("0WAIT_SEND_F0")), qPrintable(said.err));
        QCOMPARE(communicated(QStringLiteral("dualpipe --csv")).code, ExitCode::Wrong);
        QCOMPARE(communicated(QStringLiteral("dualpipe --list")).code, ExitCode::Good);
    }

    /// What DualPipe's pairs hide, of a model with experts.
    void pairsHideTheirExchanges()
    {
        const CommunicationSaid said =
            communicated(QStringLiteral("dualpipe --moe deepseek-v3 --moe-group 64 --json"));
        QVERIFY2(said.code == ExitCode::Good, qPrintable(said.err));
        const QJsonArray inner = said.json()[QLatin1String("inner_parts")].toArray();
        QCOMPARE(inner.size(), 4);
        const auto number = [&](int row, const char* key) {
            return inner[row].toObject()[QLatin1String(key)].toDouble();
        };
        QVERIFY(number(3, "takes_ms") < number(0, "takes_ms") + number(2, "takes_ms"));
        QVERIFY(number(3, "exposed_ms") < number(0, "exposed_ms"));
        QVERIFY(std::abs(number(3, "takes_ms") - number(3, "computes_ms") -
                         number(3, "exposed_ms")) < 1e-6);
        const CommunicationSaid dense = communicated(QStringLiteral("dualpipe --moe llama3-8b"));
        QCOMPARE(dense.code, ExitCode::Usage);
        QVERIFY(dense.err.contains(QStringLiteral("has none")));
        QCOMPARE(communicated(QStringLiteral("dualpipe --moe-group 8")).code, ExitCode::Usage);
    }

    void theEndStandsBesideTheSchedules()
    {
        const CommunicationSaid said =
            communicated(QStringLiteral("zb-v --comm 0.1 --communicators edge --json"));
        QCOMPARE(said.code, ExitCode::Good);
        const QJsonObject all = said.json();
        QCOMPARE(all[QLatin1String("finishes")].toBool(), true);
        QCOMPARE(all[QLatin1String("end_ms")].toDouble(), 27.0);
        QCOMPARE(all[QLatin1String("schedule_ms")].toDouble(), 27.0);
        QCOMPARE(all[QLatin1String("ranks")].toArray().size(), 4);
        // In one queue the V's two directions hold each other up.
        const QJsonObject one = communicated(QStringLiteral("zb-v --comm 0.1 --json")).json();
        QVERIFY(one[QLatin1String("end_ms")].toDouble() > 27.0);
    }

    void theRingIsNamedAndTheCodeIsOne()
    {
        const QString line = twoRanks() + QStringLiteral("--message-bytes 1000 --receive at-use ");
        const CommunicationSaid ring = communicated(line + QStringLiteral("--json"));
        QCOMPARE(ring.code, ExitCode::Wrong);
        const QJsonArray links = ring.json()[QLatin1String("ring")].toArray();
        QCOMPARE(links.size(), 4);
        QVERIFY(ring.json()[QLatin1String("end_ms")].isNull());
        QVERIFY(communicated(line).out.contains(QStringLiteral("deadlock")));
        for (const char* way :
             {"--communicators direction", "--communicators edge", "--eager-bytes 1000"})
            QCOMPARE(communicated(line + QString::fromLatin1(way)).code, ExitCode::Good);
        QCOMPARE(communicated(line + QStringLiteral("--eager-bytes 999")).code, ExitCode::Wrong);
    }

    /// A file's own sends and receives stay where they are, until an option places them anew.
    void aCommunicatingFileIsTakenAsItIs()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("deferred.csv"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\r\n"
                   "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\r\n");
        file.close();
        const CommunicationSaid taken = communicated(path);
        QVERIFY2(taken.code == ExitCode::Wrong, qPrintable(taken.err));
        QVERIFY(taken.out.contains(QStringLiteral("as the file has them")));
        QVERIFY(taken.out.contains(QStringLiteral("deadlock")));
        const CommunicationSaid anew = communicated(path + QStringLiteral(" --receive as-sent"));
        QCOMPARE(anew.code, ExitCode::Good);
        QVERIFY(anew.out.contains(QStringLiteral("PyTorch")));
        const CommunicationSaid rows = communicated(path + QStringLiteral(" --csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(rows.out.toUtf8(), file.readAll());
    }

    void whatIsWrittenIsReadBack()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("zb-v.csv"));
        const CommunicationSaid rows =
            communicated(QStringLiteral("zb-v --micro-batches 8 --sharded --csv"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(rows.out.toUtf8());
        file.close();
        QCOMPARE(communicated(path + QStringLiteral(" --csv")).out, rows.out);
        QCOMPARE(communicated(path + QStringLiteral(" --json")).json()[QLatin1String("end_ms")],
                 communicated(QStringLiteral("zb-v --micro-batches 8 --sharded --json"))
                     .json()[QLatin1String("end_ms")]);
    }

    void wrongWordsAreRefusedWithWhatIsTaken_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("says");
        QTest::newRow("receive") << QStringLiteral("--receive later")
                                 << QStringLiteral("as-sent, at-use, early=N or deferred");
        QTest::newRow("early") << QStringLiteral("--receive early=-1")
                               << QStringLiteral("whole number of passes");
        QTest::newRow("communicators")
            << QStringLiteral("--communicators two") << QStringLiteral("direction");
        QTest::newRow("look ahead")
            << QStringLiteral("--look-ahead 0") << QStringLiteral("full, auto or a number");
        QTest::newRow("gather") << QStringLiteral("--gather 1")
                                << QStringLiteral("needs --sharded");
        QTest::newRow("buffers") << QStringLiteral("--receive-buffers 0")
                                 << QStringLiteral("from 1");
    }

    void wrongWordsAreRefusedWithWhatIsTaken()
    {
        QFETCH(QString, words);
        QFETCH(QString, says);
        const CommunicationSaid said = communicated(twoRanks() + words);
        QCOMPARE(said.code, ExitCode::Usage);
        QVERIFY2(said.err.contains(says), qPrintable(said.err));
    }

    void everyActionHasItsTimes()
    {
        const QJsonObject all = communicated(twoRanks() + QStringLiteral("--json --list")).json();
        const QJsonArray actions =
            all[QLatin1String("ranks")].toArray()[0].toObject()[QLatin1String("actions")].toArray();
        QCOMPARE(actions.size(), 8);
        QCOMPARE(actions[7].toObject()[QLatin1String("action")].toString(), QStringLiteral("0B1"));
        QCOMPARE(actions[7].toObject()[QLatin1String("end_ms")].toDouble(),
                 all[QLatin1String("end_ms")].toDouble());
    }
};

PW_TEST(TestCommunicationCommand)
#include "tst_communication_command.moc"
