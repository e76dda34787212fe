// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/file_families.h"

#include "core/base/try.h"
#include "core/families/registry.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

namespace pw {

namespace {

using families::FamilyFile;
using families::FileParameter;

// A family is functions and no object, so that those of the program are plain. A family of a file
// has a slot, and functions that know its number. Slots are never given up: whoever has found a
// family may keep it.
std::array<std::atomic<const FamilyFile*>, maxFileFamilies> slots{};

template<std::size_t N>
Result<PipelineSpec> slotSpec(const FamilyOptions& options)
{
    return slots[N].load()->spec(options);
}

template<std::size_t N>
Result<Schedule> slotBuild(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    return slots[N].load()->build(spec, options);
}

template<std::size_t N>
Result<BuildingBlock> slotBlock(const FamilyOptions& options)
{
    return slots[N].load()->block(options);
}

template<std::size_t N, std::size_t P>
double slotDefault(const FamilyOptions& options)
{
    return slots[N].load()->fallback(P, options);
}

struct SlotFunctions
{
    decltype(Family::spec) spec = nullptr;
    decltype(Family::build) build = nullptr;
    decltype(Family::block) block = nullptr;
    std::array<decltype(Parameter::rule), families::maxFamilyParameters> defaults{};
};

template<std::size_t N, std::size_t... P>
constexpr SlotFunctions functionsOfSlot(std::index_sequence<P...>)
{
    return {slotSpec<N>, slotBuild<N>, slotBlock<N>, {slotDefault<N, P>...}};
}

template<std::size_t... N>
constexpr std::array<SlotFunctions, sizeof...(N)> functionsOfAll(std::index_sequence<N...>)
{
    return {functionsOfSlot<N>(std::make_index_sequence<families::maxFamilyParameters>())...};
}

constexpr std::array<SlotFunctions, maxFileFamilies> slotFunctions =
    functionsOfAll(std::make_index_sequence<maxFileFamilies>());

ParameterRole roleOf(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, ParameterRole>, 4> roles = {
        {{"chunks", ParameterRole::Chunks},
         {"segments", ParameterRole::Segments},
         {"waves", ParameterRole::Waves},
         {"group", ParameterRole::Group}}};
    for (const auto& [known, role] : roles)
        if (known == name)
            return role;
    return ParameterRole::None;
}

Parameter parameterOf(const FileParameter& from, const FamilyFile& file,
                      decltype(Parameter::rule) rule)
{
    if (from.flag)
        return flagParameter(from.name, from.summary);
    Parameter made;
    made.name = from.name;
    made.summary = from.summary;
    made.minimum = static_cast<double>(from.minimum);
    if (from.maximum)
        made.maximum = static_cast<double>(*from.maximum);
    made.role = roleOf(from.name);
    made.fallbackText = from.fallbackText;
    if (from.fallbackText.empty())
        made.fallback = static_cast<double>(
            file.program.nodes[static_cast<std::size_t>(from.fallback.node)].value);
    else
        made.rule = rule;
    return made;
}

Family familyOf(const FamilyFile& file, const SlotFunctions& functions)
{
    Family made;
    made.id = file.id;
    made.title = file.title;
    made.summary = file.summary;
    made.citation = file.citation;
    for (std::size_t i = 0; i < file.parameters.size(); ++i)
        made.parameters.push_back(parameterOf(file.parameters[i], file, functions.defaults[i]));
    made.spec = functions.spec;
    made.build = functions.build;
    made.fixedOrder = true; // the language knows no costs
    made.block = file.hasBlock() ? functions.block : nullptr;
    return made;
}

/// Whether a parameter would mean one thing here and another there: one option serves both.
Result<void> checkParameters(const FamilyFile& file)
{
    for (const FileParameter& own : file.parameters) {
        for (const Family& family : allFamilies()) {
            const Parameter* other = findParameter(family, own.name);
            if (other == nullptr)
                continue;
            const ParameterType type = own.flag ? ParameterType::Flag : ParameterType::Whole;
            if (other->type != type)
                return fail(ErrorCode::BadValue, "%1: the parameter %2 is of another type in %3",
                            file.path, own.name, family.id);
        }
    }
    return {};
}

/// A file of the slots that says the same of the same id.
bool isKnown(const FamilyFile& file)
{
    return std::any_of(slots.begin(), slots.end(), [&file](const auto& slot) {
        const FamilyFile* known = slot.load();
        return known != nullptr && known->id == file.id && known->text == file.text;
    });
}

} // namespace

Result<std::vector<std::string>> addFileFamilies(std::vector<families::FamilyFile> files)
{
    static std::mutex mutex;
    static std::size_t used = 0;
    const std::lock_guard lock(mutex);
    std::vector<std::string> ids;
    std::vector<FamilyFile> fresh;
    for (FamilyFile& file : files) {
        if (std::find(ids.begin(), ids.end(), file.id) != ids.end())
            return fail(ErrorCode::BadValue, "%1: another file has the family %2 already",
                        file.path, file.id);
        ids.push_back(file.id);
        if (isKnown(file))
            continue;
        if (findFamily(file.id))
            return fail(ErrorCode::BadValue, "%1: there is a family %2 already", file.path,
                        file.id);
        PW_DO(checkParameters(file));
        fresh.push_back(std::move(file));
    }
    if (used + fresh.size() > maxFileFamilies)
        return fail(ErrorCode::TooLarge, "more than %1 families of files", maxFileFamilies);
    std::vector<Family> more;
    for (FamilyFile& file : fresh) {
        // They live as long as the program: names and functions of families point here.
        auto kept = std::make_unique<const FamilyFile>(std::move(file));
        more.push_back(familyOf(*kept, slotFunctions[used]));
        slots[used++].store(kept.release());
    }
    families::extend(std::move(more));
    return ids;
}

std::string_view fileOfFamily(const Family& family)
{
    for (const auto& slot : slots) {
        const FamilyFile* file = slot.load();
        if (file != nullptr && file->id == family.id)
            return file->path;
    }
    return {};
}

} // namespace pw
