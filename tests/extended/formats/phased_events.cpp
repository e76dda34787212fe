// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/importer.h"

namespace pw::importers {

namespace {

/// Events of the category "phase": "fprop" and "bprop", the micro-batch as the argument "mbs_id".
std::optional<DialectEvent> read(const ChromeEvent& event)
{
    if (event.category != "phase" || (event.name != "fprop" && event.name != "bprop"))
        return std::nullopt;
    DialectEvent made;
    made.said.first.role = SpanRole::Pass;
    made.said.first.kind = event.name == "fprop" ? PassKind::F : PassKind::BW;
    return made;
}

} // namespace

Importer phased_events()
{
    Importer importer;
    importer.id = "phased-events";
    importer.title = "events of phases (an example)";
    importer.dialect = {"Phases", {{"mbs_id", EventField::MicroBatch}}, read, nullptr};
    return importer;
}

} // namespace pw::importers
