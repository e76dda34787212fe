// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/closed_forms.h"
#include "core/families/family.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace pw;

namespace {

std::string textOf(const Family& family, const FamilyOptions& options)
{
    std::string text = std::string(family.id) + ", p " + std::to_string(options.devices) + ", m " +
                       std::to_string(options.microBatches) + ", steps " +
                       std::to_string(options.steps);
    for (const auto& [name, value] : options.parameters)
        text += ", " + name + " " + std::to_string(value);
    return text;
}

/// Values of a parameter worth trying: the default by leaving it out, both ends, and small numbers
/// between.
std::vector<double> valuesOf(const Parameter& parameter)
{
    if (std::isfinite(parameter.maximum) && !parameter.integer())
        return {parameter.minimum, (parameter.minimum + parameter.maximum) / 2, parameter.maximum};
    std::vector<double> values;
    const double most = std::min(parameter.maximum, parameter.minimum + 4);
    for (double value = parameter.minimum; value <= most; ++value)
        values.push_back(value);
    return values;
}

/// The default parameters, each parameter changed alone, and all pairs of changes.
std::vector<FamilyOptions> variantsOf(const Family& family)
{
    std::vector<FamilyOptions> out = {FamilyOptions{}};
    for (const Parameter& parameter : family.parameters) {
        const std::size_t before = out.size();
        for (std::size_t i = 0; i < before; ++i) {
            if (out[i].parameters.size() > 1)
                continue;
            for (const double value : valuesOf(parameter)) {
                FamilyOptions changed = out[i];
                changed.parameters.emplace_back(parameter.name, value);
                out.push_back(changed);
            }
        }
    }
    return out;
}

/// A grid of sizes over the variants of a family; coarser where building takes long.
template<typename Check>
void forGrid(const Family& family, Check check)
{
    const std::vector<int> devices =
        family.search ? std::vector<int>{1, 2, 4} : std::vector<int>{1, 2, 3, 4, 5, 8};
    const std::vector<int> microBatches = family.search
                                              ? std::vector<int>{1, 3, 8}
                                              : std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 12, 16};
    for (FamilyOptions options : variantsOf(family)) {
        for (const int p : devices) {
            for (const int m : microBatches) {
                options.devices = p;
                options.microBatches = m;
                check(options);
            }
        }
    }
}

bool refusedWithReason(const Error& error)
{
    return !error.message.empty() &&
           (error.code == ErrorCode::BadValue || error.code == ErrorCode::TooLarge ||
            error.code == ErrorCode::MemoryLimit);
}

} // namespace

/// What holds for every family of the registry.
class TestFamilies : public QObject
{
    Q_OBJECT

private slots:
    void idsAreUniqueAndPlainAndEverythingIsSaid();
    void aWrongIdNamesTheNearest();
    void aWrongParameterNamesThoseThereAre();

    void optionsBuildAValidScheduleOrARefusalWithReason_data() { rows(); }
    void optionsBuildAValidScheduleOrARefusalWithReason();
    void closedFormsHoldWhereTheySay_data() { rows(); }
    void closedFormsHoldWhereTheySay();

private:
    void rows();
    void buildsRunsAndEndsEmpty(const Family& family, const FamilyOptions& options);
};

void TestFamilies::rows()
{
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies()) {
        const QByteArray id(family.id.data(), static_cast<qsizetype>(family.id.size()));
        QTest::newRow(id.constData()) << QString(id);
    }
}

void TestFamilies::idsAreUniqueAndPlainAndEverythingIsSaid()
{
    std::set<std::string_view> ids;
    for (const Family& family : allFamilies()) {
        const std::string id(family.id);
        QVERIFY2(ids.insert(family.id).second, id.c_str());
        QVERIFY2(!id.empty() && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
                                    std::string::npos,
                 id.c_str());
        QVERIFY2(!family.title.empty() && !family.summary.empty() && !family.citation.empty(),
                 id.c_str());
        QVERIFY2(family.spec != nullptr && family.build != nullptr, id.c_str());
        for (const Parameter& parameter : family.parameters) {
            QVERIFY2(!parameter.name.empty() && !parameter.summary.empty(), id.c_str());
            QVERIFY2(parameter.minimum <= parameter.maximum, id.c_str());
            QVERIFY2(!parameter.fallbackText.empty() || (parameter.fallback >= parameter.minimum &&
                                                         parameter.fallback <= parameter.maximum),
                     id.c_str());
        }
        for (const ClosedForm& form : family.closedForms)
            QVERIFY2(!form.formula.empty() && form.value != nullptr, id.c_str());
    }
    QVERIFY(ids.size() >= 23);
}

void TestFamilies::aWrongIdNamesTheNearest()
{
    const auto found = findFamily("1f1c");
    QVERIFY(!found);
    QVERIFY2(found.error().message.english().find("1f1b") != std::string::npos,
             found.error().message.c_str());
}

void TestFamilies::aWrongParameterNamesThoseThereAre()
{
    FamilyOptions options;
    options.parameters = {{"chunk", 3}};
    const auto spec = specOf(**findFamily("breadth-first"), options);
    QVERIFY(!spec);
    QVERIFY2(spec.error().message.english().find("chunks") != std::string::npos,
             spec.error().message.c_str());
}

void TestFamilies::buildsRunsAndEndsEmpty(const Family& family, const FamilyOptions& options)
{
    const std::string what = textOf(family, options);
    const auto spec = specOf(family, options);
    if (!spec) {
        QVERIFY2(refusedWithReason(spec.error()), (what + ": " + spec.error().message).c_str());
        return;
    }
    QCOMPARE(spec->devices, options.devices);
    UniformCosts uniform;
    uniform.activation = 1 << 20;
    uniform.keptForWeight = 0.5;
    const Costs costs = expand(uniform, *spec);
    const auto schedule = family.build(*spec, options, costs);
    if (!schedule) {
        QVERIFY2(refusedWithReason(schedule.error()),
                 (what + ": " + schedule.error().message).c_str());
        return;
    }
    QVERIFY2(schedule->spec() == *spec, what.c_str());
    const auto result = simulate(*schedule, costs);
    QVERIFY2(result, (what + ": " + (result ? "" : result.error().message)).c_str());
    for (const DeviceId device : Ids<DeviceId>(spec->devices)) {
        for (EntryId i = schedule->begin(device); i + 1 < schedule->end(device); ++i) {
            const auto index = static_cast<std::size_t>(i);
            QVERIFY2(result->end[index] <= result->start[index + 1], what.c_str());
        }
        const auto curve = memoryCurve(*schedule, costs, *result, device);
        QVERIFY2(!curve.empty() && curve.back().total() == 0, what.c_str());
    }
}

void TestFamilies::optionsBuildAValidScheduleOrARefusalWithReason()
{
    QFETCH(QString, id);
    const Family& family = **findFamily(id.toStdString());
    int built = 0;
    forGrid(family, [&](FamilyOptions options) {
        if (QTest::currentTestFailed())
            return;
        for (const int steps : {1, 3}) {
            options.steps = steps;
            buildsRunsAndEndsEmpty(family, options);
            built += specOf(family, options) ? 1 : 0;
        }
    });
    QVERIFY(built > 0);
}

void TestFamilies::closedFormsHoldWhereTheySay()
{
    QFETCH(QString, id);
    const Family& family = **findFamily(id.toStdString());
    constexpr unsigned seed = 20240110;
    std::mt19937 random(seed);
    // Divisible by every product of a chunk and a segment count of the grid: equal parts are exact.
    constexpr Ticks unit = 25'200;
    std::uniform_int_distribution<Ticks> time(1, 20);
    int compared = 0;
    forGrid(family, [&](FamilyOptions options) {
        // The last round is of several optimizer steps.
        const int rounds = options.devices == 4 ? 5 : 4;
        for (int round = 0; round < rounds; ++round) {
            options.steps = round < 4 ? 1 : 3;
            UniformCosts uniform;
            uniform.forward = unit * (round == 0 ? 12 : time(random));
            uniform.backward = unit * (round == 0 ? 12 : time(random));
            uniform.weight = unit * (round == 0 ? 12 : time(random));
            uniform.hop = round == 3 ? unit / 4 * time(random) : 0;
            uniform.keptForWeight = round == 1 ? 0.5 : 1;
            const ClosedFormInput input = closedFormInput(family, options, uniform);
            const auto schedule = buildUniform(family, options, uniform);
            if (!schedule)
                continue;
            const auto result = simulate(*schedule, expand(uniform, schedule->spec()));
            if (!result || QTest::currentTestFailed())
                return;
            for (const ClosedForm& form : family.closedForms) {
                const std::optional<double> value = valueOf(form, input);
                if (!value || form.estimate)
                    continue;
                ++compared;
                const double got = test::measured(form.quantity, *schedule, *result);
                const std::string what =
                    textOf(family, options) + ", T_F " + std::to_string(uniform.forward) +
                    ", T_B " + std::to_string(uniform.backward) + ", T_W " +
                    std::to_string(uniform.weight) + ", T_c " + std::to_string(uniform.hop) +
                    ", kept for W " + std::to_string(uniform.keptForWeight) + ", seed " +
                    std::to_string(seed) + ": " + std::string(form.formula) + " is " +
                    std::to_string(*value) + ", simulated " + std::to_string(got);
                QVERIFY2(std::abs(got - *value) <= 1e-6 * std::max(1.0, std::abs(got)),
                         what.c_str());
            }
        }
    });
    QVERIFY2(compared > 0 || family.closedForms.empty(), "no condition of a closed form holds");
}

PW_TEST(TestFamilies)
#include "tst_families.moc"
