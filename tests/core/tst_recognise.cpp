// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/recognise.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

Recognition recognised(const Schedule& schedule)
{
    return recognise(schedule, {expand(UniformCosts{}, schedule.spec())});
}

/// Swaps so many pairs of neighbours, none next to another, where the order stays one.
Schedule disturbed(const Schedule& schedule, int swaps)
{
    DeviceOrders orders = schedule.orders();
    const std::size_t devices = orders.size();
    int done = 0;
    for (std::size_t place = 2; done < swaps; place += 5) {
        for (std::size_t device = 0; device < devices && done < swaps; ++device) {
            if (place + 1 >= orders[device].size())
                continue;
            DeviceOrders tried = orders;
            std::swap(tried[device][place], tried[device][place + 1]);
            if (!Schedule::make(schedule.spec(), tried))
                continue;
            orders = std::move(tried);
            ++done;
        }
        if (place > orders.front().size())
            qFatal("the order has too few places to swap");
    }
    return *Schedule::make(schedule.spec(), orders);
}

} // namespace

class TestRecognise : public QObject
{
    Q_OBJECT

private slots:
    void anOrderThatIsNoFamilysIsLikeTheNearest_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("percent");
        for (const char* id : {"1f1b", "zb-h1", "interleaved-1f1b", "zb-v", "seq1f1b"})
            for (const int percent : {3, 6, 10})
                QTest::addRow("%s, %d %%", id, percent) << id << percent;
    }

    void anOrderThatIsNoFamilysIsLikeTheNearest()
    {
        QFETCH(QString, id);
        QFETCH(int, percent);
        const Family& family = test::familyOf(id.toStdString());
        const Schedule made = *buildUniform(family, test::sized(4, 16), {});
        const int swaps = static_cast<int>(made.entryCount()) * percent / 100;
        const Schedule other = disturbed(made, swaps);
        const Recognition found = recognised(other);
        QVERIFY(found.matches.empty());
        QVERIFY(found.like);
        QVERIFY2(found.like->outOfOrder <= swaps, describe(found).c_str());
        QVERIFY(found.like->outOfOrder > other.entryCount() / 50);
        QCOMPARE(found.like->entries, std::int64_t{other.entryCount()});
        // Another family may make the same order, or one that is as near.
        if (found.like->outOfOrder == swaps && found.like->family != &family) {
            const Schedule same = *buildUniform(*found.like->family, found.like->options, {});
            QVERIFY(same.entryCount() == made.entryCount());
        } else {
            QCOMPARE(QString::fromStdString(std::string(found.like->family->id)), id);
        }
        QCOMPARE(found.nearest(), &*found.like);
        const std::string text = describe(found);
        QVERIFY2(text.rfind("like " + describe(*found.like) + ": ", 0) == 0, text.c_str());
        // What is named is what differs: the rest is in the family's order.
        QCOMPARE(static_cast<std::int64_t>(found.displaced.size()), found.like->outOfOrder);
        const Schedule ideal = *buildUniform(*found.like->family, found.like->options, {});
        DeviceOrders rest = other.orders(), same = ideal.orders();
        std::vector<OrderEntry> moved;
        for (auto one = found.displaced.rbegin(); one != found.displaced.rend(); ++one) {
            QVERIFY(one->familyPlace >= 0 && one->familyPlace != one->place);
            const OrderEntry entry = other.entry(EntryId(one->entry));
            const auto device =
                static_cast<std::size_t>(other.device(other.table().id(entry.pass)));
            auto& lane = rest[device];
            QVERIFY(lane[static_cast<std::size_t>(one->place)] == entry);
            QVERIFY(same[device][static_cast<std::size_t>(one->familyPlace)] == entry);
            lane.erase(lane.begin() + one->place);
            moved.push_back(entry);
            QVERIFY(describe(*one, other, *found.like).find("of device ") != std::string::npos);
        }
        for (auto& lane : same)
            std::erase_if(lane, [&moved](const OrderEntry& entry) {
                return std::find(moved.begin(), moved.end(), entry) != moved.end();
            });
        QVERIFY(rest == same);
    }

    void whatIsExactlyAFamilysIsLikeNothing()
    {
        const Recognition found =
            recognised(*buildUniform(test::familyOf("zb-h1"), test::sized(4, 16), {}));
        QVERIFY(found.exact());
        QVERIFY(!found.like);
        QVERIFY(found.displaced.empty());
        QCOMPARE(describe(found), std::string("ZB-H1"));
    }

    /// kFkB with one group makes it too, but then k says nothing.
    void allForwardsThenBackwardsInTheirOrderIsGPipe()
    {
        for (const int p : {2, 4, 7}) {
            for (const int m : {2, 3, 8, 70}) {
                FamilyOptions options = test::sized(p, m);
                options.parameters = {{"in-order", 1}};
                const Recognition found =
                    recognised(*buildUniform(test::familyOf("gpipe"), options, {}));
                QVERIFY(found.exact());
                QCOMPARE(std::string(found.matches.front().family->id), std::string("gpipe"));
                QVERIFY(found.matches.front().options.parameters == options.parameters);
                const bool grouped =
                    std::any_of(found.matches.begin(), found.matches.end(),
                                [](const FamilyMatch& one) { return one.family->id == "kfkb"; });
                QCOMPARE(grouped, m < 70); // of groups the first 64 are tried
            }
        }
        // With two groups it is kFkB.
        FamilyOptions options = test::sized(4, 8);
        options.parameters = {{"group", 4}};
        const Recognition other = recognised(*buildUniform(test::familyOf("kfkb"), options, {}));
        QCOMPARE(std::string(other.matches.front().family->id), std::string("kfkb"));
    }

    void aNameUpToAFiftiethSaysWhatDiffers()
    {
        const Schedule made = *buildUniform(test::familyOf("zb-h1"), test::sized(4, 32), {});
        const Recognition found = recognised(disturbed(made, 3));
        QVERIFY(!found.matches.empty()); // other families may make the same order
        QVERIFY(!found.like);
        QCOMPARE(found.matches.front().outOfOrder, std::int64_t{3});
        QCOMPARE(found.displaced.size(), std::size_t{3});
        QVERIFY2(describe(found).rfind("ZB-H1, 3 of 384 entries", 0) == 0, describe(found).c_str());
    }

    /// Two backwards that are split are four entries that the family does not have.
    void entriesOfOtherKindsCount()
    {
        const Schedule made = *buildUniform(test::familyOf("1f1b"), test::sized(4, 8), {});
        DeviceOrders orders = made.orders();
        for (std::vector<OrderEntry>& lane : {std::ref(orders[0]), std::ref(orders[3])}) {
            const auto last = std::find_if(lane.begin(), lane.end(), [](const OrderEntry& entry) {
                return entry.pass.kind == PassKind::BW;
            });
            OrderEntry weight = *last;
            weight.pass.kind = PassKind::W;
            last->pass.kind = PassKind::B;
            lane.insert(last + 1, weight);
        }
        const Recognition found = recognised(*Schedule::make(made.spec(), orders));
        QVERIFY(found.matches.empty());
        QVERIFY(found.like);
        QCOMPARE(std::string(found.like->family->id), std::string("1f1b"));
        QCOMPARE(found.like->outOfOrder, std::int64_t{4});
        QCOMPARE(found.displaced.size(), std::size_t{4});
        for (const DisplacedEntry& one : found.displaced)
            QCOMPARE(one.familyPlace, -1);
    }

    void aShuffledOrderIsLikeNothing()
    {
        const unsigned seed = 4711;
        std::mt19937 random(seed);
        const Schedule made = *buildUniform(test::familyOf("1f1b"), test::sized(4, 16), {});
        DeviceOrders orders = made.orders();
        for (auto& lane : orders) {
            for (int round = 0; round < 4000; ++round) {
                const std::size_t at = random() % (lane.size() - 1);
                std::swap(lane[at], lane[at + 1]);
                if (!Schedule::make(made.spec(), orders))
                    std::swap(lane[at], lane[at + 1]);
            }
        }
        const Recognition found = recognised(*Schedule::make(made.spec(), orders));
        QVERIFY2(!found.like && found.matches.empty(), describe(found).c_str());
        QCOMPARE(describe(found), std::string("unknown"));
        QVERIFY(found.displaced.empty());
    }
};

PW_TEST(TestRecognise)
#include "tst_recognise.moc"
