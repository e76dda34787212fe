// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Whether a name comes before another one, with numbers in them by value: worker2 before worker10.
bool namedBefore(std::string_view one, std::string_view other);

/// The number behind a word in a text, in upper or lower case: 3 of "rank3_trace.json" and of
/// "Rank_3", none without it.
std::optional<std::int32_t> numberBehind(std::string_view text, std::string_view word);

/// The rank that the path of a file says: by its name, else by a folder, the innermost first. A
/// rank of the pipeline counts less than one of the run, and one of another group ("tp_rank_1")
/// least; a rank on its machine is none of the run. @param firstFolder  where in the path the
/// folders begin that may say it
std::optional<std::int32_t> rankInPath(std::string_view path, std::size_t firstFolder);

/// How much of all paths is the same folder; of a single one all before its own folder.
std::size_t commonFolder(const std::vector<std::string>& paths);

} // namespace pw
