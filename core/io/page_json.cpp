// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/page_json.h"

#include "core/io/colors.h"

#include <array>
#include <string_view>
#include <utility>

namespace pw {

namespace {

constexpr std::array<std::string_view, roleCount> roleNames = {
    "text",           "secondary", "accent",        "refusal", "good",        "forward",
    "forward-tint",   "backward",  "backward-tint", "weight",  "weight-tint", "recompute",
    "recompute-tint", "update",    "update-tint",   "paper",   "panel",       "lane",
    "line",           "hatch",     "sooner",        "same",    "later"};

} // namespace

void writeSentence(JsonText& out, const Sentence& sentence)
{
    if (sentence.pattern() == nullptr) {
        out.value(std::string_view(sentence.english()));
        return;
    }
    out.beginArray(JsonText::Layout::OneLine);
    out.value(sentence.pattern());
    for (const Sentence& argument : sentence.arguments())
        writeSentence(out, argument);
    out.endArray();
}

void writeColours(JsonText& out)
{
    for (const auto& [name, ground] : {std::pair{"light", Ground::Light}, {"dark", Ground::Dark}}) {
        out.key(name);
        out.beginObject(JsonText::Layout::OneLine);
        for (int role = 0; role < roleCount; ++role) {
            const Rgb color = colorOf(static_cast<Role>(role), ground);
            out.key(roleNames[static_cast<std::size_t>(role)]);
            out.beginArray(JsonText::Layout::OneLine);
            out.value(std::string_view(hexOf(color)));
            out.value(wantsWhiteText(color));
            out.endArray();
        }
        out.endObject();
    }
}

} // namespace pw
