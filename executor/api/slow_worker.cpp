// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/slow_worker.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/model/replicas.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace pw::exec {

namespace {

Result<SlowWorker> slowWorker(std::string_view text, const PipelineSpec& spec)
{
    const std::size_t dot = text.find('.'), star = text.find('*');
    const auto part = [&](std::size_t from, std::size_t to) {
        return text.substr(from, to - from);
    };
    std::optional<std::int64_t> replica, stage;
    std::optional<double> factor;
    if (dot != std::string_view::npos && star != std::string_view::npos && dot < star) {
        replica = wholeNumber(part(0, dot));
        stage = wholeNumber(part(dot + 1, star));
        factor = decimalNumber(text.substr(star + 1));
    }
    if (!replica || !stage || !factor)
        return fail(ErrorCode::Syntax,
                    "'%1' is not a slow worker; write REPLICA.STAGE*FACTOR, such as 2.1*1.3", text);
    const int lastReplica = replicasOf(spec) - 1, lastStage = spec.stages() - 1;
    if (*replica < 0 || *replica > lastReplica)
        return fail(ErrorCode::BadValue, "'%1': the replica is from 0 to %2", text, lastReplica);
    if (*stage < 0 || *stage > lastStage)
        return fail(ErrorCode::BadValue, "'%1': the stage is from 0 to %2", text, lastStage);
    if (!(*factor >= leastSlow && *factor <= mostSlow))
        return fail(ErrorCode::BadValue, "'%1': the factor is from %2 to %3", text,
                    plainNumber(leastSlow), plainNumber(mostSlow));
    return SlowWorker{static_cast<int>(*replica), StageId(static_cast<std::int32_t>(*stage)),
                      *factor};
}

} // namespace

Result<std::vector<SlowWorker>> parseSlowWorkers(std::string_view text, const PipelineSpec& spec)
{
    std::vector<SlowWorker> all;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        PW_TRY(const SlowWorker one, slowWorker(text.substr(begin, end - begin), spec));
        all.push_back(one);
        begin = end + 1;
    }
    return all;
}

std::string slowText(const std::vector<SlowWorker>& slow)
{
    constexpr int digits = 12;
    std::string out;
    for (const SlowWorker& one : slow)
        out += (out.empty() ? "" : ",") + std::to_string(one.replica) + "." +
               std::to_string(one.stage.value) + "*" + plainNumber(one.factor, digits);
    return out;
}

double slowness(const std::vector<SlowWorker>& slow, const PipelineSpec& spec,
                const OrderEntry& entry)
{
    if (slow.empty())
        return 1;
    const int routes = spec.routeCount() / replicasOf(spec);
    const auto of = [&](const Pass& pass) {
        double factor = 1;
        for (const SlowWorker& one : slow)
            if (pass.route / routes == one.replica && pass.stage == one.stage)
                factor = one.factor;
        return factor;
    };
    return entry.paired ? (of(entry.pass) + of(entry.partner)) / 2 : of(entry.pass);
}

} // namespace pw::exec
