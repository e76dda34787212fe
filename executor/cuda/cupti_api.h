// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

// CUPTI as it is found when the program runs, with types of our own: see cupti_records.h.
namespace pw::exec::cuda {

/// Its functions, by their names without "cupti" and "Activity". All answer 0 where it went well.
struct CuptiApi
{
    using Requested = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords);
    using Completed = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer,
                               std::size_t bytes, std::size_t validBytes);

    int (*getVersion)(std::uint32_t* version) = nullptr;
    int (*getResultString)(int result, const char** text) = nullptr;
    int (*registerCallbacks)(Requested requested, Completed completed) = nullptr;
    int (*enable)(std::uint32_t kind) = nullptr;
    int (*disable)(std::uint32_t kind) = nullptr;
    int (*flushAll)(std::uint32_t flags) = nullptr;
    int (*getNextRecord)(std::uint8_t* buffer, std::size_t validBytes, void** record) = nullptr;
    int (*getNumDroppedRecords)(void* context, std::uint32_t stream,
                                std::size_t* dropped) = nullptr;
    int (*pushExternalCorrelationId)(std::uint32_t kind, std::uint64_t id) = nullptr;
    int (*popExternalCorrelationId)(std::uint32_t kind, std::uint64_t* last) = nullptr;
    // Null before 12.6.
    int (*enableRuntimeApi)(std::uint32_t call, std::uint8_t enable) = nullptr;
    int (*enableDriverApi)(std::uint32_t call, std::uint8_t enable) = nullptr;

    /// Good for 0; else says which call failed, and in the library's words why.
    Result<void> check(const char* call, int result) const;
};

/// CUPTI, loaded once and kept: what PW_CUPTI names, else where the loader and CUDA's folder have
/// it.
/// @error BadValue  it is not there, lacks a function, or is of a version whose records are not
///                  known
Result<const CuptiApi*> loadCupti();

} // namespace pw::exec::cuda
