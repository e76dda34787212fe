// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/fuzz/corpus_file.h"

#include "tests/fuzz/readers.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace pw::fuzz {

namespace {

std::string lineOf(std::string_view input)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string line;
    for (const char c : input) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n')
            line += "\\n";
        else if (c == '\\')
            line += "\\\\";
        else if (byte >= 0x20 && byte < 0x7f)
            line += c;
        else
            line += {'\\', 'x', digits[byte >> 4U], digits[byte & 0xfU]};
    }
    return line;
}

std::optional<std::string> inputOf(std::string_view line)
{
    std::string input;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\') {
            input += line[i];
            continue;
        }
        if (++i == line.size())
            return std::nullopt;
        if (line[i] == 'n') {
            input += '\n';
        } else if (line[i] == '\\') {
            input += '\\';
        } else if (line[i] == 'x' && line.size() - i > 2) {
            int byte = 0;
            const char* const end = line.data() + i + 3;
            if (std::from_chars(end - 2, end, byte, 16).ptr != end)
                return std::nullopt;
            input += static_cast<char>(byte);
            i += 2;
        } else {
            return std::nullopt;
        }
    }
    return input;
}

} // namespace

std::vector<std::string> readCorpus(const std::filesystem::path& file)
{
    std::vector<std::string> inputs;
    std::ifstream in(file, std::ios::binary);
    if (!in)
        broken(file.string() + " cannot be read");
    for (std::string line; std::getline(in, line);) {
        std::optional<std::string> input = inputOf(line);
        if (!input)
            broken(file.string() + " has no input in line " + std::to_string(inputs.size() + 1));
        inputs.push_back(std::move(*input));
    }
    return inputs;
}

void writeCorpus(const std::filesystem::path& file, std::vector<std::string> inputs)
{
    std::sort(inputs.begin(), inputs.end());
    std::ofstream out(file, std::ios::binary);
    for (const std::string& input : inputs)
        out << lineOf(input) << '\n';
    if (!out.flush())
        broken(file.string() + " cannot be written");
}

void unpackCorpus(const std::filesystem::path& file, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& input : readCorpus(file))
        std::ofstream(folder / std::to_string(number++), std::ios::binary) << input;
}

void packCorpus(const std::filesystem::path& folder, const std::filesystem::path& file)
{
    std::vector<std::string> inputs;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream in(entry.path(), std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    writeCorpus(file, std::move(inputs));
}

} // namespace pw::fuzz
