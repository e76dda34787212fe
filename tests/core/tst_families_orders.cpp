// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/io/schedule_text.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace pw;
using namespace pw::test;

namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

FamilyOptions optionsOf(int p, int m, Parameters parameters)
{
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    options.parameters = std::move(parameters);
    return options;
}

Result<Schedule> built(std::string_view id, const FamilyOptions& options)
{
    return buildUniform(**findFamily(id), options, {});
}

/// How a golden file's runs are asked of one of our families.
struct Source
{
    std::string id;
    Parameters fixed = {}; ///< parameters that every run gets
    bool takesChunks = false;
    bool takesSegments = false;
    bool groupsOfRounds = false; ///< PyTorch: micro-batches in max(1, m ⁄ p) equal groups
};

/// Why a reference's order is another one; empty where it has to be ours.
std::string exception(const std::string& file, const GoldenRun& run, const GoldenOrder& order)
{
    const int p = order.devices;
    const int m = order.microBatches;
    const int group = static_cast<int>(run.parameters.number("group", p));
    const int segments = static_cast<int>(run.parameters.number("segments", 1));
    if (file == "victarry_interleave" && group > m)
        return "it counts micro-batches of a group that do not exist into the warm-up";
    if (file == "victarry_interleave" && m % group != 0 && m % group < p)
        return "it does not check the last group, which Megatron forbids to be so short";
    if (file == "sail_group_interleaved" && group < (p + 1) / 2)
        return "below half the devices it lays a grid; the rule for groups ends there";
    if (file == "sail_group_interleaved" && group == 1 && run.weight[0] == 0)
        return "with groups of one its grid depends on the costs; without W it is another one";
    if (file == "seq1f1b_orders" && run.chunks > 1 && p % segments != 0 && m > p)
        return "micro-batches straddle its groups, and its own order is a ring";
    return {};
}

FamilyOptions optionsFor(const Source& source, const GoldenRun& run, const GoldenOrder& order)
{
    FamilyOptions options = optionsOf(order.devices, order.microBatches, source.fixed);
    if (source.takesChunks)
        options.parameters.emplace_back("chunks", run.chunks);
    if (source.takesSegments)
        options.parameters.emplace_back("segments", run.parameters.number("segments", 1));
    if (source.groupsOfRounds)
        options.parameters.emplace_back(
            "group", order.microBatches / std::max(1, order.microBatches / order.devices));
    if (run.parameters.has("group"))
        options.parameters.emplace_back("group", run.parameters.number("group"));
    return options;
}

} // namespace

/// Orders of the fixed families, pass by pass.
class TestFamiliesOrders : public QObject
{
    Q_OBJECT

private slots:
    void ordersAreThoseOfThePapers_data();
    void ordersAreThoseOfThePapers();
    void gisWithHalfGroupsCountsAsThePaperPrints();
    void ordersAreThoseOfOtherSchedulers_data();
    void ordersAreThoseOfOtherSchedulers();
    void oneSegmentIsOneFOneB();
    void groupsOfOneAreOneFOneB();
    void oneGroupIsGPipeInOrder();
    void aDelayOfNothingIsTheSame();
};

void TestFamiliesOrders::ordersAreThoseOfThePapers_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<QString>("parameter");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("order");

    QTest::newRow("1F1B") << "1f1b" << 6 << "" << 0.0
                          << "d0: F0 F1 F2 F3 BW0 F4 BW1 F5 BW2 BW3 BW4 BW5\n"
                             "d1: F0 F1 F2 BW0 F3 BW1 F4 BW2 F5 BW3 BW4 BW5\n"
                             "d2: F0 F1 BW0 F2 BW1 F3 BW2 F4 BW3 F5 BW4 BW5\n"
                             "d3: F0 BW0 F1 BW1 F2 BW2 F3 BW3 F4 BW4 F5 BW5\n";
    QTest::newRow("kFkB") << "kfkb" << 6 << "group" << 2.0
                          << "d0: F0 F1 F2 F3 F4 F5 BW0 BW1 BW2 BW3 BW4 BW5\n"
                             "d1: F0 F1 F2 F3 F4 F5 BW0 BW1 BW2 BW3 BW4 BW5\n"
                             "d2: F0 F1 F2 F3 BW0 BW1 F4 F5 BW2 BW3 BW4 BW5\n"
                             "d3: F0 F1 BW0 BW1 F2 F3 BW2 BW3 F4 F5 BW4 BW5\n";
    QTest::newRow("kFkB with a short last group")
        << "kfkb" << 3 << "group" << 2.0
        << "d0: F0 F1 F2 BW0 BW1 BW2\nd1: F0 F1 F2 BW0 BW1 BW2\n"
           "d2: F0 F1 F2 BW0 BW1 BW2\nd3: F0 F1 BW0 BW1 F2 BW2\n";
    const char* warmUp = "F0.0 F1.0 F2.0 F3.0 F0.1 ";
    const QString all =
        QString(warmUp) + "F1.1 F2.1 F3.1 BW0.1 BW1.1 BW2.1 BW3.1 BW0 BW1 BW2 BW3\n";
    QTest::newRow("interleaved 1F1B")
        << "interleaved-1f1b" << 4 << "chunks" << 2.0
        << "d0: " + all + "d1: " + all + "d2: " + warmUp +
               "F1.1 F2.1 BW0.1 F3.1 BW1.1 BW2.1 BW3.1 BW0 BW1 BW2 BW3\nd3: " + warmUp +
               "BW0.1 F1.1 BW1.1 F2.1 BW2.1 F3.1 BW3.1 BW0 BW1 BW2 BW3\n";
    const char* end = "B0.0 W0.0 B1.0 W1.0 B2.0 W2.0 B3.0 W3.0\n";
    QTest::newRow("GIS") << "gis" << 4 << "chunks" << 2.0
                         << QString("d0: ") + warmUp +
                                "F1.1 F2.1 F3.1 B0.1 W0.1 B1.1 W1.1 B2.1 W2.1 B3.1 W3.1 " + end +
                                "d1: " + warmUp +
                                "F1.1 F2.1 B0.1 W0.1 F3.1 B1.1 W1.1 B2.1 W2.1 B3.1 W3.1 " + end +
                                "d2: " + warmUp +
                                "F1.1 B0.1 W0.1 F2.1 B1.1 W1.1 F3.1 B2.1 W2.1 B3.1 W3.1 " + end +
                                "d3: " + warmUp +
                                "B0.1 W0.1 F1.1 B1.1 W1.1 F2.1 B2.1 W2.1 F3.1 B3.1 W3.1 " + end;
    QTest::newRow("Seq1F1B")
        << "seq1f1b" << 3 << "segments" << 2.0
        << "d0: F0/0 F0/1 F1/0 F1/1 F2/0 BW0/1 F2/1 BW0/0 BW1/1 BW1/0 BW2/1 BW2/0\n"
           "d1: F0/0 F0/1 F1/0 F1/1 BW0/1 F2/0 BW0/0 F2/1 BW1/1 BW1/0 BW2/1 BW2/0\n"
           "d2: F0/0 F0/1 F1/0 BW0/1 F1/1 BW0/0 F2/0 BW1/1 F2/1 BW1/0 BW2/1 BW2/0\n"
           "d3: F0/0 F0/1 BW0/1 F1/0 BW0/0 F1/1 BW1/1 F2/0 BW1/0 F2/1 BW2/1 BW2/0\n";
    QTest::newRow("GPipe") << "gpipe" << 2 << "" << 0.0
                           << "d0: F0 F1 BW1 BW0\nd1: F0 F1 BW1 BW0\n"
                              "d2: F0 F1 BW1 BW0\nd3: F0 F1 BW1 BW0\n";
}

void TestFamiliesOrders::ordersAreThoseOfThePapers()
{
    QFETCH(QString, id);
    QFETCH(int, microBatches);
    QFETCH(QString, parameter);
    QFETCH(double, value);
    QFETCH(QString, order);
    Parameters parameters;
    if (!parameter.isEmpty())
        parameters.emplace_back(parameter.toStdString(), value);
    const auto schedule =
        built(id.toStdString(), optionsOf(4, microBatches, std::move(parameters)));
    QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
    const auto expected = readScheduleText(order.toStdString(), &schedule->spec());
    QVERIFY2(expected, expected ? "" : expected.error().message.c_str());
    const std::string difference = firstDifference(expected->orders, schedule->orders());
    QVERIFY2(difference.empty(), difference.c_str());
}

/// The paper's figure of groups of 2 on 4 devices prints micro-batches only, counted from 1.
void TestFamiliesOrders::gisWithHalfGroupsCountsAsThePaperPrints()
{
    const auto schedule = built("gis", optionsOf(4, 8, {{"chunks", 2}, {"group", 2}}));
    QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
    const auto numbers = [&](DeviceId device) {
        std::string text;
        for (const EntryId i : schedule->entries(device))
            text += std::to_string(schedule->entry(i).pass.microBatch + 1) + " ";
        return text;
    };
    QCOMPARE(numbers(DeviceId(0)),
             std::string("1 2 1 2 3 4 1 1 3 2 2 4 1 1 5 2 2 6 3 3 5 4 4 6 3 3 7 4 4 8 "
                         "5 5 7 6 6 8 5 5 6 6 7 7 8 8 7 7 8 8 "));
    QCOMPARE(numbers(DeviceId(3)),
             std::string("1 2 1 1 1 2 2 2 3 1 1 4 2 2 3 3 3 4 4 4 5 3 3 6 4 4 5 5 5 6 "
                         "6 6 7 5 5 8 6 6 7 7 7 8 8 8 7 7 8 8 "));
}

void TestFamiliesOrders::ordersAreThoseOfOtherSchedulers_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"torch_gpipe", "torch_1f1b", "sail_1f1b", "victarry_1f1b", "primus_1f1b",
          "victarry_1f1b_overlap", "sail_vpp", "victarry_interleave", "torch_interleaved1f1b",
          "primus_1f1b_interleaved", "victarry_1f1b_interleave_overlap", "torch_loopedbfs",
          "sail_group_interleaved", "torch_interleavedzerobubble", "sail_seq1f1b",
          "seq1f1b_orders"})
        QTest::newRow(file) << QString(file);
}

void TestFamiliesOrders::ordersAreThoseOfOtherSchedulers()
{
    QFETCH(QString, file);
    const std::map<std::string, Source> sources = {
        {"torch_gpipe", {.id = "gpipe", .fixed = {{"in-order", 1}}}},
        {"torch_1f1b", {.id = "1f1b"}},
        {"sail_1f1b", {.id = "1f1b"}},
        {"victarry_1f1b", {.id = "1f1b"}},
        {"primus_1f1b", {.id = "1f1b"}},
        {"victarry_1f1b_overlap", {.id = "1f1b", .fixed = {{"overlap", 1}}}},
        {"sail_vpp", {.id = "interleaved-1f1b", .takesChunks = true}},
        {"victarry_interleave", {.id = "interleaved-1f1b", .takesChunks = true}},
        {"torch_interleaved1f1b",
         {.id = "interleaved-1f1b", .takesChunks = true, .groupsOfRounds = true}},
        {"primus_1f1b_interleaved", {.id = "interleaved-1f1b", .takesChunks = true}},
        {"victarry_1f1b_interleave_overlap",
         {.id = "interleaved-1f1b", .fixed = {{"overlap", 1}}, .takesChunks = true}},
        {"torch_loopedbfs", {.id = "breadth-first", .takesChunks = true}},
        {"sail_group_interleaved", {.id = "gis", .takesChunks = true}},
        {"torch_interleavedzerobubble",
         {.id = "gis",
          .fixed = {{"delay-weight", 1}},
          .takesChunks = true,
          .groupsOfRounds = true}},
        {"sail_seq1f1b", {.id = "seq1f1b", .takesSegments = true}},
        {"seq1f1b_orders", {.id = "seq1f1b", .takesSegments = true}}};
    const auto golden = loadGolden(file.toStdString());
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());

    int equal = 0;
    for (const GoldenRun& run : golden->runs) {
        const GoldenOrder& order = golden->order(run);
        Source source = sources.at(file.toStdString());
        if (source.id == "seq1f1b" && run.chunks > 1) {
            source.id = "seq1f1b-interleaved";
            source.takesChunks = true;
        }
        const FamilyOptions options = optionsFor(source, run, order);
        const auto schedule = built(source.id, options);
        const std::string reason = exception(file.toStdString(), run, order);
        const std::string where = source.id + ", p " + std::to_string(order.devices) + ", m " +
                                  std::to_string(order.microBatches) + ", chunks " +
                                  std::to_string(run.chunks) + ": ";
        if (!reason.empty()) {
            QVERIFY2(!schedule || !firstDifference(order.orders, schedule->orders()).empty(),
                     (where + "no exception any more: " + reason).c_str());
            continue;
        }
        QVERIFY2(schedule, (where + (schedule ? "" : schedule.error().message)).c_str());
        const std::string difference = firstDifference(order.orders, schedule->orders());
        QVERIFY2(difference.empty(), (where + difference).c_str());
        ++equal;
    }
    QVERIFY(equal > 0);
}

void TestFamiliesOrders::oneSegmentIsOneFOneB()
{
    for (int p = 1; p <= 6; ++p) {
        for (int m = 1; m <= 8; ++m) {
            const auto plain = built("1f1b", optionsOf(p, m, {}));
            const auto cut = built("seq1f1b", optionsOf(p, m, {{"segments", 1}}));
            QVERIFY(plain && cut);
            QVERIFY(*plain == *cut);
        }
    }
}

void TestFamiliesOrders::groupsOfOneAreOneFOneB()
{
    for (int p = 1; p <= 6; ++p) {
        for (int m = 1; m <= 8; ++m) {
            const auto plain = built("1f1b", optionsOf(p, m, {}));
            const auto grouped = built("kfkb", optionsOf(p, m, {{"group", 1}}));
            QVERIFY(plain && grouped);
            QVERIFY(*plain == *grouped);
        }
    }
}

void TestFamiliesOrders::oneGroupIsGPipeInOrder()
{
    for (int p = 1; p <= 6; ++p) {
        for (int m = 1; m <= 8; ++m) {
            const auto plain = built("gpipe", optionsOf(p, m, {{"in-order", 1}}));
            const auto grouped = built("kfkb", optionsOf(p, m, {{"group", m}}));
            QVERIFY(plain && grouped);
            QVERIFY(*plain == *grouped);
        }
    }
}

/// Device 0 delays no W, so its order is that of plain GIS; every other device's is not.
void TestFamiliesOrders::aDelayOfNothingIsTheSame()
{
    const auto plain = built("gis", optionsOf(4, 8, {}));
    const auto delayed = built("gis", optionsOf(4, 8, {{"delay-weight", 1}}));
    QVERIFY(plain && delayed);
    QVERIFY(plain->orders()[0] == delayed->orders()[0]);
    for (std::size_t device = 1; device < 4; ++device)
        QVERIFY(plain->orders()[device] != delayed->orders()[device]);
}

PW_TEST(TestFamiliesOrders)
#include "tst_families_orders.moc"
