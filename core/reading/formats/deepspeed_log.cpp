// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/importer.h"
#include "core/reading/text/training_log_reader.h"

namespace pw::importers {

Importer deepspeed_log()
{
    Importer importer;
    importer.id = "deepspeed-log";
    importer.title = "logs of DeepSpeed: iterations, stages and timers";
    importer.lines = {deepSpeedLogMark, false, "DeepSpeed log", readTrainingLog};
    return importer;
}

} // namespace pw::importers
