// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/file_options.h"
#include "app/model_options.h"
#include "app/study.h"
#include "app/text_table.h"
#include "core/base/display_text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/json_text.h"
#include "core/io/schedule_text.h"
#include "core/optimise/schedule_bound.h"
#include "core/sim/explanation.h"

#include <ostream>

namespace pw::app::commands {

namespace {

/// The entry of a device that is written as in the text notation.
Result<EntryId> entryOf(const Schedule& schedule, DeviceId device, const std::string& written)
{
    const PipelineSpec& spec = schedule.spec();
    const ChunkTable chunks(spec);
    FileProblems found;
    const auto entries = parseOrder(written, spec, chunks, device, {0, 1}, found);
    if (!found.none()) // without a line: it is no file
        return fail(ErrorCode::Syntax, "--pass: %1", found.error().message);
    if (entries.size() != 1)
        return fail(ErrorCode::BadValue, "--pass takes one pass, as F3, BW1 or B0.1; %1 has %2",
                    inQuotes(written), entries.size());
    const PassId id = schedule.table().id(entries.front().pass);
    if (!schedule.has(id) || schedule.kind(id) != entries.front().pass.kind)
        return fail(ErrorCode::BadValue, "the schedule has no %1 on device %2",
                    describe(entries.front().pass, spec), device);
    return schedule.entryOf(id);
}

/// What is asked for; without a question the whole.
Result<std::vector<Explanation>> answers(const Arguments& arguments, const Study& study,
                                         const SimResult& result)
{
    const Schedule& schedule = study.schedule;
    const Costs& costs = study.costs.costs;
    const DeviceId device(arguments.whole("device", -1));
    if (device >= schedule.devices())
        return fail(ErrorCode::BadValue, "--device is %1; the schedule has devices 0 to %2", device,
                    schedule.devices() - 1);
    std::vector<Explanation> all;
    if (arguments.has("pass")) {
        PW_TRY(const auto entry, entryOf(schedule, device, arguments.text("pass")));
        all.push_back(explainEntry(schedule, costs, result, entry));
        return all;
    }
    if (const auto at = arguments.number("at")) {
        PW_TRY(auto there, explainAt(schedule, costs, result, device, ticksFromMs(*at)));
        all.push_back(std::move(there));
        return all;
    }
    if (device < 0)
        all.push_back(
            explainMakespan(schedule, costs, result, provenBound(schedule, costs, result)));
    for (auto* explain : {&explainBubble, &explainMemory}) {
        PW_TRY(auto one, explain(schedule, costs, result, device));
        all.push_back(std::move(one));
    }
    return all;
}

void writeAnswers(const std::vector<Explanation>& all, Console& console)
{
    bool first = true;
    for (const Explanation& one : all) {
        console.out << (first ? "" : "\n") << console.screen.bold(displayText(one.title)) << "\n";
        first = false;
        for (const Sentence& sentence : one.sentences)
            console.out << wrapped(displayText(sentence), console.screen.width, 2);
    }
}

std::string explanationsJson(const std::vector<Explanation>& all)
{
    JsonText json;
    json.beginArray();
    for (const Explanation& one : all) {
        json.beginObject();
        json.member("title", std::string_view(one.title));
        json.key("sentences");
        json.beginArray();
        for (const Sentence& sentence : one.sentences)
            json.value(std::string_view(sentence));
        json.endArray();
        json.endObject();
    }
    json.endArray();
    return json.text();
}

Outcome runExplain(const Arguments& arguments, Console& console)
{
    const bool asks = arguments.has("pass") || arguments.has("at");
    if (asks && !arguments.has("device"))
        return usage("--pass and --at need --device");
    if (arguments.has("pass") && arguments.has("at"))
        return usage("--pass or --at, not both");
    PW_TRY(const Study study, studyOf(arguments.words()[0], arguments));
    PW_TRY(const SimResult result, simulate(study.schedule, study.costs.costs));
    const Result<std::vector<Explanation>> all = answers(arguments, study, result);
    if (!all)
        return all.error().code == ErrorCode::Syntax ? usage(all.error().message)
                                                     : wrong(all.error());
    if (arguments.has("json"))
        console.out << explanationsJson(*all);
    else
        writeAnswers(*all, console);
    return ExitCode::Good;
}

std::vector<Option> optionsOfExplain()
{
    std::vector<Option> all = shapeOptions();
    for (const std::vector<Option>& more : {costOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    constexpr const char* section = "What to explain";
    all.push_back({.name = "device",
                   .kind = ValueKind::Whole,
                   .placeholder = "D",
                   .summary = "only this device; counts from 0",
                   .section = section,
                   .minimum = 0,
                   .maximum = 1'000'000});
    all.push_back({.name = "at",
                   .kind = ValueKind::Number,
                   .placeholder = "MS",
                   .summary = "with --device: the pass, or the idle time, at this time",
                   .section = section,
                   .minimum = 0,
                   .maximum = 1e12});
    all.push_back({.name = "pass",
                   .kind = ValueKind::Text,
                   .placeholder = "PASS",
                   .summary = "with --device: one pass, as F3, BW1 or B0.1",
                   .section = section});
    all.push_back({.name = "json", .summary = "for programs: a list", .section = "Output"});
    return all;
}

} // namespace

Command explain()
{
    Command command;
    command.name = "explain";
    command.group = CommandGroup::Design;
    command.summary = "three sentences on a schedule, a device, a pass or idle time";
    command.words = "FAMILY|FILE";
    command.about =
        "Says in three sentences what something in a schedule is, why it is so and what follows, "
        "with the numbers of this schedule. Without an option it explains the makespan, the idle "
        "time and the memory of the whole.\n"
        "What a longer or shorter pass would do to the end is simulated.";
    command.examples = {"pipewright explain 1f1b", "pipewright explain 1f1b --device 2",
                        "pipewright explain 1f1b --device 2 --at 5",
                        "pipewright explain zb-h1 --device 0 --pass W0"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfExplain;
    command.run = runExplain;
    return command;
}

} // namespace pw::app::commands
