// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace pw::test {

/// Events as Kineto writes them: operators with shapes, launches in them, kernels on one stream,
/// now and then a pass.
///
/// @param put  gets the text in pieces
/// @return     its bytes
std::size_t kinetoText(std::size_t bytes, const std::function<void(std::string& piece)>& put);

} // namespace pw::test
