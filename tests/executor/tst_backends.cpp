// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"
#include "executor/backends/backends.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <sys/stat.h>

using namespace pw;
using namespace pw::exec;

class TestBackends : public QObject
{
    Q_OBJECT

private slots:
    void everyBackendSaysWhatItIsOrWhatIsMissing()
    {
        std::vector<std::string> names;
        for (const BackendInfo& info : backendInfos()) {
            names.push_back(info.name);
            QVERIFY(info.available ? !info.summary.empty() : !info.missing.empty());
        }
        QCOMPARE(names, (std::vector<std::string>{"cuda", "cpu", "emulated"}));
    }

    void anUnknownBackendIsRefused()
    {
        const auto near = openBackend("emulate", 4);
        QVERIFY(!near);
        QCOMPARE(near.error().message,
                 std::string("there is no backend 'emulate'; is 'emulated' meant?"));
        const auto far = openBackend("abacus", 4);
        QVERIFY(!far);
        QCOMPARE(far.error().message, std::string("there is no backend 'abacus'; there are cuda, "
                                                  "cpu, emulated, auto"));
    }

    void theBestBackendIsPickedWithAReason()
    {
        std::string reason;
        const auto few = openBackend("auto", 1, &reason);
        QVERIFY2(few, few ? "" : few.error().message.c_str());
        const std::string name = (*few)->info().name;
        QVERIFY(name == "cuda" || name == "cpu");
        QVERIFY(reason.rfind(name + ", as ", 0) == 0);
        const auto many = openBackend("auto", 1000, &reason);
        QVERIFY(many);
        QVERIFY((*many)->info().name != "cpu");
        QVERIFY(reason.rfind((*many)->info().name + ", as ", 0) == 0);
        QVERIFY(openBackend("cpu", 2, &reason));
        QCOMPARE(reason, std::string("cpu, as asked for"));
    }

    void aModuleThatIsMissingNamesWhereItWasLookedFor()
    {
        qputenv("PW_MODULE_PATH", "/absent/one::/absent/two");
        const Result<void*> found = loadModule("pipewright-nothing", "pw_nothing");
        QVERIFY(!found);
        const QString text = QString::fromStdString(found.error().message);
        QVERIFY2(text.startsWith("there is no module pipewright-nothing.so in /absent/one, "
                                 "/absent/two, /") &&
                     text.endsWith("; PW_MODULE_PATH names further folders"),
                 qPrintable(text));
    }

    void foldersThatAreNamedComeBeforeTheProgramsOwn()
    {
        qputenv("PW_MODULE_PATH", "/named/one:/named/two");
        const std::vector<std::string> folders = moduleFolders();
        QCOMPARE(folders.size(), std::size_t{4});
        QCOMPARE(folders[0], std::string("/named/one"));
        QCOMPARE(folders[1], std::string("/named/two"));
        QCOMPARE(folders[2], QFileInfo("/proc/self/exe").canonicalPath().toStdString());
    }

    void aModuleThatDoesNotLoadSaysWhy()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("pipewright-broken.so"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is not a library");
        file.close();
        qputenv("PW_MODULE_PATH", folder.path().toLocal8Bit());
        const Result<void*> found = loadModule("pipewright-broken", "pw_broken");
        QVERIFY(!found);
        const QString text = QString::fromStdString(found.error().message);
        QVERIFY2(text.startsWith("the module pipewright-broken does not load: " + folder.path()),
                 qPrintable(text));
    }

    void aModuleThatOthersCanWriteIsNotLoaded_data()
    {
        QTest::addColumn<bool>("folderToo");
        QTest::newRow("the module") << false;
        QTest::newRow("its folder") << true;
    }
    void aModuleThatOthersCanWriteIsNotLoaded()
    {
        QFETCH(bool, folderToo);
        const QTemporaryDir folder;
        const QByteArray path = folder.filePath("pipewright-open.so").toLocal8Bit();
        QFile file(QString::fromLocal8Bit(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QCOMPARE(::chmod(path.constData(), folderToo ? 0644 : 0666), 0);
        if (folderToo)
            QCOMPARE(::chmod(folder.path().toLocal8Bit().constData(), 0777), 0);
        qputenv("PW_MODULE_PATH", folder.path().toLocal8Bit());
        const Result<void*> found = loadModule("pipewright-open", "pw_open");
        QVERIFY(!found);
        const QString text = QString::fromStdString(found.error().message);
        QVERIFY2(text.contains("is not loaded: others may write to " + folder.path()),
                 qPrintable(text));
    }

    void theCpuTrains()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("zb-h1"), test::sized(2, 4), UniformCosts{});
        RunPlan plan = *test::planOf(run.schedule, run.costs);
        plan.iterations = 2;
        plan.patience = 60'000 * ticksPerMs;
        RecordingSink sink;
        const Stop stop;
        const auto backend = openBackend("cpu", 2);
        QVERIFY(backend);
        const Result<RunFigures> figures = (*backend)->run(plan, sink, stop);
        QVERIFY2(figures, figures ? "" : figures.error().message.c_str());
        QCOMPARE(sink.record().losses.size(), std::size_t{2});
        QVERIFY(figures->lastLoss < figures->firstLoss);
        QVERIFY(figures->peakActivation > 0);
    }

    void theCpuTakesNoOtherElements()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("gpipe"), test::sized(2, 2), UniformCosts{});
        RunPlan plan = *test::planOf(run.schedule, run.costs);
        plan.model.element = Element::BFloat16;
        RecordingSink sink;
        const Stop stop;
        const Result<RunFigures> figures = (*openBackend("cpu", 2))->run(plan, sink, stop);
        QVERIFY(!figures);
        QCOMPARE(figures.error().code, ErrorCode::BadValue);
    }

    void theCpuRoundsNoFactors()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("gpipe"), test::sized(2, 2), UniformCosts{});
        RunPlan plan = *test::planOf(run.schedule, run.costs);
        plan.model.tf32 = true;
        RecordingSink sink;
        const Stop stop;
        const Result<RunFigures> figures = (*openBackend("cpu", 2))->run(plan, sink, stop);
        QVERIFY(!figures);
        QCOMPARE(figures.error().message,
                 std::string("the plan asks for TF32 products, which only the backend cuda has"));
    }
};

PW_TEST(TestBackends)
#include "tst_backends.moc"
