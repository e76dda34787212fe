// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "python/binding.h"

#include <algorithm>

namespace pw::python {

namespace {

std::string textOf(const py::handle& value)
{
    return py::cast<std::string>(py::str(value));
}

bool isText(const py::handle& value)
{
    return py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value) ||
           py::hasattr(value, "__fspath__");
}

/// One value as it is typed: a path, a number, or numbers of a pair with a colon between.
std::string cellText(const py::handle& value)
{
    if (isText(value))
        return pathOf(value);
    if (py::isinstance<py::tuple>(value)) {
        std::string text;
        for (const py::handle part : py::reinterpret_borrow<py::tuple>(value))
            text += (text.empty() ? "" : ":") + textOf(part);
        return text;
    }
    return textOf(value);
}

bool isList(const py::handle& value)
{
    return !isText(value) && py::hasattr(value, "__iter__") && !py::isinstance<py::dict>(value);
}

std::vector<std::string> cellsOf(const py::handle& value)
{
    std::vector<std::string> cells;
    for (const py::handle cell : value)
        cells.push_back(cellText(cell));
    return cells;
}

std::string joined(const std::vector<std::string>& cells)
{
    std::string text;
    for (const std::string& cell : cells)
        text += (&cell == &cells.front() ? "" : ",") + cell;
    return text;
}

bool hasChoice(const app::Option& option, const char* choice)
{
    return std::find(option.choices.begin(), option.choices.end(), choice) != option.choices.end();
}

/// The words of one option.
void append(std::vector<std::string>& words, const std::string& name, const app::Option* option,
            const py::handle& value)
{
    const std::string dashed = "--" + name;
    if (value.is_none())
        return;
    if (py::isinstance<py::bool_>(value)) {
        const bool on = py::cast<bool>(value);
        const bool isSwitch = option != nullptr && option->kind == app::ValueKind::Switch;
        const bool stands =
            option == nullptr || option->kind == app::ValueKind::Flag || !option->omitted.empty();
        const bool isYesOrNo = option != nullptr && hasChoice(*option, "yes");
        if (isSwitch)
            words.push_back(dashed + (on ? "=on" : "=off"));
        else if (isYesOrNo)
            words.push_back(dashed + (on ? "=yes" : "=no"));
        else if (stands && on)
            words.push_back(dashed);
        else if (!stands)
            words.push_back(dashed + "=" + (on ? "True" : "False"));
        return;
    }
    if (option != nullptr && option->repeats) {
        for (const std::string& cell :
             isList(value) ? cellsOf(value) : std::vector<std::string>{cellText(value)})
            words.push_back(dashed + "=" + cell);
        return;
    }
    words.push_back(dashed + "=" + (isList(value) ? joined(cellsOf(value)) : cellText(value)));
}

} // namespace

app::Arguments argumentsOf(const std::vector<app::Option>& options, const py::dict& keywords,
                           const std::vector<std::string>& words)
{
    std::vector<std::string> line;
    for (const auto& [key, value] : keywords) {
        std::string name = py::cast<std::string>(key);
        if (name.size() > 1 && name.back() == '_')
            name.pop_back(); // from_, which is a word of the language
        std::replace(name.begin(), name.end(), '_', '-');
        const auto option = std::find_if(options.begin(), options.end(),
                                         [&name](const app::Option& o) { return o.name == name; });
        append(line, name, option == options.end() ? nullptr : &*option, value);
    }
    line.emplace_back("--");
    line.insert(line.end(), words.begin(), words.end());
    app::Arguments arguments = taken(app::parse(options, line));
    for (const std::string& old : arguments.oldSpellings())
        warnOfOldName(old);
    return arguments;
}

void warnOfOldName(const std::string& sentence)
{
    const py::object told =
        py::module_::import("pipewright._core").attr("_with_keywords")(sentence);
    py::module_::import("warnings")
        .attr("warn")(told, py::module_::import("builtins").attr("DeprecationWarning"));
}

std::string pathOf(const py::handle& path)
{
    // Names of files need not be UTF-8; Python has their bytes in a text that has none.
    return py::bytes(py::module_::import("os").attr("fsencode")(path));
}

std::vector<std::string> pathsOf(const py::object& paths)
{
    if (isText(paths))
        return {pathOf(paths)};
    std::vector<std::string> all;
    for (const py::handle path : paths)
        all.push_back(pathOf(path));
    return all;
}

py::object fromJson(const std::string& text)
{
    return py::module_::import("json").attr("loads")(text);
}

py::object msOrNone(const std::optional<Ticks>& ticks)
{
    return ticks ? py::object(py::float_(msFromTicks(*ticks))) : py::object(py::none());
}

} // namespace pw::python
