// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <string_view>

namespace pw {

/// Reads the value of a family's parameter: true and false of a flag, a word of a choice, or a
/// number, as older files have it for both. @param family  null where it is unknown
double readFamilyValue(JsonFields& fields, std::string_view name, const JsonValue& value,
                       const Family* family);

/// Writes a value of a parameter as its type has it.
void writeFamilyValue(JsonText& json, std::string_view name, double value, const Family* family);

} // namespace pw
