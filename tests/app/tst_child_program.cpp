// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/child_program.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;
using pw::app::ChildOutput;
using pw::app::runChild;

/// Other programs are run within a time.
class TestChildProgram : public QObject
{
    Q_OBJECT

private slots:
    void whatItSaysComesBack()
    {
        const Result<ChildOutput> said = runChild(
            {"sh", "-c", "echo out; echo 'the last' >&2; exit 3"}, std::chrono::minutes(1));
        QVERIFY(said);
        QCOMPARE(said->out, std::string("out\n"));
        QCOMPARE(said->lastLine(), std::string("the last"));
        QCOMPARE(said->code, 3);
    }

    void silenceIsEnded()
    {
        const Result<ChildOutput> said =
            runChild({"sh", "-c", "exec sleep 100"}, std::chrono::milliseconds(100));
        QVERIFY(!said);
        QCOMPARE(said.error().code, ErrorCode::Fault);
    }

    /// The child holds this program up until the time is long over, having answered in time.
    void anAnswerThatIsLookedAtLateIsAnAnswer()
    {
        const Result<ChildOutput> said =
            runChild({"sh", "-c",
                      "kill -STOP $PPID; (sleep 1; kill -CONT $PPID) >/dev/null 2>&1 & echo said"},
                     std::chrono::milliseconds(300));
        QVERIFY2(said, said ? "" : said.error().message.english().c_str());
        QCOMPARE(said->out, std::string("said\n"));
        QCOMPARE(said->code, 0);
    }
};

PW_TEST(TestChildProgram)

#include "tst_child_program.moc"
