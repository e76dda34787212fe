// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chunk_orders.h"

#include "core/families/family.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pw {

namespace {

/// Chunks of a device, and micro-batches of a group, that are tried.
constexpr int mostTriedChunks = 16, mostTriedGroup = 64;
/// Passes of a device: of longer steps none is tried.
constexpr std::size_t mostTriedPasses = 16'384;

/// What every device does and where it sends, of an order of whole backwards on chunks that are
/// laid round and round.
std::optional<std::vector<std::vector<SentPass>>> sentPasses(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const int devices = spec.devices;
    std::vector<std::vector<SentPass>> all(static_cast<std::size_t>(devices));
    for (const DeviceId device : Ids<DeviceId>(devices))
        for (const EntryId entry : Ids<EntryId>(schedule.begin(device), schedule.end(device))) {
            const OrderEntry one = schedule.entry(entry);
            const bool forward = one.pass.kind == PassKind::F;
            if (one.paired || (!forward && one.pass.kind != PassKind::BW) ||
                one.pass.stage.value % devices != device.value)
                return std::nullopt;
            const std::int32_t next = one.pass.stage.value + (forward ? 1 : -1);
            const bool ends = next < 0 || next >= spec.stages();
            all[device.index()].push_back({one.pass, ends ? -1 : next % devices});
        }
    return all;
}

bool sendsAs(const std::vector<SentPass>& passes, const DeviceSends& sends)
{
    std::size_t at = 0;
    for (const SentPass& one : passes) {
        if (one.to < 0)
            continue;
        if (at == sends.size() || sends[at] != one.to)
            return false;
        ++at;
    }
    return at == sends.size();
}

bool samePasses(const ChunkOrder& a, const ChunkOrder& b)
{
    return std::equal(a.devices.begin(), a.devices.end(), b.devices.begin(), b.devices.end(),
                      [](const auto& one, const auto& other) {
                          return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                                            [](const SentPass& x, const SentPass& y) {
                                                return x.pass == y.pass;
                                            });
                      });
}

class OrderSearch
{
public:
    explicit OrderSearch(const std::vector<DeviceSends>& sends)
        : m_sends(sends)
    {
    }

    std::vector<ChunkOrder> run()
    {
        // A device between others sends after every pass.
        const std::size_t passes = m_sends[1].size();
        if (passes > mostTriedPasses)
            return {};
        for (int chunks = 2; chunks <= mostTriedChunks; ++chunks)
            if (const auto each = static_cast<std::size_t>(2 * chunks);
                passes > 0 && passes % each == 0)
                for (const Family& family : allFamilies())
                    tryFamily(family, chunks, static_cast<int>(passes / each));
        return std::move(m_found);
    }

private:
    void tryFamily(const Family& family, int chunks, int microBatches)
    {
        const Parameter* ofChunks = findParameter(family, ParameterRole::Chunks);
        if (!family.fixedOrder || family.search || ofChunks == nullptr)
            return;
        FamilyOptions options;
        options.devices = static_cast<int>(m_sends.size());
        options.microBatches = microBatches;
        options.parameters.emplace_back(ofChunks->name, chunks);
        tryOptions(family, options, chunks);
        const Parameter* group = findParameter(family, ParameterRole::Group);
        if (group == nullptr)
            return;
        options.parameters.emplace_back(group->name, 0);
        for (int size = 1; size <= std::min(microBatches, mostTriedGroup); ++size) {
            options.parameters.back().second = size;
            tryOptions(family, options, chunks);
        }
    }

    void tryOptions(const Family& family, const FamilyOptions& options, int chunks)
    {
        const Result<PipelineSpec> spec = specOf(family, options);
        if (m_found.size() > 1 || !spec || spec->routeCount() != 1 || spec->segments() != 1 ||
            spec->stages() != chunks * options.devices)
            return;
        const Result<Schedule> schedule =
            family.build(*spec, options, expand(UniformCosts{}, *spec));
        if (!schedule)
            return;
        auto devices = sentPasses(*schedule);
        if (!devices ||
            !std::equal(devices->begin(), devices->end(), m_sends.begin(), m_sends.end(), sendsAs))
            return;
        ChunkOrder order{std::string(family.title), chunks, std::move(*devices)};
        if (m_found.empty() || !samePasses(m_found.front(), order))
            m_found.push_back(std::move(order));
    }

    const std::vector<DeviceSends>& m_sends;
    std::vector<ChunkOrder> m_found;
};

} // namespace

std::vector<ChunkOrder> ordersThatSend(const std::vector<DeviceSends>& sends)
{
    return OrderSearch(sends).run();
}

} // namespace pw
