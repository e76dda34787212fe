// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/configuration_traits.h"
#include "core/families/default_family.h"
#include "core/families/engines.h"
#include "core/families/family_traits.h"
#include "core/families/file_families.h"
#include "core/io/family_folder.h"
#include "core/plan/planned_families.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace pw;

namespace {

FamilyTraits traitsOfNamed(const char* id)
{
    return traitsOf(*findFamily(id).value());
}

/// Devices on which a device's passes differ much, and a backward is no multiple of a forward.
UniformCosts unevenCosts()
{
    UniformCosts costs;
    costs.forward = 7 * ticksPerMs;
    costs.backward = 3 * ticksPerMs;
    costs.weight = 11 * ticksPerMs;
    costs.hop = 5 * ticksPerMs;
    return costs;
}

} // namespace

class TestFamilyTraits : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        std::vector<std::string> problems;
        QVERIFY(addFamilyFolder(PW_SOURCE_DIR "/samples/families", problems));
        QVERIFY(problems.empty());
    }

    void traitsAreThoseOfThePapers_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("routes");
        QTest::addColumn<int>("segments");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<bool>("pairs");
        QTest::addColumn<int>("updates");
        const auto row = [](const char* family, int routes, int segments, int chunks, bool pairs,
                            UpdateRule updates) {
            QTest::newRow(family) << family << routes << segments << chunks << pairs
                                  << static_cast<int>(updates);
        };
        row("1f1b", 1, 1, 1, false, UpdateRule::Flush);
        row("file-1f1b", 1, 1, 1, false, UpdateRule::Flush);
        row("interleaved-1f1b", 1, 1, 2, false, UpdateRule::Flush);
        row("v-half", 1, 1, 2, false, UpdateRule::Flush);
        row("chimera", 2, 1, 1, false, UpdateRule::Flush);
        row("dualpipe", 2, 1, 1, true, UpdateRule::Flush);
        row("dualpipe-v", 1, 1, 2, true, UpdateRule::Flush);
        row("seq1f1b", 1, 4, 1, false, UpdateRule::Flush);
        row("pipedream", 1, 1, 1, false, UpdateRule::Stashed);
        row("pipedream-2bw", 1, 1, 1, false, UpdateRule::DoubleBuffered);
    }

    void traitsAreThoseOfThePapers()
    {
        QFETCH(QString, family);
        const FamilyTraits traits = traitsOfNamed(family.toUtf8().constData());
        QTEST(traits.routes, "routes");
        QTEST(traits.segments, "segments");
        QTEST(traits.chunks, "chunks");
        QTEST(traits.pairs, "pairs");
        QTEST(static_cast<int>(traits.updates), "updates");
    }

    void theDefaultsAreFamilies()
    {
        const auto usual = findFamily(defaultFamily);
        QVERIFY(usual && !(*usual)->search);
        const auto shown = findFamily(defaultBlockFamily);
        QVERIFY(shown && (*shown)->block != nullptr);
    }

    /// What is said of all costs is held against two that have nothing in common.
    void aFixedOrderDoesNotLookAtCosts()
    {
        int fixed = 0, others = 0;
        for (const Family& family : allFamilies()) {
            if (!family.fixedOrder) {
                ++others;
                continue;
            }
            for (const auto& [devices, microBatches] :
                 std::vector<std::pair<int, int>>{{4, 8}, {4, 12}, {2, 6}}) {
                FamilyOptions options;
                options.devices = devices;
                options.microBatches = microBatches;
                const auto even = buildUniform(family, options, UniformCosts{});
                const auto uneven = buildUniform(family, options, unevenCosts());
                QCOMPARE(even.has_value(), uneven.has_value());
                if (even) {
                    ++fixed;
                    QVERIFY2(*even == *uneven, std::string(family.id).c_str());
                }
            }
        }
        QVERIFY(fixed > 0 && others > 0);
    }

    /// A family that takes times into account must not be called fixed.
    void anOrderThatFollowsCostsIsNotCalledFixed()
    {
        FamilyOptions options;
        options.devices = 4;
        options.microBatches = 12;
        int moved = 0;
        for (const Family& family : allFamilies()) {
            if (family.search)
                continue;
            const auto even = buildUniform(family, options, UniformCosts{});
            const auto uneven = buildUniform(family, options, unevenCosts());
            if (!even || !uneven || *even == *uneven)
                continue;
            ++moved;
            QVERIFY2(!family.fixedOrder, std::string(family.id).c_str());
        }
        QVERIFY(moved > 0);
    }

    void aFamilyIsFoundByItsTraits()
    {
        const auto splits = [](const FamilyTraits& traits) { return traits.splitsBackward; };
        QVERIFY(traitsOf(*findFamily(firstFamily(splits)).value()).splitsBackward);
        const auto buffered = [](const FamilyTraits& traits) {
            return traits.updates == UpdateRule::DoubleBuffered;
        };
        QCOMPARE(firstFamily(buffered), std::string_view("pipedream-2bw"));
        // Families of files stand before those of the program by their ids, and are none of it.
        const auto turns = [](const FamilyTraits& traits) {
            return traits.fused && traits.chunks == 1 && traits.oneWay;
        };
        QVERIFY(fileOfFamily(*findFamily(firstFamily(turns)).value()).empty());
    }

    void oneFamilyOfTheProgramRegroups()
    {
        int count = 0;
        for (const Family& family : allFamilies())
            count += family.regroups ? 1 : 0;
        QCOMPARE(count, 1);
        const Family& family = regroupingFamily();
        QVERIFY(fileOfFamily(family).empty());
        const FamilyOptions options = groupedOptions(family, 4, 12, 3);
        QVERIFY(specOf(family, options));
        QCOMPARE(parameterValue(family, options, findParameter(family, ParameterRole::Group)->name),
                 3.0);
    }

    void enginesHaveAWordForEachFamily()
    {
        for (const std::string_view engine : {megatronEngine, galvatronEngine}) {
            std::set<std::string_view> words;
            const std::vector<const Family*> families = familiesOf(engine);
            QVERIFY(!families.empty());
            for (const Family* family : families) {
                const std::string_view word = wordFor(*family, engine);
                QVERIFY(words.insert(word).second);
                QCOMPARE(familyCalled(engine, word), family);
            }
            QVERIFY(familyCalled(engine, "") == nullptr);
            QVERIFY(familyCalled(engine, "zero") == nullptr);
        }
        QCOMPARE(titlesText(familiesOf(galvatronEngine)).english(), std::string("1F1B and GPipe"));
        QCOMPARE(idsText(familiesOf(megatronEngine)).english(),
                 std::string("1f1b and interleaved-1f1b"));
    }

    void turnsAreSeenInTheOrder_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("turns");
        QTest::newRow("1F1B") << "1f1b" << QString() << 0.0 << true;
        QTest::newRow("of a file") << "file-1f1b" << QString() << 0.0 << true;
        QTest::newRow("eager") << "1f1b"
                               << "eager" << 1.0 << false;
        QTest::newRow("eager, of a file") << "file-1f1b"
                                          << "eager" << 1.0 << false;
        QTest::newRow("groups of one") << "kfkb"
                                       << "group" << 1.0 << true;
        QTest::newRow("groups of two") << "kfkb"
                                       << "group" << 2.0 << false;
        QTest::newRow("a longer warm-up") << "interleaved-1f1b" << QString() << 0.0 << false;
        QTest::newRow("no turns") << "gpipe" << QString() << 0.0 << false;
        QTest::newRow("a split backward") << "zb-h1" << QString() << 0.0 << false;
        QTest::newRow("segments") << "seq1f1b" << QString() << 0.0 << false;
        QTest::newRow("no family") << "nothing" << QString() << 0.0 << false;
    }

    void turnsAreSeenInTheOrder()
    {
        QFETCH(QString, family);
        QFETCH(QString, parameter);
        QFETCH(double, value);
        QFETCH(bool, turns);
        plan::Configuration c;
        c.family = family.toStdString();
        if (!parameter.isEmpty())
            c.parameters = {{parameter.toStdString(), value}};
        c.pipelineParallel = 4;
        c.globalBatch = 12;
        QCOMPARE(plan::takesTurns(c), turns);
    }

    void whatASearchLeavesOutSaysWhy_data()
    {
        using plan::LeftOut;
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("reason");
        const auto row = [](const char* family, LeftOut reason) {
            QTest::newRow(family) << family << static_cast<int>(reason);
        };
        row("v-auto", LeftOut::Search);
        row("zb-auto", LeftOut::Search);
        row("pipedream", LeftOut::Unflushed);
        row("pipedream-2bw", LeftOut::Unflushed);
        row("file-1f1b", LeftOut::File);
        row("v-rally", LeftOut::File);
    }

    void whatASearchLeavesOutSaysWhy()
    {
        QFETCH(QString, family);
        QFETCH(int, reason);
        const Family& asked = *findFamily(family.toStdString()).value();
        const auto why = plan::whyLeftOut(asked);
        QVERIFY(why.has_value());
        QCOMPARE(static_cast<int>(*why), reason);
        const std::vector<Sentence> all = plan::leftOutByReason();
        const auto named = std::count_if(all.begin(), all.end(), [&](const Sentence& one) {
            const QString ids = QString::fromStdString(one.english()).section(u':', 0, 0);
            return ids.split(QStringLiteral(", ")).contains(family);
        });
        QCOMPARE(named, 1);
    }

    /// The page of plans names the families that are looked at, and the others with their reasons.
    void theManualSaysTheSame()
    {
        QFile file(QStringLiteral(PW_SOURCE_DIR "/resources/manual/plan.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll()).replace(u'\n', u' ');
        const QString lookedAt =
            page.section(QStringLiteral("are looked at: "), 1).section(u'.', 0, 0);
        QStringList named =
            lookedAt.split(QRegularExpression(QStringLiteral(", | and ")), Qt::SkipEmptyParts);
        QStringList planned;
        for (const std::string_view id : plan::plannedFamilies())
            planned << QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
        QVERIFY(page.contains(QStringLiteral("Nineteen of the 23 [families]")));
        QCOMPARE(planned.size(), 19);
        named.sort();
        planned.sort();
        QCOMPARE(named, planned);
        std::map<plan::LeftOut, QStringList> left;
        std::size_t ofProgram = 0;
        for (const Family& family : allFamilies()) {
            if (!fileOfFamily(family).empty())
                continue;
            ++ofProgram;
            if (const auto reason = plan::whyLeftOut(family))
                left[*reason] << QString::fromStdString(std::string(family.id));
        }
        QCOMPARE(ofProgram, std::size_t{23});
        for (const auto& [reason, ids] : left) {
            const QString row =
                QStringLiteral("| ") + ids.join(QStringLiteral(", ")) + QStringLiteral(" | ");
            QVERIFY2(page.contains(row), qPrintable(row));
        }
    }

    /// Each family is looked at or left out, and none is both.
    void aSearchTriesTheOthers()
    {
        const std::vector<std::string_view> planned = plan::plannedFamilies();
        QCOMPARE(planned.front(), defaultFamily);
        const std::vector<std::string> others = plan::otherFamilies();
        std::set<std::string_view> all(planned.begin(), planned.end());
        all.insert(others.begin(), others.end());
        QCOMPARE(all.size(), planned.size() + others.size());
        QCOMPARE(all.size(), allFamilies().size());
        for (const char* family :
             {"1f1b", "interleaved-1f1b", "gpipe", "zb-h1", "zb-h2", "zb-v", "v-half", "v-min",
              "v-zb", "seq1f1b", "kfkb", "dualpipe", "hanayo"})
            QVERIFY2(std::count(planned.begin(), planned.end(), family) == 1, family);
    }
};

PW_TEST(TestFamilyTraits)
#include "tst_family_traits.moc"
