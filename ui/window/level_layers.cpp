// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/level_layers.h"

#include "core/lesson/play.h"
#include "ui/window/schedule_page.h"

namespace pw::ui {

namespace {

ReadyLayer readyLayer(const std::vector<ReadyPass>& passes, const PipelineSpec& spec)
{
    ReadyLayer layer;
    const EntryLooks looks(spec);
    for (const ReadyPass& ready : passes)
        layer.ready.push_back({ready.device,
                               ready.start,
                               ready.end,
                               looks.look({ready.pass, {}, false}),
                               ready.pass,
                               {}});
    return layer;
}

GatherLayer gatherLayer(const LessonLevel& level, const DeviceOrders& orders)
{
    GatherLayer layer;
    if (!asksForGathers(level))
        return layer;
    const std::vector<std::vector<int>> places = gatheringPlaces(orders);
    for (std::size_t device = 0; device < places.size(); ++device)
        for (const int place : places[device])
            layer.gathers.push_back({static_cast<std::int32_t>(device), place});
    return layer;
}

} // namespace

void LevelLayers::show(SchedulePage& page, const LessonLevel* level, bool all)
{
    m_shown.clear();
    if (level != nullptr && (all || m_hinted))
        m_shown = readyPasses(*level, page.document().project());
    if (!all)
        std::erase_if(m_shown, [this](const ReadyPass& one) { return one.pass != m_hinted; });
    const Draft& draft = page.document().draft();
    page.timeline().setLayer(readyLayer(m_shown, draft.spec));
    page.timeline().setLayer(level == nullptr ? GatherLayer{} : gatherLayer(*level, draft.orders));
}

std::optional<ReadyPass> LevelLayers::at(int place) const
{
    if (place < 0 || place >= static_cast<int>(m_shown.size()))
        return std::nullopt;
    return m_shown[static_cast<std::size_t>(place)];
}

} // namespace pw::ui
