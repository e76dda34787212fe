// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/schedule.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <unordered_set>
#include <vector>

using namespace pw;

namespace {

// No kind of position becomes another one, and no number becomes one unasked.
template<typename From, typename To>
constexpr bool becomes = std::is_convertible_v<From, To> || std::is_assignable_v<To&, From>;

static_assert(!becomes<int, DeviceId> && !becomes<std::size_t, DeviceId> &&
              !becomes<std::int32_t, StageId> && !becomes<int, EntryId> && !becomes<int, RankId> &&
              !becomes<int, PassId>);
static_assert(!becomes<DeviceId, StageId> && !becomes<StageId, DeviceId> &&
              !becomes<DeviceId, RankId> && !becomes<RankId, DeviceId> &&
              !becomes<EntryId, PassId> && !becomes<PassId, EntryId> &&
              !becomes<EntryId, DeviceId>);
// Not even when it is asked for: the way is by the number, where it can be seen.
static_assert(!std::is_constructible_v<DeviceId, StageId> &&
              !std::is_constructible_v<RankId, DeviceId>);
static_assert(std::is_constructible_v<DeviceId, int> &&
              std::is_constructible_v<DeviceId, std::size_t> &&
              !std::is_constructible_v<DeviceId, bool> &&
              !std::is_constructible_v<DeviceId, double>);

template<typename A, typename B>
concept Comparable = requires(A a, B b)
{
    a == b;
};
template<typename A, typename B>
concept Ordered = requires(A a, B b)
{
    a < b;
};
static_assert(Comparable<DeviceId, DeviceId> && Ordered<EntryId, EntryId>);
static_assert(Comparable<DeviceId, int> && Ordered<int, StageId>);
static_assert(!Comparable<DeviceId, StageId> && !Ordered<DeviceId, StageId> &&
              !Comparable<EntryId, PassId> && !Ordered<RankId, DeviceId>);

// What a schedule asks for it gets of that kind alone.
static_assert(std::is_invocable_r_v<EntryId, decltype(&Schedule::begin), Schedule, DeviceId> &&
              !std::is_invocable_v<decltype(&Schedule::begin), Schedule, StageId> &&
              !std::is_invocable_v<decltype(&Schedule::begin), Schedule, int>);
static_assert(std::is_invocable_v<decltype(&PipelineSpec::device), PipelineSpec, int, StageId> &&
              !std::is_invocable_v<decltype(&PipelineSpec::device), PipelineSpec, int, DeviceId>);
static_assert(std::is_invocable_v<decltype(&Schedule::entry), Schedule, EntryId> &&
              !std::is_invocable_v<decltype(&Schedule::entry), Schedule, PassId>);

// As a plain number to the processor and to what is stored.
static_assert(sizeof(DeviceId) == sizeof(std::int32_t) && std::is_trivially_copyable_v<DeviceId>);

// So many further is of the same kind, between two is a number, and wider numbers are added as
// such.
static_assert(std::same_as<decltype(StageId() + 1), StageId> &&
              std::same_as<decltype(StageId() - StageId()), int> &&
              std::same_as<decltype(StageId() + std::int64_t{1}), std::int64_t> &&
              std::same_as<decltype(StageId() + 0.5), double>);

} // namespace

class TestIds : public QObject
{
    Q_OBJECT

private slots:
    void withoutANumberItIsNone()
    {
        QVERIFY(!DeviceId().valid());
        QCOMPARE(DeviceId::none().value, -1);
        QVERIFY(DeviceId() == DeviceId::none());
        QVERIFY(DeviceId(0).valid());
        QCOMPARE(DeviceId(7).index(), std::size_t{7});
    }

    void aStepLeadsToTheNeighbour()
    {
        EntryId entry(4);
        QCOMPARE((++entry).value, 5);
        QCOMPARE((entry++).value, 5);
        QCOMPARE((entry--).value, 6);
        QCOMPARE((--entry).value, 4);
        entry += 3;
        entry -= 1;
        QCOMPARE(entry.value, 6);
        QCOMPARE((entry + 1).value, 7);
        QCOMPARE((entry - 8).value, -2);
    }

    void aRangeHasAllOfThem()
    {
        std::vector<int> seen;
        for (const StageId stage : Ids<StageId>(3))
            seen.push_back(stage);
        QCOMPARE(seen, (std::vector<int>{0, 1, 2}));
        seen.clear();
        for (const EntryId entry : Ids<EntryId>(EntryId(5), EntryId(7)))
            seen.push_back(entry);
        QCOMPARE(seen, (std::vector<int>{5, 6}));
    }

    void aRangeOfNoneIsEmpty()
    {
        for (const Ids<DeviceId>& none :
             {Ids<DeviceId>(0), Ids<DeviceId>(-2), Ids<DeviceId>(DeviceId(4), DeviceId(2))})
            QVERIFY(none.begin() == none.end());
    }

    void theEntriesOfAScheduleAreThoseOfItsDevices()
    {
        PipelineSpec spec;
        spec.devices = 2;
        spec.routes = {Placement::linear(2)};
        const auto f = [](int stage) { return single({PassKind::F, 0, StageId(stage), 0, 0}); };
        const auto b = [](int stage) { return single({PassKind::BW, 0, StageId(stage), 0, 0}); };
        const Result<Schedule> schedule = Schedule::make(spec, {{f(0), b(0)}, {f(1), b(1)}});
        QVERIFY(schedule);
        std::vector<EntryId> all;
        for (const DeviceId device : Ids<DeviceId>(schedule->devices())) {
            for (const EntryId entry : schedule->entries(device)) {
                QCOMPARE(schedule->entry(entry).pass.stage.value, device.value);
                all.push_back(entry);
            }
        }
        const Ids<EntryId> wanted = schedule->entries();
        QVERIFY(all == std::vector<EntryId>(wanted.begin(), wanted.end()));
        QCOMPARE(all.size(), std::size_t{4});
    }

    void aSetTellsThemApart()
    {
        const std::unordered_set<StageId> set = {StageId(1), StageId(2), StageId(1)};
        QCOMPARE(set.size(), std::size_t{2});
        QVERIFY(set.count(StageId(2)) == 1 && set.count(StageId(3)) == 0);
    }
};

PW_TEST(TestIds)
#include "tst_ids.moc"
