// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/family_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw {

double readFamilyValue(JsonFields& fields, std::string_view name, const JsonValue& value,
                       const Family* family)
{
    constexpr double highest = std::numeric_limits<double>::max();
    if (value.IsBool())
        return fields.truth(name) ? 1 : 0;
    const Parameter* parameter = family != nullptr ? findParameter(*family, name) : nullptr;
    if (!value.IsString() || parameter == nullptr || parameter->choices.empty())
        return fields.number(name, -highest, highest);
    const std::string word = fields.text(name);
    const auto choice =
        std::find(parameter->choices.begin(), parameter->choices.end(), std::string_view(word));
    if (choice == parameter->choices.end())
        fields.refuse(name, "%1 is none of %2", rangeText(*parameter));
    return static_cast<double>(choice - parameter->choices.begin());
}

void writeFamilyValue(JsonText& json, std::string_view name, double value, const Family* family)
{
    const Parameter* parameter = family != nullptr ? findParameter(*family, name) : nullptr;
    const bool known = parameter != nullptr && value >= parameter->minimum &&
                       value <= parameter->maximum && value == std::floor(value);
    if (known && parameter->type == ParameterType::Flag)
        json.member(name, value != 0);
    else if (known && parameter->type == ParameterType::Choice)
        json.member(name, parameter->choices[static_cast<std::size_t>(value)]);
    else
        json.member(name, value);
}

} // namespace pw
