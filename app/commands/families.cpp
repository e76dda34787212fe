// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/figures.h"
#include "app/own_families.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/json_text.h"

#include <cmath>
#include <ostream>

namespace pw::app::commands {

namespace {

std::string rangeAndDefault(const Parameter& parameter)
{
    return rangeText(parameter) + ", default " +
           (parameter.rule == nullptr ? valueText(parameter, parameter.fallback)
                                      : std::string(parameter.fallbackText));
}

std::string_view typeName(ParameterType type)
{
    switch (type) {
    case ParameterType::Whole:
        return "whole";
    case ParameterType::Number:
        return "number";
    case ParameterType::Flag:
        return "flag";
    case ParameterType::Choice:
        return "choice";
    }
    return "";
}

void writeParameters(JsonText& json, const Family& family)
{
    json.key("parameters");
    json.beginArray();
    for (const Parameter& parameter : family.parameters) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("name", parameter.name);
        json.member("summary", parameter.summary);
        json.member("minimum", parameter.minimum);
        json.member("maximum", parameter.maximum); // null: no limit
        if (parameter.rule == nullptr)
            json.member("default", parameter.fallback);
        else
            json.member("default", parameter.fallbackText);
        json.member("integer", parameter.integer());
        json.member("type", typeName(parameter.type));
        if (!parameter.choices.empty()) {
            json.key("choices");
            json.beginArray(JsonText::Layout::OneLine);
            for (const std::string_view choice : parameter.choices)
                json.value(choice);
            json.endArray();
        }
        json.endObject();
    }
    json.endArray();
}

std::string jsonOf(std::span<const Family> families)
{
    JsonText json;
    json.beginArray();
    for (const Family& family : families) {
        json.beginObject();
        json.member("id", family.id);
        json.member("title", family.title);
        json.member("summary", family.summary);
        json.member("citation", family.citation);
        json.member("search", family.search);
        json.member("block", family.block != nullptr);
        writeParameters(json, family);
        json.key("closed_forms");
        json.beginArray();
        for (const ClosedForm& form : family.closedForms) {
            json.beginObject(JsonText::Layout::OneLine);
            json.member("quantity", jsonName(form.quantity));
            json.member("formula", form.formula);
            json.member("condition", form.condition);
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
    return json.text();
}

std::string listOf(std::span<const Family> families, const Screen& screen)
{
    TextTable table(screen, {{"", "", TextTable::Align::Left}, {}});
    for (const Family& family : families) {
        table.appendNote(screen.paint(family.id, Role::Accent), std::string(family.summary));
    }
    return table.text(0) + "\nOne of them in full: pipewright families FAMILY\n";
}

std::string_view quantityName(Quantity quantity)
{
    switch (quantity) {
    case Quantity::SpanBubble:
        return "span bubble";
    case Quantity::WallBubble:
        return "wall bubble";
    case Quantity::Makespan:
        return "makespan";
    case Quantity::PeakActivation:
        return "peak activation";
    case Quantity::WeightVersions:
        return "weight versions";
    }
    return "";
}

std::string pageOf(const Family& family, const Screen& screen)
{
    std::string out = screen.bold(family.title) + "  " + std::string(family.id) + "\n\n" +
                      wrapped(family.summary, screen.width) + "\n" +
                      screen.paint(wrapped(family.citation, screen.width), Role::Secondary);
    TextTable parameters(screen, {{"", "", TextTable::Align::Left}, {}});
    for (const Parameter& parameter : family.parameters)
        parameters.appendNote(screen.paint("--" + std::string(parameter.name), Role::Accent),
                              std::string(parameter.summary) + " (" + rangeAndDefault(parameter) +
                                  ")");
    if (!family.parameters.empty())
        out += "\n" + screen.bold("Parameters") + "\n" + parameters.text();
    TextTable forms(screen, {{"", "", TextTable::Align::Left}, {}});
    for (const ClosedForm& form : family.closedForms) {
        std::string text(form.formula);
        if (!form.condition.empty())
            text += screen.paint(", where " + std::string(form.condition), Role::Secondary);
        forms.appendNote(std::string(quantityName(form.quantity)), text);
    }
    if (!family.closedForms.empty())
        out += "\n" + screen.bold("Closed forms") + " for equal stages\n" + forms.text();
    return out;
}

Outcome runFamilies(const Arguments& arguments, Console& console)
{
    std::span<const Family> shown = allFamilies();
    const bool one = !arguments.words().empty();
    if (one) {
        const Result<const Family*> family = familyOrFile(arguments.words()[0]);
        if (!family)
            return usage(family.error().message);
        shown = std::span(*family, 1);
    }
    if (arguments.has("json"))
        console.out << jsonOf(shown);
    else
        console.out << (one ? pageOf(shown[0], console.screen) : listOf(shown, console.screen));
    return ExitCode::Good;
}

std::vector<Option> optionsOfFamilies()
{
    return {{.name = "json", .summary = "for programs: an array of families"}};
}

} // namespace

Command families()
{
    Command command;
    command.name = "families";
    command.group = CommandGroup::Design;
    command.summary = "the known schedule families, with citations and formulas";
    command.words = "[FAMILY]";
    command.about = "Lists the schedule families, or shows one of them: what it is, where it was "
                    "published, the parameters that it takes and the closed forms that it is "
                    "known by.";
    command.examples = {"pipewright families", "pipewright families 1f1b",
                        "pipewright families --json"};
    command.wordKind = WordKind::Family;
    command.maximumWords = 1;
    command.options = optionsOfFamilies;
    command.run = runFamilies;
    return command;
}

} // namespace pw::app::commands
