// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_session.h"

#include <algorithm>
#include <cstring>

// Texts that all processes exchange, by MPI's own calls, which take as many steps as the logarithm
// of the processes.
namespace pw::exec {

Result<void> MpiSession::spread(const std::shared_ptr<Bytewise>& bytes, const Patience& patience)
{
    return together([&](MpiPort& port) { return port.broadcast(*bytes); }, bytes, patience);
}

/// @return  on rank 0 those of all, one after the other; empty elsewhere
Result<std::shared_ptr<MpiSession::Bytewise>> MpiSession::collect(Bytewise own,
                                                                  const Patience& patience)
{
    struct Both
    {
        Bytewise own;
        Bytewise all;
    };
    auto both = std::make_shared<Both>();
    both->all.resize(rank() == 0 ? own.size() * static_cast<std::size_t>(size()) : 0);
    both->own = std::move(own);
    const Result<void> done =
        together([&](MpiPort& port) { return port.gather(both->own, both->all); }, both, patience);
    if (!done)
        return fail(done.error());
    return std::make_shared<Bytewise>(std::move(both->all));
}

namespace {

/// A length as it travels.
std::vector<std::byte> lengthBytes(std::uint64_t length)
{
    std::vector<std::byte> bytes(sizeof(length));
    std::memcpy(bytes.data(), &length, sizeof(length));
    return bytes;
}

std::size_t lengthOf(const std::vector<std::byte>& bytes, std::size_t place = 0)
{
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + place * sizeof(length), sizeof(length));
    return static_cast<std::size_t>(length);
}

} // namespace

Result<std::string> MpiSession::broadcast(std::string_view text, const Patience& patience)
{
    const auto length = std::make_shared<Bytewise>(lengthBytes(text.size()));
    if (const Result<void> told = spread(length, patience); !told)
        return fail(told.error());
    const auto bytes = std::make_shared<Bytewise>(lengthOf(*length));
    if (rank() == 0)
        std::copy_n(std::as_bytes(std::span(text.data(), text.size())).begin(), text.size(),
                    bytes->begin());
    if (const Result<void> told = spread(bytes, patience); !told)
        return fail(told.error());
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<std::vector<std::string>> MpiSession::gather(std::string_view text, const Patience& patience)
{
    // Rank 0 hears how long all are, then all send as much as the longest has.
    const auto lengths = collect(lengthBytes(text.size()), patience);
    if (!lengths)
        return fail(lengths.error());
    std::size_t longest = 0;
    for (int one = 0; rank() == 0 && one < size(); ++one)
        longest = std::max(longest, lengthOf(**lengths, static_cast<std::size_t>(one)));
    const auto room = std::make_shared<Bytewise>(lengthBytes(longest));
    if (const Result<void> told = spread(room, patience); !told)
        return fail(told.error());
    Bytewise own(lengthOf(*room));
    std::copy_n(std::as_bytes(std::span(text.data(), text.size())).begin(), text.size(),
                own.begin());
    const std::size_t stride = own.size();
    const auto all = collect(std::move(own), patience);
    if (!all)
        return fail(all.error());
    std::vector<std::string> texts;
    for (std::size_t one = 0; rank() == 0 && one < static_cast<std::size_t>(size()); ++one)
        texts.emplace_back(reinterpret_cast<const char*>((*all)->data()) + one * stride,
                           lengthOf(**lengths, one));
    return texts;
}

} // namespace pw::exec
