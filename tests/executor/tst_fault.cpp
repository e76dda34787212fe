// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/fault.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;
using namespace pw::exec;

class TestFault : public QObject
{
    Q_OBJECT

private slots:
    void aFaultIsReadFromItsText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("passKind");
        QTest::addColumn<QList<int>>("numbers"); // micro-batch, stage, segment, iteration
        const auto row = [](const char* text, FaultKind kind, PassKind pass, QList<int> numbers) {
            QTest::newRow(text) << QString(text) << static_cast<int>(kind) << static_cast<int>(pass)
                                << numbers;
        };
        row("stall:F3.1", FaultKind::Stall, PassKind::F, {3, 1, 0, 0});
        row("throw:BW0@2", FaultKind::Throw, PassKind::BW, {0, 0, 0, 2});
        row("wrong-tag:B12.3/2@1", FaultKind::WrongTag, PassKind::B, {12, 3, 2, 1});
        row("lose-message:F0", FaultKind::LoseMessage, PassKind::F, {0, 0, 0, 0});
        row("die:W7.2@-1", FaultKind::Die, PassKind::W, {7, 2, 0, -1});
        row("out-of-memory:R1/3", FaultKind::OutOfMemory, PassKind::R, {1, 0, 3, 0});
        row("skip-weight:U0.4", FaultKind::SkipWeight, PassKind::U, {0, 4, 0, 0});
    }
    void aFaultIsReadFromItsText()
    {
        QFETCH(QString, text);
        QFETCH(int, kind);
        QFETCH(int, passKind);
        QFETCH(QList<int>, numbers);
        const Result<InjectedFault> fault = parseFault(text.toStdString());
        QVERIFY2(fault, fault ? "" : fault.error().message.c_str());
        const InjectedFault expected{
            static_cast<FaultKind>(kind),
            {static_cast<PassKind>(passKind), 0, StageId(numbers[1]), numbers[0], numbers[2]},
            numbers[3]};
        QVERIFY(*fault == expected);
    }

    void aTextThatIsNoFaultIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(text) << QString(text) << QString(message);
        };
        row("stall", "fault 'stall': expected a kind, a colon and a pass, as in stall:F3.1");
        row("stal:F0", "fault 'stal:F0': 'stal' is not a kind of fault; is 'stall' meant?");
        row("stall:X3", "fault 'stall:X3': 'X3' does not begin with F, B, W, BW, R or U");
        row("stall:F", "fault 'stall:F': the micro-batch is not a number in ''");
        row("stall:F-1", "fault 'stall:F-1': the micro-batch is not a number in '-1'");
        row("stall:F1.", "fault 'stall:F1.': the stage is not a number in ''");
        row("stall:F1@x", "fault 'stall:F1@x': the iteration is not a number in 'x'");
        row("stall:F99999999999", "fault 'stall:F99999999999': the micro-batch is not a number in "
                                  "'99999999999'");
        row("stall:F1 ", "fault 'stall:F1 ': ' ' is left over");
        row("", "fault '': expected a kind, a colon and a pass, as in stall:F3.1");
    }
    void aTextThatIsNoFaultIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<InjectedFault> fault = parseFault(text.toStdString());
        QVERIFY(!fault);
        QCOMPARE(fault.error().code, ErrorCode::Syntax);
        QCOMPARE(QString::fromStdString(fault.error().message), message);
    }
};

PW_TEST(TestFault)
#include "tst_fault.moc"
