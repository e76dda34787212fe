// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/project_file.h"

#include <QString>
#include <QStringList>

namespace pw::ui {

/// Makes the files known that are part of the program: samples and icons.
void initResources();

/// Names of the samples, in the order in which they are best read.
QStringList sampleNames();

/// The project of a sample, its words in the language of the window.
/// @error as of `readProject`; a program that is well made has no such error
Result<Project> readSample(const QString& name);

} // namespace pw::ui
