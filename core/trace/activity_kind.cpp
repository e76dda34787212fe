// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/activity_kind.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

struct KnownCategory
{
    std::string_view name;
    CategoryMeaning meaning;
};

constexpr std::array<KnownCategory, 26> knownCategories = {{
    {"cpu_op", {ActivityKind::Operator, false, false}},
    {"python_function", {ActivityKind::Script, false, false}},
    {"kernel", {ActivityKind::Compute, true, true}},
    {"cuda_runtime", {ActivityKind::Launch, false, false}},
    {"cuda_driver", {ActivityKind::Launch, false, false}},
    {"gpu_memcpy", {ActivityKind::Memory, true, false}},
    {"gpu_memset", {ActivityKind::Memory, true, false}},
    {"user_annotation", {ActivityKind::Annotation, false, false}},
    {"gpu_user_annotation", {ActivityKind::Annotation, true, false}},
    {"cuda_sync", {ActivityKind::Wait, false, false}},
    {"concurrent_kernel", {ActivityKind::Compute, true, true}},
    {"hip_runtime", {ActivityKind::Launch, false, false}},
    {"xpu_runtime", {ActivityKind::Launch, false, false}},
    {"xpu_driver", {ActivityKind::Launch, false, false}},
    {"mtia_runtime", {ActivityKind::Launch, false, false}},
    {"privateuse1_runtime", {ActivityKind::Launch, false, false}},
    {"privateuse1_driver", {ActivityKind::Launch, false, false}},
    {"Trace", {ActivityKind::Annotation, false, false}}, // the recording itself
    {"hpu_op", {ActivityKind::Compute, true, true}},
    {"mtia_ccp_events", {ActivityKind::Compute, true, true}},
    // What older profilers call them.
    {"Operator", {ActivityKind::Operator, false, false}},
    {"Runtime", {ActivityKind::Launch, false, false}},
    {"Kernel", {ActivityKind::Compute, true, true}},
    {"Memcpy", {ActivityKind::Memory, true, false}},
    {"Memset", {ActivityKind::Memory, true, false}},
    {"collective_comm", {ActivityKind::Communication, true, false}},
}};

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

template<std::size_t N>
bool hasAny(std::string_view text, const std::array<std::string_view, N>& parts)
{
    return std::any_of(parts.begin(), parts.end(),
                       [text](std::string_view part) { return has(text, part); });
}

char lowerLetter(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Without its arguments: what stands before the first bracket that is not "(anonymous namespace)".
std::string_view withoutArguments(std::string_view name)
{
    constexpr std::string_view anonymous = "(anonymous namespace)";
    for (std::size_t at = name.find('('); at != std::string_view::npos; at = name.find('(', at)) {
        if (name.substr(at, anonymous.size()) != anonymous)
            return name.substr(0, at);
        at += anonymous.size();
    }
    return name;
}

/// The function's own name in a demangled one: "dispatch" of
/// "void ep::dispatch<8, true>(int*)".
std::string_view bareName(std::string_view name)
{
    name = withoutArguments(name);
    name = name.substr(0, name.find('<'));
    const std::size_t before = name.find_last_of(": ");
    return before == std::string_view::npos ? name : name.substr(before + 1);
}

/// Kernels that a compiler fuses are named after the operators in them.
bool isFused(std::string_view lowered)
{
    return lowered.substr(0, 7) == "triton_" && has(lowered, "_fused_");
}

bool communicates(std::string_view lowered, std::string_view bare)
{
    constexpr std::array<std::string_view, 26> parts = {
        "nccl",           "rccl",       "nvshmem",    "deep_ep",     "deepep",
        "hybrid_ep",      "mscclpp",    "msccl",      "userbuffers", "cross_device_reduce",
        "allreduce",      "all_reduce", "allgather",  "all_gather",  "reducescatter",
        "reduce_scatter", "alltoall",   "all_to_all", "all2all",     "symmetric_memory",
        "symm_mem",       "multimem_",  "epdispatch", "epcombine",   "hccl",
        "hcom_"};
    // DeepEP's kernels, where only the name of the function is kept.
    constexpr std::array<std::string_view, 8> alone = {"dispatch",
                                                       "combine",
                                                       "notify_dispatch",
                                                       "cached_notify_dispatch",
                                                       "cached_notify_combine",
                                                       "cached_notify",
                                                       "get_dispatch_layout",
                                                       "sendrecv"};
    return hasAny(lowered, parts) || std::find(alone.begin(), alone.end(), bare) != alone.end();
}

bool moves(std::string_view lowered)
{
    constexpr std::array<std::string_view, 6> heads = {"memcpy",       "memset",     "[cuda mem",
                                                       "__amd_rocclr", "fillbuffer", "copybuffer"};
    constexpr std::array<std::string_view, 4> wholes = {"copydevicetodevice", "copyhosttodevice",
                                                        "copydevicetohost", "copyhosttohost"};
    return std::any_of(heads.begin(), heads.end(),
                       [lowered](std::string_view head) {
                           return lowered.substr(0, head.size()) == head;
                       }) ||
           std::find(wholes.begin(), wholes.end(), lowered) != wholes.end();
}

} // namespace

CategoryMeaning meaningOf(std::string_view category)
{
    const auto known =
        std::find_if(knownCategories.begin(), knownCategories.end(),
                     [category](const KnownCategory& one) { return one.name == category; });
    return known == knownCategories.end() ? CategoryMeaning() : known->meaning;
}

ActivityKind kernelKind(std::string_view name)
{
    // A name's templates say what it is made of, not what it does; a few hundred bytes are enough.
    constexpr std::size_t enough = 512;
    std::string lowered(withoutArguments(name).substr(0, enough));
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), lowerLetter);
    if (isFused(lowered))
        return ActivityKind::Compute;
    if (communicates(lowered, bareName(lowered)))
        return ActivityKind::Communication;
    return moves(lowered) ? ActivityKind::Memory : ActivityKind::Compute;
}

ActivityKind callKind(std::string_view name)
{
    return has(name, "ynchronize") ? ActivityKind::Wait : ActivityKind::Launch;
}

Result<KernelRule> KernelRule::parse(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return fail(ErrorCode::Syntax,
                    "no '='; a rule is KIND=PATTERN, as in communication=*exchange*");
    const std::string_view kind = text.substr(0, equals);
    for (const ActivityKind one : {ActivityKind::Compute, ActivityKind::Communication,
                                   ActivityKind::Memory, ActivityKind::Other})
        if (kind == pw::name(one)) {
            const std::string_view pattern = text.substr(equals + 1);
            constexpr std::size_t longest = 1000;
            if (pattern.empty() || pattern.size() > longest)
                return fail(ErrorCode::Syntax, "a pattern has 1 to %1 bytes, not %2", longest,
                            pattern.size());
            return KernelRule{one, std::string(pattern)};
        }
    return fail(ErrorCode::Syntax,
                "'%1' is not a kind; kinds are compute, communication, memory and other",
                kind.substr(0, 40));
}

std::string KernelRule::text() const
{
    return std::string(pw::name(kind)) + "=" + pattern;
}

bool KernelRule::matches(std::string_view name) const
{
    // The last star takes as little as it can; on a mismatch it takes one byte more.
    std::size_t at = 0, rule = 0, star = std::string::npos, taken = 0;
    while (at < name.size()) {
        if (rule < pattern.size() && pattern[rule] == '*') {
            star = rule++;
            taken = at;
        } else if (rule < pattern.size() && pattern[rule] == name[at]) {
            ++rule;
            ++at;
        } else if (star != std::string::npos) {
            rule = star + 1;
            at = ++taken;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', rule) == std::string::npos;
}

ActivityKind kernelKind(std::string_view name, const std::vector<KernelRule>& rules)
{
    for (const KernelRule& rule : rules)
        if (rule.matches(name))
            return rule.kind;
    return kernelKind(name);
}

} // namespace pw
