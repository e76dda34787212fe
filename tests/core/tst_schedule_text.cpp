// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <random>

using namespace pw;

namespace {

QString textOf(const FileProblems& problems)
{
    QStringList lines;
    for (const FileProblem& problem : problems.list)
        lines += QString::fromStdString(describe(problem));
    return lines.join('\n');
}

PipelineSpec randomSpec(std::mt19937& random)
{
    auto upTo = [&](int most) {
        return 1 + static_cast<int>(random() % static_cast<unsigned>(most));
    };
    PipelineSpec spec;
    spec.devices = upTo(4);
    spec.microBatches = upTo(5);
    spec.steps = upTo(2);
    switch (random() % 6) {
    case 0:
        spec.routes = {Placement::linear(spec.devices)};
        break;
    case 1:
        spec.routes = {Placement::looped(spec.devices, upTo(3))};
        break;
    case 2:
        spec.routes = {Placement::vShape(spec.devices)};
        break;
    case 3:
        spec.routes = {Placement::zigzag(spec.devices, upTo(2))};
        break;
    case 4:
        spec.routes = {Placement::linear(spec.devices), Placement::reversed(spec.devices)};
        break;
    default: {
        Placement any;
        for (int s = upTo(5); s > 0; --s)
            any.deviceOfStage.push_back(DeviceId(upTo(spec.devices) - 1));
        spec.routes = {any};
    }
    }
    if (random() % 2 == 0) {
        for (int j = 0; j < spec.microBatches; ++j)
            spec.routeOfMicroBatch.push_back(
                static_cast<std::uint8_t>(random() % spec.routes.size()));
    }
    spec.segmentLengths.assign(static_cast<std::size_t>(upTo(3)), 1);
    if (random() % 3 == 0)
        spec.segmentLengths.front() = upTo(4000);
    spec.updates = spec.steps > 1 || random() % 2 == 0;
    if (spec.updates)
        spec.updateRule = static_cast<UpdateRule>(random() % 3);
    spec.messages = static_cast<MessageRule>(random() % 2);
    return spec;
}

/// Passes that a spec has, on any devices and in any order: a draft need not be sound.
Draft randomDraft(std::mt19937& random)
{
    Draft draft{randomSpec(random), {}};
    const PipelineSpec& spec = draft.spec;
    draft.orders.resize(static_cast<std::size_t>(spec.devices));
    auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    auto any = [&] {
        Pass pass;
        pass.kind = allPassKinds[random() % allPassKinds.size()];
        pass.stage = StageId(below(spec.stages()));
        pass.route = static_cast<std::uint8_t>(below(spec.routeCount()));
        if (pass.kind == PassKind::U) {
            pass.microBatch = below(spec.updatesPerStage());
        } else {
            pass.microBatch = below(spec.totalMicroBatches());
            pass.segment = below(spec.segments());
        }
        return pass;
    };
    for (auto& order : draft.orders) {
        for (int i = below(12); i > 0; --i)
            order.push_back(random() % 4 == 0 ? overlapped(any(), any()) : single(any()));
    }
    return draft;
}

} // namespace

class TestScheduleText : public QObject
{
    Q_OBJECT

private slots:
    void twoPlainLinesAreAWholeSpec()
    {
        const auto draft = readScheduleText("F0 F1 BW0 BW1\nF0 BW0 F1 BW1\n");
        QVERIFY2(draft, draft ? "" : draft.error().message.c_str());
        QCOMPARE(draft->spec.devices, 2);
        QCOMPARE(draft->spec.microBatches, 2);
        QVERIFY(draft->spec.routes.front() == Placement::linear(2));
        const Pass second{PassKind::BW, 0, StageId(1), 0, 0};
        QVERIFY(draft->orders[1][1].pass == second);
        QCOMPARE(QString::fromStdString(writeScheduleText(*draft)),
                 QString("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n"));
    }

    void chunksSegmentsPairsUpdatesAndVersionsAreRead()
    {
        const std::string text = "steps: 2\n"
                                 "placement: v\n"
                                 "segment-lengths: 3 2 1\n"
                                 "updates: stashed\n"
                                 "d0: F0@0 F0.1@0 (F1/2+BW0.1@0) BW0@0 U0 F2@1 F1@1 R2@1 U0.1\n"
                                 "d1: F3/1 W0\n";
        const auto draft = readScheduleText(text);
        QVERIFY2(draft, draft ? "" : draft.error().message.c_str());
        QCOMPARE(draft->spec.microBatches, 2);
        const OrderEntry pair = draft->orders[0][2];
        QVERIFY(pair.paired);
        QVERIFY((pair.pass == Pass{PassKind::F, 0, StageId(0), 1, 2}));
        QVERIFY((pair.partner == Pass{PassKind::BW, 0, StageId(3), 0, 0}));
        QVERIFY((draft->orders[0][4].pass == Pass{PassKind::U, 0, StageId(0), 0, 0}));
        QCOMPARE(QString::fromStdString(writeScheduleText(*draft)), QString::fromStdString(text));
    }

    void secondRouteIsAChunkOfItsOwn()
    {
        const std::string text =
            "placement: linear, reversed\nroutes: 0*2 1*2\nd0: F0 F2.1\nd1: F2.1\n";
        const auto draft = readScheduleText(text);
        QVERIFY2(draft, draft ? "" : draft.error().message.c_str());
        QCOMPARE(draft->spec.microBatches, 4);
        QVERIFY((draft->orders[0][1].pass == Pass{PassKind::F, 1, StageId(1), 2, 0}));
        QVERIFY((draft->orders[1][0].pass == Pass{PassKind::F, 1, StageId(0), 2, 0}));
        QCOMPARE(QString::fromStdString(writeScheduleText(*draft)), QString::fromStdString(text));
    }

    void randomDraftsComeBackEqual()
    {
        constexpr unsigned seed = 20261;
        std::mt19937 random(seed);
        for (int round = 0; round < 3000; ++round) {
            const Draft draft = randomDraft(random);
            const std::string text = writeScheduleText(draft);
            const ScheduleText read = parseScheduleText(text);
            const QString about = QString("seed %1, round %2\n%3\n%4")
                                      .arg(seed)
                                      .arg(round)
                                      .arg(QString::fromStdString(text), textOf(read.problems));
            QVERIFY2(read.problems.none(), qPrintable(about));
            QVERIFY2(read.draft == draft, qPrintable(about));
            const ScheduleText again = parseScheduleText(text, &draft.spec);
            QVERIFY2(again.problems.none() && again.draft == draft, qPrintable(about));
        }
    }

    void commentsBlankLinesAndWindowsEndingsDoNotMatter()
    {
        const auto plain = readScheduleText("d0: F0 BW0\nd1: F0 BW0\n");
        const auto dressed = readScheduleText("# title\r\n\r\nd1:\tF0  BW0 # last\r\nd0: F0 BW0");
        QVERIFY(plain && dressed);
        QVERIFY(*plain == *dressed);
    }

    void everyMistakeHasItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nothing at all") << "# empty\n"
                                        << "line 1, column 1: no device has a line";
        QTest::newRow("unknown kind") << "d0: F0 X1\n"
                                      << "line 1, column 8: 'X1': no pass starts";
        QTest::newRow("no number") << "d0: F0 BW\n"
                                   << "line 1, column 8: 'BW': a micro-batch number";
        QTest::newRow("number too large")
            << "F99999999999\n"
            << "line 1, column 1: 'F99999999999': a micro-batch number is above";
        QTest::newRow("junk behind") << "F0x\n"
                                     << "line 1, column 1: 'F0x': nothing may follow 'F0'";
        QTest::newRow("segment with a colon") << "F0:1\n"
                                              << "line 1, column 1: 'F0:1'";
        QTest::newRow("open pair") << "d0: (F1+BW0\n"
                                   << "line 1, column 5: '(F1+BW0'";
        QTest::newRow("pair of one") << "d0: (F1)\n"
                                     << "line 1, column 5: '(F1)': a pair joins";
        QTest::newRow("pair of three") << "(F1+BW0+F2)\n"
                                       << "line 1, column 1: '(F1+BW0+F2)'";
        QTest::newRow("device twice") << "d0: F0\nd0: F1\n"
                                      << "line 2, column 1: device 0 has two";
        QTest::newRow("device left out") << "d0: F0\nd2: F0\n"
                                         << "line 2, column 1: device 1 has no line";
        QTest::newRow("device beyond") << "devices: 1\nd0: F0\nd1: F0\n"
                                       << "line 3, column 1: device 1";
        QTest::newRow("huge device") << "d2000000000: F0\n"
                                     << "line 1, column 1: device 2000000000";
        QTest::newRow("chunks without placement") << "F0 F0.1\n"
                                                  << "line 1, column 1: devices have 2 chunks";
        QTest::newRow("chunk beyond") << "placement: v\nd0: F0 F0.2\n"
                                      << "line 2, column 8: chunk 2; device 0 has 2";
        QTest::newRow("unknown word") << "colour: red\nF0\n"
                                      << "line 1, column 1: unknown word 'colour'";
        QTest::newRow("word twice") << "steps: 1\nsteps: 1\nF0\n"
                                    << "line 2, column 1: 'steps' is given";
        QTest::newRow("no count") << "steps: 0\nF0\n"
                                  << "line 1, column 7: '0' is not a count";
        QTest::newRow("strange placement") << "placement: w\nF0\n"
                                           << "line 1, column 11: 'w' is no";
        QTest::newRow("placement beyond the devices")
            << "placement: 0 5\nF0\n"
            << "line 1, column 11: stage 1 is placed on device 5";
        QTest::newRow("huge placement") << "placement: looped 2000000000\nF0\n"
                                        << "line 1, column 11: 2000000000 rounds";
        QTest::newRow("huge micro-batch") << "F2000000000\n"
                                          << "line 1, column 1: 1 stages";
        QTest::newRow("wrong version") << "updates: stashed\nd0: F0@1\n"
                                       << "line 2, column 5: F0 reads weight version 0";
        QTest::newRow("version without need") << "F0@0\n"
                                              << "line 1, column 1: F0 has no weight";
        QTest::newRow("update with a segment") << "U0/1\n"
                                               << "line 1, column 1: 'U0/1': a U has no";
        QTest::newRow("route beyond") << "routes: 0 2\nF0\n"
                                      << "line 1, column 8: '2' is not a route";
        QTest::newRow("rule unknown") << "updates: never\nF0\n"
                                      << "line 1, column 9: 'never' is no";
        QTest::newRow("several steps without updates") << "steps: 2\nF0 F1\n"
                                                       << "several steps";
    }

    void everyMistakeHasItsPlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const ScheduleText read = parseScheduleText(text.toStdString());
        QVERIFY(!read.problems.none());
        QVERIFY2(textOf(read.problems).contains(expected), qPrintable(textOf(read.problems)));
    }

    void allMistakesAreReportedAndTheRestIsRead()
    {
        const ScheduleText read = parseScheduleText("d0: F0 x F1 y BW0\nd1: z F0\n");
        QCOMPARE(read.problems.count, 3);
        QCOMPARE(read.draft.orders[0].size(), std::size_t(3));
        QVERIFY((read.places[0][2] == FilePlace{1, 15}));
        QVERIFY((read.places[1][0] == FilePlace{2, 7}));
    }

    /// What a header has wrong is told once, and nothing that would follow from it.
    void aWrongHeaderAccusesNothingElse()
    {
        for (const char* text : {"steps: 2.5\nF0 F1\n", "placement: sideways\nd0: F0 F0.1\n",
                                 "updates: never\nd0: F0 F0.1\n"}) {
            const ScheduleText read = parseScheduleText(text);
            QVERIFY2(read.problems.count == 1, qPrintable(textOf(read.problems)));
            QVERIFY(textOf(read.problems).startsWith("line 1, "));
        }
    }

    void aShapeThatIsSetMustAgree()
    {
        PipelineSpec spec;
        spec.devices = 2;
        spec.microBatches = 4;
        spec.routes = {Placement::vShape(2)};
        const ScheduleText good = parseScheduleText("d0: F0 F0.1\n", &spec);
        QVERIFY2(good.problems.none(), qPrintable(textOf(good.problems)));
        QVERIFY(good.draft.spec == spec);
        const ScheduleText bad = parseScheduleText("placement: looped 2\nd0: F0 F0.1\n", &spec);
        QCOMPARE(textOf(bad.problems),
                 QString("line 1, column 11: 'placement' differs from the shape that is set"));
    }

    void placementsHaveTheirUsualNames_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"linear", "reversed", "looped 3", "v", "zigzag 2", "0 1 1 2 3"})
            QTest::newRow(text) << text;
    }

    void placementsHaveTheirUsualNames()
    {
        QFETCH(QString, text);
        const auto placement = parsePlacement(text.toStdString(), 4);
        QVERIFY(placement);
        QCOMPARE(QString::fromStdString(placementText(*placement, 4)), text);
    }
};

PW_TEST(TestScheduleText)
#include "tst_schedule_text.moc"
