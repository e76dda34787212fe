// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/backends/backends.h"

#include "app/backend_access.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/json_text.h"
#include "executor/api/wire.h"

#include <ostream>

namespace pw::app::commands {

namespace {

std::string jsonOf(const std::vector<exec::BackendInfo>& infos)
{
    JsonText json;
    json.beginArray();
    for (const exec::BackendInfo& info : infos) {
        json.beginObject();
        json.member("name", std::string_view(info.name));
        json.member("available", info.available);
        json.member("summary", std::string_view(info.summary));
        json.member("missing", std::string_view(info.missing));
        json.member("program", std::string_view(PW_VERSION));
        json.member("wire_protocol", exec::wireProtocol);
        json.key("devices");
        json.beginArray();
        for (const RunDevice& device : info.devices) {
            json.beginObject(JsonText::Layout::OneLine);
            json.member("name", std::string_view(device.name));
            json.member("memory_bytes", device.memory);
            json.endObject();
        }
        json.endArray();
        json.key("notes");
        json.beginArray();
        for (const std::string& note : info.notes)
            json.value(std::string_view(note));
        json.endArray();
        json.endObject();
    }
    json.endArray();
    return json.text();
}

/// Devices in words, equal ones counted together.
std::vector<std::string> devicesOf(const exec::BackendInfo& info)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < info.devices.size();) {
        std::size_t same = i;
        while (same < info.devices.size() && info.devices[same] == info.devices[i])
            ++same;
        const RunDevice& device = info.devices[i];
        lines.push_back(std::to_string(same - i) + " × " + device.name +
                        (device.memory > 0 ? ", " + byteText(device.memory) : ""));
        i = same;
    }
    return lines;
}

std::string textOf(const std::vector<exec::BackendInfo>& infos, const Screen& screen)
{
    std::string out;
    for (const exec::BackendInfo& info : infos) {
        out += screen.paint(info.name, Role::Accent) +
               (info.available ? "" : screen.paint("  not available", Role::Refusal)) + "\n";
        if (!info.available)
            out += wrapped(info.missing, screen.width, 2);
        else
            out += wrapped(info.summary, screen.width, 2);
        for (const std::string& line : devicesOf(info))
            out += wrapped(line, screen.width, 2);
        for (const std::string& note : info.notes)
            out += screen.paint(wrapped(note, screen.width, 2), Role::Secondary);
    }
    return out;
}

Outcome run(const Arguments& arguments, Console& console)
{
    // Of several processes that a launcher has started one speaks.
    const tl::expected<BackendAccess, Failure> access = BackendAccess::join();
    if (!access)
        return tl::unexpected<Failure>(access.error());
    if (!access->leads())
        return ExitCode::Good;
    const std::vector<exec::BackendInfo> infos = exec::backendInfos();
    console.out << (arguments.has("json") ? jsonOf(infos) : textOf(infos, console.screen));
    return ExitCode::Good;
}

std::vector<Option> options()
{
    return {{.name = "json", .summary = "for programs: an array", .section = "Output"}};
}

} // namespace

Command backends()
{
    Command command;
    command.name = "backends";
    command.summary = "what schedules can be run on here, and what is missing for the rest";
    command.about = "What each backend computes with and the devices that it found. Of a backend "
                    "that is not available: what is missing, and what would bring it.";
    command.examples = {"pipewright backends", "pipewright backends --json"};
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
