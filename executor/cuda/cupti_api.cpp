// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cupti_api.h"

#include "core/base/try.h"
#include "executor/cuda/cupti_records.h"
#include "executor/cuda/find_function.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string_view>
#include <vector>

namespace pw::exec::cuda {

namespace {

/// Where the library may be; the first that loads is taken.
std::vector<std::string> cuptiPlaces()
{
    const char* const named = std::getenv("PW_CUPTI");
    if (named != nullptr && *named != '\0')
        return {named};
    std::vector<std::string> places;
    for (const std::string folder :
         {"", "/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/lib64/"}) {
        for (const std::string_view name : {"libcupti.so.13", "libcupti.so.12"})
            places.push_back(folder + std::string(name));
    }
    return places;
}

Result<void*> openCupti()
{
    std::string first;
    for (const std::string& place : cuptiPlaces()) {
        if (void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr)
            return library;
        const char* const why = dlerror();
        if (first.empty())
            first = why == nullptr ? "no reason given" : why;
    }
    return fail(ErrorCode::BadValue, "CUPTI does not load: %1", first);
}

Result<CuptiApi> completeCupti()
{
    PW_TRY(void* const library, openCupti());
    CuptiApi api;
    const bool complete =
        findFunction(library, "cuptiGetVersion", api.getVersion) &&
        findFunction(library, "cuptiGetResultString", api.getResultString) &&
        findFunction(library, "cuptiActivityRegisterCallbacks", api.registerCallbacks) &&
        findFunction(library, "cuptiActivityEnable", api.enable) &&
        findFunction(library, "cuptiActivityDisable", api.disable) &&
        findFunction(library, "cuptiActivityFlushAll", api.flushAll) &&
        findFunction(library, "cuptiActivityGetNextRecord", api.getNextRecord) &&
        findFunction(library, "cuptiActivityGetNumDroppedRecords", api.getNumDroppedRecords) &&
        findFunction(library, "cuptiActivityPushExternalCorrelationId",
                     api.pushExternalCorrelationId) &&
        findFunction(library, "cuptiActivityPopExternalCorrelationId",
                     api.popExternalCorrelationId);
    findFunction(library, "cuptiActivityEnableRuntimeApi", api.enableRuntimeApi);
    findFunction(library, "cuptiActivityEnableDriverApi", api.enableDriverApi);
    std::uint32_t version = 0;
    if (!complete || api.getVersion(&version) != 0)
        return fail(ErrorCode::BadValue, "CUPTI lacks what tells of kernels");
    if (!readsCupti(version))
        return fail(ErrorCode::BadValue,
                    "CUPTI's version %1 writes records that are not known: those of CUDA 12 and 13 "
                    "are read",
                    version);
    return api;
}

} // namespace

Result<void> CuptiApi::check(const char* call, int result) const
{
    if (result == 0)
        return {};
    const char* text = nullptr;
    if (getResultString(result, &text) != 0 || text == nullptr)
        text = "an unknown answer";
    constexpr int insufficientPrivileges = 35;
    constexpr int virtualInsufficientPrivileges = 40;
    if (result == insufficientPrivileges || result == virtualInsufficientPrivileges)
        return fail(ErrorCode::BadValue,
                    "%1: %2: the driver lets only administrators see what runs on the GPU "
                    "(NVreg_RestrictProfilingToAdminUsers)",
                    call, text);
    return fail(ErrorCode::BadValue, "%1: %2", call, text);
}

Result<const CuptiApi*> loadCupti()
{
    static const Result<CuptiApi> api = completeCupti();
    if (!api)
        return fail(api.error());
    return &*api;
}

} // namespace pw::exec::cuda
