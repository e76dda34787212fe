// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/io/project_file.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/store/repair.h"
#include "core/store/run_store.h"
#include "core/system/files.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

using namespace pw;

namespace {

/// Files of this program end here, as on a full disk, for the life of the object.
class EndOfDisk
{
public:
    explicit EndOfDisk(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        sys::failPastLargestFile(); // as the programs do
        const rlimit shortened{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &shortened);
    }
    ~EndOfDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    EndOfDisk(const EndOfDisk&) = delete;
    EndOfDisk& operator=(const EndOfDisk&) = delete;

private:
    rlimit m_before = {};
};

} // namespace

/// The first write that fails is another one each time.
class TestFailingWrites : public QObject
{
    Q_OBJECT

private slots:
    /// A store that could not be written to its end has no damage, holds whole batches of what was
    /// written, and takes the next run.
    void aStoreIsWholeWhereverTheDiskEnds()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const NewRun begun = test::newRun(run.schedule, run.costs, "cut off", "1f1b");
        const auto writeRun = [&](const std::string& path) -> Result<void> {
            Result<RunStore> store = RunStore::open(path);
            if (!store)
                return fail(store.error());
            Result<RunWriter> writer = store->begin(begun);
            if (!writer)
                return fail(writer.error());
            for (int i = 0; i < 6; ++i)
                if (const Result<void> done = writer->append(batch); !done)
                    return done;
            return writer->finish(RunStatus::Finished, {});
        };
        int failed = 0;
        bool whole = false;
        constexpr rlim_t step = 3001; // less than a page of the store
        for (rlim_t bytes = 0; !whole; bytes += step) {
            QVERIFY(bytes < (rlim_t{4} << 20));
            const QTemporaryDir folder;
            const std::string path = folder.filePath("runs.sqlite").toStdString();
            Result<void> done;
            {
                const EndOfDisk here(bytes);
                done = writeRun(path);
            }
            whole = done.has_value();
            failed += whole ? 0 : 1;
            if (!whole)
                QVERIFY(!done.error().message.empty());
            QVERIFY2(writeRun(path), "the store takes no further run");
            const Result<StoreCheck> check = checkStore(path);
            QVERIFY(check);
            QVERIFY2(check->sound(), qPrintable(QString::number(bytes)));
            Result<RunStore> store = RunStore::openToRead(path);
            QVERIFY(store);
            const std::vector<StoredRun> runs = *store->runs();
            QVERIFY(!runs.empty() && runs.size() <= 2);
            for (const StoredRun& one : runs)
                QCOMPARE(store->passes({one.number})->passes.size() % batch.passes.size(),
                         std::size_t{0});
        }
        QVERIFY2(failed > 10, qPrintable(QString::number(failed)));
    }

    /// Whatever a schedule is converted to: the file from before, or the new one.
    void aConversionIsWholeWhereverTheDiskEnds()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("zb-h1"), test::sized(4, 16), UniformCosts{});
        Project project;
        project.draft = {run.schedule.spec(), run.schedule.orders()};
        const std::vector<std::string> contents = {
            *writeProject(project), writeScheduleText(run.schedule),
            *writeTorchCsv(run.schedule, TorchForm::ComputeOnly)};
        for (const std::string& content : contents) {
            const QTemporaryDir folder;
            const std::string path = folder.filePath("order").toStdString();
            QVERIFY(writeFile(path, "before"));
            const std::size_t step = std::max<std::size_t>(1, content.size() / 20);
            for (std::size_t bytes = 0; bytes < content.size(); bytes += step) {
                Result<void> done;
                {
                    const EndOfDisk here(bytes);
                    done = writeFile(path, content);
                }
                QVERIFY(!done);
                QCOMPARE(*readFile(path, 1 << 20), std::string("before"));
            }
            QVERIFY(writeFile(path, content));
            QCOMPARE(*readFile(path, 1 << 20), content);
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
                     QStringList{"order"});
        }
    }
};

PW_TEST(TestFailingWrites)
#include "tst_failing_writes.moc"
