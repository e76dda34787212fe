// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/own_families.h"

#include "core/base/try.h"
#include "core/families/registry.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

namespace pw {

namespace {

// A family is functions and no object, so that those of the program are plain. One that comes later
// has a slot, and functions that know its number. Slots are never given up: whoever has found a
// family may keep it.
std::array<std::atomic<const OwnFamily*>, maxOwnFamilies> slots{};

/// What is in the slots; changed under the mutex.
struct Used
{
    std::mutex mutex;
    std::vector<std::string> ids; ///< by slot
};

Used& used()
{
    static Used all;
    return all;
}

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
    std::array<decltype(Parameter::rule), maxOwnParameters> defaults{};
};

template<std::size_t N, std::size_t... P>
constexpr SlotFunctions functionsOfSlot(std::index_sequence<P...>)
{
    return {slotSpec<N>, slotBuild<N>, slotBlock<N>, {slotDefault<N, P>...}};
}

template<std::size_t... N>
constexpr std::array<SlotFunctions, sizeof...(N)> functionsOfAll(std::index_sequence<N...>)
{
    return {functionsOfSlot<N>(std::make_index_sequence<maxOwnParameters>())...};
}

constexpr std::array<SlotFunctions, maxOwnFamilies> slotFunctions =
    functionsOfAll(std::make_index_sequence<maxOwnFamilies>());

/// Whether a parameter would mean one thing here and another there: one option serves both.
Result<void> checkParameters(const OwnFamilyEntry& entry)
{
    if (entry.family.parameters.size() > maxOwnParameters)
        return fail(ErrorCode::TooLarge, "%1: more than %2 parameters", entry.maker->origin(),
                    maxOwnParameters);
    for (const Parameter& own : entry.family.parameters) {
        for (const Family& family : allFamilies()) {
            const Parameter* other = findParameter(family, own.name);
            if (other != nullptr && other->type != own.type && family.id != entry.family.id)
                return fail(ErrorCode::BadValue, "%1: the parameter %2 is of another type in %3",
                            entry.maker->origin(), own.name, family.id);
        }
    }
    return {};
}

Result<void> checkId(const OwnFamilyEntry& entry, const std::vector<std::string>& before)
{
    const std::string id(entry.family.id);
    if (std::find(before.begin(), before.end(), id) != before.end())
        return fail(ErrorCode::BadValue, "%1: another file has the family %2 already",
                    entry.maker->origin(), id);
    const Result<const Family*> known = findFamily(id);
    if (known && !((*known)->ofThisProgram && entry.family.ofThisProgram))
        return fail(ErrorCode::BadValue, "%1: there is a family %2 already", entry.maker->origin(),
                    id);
    return {};
}

/// Puts what makes a family into its slot, and the functions of the slot into the family.
Family placed(OwnFamilyEntry entry, std::vector<std::string>& ids)
{
    const std::string id(entry.family.id);
    const auto at = std::find(ids.begin(), ids.end(), id);
    const auto slot = static_cast<std::size_t>(at - ids.begin());
    if (at == ids.end())
        ids.push_back(id);
    const SlotFunctions& functions = slotFunctions[slot];
    Family& family = entry.family;
    family.spec = functions.spec;
    family.build = functions.build;
    family.block = entry.hasBlock ? functions.block : nullptr;
    for (std::size_t i = 0; i < family.parameters.size(); ++i)
        if (!family.parameters[i].fallbackText.empty())
            family.parameters[i].rule = functions.defaults[i];
    // It lives as long as the program: names and functions of families point here.
    slots[slot].store(entry.maker.release());
    return std::move(family);
}

} // namespace

Result<BuildingBlock> OwnFamily::block(const FamilyOptions&) const
{
    return fail(ErrorCode::BadValue, "%1 has no building block", origin());
}

double OwnFamily::fallback(std::size_t, const FamilyOptions&) const
{
    return 1;
}

Result<void> addOwnFamilies(std::vector<OwnFamilyEntry> entries)
{
    const std::lock_guard lock(used().mutex);
    std::vector<std::string> fresh;
    for (const OwnFamilyEntry& entry : entries) {
        PW_DO(checkId(entry, fresh));
        PW_DO(checkParameters(entry));
        fresh.emplace_back(entry.family.id);
    }
    const auto isNew = [](const std::string& id) { return !findFamily(id); };
    const auto more = static_cast<std::size_t>(std::count_if(fresh.begin(), fresh.end(), isNew));
    if (used().ids.size() + more > maxOwnFamilies)
        return fail(ErrorCode::TooLarge, "more than %1 families of one's own", maxOwnFamilies);
    std::vector<Family> families;
    for (OwnFamilyEntry& entry : entries)
        families.push_back(placed(std::move(entry), used().ids));
    families::extend(std::move(families));
    return {};
}

const OwnFamily* makerOf(std::string_view id)
{
    const std::lock_guard lock(used().mutex);
    const std::vector<std::string>& ids = used().ids;
    const auto at = std::find(ids.begin(), ids.end(), id);
    return at == ids.end() ? nullptr : slots[static_cast<std::size_t>(at - ids.begin())].load();
}

ParameterRole roleOfName(std::string_view name)
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

} // namespace pw
