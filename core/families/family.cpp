// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"

#include "core/base/assert.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/registry.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>

namespace pw {

namespace {

/// A number as a person would write it, in full.
std::string plain(double value)
{
    return plainNumber(value, 10);
}

Result<void> checkParameter(const Family& family, const std::string& name, double value)
{
    const Parameter* it = findParameter(family, name);
    if (it == nullptr) {
        std::string known;
        for (const Parameter& p : family.parameters)
            known += (known.empty() ? "" : ", ") + std::string(p.name);
        return fail(ErrorCode::BadValue, "%1 has no parameter '%2'; it has %3", family.id, name,
                    known.empty() ? said("none") : Sentence(known));
    }
    if (!(value >= it->minimum) || !(value <= it->maximum))
        return fail(ErrorCode::BadValue, "%1 is %2; %3", name, plain(value), rangeText(*it));
    // A whole number that does not fit an int would be cut silently further on.
    if (it->integer() && (value != std::floor(value) || value > 1e9))
        return fail(ErrorCode::BadValue, "%1 is %2; a whole number up to 1e9", name, plain(value));
    return {};
}

} // namespace

double ClosedFormInput::parameter(std::string_view name) const
{
    return parameterValue(*family, *options, name);
}

namespace {

using FamilyList = std::vector<Family>;

FamilyList sortedById(FamilyList list)
{
    std::sort(list.begin(), list.end(),
              [](const Family& a, const Family& b) { return a.id < b.id; });
    return list;
}

/// The families that are known. A list never changes, and is never taken away, since others hold
/// families of it; a longer one takes its place.
struct KnownFamilies
{
    std::mutex mutex;
    std::vector<std::unique_ptr<const FamilyList>> lists;
    std::atomic<const FamilyList*> last = nullptr;

    KnownFamilies() { append(families::makeAll()); }
    void append(FamilyList list)
    {
        lists.push_back(std::make_unique<const FamilyList>(sortedById(std::move(list))));
        last = lists.back().get();
    }
};

KnownFamilies& knownFamilies()
{
    static KnownFamilies known;
    return known;
}

} // namespace

namespace families {

void extend(std::vector<Family> more)
{
    KnownFamilies& known = knownFamilies();
    const std::lock_guard lock(known.mutex);
    const std::size_t fresh = more.size();
    for (const Family& family : *known.last.load()) {
        const auto isIt = [&family](const Family& one) { return one.id == family.id; };
        const auto end = more.begin() + static_cast<std::ptrdiff_t>(fresh);
        if (std::find_if(more.begin(), end, isIt) == end)
            more.push_back(family);
    }
    known.append(std::move(more));
}

} // namespace families

std::span<const Family> allFamilies()
{
    return *knownFamilies().last.load();
}

Result<const Family*> findFamily(std::string_view id)
{
    const std::span<const Family> all = allFamilies();
    const auto found =
        std::find_if(all.begin(), all.end(), [id](const Family& one) { return one.id == id; });
    if (found != all.end())
        return &*found;
    std::vector<std::string> ids;
    for (const Family& family : all)
        ids.emplace_back(family.id);
    std::string message = "there is no family '" + std::string(id.substr(0, 64)) + "'; ";
    if (const std::string near = nearest(id, ids); !near.empty())
        return fail(ErrorCode::BadValue, "%1did you mean %2?", message, near);
    message += "the families are ";
    for (const std::string& known : ids)
        message += (&known == &ids.front() ? "" : ", ") + known;
    return fail(ErrorCode::BadValue, message);
}

ClosedFormInput closedFormInput(const Family& family, const FamilyOptions& options,
                                const UniformCosts& uniform)
{
    ClosedFormInput input;
    input.p = options.devices;
    input.m = options.microBatches;
    input.forward = static_cast<double>(uniform.forward);
    input.backward = static_cast<double>(uniform.backward);
    input.weight = static_cast<double>(uniform.weight);
    input.pair = uniform.pair ? static_cast<double>(*uniform.pair)
                              : input.forward + input.backward + input.weight;
    input.hop = static_cast<double>(uniform.hop);
    input.keptForWeight = uniform.keptForWeight;
    input.family = &family;
    input.options = &options;
    return input;
}

double chosen(const FamilyOptions& options, const Parameter& parameter)
{
    for (const auto& [key, value] : options.parameters) {
        if (key == parameter.name)
            return value;
    }
    return parameter.rule != nullptr ? parameter.rule(options) : parameter.fallback;
}

int chosenWhole(const FamilyOptions& options, const Parameter& parameter)
{
    return static_cast<int>(chosen(options, parameter));
}

bool isOn(const FamilyOptions& options, const Parameter& flag)
{
    return chosen(options, flag) != 0;
}

const Parameter* findParameter(const Family& family, std::string_view name)
{
    for (const Parameter& parameter : family.parameters)
        if (parameter.name == name)
            return &parameter;
    return nullptr;
}

const Parameter* findParameter(const Family& family, ParameterRole role)
{
    for (const Parameter& parameter : family.parameters)
        if (parameter.role == role)
            return &parameter;
    return nullptr;
}

double parameterValue(const Family& family, const FamilyOptions& options, std::string_view name)
{
    const Parameter* parameter = findParameter(family, name);
    PW_ASSERT(parameter != nullptr && "the family has the parameter");
    return parameter != nullptr ? chosen(options, *parameter) : 0;
}

std::string valueText(const Parameter& parameter, double value)
{
    if (parameter.type == ParameterType::Flag && (value == 0 || value == 1))
        return value != 0 ? "on" : "off";
    for (std::size_t i = 0; i < parameter.choices.size(); ++i)
        if (value == static_cast<double>(i))
            return std::string(parameter.choices[i]);
    return exactNumber(value);
}

std::string rangeText(const Parameter& parameter)
{
    if (parameter.type == ParameterType::Flag)
        return "on or off";
    if (parameter.choices.empty())
        return plain(parameter.minimum) +
               (std::isinf(parameter.maximum) ? " or more" : " to " + plain(parameter.maximum));
    std::string text;
    for (const std::string_view& choice : parameter.choices)
        text += (text.empty()                           ? ""
                 : &choice == &parameter.choices.back() ? " or "
                                                        : ", ") +
                std::string(choice);
    return text;
}

std::string describe(const Parameter& parameter, double value)
{
    const std::string name(parameter.name);
    if (parameter.type == ParameterType::Flag && (value == 0 || value == 1))
        return value != 0 ? name : "no " + name;
    return name + ' ' + valueText(parameter, value);
}

std::string optionText(const Parameter& parameter, double value)
{
    const std::string option = "--" + std::string(parameter.name);
    return parameter.type == ParameterType::Flag && value == 1
               ? option
               : option + ' ' + valueText(parameter, value);
}

Result<double> readValue(const Parameter& parameter, std::string_view text)
{
    if (parameter.type == ParameterType::Flag) {
        for (const std::string_view word : {"on", "true", "yes"})
            if (text == word)
                return 1;
        for (const std::string_view word : {"off", "false", "no"})
            if (text == word)
                return 0;
    }
    for (std::size_t i = 0; i < parameter.choices.size(); ++i)
        if (text == parameter.choices[i])
            return static_cast<double>(i);
    if (const std::optional<double> number = decimalNumber(text))
        return *number;
    constexpr std::size_t shown = 60;
    return fail(ErrorCode::BadValue, "%1 takes %2, not '%3'", parameter.name, rangeText(parameter),
                text.substr(0, shown));
}

Result<PipelineSpec> specOf(const Family& family, const FamilyOptions& options)
{
    struct Count
    {
        const char* name;
        int value;
    };
    for (const Count& count :
         {Count{"devices", options.devices}, Count{"micro-batches", options.microBatches},
          Count{"steps", options.steps}}) {
        if (count.value < 1) {
            return fail(ErrorCode::BadValue, "%1 is %2; at least 1", count.name, count.value);
        }
        if (count.value > maxPasses) {
            return fail(ErrorCode::TooLarge, "%1 is %2; a schedule may have %3 passes", count.name,
                        count.value, maxPasses);
        }
    }
    // Before any placement is made: each device has at least one stage with an F and a backward.
    const double passes = 2.0 * options.devices * options.microBatches * options.steps;
    if (passes > static_cast<double>(maxPasses)) {
        return fail(
            ErrorCode::TooLarge,
            "%1 devices with %2 micro-batches make at least %3 passes; a schedule may have %4",
            options.devices, options.microBatches, plain(passes), maxPasses);
    }
    double factor = 1;
    for (const auto& [name, value] : options.parameters) {
        PW_DO(checkParameter(family, name, value));
        const ParameterRole role = findParameter(family, name)->role;
        if (role == ParameterRole::Chunks || role == ParameterRole::Segments ||
            role == ParameterRole::Waves)
            factor *= value;
    }
    if (passes * factor > static_cast<double>(maxPasses)) {
        return fail(ErrorCode::TooLarge,
                    "the chunks, segments and waves asked for make at least %1 passes; a schedule "
                    "may have %2",
                    plain(passes * factor), maxPasses);
    }
    return family.spec(options);
}

Result<Schedule> buildUniform(const Family& family, const FamilyOptions& options,
                              const UniformCosts& uniform)
{
    PW_TRY(const auto spec, specOf(family, options));
    return family.build(spec, options, expand(uniform, spec));
}

Result<Schedule> finish(const PipelineSpec& spec, DeviceOrders oneStep)
{
    if (!spec.updates)
        return Schedule::make(spec, oneStep);
    const auto chunks = chunksOfDevices(spec);
    DeviceOrders orders(oneStep.size());
    for (std::size_t device = 0; device < oneStep.size(); ++device) {
        auto& order = orders[device];
        order.reserve((oneStep[device].size() + chunks[device].size()) *
                      static_cast<std::size_t>(spec.steps));
        for (int step = 0; step < spec.steps; ++step) {
            for (OrderEntry entry : oneStep[device]) {
                entry.pass.microBatch += step * spec.microBatches;
                entry.partner.microBatch += step * spec.microBatches;
                order.push_back(entry);
            }
            for (const HostedStage& hosted : chunks[device]) {
                order.push_back(single(
                    {PassKind::U, static_cast<std::uint8_t>(hosted.route), hosted.stage, step, 0}));
            }
        }
    }
    return Schedule::make(spec, orders);
}

} // namespace pw
