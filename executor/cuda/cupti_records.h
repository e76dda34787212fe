// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>

// What CUPTI, NVIDIA's library that tells what ran on a GPU, writes into its buffers. Its header is
// not part of every toolkit, and its types are those of one version: what is read here lies at the
// same places in all versions that are taken (12.0 to 13.x), which only append to their records.
namespace pw::exec::cuda {

/// Kinds of activity that are asked for, by the library's numbers.
enum class CuptiKind : std::uint32_t
{
    Copy = 1,
    Fill = 2,
    DriverCall = 4,
    RuntimeCall = 5,
    Kernel = 10, ///< that may run beside others
    Link = 39    ///< of a call with what the caller said around it
};

/// Whether a copy stays on its device; those from and to the host wait for what is no kernel.
constexpr std::uint8_t cuptiCopyWithin = 8;
/// The kind of what the caller says: of its own.
constexpr std::uint32_t cuptiCustom = 3;

/// Where the fields of a record lie, which begins with its kind.
namespace cupti_places {
constexpr std::size_t start = 16; ///< of kernels, copies and fills
constexpr std::size_t end = 24;
constexpr std::size_t kernelCorrelation = 92;
constexpr std::size_t kernelName = 104;
constexpr std::size_t copyKind = 4;
constexpr std::size_t copyCorrelation = 44; ///< of fills, too
constexpr std::size_t linkKind = 4;
constexpr std::size_t linkId = 8;
constexpr std::size_t linkCorrelation = 16;
} // namespace cupti_places

/// What of a record is used.
struct CuptiRecord
{
    CuptiKind kind = CuptiKind::RuntimeCall; ///< a call: of anything that is not used
    std::uint32_t correlation = 0;
    std::uint64_t start = 0; ///< ns; 0: not known
    std::uint64_t end = 0;
    const char* name = nullptr; ///< of a kernel
    std::uint64_t said = 0;     ///< of a link
};

/// Reads a record; of one that is not used, only that.
/// @param record  as the library hands it on, of a version that `readsCupti`
CuptiRecord readCupti(const void* record);

/// Whether records of a version of the library can be read, by what it says of itself: 19 to 28
/// are those of CUDA 12, 130000 to 139999 of 13.
constexpr bool readsCupti(std::uint32_t version)
{
    return (version >= 19 && version <= 28) || (version >= 130'000 && version <= 139'999);
}

} // namespace pw::exec::cuda
