// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

namespace pw {

class JsonText;
struct WebTrack;

/// The annotations of a track as the script of a web page draws them, with times in `unit`; nothing
/// where there are none.
void writeWebAnnotations(JsonText& json, const WebTrack& track, Ticks unit);

} // namespace pw
