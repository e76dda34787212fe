// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What a page asks of schedules: families, projects, edits and what can be said of them.
#include "core/base/try.h"
#include "core/edit/pass_edits.h"
#include "core/families/recognise.h"
#include "core/io/family_value.h"
#include "core/io/page_json.h"
#include "core/sim/explanation.h"
#include "web/engine/calls.h"
#include "web/engine/scene.h"

#include <array>

namespace pw::web {

namespace {

constexpr auto oneLine = JsonText::Layout::OneLine;
constexpr int mostDevices = 1024;
constexpr int mostMicroBatches = 100'000;

/// The studio's own colours, and the colour of a text on each.
Result<void> colours(const Call& call)
{
    writeColours(call.out);
    return {};
}

Result<void> families(const Call& call)
{
    call.out.key("families");
    call.out.beginArray(oneLine);
    for (const Family& family : allFamilies()) {
        call.out.beginObject(oneLine);
        call.out.member("id", family.id);
        call.out.member("title", family.title);
        call.out.member("summary", family.summary);
        call.out.member("citation", family.citation);
        call.out.member("search", family.search);
        call.out.endObject();
    }
    call.out.endArray();
    return {};
}

FamilyChoice readChoice(const Call& call)
{
    FamilyChoice choice;
    choice.id = call.in.text("family");
    choice.options.devices = call.in.count("devices", 1);
    choice.options.microBatches = call.in.count("micro_batches", 1);
    const auto family = findFamily(choice.id);
    if (call.in.has("options")) {
        if (const JsonValue* options = call.in.object("options")) {
            JsonFields fields(*options, call.in.pathOf("options"), call.failure);
            for (const auto& [name, value] : options->GetObject())
                choice.options.parameters.emplace_back(
                    name.GetString(),
                    readFamilyValue(fields, name.GetString(), value, family ? *family : nullptr));
        }
    }
    if (!call.failure &&
        (choice.options.devices > mostDevices || choice.options.microBatches > mostMicroBatches))
        call.in.refuse("devices", "%1: a page has at most %2 devices and %3 micro-batches",
                       mostDevices, mostMicroBatches);
    return choice;
}

Result<void> open(const Call& call)
{
    const std::string text = call.in.text("project");
    PW_DO(call.read());
    PW_TRY(Project project, readProject(text));
    call.session.leaveLevel();
    call.session.open(std::move(project));
    return writeState(call.out, call.session);
}

Result<void> save(const Call& call)
{
    PW_TRY(const std::string text, writeProject(call.session.project()));
    call.out.member("project", std::string_view(text));
    return {};
}

Result<void> state(const Call& call)
{
    return writeState(call.out, call.session);
}

/// The schedule of a family in place of what is there.
Result<void> fill(const Call& call)
{
    const FamilyChoice choice = readChoice(call);
    PW_DO(call.read());
    PW_TRY(const Proposal filled, fillWithFamily(call.session.project(), choice));
    PW_DO(call.session.edit(filled.edit));
    return writeState(call.out, call.session);
}

/// The lanes of a family with the times of the project, to be seen beside it.
Result<void> compare(const Call& call)
{
    const FamilyChoice choice = readChoice(call);
    PW_DO(call.read());
    PW_TRY(const Proposal filled, fillWithFamily(call.session.project(), choice));
    Project other = call.session.project();
    PW_DO(apply(other, filled.edit));
    const auto family = findFamily(choice.id);
    call.out.member("title", family ? (*family)->title : std::string_view(choice.id));
    writeScene(call.out, filled.draft, costsOf(other), filled.times);
    return {};
}

Result<void> undo(const Call& call)
{
    call.session.undo();
    return writeState(call.out, call.session);
}

Result<void> redo(const Call& call)
{
    call.session.redo();
    return writeState(call.out, call.session);
}

/// Other times of equal stages, in nanoseconds of a full device share.
Result<void> setTimes(const Call& call)
{
    const auto* now = std::get_if<UniformCosts>(&call.session.project().costs);
    if (now == nullptr)
        return fail(ErrorCode::BadValue,
                    "the stages have times of their own; change those of single passes");
    UniformCosts uniform = *now;
    uniform.forward = call.in.integer("forward", 0, longestPass, uniform.forward);
    uniform.backward = call.in.integer("backward", 0, longestPass, uniform.backward);
    uniform.weight = call.in.integer("weight", 0, longestPass, uniform.weight);
    uniform.hop = call.in.integer("hop", 0, longestPass, uniform.hop);
    PW_DO(call.read());
    if (uniform != *now)
        PW_DO(call.session.edit(Edit{{SetCosts{uniform}}}));
    return writeState(call.out, call.session);
}

/// An entry by device and position, in the orders of the project.
struct Found
{
    Draft draft;
    OrderEntry entry;
};

Result<Found> entryOf(const Call& call)
{
    const DeviceId device(call.in.count("device", 0));
    const int position = call.in.count("position", 0);
    PW_DO(call.read());
    PW_TRY(Draft draft, draftOf(call.session.project()));
    if (device >= draft.spec.devices ||
        static_cast<std::size_t>(position) >= draft.orders[device.index()].size())
        return fail(ErrorCode::BadValue, "device %1 has no entry %2", device, position);
    const OrderEntry entry = draft.orders[device.index()][static_cast<std::size_t>(position)];
    return Found{std::move(draft), entry};
}

/// A time of its own for one pass; without `time` what the tables say again.
Result<void> setPassTime(const Call& call)
{
    std::optional<Ticks> time;
    if (call.in.has("time"))
        time = call.in.integer("time", 0, longestPass);
    PW_TRY(const Found found, entryOf(call));
    const std::vector<Pass> passes{found.entry.pass};
    PW_TRY(const Edit edit, passTimeEdit(call.session.project(), passes, time));
    PW_DO(call.session.edit(edit));
    return writeState(call.out, call.session);
}

/// What is said of an entry, of a device at a time, or of idle time and memory.
Result<void> explain(const Call& call)
{
    const std::string what = call.in.text("what");
    const int number = call.in.count("device", -1, -1);
    const int position = call.in.count("position", 0, 0);
    const Ticks time = call.in.integer("time", 0, std::numeric_limits<std::int64_t>::max(), 0);
    PW_DO(call.read());
    const DeviceId device = number < 0 ? DeviceId::none() : DeviceId(number);
    const Project& project = call.session.project();
    PW_TRY(const Schedule schedule, scheduleOf(project));
    const Costs costs = costsOf(project);
    PW_TRY(const SimResult result, simulate(schedule, costs));
    Explanation said;
    if (what == "entry") {
        if (number < 0 || number >= schedule.devices() ||
            schedule.begin(device) + position >= schedule.end(device))
            return fail(ErrorCode::BadValue, "device %1 has no entry %2", number, position);
        said = explainEntry(schedule, costs, result, schedule.begin(device) + position);
    } else if (what == "time") {
        PW_TRY(said, explainAt(schedule, costs, result, device, time));
    } else if (what == "bubble") {
        PW_TRY(said, explainBubble(schedule, costs, result, device));
    } else {
        PW_TRY(said, explainMemory(schedule, costs, result, device));
    }
    call.out.key("title");
    writeSentence(call.out, said.title);
    call.out.key("sentences");
    call.out.beginArray(oneLine);
    for (const Sentence& sentence : said.sentences)
        writeSentence(call.out, sentence);
    call.out.endArray();
    writeEntryIds(call.out, "entries", said.entries);
    return {};
}

Result<void> recogniseOrder(const Call& call)
{
    PW_TRY(const Schedule schedule, scheduleOf(call.session.project()));
    const Recognition found = recognise(schedule, {costsOf(call.session.project())});
    call.out.member("text", std::string_view(describe(found)));
    call.out.member("exact", found.exact());
    return {};
}

} // namespace

std::span<const Function> scheduleFunctions()
{
    static constexpr std::array<Function, 13> all = {{{"colours", colours},
                                                      {"families", families},
                                                      {"open", open},
                                                      {"save", save},
                                                      {"state", state},
                                                      {"fill", fill},
                                                      {"compare", compare},
                                                      {"undo", undo},
                                                      {"redo", redo},
                                                      {"times", setTimes},
                                                      {"pass_time", setPassTime},
                                                      {"explain", explain},
                                                      {"recognise", recogniseOrder}}};
    return all;
}

} // namespace pw::web
