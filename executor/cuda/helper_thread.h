// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/device_wait.h"

#include <functional>
#include <string_view>
#include <vector>

namespace pw::exec::cuda {

/// Does what may block for ever, as a library's calls that meet other processes or each other, each
/// on a thread of its own, and waits for them with a limit.
///
/// Where the limit passes, the stop is requested or one of them fails, `cutOff` is called on the
/// caller's thread to make the others end. Work that does not, a second later, is left behind with
/// its thread: it must hold all that it uses.
///
/// @throws DeviceError  stopped, or not done within the limit; names `what`
/// @throws …            what the first of them threw
void onHelpers(std::vector<std::function<void()>> works, const DeviceWait& wait,
               std::string_view what, const std::function<void()>& cutOff);

} // namespace pw::exec::cuda
