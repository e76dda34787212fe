// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/paddle_event.h"

#include "core/trace/importers/event_file.h"
#include "core/trace/importers/event_time.h"
#include "core/trace/span_name.h"

namespace pw {

namespace {

bool numberedBy(std::string_view name, std::string_view category)
{
    return !category.empty() && name.size() > category.size() + 1 &&
           name.compare(0, category.size(), category) == 0 && name[category.size()] == '_';
}

} // namespace

PaddleEvent paddleEvent(const ChromeEvent& event)
{
    const std::string_view category = event.category;
    if (category == "pipeline timeline" || category == "virtual pipeline timeline")
        return PaddleEvent::Stamp;
    if (category == "step" && event.name.compare(0, category.size(), category) == 0)
        return PaddleEvent::Step;
    if (numberedBy(event.name, category) &&
        (event.thread.compare(0, 3, "GPU") == 0 ||
         readPaddleName(event.name).first.role == SpanRole::Pass))
        return PaddleEvent::Job;
    return PaddleEvent::None;
}

std::optional<Ticks> eventTime(const ChromeEvent& event)
{
    constexpr Ticks thousand = 1000;
    if (!event.time || paddleEvent(event) != PaddleEvent::Stamp)
        return event.time;
    if (*event.time > latestTime / thousand || *event.time < -latestTime / thousand)
        return std::nullopt;
    return *event.time * thousand;
}

std::int32_t paddleDevice(std::string_view thread)
{
    if (thread.substr(0, 3) != "GPU")
        return -1;
    thread.remove_prefix(3);
    if (thread.substr(0, 1) == ":")
        thread.remove_prefix(1);
    return smallNumber(thread);
}

} // namespace pw
