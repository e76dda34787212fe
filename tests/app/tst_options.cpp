// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command_registry.h"
#include "app/options.h"
#include "app/stage_times.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace pw;
using namespace pw::app;

namespace {

std::vector<Option> declared()
{
    return {{.name = "devices",
             .kind = ValueKind::Whole,
             .placeholder = "P",
             .minimum = 1,
             .maximum = 65536},
            {.name = "forward",
             .kind = ValueKind::Number,
             .placeholder = "MS",
             .minimum = 0,
             .maximum = longestPassMs},
            {.name = "offset", .kind = ValueKind::Whole, .placeholder = "N"},
            {.name = "color",
             .kind = ValueKind::Text,
             .placeholder = "WHEN",
             .choices = {"auto", "always", "never"}},
            {.name = "out", .kind = ValueKind::Text, .placeholder = "FILE"},
            {.name = "json"},
            {.name = "help"}};
}

Result<Arguments> parsed(const std::vector<std::string>& words)
{
    return parse(declared(), words);
}

std::vector<std::string> wordsOf(const QString& line)
{
    std::vector<std::string> words;
    for (const QString& word : line.split('|'))
        words.push_back(word.toStdString());
    return words;
}

} // namespace

class TstOptions : public QObject
{
    Q_OBJECT

private slots:
    void anOptionIsReadBothWaysInAnyOrder_data();
    void anOptionIsReadBothWaysInAnyOrder();
    void aMistakeIsNamed_data();
    void aMistakeIsNamed();
    void theLongestTimeThatIsStatedIsTheOneThatIsTaken_data();
    void theLongestTimeThatIsStatedIsTheOneThatIsTaken();
    void aValueIsKeptWithoutItsUnitAndAsItIsDeclared();
    void theFieldsWordsAreOptionsWhereTheseAre();
    void wordsAfterTwoDashesAreNoOptions();
    void aNegativeNumberIsAValue();
    void aMissingOptionHasItsFallback();
    void onlyDecimalNumbersAreNumbers_data();
    void onlyDecimalNumbersAreNumbers();
    void anyBytesAreReadOrRefused();
    void aSwitchIsOnOffOrAlone_data();
    void aSwitchIsOnOffOrAlone();
    void aChoiceIsAWordOrItsNumber_data();
    void aChoiceIsAWordOrItsNumber();
    void switchesAndChoicesMayBeLists();
    void aChoiceThatMayBeLeftOut_data();
    void aChoiceThatMayBeLeftOut();
};

/// A family's flag and choice, as lists or alone.
std::vector<Option> typed(bool lists)
{
    return {{.name = "overlap", .kind = ValueKind::Switch, .lists = lists},
            {.name = "order",
             .kind = ValueKind::Text,
             .placeholder = "best|fixed|greedy",
             .choices = {"best", "fixed", "greedy"},
             .numbered = true,
             .lists = lists}};
}

void TstOptions::aSwitchIsOnOffOrAlone_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("words");
    QTest::newRow("alone") << "--overlap" << 1.0 << 0;
    QTest::newRow("before a word") << "--overlap|1f1b" << 1.0 << 1;
    QTest::newRow("before an option") << "--overlap|--order|best" << 1.0 << 0;
    QTest::newRow("as it was") << "1f1b|--overlap|1" << 1.0 << 1;
    QTest::newRow("off as it was") << "1f1b|--overlap|0" << 0.0 << 1;
    QTest::newRow("on") << "--overlap|on" << 1.0 << 0;
    QTest::newRow("off in one word") << "--overlap=off" << 0.0 << 0;
}

void TstOptions::aSwitchIsOnOffOrAlone()
{
    QFETCH(QString, line);
    QFETCH(double, value);
    QFETCH(int, words);
    const Result<Arguments> arguments = parse(typed(false), wordsOf(line));
    QVERIFY(arguments.has_value());
    QCOMPARE(arguments->number("overlap", -1), value);
    QCOMPARE(static_cast<int>(arguments->words().size()), words);
}

void TstOptions::aChoiceIsAWordOrItsNumber_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<double>("value");
    QTest::newRow("word") << "--order|fixed" << 1.0;
    QTest::newRow("word behind the sign") << "--order=greedy" << 2.0;
    QTest::newRow("number") << "--order|2" << 2.0;
    QTest::newRow("first") << "--order=0" << 0.0;
    QTest::newRow("none of them") << "--order|3" << -1.0;
    QTest::newRow("another word") << "--order|bests" << -1.0;
    QTest::newRow("two") << "--order|best,fixed" << -1.0;
}

void TstOptions::aChoiceIsAWordOrItsNumber()
{
    QFETCH(QString, line);
    QFETCH(double, value);
    const Result<Arguments> arguments = parse(typed(false), wordsOf(line));
    QCOMPARE(arguments.has_value(), value >= 0);
    if (arguments)
        QCOMPARE(arguments->number("order", -1), value);
    else
        QVERIFY(arguments.error().message.english().find("takes best, fixed or greedy, not") !=
                std::string::npos);
}

void TstOptions::switchesAndChoicesMayBeLists()
{
    const Result<Arguments> arguments =
        parse(typed(true), wordsOf(QStringLiteral("--overlap|off,on|--order|best, greedy,1")));
    QVERIFY(arguments.has_value());
    QCOMPARE(arguments->text("overlap"), std::string("0,1"));
    QCOMPARE(arguments->text("order"), std::string("0,2,1"));
    QVERIFY(!parse(typed(false), wordsOf(QStringLiteral("--overlap=off,on"))));
}

void TstOptions::aChoiceThatMayBeLeftOut_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("value"); // none: refused
    QTest::addColumn<int>("words");
    QTest::newRow("alone") << "--order"
                           << "" << 0;
    QTest::newRow("before a word") << "--order|out.txt"
                                   << "" << 1;
    QTest::newRow("before an option") << "--order|--overlap"
                                      << "" << 0;
    QTest::newRow("with its word") << "--order|fixed|out.txt"
                                   << "1" << 1;
    QTest::newRow("in one word") << "--order=greedy"
                                 << "2" << 0;
    QTest::newRow("nothing in one word") << "--order=" << QString() << 0;
    QTest::newRow("another in one word") << "--order=bests" << QString() << 0;
}

void TstOptions::aChoiceThatMayBeLeftOut()
{
    QFETCH(QString, line);
    QFETCH(QString, value);
    QFETCH(int, words);
    std::vector<Option> options = typed(false);
    options.back().optional = true;
    const Result<Arguments> arguments = parse(options, wordsOf(line));
    QCOMPARE(arguments.has_value(), !value.isNull());
    if (!arguments)
        return;
    QVERIFY(arguments->has("order"));
    QCOMPARE(QString::fromStdString(arguments->text("order")), value);
    QCOMPARE(static_cast<int>(arguments->words().size()), words);
}

void TstOptions::anOptionIsReadBothWaysInAnyOrder_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("value in the next word") << "zb-v|--devices|8|--json|--forward|1.5";
    QTest::newRow("value in the same word") << "--devices=8|--forward=1.5|zb-v|--json";
    QTest::newRow("flags first") << "--json|--devices=8|zb-v|--forward|1.5";
}

void TstOptions::anOptionIsReadBothWaysInAnyOrder()
{
    QFETCH(QString, line);
    const Result<Arguments> arguments = parsed(wordsOf(line));
    QVERIFY(arguments.has_value());
    QCOMPARE(arguments->whole("devices", 4), 8);
    QCOMPARE(arguments->number("forward", 1), 1.5);
    QVERIFY(arguments->has("json"));
    QVERIFY(!arguments->has("help"));
    QCOMPARE(arguments->words(), std::vector<std::string>{"zb-v"});
}

void TstOptions::aMistakeIsNamed_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* line, const char* message) {
        QTest::newRow(name) << QString(line) << QString::fromUtf8(message);
    };
    row("a word for a number", "--devices|four",
        "--devices takes a whole number from 1 to 65536, not 'four'");
    row("too small", "--devices|0", "--devices takes a whole number from 1 to 65536, not '0'");
    row("too large", "--devices=1000000",
        "--devices takes a whole number from 1 to 65536, not '1000000'");
    row("beyond every number", "--devices=1e999",
        "--devices takes a whole number from 1 to 65536, not '1e999'");
    row("a fraction", "--devices=2.5", "--devices takes a whole number from 1 to 65536, not '2.5'");
    row("a unit of something else", "--forward=2GB",
        "--forward takes a number of milliseconds from 0 to 144000, or with a unit (ns, us, ms, "
        "s, min or h), not '2GB'");
    row("a time that is too long", "--forward=1h",
        "--forward takes a number of milliseconds from 0 to 144000, or with a unit (ns, us, ms, "
        "s, min or h), not '1h'");
    row("a time that is none", "--forward=0.1ns",
        "--forward '0.1ns' is less than half a nanosecond, and would count as none");
    row("infinity", "--forward=inf",
        "--forward takes a number of milliseconds from 0 to 144000, or with a unit (ns, us, ms, "
        "s, min or h), not 'inf'");
    row("nothing after the equals sign", "--forward=",
        "--forward takes a number of milliseconds from 0 to 144000, or with a unit (ns, us, ms, "
        "s, min or h), not ''");
    row("another choice", "--color=blue", "--color takes auto, always or never, not 'blue'");
    row("no value at the end", "--devices",
        "--devices needs a value: a whole number from 1 to 65536");
    row("an option for a value", "--devices|--json",
        "--devices needs a value: a whole number from 1 to 65536");
    row("an empty file name", "--out=", "--out takes the name of a file, not ''");
    row("a value for a flag", "--json=yes", "--json takes no value");
    row("twice", "--devices=1|--devices=2", "--devices is given twice");
    row("a slip", "--devcies=1", "unknown option '--devcies'; did you mean --devices?");
    row("a beginning", "--dev=1", "unknown option '--dev'; did you mean --devices?");
    row("nothing near", "--xyzzy", "unknown option '--xyzzy'");
    row("one dash", "-d", "unknown option '-d'; options have two dashes, as in --help");
    row("control characters", "--devices|a\x1b[31m",
        "--devices takes a whole number from 1 to 65536, not 'a?[31m'");
}

void TstOptions::aMistakeIsNamed()
{
    QFETCH(QString, line);
    QFETCH(QString, message);
    const Result<Arguments> arguments = parsed(wordsOf(line));
    QVERIFY(!arguments.has_value());
    QCOMPARE(QString::fromStdString(arguments.error().message), message);
}

void TstOptions::theLongestTimeThatIsStatedIsTheOneThatIsTaken_data()
{
    QTest::addColumn<QString>("option");
    for (const char* option : {"forward", "backward", "weight", "pair", "comm", "update"})
        QTest::newRow(option) << QString(option);
}

/// The options of the program, down to the schedule that is simulated.
void TstOptions::theLongestTimeThatIsStatedIsTheOneThatIsTaken()
{
    QFETCH(QString, option);
    const std::string name = "--" + option.toStdString();
    const auto simulated = [&name](const char* time) {
        std::ostringstream out, err;
        const ExitCode code = runProgram(
            {"simulate", "1f1b", "--devices", "2", "--micro-batches", "2", name, time}, out, err);
        return std::pair(code, err.str());
    };
    for (const char* taken : {"144000", "144s", "2.4min"}) {
        const auto [code, said] = simulated(taken);
        QVERIFY2(code == ExitCode::Good, said.c_str());
    }
    for (const char* refused : {"144000.001", "144.000001s", "1000000"}) {
        const auto [code, said] = simulated(refused);
        QCOMPARE(code, ExitCode::Usage);
        QVERIFY2(said.find(" from 0 to 144000, or with a unit") != std::string::npos, said.c_str());
    }
}

void TstOptions::aValueIsKeptWithoutItsUnitAndAsItIsDeclared()
{
    const Result<Arguments> arguments =
        parsed({"--Forward", "300us", "--color=NEVER", "--DEVICES", "8"});
    QVERIFY(arguments.has_value());
    QCOMPARE(arguments->number("forward", 0), 0.3);
    QCOMPARE(arguments->text("forward"), std::string("0.3"));
    QCOMPARE(arguments->text("color"), std::string("never"));
    QCOMPARE(arguments->whole("devices", 0), 8);
}

void TstOptions::theFieldsWordsAreOptionsWhereTheseAre()
{
    const std::vector<Option> options = {
        {.name = "tensor-parallel", .kind = ValueKind::Whole, .placeholder = "N"},
        {.name = "devices", .kind = ValueKind::Whole, .placeholder = "P"},
        {.name = "top", .kind = ValueKind::Whole, .placeholder = "N"}};
    const std::vector<std::string> words = {"--tp", "8", "--pp=4"};
    const Result<Arguments> arguments = parse(options, words);
    QVERIFY(arguments.has_value());
    QCOMPARE(arguments->whole("tensor-parallel", 0), 8);
    QCOMPARE(arguments->whole("devices", 0), 4);
    const std::vector<std::string> twice = {"--tp", "8", "--tensor-parallel", "4"};
    QVERIFY(!parse(options, twice));
    const std::vector<std::string> other = {"--ep", "8"};
    const Result<Arguments> refused = parse(options, other, [](std::string_view name) {
        return "ask elsewhere for " + std::string(name);
    });
    QVERIFY(!refused);
    QCOMPARE(refused.error().message.english(),
             std::string("unknown option '--ep'; ask elsewhere for ep"));
}

void TstOptions::wordsAfterTwoDashesAreNoOptions()
{
    const Result<Arguments> arguments = parsed({"--json", "--", "--devices", "-x", "--"});
    QVERIFY(arguments.has_value());
    const std::vector<std::string> expected = {"--devices", "-x", "--"};
    QCOMPARE(arguments->words(), expected);
    QVERIFY(!arguments->has("devices"));
}

void TstOptions::aNegativeNumberIsAValue()
{
    const Result<Arguments> arguments = parsed({"--offset", "-3"});
    QVERIFY(arguments.has_value());
    QCOMPARE(arguments->whole("offset", 0), -3);
}

void TstOptions::aMissingOptionHasItsFallback()
{
    const Result<Arguments> arguments = parsed({});
    QVERIFY(arguments.has_value());
    QCOMPARE(arguments->whole("devices", 4), 4);
    QCOMPARE(arguments->text("out", "here"), std::string("here"));
    QVERIFY(!arguments->number("forward").has_value());
}

void TstOptions::onlyDecimalNumbersAreNumbers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    QTest::addColumn<double>("value");
    QTest::newRow("whole") << "12" << true << 12.0;
    QTest::newRow("fraction") << "0.25" << true << 0.25;
    QTest::newRow("no digit before the point") << ".5" << true << 0.5;
    QTest::newRow("exponent") << "1e3" << true << 1000.0;
    QTest::newRow("negative") << "-2" << true << -2.0;
    for (const char* bad :
         {"", "-", "--1", "+1", "nan", "inf", "-inf", "0x10", "1 ", " 1", "1,5", "1..2", "."})
        QTest::newRow(qPrintable(QString("not '%1'").arg(bad))) << bad << false << 0.0;
}

void TstOptions::onlyDecimalNumbersAreNumbers()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    QFETCH(double, value);
    const std::optional<double> number = parseNumber(text.toStdString());
    QCOMPARE(number.has_value(), good);
    if (good)
        QCOMPARE(*number, value);
}

void TstOptions::anyBytesAreReadOrRefused()
{
    const std::uint32_t seed = test::randomSeed();
    std::mt19937 random(seed);
    const std::vector<std::string> seeds = {"--devices=8", "--forward", "1.5", "--color=auto",
                                            "--",          "zb-v",      "-h",  "--json",
                                            "=",           "--=",       "-",   ""};
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    for (int i = 0; i < 20000; ++i) {
        std::vector<std::string> words(below(5));
        for (std::string& word : words) {
            word = seeds[below(seeds.size())];
            for (std::size_t changes = below(3); changes > 0; --changes) {
                const char byte = static_cast<char>(below(256));
                if (word.empty() || below(2) == 0)
                    word.insert(below(word.size() + 1), 1, byte);
                else
                    word[below(word.size())] = byte;
            }
        }
        const Result<Arguments> arguments = parsed(words);
        if (!arguments) {
            QVERIFY(!arguments.error().message.empty());
            continue;
        }
        // What was taken is inside its range.
        const int devices = arguments->whole("devices", 1);
        QVERIFY(devices >= 1 && devices <= 65536);
        QVERIFY(arguments->words().size() <= words.size());
    }
}

PW_TEST(TstOptions)
#include "tst_options.moc"
