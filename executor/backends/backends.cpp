// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/backends/backends.h"

#include "core/base/names.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "executor/api/module.h"
#include "executor/cpu/cpu_backend.h"
#include "executor/emulated/emulated_backend.h"

#include <thread>

namespace pw::exec {

namespace {

constexpr std::string_view cudaModule = "pipewright-cuda";

Result<std::unique_ptr<Backend>> makeCuda()
{
    PW_TRY(void* const found, loadModule(cudaModule, "pw_cuda_backend"));
    const auto factory = reinterpret_cast<BackendFactory>(found);
    std::unique_ptr<Backend> backend(factory(moduleAbi));
    if (!backend)
        return fail(ErrorCode::BadValue, "the module %1 is of another build of Pipewright",
                    cudaModule);
    return backend;
}

Result<std::unique_ptr<Backend>> makeCpu()
{
    return makeCpuBackend();
}

Result<std::unique_ptr<Backend>> makeEmulated()
{
    return makeEmulatedBackend();
}

/// A backend and how it is made.
struct Known
{
    std::string_view name;
    Result<std::unique_ptr<Backend>> (*make)();
};

/// In the order in which `auto` likes them.
constexpr Known known[] = {
    {"cuda", makeCuda},
    {"cpu", makeCpu},
    {"emulated", makeEmulated},
};

BackendInfo infoOf(const Known& entry)
{
    const Result<std::unique_ptr<Backend>> backend = entry.make();
    if (backend)
        return (*backend)->info();
    BackendInfo info;
    info.name = entry.name;
    info.missing = backend.error().message;
    return info;
}

/// A backend that is there, or why it is not.
Result<std::unique_ptr<Backend>> open(const Known& entry)
{
    Result<std::unique_ptr<Backend>> backend = entry.make();
    const std::string before = "the backend " + std::string(entry.name) + " is not available: ";
    if (!backend)
        return fail(ErrorCode::BadValue, before + backend.error().message);
    if (const BackendInfo info = (*backend)->info(); !info.available)
        return fail(ErrorCode::BadValue, before + info.missing);
    return backend;
}

Result<std::unique_ptr<Backend>> openNamed(std::string_view name)
{
    const auto nameOf = [](const Known& entry) { return entry.name; };
    if (const Known* entry = findNamed(known, name, nameOf))
        return open(*entry);
    std::vector<std::string> names;
    for (const Known& entry : known) {
        names.emplace_back(entry.name);
    }
    names.emplace_back("auto");
    std::string text = "there is no backend '" + std::string(name) + "'";
    if (const std::string meant = nearest(name, names); !meant.empty())
        return fail(ErrorCode::BadValue, "%1; is '%2' meant?", text, meant);
    text += "; there are";
    for (const std::string& one : names)
        text += (&one == &names.front() ? " " : ", ") + one;
    return fail(ErrorCode::BadValue, text);
}

Result<std::unique_ptr<Backend>> openBest(int devices, std::string& reason)
{
    const std::string wanted = countText(devices, "device");
    std::string noCuda = "no GPU can be used";
    if (Result<std::unique_ptr<Backend>> cuda = openNamed("cuda")) {
        const std::size_t found = (*cuda)->info().devices.size();
        if (found > 0) {
            reason = "cuda, as there is a GPU (" + countText(found, "device") + ")";
            return cuda;
        }
    }
    const std::size_t threads = std::thread::hardware_concurrency();
    const std::string cores = countText(threads, "core");
    if (threads >= static_cast<std::size_t>(devices)) {
        if (Result<std::unique_ptr<Backend>> cpu = openNamed("cpu")) {
            reason = "cpu, as " + noCuda + " and " + cores + " are enough for " + wanted;
            return cpu;
        }
    }
    reason = "emulated, as " + noCuda + " and " + wanted + " are more than " + cores +
             " can compute side by side";
    return openNamed("emulated");
}

} // namespace

std::vector<BackendInfo> backendInfos()
{
    std::vector<BackendInfo> infos;
    for (const Known& entry : known)
        infos.push_back(infoOf(entry));
    return infos;
}

Result<std::unique_ptr<Backend>> openBackend(std::string_view name, int devices,
                                             std::string* reason)
{
    std::string why = std::string(name) + ", as asked for";
    Result<std::unique_ptr<Backend>> backend =
        name == "auto" ? openBest(devices, why) : openNamed(name);
    if (backend && reason != nullptr)
        *reason = why;
    return backend;
}

} // namespace pw::exec
