// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/engine_text.h"
#include "core/io/megatron_layout.h"
#include "core/io/megatron_text.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <random>

using namespace pw;

namespace {

/// Megatron's own steps, by replacing text, as slowly as it likes.
QString slowlyExpanded(QString text)
{
    text.remove(',');
    static const QRegularExpression brackets(QStringLiteral(R"(\(([^()]*)\)\*(\d+))"));
    for (auto found = brackets.match(text); found.hasMatch(); found = brackets.match(text))
        text.replace(found.capturedStart(), found.capturedLength(),
                     found.captured(1).repeated(found.captured(2).toInt()));
    static const QRegularExpression counted(QStringLiteral(R"(([EtmL|])\*(\d+))"));
    for (auto found = counted.match(text); found.hasMatch(); found = counted.match(text))
        text.replace(found.capturedStart(), found.capturedLength(),
                     found.captured(1).repeated(found.captured(2).toInt()));
    return text;
}

Schedule scheduleOf(std::string_view family, int devices, int microBatches, int chunks = 0,
                    int group = 0)
{
    FamilyOptions options = test::sized(devices, microBatches);
    if (chunks > 0)
        options.parameters.emplace_back("chunks", chunks);
    if (group > 0)
        options.parameters.emplace_back("group", group);
    return *buildUniform(**findFamily(family), options, UniformCosts{});
}

QString orderText(const std::vector<MegatronPass>& order)
{
    QString text;
    for (const MegatronPass& pass : order)
        text += QStringLiteral("%1%2.%3 ")
                    .arg(pass.forward ? 'F' : 'B')
                    .arg(pass.microBatch)
                    .arg(pass.chunk);
    return text.trimmed();
}

} // namespace

class TestEngineText : public QObject
{
    Q_OBJECT

private slots:
    void layoutsOfRealRunsExpand_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("layers");
        QTest::newRow("the documented form") << "Et*3|(tt|)*29,m|L" << 32 << 61;
        QTest::newRow("DeepSeek-V3 on H100") << "Et|(tt|)*30mL" << 32 << 61;
        QTest::newRow("DeepSeek-V3 on GB200") << "Et*4|(tttt|)*14tmL" << 16 << 61;
        QTest::newRow("Kimi K2") << "Et|(tt|)*30L" << 32 << 61;
        QTest::newRow("empty stages") << "Et|t||tttt|L" << 5 << 6;
        QTest::newRow("a bar that repeats") << "Et|*3tL" << 4 << 2;
    }

    void layoutsOfRealRunsExpand()
    {
        QFETCH(QString, layout);
        QFETCH(int, stages);
        QFETCH(int, layers);
        const Result<std::string> flat = expandMegatronLayout(layout.toStdString());
        QVERIFY(flat);
        QCOMPARE(QString::fromStdString(*flat), slowlyExpanded(layout));
        QCOMPARE(static_cast<int>(std::count(flat->begin(), flat->end(), '|')) + 1, stages);
        QCOMPARE(static_cast<int>(std::count(flat->begin(), flat->end(), 't')), layers);
        QCOMPARE(*expandMegatronLayout(compressMegatronLayout(*flat)), *flat);
    }

    void anyLayoutComesBack()
    {
        const unsigned seed = std::random_device{}();
        std::mt19937 random(seed);
        const auto below = [&random](int n) { return static_cast<int>(random() % unsigned(n)); };
        for (int round = 0; round < 500; ++round) {
            LayerSplit split(static_cast<std::size_t>(1 + below(40)));
            const int usual = below(4);
            for (StageContent& stage : split)
                stage.layers = below(3) > 0 ? usual : below(12);
            split.front().embedding = true;
            split.back().outputs = 1;
            const std::string flat = flatMegatronLayout(split);
            const std::string layout = compressMegatronLayout(flat);
            const QByteArray where = "seed " + QByteArray::number(seed) + ": " + layout.c_str();
            QVERIFY2(layout.size() <= flat.size(), where.constData());
            QVERIFY2(slowlyExpanded(QString::fromStdString(layout)).toStdString() == flat,
                     where.constData());
            QVERIFY2(expandMegatronLayout(layout) == flat, where.constData());
            QVERIFY2(parseLayout(layout) == split, where.constData());
        }
    }

    void aWrongLayoutIsRefused_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("says");
        QTest::newRow("nested") << "E((t|)*2)*3L"
                                << "bracket within a bracket";
        QTest::newRow("never closed") << "E(t|*3L"
                                      << "never closed";
        QTest::newRow("no repeat") << "E(t|)tL"
                                   << "without *n";
        QTest::newRow("blank") << "Et tL"
                               << "something else";
        QTest::newRow("too long") << "Et*99999999L"
                                  << "more than";
    }

    void aWrongLayoutIsRefused()
    {
        QFETCH(QString, layout);
        QFETCH(QString, says);
        const Result<std::string> flat = expandMegatronLayout(layout.toStdString());
        QVERIFY(!flat);
        QVERIFY2(QString::fromStdString(flat.error().message).contains(says),
                 flat.error().message.c_str());
    }

    void multiTokenLayersHaveTheirPlace()
    {
        const auto good = [](const char* layout, int ranks) {
            const Result<LayerSplit> split = parseLayout(layout);
            return split && checkMegatronLayout(*split, ranks).has_value();
        };
        QVERIFY(good("Et|tt|tt|tmL", 4));
        QVERIFY(good("Et|tt|tt|m|L", 5));
        QVERIFY(!good("Et|tt|tm|tL", 4)); // t behind m
        QVERIFY(good("Et|tt|tm|mL", 4));
        QVERIFY(good("E|(t|)*11m|m|m|L", 8));     // pull request 5329
        QVERIFY(good("E|(t|)*12mm|m|L", 8));      // its other example
        QVERIFY(good("E|(t|)*10m|m|m|LL|LL", 8)); // pull request 5318
        QVERIFY(good("Et|tm|mLL|L", 4));
        QVERIFY(!good("Et|tt|m||mL", 5));    // a stage without m between
        QVERIFY(!good("Et|tt|tm|m|m|L", 3)); // not the last chunks, and on rank 0
        QVERIFY(!good("Et|tt|m|L", 2));      // on rank 0
        QVERIFY(!good("Et|tt|ttL", 2));      // 3 stages on 2 ranks
    }

    void severalStagesNeedAPullRequest()
    {
        const auto commit = [](const char* layout) {
            return QString::fromStdString(std::string(megatronOf(*parseLayout(layout)).commit));
        };
        QCOMPARE(commit("Et|tt|m|L"), QStringLiteral("d98e8a64"));
        QCOMPARE(commit("Et|tt|m|mL"), QStringLiteral("76eb6d30"));
        QCOMPARE(commit("Et|tt|m|L|L"), QStringLiteral("3eccc206"));
    }

    void aSplitThatNoLayoutHasIsRefused_data()
    {
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("outputs");
        QTest::addColumn<QString>("says");
        QTest::newRow("before a multi-token layer")
            << 1 << 1 << "stage 1 has L before the m of stage 2";
        QTest::newRow("one too many") << 3 << 2 << "the layout has 3 L";
    }

    /// Splits made by a program, not read from a text.
    void aSplitThatNoLayoutHasIsRefused()
    {
        QFETCH(int, stage);
        QFETCH(int, outputs);
        QFETCH(QString, says);
        LayerSplit split = *parseLayout("Et|t|m|L");
        split[static_cast<std::size_t>(stage)].outputs += outputs;
        const Result<void> checked = checkMegatronLayout(split, 4);
        QVERIFY(!checked);
        QVERIFY2(QString::fromStdString(checked.error().message).contains(says),
                 checked.error().message.c_str());
    }

    /// The example in Megatron's source, and its warm-up.
    void theOrderIsMegatrons()
    {
        const std::vector<MegatronPass> order = megatronOrder(1, 2, 2, 5, 3);
        QString microBatches;
        QString chunks;
        for (const MegatronPass& pass : order) {
            if (pass.forward) {
                microBatches += QString::number(pass.microBatch);
                chunks += QString::number(pass.chunk);
            }
        }
        QCOMPARE(microBatches, "0120123434");
        QCOMPARE(chunks, "0001110011");
        QCOMPARE(orderText(order).left(30), "F0.0 F1.0 F2.0 F0.1 B0.1 F1.1 ");
        QCOMPARE(orderText(megatronOrder(0, 2, 1, 3, 2)), "F0.0 F1.0 B0.0 F2.0 B1.0 B2.0");
    }

    void anOrderThatMegatronHasFits()
    {
        for (const int chunks : {2, 3}) {
            const Result<MegatronFit> fit =
                fitMegatron(scheduleOf("interleaved-1f1b", 4, 8, chunks));
            QVERIFY(fit);
            QCOMPARE(fit->chunks, chunks);
            QCOMPARE(fit->group, 4);
            QCOMPARE(fit->apart, 0);
        }
        QCOMPARE(fitMegatron(scheduleOf("1f1b", 4, 8))->apart, 0);
        const MegatronFit other = *fitMegatron(scheduleOf("gpipe", 4, 8));
        QVERIFY(other.apart > 0);
        const MegatronFit split = *fitMegatron(scheduleOf("zb-h1", 4, 8));
        QCOMPARE(split.splitOnes, 32);
        const Result<MegatronFit> v = fitMegatron(scheduleOf("zb-v", 4, 8));
        QVERIFY(!v);
        QVERIFY(QString::fromStdString(v.error().message).contains("stage 4 is on device 3"));
    }

    /// Its own checks: groups from P to M, and no rest below P.
    void groupsAreThoseThatMegatronTakes()
    {
        QCOMPARE(megatronGroups(4, 8), (std::vector<int>{4, 8}));
        QCOMPARE(megatronGroups(2, 7), (std::vector<int>{4, 5, 7}));
        QVERIFY(megatronGroups(4, 3).empty());
        for (const auto& [ranks, microBatches] : {std::pair{4, 8}, {2, 7}, {4, 3}, {3, 97}}) {
            std::vector<int> taken;
            for (int group = 0; group <= microBatches + 1; ++group)
                if (isMegatronGroup(ranks, microBatches, group))
                    taken.push_back(group);
            QCOMPARE(taken, megatronGroups(ranks, microBatches));
        }
        QVERIFY(!fitMegatron(scheduleOf("interleaved-1f1b", 4, 3, 2)));
        QVERIFY(!fitMegatron(scheduleOf("breadth-first", 1, 4, 2)));
    }

    /// Of many micro-batches not every group is compared, but those that divide them are.
    void largeGroupsAreMegatronsToo()
    {
        QVERIFY(isMegatronGroup(2, 400, 400));
        QVERIFY(isMegatronGroup(2, 400, 300));
        QVERIFY(!isMegatronGroup(2, 400, 399));
        const std::vector<int> groups = megatronGroups(2, 1200);
        QCOMPARE(std::vector<int>(groups.end() - 4, groups.end()),
                 (std::vector<int>{300, 400, 600, 1200}));
        for (const int group : {300, 400}) {
            const Result<MegatronFit> fit =
                fitMegatron(scheduleOf("interleaved-1f1b", 2, 400, 2, group));
            QVERIFY(fit);
            QCOMPARE(fit->group, group);
            QCOMPARE(fit->apart, 0);
        }
    }

    void primusRunsNamesOfItsMap()
    {
        const auto has = [](const char* family, int devices, int microBatches, int chunks,
                            const char* text) {
            const Result<std::string> made =
                primusClass(scheduleOf(family, devices, microBatches, chunks), "title");
            return (made ? *made : made.error().message.english()).find(text) != std::string::npos;
        };
        QVERIFY(has("zb-v", 4, 8, 0, "pp_algorithm: zbv-formatted"));
        QVERIFY(has("1f1b", 4, 8, 0, "pp_algorithm: 1f1b`"));
        QVERIFY(has("zb-h1", 4, 8, 0, "pp_algorithm: zero-bubble`"));
        QVERIFY(has("interleaved-1f1b", 4, 8, 2, "pp_algorithm: 1f1b-interleaved"));
    }

    void titansNameTellsThePlacement()
    {
        QCOMPARE(*torchScheduleName(scheduleOf("zb-h1", 4, 8).spec()), "1F1B");
        QCOMPARE(*torchScheduleName(scheduleOf("interleaved-1f1b", 4, 8, 2).spec()),
                 "PipelineScheduleMulti");
        QCOMPARE(*torchScheduleName(scheduleOf("zb-v", 4, 8).spec()), "ZBVZeroBubble");
        QVERIFY(!torchScheduleName(scheduleOf("chimera", 4, 8).spec()));
        const auto names = *moduleNames(*parseSplit("2,1", 3, 2), ModuleStyle::TorchTitan);
        QCOMPARE(names[0], (std::vector<std::string>{"tok_embeddings", "layers.0", "layers.1"}));
        QCOMPARE(names[1], (std::vector<std::string>{"layers.2", "norm", "lm_head"}));
        const auto hugging = *moduleNames(*parseSplit("2,1", 3, 2), ModuleStyle::HuggingFace);
        QCOMPARE(hugging[1], (std::vector<std::string>{"model.layers.2", "model.norm", "lm_head",
                                                       "model.rotary_emb"}));
        QVERIFY(!moduleNames(*parseLayout("Et|tmL"), ModuleStyle::TorchTitan));
    }

    /// Every compute pass once; a send for each receive, between the same stages.
    void aTableOfPrimusIsWhole()
    {
        const Schedule schedule = scheduleOf("zb-v", 3, 6);
        const Result<std::string> table = primusTable(schedule);
        QVERIFY(table);
        const QString text = QString::fromStdString(*table);
        QVERIFY(text.startsWith("# Written by Pipewright; "));
        QCOMPARE(text.count('\n'), 4);
        const auto count = [&text](const char* word) {
            return text.count("(" + QString::fromLatin1(word) + "|");
        };
        for (const char* kind : {"F", "B", "W"})
            QCOMPARE(count(kind), 6 * 6);
        for (const char* kind : {"SF", "RF", "SB", "RB"})
            QCOMPARE(count(kind), 5 * 6);
        QVERIFY(!primusTable(scheduleOf("dualpipe-v", 2, 4)));
    }

    void aStrategyOfGalvatronComesBack()
    {
        const LayerSplit split = *parseSplit("3,2,2,1", 8, 4);
        for (const char* family : {"1f1b", "gpipe"}) {
            const Result<GalvatronStrategy> made = galvatronOf(scheduleOf(family, 4, 8), split, 64);
            QVERIFY(made);
            QCOMPARE(made->family, std::string(family));
            QCOMPARE(*readGalvatron(writeGalvatron(*made)), *made);
        }
        QVERIFY(!galvatronOf(scheduleOf("zb-h1", 4, 8), split, 64));
        QVERIFY(!galvatronOf(scheduleOf("zb-v", 2, 8), split, 64));
        const Result<GalvatronStrategy> odd = readGalvatron(
            R"({"pp_deg": 3, "chunks": 4, "pp_division": "2,2", "tp_sizes_enc": "1,1,1,1"})");
        QVERIFY(!odd);
        QVERIFY(QString::fromStdString(odd.error().message).contains("pp_division has 2 stages"));
        // A model of no layers, and one of more than are counted.
        for (const char* division : {"0,0", "100000,1"}) {
            const Result<GalvatronStrategy> none = readGalvatron(
                std::string(R"({"pp_deg": 2, "chunks": 4, "pp_division": ")") + division + "\"}");
            QVERIFY(!none);
            QVERIFY(QString::fromStdString(none.error().message).contains("make a model"));
        }
    }

    void aStrategyThatContradictsItselfIsRefused_data()
    {
        QTest::addColumn<QString>("field"); // replaced, or added
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* field, const char* value, const char* says) {
            QTest::addRow("%s %s", field, value) << field << value << says;
        };
        const auto textRow = [&row](const char* field, const QByteArray& value, const char* says) {
            row(field, "\"" + value + "\"", says);
        };
        row("pp_deg", "0", "pp_deg is 0; it can be 1 to 4096");
        row("pp_deg", "3", "pp_division has 2 stages and pp_deg is 3");
        row("chunks", "0", "chunks is 0; it can be 1 to 1000000");
        row("chunks", "-1", "chunks is -1; it can be 1 to 1000000");
        row("global_bsz", "0", "global_bsz is 0; it can be 1 to 1099511627776");
        row("global_bsz", "3", "global_bsz is 3 and chunks is 4");
        row("vtp", "0", "vtp is 0; it can be 1 to 4096");
        row("vtp", "3", "vtp is 3; it is a power of two");
        row("vcp", "8192", "vcp is 8192; it can be 1 to 4096");
        row("vsp", "2", "vsp is 2; it can be 0 to 1");
        row("embed_sdp", "-1", "embed_sdp is -1; it can be 0 to 1");
        row("vocab_sdp", "2", "vocab_sdp is 2; it can be 0 to 1");
        row("tp_sizes_enc", "0", "tp_sizes_enc is not text");
        for (const char* field : {"tp_sizes_enc", "cp_sizes_enc", "tp_consecutive_flags",
                                  "dp_types_enc", "use_sp", "checkpoint"}) {
            const std::string name(field);
            textRow(field, "1,1,1",
                    (name + " has numbers of 3 layers and pp_division has 8").data());
            textRow(field, "", (name + " is not a list of counts").data());
            textRow(field, "1,1,1,1,1,1,1,x", (name + " is not a list of counts").data());
        }
        for (const char* field : {"tp_sizes_enc", "cp_sizes_enc"}) {
            const std::string name(field);
            textRow(field, "1,1,0,1,1,1,1,1",
                    (name + " of layer 2 is 0; it can be 1 to 4096").data());
            textRow(field, "1,1,1,1,1,1,1,8192",
                    (name + " of layer 7 is 8192; it can be 1 to 4096").data());
            textRow(field, "3,1,1,1,1,1,1,1", (name + " of layer 0 is 3; it is a power").data());
        }
        for (const char* field : {"tp_consecutive_flags", "dp_types_enc", "use_sp", "checkpoint"})
            textRow(field, "0,2,1,1,1,1,1,1",
                    (std::string(field) + " of layer 1 is 2; it can be 0 to 1").data());
        textRow("pp_division", "4,5", "has numbers of 8 layers and pp_division has 9");
        textRow("pipeline_type", "zb", "pipeline_type is 'zb'; it can be pipedream_flush, gpipe");
        textRow("default_dp_type", "zero9",
                "default_dp_type is 'zero9'; it can be ddp, zero2, zero3");
        row("pp_deg twice", "2", "pp_deg appears twice");
    }

    /// What Galvatron writes is read; with one field changed it is not, and the field is named.
    void aStrategyThatContradictsItselfIsRefused()
    {
        QFETCH(QString, field);
        QFETCH(QString, value);
        QFETCH(QString, says);
        const GalvatronStrategy good{2, 4, "1f1b", {4, 4}, 32, true};
        QString text = QString::fromStdString(writeGalvatron(good));
        QVERIFY(readGalvatron(text.toStdString()));
        const bool twice = field.endsWith(QLatin1String(" twice"));
        field.remove(QStringLiteral(" twice"));
        const QString member = QStringLiteral("\"%1\":%2").arg(field, value);
        const QRegularExpression old(QStringLiteral("\"%1\": ?(\"[^\"]*\"|[^,}]*)").arg(field));
        if (twice || !old.match(text).hasMatch())
            text.replace(text.indexOf(QLatin1Char('{')), 1, QStringLiteral("{") + member + ",");
        else
            text.replace(old, member);
        const Result<GalvatronStrategy> read = readGalvatron(text.toStdString());
        QVERIFY2(!read, qPrintable(text));
        const QString message = QString::fromStdString(read.error().message);
        QVERIFY2(message.contains(says), qPrintable(message));
    }

    void aBatchOfFewerSamplesThanMicroBatchesIsNoStrategy()
    {
        const Schedule schedule = scheduleOf("1f1b", 4, 8);
        const LayerSplit split = *parseSplit("3,2,2,1", 8, 4);
        QVERIFY(galvatronOf(schedule, split, 8));
        const Result<GalvatronStrategy> few = galvatronOf(schedule, split, 7);
        QVERIFY(!few);
        QCOMPARE(QString::fromStdString(few.error().message),
                 QStringLiteral("global_bsz is 7 and chunks is 8; each micro-batch has a sample at "
                                "least"));
        // A strategy may say nothing of it.
        const Result<GalvatronStrategy> silent =
            readGalvatron(R"({"pp_deg": 1, "chunks": 4, "pp_division": "2"})");
        QVERIFY(silent);
        QCOMPARE(silent->batch, std::int64_t{0});
        QCOMPARE(*readGalvatron(writeGalvatron(*silent)), *silent);
    }
};

PW_TEST(TestEngineText)
#include "tst_engine_text.moc"
