// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/chrome_json.h"
#include "core/io/project_file.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/reading/sniff.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;

class TestSniff : public QObject
{
    Q_OBJECT

private slots:
    void contentTellsATrace_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<bool>("trace");
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), test::equalStages(2, 2, 2));
        const auto row = [](const char* name, const std::string& head, bool trace) {
            QTest::newRow(name) << QByteArray::fromStdString(head) << trace;
        };
        using Form = test::TraceForm;
        row("Kineto", test::chromeTraces(run.schedule, run.result, Form::Kineto)[1].text, true);
        row("older Kineto", test::chromeTraces(run.schedule, run.result, Form::OldKineto)[0].text,
            true);
        row("Megatron", test::chromeTraces(run.schedule, run.result, Form::Megatron)[0].text, true);
        row("own export", writeChromeJson(run.schedule, run.costs, run.result), true);
        row("Nsight Systems", std::string("SQLite format 3") + '\0', true);
        row("list after spaces", "\xEF\xBB\xBF\n [{}", true);
        Project project;
        project.title = "traceEvents";
        project.notes = "a note of \"traceEvents\"";
        project.draft = draftOf(run.schedule);
        project.costs = run.costs;
        row("project", *writeProject(project), false);
        row("costs", "{ \"pipewright_costs\": 1, \"title\": \"traceEvents\" }", false);
        row("other JSON", "{ \"a\": [1, 2] }", false);
        row("schedule text", writeScheduleText(run.schedule), false);
        row("schedule of PyTorch", *writeTorchCsv(run.schedule, TorchForm::Communicating), false);
        row("times of stages", "stage,forward,backward,weight\n0,1,2,3\n", false);
        row("nothing", "", false);
    }

    void contentTellsATrace()
    {
        QFETCH(QByteArray, head);
        QFETCH(bool, trace);
        QCOMPARE(looksLikeTraceText({head.constData(), static_cast<std::size_t>(head.size())}),
                 trace);
        // The same from a file, plain; packed it is always one, since nothing else is.
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("file")).toStdString();
        test::writeTrace(path, head.toStdString());
        QCOMPARE(looksLikeTrace(path), trace);
        test::writeTrace(path + ".gz", head.toStdString());
        QVERIFY(looksLikeTrace(path + ".gz"));
    }

    void aFolderIsATraceAndNothingIsNone()
    {
        const QTemporaryDir folder;
        QVERIFY(looksLikeTrace(folder.path().toStdString()));
        QVERIFY(!looksLikeTrace(folder.filePath(QStringLiteral("none.json")).toStdString()));
    }
};

PW_TEST(TestSniff)
#include "tst_sniff.moc"
