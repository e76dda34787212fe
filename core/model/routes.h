// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw {

/// The most routes that a pipeline may have: one, or two for bidirectional families, times its
/// data-parallel replicas.
constexpr int maxRoutes = 64;

} // namespace pw
