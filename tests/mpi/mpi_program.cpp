// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Started by mpirun, with the name of what to do; rank 0 prints what came out.

#include "executor/transport/mpi_session.h"

#include <cstdio>
#include <iostream>
#include <map>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr Ticks limit = 10'000 * ticksPerMs;

int failed(const Error& error)
{
    std::cerr << error.message << "\n";
    return 1;
}

int collective(MpiSession& session)
{
    const Stop stop;
    const std::string self = "rank " + std::to_string(session.rank());
    const Patience patience{stop, limit, self};
    const std::string large(3'000'000, 'x');
    const Result<std::string> text =
        session.broadcast(session.rank() == 0 ? large + "end" : "", patience);
    if (!text)
        return failed(text.error());
    for (int round = 0; round < 3; ++round) {
        const Result<std::vector<std::string>> all =
            session.gather(std::to_string(session.rank()) + ":" + std::to_string(round) + ":" +
                               std::to_string(text->size()),
                           patience);
        if (!all)
            return failed(all.error());
        for (const std::string& one : *all)
            std::cout << one << "\n";
    }
    const Result<Ticks> opened =
        session.barrier(1, 0, session.size(), patience, [] { return Ticks{77}; });
    if (!opened)
        return failed(opened.error());
    const Result<MpiSession::Alignment> alignment = session.align(patience);
    if (!alignment)
        return failed(alignment.error());
    if (!session.barrier(1, 1, session.size(), patience))
        return 1;
    const Result<std::vector<std::string>> all =
        session.gather(std::to_string(*opened) + " " + std::to_string(alignment->ahead) + " " +
                           std::to_string(alignment->band),
                       patience);
    for (const std::string& one : *all)
        std::cout << one << "\n";
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::map<std::string, int (*)(MpiSession&)> scenes = {{"collective", collective}};
    const auto scene = scenes.find(argc > 1 ? argv[1] : "");
    if (scene == scenes.end())
        return 2;
    const Result<std::unique_ptr<MpiSession>> session = openMpi();
    if (!session)
        return failed(session.error());
    return scene->second(**session);
}
