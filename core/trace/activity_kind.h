// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What the category of an event says of it.
struct CategoryMeaning
{
    ActivityKind kind = ActivityKind::Other;
    bool device = false; ///< it ran on a device, or is projected onto one
    bool kernel = false; ///< its name tells its kind; see `kernelKind`
};

/// By the categories of Kineto, present and past; anything else is other.
CategoryMeaning meaningOf(std::string_view category);

/// What a kernel does, by its name: communication of NCCL, RCCL, NVSHMEM, DeepEP (dispatch and
/// combine), MSCCL++ and PyTorch's symmetric memory, and whatever names a collective; copies and
/// fills that run as kernels; else compute. Kernels that a compiler made of several operators are
/// compute whatever their names list.
///
/// @param name  demangled, mangled, or the bare name of the function
ActivityKind kernelKind(std::string_view name);

/// What a call of a runtime or driver is by its name: a wait where it synchronises, else a launch.
ActivityKind callKind(std::string_view name);

/// Whether spans of a kind are work of a device.
constexpr bool isDeviceWork(ActivityKind kind)
{
    return kind == ActivityKind::Compute || kind == ActivityKind::Communication ||
           kind == ActivityKind::Memory;
}

/// A person's rule: names that match are of a kind.
struct KernelRule
{
    ActivityKind kind = ActivityKind::Communication;
    std::string pattern; ///< of text and `*`, which stands for any; matches a name as a whole

    /// Reads "communication=*my_exchange*". Kinds are compute, communication, memory, and other,
    /// which is not an activity.
    /// @error Syntax  says what is wrong
    static Result<KernelRule> parse(std::string_view text);

    /// As `parse` reads it.
    std::string text() const;
    bool matches(std::string_view name) const;

    friend bool operator==(const KernelRule&, const KernelRule&) = default;
};

/// The kind by the first rule that matches, else as of `kernelKind`.
ActivityKind kernelKind(std::string_view name, const std::vector<KernelRule>& rules);

} // namespace pw
