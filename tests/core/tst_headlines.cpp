// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/headlines.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace pw;
using namespace pw::plan;

namespace {

std::vector<Headline> figuresOf(std::string_view id)
{
    for (const HeadlinePaper& paper : headlinePapers()) {
        if (paper.id == id)
            return paper.compute(nullptr);
    }
    return {};
}

std::map<std::string, double> oursByName(const std::vector<Headline>& figures)
{
    std::map<std::string, double> ours;
    for (const Headline& one : figures)
        ours[one.experiment] = one.ours.from;
    return ours;
}

/// The names of figures that end so, by what we compute for them, largest first.
QStringList order(const std::vector<Headline>& figures, const std::string& part)
{
    std::vector<std::pair<double, std::string>> found;
    for (const Headline& one : figures) {
        const std::size_t at = one.experiment.find(part);
        if (at != std::string::npos)
            found.emplace_back(-one.ours.from, one.experiment.substr(at + part.size()));
    }
    std::sort(found.begin(), found.end());
    QStringList names;
    for (const auto& [value, name] : found)
        names.append(QString::fromStdString(name));
    return names;
}

} // namespace

class TestHeadlines : public QObject
{
    Q_OBJECT

private slots:
    void differencesAreInPointsOrInPerCent()
    {
        const Headline points{"", HeadlineUnit::Percent, {4, 30}, {7, 28}};
        QCOMPARE(points.difference(), (Figure{3, -2}));
        const Headline parts{"", HeadlineUnit::Times, 2, 2.5};
        QCOMPARE(parts.difference().from, 25.0);
        QCOMPARE(meanDifference({points, parts}, true), 2.5);
        QCOMPARE(meanDifference({points, parts}, false), 25.0);
        QCOMPARE(meanDifference({}, false), 0.0);
    }

    void everyPaperHasFiguresAndASource()
    {
        std::set<std::string_view> ids;
        for (const HeadlinePaper& paper : headlinePapers()) {
            QVERIFY(ids.insert(paper.id).second);
            QVERIFY(!paper.title.empty() && !paper.source.empty() && !paper.assumptions.empty());
            const std::vector<Headline> figures = paper.compute(nullptr);
            QVERIFY(!figures.empty());
            for (const Headline& one : figures) {
                QVERIFY2(std::isfinite(one.ours.from) && std::isfinite(one.ours.to),
                         one.experiment.c_str());
                QVERIFY2(one.unit == HeadlineUnit::Percent || one.ours.from > 0,
                         one.experiment.c_str());
                QVERIFY(!unitText(one.unit).empty());
            }
        }
    }

    /// Limits are kept or not, and are no figures that a mean is made of.
    void verdictsFollowTheDifference()
    {
        using Kind = HeadlineKind;
        const auto verdict = [](HeadlineUnit unit, double published, double ours, Kind kind) {
            return Headline{"", unit, published, ours, kind}.verdict();
        };
        const HeadlineUnit times = HeadlineUnit::Times, points = HeadlineUnit::Percent;
        QCOMPARE(verdict(times, 2, 2.19, Kind::Figure), HeadlineVerdict::Agrees);
        QCOMPARE(verdict(times, 2, 1.79, Kind::Figure), HeadlineVerdict::Near);
        QCOMPARE(verdict(times, 2, 2.6, Kind::Figure), HeadlineVerdict::Apart);
        QCOMPARE(verdict(points, 10, 12.9, Kind::Figure), HeadlineVerdict::Agrees);
        QCOMPARE(verdict(points, 10, 2.1, Kind::Figure), HeadlineVerdict::Near);
        QCOMPARE(verdict(points, 10, 18.1, Kind::Figure), HeadlineVerdict::Apart);
        QCOMPARE(verdict(times, 2, 5, Kind::MoreThan), HeadlineVerdict::Agrees);
        QCOMPARE(verdict(times, 2, 2, Kind::MoreThan), HeadlineVerdict::Apart);
        QCOMPARE(verdict(times, 2, 2, Kind::AtMost), HeadlineVerdict::Agrees);
        QCOMPARE(verdict(times, 2, 2.01, Kind::AtMost), HeadlineVerdict::Apart);
        QCOMPARE(meanDifference({{"", times, 2, 5, Kind::MoreThan}}, false), 0.0);
    }

    void everyPaperHasItsClaim()
    {
        for (const HeadlinePaper& paper : headlinePapers()) {
            const std::vector<Headline> figures = paper.compute(nullptr);
            QVERIFY2(std::count_if(
                         figures.begin(), figures.end(),
                         [&](const Headline& one) { return one.experiment == paper.claim; }) == 1,
                     paper.id.data());
            QVERIFY(!paper.commands[0].empty());
            for (const Headline& one : figures)
                if (one.kind != HeadlineKind::Figure)
                    QVERIFY2(one.verdict() == HeadlineVerdict::Agrees, one.experiment.c_str());
        }
    }

    /// What one is over a third is what it is over a second, times that over the third; "at most"
    /// is the larger of both batches.
    void ratiosOfOneModelAgree()
    {
        const auto papers = headlinePapers();
        const auto paper = std::find_if(papers.begin(), papers.end(),
                                        [](const HeadlinePaper& one) { return one.id == "2bw"; });
        QVERIFY(paper != papers.end());
        const auto figures = paper->compute(nullptr);
        const auto ours = [&](std::string_view words) {
            const auto found =
                std::find_if(figures.begin(), figures.end(), [&](const Headline& one) {
                    return one.experiment.find(words) != std::string::npos;
                });
            return found == figures.end() ? Figure{0} : found->ours;
        };
        const Figure turns = ours("2.2B, 1F1B with flush over layers in turn");
        const Figure gpipe = ours("2.2B, 1F1B with flush over GPipe");
        const double few = ours("2.2B, 2BW over 1F1B with flush, low batch").from;
        const double many = ours("2.2B, 2BW over 1F1B with flush, batch 2048").from;
        QVERIFY(few > 0 && many > 0 && turns.from != turns.to);
        QVERIFY(std::abs(ours("2.2B, 2BW over layers in turn").from -
                         std::max(turns.from * few, turns.to * many)) < 1e-9);
        QVERIFY(std::abs(ours("2.2B, 2BW over GPipe, low batch").from - gpipe.from * few) < 1e-9);
    }

    void stoppedComputationsGiveWhatIsThere()
    {
        const std::atomic<bool> stop = true;
        for (const HeadlinePaper& paper : headlinePapers())
            QVERIFY(paper.compute(&stop).size() <= paper.compute(nullptr).size());
    }

    /// Equal stages: K·M ⁄ (M+K−1) over 2·1 ⁄ 2, which the papers' Transformers stay below by what
    /// their ends and messages take.
    void gpipeIsItsFormula()
    {
        const auto ours = oursByName(figuresOf("gpipe"));
        for (const int k : {2, 4, 8}) {
            const double speed =
                ours.at("Transformer on TPUs, K = " + std::to_string(k) + ", M = 32");
            QVERIFY(std::abs(speed - k * 32.0 / (32 + k - 1)) < 1e-3 * speed);
            const double bubble =
                ours.at("M = 4K, K = " + std::to_string(k) + ": bubble, (K−1)⁄(M+K−1)");
            QVERIFY(std::abs(bubble - 100.0 * (k - 1) / (5 * k - 1)) < 0.1);
        }
        QVERIFY(meanDifference(figuresOf("gpipe"), false) < 8);
    }

    /// The printed passes were profiled; ours come from constants fitted to other models on other
    /// machines of the kind, whose own error is 5 % in the mean. F was profiled with more in it
    /// than its kernels.
    void zeroBubblePassesAreTheProfiledOnes()
    {
        for (const Headline& one : figuresOf("zero-bubble")) {
            if (one.unit != HeadlineUnit::Milliseconds)
                continue;
            const double apart = std::abs(one.difference().from);
            const bool forward = one.experiment.find("T_F") != std::string::npos;
            QVERIFY2(apart < (forward ? 20 : 7), one.experiment.c_str());
        }
    }

    /// Memory is counted, not fitted: within a tenth. Rates have the error of the passes.
    void zeroBubbleRatesAndMemoryAreNear()
    {
        const auto figures = figuresOf("zero-bubble");
        QCOMPARE(figures.size(), std::size_t{4 * (3 + 4 * 4 + 1)});
        for (const Headline& one : figures) {
            if (one.unit == HeadlineUnit::Gigabytes)
                QVERIFY2(std::abs(one.difference().from) < 10, one.experiment.c_str());
            else
                QVERIFY2(std::abs(one.difference().from) < 20, one.experiment.c_str());
        }
        QVERIFY(meanDifference(figures, false) < 8);
        const auto ours = oursByName(figures);
        for (const char* cell : {"1.5b, %, m = 24", "6.2b, %, m = 32", "28.3b, %, m = 256"}) {
            const auto rate = [&](const char* method) {
                return ours.at(QString::fromUtf8(cell)
                                   .replace(QLatin1Char('%'), QLatin1String(method))
                                   .toStdString());
            };
            QVERIFY(rate("ZB-2p") > rate("ZB-1p"));
            QVERIFY(rate("ZB-1p") > rate("1F1B"));
        }
    }

    void controllableMemoryKeepsThePapersOrder()
    {
        const auto figures = figuresOf("controllable-memory");
        for (const Headline& one : figures) {
            if (one.unit == HeadlineUnit::Milliseconds)
                QVERIFY2(std::abs(one.difference().from) < 5, one.experiment.c_str());
        }
        QCOMPARE(
            order(figures, "MFU of "),
            QStringList({QStringLiteral("V-ZB"), QStringLiteral("V-Half"), QStringLiteral("1F1B"),
                         QStringLiteral("V-Min"), QStringLiteral("1F1B-R")}));
        const Figure gain = figures.back().ours;
        QVERIFY(gain.from > 3 && gain.to > 25 && gain.to < 60);
    }

    /// The best method at either sequence is the paper's, the worst is recomputation.
    void gridHasThePapersWinners()
    {
        const auto figures = figuresOf("grid");
        const QStringList shorter = order(figures, "sequence 1024, batch 160, MFU of ");
        const QStringList longer = order(figures, "sequence 3072, batch 640, MFU of ");
        QCOMPARE(shorter.size(), 6);
        QCOMPARE(longer.size(), 6);
        QCOMPARE(shorter.front(), QStringLiteral("V-ZB"));
        QCOMPARE(longer.front(), QStringLiteral("V-Half"));
        QCOMPARE(shorter.back(), QStringLiteral("1F1B-R"));
        QCOMPARE(longer.back(), QStringLiteral("1F1B-R"));
        QVERIFY(meanDifference(figures, true) < 10);
    }

    void groupsGainWhatThePaperSays()
    {
        const auto figures = figuresOf("ada-grouper");
        QCOMPARE(figures.size(), std::size_t{2});
        QVERIFY(figures[0].ours.from > 4 && figures[0].ours.from < 12);
        QVERIFY(figures[1].ours.from > 20 && figures[1].ours.from < 35);
    }

    /// The order of things; the figures hang on batches and shapes that are not printed.
    void doubleBufferingBeatsModelParallelism()
    {
        for (const Headline& one : figuresOf("2bw"))
            if (one.experiment.find("1F1B with flush over GPipe") == std::string::npos)
                QVERIFY2(one.ours.from > 1, one.experiment.c_str());
        const auto ours = oursByName(figuresOf("2bw"));
        QVERIFY(ours.at("3.8B, 2BW over tensor parallelism, 64 GPUs") >
                5 * ours.at("2.2B, 2BW over tensor parallelism, one node"));
    }

    /// 30B on 64k tokens trains on 64 A100 with Seq1F1B and not with 1F1B, without recomputation.
    void segmentsMakeLongSequencesFit()
    {
        const auto figures = figuresOf("seq1f1b");
        const auto ours = oursByName(figures);
        const double device =
            findAccelerator("a100")->memory / 1e9; // what the figures are measured against
        QVERIFY(ours.at("30B, 64k tokens, 64 GPUs, 1F1B needs more than") > device);
        QVERIFY(ours.at("30B, 64k tokens, 64 GPUs, Seq1F1B needs at most") < device);
        for (const Headline& one : figures) {
            if (one.experiment.ends_with("throughput over 1F1B"))
                QVERIFY(one.ours.from > 1.1 && one.ours.from < 1.4);
            if (one.experiment.ends_with("memory over 1F1B"))
                QVERIFY(one.ours.from > 0.35 && one.ours.from < 0.55);
        }
    }

    void primusGainsHaveTheMeasuredSigns()
    {
        const auto figures = figuresOf("primus");
        for (const Headline& one : figures) {
            if (one.unit == HeadlineUnit::Percent) {
                QVERIFY2((one.ours.from > 0) == (one.published.from > 0), one.experiment.c_str());
                QVERIFY2(std::abs(one.difference().from) < 10, one.experiment.c_str());
            }
        }
        const auto ours = oursByName(figures);
        QVERIFY(ours.at("ZBV, gain over 1F1B") > ours.at("interleaved ×2, gain over 1F1B"));
        QVERIFY(ours.at("V-Half, memory") < ours.at("1F1B, memory"));
        QVERIFY(ours.at("V-Min, memory") < ours.at("V-Half, memory"));
    }
};

PW_TEST(TestHeadlines)
#include "tst_headlines.moc"
