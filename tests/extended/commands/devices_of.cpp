// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "core/families/family.h"

#include <ostream>

namespace pw::app::commands {

namespace {

Outcome run(const Arguments& arguments, Console& console)
{
    const auto family = findFamily(arguments.words()[0]);
    if (!family)
        return usage(family.error().message);
    FamilyOptions options;
    options.microBatches = arguments.whole("micro-batches", options.microBatches);
    while (options.devices > 1 && !specOf(**family, options))
        --options.devices;
    console.out << options.devices << '\n';
    return ExitCode::Good;
}

std::vector<Option> options()
{
    return {{.name = "micro-batches",
             .kind = ValueKind::Whole,
             .placeholder = "M",
             .summary = "micro-batches",
             .minimum = 1}};
}

} // namespace

Command devices_of()
{
    Command command;
    command.name = "devices-of";
    command.summary = "how many of four devices a family takes (an example)";
    command.words = "FAMILY";
    command.examples = {"pipewright devices-of 1f1b"};
    command.wordKind = WordKind::Family;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
