// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/store/run_store.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/import_hand.h"
#include "tests/support/places.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/run/connection.h"
#include "ui/runs/run_history.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/commands.h"
#include "ui/window/importing.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QPixmapCache>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <malloc.h>
#include <unistd.h>
#include <vector>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr int soakPatience = 60'000;

/// Qt Test ends a test after five minutes unless it is told before it begins.
[[maybe_unused]] const bool hasTime =
    std::getenv("PW_SOAK") == nullptr || ::setenv("QTEST_FUNCTION_TIMEOUT", "86400000", 1) == 0;

/// Bytes that the program holds, without what was freed and not given back.
qint64 bytesHeld()
{
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<qint64>(info.uordblks) + static_cast<qint64>(info.hblkhd);
}

qint64 median(std::vector<qint64> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Bytes by which what the last \p third of the rounds held is more than what the third before did.
qint64 growth(const std::vector<qint64>& held, std::ptrdiff_t third)
{
    const auto last = held.end() - third;
    return median({last, held.end()}) - median({last - third, last});
}

/// What is open, by what it leads to. Without what wakes threads up: a pool starts its threads when
/// there is work for one more, which on a busy machine may be late.
QStringList openFiles()
{
    QStringList all;
    const QFileInfoList files = QDir(QStringLiteral("/proc/self/fd")).entryInfoList(QDir::Files);
    for (const QFileInfo& file : files) {
        const QString target = QFile::symLinkTarget(file.filePath());
        if (!target.endsWith(QLatin1String("[eventfd]")))
            all << target;
    }
    all.sort();
    return all;
}

} // namespace

/// A day at the studio in a short time: what is opened, edited, run, imported and closed leaves
/// nothing behind. PW_SOAK=2000 makes it eight hours' worth; a short form runs with the tests.
class TestSoak : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::useStudioHome(m_home, "soak");
        // What the style paints ahead: Qt limits it to 10 MB, which would hide what grows.
        QPixmapCache::setCacheLimit(0);
        QSettings().setValue(QStringLiteral("run/backend"), QStringLiteral("emulated"));
        QSettings().setValue(QStringLiteral("run/iterations"), 1);
        QSettings().setValue(QStringLiteral("run/warmup"), 0);
        Connections connections;
        const Result<void> added = connections.setOthers(
            {{QStringLiteral("built"), QStringLiteral("\"%1\"").arg(QStringLiteral(PW_PROGRAM))}});
        QVERIFY(added);
        connections.setCurrentIndex(1);
        FamilyOptions options;
        options.devices = 4;
        options.microBatches = 8;
        const Project project = projectOf("zb-h1", options, UniformCosts{});
        m_project = m_home.filePath(QStringLiteral("soak.pipewright.json"));
        QFile file(m_project);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(*writeProject(project)));
        file.close();
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
        for (const test::TraceText& text :
             test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto, 2)) {
            m_traces << m_home.filePath(QString::fromStdString(text.name));
            test::writeTrace(m_traces.last().toStdString(), text.text);
        }
    }

    void aDayAtTheStudioLeavesNothingBehind()
    {
        const int rounds = std::max(12, qEnvironmentVariableIntValue("PW_SOAK"));
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        auto* panel = window.findChild<RunsPanel*>();
        auto* history = window.findChild<RunHistory*>();
        QVERIFY(panel != nullptr && history != nullptr);
        QVERIFY2(qApp->styleSheet().isEmpty(), "Qt keeps what it says of widgets beyond their end");
        // The first third fills what is made once and kept: fonts, caches, threads. What leaks goes
        // on from the second to the last.
        std::vector<qint64> held;
        QStringList filesBefore;
        QElapsedTimer clock;
        clock.start();
        for (int round = 0; round < rounds; ++round) {
            one(window, *panel, *history);
            if (QTest::currentTestFailed())
                return;
            held.push_back(bytesHeld());
            if (round == rounds / 3)
                filesBefore = openFiles();
            if (round % std::max(1, rounds / 12) == 0)
                qInfo("round %d of %d after %lld s: %lld KiB, %d files", round, rounds,
                      static_cast<long long>(clock.elapsed() / 1000),
                      static_cast<long long>(held.back() / 1024),
                      static_cast<int>(openFiles().size()));
        }
        // What is made once may come late, a second reader of the store by its thread on a busy
        // machine: more rounds tell it from what leaks, which grows as much in every third.
        const std::ptrdiff_t third = rounds / 3;
        const qint64 allowed = (qint64{256} << 10) + qint64{128} * third;
        while (growth(held, third) >= allowed && std::ssize(held) < 3 * std::ptrdiff_t{rounds})
            for (std::ptrdiff_t more = 0; more < third; ++more) {
                one(window, *panel, *history);
                if (QTest::currentTestFailed())
                    return;
                held.push_back(bytesHeld());
            }
        const qint64 grown = growth(held, third);
        qInfo("%d rounds in %lld s: %lld KiB held, %.0f bytes a round",
              static_cast<int>(held.size()), static_cast<long long>(clock.elapsed() / 1000),
              static_cast<long long>(held.back() / 1024),
              static_cast<double>(grown) / static_cast<double>(third));
        // A thread that reads the store may still have it open, and wait there as long as a store's
        // patience is (5 s); what leaks stays open.
        QTRY_VERIFY2_WITH_TIMEOUT(
            openFiles().size() <= filesBefore.size() + 2,
            qPrintable(QStringLiteral("first %1, now %2")
                           .arg(filesBefore.join(' '), openFiles().join(' '))),
            soakPatience);
        QVERIFY2(grown < allowed, qPrintable(QString::number(grown)));
        test::closeQuietly(window);
    }

private:
    /// Open, edit, undo, run, look at the run, import, keep, close, and delete what was kept.
    void one(MainWindow& window, RunsPanel& panel, RunHistory& history)
    {
        QVERIFY(window.open(m_project));
        QTRY_VERIFY_WITH_TIMEOUT(window.schedulePage() != nullptr, soakPatience);
        SchedulePage& page = *window.schedulePage();
        ScheduleDocument& document = page.document();
        Project changed = document.project();
        changed.notes = "edited";
        QVERIFY(document.change(changed, QStringLiteral("notes")));
        document.undoStack().undo();
        document.undoStack().redo();

        QAction* const run = window.commands().action(QStringLiteral("run.run"));
        QAction* const stop = window.commands().action(QStringLiteral("run.stop"));
        QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled() && !stop->isEnabled(), soakPatience);
        const std::size_t kept = keptRuns();
        run->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(keptRuns() > kept && !stop->isEnabled(), soakPatience);

        importTraces(window, m_traces);
        ImportDialog* dialog = test::readDialog(window);
        QVERIFY(dialog != nullptr);
        test::press(test::button(*dialog, "keep"));
        QTRY_VERIFY_WITH_TIMEOUT(keptRuns() > kept + 1, soakPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<ImportDialog*>() == nullptr, soakPatience);

        const RunNumber newest = *RunStore::openToRead(store())->lastRun();
        Q_EMIT panel.openAsked(newest);
        QTRY_VERIFY_WITH_TIMEOUT(qobject_cast<RunPage*>(window.page()) != nullptr, soakPatience);
        for (Page* one : window.pages()) {
            if (one->undoStack() != nullptr)
                one->undoStack()->setClean();
            QVERIFY(window.closePage(one));
        }
        QTRY_VERIFY_WITH_TIMEOUT(window.pages().empty(), soakPatience);
        {
            Result<RunStore> all = RunStore::open(store());
            QVERIFY(all);
            const std::vector<StoredRun> runs = *all->runs();
            for (const StoredRun& one : runs)
                QVERIFY(all->remove(one.number));
        }
        history.refresh();
        QTRY_VERIFY2_WITH_TIMEOUT(history.runs().empty(), qPrintable(history.problem()),
                                  soakPatience);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    std::string store() const
    {
        return m_home.filePath(QStringLiteral("runs.sqlite")).toStdString();
    }

    std::size_t keptRuns() const
    {
        Result<RunStore> all = RunStore::openToRead(store());
        if (!all)
            return 0;
        std::size_t ended = 0;
        const std::vector<StoredRun> runs = all->runs().value_or(std::vector<StoredRun>());
        for (const StoredRun& one : runs)
            ended += one.status == RunStatus::Finished ? 1 : 0;
        return ended;
    }

    QTemporaryDir m_home;
    QString m_project;
    QStringList m_traces;
};

PW_WINDOW_TEST(TestSoak)
#include "tst_soak.moc"
