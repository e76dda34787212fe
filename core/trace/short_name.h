// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pw {

/// The name of a kernel as a picture has room for it: what tells it from others comes first. Of a
/// C++ function without what it returns, its namespaces and its parameters, its template arguments
/// last: "void at::native::elementwise_kernel<4, at::native::Add>(int, Add)" is
/// "elementwise_kernel<4, at::native::Add>". Any other name stays as it is.
std::string shortName(std::string_view name);

/// A name of at most so many bytes and an ellipsis, cut between two letters.
std::string cutName(std::string_view name, std::size_t longest);

} // namespace pw
