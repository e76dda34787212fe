// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/name_rule.h"
#include "core/trace/rule_draft.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

class TestRuleDraft : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsUsuallyMeantIsGuessed_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("process");
        QTest::addColumn<QByteArray>("thread");
        QTest::addColumn<QByteArray>("pattern");
        QTest::newRow("micro-batch and stage")
            << QByteArray("fwd mb3 stage2") << QByteArray() << QByteArray()
            << QByteArray("fwd mb{micro-batch} stage{stage}{kind=F}");
        QTest::newRow("a number of nothing")
            << QByteArray("fwd_17") << QByteArray() << QByteArray() << QByteArray("fwd_*{kind=F}");
        QTest::newRow("thread and process")
            << QByteArray("backward mb 0") << QByteArray("DP rank [1]")
            << QByteArray("PP rank 3, host node12")
            << QByteArray("process:DP rank [{replica}] & thread:PP rank {stage}, host node* & "
                          "backward mb {micro-batch}{kind=B}");
        QTest::newRow("marks of a rule mean themselves")
            << QByteArray("fwd {x*} \\ mb1") << QByteArray() << QByteArray()
            << QByteArray("fwd \\{x\\*\\} \\\\ mb{micro-batch}{kind=F}");
        QTest::newRow("the last of two")
            << QByteArray("mb1 of mb2 forward") << QByteArray() << QByteArray()
            << QByteArray("mb* of mb{micro-batch} forward{kind=F}");
        QTest::newRow("a word within a word says nothing")
            << QByteArray("forward thumb4") << QByteArray() << QByteArray()
            << QByteArray("forward thumb*{kind=F}");
        QTest::newRow("no kind, no rule")
            << QByteArray("step_17") << QByteArray() << QByteArray() << QByteArray();
    }

    void whatIsUsuallyMeantIsGuessed()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, process);
        QFETCH(QByteArray, thread);
        QFETCH(QByteArray, pattern);
        const RuleDraft draft(name.toStdString(), process.toStdString(), thread.toStdString(), {});
        QCOMPARE(draft.pattern(), pattern.toStdString());
        if (pattern.isEmpty())
            return;
        const Result<NameRule> rule = NameRule::parse(draft.pattern());
        QVERIFY(rule);
        QVERIFY(rule->read(name.toStdString()));
        QVERIFY(rule->readPlace(process.toStdString(), thread.toStdString(), ""));
    }

    void argumentsAreUsedByTheirKeys()
    {
        RuleDraft draft("dense-compute", "", "",
                        {{"mb_id", "4"}, {"step", "7"}, {"shape", "[3, 4]"}, {"bytes", "77"}});
        QCOMPARE(draft.sources().size(), std::size_t{6}); // no text among the arguments
        QVERIFY(draft.pattern().empty());
        draft.setKind("BW");
        QCOMPARE(draft.pattern(), std::string("dense-compute{kind=BW} & args:mb_id={micro-batch} "
                                              "& args:step={iteration}"));
        QVERIFY(NameRule::parse(draft.pattern()));
        draft.setMeaning(5, 0, NumberMeaning::Stage);
        QVERIFY(draft.pattern().find("args:bytes={stage}") != std::string::npos);
    }

    void anArgumentSaysNotAgainWhatTheNameSays()
    {
        const RuleDraft draft("forward mb3", "", "", {{"micro_batch", "3"}});
        QCOMPARE(draft.pattern(), std::string("forward mb{micro-batch}{kind=F}"));
    }

    void aMeaningIsGivenOnce()
    {
        RuleDraft draft("forward 1 of 2", "", "", {});
        draft.setMeaning(0, 1, NumberMeaning::MicroBatch);
        QCOMPARE(draft.pattern(), std::string("forward {micro-batch} of *{kind=F}"));
        draft.setMeaning(0, 3, NumberMeaning::MicroBatch);
        QCOMPARE(draft.pattern(), std::string("forward * of {micro-batch}{kind=F}"));
        draft.setMeaning(0, 1, NumberMeaning::Itself);
        QCOMPARE(draft.pattern(), std::string("forward 1 of {micro-batch}{kind=F}"));
        draft.setMeaning(9, 9, NumberMeaning::Stage); // there is no such piece
        QCOMPARE(draft.pattern(), std::string("forward 1 of {micro-batch}{kind=F}"));
    }

    void theProcessIsSaidAsRulesReadIt()
    {
        TraceTrack track;
        track.process = "data part 0 17";
        QVERIFY(processSaid(track) == "data part 0");
        track.process = " 17";
        QVERIFY(processSaid(track) == "17");
        track.process = "python";
        QVERIFY(processSaid(track) == "python");
    }

    void everyKindIsOneOfRules()
    {
        for (const std::string_view kind : ruleKindNames) {
            RuleDraft draft("x1", "", "", {});
            draft.setKind(kind);
            draft.setMeaning(0, 1, NumberMeaning::Iteration); // a step has to say its number
            QVERIFY2(NameRule::parse(draft.pattern()), std::string(kind).c_str());
        }
    }
};

PW_TEST(TestRuleDraft)

#include "tst_rule_draft.moc"
