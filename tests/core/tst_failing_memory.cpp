// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/fit.h"
#include "core/families/family.h"
#include "core/io/chrome_json.h"
#include "core/io/costs_file.h"
#include "core/io/model_file.h"
#include "core/io/project_file.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/reading/import_trace.h"
#include "core/sim/simulator.h"
#include "core/store/run_store.h"
#include "core/trace/recover.h"
#include "core/trace/rules_file.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <functional>
#include <new>

namespace {

/// Allocations of this thread until one fails; below 0 none does. Each fails from there on, as
/// where there is no memory.
thread_local long untilFailure = -1;

void* allocated(std::size_t size)
{
    if (untilFailure == 0)
        throw std::bad_alloc();
    if (untilFailure > 0)
        --untilFailure;
    if (void* memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    throw std::bad_alloc();
}

} // namespace

// For the whole program; without a count they are as usual.
void* operator new(std::size_t size)
{
    return allocated(size);
}
void* operator new[](std::size_t size)
{
    return allocated(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    try {
        return allocated(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new[](std::size_t size, const std::nothrow_t& nothing) noexcept
{
    return operator new(size, nothing);
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    std::free(memory);
}

using namespace pw;

namespace {

Schedule small()
{
    FamilyOptions options;
    options.devices = 2;
    options.microBatches = 3;
    return *buildUniform(**findFamily("1f1b"), options, UniformCosts{});
}

std::string traceText()
{
    const Schedule schedule = small();
    const Costs costs = expand(UniformCosts{}, schedule.spec());
    return writeChromeJson(schedule, costs, *simulate(schedule, costs));
}

Project smallProject()
{
    const Schedule schedule = small();
    Project project;
    project.title = "a title that is too long for a text's own memory";
    project.draft = {schedule.spec(), schedule.orders()};
    project.costs = UniformCosts{};
    return project;
}

} // namespace

class TestFailingMemory : public QObject
{
    Q_OBJECT

private slots:
    void whereverMemoryEndsWorkEndsToo_data();
    void whereverMemoryEndsWorkEndsToo();
};

using Work = std::function<bool()>;
Q_DECLARE_METATYPE(Work)

void TestFailingMemory::whereverMemoryEndsWorkEndsToo_data()
{
    QTest::addColumn<Work>("work");
    const std::string trace = traceText();
    const std::string project = *writeProject(smallProject());
    const std::string text = writeScheduleText(small());
    const std::string csv = *writeTorchCsv(small(), TorchForm::ComputeOnly);
    const std::string model = modelText(*loadModel("gpt-22b"));
    const auto costs = [trace] {
        const Result<Trace> read = importTraceText(trace, "one.json");
        return read ? fitTrace(*read, recover(*read)) : fail(read.error());
    };
    const std::string costsText = writeCosts(costs()->file);
    const std::string rules = R"({"pipewright_rules": 1, "rules": ["{kind}_mb{micro-batch}"]})";
    const auto row = [](const char* name, const Work& work) { QTest::newRow(name) << work; };
    row("project", [project] { return readProject(project).has_value(); });
    row("text", [text] { return readScheduleText(text).has_value(); });
    row("PyTorch CSV", [csv] { return readTorchCsv(csv).has_value(); });
    row("model", [model] { return parseModel(model).has_value(); });
    row("costs", [costsText] { return readCosts(costsText).has_value(); });
    row("rules", [rules] { return readNameRules(rules).has_value(); });
    row("trace", [trace] { return importTraceText(trace, "one.json").has_value(); });
    row("costs of a trace", [costs] { return costs().has_value(); });
    row("project, written", [made = smallProject()] { return writeProject(made).has_value(); });
}

/// The n-th allocation fails, and all behind it, for every n at first and then for growing ones, up
/// to one that no work needs:
/// an exception for lack of memory comes out, or an error; nothing else, and nothing is lost.
void TestFailingMemory::whereverMemoryEndsWorkEndsToo()
{
    QFETCH(Work, work);
    QVERIFY(work());
    long failures = 0;
    bool done = false;
    for (long n = 0; !done; n += 1 + n / 100) {
        QVERIFY2(n < 1'000'000, "it never comes to its end");
        bool good = false;
        bool thrown = false;
        untilFailure = n;
        try {
            good = work();
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        done = untilFailure > 0;
        untilFailure = -1;
        failures += good ? 0 : 1;
        QVERIFY(!done || (good && !thrown));
    }
    QVERIFY2(failures > 5, qPrintable(QString::number(failures)));
    QVERIFY(work());
}

PW_TEST(TestFailingMemory)
#include "tst_failing_memory.moc"
