// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/backend_access.h"

#include "core/base/try.h"
#include "executor/backends/backends.h"

namespace pw::app {

tl::expected<BackendAccess, Failure> BackendAccess::join()
{
    BackendAccess access;
    if (!exec::startedByMpi())
        return access;
    PW_TRY(std::unique_ptr<exec::MpiRanks> ranks, exec::joinMpi());
    access.m_ranks = std::move(ranks);
    return access;
}

Outcome BackendAccess::serve(const exec::Stop& stop)
{
    PW_DO(m_ranks->serve(stop));
    return ExitCode::Good;
}

tl::expected<std::unique_ptr<exec::Backend>, Failure>
BackendAccess::open(const std::string& name, int devices, std::string& reason)
{
    PW_TRY(std::unique_ptr<exec::Backend> backend, m_ranks != nullptr
                                                       ? m_ranks->backend(name, &reason)
                                                       : exec::openBackend(name, devices, &reason));
    if (m_ranks != nullptr)
        reason += "; " + m_ranks->summary();
    return backend;
}

tl::expected<std::unique_ptr<exec::Backend>, Failure>
BackendAccess::open(const Arguments& arguments, int devices, std::string& reason)
{
    return open(arguments.text("backend", "auto"), devices, reason);
}

Option backendOption()
{
    return {.name = "backend",
            .kind = ValueKind::Text,
            .placeholder = "NAME",
            .summary = "cpu and cuda train, emulated takes modelled times; auto picks and says why "
                       "(default auto)",
            .section = "Run",
            .choices = {"auto", "cpu", "emulated", "cuda"}};
}

bool isEmulated(const exec::Backend& backend)
{
    return backend.info().name == "emulated";
}

} // namespace pw::app
