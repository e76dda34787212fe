// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/worker.h"

#include "executor/api/transport.h"

// What workers and transports need not be able to do.

namespace pw::exec {

namespace {

tl::unexpected<Error> cannot(const char* what)
{
    return fail(ErrorCode::BadValue, "this backend cannot %1; the backend cpu can", what);
}

} // namespace

Result<Packet> Worker::shard(HostedStage, int, ReductionKind, int)
{
    return cannot("exchange shards of a stage between more than two copies");
}

Result<void> Worker::takeShard(HostedStage, int, ReductionKind, int, Packet)
{
    return cannot("exchange shards of a stage between more than two copies");
}

Result<void> Worker::move(const HostMove&, InstructionKind)
{
    return cannot("keep activations in the host's memory");
}

Result<double> Worker::gradientSquares(int)
{
    return cannot("clip gradients");
}

Result<void> Worker::scaleGradients(int, double)
{
    return cannot("clip gradients");
}

Result<void> Worker::keepForRollback(int)
{
    return cannot("take an update back");
}

Result<void> Worker::rollBack(int, double)
{
    return cannot("take an update back");
}

Result<void> Worker::forget(const OrderEntry&)
{
    return cannot("compute a forward again");
}

void Worker::settled(int) {}

Result<void> Endpoint::sendAgain(std::int32_t, int, Packet)
{
    return cannot("send a result twice");
}

Result<Arrival> Endpoint::exchangeAgain(std::int32_t, int, RankId, Packet, const Patience&)
{
    return cannot("exchange weights twice");
}

Result<Arrival> Endpoint::waitAgain(std::int32_t, int, const Patience&)
{
    return cannot("send a result twice");
}

Result<std::optional<Ticks>> Endpoint::thereAt(std::int32_t, int)
{
    return fail(ErrorCode::Fault, "this transport does not tell when a message is there");
}

Result<bool> Endpoint::hasCome(std::int32_t, int)
{
    return cannot("send a result twice");
}

Result<std::vector<std::optional<double>>> Endpoint::heardSoFar(int, int)
{
    return cannot("tell all ranks a number");
}

Result<void> Endpoint::tellAll(int, int, double)
{
    return cannot("tell all ranks a number");
}

Result<std::vector<double>> Endpoint::heardOfAll(int, int, const Patience&)
{
    return cannot("tell all ranks a number");
}

} // namespace pw::exec
