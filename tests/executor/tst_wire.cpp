// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/pass_label.h"
#include "core/io/project_file.h"
#include "executor/api/fan_out_sink.h"
#include "executor/api/plan_settings.h"
#include "executor/api/recording_sink.h"
#include "executor/api/wire.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>

using namespace pw;
using namespace pw::exec;

namespace {

/// What a reader has heard; records of all batches in one list.
struct Heard : WireListener
{
    std::vector<WireHello> hellos;
    std::vector<WireStarted> starts;
    RecordingSink::Record record;
    std::vector<std::pair<std::int64_t, std::string>> damage;
    int passBatches = 0;

    void hello(const WireHello& hello) override { hellos.push_back(hello); }
    void started(const WireStarted& started) override
    {
        starts.push_back(started);
        record.environment = started.environment;
        ++record.starts;
    }
    void passes(std::span<const RecordedPass> batch) override
    {
        ++passBatches;
        record.passes.insert(record.passes.end(), batch.begin(), batch.end());
    }
    void messages(std::span<const RecordedMessage> batch) override
    {
        record.messages.insert(record.messages.end(), batch.begin(), batch.end());
    }
    void memory(std::span<const MemorySample> batch) override
    {
        record.memory.insert(record.memory.end(), batch.begin(), batch.end());
    }
    void copies(std::span<const RecordedCopy> batch) override
    {
        record.copies.insert(record.copies.end(), batch.begin(), batch.end());
    }
    void gpus(std::span<const GpuReading> batch) override
    {
        record.gpus.insert(record.gpus.end(), batch.begin(), batch.end());
    }
    void loss(const StepLoss& loss) override { record.losses.push_back(loss); }
    void log(const RunLog& log) override { record.logs.push_back(log); }
    void fault(const RunFault& fault) override { record.faults.push_back(fault); }
    void finished(RunStatus status, const RunFigures& figures) override
    {
        ++record.ends;
        record.status = status;
        record.figures = figures;
    }
    void broken(std::int64_t line, const std::string& reason) override
    {
        damage.emplace_back(line, reason);
    }
};

const WireHello hello{"0.1.0", "emulated", {{"GPU \"0\" \\ with\ttab", 1LL << 40}, {"", 0}}};

RunPlan planOf(const char* family, int devices, int microBatches)
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf(family), test::sized(devices, microBatches), UniformCosts{});
    const int stages = run.schedule.spec().stages();
    RunPlan plan =
        *makePlan(run.schedule, run.costs, GptModel{.layers = stages}, *evenSplit(stages, stages));
    plan.title = "A run of grüne Züge";
    plan.family = family;
    plan.warmup = 2;
    plan.iterations = 3;
    return plan;
}

/// JSON as it is easier to read in a source: single quotes stand for double ones.
QByteArray inQuotes(const char* text)
{
    return QByteArray(text).replace('\'', '"');
}

/// Times as the simulator has them, for every iteration, with every other record beside them.
void play(const RunPlan& plan, RunSink& sink)
{
    const SimResult result = *simulate(plan.schedule, plan.costs);
    sink.started(plan, {"host\n1", "emulated", "in-process", "none", "g++", hello.devices});
    for (int iteration = -plan.warmup; iteration < plan.iterations; ++iteration) {
        const Ticks base = (iteration + plan.warmup) * result.makespan;
        std::vector<RecordedPass> passes;
        std::vector<MemorySample> samples;
        for (const DeviceId device : Ids<DeviceId>(plan.schedule.devices())) {
            const RankId rank = rankOf(device);
            for (const EntryId e : plan.schedule.entries(device)) {
                const auto at = static_cast<std::size_t>(e);
                const OrderEntry entry = plan.schedule.entry(e);
                passes.push_back({iteration, rank, e, entry.pass, base + result.start[at],
                                  base + result.end[at]});
                if (entry.paired)
                    passes.push_back({iteration, rank, e, entry.partner, base + result.start[at],
                                      base + result.end[at]});
                samples.push_back(
                    {iteration, rank, base + result.start[at], {1, 2, 3, 4, 5, 6, 7, 8}});
            }
        }
        sink.passes(passes);
        std::vector<RecordedMessage> messages;
        for (std::size_t i = 0; i < plan.program.messages.size(); ++i) {
            const Message& message = plan.program.messages[i];
            messages.push_back({iteration, static_cast<std::int32_t>(i), message.from, message.to,
                                message.producer, 4096, base, base + 1, base + 2});
        }
        messages.push_back({iteration, -1, RankId(0), RankId(1),
                            Pass{PassKind::U, 0, StageId(0), 0, 0}, 5, 1, 2, 3});
        sink.messages(messages);
        sink.memory(samples);
        const std::vector<RecordedCopy> copies = {
            {iteration, RankId(0), Pass{PassKind::F, 0, StageId(1), 2, 0}, false, 4096, base + 5,
             base + 7},
            {iteration, RankId(1), Pass{PassKind::F, 1, StageId(0), 1, 3}, true, 1LL << 40,
             base + 8, base + 8}};
        sink.copies(copies);
        GpuReading reading{RankId(1), 3, 2, false, base, 1980, 2619, 512'345, 61};
        reading.slowdownsKnown = true;
        reading.slowdowns = bitOf(GpuSlowdown::PowerLimit) | bitOf(GpuSlowdown::Hardware);
        GpuReading silent{RankId(0), 0, 1, true, base};
        silent.memory = {1LL << 40, 7, 6, -5, 4, 3};
        sink.gpus(std::array{reading, silent});
        sink.loss({iteration + plan.warmup, 1.0 / (iteration + 7)});
        sink.log(
            {base, RankId(std::max(iteration, -1)), LogLevel::Warning, "über \"alles\"\\\x01\n"});
    }
    sink.fault({RankId(1), RankId(0), "PP:1F3", "rank 1 waited for rank 0"});
    sink.finished(RunStatus::Failed, {3, 10, 9, 11, 8, 0.25, 0.2, 1LL << 50, 7, 4.1, -0.0, 6, 12});
}

/// The lines of one whole run.
std::string lines(const RunPlan& plan)
{
    std::ostringstream out;
    WireSink sink(out, hello);
    play(plan, sink);
    return out.str();
}

} // namespace

class TestWire : public QObject
{
    Q_OBJECT

private slots:
    void everyRecordComesBack_data()
    {
        QTest::addColumn<QByteArray>("family");
        for (const char* family : {"1f1b", "zb-h1", "dualpipe", "chimera", "seq1f1b", "pipedream"})
            QTest::newRow(family) << QByteArray(family);
    }
    void everyRecordComesBack()
    {
        QFETCH(QByteArray, family);
        const RunPlan plan = planOf(family.constData(), 4, 8);
        std::ostringstream out;
        WireSink wire(out, hello);
        RecordingSink direct;
        FanOutSink both({&wire, &direct});
        play(plan, both);
        QVERIFY(wire.good());

        Heard heard;
        WireReader reader(heard);
        const std::string written = out.str();
        QVERIFY(reader.feed(written).has_value());
        QVERIFY(reader.end().has_value());
        QVERIFY(heard.record == direct.record());
        QCOMPARE(heard.hellos, std::vector<WireHello>{hello});
        QCOMPARE(reader.brokenLines(), 0);
        QCOMPARE(reader.unknownKinds(), 0);
        QCOMPARE(reader.lines(), std::int64_t{std::count(written.begin(), written.end(), '\n')});

        const WireStarted& started = heard.starts.at(0);
        QCOMPARE(started.title, plan.title);
        QCOMPARE(started.ranks, 4);
        QCOMPARE(started.segments, plan.schedule.spec().segments());
        QCOMPARE(started.settings, planSettings(plan));
        const Result<Project> project = readProject(started.project);
        QVERIFY(project);
        QVERIFY(*scheduleOf(*project) == plan.schedule);
        QVERIFY(costsOf(*project) == plan.costs);
    }

    void bytesMayComeInAnyPieces()
    {
        const RunPlan plan = planOf("zb-v", 2, 4);
        const std::string all = lines(plan);
        RecordingSink direct;
        play(plan, direct);
        const unsigned seed = 7;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int round = 0; round < 20; ++round) {
            Heard heard;
            WireReader reader(heard);
            const std::size_t longest = round == 0 ? 1 : 1 + random() % 3000;
            for (std::size_t at = 0; at < all.size();) {
                const std::size_t size = 1 + random() % longest;
                QVERIFY(reader.feed(std::string_view(all).substr(at, size)).has_value());
                at += size;
            }
            QVERIFY(reader.end().has_value());
            QVERIFY(heard.record == direct.record());
        }
    }

    void aBatchStaysOne()
    {
        const RunPlan plan = planOf("1f1b", 2, 4);
        Heard heard;
        WireReader reader(heard);
        QVERIFY(reader.feed(lines(plan)).has_value());
        QCOMPARE(heard.passBatches, plan.warmup + plan.iterations);
    }

    void linesAreJsonWithTheLabelOfThePass()
    {
        const RunPlan plan = planOf("dualpipe", 4, 8);
        int passes = 0, pairs = 0;
        const QByteArray all = QByteArray::fromStdString(lines(plan));
        const QList<QByteArray> split = all.split('\n');
        for (const QByteArray& line : split) {
            if (line.isEmpty())
                continue;
            QJsonParseError error;
            const QJsonObject object = QJsonDocument::fromJson(line, &error).object();
            QVERIFY2(error.error == QJsonParseError::NoError, line.constData());
            QVERIFY(!object["t"].toString().isEmpty());
            if (object["t"] != "pass")
                continue;
            ++passes;
            const OrderEntry entry = plan.schedule.entry(EntryId(object["entry"].toInt()));
            QCOMPARE(object["label"].toString().toStdString(), entryLabel(entry));
            pairs += entry.paired ? 1 : 0;
            QCOMPARE(object["step"].toInt(), object["it"].toInt() + plan.warmup);
        }
        QCOMPARE(passes, static_cast<int>(plan.schedule.passCount()) * 5);
        QVERIFY(pairs > 0);
    }

    void stepsOfAnAsynchronousRunCountOn()
    {
        const RunPlan plan = planOf("pipedream", 2, 4);
        const std::string all = lines(plan);
        // Its updates are one a micro-batch: the first of the second counted iteration is of
        // micro-batch 0, after three iterations of as many steps as the spec has.
        const int step = 3 * plan.schedule.spec().steps;
        const std::string update =
            "\"label\":\"PP:0U0\",\"it\":1,\"step\":" + std::to_string(step) + ",";
        QVERIFY(all.find(update) != std::string::npos);
    }

    void numbersThatAreNotFiniteComeBack()
    {
        std::ostringstream out;
        WireSink sink(out, hello);
        sink.loss({0, std::numeric_limits<double>::quiet_NaN()});
        sink.loss({1, std::numeric_limits<double>::infinity()});
        sink.loss({2, -std::numeric_limits<double>::infinity()});
        sink.loss({3, std::numeric_limits<double>::denorm_min()});
        Heard heard;
        WireReader reader(heard);
        QVERIFY(reader.feed(out.str()).has_value());
        QCOMPARE(heard.record.losses.size(), std::size_t{4});
        QVERIFY(std::isnan(heard.record.losses[0].loss));
        QCOMPARE(heard.record.losses[1].loss, std::numeric_limits<double>::infinity());
        QCOMPARE(heard.record.losses[2].loss, -std::numeric_limits<double>::infinity());
        QVERIFY(heard.record.losses[3].loss == std::numeric_limits<double>::denorm_min());
    }

    void textThatIsNotUtf8IsMended()
    {
        std::ostringstream out;
        WireSink sink(out, hello);
        sink.log({0, RankId::none(), LogLevel::Info, "a\xff\xc3(\xed\xa0\x80 \xf0\x9f\x9a\x82"});
        Heard heard;
        WireReader reader(heard);
        QVERIFY(reader.feed(out.str()).has_value());
        QCOMPARE(reader.brokenLines(), 0);
        QCOMPARE(heard.record.logs.at(0).text,
                 std::string("a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                             "\xf0\x9f\x9a\x82"));
    }

    void aBrokenLineIsNumberedAndLeftOut_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("no JSON") << QByteArray("Welcome to node 7!") << QByteArray("not JSON: ");
        QTest::newRow("cut off") << inQuotes("{'t':'loss','step':1,'lo")
                                 << QByteArray("not JSON: ");
        QTest::newRow("a list") << QByteArray("[1]") << QByteArray("no JSON object");
        QTest::newRow("no kind") << QByteArray("{}") << QByteArray("t is missing");
        QTest::newRow("a missing field")
            << inQuotes("{'t':'loss','step':1}") << QByteArray("loss is missing");
        QTest::newRow("a wrong type") << inQuotes("{'t':'loss','step':'1','loss':1}")
                                      << QByteArray("step is not a whole number in its range");
        QTest::newRow("out of range") << inQuotes("{'t':'loss','step':2147483648,'loss':1}")
                                      << QByteArray("step is not a whole number in its range");
        QTest::newRow("an unknown kind of pass")
            << inQuotes(
                   "{'t':'pass','it':0,'rank':0,'kind':'Q','stage':0,'mb':0,'start':0,'end':1}")
            << QByteArray("kind is none of its words");
        QTest::newRow("time backwards")
            << inQuotes(
                   "{'t':'pass','it':0,'rank':0,'kind':'F','stage':0,'mb':0,'start':2,'end':1}")
            << QByteArray("end is before start");
        QTest::newRow("few sizes")
            << inQuotes("{'t':'memory','it':0,'rank':0,'time':1,'bytes':[1,2]}")
            << QByteArray("bytes is not a list of eight sizes");
        QTest::newRow("a zero byte")
            << QByteArray("{\0}", 3) << QByteArray("not JSON: holds a zero byte");
        QTest::newRow("no UTF-8") << QByteArray("{\"t\":\"log\",\"text\":\"\xff\"}")
                                  << QByteArray("not JSON: ");
        // A parser once read on behind it.
        QTest::newRow("a character that is cut off")
            << QByteArray("{\"e2147483648\xf4") << QByteArray("not JSON: ");
        QTest::newRow("deep") << QByteArray(100'000, '[') << QByteArray("not JSON: ");
        QTest::newRow("350 zeros behind the point")
            << QByteArray("{\"t\":0.") + QByteArray(350, '0') + "1}" << QByteArray("t is not text");
        QTest::newRow("a time with 350 zeros")
            << "{\"t\":\"pass\",\"it\":0,\"rank\":0,\"kind\":\"F\",\"stage\":0,\"mb\":0,"
               "\"start\":0." +
                   QByteArray(350, '0') + "1,\"end\":1}"
            << QByteArray("start is not a whole number in its range");
        QTest::newRow("a loss beyond the largest double")
            << QByteArray("{\"t\":\"loss\",\"step\":0,\"loss\":1e309}")
            << QByteArray("not JSON: Number too big");
        QTest::newRow("hello again")
            << inQuotes("{'t':'hello','protocol':1}") << QByteArray("a second \"hello\"");
    }
    void aBrokenLineIsNumberedAndLeftOut()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, reason);
        std::ostringstream out;
        WireSink sink(out, hello);
        sink.loss({0, 1});
        out << line.toStdString() << "\n";
        sink.loss({1, 2});
        Heard heard;
        WireReader reader(heard);
        QVERIFY(reader.feed(out.str()).has_value());
        QCOMPARE(heard.record.losses, (std::vector<StepLoss>{{0, 1}, {1, 2}}));
        QCOMPARE(heard.damage.size(), std::size_t{1});
        QCOMPARE(heard.damage[0].first, 3);
        QVERIFY2(heard.damage[0].second.rfind(reason.toStdString(), 0) == 0,
                 heard.damage[0].second.c_str());
        QCOMPARE(reader.brokenLines(), 1);
    }

    void linesBeforeHelloDoNoHarm()
    {
        std::ostringstream out;
        out << "Last login: Friday\n"
            << inQuotes("{'t':'loss','step':0,'loss':1}").constData() << "\n\r\n";
        WireSink sink(out, hello);
        sink.loss({1, 2});
        Heard heard;
        WireReader reader(heard);
        QVERIFY(reader.feed(out.str()).has_value());
        QCOMPARE(heard.record.losses, (std::vector<StepLoss>{{1, 2}}));
        QCOMPARE(heard.damage.size(), std::size_t{2});
        QCOMPARE(heard.damage[1],
                 (std::pair<std::int64_t, std::string>(2, "\"loss\" before \"hello\"")));
    }

    void aLongLineIsLeftOutAndReadingGoesOn()
    {
        std::ostringstream out;
        WireSink sink(out, {});
        sink.log({0, RankId::none(), LogLevel::Info, std::string(500, 'x')});
        sink.loss({0, 1});
        for (const std::size_t piece : {std::size_t{7}, std::size_t{10'000}}) {
            Heard heard;
            WireReader reader(heard, 200);
            const std::string all = out.str();
            for (std::size_t at = 0; at < all.size(); at += piece)
                QVERIFY(reader.feed(std::string_view(all).substr(at, piece)).has_value());
            QCOMPARE(heard.damage.size(), std::size_t{1});
            QCOMPARE(heard.damage[0].second, std::string("longer than 200 bytes"));
            QCOMPARE(heard.record.losses.size(), std::size_t{1});
        }
    }

    void whatALaterProgramAddsIsPassedOver()
    {
        Heard heard;
        WireReader reader(heard);
        QVERIFY(reader
                    .feed("{\"t\":\"hello\",\"protocol\":1,\"mood\":{\"a\":[1,2]}}\n"
                          "{\"t\":\"weather\",\"sun\":true}\n"
                          "{\"loss\":1.5,\"sigma\":2,\"step\":4,\"t\":\"loss\"}\n")
                    .has_value());
        QCOMPARE(reader.unknownKinds(), 1);
        QCOMPARE(reader.brokenLines(), 0);
        QCOMPARE(heard.record.losses, (std::vector<StepLoss>{{4, 1.5}}));
    }

    void anotherProtocolIsRefused()
    {
        Heard heard;
        WireReader reader(heard);
        const Result<void> fed =
            reader.feed("{\"t\":\"hello\",\"protocol\":2,\"program\":\"9.1\"}\n"
                        "{\"t\":\"loss\",\"step\":0,\"loss\":1}\n");
        QVERIFY(!fed);
        QCOMPARE(fed.error().code, ErrorCode::Version);
        QCOMPARE(
            fed.error().message,
            std::string("the executor is Pipewright 9.1 and speaks wire protocol 2; this program "
                        "knows protocol 1: use the same version of Pipewright at both ends"));
        QVERIFY(heard.record.losses.empty());
        QVERIFY(reader.feed("x\n").error() == fed.error());
        QVERIFY(reader.end().error() == fed.error());
    }

    void aStreamThatEndsEarlyIsAFault()
    {
        const std::string all = lines(planOf("1f1b", 2, 2));
        Heard nothing;
        WireReader silent(nothing);
        QCOMPARE(silent.end().error().code, ErrorCode::Fault);

        // Everything but the last line's end: the line is whole.
        Heard whole;
        WireReader reader(whole);
        QVERIFY(reader.feed(std::string_view(all).substr(0, all.size() - 1)).has_value());
        QVERIFY(reader.end().has_value());
        QCOMPARE(whole.record.ends, 1);

        Heard cut;
        WireReader lost(cut);
        QVERIFY(lost.feed(std::string_view(all).substr(0, all.size() - 2)).has_value());
        QCOMPARE(lost.end().error().message, std::string("the executor ended before its run did"));
        QCOMPARE(lost.brokenLines(), 1);
    }

    void aReaderThatHasGoneIsNoticed()
    {
        std::ostringstream out;
        WireSink sink(out, hello);
        QVERIFY(sink.good());
        out.setstate(std::ios::badbit);
        sink.loss({0, 1});
        QVERIFY(!sink.good());
    }
};

PW_TEST(TestWire)
#include "tst_wire.moc"
