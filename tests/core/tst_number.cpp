// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/families/family.h"
#include "core/io/costs_file.h"
#include "core/io/json_text.h"
#include "core/io/model_file.h"
#include "core/io/project_file.h"
#include "core/reading/events/event_time.h"
#include "core/reading/import_trace.h"
#include "core/trace/rules_file.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace pw;

namespace {

/// 0.000…1: a decimal with many zeros behind the point.
std::string longDecimal(std::size_t zeros)
{
    return "0." + std::string(zeros, '0') + "1";
}

Project smallProject()
{
    FamilyOptions options;
    options.devices = 2;
    options.microBatches = 3;
    Project project;
    project.family = FamilyChoice{"1f1b", options};
    project.draft.spec = *specOf(**findFamily("1f1b"), options);
    project.costs = UniformCosts{};
    return project;
}

/// A locale that writes 0.5 as 0,5; made here where the system has none. For the rest of its life.
class CommaLocale
{
public:
    CommaLocale()
    {
        if (use("de_DE.UTF-8") || use("de_DE.utf8") || use("de_DE"))
            return;
        const QString made = m_folder.filePath("de_DE.UTF-8");
        QProcess::execute("localedef", {"-i", "de_DE", "-f", "UTF-8", made});
        qputenv("LOCPATH", m_folder.path().toUtf8());
        use("de_DE.UTF-8");
    }
    ~CommaLocale()
    {
        std::setlocale(LC_ALL, "C");
        qunsetenv("LOCPATH");
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    bool there() const { return std::strcmp(std::localeconv()->decimal_point, ",") == 0; }

private:
    bool use(const char* name) { return std::setlocale(LC_ALL, name) != nullptr && there(); }

    QTemporaryDir m_folder;
};

} // namespace

class TestNumber : public QObject
{
    Q_OBJECT

private slots:
    void aTextIsANumberOrNone_data()
    {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");
        for (const char* text : {"", "-", "+1", " 1", "1 ", "inf", "-inf", "nan", "0x10", "1,5",
                                 "1.5.2", "1e", "e5", ".", "--5", "1e400", "-1e400", "1.8e308"})
            QTest::newRow(text[0] == '\0' ? "empty" : text) << text << none;
        QTest::newRow("0") << "0" << 0.0;
        QTest::newRow("-12") << "-12" << -12.0;
        QTest::newRow(".5") << ".5" << 0.5;
        QTest::newRow("3e8") << "3e8" << 3e8;
        QTest::newRow("least") << "4.9e-324" << std::numeric_limits<double>::denorm_min();
        QTest::newRow("largest") << "1.7976931348623157e308" << std::numeric_limits<double>::max();
        QTest::newRow("350 zeros") << QString::fromStdString(longDecimal(350)) << 0.0;
        QTest::newRow("below the least") << "1e-400" << 0.0;
        QTest::newRow("an exponent beyond 64 bits") << "1e-99999999999999999999999" << 0.0;
        QTest::newRow("an exponent far up") << "1e99999999999999999999999" << none;
        QTest::newRow("zeros and an exponent that lifts them")
            << QString::fromStdString(longDecimal(350) + "e351") << 1.0;
        QTest::newRow("digits and an exponent that lowers them")
            << QString::fromStdString("1" + std::string(400, '0') + "e-400") << 1.0;
        QTest::newRow("400 digits") << QString(400, '9') << none;
        QTest::newRow("0 to a large power") << "0e999999999" << 0.0;
    }
    void aTextIsANumberOrNone()
    {
        QFETCH(QString, text);
        QFETCH(double, value);
        const std::optional<double> read = decimalNumber(text.toStdString());
        QCOMPARE(read.has_value(), !std::isnan(value));
        if (read)
            QCOMPARE(*read, value);
    }

    void whatIsLostToZeroIsTold()
    {
        for (const char* lost : {"1e-400", "-2e-324", "0.1e-400"})
            QVERIFY2(lostToZero(lost), lost);
        QVERIFY(lostToZero(longDecimal(350)));
        for (const char* kept : {"0", "-0", "0.000", "0e5", "1e-300", "x", ""})
            QVERIFY2(!lostToZero(kept), kept);
    }

    void everyDoubleComesBackFromItsText()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 20'000; ++i) {
            const std::uint64_t bits = random();
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            if (!std::isfinite(value))
                continue;
            JsonText json;
            json.value(value);
            const Result<JsonDocument> read = parseJson(json.text(), 1000);
            QVERIFY2(read, json.text().c_str());
            QCOMPARE(read->GetDouble(), value);
        }
    }

    void wholeNumbersKeepAllTheirDigits()
    {
        const Result<JsonDocument> read = parseJson(
            "[9223372036854775807, -9223372036854775808, 18446744073709551615, 5, -0]", 1000);
        QVERIFY(read);
        QCOMPARE((*read)[0].GetInt64(), std::numeric_limits<std::int64_t>::max());
        QCOMPARE((*read)[1].GetInt64(), std::numeric_limits<std::int64_t>::min());
        QVERIFY((*read)[2].IsUint64() && !(*read)[2].IsInt64());
        QVERIFY((*read)[3].IsInt());
        QCOMPARE((*read)[4].GetInt(), 0);
    }

    /// A parser once read outside its table of powers for these.
    void aDecimalWithManyZerosIsRefusedByEveryReader()
    {
        for (const std::size_t zeros : {300U, 323U, 350U, 400U, 700U, 5000U}) {
            for (const std::string& number :
                 {longDecimal(zeros), "-" + longDecimal(zeros), longDecimal(zeros) + "e5",
                  longDecimal(zeros) + "E-300"}) {
                QVERIFY(!readProject("{\"pipewright\": " + number + "}"));
                QVERIFY(!readCosts("{\"pipewright_costs\": " + number + "}"));
                QVERIFY(!readNameRules("{\"pipewright_rules\": " + number + ", \"rules\": []}"));
                QVERIFY(!parseModel("{\"version\": " + number + "}"));
                const Result<Trace> trace = importTraceText(
                    "[{\"ph\":\"X\",\"name\":\"F0\",\"ts\":" + number + ",\"dur\":2000}]",
                    "rank0.json");
                QVERIFY(trace);
                QCOMPARE(trace->spans.size(), std::size_t{1});
            }
        }
    }

    void aTitleHasALimit()
    {
        Project project = smallProject();
        project.title = std::string(65'536, 't');
        QVERIFY(readProject(*writeProject(project)));
        project.title += 't';
        const Result<std::string> text = writeProject(project);
        QVERIFY(!text);
        QCOMPARE(text.error().message, std::string("the project cannot be saved: title has 65,537 "
                                                   "bytes; it can have 65,536"));
    }

    void aFileThatIsWrongNamesThePlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("a zero byte behind the end")
            << QByteArray("{}\0{\"hidden\": 1}", 16) << "line 1, column 3: a zero byte";
        QTest::newRow("too large") << QByteArray("\n[1e309]")
                                   << "line 2, column 2: Number too big to be stored in double.";
        QTest::newRow("digits without end")
            << QByteArray("[1") + QByteArray(400, '0') + "]"
            << "line 1, column 2: Number too big to be stored in double.";
        QTest::newRow("deep") << QByteArray(65, '[')
                              << "line 1, column 65: brackets nest deeper than 64";
        QTest::newRow("two values") << QByteArray("{} {}")
                                    << "line 1, column 4: The document root must not be followed "
                                       "by other values.";
    }
    void aFileThatIsWrongNamesThePlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const Result<JsonDocument> read = parseJson(text.toStdString(), 1000);
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).startsWith(message),
                 read.error().message.c_str());
    }

    void aCommaInTheLocaleChangesNothing()
    {
        const CommaLocale locale;
        if (!locale.there())
            QSKIP("no locale with a decimal comma, and none can be made here");
        QCOMPARE(decimalNumber("0.25"), std::optional<double>(0.25));
        QVERIFY(!decimalNumber("0,25"));
        QCOMPARE(ticksFromDecimal("1.5e3", microsecondDigits), std::optional<Ticks>(1'500'000));
        QCOMPARE(ticksFromDecimal("2.5", microsecondDigits), std::optional<Ticks>(2'500));
        const Result<Trace> trace = importTraceText(
            R"([{"ph":"X","name":"F0","ts":1.25e3,"dur":2.5e0},{"ph":"X","name":"F1","ts":1.5E6,)"
            R"("dur":1}])",
            "rank0.json");
        QVERIFY(trace);
        QCOMPARE(trace->spans.size(), std::size_t{2});
        QCOMPARE(trace->spans[0].end - trace->spans[0].start, Ticks{2'500});
        QCOMPARE(trace->leftOut, std::int64_t{0});
        JsonText json;
        json.value(0.5);
        QCOMPARE(QString::fromStdString(json.text()).trimmed(), QString("0.5"));
        Project project = smallProject();
        UniformCosts costs;
        costs.keptForWeight = 0.625;
        project.costs = costs;
        const Result<std::string> text = writeProject(project);
        QVERIFY(text);
        QVERIFY(text->find("0.625") != std::string::npos);
    }
};

PW_TEST(TestNumber)
#include "tst_number.moc"
