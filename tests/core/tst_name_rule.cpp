// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/reading/import_trace.h"
#include "core/trace/name_rule.h"
#include "core/trace/recover.h"
#include "core/trace/rules_file.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <random>

using namespace pw;

namespace {

std::string said(const std::string& pattern, const std::string& name)
{
    const Result<NameRule> rule = NameRule::parse(pattern);
    if (!rule)
        return "refused: " + rule.error().message;
    const std::optional<SpanName> read = rule->read(name);
    return read ? describe(*read) : "no match";
}

NameRule made(const std::string& pattern)
{
    const Result<NameRule> rule = NameRule::parse(pattern);
    if (!rule)
        qFatal("%s", rule.error().message.c_str());
    return *rule;
}

/// An independent, slow matcher for patterns of lower-case text, `*` and `{mb}` alone.
bool slowMatch(std::string_view pattern, std::string_view name, char before)
{
    constexpr std::string_view field = "{mb}";
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (pattern.empty())
        return name.empty();
    if (pattern[0] == '*') {
        for (std::size_t i = 0; i <= name.size(); ++i)
            if (slowMatch(pattern.substr(1), name.substr(i), i == 0 ? before : name[i - 1]))
                return true;
        return false;
    }
    if (pattern.substr(0, field.size()) == field) {
        std::size_t end = 0;
        while (end < name.size() && digit(name[end]))
            ++end;
        return end > 0 && end < 9 && !digit(before) &&
               slowMatch(pattern.substr(field.size()), name.substr(end), name[end - 1]);
    }
    return !name.empty() && name[0] == pattern[0] &&
           slowMatch(pattern.substr(1), name.substr(1), name[0]);
}

/// A trace with names that nothing built in knows: one process, two ranks by name.
std::string foreignTrace()
{
    std::string events;
    const auto event = [&events](const std::string& name, int start) {
        events += std::string(events.empty() ? "" : ",") + R"({"ph":"X","pid":1,"tid":1,"name":")" +
                  name + R"(","ts":)" + std::to_string(start) + R"(,"dur":10})";
    };
    const int starts[2][4] = {{0, 10, 40, 50}, {10, 30, 20, 40}};
    for (int rank = 0; rank < 2; ++rank)
        for (int pass = 0; pass < 4; ++pass) {
            const std::string kind = pass < 2 ? "fprop" : "bprop";
            event("r" + std::to_string(rank) + "::" + kind + " [" + std::to_string(pass % 2) + "]",
                  starts[rank][pass] * 10);
        }
    return "[" + events + "]";
}

} // namespace

class TestNameRule : public QObject
{
    Q_OBJECT

private slots:
    void fieldsComeOut_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* title, const char* pattern, const char* name,
                            const char* expected) {
            QTest::newRow(title) << QString::fromUtf8(pattern) << QString::fromUtf8(name)
                                 << QString::fromUtf8(expected);
        };
        row("plain", "{kind}_mb{micro-batch}_s{stage}", "fwd_mb12_s3",
            "F, stage 3, micro-batch 12");
        row("any case of usual words", "{kind} {mb}", "FORWARD 1", "F, micro-batch 1");
        row("open backward", "{kind} {mb}", "bwd 1",
            "B (BW where the trace has no W), micro-batch 1");
        row("weight", "{kind} {mb}", "WGrad 1", "W, micro-batch 1");
        row("all fields", "{iteration}/{rank}/{stage}/{chunk}/{mb}/{segment}/{kind}",
            "1/2/3/4/5/6/R", "R, iteration 1, rank 2, stage 3, chunk 4, micro-batch 5, segment 6");
        row("own words", "{kind:fprop=F,bprop=BW}{mb}", "bprop7", "BW, micro-batch 7");
        row("own words as written", "{kind:fprop=F,bprop=BW}{mb}", "Bprop7", "no match");
        row("longer word first", "{kind:f=F,fb=BW}{mb}", "fb7", "BW, micro-batch 7");
        row("shorter word where the longer fails", "{kind:f=F,fb=BW}b{mb}", "fb7",
            "F, micro-batch 7");
        row("fixed kind", "Decoder {mb}{kind=W}", "Decoder 3", "W, micro-batch 3");
        row("message", "{kind} {mb}", "send_forward 3", "send of an activation, micro-batch 3");
        row("own message", "{kind:tx=send-B}{mb}", "tx3", "send of a gradient, micro-batch 3");
        row("step", "train {iteration}{kind=step}", "train 3", "step, iteration 3");
        row("any text", "*{kind}*{mb}*", "model.layer.fwd(x)[4]", "F, micro-batch 4");
        row("any text that is empty", "*{kind}*{mb}*", "f4", "F, micro-batch 4");
        row("a word is not cut", "*{kind}*{mb}", "buffer 4", "no match");
        row("a word beside text is", "my{kind}Step{mb}", "myfwdStep4", "F, micro-batch 4");
        row("a number is not cut", "*{mb}{kind=F}", "a123", "F, micro-batch 123");
        row("the first number", "*{mb}*{kind=F}", "a12b34", "F, micro-batch 12");
        row("whole name", "{kind}{mb}", "fwd3 ", "no match");
        row("too large a number", "{kind}{mb}", "fwd99999999999", "no match");
        row("no digits", "{kind}{mb}", "fwd", "no match");
        row("escapes", "\\{\\*\\\\{kind}{mb}", "{*\\f3", "F, micro-batch 3");
        row("escape in a word", "{kind:a\\=b=F}{mb}", "a=b3", "F, micro-batch 3");
        row("letters beyond ASCII", "é{kind}{mb}", "éf3", "F, micro-batch 3");
        row("empty name", "*{kind=F}{mb}", "", "no match");
    }

    void fieldsComeOut()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(said(pattern.toStdString(), name.toStdString())), expected);
    }

    void wrongPatternsSayTheCharacter_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("begin");
        const auto row = [](const char* pattern, const char* begin) {
            QTest::newRow(pattern) << QString::fromUtf8(pattern) << QString::fromUtf8(begin);
        };
        row("{kind} {stgae}", "character 8: {stgae} is not a field");
        row("é{kind} {stgae}", "character 9: {stgae} is not a field");
        row("{kind", "character 1: { without its }");
        row("{kind}}", "character 7: } without its {");
        row("{kind}{stage}{mb}", "character 14: two numbers side by side");
        row("{kind}{stage}5", "character 14: a digit right behind a number");
        row("{kind}{mb} {mb}", "character 12: this field appears twice");
        row("{kind}{kind=F}", "character 7: this field appears twice");
        row("{kind=F}{kind=F}", "character 9: this field appears twice");
        row("{kind}**", "character 8: one * is enough");
        row("fwd {mb}", "character 9: a rule says what kind of pass");
        row("", "character 1: a rule says what kind of pass");
        row("*{kind=F}", "character 10: such a rule would match every name");
        row("{kind=X}", "character 7: 'X' is not a kind");
        row("{kind:a=F,b=Y}", "character 13: 'Y' is not a kind");
        row("{kind:a}", "character 7: a word and its kind");
        row("{kind:}", "character 7: a word and its kind");
        row("{kind:a=F,a=W}", "character 11: 'a' appears twice");
        row("{mb=3}", "character 4: {mb} takes a number and nothing else");
        row("x{kind=step}", "character 2: a step has its number");
        row("{kind}\\", "character 7: a \\ comes before");
    }

    void wrongPatternsSayTheCharacter()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, begin);
        const Result<NameRule> rule = NameRule::parse(pattern.toStdString());
        QVERIFY(!rule);
        QVERIFY2(QString::fromStdString(rule.error().message).startsWith(begin),
                 rule.error().message.c_str());
    }

    void longPatternsAreRefused()
    {
        const Result<NameRule> rule =
            NameRule::parse("{kind}" + std::string(NameRule::longest, 'a'));
        QVERIFY(!rule);
        QCOMPARE(rule.error().code, ErrorCode::TooLarge);
    }

    void anyPatternAndNameEndSoon()
    {
        // Many stars that all nearly match: without bounds this takes for ever.
        std::string pattern = "{kind=F}";
        for (int i = 0; i < 300; ++i)
            pattern += "*a";
        pattern += "*b";
        const NameRule rule = made(pattern);
        QVERIFY(!rule.read(std::string(4096, 'a')));
        QVERIFY(rule.read(std::string(4096, 'a') + "b"));
    }

    void theMatcherAgreesWithASlowOne()
    {
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        const auto draw = [&random](int count) {
            return std::uniform_int_distribution<int>(0, count - 1)(random);
        };
        int matched = 0;
        for (int round = 0; round < 4000; ++round) {
            std::string pattern, name;
            bool field = false;
            for (int i = draw(6) + 1; i > 0; --i) {
                const bool star = draw(3) == 0 && (pattern.empty() || pattern.back() != '*');
                const bool mb = !field && draw(4) == 0;
                field = field || mb;
                pattern += mb ? "{mb}" : star ? "*" : draw(2) == 0 ? "a" : "b";
            }
            for (int i = draw(9); i > 0; --i)
                name += "aab12"[draw(5)];
            const Result<NameRule> rule = NameRule::parse("{kind=F}" + pattern);
            if (!rule)
                continue; // a star alone
            // Beside text, too, the slow one wants whole numbers.
            const bool slow = slowMatch(pattern, name, 'x');
            QVERIFY2(rule->read(name).has_value() == slow, (pattern + " on " + name).c_str());
            matched += slow ? 1 : 0;
        }
        QVERIFY(matched > 50);
    }

    void rulesComeBeforeAllLabelsButOurs()
    {
        const std::vector<NameRule> rules = {made("F{stage}.{micro-batch}.0{kind=R}"),
                                             made("*{kind=W}{mb}*")};
        QCOMPARE(ruleOf("F3.1.0", rules), 0);
        QCOMPARE(readSpanName("F3.1.0", rules).first.stage, 3);
        QCOMPARE(readSpanName("PP:0F3", rules).first.kind, PassKind::F);
        QCOMPARE(ruleOf("PP:0F3", rules), -1);
        QCOMPARE(ruleOf("Forward 4", rules), 1);
        QCOMPARE(readSpanName("aten::mm", rules).first.role, SpanRole::Other);
    }

    void aForeignTraceIsUnderstood()
    {
        const std::string text = foreignTrace();
        const Result<Trace> without = importTraceText(text, "foreign.json");
        QVERIFY(without);
        QVERIFY(recover(*without).iterations.empty());
        const std::vector<NameRule> rules = {made("r{rank}::{kind} [{micro-batch}]")};
        const Result<Trace> trace = importTraceText(text, "foreign.json", rules);
        QVERIFY(trace);
        QCOMPARE(trace->ranks.size(), std::size_t{2});
        QCOMPARE(trace->ranks[1].number, 1);
        const RecoveredPipeline pipeline = recover(*trace);
        QVERIFY2(pipeline.schedule, pipeline.unknown.empty() ? "" : pipeline.unknown[0].c_str());
        QCOMPARE(pipeline.passes, 8);
        QCOMPARE(pipeline.stages, 2);
        QVERIFY(!pipeline.split);
        QCOMPARE(ruleNotes(*trace, rules),
                 std::vector<std::string>{
                     "the rule 'r{rank}::{kind} [{micro-batch}]' reads 8 names of 8 spans"});
    }

    void aProcessWhoseNamesSayOneRankIsThatRank()
    {
        const Result<Trace> trace = importTraceText(
            R"([{"ph":"X","pid":7,"tid":1,"name":"r3 fwd 0","ts":0,"dur":5},
                {"ph":"X","pid":7,"tid":2,"name":"kernel","ts":1,"dur":2}])",
            "one.json", {made("r{rank} {kind} {mb}")});
        QVERIFY(trace);
        QCOMPARE(trace->ranks.size(), std::size_t{1});
        QCOMPARE(trace->ranks[0].number, 3);
        QVERIFY(trace->warnings.empty());
    }

    void rulesAreKept()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("a/b/rules.json")).toStdString();
        QVERIFY(keptNameRules(path)->empty());
        const std::vector<NameRule> rules = {made("{kind}\"\\\\é{mb}"), made("{kind=F}{mb}")};
        QVERIFY(keepNameRules(path, rules));
        const Result<std::vector<NameRule>> read = keptNameRules(path);
        QVERIFY(read);
        QVERIFY(*read == rules);
        QVERIFY(keepNameRules(path, {}));
        QVERIFY(keptNameRules(path)->empty());
    }

    void wrongFilesSayWhy_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("part");
        QTest::newRow("no JSON") << QByteArray("{") << "line 1";
        QTest::newRow("a list") << QByteArray("[]") << "is an object";
        QTest::newRow("no version") << QByteArray("{\"rules\": []}") << "pipewright_rules";
        QTest::newRow("a later version")
            << QByteArray("{\"pipewright_rules\": 2, \"rules\": []}") << "version 2";
        QTest::newRow("a wrong rule")
            << QByteArray("{\"pipewright_rules\": 1, \"rules\": [\"{kind}\", \"{kind\"]}")
            << "rule 2, character 1";
        QTest::newRow("an unknown field")
            << QByteArray("{\"pipewright_rules\": 1, \"rules\": [], \"x\": 1}") << "x";
    }

    void wrongFilesSayWhy()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, part);
        const Result<std::vector<NameRule>> rules = readNameRules(content.toStdString());
        QVERIFY(!rules);
        QVERIFY2(QString::fromStdString(rules.error().message).contains(part),
                 rules.error().message.c_str());
    }

    void thePathIsThatOfTheEnvironment()
    {
        qputenv("PIPEWRIGHT_RULES", "/somewhere/rules.json");
        QCOMPARE(defaultRulesPath(), std::string("/somewhere/rules.json"));
        qunsetenv("PIPEWRIGHT_RULES");
        qputenv("XDG_CONFIG_HOME", "/config");
        QCOMPARE(defaultRulesPath(), std::string("/config/pipewright/trace-rules.json"));
    }
};

PW_TEST(TestNameRule)

#include "tst_name_rule.moc"
