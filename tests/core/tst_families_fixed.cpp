// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

FamilyOptions optionsOf(int p, int m, Parameters parameters = {})
{
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    options.parameters = std::move(parameters);
    return options;
}

/// Equal stages with times in milliseconds of a full device share.
UniformCosts times(double forward, double backward, double weight, double hop = 0)
{
    UniformCosts uniform;
    uniform.forward = ticksFromMs(forward);
    uniform.backward = ticksFromMs(backward);
    uniform.weight = ticksFromMs(weight);
    uniform.hop = ticksFromMs(hop);
    return uniform;
}

/// What the simulator says of a family, in milliseconds and micro-batches.
struct Figures
{
    double span = 0; ///< span bubble
    double wall = 0; ///< wall bubble
    double peak = 0;
    std::vector<double> peaks; ///< by device
};

Figures figuresOf(std::string_view id, const FamilyOptions& options, const UniformCosts& uniform)
{
    Figures figures;
    const auto schedule = buildUniform(**findFamily(id), options, uniform);
    if (!schedule) {
        QTest::qFail(schedule.error().message.c_str(), __FILE__, __LINE__);
        return figures;
    }
    const auto result = simulate(*schedule, expand(uniform, schedule->spec()));
    if (!result) {
        QTest::qFail(result.error().message.c_str(), __FILE__, __LINE__);
        return figures;
    }
    figures.span = msFromTicks(spanBubble(*result).idle);
    figures.wall = msFromTicks(wallBubble(*result).idle);
    figures.peak = peakMicroBatches(*result);
    for (const DeviceResult& device : result->devices)
        figures.peaks.push_back(microBatchesFromShare(device.peakShare));
    return figures;
}

bool near(double a, double b)
{
    return std::abs(a - b) < 1e-4;
}

Parameters parametersOf(const QString& text)
{
    Parameters parameters;
    for (const QString& item : text.split(' ', Qt::SkipEmptyParts)) {
        const QStringList sides = item.split('=');
        parameters.emplace_back(sides[0].toStdString(), sides[1].toDouble());
    }
    return parameters;
}

} // namespace

/// Bubbles, peaks and refusals of the fixed families, against published formulas and tables.
class TestFamiliesFixed : public QObject
{
    Q_OBJECT

private slots:
    void theAcceptanceTableIsMet_data();
    void theAcceptanceTableIsMet();
    void bubblesAndPeaksFollowTheFormulas();
    void peaksFallWithTheDevice();
    void interleavingPaysForCommunicationOnceARound();
    void largeGroupsHideCommunication();
    void anUnevenLastGroupIsAllowedFromPOn();
    void theClosedFormOfInterleavingGivesThePublishedBubbles_data();
    void theClosedFormOfInterleavingGivesThePublishedBubbles();
    void oneFOneBGivesThePublishedBubbles_data();
    void oneFOneBGivesThePublishedBubbles();
    void groupsHideCommunicationAsTabled_data();
    void groupsHideCommunicationAsTabled();
    void offloadTableBubblesHold();
    void recomputationHidesInGPipe();
    void refusalsNameWhatIsWrong_data();
    void refusalsNameWhatIsWrong();
    void everyNumberOfMicroBatchesHasAGroup();
    void blocksAreRefusedWhereTheScheduleIs();
};

void TestFamiliesFixed::theAcceptanceTableIsMet_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<double>("small"); // span bubble at p 4, m 8
    QTest::addColumn<double>("smallWall");
    QTest::addColumn<double>("smallPeak");
    QTest::addColumn<double>("large"); // at p 8, m 32
    QTest::addColumn<double>("largeWall");
    QTest::addColumn<double>("largePeak");
    const double unknown = -1;
    const auto row = [](const char* name, const char* id, const char* parameters, double small,
                        double smallWall, double smallPeak, double large, double largeWall,
                        double largePeak) {
        QTest::newRow(name) << id << parameters << small << smallWall << smallPeak << large
                            << largeWall << largePeak;
    };
    row("GPipe", "gpipe", "", 18, 18, 8, 42, 42, 32);
    row("1F1B", "1f1b", "", 18, 18, 4, 42, 42, 8);
    row("kFkB of 2", "kfkb", "group=2", 18, 18, 8, 42, 42, 16);
    row("interleaved", "interleaved-1f1b", "chunks=2", 9, 9, 5.5, 21, 21, 11.5);
    row("breadth-first", "breadth-first", "chunks=2", 9, 9, 8, 21, 21, 32);
    row("GIS", "gis", "chunks=2", 6, 6, 4, 14, 14, 8);
    row("GIS delayed", "gis", "chunks=2 delay-weight=1", 3, 3, 4, 7, 7, 8);
    row("Seq1F1B of 2", "seq1f1b", "segments=2", 9, 9, 2.5, 21, 21, 4.5);
    row("Seq1F1B of 4", "seq1f1b", "segments=4", 4.5, 4.5, 1.75, 10.5, 10.5, 2.75);
    row("Seq1F1B of 4 split", "seq1f1b-zb", "segments=4", 1.5, unknown, 1.75, 3.5, unknown, 2.75);
    row("Seq1F1B-I", "seq1f1b-interleaved", "segments=4 chunks=2", unknown, 2.25, 1.75, unknown,
        5.25, 3.25);
}

void TestFamiliesFixed::theAcceptanceTableIsMet()
{
    QFETCH(QString, id);
    QFETCH(QString, parameters);
    QFETCH(double, small);
    QFETCH(double, smallWall);
    QFETCH(double, smallPeak);
    QFETCH(double, large);
    QFETCH(double, largeWall);
    QFETCH(double, largePeak);
    const auto compare = [&](int p, int m, double span, double wall, double peak) {
        const Figures got =
            figuresOf(id.toStdString(), optionsOf(p, m, parametersOf(parameters)), times(2, 2, 2));
        if (span >= 0)
            QCOMPARE(got.span, span);
        if (wall >= 0)
            QCOMPARE(got.wall, wall);
        QCOMPARE(got.peak, peak);
    };
    compare(4, 8, small, smallWall, smallPeak);
    compare(8, 32, large, largeWall, largePeak);
}

/// The formulas are written out here again, apart from the closed forms of the families.
void TestFamiliesFixed::bubblesAndPeaksFollowTheFormulas()
{
    const double f = 10;
    const double b = 12;
    const double w = 8;
    const UniformCosts uniform = times(f, b, w);
    for (int p = 2; p <= 32; p += p < 8 ? 1 : 8) {
        for (const int m : {p, 2 * p, 3 * p}) {
            const Figures gpipe = figuresOf("gpipe", optionsOf(p, m), uniform);
            QCOMPARE(gpipe.span, (p - 1) * (f + b + w));
            QCOMPARE(gpipe.peak, m);
            const Figures plain = figuresOf("1f1b", optionsOf(p, m), uniform);
            QCOMPARE(plain.span, (p - 1) * (f + b + w));
            QCOMPARE(plain.peak, p);
            const Figures grouped = figuresOf("kfkb", optionsOf(p, m, {{"group", 3}}), uniform);
            QCOMPARE(grouped.span, (p - 1) * (f + b + w));
            QCOMPARE(grouped.peak, std::min(3 * p, m));
            for (const int v : {2, 4}) {
                const Parameters chunks = {{"chunks", v}};
                const Figures looped =
                    figuresOf("interleaved-1f1b", optionsOf(p, m, chunks), uniform);
                QVERIFY(near(looped.span, (p - 1) * (f + b + w) / v));
                QVERIFY(near(looped.peak, m == p ? p : p + (p - 1.0) / v));
                const Figures breadth =
                    figuresOf("breadth-first", optionsOf(p, m, chunks), uniform);
                QVERIFY(near(breadth.span, (p - 1) * (f + b + w) / v));
                QCOMPARE(breadth.peak, m);
                const Figures gis = figuresOf("gis", optionsOf(p, m, chunks), uniform);
                QVERIFY(near(gis.span, (p - 1) * (f + b) / v));
                QCOMPARE(gis.peak, p);
                const Figures delayed = figuresOf(
                    "gis", optionsOf(p, m, {{"chunks", v}, {"delay-weight", 1}}), uniform);
                QVERIFY(near(delayed.span, (p - 1) * (f + b - w) / v));
                QCOMPARE(delayed.peak, p);
                if (p % 2 != 0)
                    continue;
                const Figures half =
                    figuresOf("gis", optionsOf(p, m, {{"chunks", v}, {"group", p / 2}}), uniform);
                QVERIFY(near(half.span, ((p - 1) * (f + b) + p / 2 * (v - 1) * (f + b - w)) / v));
                QVERIFY(near(half.peak, p * (v + 1) / (2.0 * v)));
            }
            for (const int k : {2, 4}) {
                const Parameters segments = {{"segments", k}};
                const Figures cut = figuresOf("seq1f1b", optionsOf(p, m, segments), uniform);
                QVERIFY(near(cut.span, (p - 1) * (f + b + w) / k));
                QVERIFY(near(cut.peak, (p + k - 1.0) / k));
                const Figures split = figuresOf("seq1f1b-zb", optionsOf(p, m, segments), uniform);
                QVERIFY(near(split.span, (p - 1) * (f + b - w) / k));
                QVERIFY(near(split.peak, (p + k - 1.0) / k));
                if (p % k != 0 || m == p)
                    continue;
                const Figures both =
                    figuresOf("seq1f1b-interleaved",
                              optionsOf(p, m, {{"segments", k}, {"chunks", 2}}), uniform);
                QVERIFY(near(both.span, (p - 1) * (f + b + w) / (2 * k)));
                QVERIFY(near(both.peak, (3.0 * p + k - 2) / (2 * k)));
            }
        }
    }
}

void TestFamiliesFixed::peaksFallWithTheDevice()
{
    const UniformCosts uniform = times(1, 1, 1);
    for (const int p : {2, 4, 8}) {
        const int m = 4 * p;
        const int v = 3;
        const int k = 2;
        const Figures plain = figuresOf("1f1b", optionsOf(p, m), uniform);
        const Figures eager = figuresOf("1f1b", optionsOf(p, m, {{"eager", 1}}), uniform);
        const Figures looped =
            figuresOf("interleaved-1f1b", optionsOf(p, m, {{"chunks", v}}), uniform);
        const Figures gis = figuresOf("gis", optionsOf(p, m, {{"chunks", v}}), uniform);
        const Figures cut = figuresOf("seq1f1b", optionsOf(p, m, {{"segments", k}}), uniform);
        for (int r = 0; r < p; ++r) {
            const auto device = static_cast<std::size_t>(r);
            QCOMPARE(plain.peaks[device], p - r);
            QCOMPARE(eager.peaks[device], 2 * (p - r) - 1);
            QVERIFY(near(looped.peaks[device], (p * v + p - 1 - 2 * r) / static_cast<double>(v)));
            QVERIFY(near(gis.peaks[device], (p * v - r) / static_cast<double>(v)));
            QVERIFY(near(cut.peaks[device], (p + k - 1 - r) / static_cast<double>(k)));
        }
    }
}

void TestFamiliesFixed::interleavingPaysForCommunicationOnceARound()
{
    for (const int p : {4, 8}) {
        for (const int v : {2, 4}) {
            for (const int m : {2 * p, 3 * p, 6 * p}) {
                const double hop = 0.25;
                const Figures got = figuresOf("interleaved-1f1b", optionsOf(p, m, {{"chunks", v}}),
                                              times(4, 4, 4, hop));
                QVERIFY(near(got.span, (p - 1) * 12.0 / v + 2 * (p * v - 1) * hop));
            }
        }
    }
}

void TestFamiliesFixed::largeGroupsHideCommunication()
{
    const double hop = 0.25;
    for (const int group : {8, 12}) {
        const Figures got =
            figuresOf("interleaved-1f1b", optionsOf(4, 24, {{"chunks", 2}, {"group", group}}),
                      times(4, 4, 4, hop));
        QVERIFY(near(got.span, 3 * 12.0 / 2 + 2 * 3 * hop));
        QVERIFY(near(got.peak, (group + 2 * 4 - 1) / 2.0));
    }
}

void TestFamiliesFixed::anUnevenLastGroupIsAllowedFromPOn()
{
    // 10 = 6 + 4: the last group fills the pipeline, so nothing is lost.
    const Figures got = figuresOf("interleaved-1f1b",
                                  optionsOf(4, 10, {{"chunks", 2}, {"group", 6}}), times(2, 2, 2));
    QCOMPARE(got.span, 9.0);
    const Figures rounds = figuresOf(
        "interleaved-1f1b", optionsOf(4, 10, {{"chunks", 2}, {"group", 5}}), times(2, 2, 2));
    QCOMPARE(rounds.span, 9.0);
}

/// Profiled times in milliseconds and published bubble rates of Zero Bubble, Tables 5 and 6.
struct PublishedRow
{
    const char* name;
    int p, m, chunks;
    double forward, backward, weight, hop;
    double oneFOneB, interleaved;
};

static constexpr PublishedRow publishedRows[] = {
    {"1.5B 24", 8, 24, 3, 18.522, 18.086, 9.337, .601, .2431, .1055},
    {"1.5B 32", 8, 32, 3, 18.513, 18.086, 9.331, .626, .1985, .0818},
    {"1.5B 64", 8, 64, 3, 18.546, 18.097, 9.321, .762, .1240, .0443},
    {"6.2B 24", 8, 24, 4, 29.718, 29.444, 19.927, .527, .2347, .0808},
    {"6.2B 32", 8, 32, 4, 29.802, 29.428, 19.530, .577, .1898, .0628},
    {"6.2B 64", 8, 64, 4, 29.935, 29.621, 19.388, .535, .1091, .0320},
    {"14.6B 48", 16, 48, 3, 11.347, 11.248, 8.132, .377, .2552, .1104},
    {"14.6B 64", 16, 64, 3, 11.307, 11.254, 8.101, .379, .2082, .0852},
    {"14.6B 128", 16, 128, 3, 11.325, 11.308, 8.109, .378, .1251, .0445},
    {"28.3B 96", 32, 96, 2, 10.419, 10.207, 7.715, .408, .2646, .1493},
    {"28.3B 128", 32, 128, 2, 10.408, 10.204, 7.703, .408, .2168, .1164},
    {"28.3B 256", 32, 256, 2, 10.402, 10.248, 7.698, .460, .1352, .0624}};

void TestFamiliesFixed::theClosedFormOfInterleavingGivesThePublishedBubbles_data()
{
    QTest::addColumn<int>("row");
    for (int i = 0; i < 12; ++i)
        QTest::newRow(publishedRows[i].name) << i;
}

void TestFamiliesFixed::theClosedFormOfInterleavingGivesThePublishedBubbles()
{
    QFETCH(int, row);
    const PublishedRow& published = publishedRows[row];
    const Family& family = **findFamily("interleaved-1f1b");
    const FamilyOptions options =
        optionsOf(published.p, published.m, {{"chunks", published.chunks}});
    ClosedFormInput input;
    input.p = published.p;
    input.m = published.m;
    input.forward = published.forward;
    input.backward = published.backward;
    input.weight = published.weight;
    input.hop = published.hop;
    input.family = &family;
    input.options = &options;
    const auto form = std::find_if(family.closedForms.begin(), family.closedForms.end(),
                                   [](const ClosedForm& f) { return f.estimate; });
    QVERIFY(form != family.closedForms.end());
    const auto bubble = form->value(input);
    QVERIFY(bubble.has_value());
    const double work = published.m * (published.forward + published.backward + published.weight);
    QCOMPARE(std::round(1e4 * *bubble / (work + *bubble)), std::round(1e4 * published.interleaved));

    // The order itself takes longer than the paper's closed form has it.
    const Figures got =
        figuresOf("interleaved-1f1b", options,
                  times(published.forward, published.backward, published.weight, published.hop));
    QVERIFY(near(got.span, *bubble + published.p * published.hop));
}

void TestFamiliesFixed::oneFOneBGivesThePublishedBubbles_data()
{
    theClosedFormOfInterleavingGivesThePublishedBubbles_data();
}

void TestFamiliesFixed::oneFOneBGivesThePublishedBubbles()
{
    QFETCH(int, row);
    const PublishedRow& published = publishedRows[row];
    const Figures got =
        figuresOf("1f1b", optionsOf(published.p, published.m),
                  times(published.forward, published.backward, published.weight, published.hop));
    const double work = published.m * (published.forward + published.backward + published.weight);
    QCOMPARE(std::round(1e4 * got.span / (work + got.span)), std::round(1e4 * published.oneFOneB));
}

void TestFamiliesFixed::groupsHideCommunicationAsTabled_data()
{
    QTest::addColumn<double>("hop");
    QTest::addColumn<QList<double>>("bubbles"); // k = 1, 2, 3, 4, 6
    QTest::newRow("a quarter") << 0.25 << QList<double>{45, 24.5, 24.5, 24.5, 24.5};
    QTest::newRow("one") << 1.0 << QList<double>{117, 35, 35, 35, 35};
    QTest::newRow("two") << 2.0 << QList<double>{213, 69, 49, 49, 49};
    QTest::newRow("three") << 3.0 << QList<double>{309, 123, 63, 63, 63};
}

void TestFamiliesFixed::groupsHideCommunicationAsTabled()
{
    QFETCH(double, hop);
    QFETCH(QList<double>, bubbles);
    const int groups[] = {1, 2, 3, 4, 6};
    for (qsizetype i = 0; i < bubbles.size(); ++i) {
        const Figures got =
            figuresOf("kfkb", optionsOf(8, 48, {{"group", groups[static_cast<std::size_t>(i)]}}),
                      times(1, 2, 0, hop));
        QCOMPARE(got.span, bubbles[i]);
    }
}

/// PipeOffload's Table 1 has chunk times; extra bubble of groups between p/2 and p at equal times.
void TestFamiliesFixed::offloadTableBubblesHold()
{
    for (const int p : {2, 4, 6, 8}) {
        for (const int v : {2, 3}) {
            for (int group = p / 2; group <= p; ++group) {
                const Figures got =
                    figuresOf("gis", optionsOf(p, 4 * group, {{"chunks", v}, {"group", group}}),
                              times(v, v, v));
                QCOMPARE(got.span, (p - 1) * 2.0 + (p - group) * (v - 1));
                QVERIFY(near(got.peak, (group * (v - 1) + p) / static_cast<double>(v)));
            }
        }
    }
}

/// An R needs no gradient, so it runs while its device waits for one.
void TestFamiliesFixed::recomputationHidesInGPipe()
{
    for (const double hop : {0.0, 1.0}) {
        const UniformCosts uniform = times(3, 4, 5, hop);
        const Figures with = figuresOf("gpipe", optionsOf(4, 8, {{"recompute", 1}}), uniform);
        const Figures without = figuresOf("gpipe", optionsOf(4, 8), uniform);
        QCOMPARE(with.span, without.span);
        // Only one micro-batch is whole at a time; the rest keep their inputs, here nothing.
        QCOMPARE(with.peak, 1.0);
        QCOMPARE(without.peak, 8.0);
    }
}

void TestFamiliesFixed::refusalsNameWhatIsWrong_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("message");
    QTest::newRow("a last group of one")
        << "interleaved-1f1b" << 9 << "group=4"
        << "micro-batches 9 leaves a last group of 1; with groups of 4 it has to be none or at "
           "least 4, group 5 does it";
    QTest::newRow("a group below the devices") << "interleaved-1f1b" << 9 << "group=3"
                                               << "group is 3; at least 4 here";
    QTest::newRow("a group below half the devices") << "gis" << 8 << "group=1"
                                                    << "group is 1; at least 2 here";
    QTest::newRow("segments that do not divide the devices")
        << "seq1f1b-interleaved" << 8 << "segments=3"
        << "segments is 3; it has to divide the 4 devices";
    QTest::newRow("micro-batches between multiples")
        << "seq1f1b-interleaved" << 6 << "segments=2"
        << "micro-batches is 6; it has to be a multiple of the 4 devices";
    QTest::newRow("no chunk") << "breadth-first" << 6 << "chunks=0"
                              << "chunks is 0; 1 or more";
    QTest::newRow("a group of none") << "kfkb" << 6 << "group=0"
                                     << "group is 0; 1 or more";
}

void TestFamiliesFixed::refusalsNameWhatIsWrong()
{
    QFETCH(QString, id);
    QFETCH(int, microBatches);
    QFETCH(QString, parameters);
    QFETCH(QString, message);
    const auto spec = specOf(**findFamily(id.toStdString()),
                             optionsOf(4, microBatches, parametersOf(parameters)));
    QVERIFY(!spec);
    QCOMPARE(spec.error().code, ErrorCode::BadValue);
    QVERIFY2(QString::fromStdString(spec.error().message).startsWith(message),
             spec.error().message.c_str());
}

void TestFamiliesFixed::everyNumberOfMicroBatchesHasAGroup()
{
    const UniformCosts uniform = times(2, 2, 2, 0);
    for (const char* id : {"interleaved-1f1b", "gis"}) {
        for (int m = 1; m <= 40; ++m)
            figuresOf(id, optionsOf(4, m), uniform);
    }
    // Two groups of 5 for 10 micro-batches, where groups of 4 would leave one of 2: as good as
    // whole groups of 4.
    const Figures five = figuresOf("interleaved-1f1b", optionsOf(4, 10), uniform);
    QCOMPARE(five.span, 9.0);
    QCOMPARE(five.peak, (5 + 2 * 4 - 1) / 2.0);
}

void TestFamiliesFixed::blocksAreRefusedWhereTheScheduleIs()
{
    const auto refusal = [](const char* id, const FamilyOptions& options) {
        const auto block = (**findFamily(id)).block(options);
        return block ? std::string() : block.error().message.english();
    };
    QVERIFY(refusal("interleaved-1f1b", optionsOf(4, 8)).empty());
    QVERIFY(!refusal("interleaved-1f1b", optionsOf(4, 9, {{"group", 4}})).empty());
    QVERIFY(!refusal("gis", optionsOf(4, 9, {{"group", 4}})).empty());
    QVERIFY(!refusal("seq1f1b-interleaved", optionsOf(4, 8, {{"segments", 3}})).empty());
    // All forwards come first there, so nothing repeats.
    QVERIFY(!refusal("seq1f1b-interleaved", optionsOf(4, 4)).empty());
    QVERIFY(!refusal("1f1b", optionsOf(4, 8, {{"overlap", 1}})).empty());
}

PW_TEST(TestFamiliesFixed)
#include "tst_families_fixed.moc"
