// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Reads the fields of an object strictly: wrong types, values out of range, missing, unknown and
/// doubled fields are failures that name the field with its path ("costs.uniform.hop_ns").
///
/// The first failure is kept in the `Error` that all readers of a file share; later reads return
/// defaults. So a caller reads everything and looks once at the end.
class JsonFields
{
public:
    static constexpr std::size_t longestTitle = std::size_t{64} << 10;
    using Failure = std::optional<Error>;

    /// @param path  of the object, "" for the whole file
    JsonFields(const JsonValue& object, std::string path, Failure& failure);

    bool has(std::string_view name) const;
    std::int64_t integer(std::string_view name, std::int64_t least, std::int64_t most,
                         std::optional<std::int64_t> fallback = std::nullopt);
    int count(std::string_view name, int least, std::optional<int> fallback = std::nullopt);
    double number(std::string_view name, double least, double most,
                  std::optional<double> fallback = std::nullopt);
    bool truth(std::string_view name, std::optional<bool> fallback = std::nullopt);
    std::string text(std::string_view name, std::optional<std::string> fallback = std::nullopt);
    /// The same for a title or a name that is shown whole: at most `longestTitle` bytes.
    std::string title(std::string_view name, std::optional<std::string> fallback = std::nullopt);
    /// Empty where the field is absent.
    std::vector<std::int64_t> integers(std::string_view name, std::int64_t least,
                                       std::int64_t most);
    std::vector<std::string> texts(std::string_view name);
    /// The value of a field, for objects and lists of them; null with a failure where it is absent
    /// or of another type.
    const JsonValue* object(std::string_view name);
    const JsonValue* list(std::string_view name);

    /// Path of a field, or of an element of a list.
    std::string pathOf(std::string_view name) const;
    std::string pathOf(std::string_view name, std::size_t element) const;
    /// Keeps a failure about a field, whose path is %1, unless there is one already.
    template<typename... Arguments>
    void refuse(std::string_view name, Pattern<std::string, Arguments...> pattern,
                const Arguments&... arguments)
    {
        refuse(said<std::string, Arguments...>(pattern, pathOf(name), arguments...));
    }
    /// Refuses fields that nobody has asked for, and those that stand twice.
    void finish();

private:
    const JsonValue* find(std::string_view name, bool optional);
    void refuse(Sentence what);

    const JsonValue& m_object;
    std::string m_path;
    Failure& m_failure;
    std::vector<std::string_view> m_asked;
};

} // namespace pw
