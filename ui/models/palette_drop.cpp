// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/palette_drop.h"

#include "core/base/try.h"
#include "core/edit/fit_costs.h"
#include "core/edit/present.h"
#include "core/io/made_schedule.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/plural.h"
#include "ui/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <string>
#include <tuple>

namespace pw::ui {

namespace {

constexpr std::size_t mostChoices = 8;

class PaletteDropWords
{
    Q_DECLARE_TR_FUNCTIONS(PaletteDrop)
};

tl::unexpected<Error> refuse(const QString& why)
{
    return fail(ErrorCode::BadValue, why.toStdString());
}

QString microBatchesText(int count)
{
    return plural(count, Noun::MicroBatch);
}

/// Equal stages that take about as long as the tables say.
UniformCosts meanOf(const Costs& costs, int devices)
{
    const auto mean = [devices](const std::vector<Ticks>& table) {
        Ticks sum = 0;
        for (const Ticks time : table)
            sum += time;
        return std::max<Ticks>(1, sum / devices);
    };
    UniformCosts uniform;
    uniform.forward = mean(costs.forward);
    uniform.backward = mean(costs.backward);
    uniform.weight = mean(costs.weight);
    uniform.hop = costs.link.latency;
    for (const ActivationCost& cell : costs.activation)
        uniform.activation += cell.activation / devices;
    return uniform;
}

QString blockTitle(const Project& project, const PaletteItem& item)
{
    if (item.kind == PaletteKind::OwnBlock) {
        const std::string& title = project.blocks[static_cast<std::size_t>(item.block)].title;
        return title.empty() ? PaletteDropWords::tr("block %1").arg(item.block + 1) : text(title);
    }
    const Result<const Family*> family = findFamily(item.id.toStdString());
    return family ? PaletteDropWords::tr("%1 block").arg(text((*family)->title)) : item.id;
}

Result<PaletteDrop> dropBlock(const Project& project, const PaletteItem& item)
{
    const Result<BuildingBlock> block = blockFor(project, item);
    if (!block)
        return fail(block.error());
    PW_TRY(Proposal proposal, stamp(project, *block, item.microBatches, Growth::Grow));
    PaletteDrop drop;
    drop.hint = item.microBatches == 1
                    ? PaletteDropWords::tr("next micro-batch, interval %1").arg(block->interval)
                    : PaletteDropWords::tr("next %1 micro-batches, interval %2")
                          .arg(item.microBatches)
                          .arg(block->interval);
    const int before = project.draft.spec.microBatches;
    const int after = proposal.draft.spec.microBatches;
    if (after > before)
        drop.hint +=
            PaletteDropWords::tr("; the schedule grows from %1 to %2").arg(before).arg(after);
    if (proposal.draft.spec.routes != project.draft.spec.routes)
        drop.hint += PaletteDropWords::tr("; its stages are placed as in the block");
    drop.step = PaletteDropWords::tr("Place %1").arg(blockTitle(project, item));
    drop.proposal = std::move(proposal);
    return drop;
}

/// Why no pass of a kind is missing on a device.
QString noneLeft(PassKind kind, DeviceId device, const PipelineSpec& spec)
{
    switch (kind) {
    case PassKind::F:
        return PaletteDropWords::tr("Every F of device %1 is there already.").arg(device);
    case PassKind::B:
    case PassKind::BW:
    case PassKind::R:
        return PaletteDropWords::tr("Device %1 has no F that still waits for its backward.")
            .arg(device);
    case PassKind::W:
        return PaletteDropWords::tr("Device %1 has no B that still waits for its W.").arg(device);
    case PassKind::U:
        return spec.updates
                   ? PaletteDropWords::tr("Every update of device %1 is there already.").arg(device)
                   : PaletteDropWords::tr("This schedule has no optimizer updates.");
    }
    return {};
}

std::optional<PassKind> kindOf(const QString& id)
{
    for (const PassKind kind : allPassKinds)
        if (text(name(kind)) == id)
            return kind;
    return std::nullopt;
}

Result<PaletteDrop> dropPass(const Project& project, const PaletteItem& item,
                             const DropPlace& place)
{
    const std::optional<PassKind> kind = kindOf(item.id);
    if (!kind)
        return refuse(PaletteDropWords::tr("There is no pass %1.").arg(item.id));
    if (!place.device.valid())
        return refuse(PaletteDropWords::tr("A pass goes onto a device: hold it over a lane."));
    PW_TRY(const std::vector<Suggestion> found, suggestions(project, place.device, place.time));
    std::vector<Pass> passes;
    for (const Suggestion& one : found)
        if (one.pass.kind == *kind)
            passes.push_back(one.pass);
    if (passes.empty())
        return refuse(noneLeft(*kind, place.device, project.draft.spec));
    std::optional<Error> why;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        Result<PaletteDrop> drop = dropOf(project, passes[i], place);
        if (!drop) {
            why = why ? why : drop.error();
            continue;
        }
        std::rotate(passes.begin(), passes.begin() + static_cast<std::ptrdiff_t>(i),
                    passes.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        drop->choices = std::move(passes);
        return drop;
    }
    return fail(*why);
}

} // namespace

FamilyChoice choiceFor(const Project& project, const Family& family)
{
    const PipelineSpec& spec = project.draft.spec;
    FamilyChoice choice;
    choice.id = family.id;
    FamilyOptions& options = choice.options;
    if (project.family) {
        options = project.family->options;
    } else {
        options.devices = spec.devices;
        options.microBatches = spec.microBatches;
        options.steps = spec.steps;
        options.updates = spec.updates && spec.steps == 1;
        const auto follow = [&](ParameterRole role, int value) {
            const Parameter* parameter = findParameter(family, role);
            if (parameter != nullptr && value > 1)
                options.parameters.emplace_back(parameter->name, value);
        };
        follow(ParameterRole::Chunks, spec.stages() / std::max(1, spec.devices));
        follow(ParameterRole::Segments, spec.segments());
    }
    const auto fits = [&](const std::pair<std::string, double>& given) {
        const Parameter* one = findParameter(family, given.first);
        return one != nullptr && one->minimum <= given.second && given.second <= one->maximum;
    };
    std::erase_if(options.parameters, [&](const auto& given) { return !fits(given); });
    if (findParameter(family, ParameterRole::Segments) == nullptr)
        options.segmentLengths.clear();
    return choice;
}

Result<BuildingBlock> blockFor(const Project& project, const PaletteItem& item)
{
    if (item.kind == PaletteKind::OwnBlock) {
        if (item.block < 0 || static_cast<std::size_t>(item.block) >= project.blocks.size())
            return refuse(PaletteDropWords::tr("The project has no block %1.").arg(item.block + 1));
        return project.blocks[static_cast<std::size_t>(item.block)];
    }
    PW_TRY(const Family* family, findFamily(item.id.toStdString()));
    if (family->block == nullptr)
        return refuse(PaletteDropWords::tr("%1 has no building block.").arg(text(family->title)));
    FamilyOptions options = choiceFor(project, *family).options;
    // A block repeats over any number of micro-batches; a few are enough to draw it by.
    options.steps = 1;
    options.microBatches = std::max(options.microBatches, 3 * options.devices);
    return family->block(options);
}

Result<PaletteDrop> dropOf(const Project& project, const FamilyChoice& choice)
{
    PW_TRY(const Family* family, findFamily(choice.id));
    PW_TRY(PipelineSpec spec, specOf(*family, choice.options));
    Project after = project;
    after.family = choice;
    after.draft = {std::move(spec), {}};
    QString note;
    if (const Result<void> fitted = fitCosts(after, project.draft.spec); !fitted) {
        after.costs = meanOf(std::get<Costs>(project.costs), project.draft.spec.devices);
        after.origin.reset();
        note = PaletteDropWords::tr("; the costs by stage become their mean");
    }
    std::optional<std::variant<UniformCosts, Costs>> costs;
    if (after.costs != project.costs)
        costs = after.costs;
    constexpr std::chrono::milliseconds shortWait(40);
    const bool later = !madeAtOnce(after, shortWait);
    Result<Proposal> proposal = Proposal{};
    if (later) {
        proposal->edit.changes.emplace_back(SetSchedule{choice, after.draft});
        if (costs)
            proposal->edit.changes.emplace_back(SetCosts{*std::move(costs)});
        note += PaletteDropWords::tr("; computed after the drop");
    } else {
        proposal = fillWithFamily(project, choice, std::move(costs));
    }
    if (!proposal)
        return fail(proposal.error());
    for (Change& change : proposal->edit.changes)
        if (auto* set = change.as<SetCosts>())
            set->origin = after.origin;
    PaletteDrop drop;
    drop.hint = PaletteDropWords::tr("%1 for %2 on %3%4")
                    .arg(text(family->title), microBatchesText(choice.options.microBatches),
                         plural(choice.options.devices, Noun::Device), note);
    drop.step = PaletteDropWords::tr("Place %1").arg(text(family->title));
    drop.proposal = *std::move(proposal);
    drop.replaces = true;
    drop.later = later;
    return drop;
}

Result<PaletteDrop> dropOf(const Project& project, const PaletteItem& item, const DropPlace& place)
{
    switch (item.kind) {
    case PaletteKind::Section:
        break;
    case PaletteKind::Family: {
        PW_TRY(const Family* family, findFamily(item.id.toStdString()));
        return dropOf(project, choiceFor(project, *family));
    }
    case PaletteKind::Block:
    case PaletteKind::OwnBlock:
        return dropBlock(project, item);
    case PaletteKind::Pass:
        return dropPass(project, item, place);
    }
    return refuse(PaletteDropWords::tr("A heading cannot be placed."));
}

Result<PaletteDrop> dropOf(const Project& project, const Pass& pass, const DropPlace& place)
{
    PW_TRY(Proposal proposal, insertPass(project, pass, place.time));
    const EntryId added = proposal.added.front();
    const std::vector<EntryId>& blocked = proposal.times.blocked;
    if (!place.free && std::binary_search(blocked.begin(), blocked.end(), added))
        return fail(ErrorCode::Deadlock,
                    coreSentence(ringText(proposal.times.ring, proposal.draft.spec)).toStdString());
    PaletteDrop drop;
    drop.hint = passText(pass, proposal.draft.spec);
    drop.step = PaletteDropWords::tr("Place %1").arg(drop.hint);
    drop.proposal = std::move(proposal);
    drop.choices = {pass};
    return drop;
}

DropPlace placeFor(const Project& project, const PaletteItem& item, const EntryAt* selected)
{
    DropPlace place;
    const std::optional<PassKind> kind =
        item.kind == PaletteKind::Pass ? kindOf(item.id) : std::nullopt;
    if (!kind)
        return place;
    const Result<Draft> draft = draftOf(project);
    if (!draft)
        return place;
    const Result<DraftTimes> times = draftTimes(*draft, costsOf(project));
    if (!times)
        return place;
    const auto endOf = [&](DeviceId device, std::size_t position) {
        return times->times.end[static_cast<std::size_t>(times->entry(device, position))];
    };
    if (selected != nullptr) {
        place.device = selected->device;
        place.time = endOf(selected->device, static_cast<std::size_t>(selected->position));
        return place;
    }
    std::optional<Suggestion> best;
    for (const DeviceId device : Ids<DeviceId>(draft->spec.devices)) {
        const auto& order = draft->orders[static_cast<std::size_t>(device)];
        const Ticks end = order.empty() ? 0 : endOf(device, order.size() - 1);
        const Result<std::vector<Suggestion>> found = suggestions(project, device, end);
        if (!found)
            continue;
        for (const Suggestion& one : *found) {
            if (one.pass.kind != *kind)
                continue;
            const auto rank = [](const Suggestion& of, Ticks start) {
                return std::tuple(!of.complete, of.pass.microBatch, start);
            };
            const Ticks start = std::max(end, one.ready);
            if (best && rank(*best, place.time) <= rank(one, start))
                continue;
            best = one;
            place.device = device;
            place.time = start;
        }
    }
    if (!best)
        place.device = DeviceId(0);
    return place;
}

std::vector<Pass> choicesWith(const Project& project, std::vector<Pass> choices)
{
    const Result<Draft> draft = draftOf(project);
    if (!draft || choices.empty())
        return choices;
    const PipelineSpec& spec = draft->spec;
    const Present present(*draft);
    const std::vector<Pass> first = choices;
    const int last =
        first.front().kind == PassKind::U ? spec.updatesPerStage() : spec.totalMicroBatches();
    for (int ahead = 1; ahead < last && choices.size() < mostChoices; ++ahead) {
        for (Pass pass : first) {
            pass.microBatch += ahead;
            const Pass forward = withKind(pass, PassKind::F);
            const bool known = std::find(choices.begin(), choices.end(), pass) != choices.end();
            if (known || pass.microBatch >= last || choices.size() >= mostChoices ||
                present.has(pass))
                continue;
            if (pass.kind != PassKind::U && spec.route(pass.microBatch) != pass.route)
                continue;
            const bool ready = pass.kind == PassKind::F || pass.kind == PassKind::U ||
                               (pass.kind == PassKind::W ? present.has(withKind(pass, PassKind::B))
                                                         : present.has(forward));
            if (ready)
                choices.push_back(pass);
        }
    }
    return choices;
}

} // namespace pw::ui
