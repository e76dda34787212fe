// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/importer.h"
#include "core/reading/text/training_log_reader.h"

namespace pw::importers {

Importer megatron_log()
{
    Importer importer;
    importer.id = "megatron-log";
    importer.title = "logs of Megatron: iterations, arguments, memory and timers";
    importer.lines = {megatronLogMark, false, "Megatron log", readTrainingLog};
    return importer;
}

} // namespace pw::importers
