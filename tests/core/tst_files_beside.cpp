// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "tests/support/job_traces.h"
#include "tests/support/kineto_job.h"
#include "tests/support/test_program.h"
#include "tests/support/unlabelled_traces.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace pw;

namespace {

void writeText(const std::string& path, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())))
        qFatal("%s cannot be written", path.c_str());
}

using Maker = void (*)(const std::string& folder);

/// A job of four stages and three replicas, with kernels, launches, groups and operations.
void kinetoJob(const std::string& folder)
{
    test::writeKinetoJob(folder, {}, 2);
}

/// What a file says of passes is links of operators.
void unlabelled(const std::string& folder)
{
    for (const test::TraceText& one : test::unlabelledFiles(4, 8, 3, true))
        writeText(folder + "/" + one.name, one.text);
}

/// Steps of their own times, and a file that only tells the shape.
void primus(const std::string& folder)
{
    const std::string step =
        R"({"fwd_start":[0,1,4],"fwd_end":[1,2,5],"bwd_start":[2.5,6,9],"bwd_end":[4,8,11]})";
    for (const char* rank : {"0", "1"})
        writeText(folder + "/pp_rank_" + rank + ".json",
                  R"({"1":)" + step + R"(,"2":)" + step + "}");
    writeText(folder + "/config.json", R"({"pp_size":2,"vp_size":1,"num_mbs":3})");
}

/// Traces between what is none, damaged ones, and names whose bytes differ before they are cleaned.
void mixed(const std::string& folder)
{
    test::writeKinetoJob(folder, {}, 1);
    writeText(folder + "/notes.json", R"({"no": "trace"})");
    writeText(folder + "/a.json", "[{\"ph\":\"X\",\"name\":\"PP:0F0\",\"ts\":1,\"dur\":2,\"pid\":1,"
                                  "\"tid\":1},{\"ph");
    for (const char* byte : {"\xFE", "\xFF"})
        writeText(folder + "/b" + (byte[0] == '\xFE' ? "0" : "1") + ".json",
                  std::string("[{\"ph\":\"X\",\"name\":\"n") + byte +
                      "\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]");
}

/// Logs of several nodes, whose iterations go on from file to file.
void logs(const std::string& folder)
{
    for (const char* node : {"0", "1"}) {
        std::string text;
        for (int i = 1; i < 20; ++i)
            text += " [2026-01-01 00:00:00] iteration " + std::to_string(i) +
                    "/ 20 | consumed samples: 8 | elapsed time per iteration (ms): 10" + node +
                    ".5 | lm loss: 1.5E+00 |\n";
        writeText(folder + "/node" + node + ".log", text);
    }
}

std::vector<std::string> filesIn(const std::string& folder)
{
    std::vector<std::string> files;
    for (const auto& one : std::filesystem::directory_iterator(folder))
        files.push_back(one.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

Result<Trace> readBy(int threads, const std::vector<std::string>& paths)
{
    ImportOptions options;
    options.threads = threads;
    return importTrace(paths, options);
}

void compare(const Trace& a, const Trace& b)
{
    QCOMPARE(a.origin, b.origin);
    QCOMPARE(a.base, b.base);
    QCOMPARE(a.files, b.files);
    QVERIFY(a.ranks == b.ranks);
    QVERIFY(a.tracks == b.tracks);
    QCOMPARE(a.names, b.names);
    QVERIFY(a.labels == b.labels);
    QVERIFY(a.spans == b.spans);
    QVERIFY(a.peaks == b.peaks);
    QVERIFY(a.counters == b.counters);
    QVERIFY(a.links == b.links);
    QVERIFY(a.groups == b.groups);
    QVERIFY(a.calls == b.calls);
    QVERIFY(a.sums == b.sums);
    QVERIFY(a.repairs.list == b.repairs.list);
    QCOMPARE(a.repairs.count, b.repairs.count);
    QCOMPARE(a.warnings, b.warnings);
    QCOMPARE(a.ended, b.ended);
    QCOMPARE(a.events, b.events);
    QCOMPARE(a.leftOut, b.leftOut);
    QCOMPARE(a.log.steps.size(), b.log.steps.size());
}

} // namespace

/// Files that threads read beside each other are one trace, whatever thread was first.
class TestFilesBeside : public QObject
{
    Q_OBJECT

private slots:
    void theTraceIsThatOfOneThread_data()
    {
        QTest::addColumn<Maker>("make");
        QTest::addColumn<bool>("asFolder");
        QTest::newRow("a job with its kernels") << Maker(kinetoJob) << true;
        QTest::newRow("without labels") << Maker(unlabelled) << true;
        QTest::newRow("steps and a shape") << Maker(primus) << true;
        QTest::newRow("some are none, or damaged") << Maker(mixed) << true;
        QTest::newRow("logs") << Maker(logs) << false;
    }

    void theTraceIsThatOfOneThread()
    {
        QFETCH(Maker, make);
        QFETCH(bool, asFolder);
        const QTemporaryDir folder;
        make(folder.path().toStdString());
        const std::vector<std::string> paths = asFolder ? std::vector{folder.path().toStdString()}
                                                        : filesIn(folder.path().toStdString());
        const Result<Trace> one = readBy(1, paths);
        QVERIFY2(one, one ? "" : one.error().message.c_str());
        QVERIFY(!one->spans.empty() || one->log.any());
        for (const int threads : {2, 5}) {
            const Result<Trace> several = readBy(threads, paths);
            QVERIFY2(several, several ? "" : several.error().message.c_str());
            compare(*several, *one);
        }
    }

    /// The first file that fails is the one that is told, as if they were read in turn.
    void theFirstFailureCounts()
    {
        const QTemporaryDir folder;
        kinetoJob(folder.path().toStdString());
        std::vector<std::string> paths = filesIn(folder.path().toStdString());
        paths.insert(paths.begin() + 2, folder.filePath("absent.json").toStdString());
        paths.push_back(folder.filePath("missing.json").toStdString());
        const Result<Trace> one = readBy(1, paths), several = readBy(3, paths);
        QVERIFY(!one && !several);
        QCOMPARE(several.error().code, one.error().code);
        QCOMPARE(several.error().message.english(), one.error().message.english());
        QVERIFY(one.error().message.english().find("absent.json") != std::string::npos);
    }

    /// The limits are those of all files together.
    void theBudgetIsOfAllFiles()
    {
        const QTemporaryDir folder;
        kinetoJob(folder.path().toStdString());
        ImportOptions options;
        options.budget.spans = 9000;
        std::string messages[2];
        for (const int threads : {1, 4}) {
            options.threads = threads;
            const Result<Trace> trace = importTrace({folder.path().toStdString()}, options);
            QVERIFY(!trace);
            QCOMPARE(trace.error().code, ErrorCode::TooLarge);
            messages[threads / 4] = trace.error().message.english();
        }
        QCOMPARE(messages[1], messages[0]);
    }

    /// Progress is told from the thread that imports, goes on, and can stop it.
    void progressIsToldAndStops()
    {
        const QTemporaryDir folder;
        kinetoJob(folder.path().toStdString());
        ImportOptions options;
        options.threads = 3;
        const std::thread::id here = std::this_thread::get_id();
        std::int32_t last = -1, files = 0;
        options.progress = [&](const ImportProgress& progress) {
            files = progress.files;
            const bool good = std::this_thread::get_id() == here && progress.file >= last &&
                              progress.bytesRead <= progress.bytes;
            last = progress.file;
            return good;
        };
        QVERIFY(importTrace({folder.path().toStdString()}, options));
        QCOMPARE(files, 12);
        QVERIFY(last >= 10);
        for (const int at : {0, 5}) {
            options.progress = [&](const ImportProgress& progress) { return progress.file < at; };
            const Result<Trace> stopped = importTrace({folder.path().toStdString()}, options);
            QVERIFY(!stopped);
            QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        }
    }
};

PW_TEST(TestFilesBeside)
#include "tst_files_beside.moc"
