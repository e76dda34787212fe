// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

QString textOf(const FileProblems& problems)
{
    QStringList lines;
    for (const FileProblem& problem : problems.list)
        lines += QString::fromStdString(describe(problem, "row", "column"));
    return lines.join('\n');
}

/// A golden CSV text of an order, with its name in messages.
struct GoldenText
{
    std::string name; ///< "torch_gpipe 8771ef2b1e csv_send_recv"
    std::string field;
    std::string bytes;
    const test::GoldenOrder* order = nullptr;
};

std::vector<test::GoldenFile> torchFiles()
{
    std::vector<test::GoldenFile> files;
    for (const std::string& name : test::goldenFiles()) {
        if (name.rfind("torch_", 0) != 0)
            continue;
        auto file = test::loadGolden(name);
        if (!file)
            qFatal("%s", file.error().message.c_str());
        files.push_back(std::move(*file));
    }
    return files;
}

std::vector<GoldenText> goldenTexts(const std::vector<test::GoldenFile>& files)
{
    std::vector<GoldenText> texts;
    for (const test::GoldenFile& file : files) {
        for (const auto& [id, order] : file.orders) {
            for (const auto& [field, text] : order.extras.texts) {
                if (field.rfind("csv_", 0) == 0 || field == "ir_csv")
                    texts.push_back({file.name + ' ' + id + ' ' + field, field, text, &order});
            }
        }
    }
    return texts;
}

std::string withoutIdle(TorchTable table)
{
    for (auto& row : table) {
        row.erase(std::remove_if(row.begin(), row.end(),
                                 [](const TorchField& field) {
                                     return field.shape == TorchField::Shape::Blank;
                                 }),
                  row.end());
    }
    return writeTorchTable(table);
}

} // namespace

class TestTorchCsv : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_files = torchFiles();
        m_texts = goldenTexts(m_files);
    }

    void goldensComeBackByteForByte()
    {
        for (const GoldenText& golden : m_texts) {
            const TorchCsv csv = parseTorchCsv(golden.bytes);
            QVERIFY2(csv.problems.none(),
                     qPrintable(QString::fromStdString(golden.name) + '\n' + textOf(csv.problems)));
            QVERIFY2(writeTorchTable(csv.table) == golden.bytes, golden.name.c_str());
        }
        QVERIFY(m_texts.size() > 100);
    }

    void goldensHoldTheOrderOfTheirScheduler()
    {
        for (const GoldenText& golden : m_texts) {
            // These two hold another order: adjacent I and W merged, and PyTorch's faulty 1F1B.
            if (golden.field == "csv_merge_bw" || golden.field == "ir_csv")
                continue;
            const TorchCsv csv = parseTorchCsv(golden.bytes);
            const std::string difference =
                test::firstDifference(golden.order->orders, csv.draft.orders);
            QVERIFY2(difference.empty(), (golden.name + ": " + difference).c_str());
            QVERIFY(csv.draft.spec == test::goldenSpec(*golden.order));
        }
    }

    void goldensAreWrittenFromTheScheduleAlone()
    {
        int computeOnly = 0;
        int communicating = 0;
        for (const GoldenText& golden : m_texts) {
            const TorchCsv csv = parseTorchCsv(golden.bytes);
            const bool messages = golden.field == "csv_send_recv";
            if (!messages && golden.field != "csv_compute_only")
                continue;
            const auto schedule = Schedule::make(csv.draft.spec, csv.draft.orders);
            QVERIFY2(schedule, golden.name.c_str());
            const auto written = writeTorchCsv(*schedule, messages ? TorchForm::Communicating
                                                                   : TorchForm::ComputeOnly);
            QVERIFY2(written, golden.name.c_str());
            // Idle slots are the one thing that a schedule does not keep.
            QVERIFY2(*written == withoutIdle(csv.table), golden.name.c_str());
            if (messages) {
                QVERIFY2(*written == golden.bytes, golden.name.c_str());
                ++communicating;
            } else {
                ++computeOnly;
            }
        }
        QVERIFY(computeOnly > 20 && communicating > 20);
    }

    void mergedBackwardsAreSoundSchedules()
    {
        for (const GoldenText& golden : m_texts) {
            if (golden.field != "csv_merge_bw")
                continue;
            const auto draft = readTorchCsv(golden.bytes);
            QVERIFY2(draft, golden.name.c_str());
            QVERIFY2(Schedule::make(draft->spec, draft->orders), golden.name.c_str());
        }
    }

    /// PyTorch 2.14's own dump of 1F1B starts the last rank at micro-batch 1; ours must say so.
    void theFaultyDumpOf1f1bIsReported()
    {
        const auto draft =
            readTorchCsv("0F0,0F1,0B0,0B1,0REDUCE_GRAD\r\n1F1,1B0,1F2,1B1,1REDUCE_GRAD\r\n");
        QVERIFY(draft);
        const auto found = problems(*draft);
        QVERIFY(found);
        QStringList texts;
        for (const Problem& problem : found->list)
            texts += QString::fromStdString(problem.text);
        QVERIFY(texts.contains("device 1 misses F of micro-batch 0 on stage 1"));
        QVERIFY(texts.contains("device 0 misses F of micro-batch 2 on stage 0"));
    }

    void lettersMeanWhatPyTorchMeans()
    {
        const auto draft = readTorchCsv("0F0,0F1,0I0,0W0,0B1\r\n");
        QVERIFY2(draft, draft ? "" : draft.error().message.c_str());
        QCOMPARE(QString::fromStdString(writeScheduleText(*draft)),
                 QString("d0: F0 F1 B0 W0 BW1\n"));
    }

    void everyMistakeHasRowColumnAndRepair_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        auto row = [](const char* what, const char* text, const char* expected) {
            QTest::newRow(what) << text << expected;
        };
        row("empty file", "", "row 1, column 1: the file holds no pass");
        row("lower case", "0F0,0b0\n", "row 1, column 2: '0b0': unknown type; write 0B0");
        row("blank inside", "0F0\n1 F0\n", "row 2, column 1: '1 F0': unknown type; write 1F0");
        row("no stage", "F0\n", "row 1, column 1: 'F0': the stage number is missing");
        row("no micro-batch", "0F\n", "row 1, column 1: '0F': the micro-batch number is missing");
        row("junk behind", "0F0x\n", "'0F0x': nothing may follow 0F0; write 0F0");
        row("junk behind a type without number", "0F0,0B0,0UNSHARD3\n",
            "row 1, column 3: '0UNSHARD3': UNSHARD has no micro-batch number; write 0UNSHARD");
        row("unknown type", "0F0,0Q0\n", "row 1, column 2: '0Q0': unknown type; types are F, I");
        row("half a keyword", "0SEND0\n", "row 1, column 1: '0SEND0': unknown type");
        row("negative", "0F-1\n", "row 1, column 1: '0F-1': the micro-batch number is missing");
        row("stage too large", "99999999999F0\n", "the stage number is above 2147483647");
        row("micro-batch too large", "0F99999999999\n", "micro-batch number is above 2147483647");
        row("huge micro-batch", "0F2000000000,0B0\n",
            "micro-batch 2000000000 occurs, but the file");
        row("stage left out", "0F0,0B0\n2F0,2B0\n",
            "no row holds stage 1, but row 2 holds stage 2");
        row("stage on two ranks", "0F0\n0B0\n",
            "row 2, column 1: stage 0 appears here and in row 1");
        row("pair without word", "(0F1;0B0)\n",
            "row 1, column 1: '(0F1;0B0)': a pair ends with )OVERLAP_F_B; write it as");
        row("pair of one", "(0F1)OVERLAP_F_B\n", "a pair has two passes");
        row("pair of three", "(0F1;0B0;0B1)OVERLAP_F_B\n", "a pair of more than two passes");
        row("pair of forwards", "(0F1;0F0)OVERLAP_F_B\n", "a pair is one F and one B or I");
        row("nested pair", "((0F1;0B0)OVERLAP_F_B;0B1)OVERLAP_F_B\n",
            "the stage number is missing");
        row("pair followed by junk", "(0F1;0B0)OVERLAP_F_B2\n", "a pair ends with )OVERLAP_F_B");
        row("semicolons", "0F0;0B0\n",
            "fields are separated by a semicolon; separate them by commas");
        row("blank in a communicating file",
            "0F0,,0SEND_F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "row 1, column 2: a communicating file has no blank fields; delete the field");
        row("lost send", "0F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "row 1, column 1: 0SEND_F0 is missing for this pass; add it behind this field");
        row("lost receive", "0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0\n",
            "row 2, column 1: 1RECV_F0 is missing for this pass; add it before this field");
        row("send too early", "0SEND_F0,0F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "row 1, column 1: 0SEND_F0 comes before its pass; move it behind column 2");
        row("receive too late", "0F0,0SEND_F0,0B0,0RECV_B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "row 1, column 4: 0RECV_B0 comes after its pass; move it before column 3");
        row("send twice", "0F0,0SEND_F0,0SEND_F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "row 1, column 3: 0SEND_F0 appears twice; delete one");
        row("send on a foreign rank", "0F0,0RECV_B0,0B0\n1RECV_F0,0SEND_F0,1F0,1B0,1SEND_B0\n",
            "row 2, column 2: 0SEND_F0 is in row 2, and stage 0 in row 1; move it there");
        row("send beyond the last stage",
            "0F0,0SEND_F0,0RECV_B0,0B0\n1RECV_F0,1F0,1SEND_F0,1B0,1SEND_B0\n",
            "row 2, column 3: 1SEND_F0: there is no stage beyond 1; delete it");
        row("send inside a rank",
            "0F0,0SEND_F0,0RECV_B0,0B0\n1RECV_F0,1F0,1SEND_F0,2F0,2B0,1B0,1SEND_B0\n",
            "1SEND_F0: stage 2 is on the same rank, which hands over without a message");
        row("message of no pass", "0F0,0SEND_F0,0SEND_F9,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n",
            "row 1, column 3: 0SEND_F9 belongs to no pass of the file; delete it");
        row("ring",
            "0F0,0SEND_F0,0RECV_B0,0B0,0F1,0SEND_F1,0RECV_B1,0B1\n"
            "1RECV_F0,1F0,1RECV_F1,1F1,1B0,1SEND_B0,1B1,1SEND_B1\n",
            "deadlock: rank 0 waits in BW of micro-batch 0 on stage 0 for rank 1");
        row("older dialect", "0F0,0BW0\n",
            "row 1, column 2: BW is a type of the older dialect only; read the file in the older");
        row("perhaps the older dialect", "0F0,0B0,0W0\n",
            "row 1, column 3: a W appears here and no I anywhere");
    }

    void everyMistakeHasRowColumnAndRepair()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const TorchCsv csv = parseTorchCsv(text.toStdString());
        QVERIFY(!csv.problems.none());
        QVERIFY2(textOf(csv.problems).contains(expected), qPrintable(textOf(csv.problems)));
    }

    void theOlderDialectIsReadWhenAsked()
    {
        const std::string older = "0F0,0F1,0B0,0W0,0BW1\r\n";
        const TorchCsv refused = parseTorchCsv(older);
        QVERIFY(refused.olderDialect && !refused.problems.none());
        const TorchCsv csv = parseTorchCsv(older, TorchDialect::Older);
        QVERIFY2(csv.problems.none(), qPrintable(textOf(csv.problems)));
        QCOMPARE(QString::fromStdString(writeScheduleText(csv.draft)),
                 QString("d0: F0 F1 B0 W0 BW1\n"));
        QCOMPARE(QString::fromStdString(writeTorchTable(csv.table)),
                 QString("0F0,0F1,0I0,0W0,0B1\r\n"));
        QVERIFY(textOf(csv.notes).contains("the older dialect is written in the current one"));
        QVERIFY(!parseTorchCsv("0F0,0I0,0W0\n", TorchDialect::Older).problems.none());
        // Said to be the current one, a W beside a B is a matter of the order.
        QVERIFY(parseTorchCsv("0F0,0B0,0W0\n", TorchDialect::Current).problems.none());
    }

    void whatChangesIsNamed()
    {
        const TorchCsv csv = parseTorchCsv("\xEF\xBB\xBF 0F0 ,\"0B0\",\n,1F0,1B0\n,,\n");
        QVERIFY2(csv.problems.none(), qPrintable(textOf(csv.problems)));
        const QString notes = textOf(csv.notes);
        QVERIFY(notes.contains("byte order mark"));
        QVERIFY(notes.contains("blanks around 1 fields are cut"));
        QVERIFY(notes.contains("quotes around fields"));
        QVERIFY(notes.contains("lines end with CR LF"));
        QVERIFY(notes.contains("1 empty rows at the end are cut"));
        QVERIFY(notes.contains("2 idle slots are left out"));
        QCOMPARE(QString::fromStdString(writeTorchTable(csv.table)),
                 QString("0F0,0B0,\r\n,1F0,1B0\r\n"));
        QVERIFY((csv.places[1][0] == FilePlace{2, 2}));
    }

    void trailingBlanksOfACommunicatingFileAreCut()
    {
        const TorchCsv csv =
            parseTorchCsv("0F0,0SEND_F0,0RECV_B0,0B0,,\r\n1RECV_F0,1F0,1B0,1SEND_B0\r\n");
        QVERIFY2(csv.problems.none(), qPrintable(textOf(csv.problems)));
        QVERIFY(textOf(csv.notes).contains("2 blank fields at the end of rows are cut"));
    }

    void overtakingMessagesAreNoted()
    {
        const TorchCsv csv =
            parseTorchCsv("0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\r\n"
                          "1RECV_F1,1RECV_F0,1F0,1B0,1SEND_B0,1F1,1B1,1SEND_B1\r\n");
        QVERIFY2(csv.problems.none(), qPrintable(textOf(csv.problems)));
        QVERIFY(textOf(csv.notes).contains("2 messages are received in another order than sent"));
    }

    void whatTheFormatLacksIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("segments") << "F0 F0/1 BW0/1 BW0\n"
                                  << "no segments";
        QTest::newRow("recompute") << "F0 R0 BW0\n"
                                   << "no recompute";
        QTest::newRow("updates") << "F0 BW0 U0\n"
                                 << "no optimizer updates";
        QTest::newRow("steps") << "steps: 2\nF0 BW0 U0 F1 BW1 U1\n"
                               << "no steps";
        QTest::newRow("two routes") << "placement: linear, reversed\nroutes: 0 1\nd0: F0 F1.1 "
                                       "BW1.1 BW0\nd1: F1.1 F0 BW0 BW1.1\n"
                                    << "no second route";
    }

    void whatTheFormatLacksIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto draft = readScheduleText(text.toStdString());
        QVERIFY(draft);
        const auto schedule = Schedule::make(draft->spec, draft->orders);
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        for (const TorchForm form : {TorchForm::ComputeOnly, TorchForm::Communicating}) {
            const auto written = writeTorchCsv(*schedule, form);
            QVERIFY(!written);
            QVERIFY2(QString::fromStdString(written.error().message).contains(expected),
                     written.error().message.c_str());
        }
    }

    /// Any bytes: no crash, and what is read without problems is written and read back equal.
    void mutilatedFilesAreReadOrRefused()
    {
        constexpr unsigned seed = 5;
        std::mt19937 random(seed);
        const std::string whole = "0F0,0SEND_F0,(3F0;0B1)OVERLAP_F_B,,3UNSHARD,0RECV_B0,0I0,0W0\r\n"
                                  "1RECV_F0,1F0,\"1B0\",1SEND_B0,2REDUCE_GRAD\r\n";
        for (int round = 0; round < 5000; ++round) {
            std::string text = whole;
            for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
                const std::size_t at = random() % text.size();
                if (random() % 2 == 0)
                    text[at] = static_cast<char>(random() % 256);
                else
                    text.erase(at, 1 + random() % 5);
            }
            const TorchCsv csv = parseTorchCsv(text, TorchDialect::Current);
            if (!csv.problems.none())
                continue;
            const TorchCsv again = parseTorchCsv(writeTorchTable(csv.table), TorchDialect::Current);
            QVERIFY2(again.table == csv.table && again.draft == csv.draft,
                     qPrintable(QString("seed %1, round %2").arg(seed).arg(round)));
        }
    }

private:
    std::vector<test::GoldenFile> m_files;
    std::vector<GoldenText> m_texts;
};

PW_TEST(TestTorchCsv)
#include "tst_torch_csv.moc"
