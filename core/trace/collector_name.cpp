// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/collector_name.h"

#include <set>
#include <string>
#include <utility>

namespace pw {

namespace {

/// Words of letters, in small ones: "checkpoint_save", "saveCheckpoint", "torch::save".
std::set<std::string> wordsIn(std::string_view name)
{
    std::set<std::string> words;
    std::string word;
    char before = ' ';
    for (const char c : name) {
        const bool small = c >= 'a' && c <= 'z', large = c >= 'A' && c <= 'Z';
        if (!word.empty() && (!(small || large) || (large && before >= 'a' && before <= 'z'))) {
            words.insert(std::move(word));
            word.clear();
        }
        if (small || large)
            word += static_cast<char>(c | 0x20);
        before = c;
    }
    if (!word.empty())
        words.insert(std::move(word));
    return words;
}

} // namespace

bool namesCollector(std::string_view name)
{
    const std::set<std::string> words = wordsIn(name);
    const auto has = [&](const char* word) { return words.count(word) > 0; };
    const bool written = has("write") || has("dump") || has("store");
    return has("gc") || has("garbage") || has("save") || has("saving") ||
           (has("checkpoint") && written);
}

} // namespace pw
