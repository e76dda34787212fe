// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/names.h"
#include "core/base/quantity.h"
#include "core/cost/accelerator.h"
#include "core/cost/cluster.h"
#include "core/cost/language_model.h"
#include "core/cost/transformer.h"
#include "core/families/family_names.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cctype>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace pw;

class TstNames : public QObject
{
    Q_OBJECT

private slots:
    void noTwoThingsOfAListHaveTheSameName();
    void aFamilyIsFoundByItsIdTitleAndOtherNamesInAnySpelling();
    void everyOtherNameIsOfAFamilyAndOfNoSecondOne();
    void aSlipInAnotherNameIsAnsweredWithIt();
    void machinesAndModelsAreFoundInAnySpelling();
    void aQuantityIsReadWithItsUnit_data();
    void aQuantityIsReadWithItsUnit();
    void whatIsNoQuantityIsRefused_data();
    void whatIsNoQuantityIsRefused();
};

void TstNames::noTwoThingsOfAListHaveTheSameName()
{
    const auto distinct = [](const std::vector<std::string>& names) {
        std::set<std::string> folded;
        for (const std::string& name : names)
            if (!folded.insert(foldedName(name)).second)
                return false;
        return true;
    };
    std::vector<std::string> families, machines, models;
    for (const Family& family : allFamilies())
        families.emplace_back(family.id);
    for (const Accelerator& one : accelerators())
        machines.emplace_back(one.name);
    for (const LanguageModel& model : modelPresets())
        models.push_back(model.dense.name);
    for (const auto& names : {families, machines, models}) {
        QVERIFY(!names.empty());
        QVERIFY(distinct(names));
    }
}

void TstNames::aFamilyIsFoundByItsIdTitleAndOtherNamesInAnySpelling()
{
    const auto idOf = [](std::string_view word) {
        const Result<const Family*> family = familyNamed(word);
        return family ? std::string((*family)->id) : std::string();
    };
    for (const Family& family : allFamilies()) {
        QCOMPARE(idOf(family.id), std::string(family.id));
        std::string loud(family.id);
        for (char& c : loud)
            c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        QCOMPARE(idOf(loud), std::string(family.id));
    }
    const std::pair<const char*, const char*> words[] = {{"ZBV", "zb-v"},
                                                         {"Zb H1", "zb-h1"},
                                                         {"dualpipev", "dualpipe-v"},
                                                         {"PipeDream-Flush", "1f1b"},
                                                         {"DAPPLE", "1f1b"},
                                                         {"1F1B-Interleaved", "interleaved-1f1b"},
                                                         {"Interleaved1F1B", "interleaved-1f1b"},
                                                         {"ScheduleGPipe", "gpipe"},
                                                         {"ScheduleZBVZeroBubble", "zb-v"},
                                                         {"FThenB", "gpipe"},
                                                         {"2BW", "pipedream-2bw"},
                                                         {"LoopedBFS", "breadth-first"}};
    for (const auto& [word, id] : words)
        QCOMPARE(idOf(word), std::string(id));
    QCOMPARE(idOf("zb-h3"), std::string());
    QCOMPARE(idOf(""), std::string());
    QCOMPARE(idOf("-"), std::string());
}

void TstNames::everyOtherNameIsOfAFamilyAndOfNoSecondOne()
{
    std::set<std::string> folded;
    for (const Family& family : allFamilies())
        folded.insert(foldedName(family.id));
    for (const OtherFamilyName& other : otherFamilyNames()) {
        QVERIFY2(findFamily(other.id).has_value(), std::string(other.name).c_str());
        QVERIFY2(folded.insert(foldedName(other.name)).second, std::string(other.name).c_str());
    }
}

void TstNames::aSlipInAnotherNameIsAnsweredWithIt()
{
    const Result<const Family*> family = familyNamed("pipedream-flsh");
    QVERIFY(!family);
    QCOMPARE(family.error().message.english(),
             std::string("there is no family 'pipedream-flsh'; did you mean pipedream-flush, which "
                         "is 1f1b?"));
}

void TstNames::machinesAndModelsAreFoundInAnySpelling()
{
    QCOMPARE(std::string(findAccelerator("H100")->name), std::string("h100"));
    QCOMPARE(std::string(plan::parseKinds("H100:8, A100:8")->back().device.name),
             std::string("a100"));
    for (const LanguageModel& model : modelPresets()) {
        std::string loud = model.dense.name;
        for (char& c : loud)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        const Result<LanguageModel> found = findModel(loud);
        QVERIFY2(found.has_value(), loud.c_str());
        QCOMPARE(found->dense.name, model.dense.name);
    }
    for (const LanguageModel& model : modelPresets())
        QCOMPARE(findModel(foldedName(model.dense.name))->dense.name, model.dense.name);
}

void TstNames::aQuantityIsReadWithItsUnit_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("measure");
    QTest::addColumn<double>("value");
    const auto row = [](const char* text, Measure measure, double value) {
        QTest::newRow(text) << text << static_cast<int>(measure) << value;
    };
    row("5", Measure::Milliseconds, 5);
    row("5ms", Measure::Milliseconds, 5);
    row("300us", Measure::Milliseconds, 0.3);
    row("300 µs", Measure::Milliseconds, 0.3);
    row("2.5 s", Measure::Milliseconds, 2500);
    row("1e3ns", Measure::Milliseconds, 1e-3);
    row("2min", Measure::Seconds, 120);
    row("1h", Measure::Seconds, 3600);
    row("500 MS", Measure::Seconds, 0.5);
    row("80GB", Measure::Gigabytes, 80);
    row("80 gb", Measure::Gigabytes, 80);
    row("80GiB", Measure::Gigabytes, 85.899345920);
    row("80GB", Measure::Gibibytes, 80e9 / 1073741824.0);
    row("80GiB", Measure::Gibibytes, 80);
    row("34MiB", Measure::Size, 34.0 * 1024 * 1024);
    row("1.5kB", Measure::Size, 1500);
    row("50GB/s", Measure::GigabytesPerSecond, 50);
    row("400Gbit/s", Measure::GigabytesPerSecond, 50);
    row("400Gbps", Measure::GigabytesPerSecond, 50);
    row("400 Gb/s", Measure::GigabytesPerSecond, 50);
    row("1TB/s", Measure::GigabytesPerSecond, 1000);
    row("5%", Measure::Percent, 5);
}

void TstNames::aQuantityIsReadWithItsUnit()
{
    QFETCH(QString, text);
    QFETCH(int, measure);
    QFETCH(double, value);
    const std::optional<double> read =
        readQuantity(text.toStdString(), static_cast<Measure>(measure));
    QVERIFY(read.has_value());
    QVERIFY2(std::abs(*read - value) <= 1e-12 * std::abs(value),
             qPrintable(QString::number(*read, 'g', 17)));
}

void TstNames::whatIsNoQuantityIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("measure");
    const auto row = [](const char* text, Measure measure) {
        QTest::newRow(text) << text << static_cast<int>(measure);
    };
    row("", Measure::Milliseconds);
    row("ms", Measure::Milliseconds);
    row("5GB", Measure::Milliseconds);
    row("5 m", Measure::Milliseconds);
    row("5msms", Measure::Milliseconds);
    row("5  ms", Measure::Milliseconds);
    row(" 5ms", Measure::Milliseconds);
    row("1e-400ms", Measure::Milliseconds);
    row("1e307h", Measure::Milliseconds);
    row("80Gi", Measure::Gigabytes);
    row("5GB", Measure::GigabytesPerSecond);
    row("5/s", Measure::GigabytesPerSecond);
    row("inf s", Measure::Seconds);
    row("0x1ms", Measure::Milliseconds);
}

void TstNames::whatIsNoQuantityIsRefused()
{
    QFETCH(QString, text);
    QFETCH(int, measure);
    QVERIFY(!readQuantity(text.toStdString(), static_cast<Measure>(measure)));
}

PW_TEST(TstNames)
#include "tst_names.moc"
