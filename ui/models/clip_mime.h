// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"

class QMimeData;

namespace pw::ui {

/// MIME type of passes on the clipboard: JSON, with device, offset and passes of every entry.
constexpr const char* clipMimeType = "application/x-pipewright-passes";

/// A clip for the clipboard, also as text notation. The caller owns the data.
QMimeData* mimeOf(const Clip& clip, const PipelineSpec& spec);

/// The passes of a clipboard; of a text in the notation of schedules, with the times that they have
/// in a project.
/// @error BadValue, Syntax  there are none, or they cannot be read
Result<Clip> clipOf(const QMimeData& data, const Project& project);

} // namespace pw::ui
