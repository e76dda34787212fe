// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/collective_call.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

/// The letters of a text, small; what stands in a bracket behind a name is left out.
std::string lettersOf(std::string_view text)
{
    constexpr std::size_t enough = 512;
    std::string letters;
    for (const char c : text.substr(0, std::min(enough, text.find('('))))
        if (c >= 'A' && c <= 'Z')
            letters += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c == '2' && !letters.empty()))
            letters += c;
    return letters;
}

struct Word
{
    std::string_view text;
    CollectiveKind kind;
};

// What is part of another comes behind it.
constexpr std::array<Word, 18> words = {{{"alltoall", CollectiveKind::AllToAll},
                                         {"all2all", CollectiveKind::AllToAll},
                                         {"allreduce", CollectiveKind::AllReduce},
                                         {"crossdevicereduce", CollectiveKind::AllReduce},
                                         {"allgather", CollectiveKind::AllGather},
                                         {"reducescatter", CollectiveKind::ReduceScatter},
                                         {"broadcast", CollectiveKind::Broadcast},
                                         {"bcast", CollectiveKind::Broadcast},
                                         {"barrier", CollectiveKind::Barrier},
                                         {"sendrecv", CollectiveKind::Message},
                                         {"isend", CollectiveKind::Message},
                                         {"irecv", CollectiveKind::Message},
                                         {"receive", CollectiveKind::Message},
                                         {"send", CollectiveKind::Message},
                                         {"recv", CollectiveKind::Message},
                                         {"reduce", CollectiveKind::Reduce},
                                         {"gather", CollectiveKind::Gather},
                                         {"scatter", CollectiveKind::Scatter}}};

CollectiveKind kindOfLetters(std::string_view letters)
{
    for (const Word& word : words)
        if (letters.find(word.text) != std::string_view::npos)
            return word.kind;
    return CollectiveKind::Other;
}

} // namespace

std::string_view name(CollectiveKind kind)
{
    constexpr std::array<std::string_view, collectiveKindCount> names = {
        "other",  "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast",
        "reduce", "gather",     "scatter",    "barrier",        "message"};
    return names[static_cast<std::size_t>(kind)];
}

CollectiveKind collectiveKind(std::string_view text)
{
    return kindOfLetters(lettersOf(text));
}

CollectiveKind collectiveKindOfRange(std::string_view text)
{
    const auto beginsWith = [](std::string_view whole, const auto& heads) {
        return std::any_of(heads.begin(), heads.end(), [whole](std::string_view head) {
            return whole.substr(0, head.size()) == head;
        });
    };
    constexpr std::array<std::string_view, 2> scopes = {"c10d::", "_c10d_functional::"};
    constexpr std::array<std::string_view, 5> libraries = {"nccl", "rccl", "hccl", "hcom", "gloo"};
    constexpr std::array<std::string_view, 2> exchanges = {"alltoall", "all2all"};
    const std::string letters = lettersOf(text);
    if (beginsWith(text, scopes) || beginsWith(letters, libraries))
        return kindOfLetters(letters);
    return beginsWith(letters, exchanges) ? CollectiveKind::AllToAll : CollectiveKind::Other;
}

MessageEnd messageEnd(std::string_view text)
{
    const std::string letters = lettersOf(text);
    const auto has = [&letters](std::string_view word) {
        return letters.find(word) != std::string::npos;
    };
    const bool sends = has("send"), receives = has("recv") || has("receive");
    return sends == receives ? MessageEnd::NotTold
           : sends           ? MessageEnd::Sends
                             : MessageEnd::Receives;
}

Bytes bytesOfType(std::string_view type)
{
    struct Type
    {
        std::string_view name;
        Bytes bytes;
    };
    // What is part of another comes behind it.
    constexpr std::array<Type, 25> types = {{{"complexdouble", 16},
                                             {"complexfloat", 8},
                                             {"complexhalf", 4},
                                             {"float8", 1},
                                             {"fp8", 1},
                                             {"bfloat16", 2},
                                             {"float16", 2},
                                             {"fp16", 2},
                                             {"bf16", 2},
                                             {"half", 2},
                                             {"float64", 8},
                                             {"double", 8},
                                             {"fp64", 8},
                                             {"float", 4},
                                             {"fp32", 4},
                                             {"int64", 8},
                                             {"int32", 4},
                                             {"int16", 2},
                                             {"int8", 1},
                                             {"long", 8},
                                             {"short", 2},
                                             {"byte", 1},
                                             {"char", 1},
                                             {"bool", 1},
                                             {"int", 4}}};
    std::string lowered(type.substr(0, 40));
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const Type& one : types)
        if (lowered.find(one.name) != std::string::npos)
            return one.bytes;
    return 0;
}

} // namespace pw
