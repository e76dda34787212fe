// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/backend_report.h"

#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/json_text.h"
#include "executor/api/wire.h"

namespace pw::app {

namespace {

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

} // namespace

std::string backendJson(const std::vector<exec::BackendInfo>& infos)
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

std::string backendText(const std::vector<exec::BackendInfo>& infos, const Screen& screen)
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

} // namespace pw::app
