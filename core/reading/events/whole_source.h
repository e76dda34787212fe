// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/reading/events/event_file.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pw {

/// The most that is held of a source that is read as a whole.
constexpr std::int64_t mostWholeSource = std::int64_t{256} << 20;

/// All bytes of a source.
/// @error TooLarge   more than `mostWholeSource`
/// @error Cancelled  `goOn` said so
Result<std::string> wholeSource(ByteSource& source, const KeepReading& goOn,
                                const std::string& file);

/// The member of an object; null where it has none, or is none itself.
const JsonValue* memberOf(const JsonValue& object, std::string_view name);
/// The text of a member; empty where it is none.
std::string_view textMember(const JsonValue& object, std::string_view name);
/// A member that is a whole number from 0 up, or a text of one; −1 where it is neither.
std::int64_t wholeMember(const JsonValue& object, std::string_view name);

} // namespace pw
