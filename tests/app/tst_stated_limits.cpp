// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "core/base/json.h"
#include "core/cost/cluster.h"
#include "core/io/project_file.h"
#include "core/model/annotation.h"
#include "core/model/longest_pass.h"
#include "core/model/routes.h"
#include "core/reading/chrome/held_ends.h"
#include "core/reading/events/whole_source.h"
#include "core/reading/import_budget.h"
#include "core/reading/perfetto/packet_stream.h"
#include "core/store/run_recorder.h"
#include "core/store/schema.h"
#include "core/store/store_query.h"
#include "core/trace/align_clocks.h"
#include "executor/api/wire.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <sstream>
#include <vector>

using namespace pw;
using namespace pw::app;

namespace {

QString fileText(const QString& path)
{
    QFile file(QStringLiteral(PW_SOURCE_DIR "/") + path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll());
}

QString pageText(const QString& page)
{
    return fileText("resources/manual/" + page).simplified();
}

/// "50,000,000", "5 million", "32 MiB", "144 s": what is counted, bytes, or as it stands.
double statedNumber(QString text)
{
    double factor = 1;
    for (const auto& [unit, size] : {std::pair{" million", 1e6},
                                     {" KiB", 1024.0},
                                     {" MiB", 1024.0 * 1024},
                                     {" GiB", 1024.0 * 1024 * 1024}})
        if (text.endsWith(QLatin1String(unit))) {
            text.chop(static_cast<int>(QLatin1String(unit).size()));
            factor = size;
        }
    bool good = false;
    const double number = text.remove(QLatin1Char(',')).toDouble(&good);
    return good ? factor * number : std::nan("");
}

/// The value that a source gives a constant: "= 150'000;", "= std::int64_t{64} << 20;", "most=450".
double sourceNumber(const QString& path, const QString& name)
{
    const QRegularExpression pattern(
        QStringLiteral(R"(\b%1 ?= ?(?:std::\w+[{(])*([\d'.]+)U?L*[})]?(?: ?<< ?(\d+))?)")
            .arg(name));
    QString text = fileText(path);
    if (path.endsWith(QLatin1String(".cpp")) || path.endsWith(QLatin1String(".h")))
        text = text.simplified();
    const auto found = pattern.match(text.replace(QLatin1String("std::chrono::"), QString())
                                         .replace(QLatin1String("milliseconds("), QString()));
    if (!found.hasMatch())
        return std::nan("");
    return found.captured(1).remove(QLatin1Char('\'')).toDouble() *
           std::exp2(found.captured(2).toInt());
}

struct StatedLimit
{
    const char* page;
    const char* phrase; ///< the number is captured
    double value;
};

std::vector<StatedLimit> limitsOfFiles()
{
    const ImportBudget budget;
    const auto number = [](auto value) { return static_cast<double>(value); };
    return {
        {"files.md", R"(drawn over the lanes\]\([^)]*\), at most ([\d,]+):)",
         number(maxAnnotations)},
        {"files.md", R"(`text` of at most ([\d,]+) bytes)", number(longestAnnotation)},
        {"studio.md", R"(project-files\): at most ([\d,]+),)", number(maxAnnotations)},
        {"studio.md", R"(with up to ([\d,]+) bytes of text)", number(longestAnnotation)},
        {"files.md", R"(A file has at most ([\d,]+ MiB))", number(maxProjectBytes)},
        {"files.md", R"(a single time is at most ([\d,]+) s)", longestPassMs / 1000},
        {"files.md", R"(at most 144 s \(([\d,]+) ns\))", number(longestPass)},
        {"import.md", R"(limits are ([\d,]+) spans)", number(budget.spans)},
        {"import.md", R"(spans, ([\d,]+) tracks)", number(budget.tracks)},
        {"import.md", R"(tracks, (\d+ GiB) of distinct names)", number(budget.nameBytes)},
        {"import.md", R"((\d+ MiB) in one text)", number(JsonStreamMemory::longestText)},
        {"import.md", R"((\d+ GiB) from a pipe)", number(budget.pipeBytes)},
        {"import.md", R"(beyond (\d+ GiB), 200 times)", number(budget.freeUnpacked)},
        {"import.md", R"(beyond 1 GiB, (\d+) times the size)", number(budget.unpacking)},
        {"import.md", R"(Clocks of more than (\d+) ranks)", number(mostClocks)},
        {"trace-sources.md", R"(a packed file \| (\d+) times its size)", number(budget.unpacking)},
        {"trace-sources.md", R"(once it is more than (\d+ GiB) unpacked)",
         number(budget.freeUnpacked)},
        {"trace-sources.md", R"(a file of Primus \| (\d+ MiB))", number(mostWholeSource)},
        {"trace-sources.md", R"(a packet of Perfetto · names of all \| (\d+ MiB))",
         number(mostPacket)},
        {"traces.md", R"(each end meanwhile \(([\d,]+) ends at most\))", number(HeldEnds::most)},
        {"traces.md", R"(lanes as events run at once, (\d+) at most)", number(mostLooseRows)},
        {"store.md", R"(has at most ([\d,]+) rows \(`--rows`)", number(QueryLimits().rows)},
        {"safety.md", R"(A run keeps (\d+ MiB) of its log)", number(RunRecorder::mostLogBytes)},
        {"safety.md", R"(and (\d+ KiB) of each line)", number(RunRecorder::longestLine)},
        {"wire.md", R"(lines of up to (\d+ MiB))", number(exec::WireReader::longestLine)},
        {"plan.md", R"(accelerators in total, up to ([\d,]+),)", number(plan::mostDevices)},
        {"training.md", R"(with at most (\d+) routes)", number(maxRoutes)},
        {"training.md", R"(2 and 3: 6\), which is at most (\d+);)", number(maxRoutes)}};
}

/// What is said where it is kept to, in a source of its own.
std::vector<StatedLimit> limitsOfSources()
{
    const QString reading = QStringLiteral("core/reading/");
    const QString formats = QStringLiteral("core/reading/formats/");
    const auto in = [](const QString& path, const char* name) {
        return sourceNumber(path, QLatin1String(name));
    };
    const double inZip = in(reading + "packing/zip_archive.cpp", "mostMembers");
    return {{"import.md", R"(orders of up to ([\d,]+) passes)",
             in("core/families/recognise.cpp", "mostSearched")},
            {"compose.md", R"(makes more than ([\d,]+) passes)",
             in("core/io/made_schedule.cpp", "manyPasses")},
            {"optimise.md", R"(For up to (\d+) passes, an exact)",
             in("core/optimise/order_exact.cpp", "mostExactNodes")},
            {"optimise.md", R"(few orders \(([\d,]+) at most\))",
             in("core/optimise/hosted_search.cpp", "mostOrders")},
            {"plan.md", R"(simulated completely \(up to ([\d,]+) passes\))",
             in("core/plan/search.cpp", "mostPasses")},
            {"run.md", R"(heads of at most (\d+)\))", in("executor/api/run_plan.h", "widestFlash")},
            {"run.md", R"(a multiple of 16 up to (\d+),)",
             in("executor/cuda/kernels.h", "widestTensorHead")},
            {"run.md", R"(of more than (\d+) iterations the report)",
             in("executor/api/sampling_sink.h", "mostIterations")},
            {"run.md", R"(waits a twentieth of a pass, at most (\d+) ms)",
             in("executor/api/hinted_order.cpp", "most")},
            {"safety.md", R"(takes (\d+ MiB) at most, whatever)",
             in("core/sqlite/question_memory.cpp", "mostMemory")},
            {"store.md", R"(kept up to its last batch \((\d+) ms\))",
             in("core/store/run_recorder.cpp", "longestHold")},
            {"troubleshooting.md", R"(at most the last (\d+) ms is there)",
             in("core/store/run_recorder.cpp", "longestHold")},
            {"store.md", R"(`--rows`; ([\d,]+) in the studio)",
             in("ui/window/query_page.h", "mostRows")},
            {"store.md", R"(with at most (\d+ MiB) per value)",
             in("core/store/store_query.cpp", "longestAnswerText")},
            {"store.md", R"(per value and (\d+ MiB) in all)",
             in("core/store/store_query.cpp", "mostAnswerBytes")},
            {"trace-sources.md", R"(At most ([\d,]+) counters)",
             in(reading + "perfetto/perfetto_counters.cpp", "mostPerfettoSeries")},
            {"trace-sources.md", R"(At most ([\d,]+) counters)",
             in(reading + "events/event_counters.cpp", "mostSeries")},
            {"trace-sources.md", R"(counters and ([\d,]+) values of a file)",
             in(reading + "events/event_counters.h", "mostSamples")},
            {"trace-sources.md", R"(a folder \| ([\d,]+) files)",
             in(reading + "import_files.cpp", "mostFiles")},
            {"trace-sources.md", R"(if there is none, ([\d,]+) others are looked into)",
             in(reading + "import_files.cpp", "mostLooked")},
            {"trace-sources.md", R"(a zip archive \| ([\d,]+) files)", inZip},
            {"trace-sources.md", R"(files, a directory of (\d+ MiB))",
             in(reading + "packing/zip_archive.cpp", "mostDirectory")},
            {"trace-sources.md", R"(OpenTelemetry · all spans \| (\d+ MiB))",
             in(reading + "chrome/json_objects.h", "longest")},
            {"trace-sources.md", R"(· all spans \| 32 MiB · (\d+ million))",
             in(formats + "megatron_spans.cpp", "mostFound")},
            {"trace-sources.md", R"(in rocprofv3 \| (\d+ million))",
             in(formats + "rocprof.cpp", "mostRecords")},
            {"trace-sources.md", R"(names of all \| 64 MiB · (\d+ MiB))",
             in(formats + "perfetto.cpp", "mostNamesOfSequences")},
            {"contributing.md", R"(more than (\d+) lines, unless)",
             in("tests/checks/file_sizes.sh", "most")},
            {"contributing.md", R"(more than (\d+) lines, counted)",
             in("tests/checks/class_sizes.py", "MOST_LINES")},
            {"contributing.md", R"(more than (\d+) private functions)",
             in("tests/checks/class_sizes.py", "MOST_PRIVATE")},
            {"contributing.md", R"(more than (\d+) lines from its first)",
             in("tests/checks/function_sizes.sh", "most")}};
}

std::vector<StatedLimit> allStatedLimits()
{
    std::vector<StatedLimit> all = limitsOfFiles();
    const std::vector<StatedLimit> more = limitsOfSources();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// Sentences that hold a number behind "at most" and its like, and are no limit of the program.
const std::vector<const char*>& noLimits()
{
    static const std::vector<const char*> all = {
        R"(the limit is 77\.65 GiB)",                              // of an example
        R"(at most 3 at once; it holds at most 8 in place of 11)", // of an example
        R"(at most 8 places ahead, and only if everything)",       // of --hint 8
        R"(720 on up to 8 )", // what was measured, from here on
        R"(do, by up to 98 %, 2 of 6 \(18\.4 B\) by up to 9 %, 7 of 37 \(39\.1 B\) by up to 15 %)",
        R"(Debian 12 on x86-64, up to 8 processes on one machine)",
        R"(error \(‖a − b‖ ⁄ ‖b‖\) of up to 1e-5 in 32 bits)",
        R"(longer by up to 1 µs|shorter by up to 1 µs)",
        R"(If .{0,60} more than 5 %, `run` measures again|by more than 5 %, `run` measures again)"};
    return all;
}

} // namespace

/// Limits that the pages state are those that the program keeps to.
class TestStatedLimits : public QObject
{
    Q_OBJECT

private slots:
    void aPageStatesWhatTheProgramKeepsTo_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("phrase");
        QTest::addColumn<double>("value");
        for (const StatedLimit& limit : allStatedLimits())
            QTest::addRow("%s %s %g", limit.page, limit.phrase, limit.value)
                << limit.page << QString::fromUtf8(limit.phrase) << limit.value;
    }
    void aPageStatesWhatTheProgramKeepsTo()
    {
        QFETCH(QString, page);
        QFETCH(QString, phrase);
        QFETCH(double, value);
        QVERIFY2(!std::isnan(value), "the source has no such constant");
        const auto found = QRegularExpression(phrase).match(pageText(page));
        QVERIFY2(found.hasMatch(), "the page does not say it so");
        QCOMPARE(statedNumber(found.captured(1)), value);
    }

    /// A new sentence with a limit is compared too, or said to be none.
    void everyStatedLimitIsCompared_data()
    {
        QTest::addColumn<QString>("page");
        for (const char* page : {"adding.md",   "alternatives.md",    "command-line.md",
                                 "compose.md",  "contributing.md",    "costs.md",
                                 "engines.md",  "files.md",           "import.md",
                                 "json.md",     "lessons.md",         "noise.md",
                                 "offload.md",  "one-pass.md",        "optimise.md",
                                 "plan.md",     "python.md",          "run.md",
                                 "safety.md",   "start.md",           "store.md",
                                 "studio.md",   "trace-sources.md",   "traces.md",
                                 "training.md", "troubleshooting.md", "wire.md"})
            QTest::newRow(page) << page;
    }
    void everyStatedLimitIsCompared()
    {
        QFETCH(QString, page);
        QString text = pageText(page);
        QVERIFY(!text.isEmpty());
        for (const StatedLimit& limit : allStatedLimits())
            if (page == QLatin1String(limit.page))
                text.replace(QRegularExpression(QString::fromUtf8(limit.phrase)), QString());
        for (const char* phrase : noLimits())
            text.replace(QRegularExpression(QString::fromUtf8(phrase)), QString());
        static const QRegularExpression limit(QStringLiteral(
            R"(.{0,50}(?:[Aa]t most|[Uu]p to|[Mm]ore than|limits? (?:is|are)) \d.{0,40}|)"
            R"(.{0,50}\d at most.{0,20})"));
        const auto left = limit.match(text);
        QVERIFY2(!left.hasMatch(), qPrintable(left.captured()));
    }

    /// The first lines of what changed say which version of each file this program writes.
    void theVersionsOfFilesAreToldAsTheyAre()
    {
        const QRegularExpression row(QStringLiteral(R"(\| 0\.1\.0 \| (\d+) \| (\d+) \| (\d+) \|)"));
        const auto found = row.match(fileText("CHANGELOG.md"));
        QVERIFY(found.hasMatch());
        QCOMPARE(found.captured(3).toInt(), storeVersion);
    }

    /// The largest time that an option takes is one that a schedule takes.
    void theLongestTimeOfAnOptionIsTaken_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* option : {"forward", "backward", "weight", "comm", "update"})
            QTest::addRow("simulate %s", option)
                << QStringLiteral("simulate zb-h1 --no-gantt --devices 2 --micro-batches 2 --%1")
                       .arg(option);
        for (const char* option : {"gather", "reduce"})
            QTest::addRow("communication %s", option)
                << QStringLiteral("communication 1f1b --sharded --devices 2 --micro-batches 2 --%1")
                       .arg(option);
        QTest::newRow("communication exchange-time") << QStringLiteral(
            "communication dualpipe --devices 2 --micro-batches 4 --exchange-time");
    }
    void theLongestTimeOfAnOptionIsTaken()
    {
        QFETCH(QString, line);
        std::vector<std::string> words;
        for (const QString& word : line.split(QLatin1Char(' ')))
            words.push_back(word.toStdString());
        const QString limit = QString::number(longestPassMs, 'f', 0);
        const auto asked = [&words](const QString& value) {
            std::vector<std::string> all = words;
            all.push_back(value.toStdString());
            std::ostringstream out, err;
            const ExitCode code = runProgram(all, out, err);
            return std::pair(code, QString::fromStdString(err.str()));
        };
        const auto taken = asked(limit);
        QVERIFY2(taken.first == ExitCode::Good, qPrintable(taken.second));
        const auto beyond = asked(limit + "1");
        QCOMPARE(beyond.first, ExitCode::Usage);
        QVERIFY2(beyond.second.contains(" 0 to " + limit + ","), qPrintable(beyond.second));
    }

    /// What no option bounds is bounded where it arises, in units that people read.
    void aPassThatBecomesTooLongIsSaidInSeconds()
    {
        std::ostringstream out, err;
        QCOMPARE(
            runProgram({"noise", "kfkb", "--adapt", "--forward", "100000", "--iterations", "1"},
                       out, err),
            ExitCode::Wrong);
        const QString said = QString::fromStdString(err.str());
        QVERIFY2(said.contains("is 200 s; it can be 0 to 144.1 s"), qPrintable(said));
    }
};

PW_TEST(TestStatedLimits)
#include "tst_stated_limits.moc"
