// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/event_time.h"
#include "core/reading/events/importer.h"

#include <algorithm>

namespace pw::importers {

namespace {

/// The device of "GPU3" and "GPU:3"; −1 for anything else, also a device of one of several
/// machines.
std::int32_t paddleDevice(std::string_view thread)
{
    if (thread.substr(0, 3) != "GPU")
        return -1;
    thread.remove_prefix(3);
    if (thread.substr(0, 1) == ":")
        thread.remove_prefix(1);
    return smallNumber(thread);
}

bool numberedBy(std::string_view name, std::string_view category)
{
    // Every event of any file is asked, and a byte tells nearly all of them.
    return !category.empty() && name.size() > category.size() + 1 && name[category.size()] == '_' &&
           name.compare(0, category.size(), category) == 0;
}

/// Paddle's pipeline profiles have one process, whose threads are the ranks. The variant for
/// Perfetto numbers its threads and says their devices in their names.
std::optional<DialectEvent> readPaddleEvent(const ChromeEvent& event)
{
    const std::string_view category = event.category;
    DialectEvent made;
    // Of the dynamic graph's recorder: milliseconds, and the thread is the stage + 1.
    if (category == "pipeline timeline" || category == "virtual pipeline timeline") {
        constexpr std::int64_t milliseconds = 1000;
        made.said = readPaddleName(event.name);
        made.owner = DialectEvent::Owner::Thread;
        made.rankNumber = std::max(smallNumber(event.thread) - 1, -1);
        made.timeScale = milliseconds;
        return made;
    }
    if (category == "step" && event.name.compare(0, category.size(), category) == 0) {
        made.rulesCount = false;
        made.owner = DialectEvent::Owner::LastRank;
        return made;
    }
    // Of the static graph's: the name is the category and a number, the thread a device.
    if (!numberedBy(event.name, category))
        return std::nullopt;
    made.said = readPaddleName(event.name);
    if (event.thread.compare(0, 3, "GPU") != 0 && made.said.first.role != SpanRole::Pass)
        return std::nullopt;
    made.owner = DialectEvent::Owner::Thread;
    made.rankNumber = paddleDevice(event.thread);
    return made;
}

} // namespace

Importer paddle_events()
{
    Importer importer;
    importer.id = "paddle-events";
    importer.title = "Paddle's pipeline profiles";
    importer.named = [](std::string_view name) {
        constexpr std::string_view record = "profile_record_tmp_file_for_rank_";
        return name.substr(0, record.size()) == record || name == "pipeline_profile_perfetto.json";
    };
    importer.wholeFile = "pipeline_profile.json";
    importer.dialect = {"Paddle", {}, readPaddleEvent, paddleDevice};
    return importer;
}

} // namespace pw::importers
