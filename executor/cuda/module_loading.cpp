// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/module_loading.h"

#include <algorithm>

namespace pw::exec::cuda {

int visibleGpus(int machineGpus, const char* visible)
{
    if (visible == nullptr)
        return machineGpus;
    int count = 0;
    std::string_view rest = visible;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view entry = rest.substr(0, end);
        if (entry.empty() || entry.front() == '-')
            break;
        ++count;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return machineGpus > 0 ? std::min(count, machineGpus) : count;
}

bool loadsAtOnce(const LoadingFacts& facts)
{
    if (facts.ncclToItself)
        return true;
    if (facts.processes > 0)
        return facts.processes > 1; // each may see its own GPU alone
    return visibleGpus(facts.machineGpus, facts.visible) != 1;
}

} // namespace pw::exec::cuda
