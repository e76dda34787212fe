// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/blas.h"
#include "executor/cuda/kernels.h"

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

// What calls are given, as words: a word for each field, without the gaps that structures have, so
// that equal words are equal calls and the calls can be made from their words.
namespace pw::exec::cuda {

using Words = std::vector<std::uint64_t>;

// A field that is new to a structure does not compile until it is here, too.
inline auto fieldsOf(View& of)
{
    auto& [data, rows, columns, stride, type] = of;
    return std::tie(data, rows, columns, stride, type);
}

inline auto fieldsOf(FloatView& of)
{
    auto& [data, rows, columns] = of;
    return std::tie(data, rows, columns);
}

inline auto fieldsOf(Factor& of)
{
    auto& [data, stride, transposed, next] = of;
    return std::tie(data, stride, transposed, next);
}

inline auto fieldsOf(Product& of)
{
    auto& [data, rows, columns, inner, stride, type, adds, count, next] = of;
    return std::tie(data, rows, columns, inner, stride, type, adds, count, next);
}

inline auto fieldsOf(FlashAttention& of)
{
    auto& [samples, heads, headSize, queries, keys, before, scale, first, query, key, value, logSum,
           tensorCores] = of;
    return std::tie(samples, heads, headSize, queries, keys, before, scale, first, query, key,
                    value, logSum, tensorCores);
}

inline auto fieldsOf(FlashGradients& of)
{
    auto& [out, gradient, ofQuery, ofKey, ofValue, adds, slope] = of;
    return std::tie(out, gradient, ofQuery, ofKey, ofValue, adds, slope);
}

inline auto fieldsOf(SgdRule& of)
{
    auto& [rate, momentum] = of;
    return std::tie(rate, momentum);
}

inline auto fieldsOf(AdamWRule& of)
{
    auto& [rate, beta1, beta2, fresh1, fresh2, epsilon, decay, correction1, correction2,
           corrections] = of;
    return std::tie(rate, beta1, beta2, fresh1, fresh2, epsilon, decay, correction1, correction2,
                    corrections);
}

template<typename Value>
void putWords(Words& to, Value value)
{
    if constexpr (std::is_class_v<Value>) {
        std::apply([&to](auto&... field) { (putWords(to, field), ...); }, fieldsOf(value));
    } else {
        static_assert(std::is_scalar_v<Value> && sizeof(Value) <= sizeof(std::uint64_t));
        std::uint64_t word = 0;
        std::memcpy(&word, &value, sizeof(value));
        to.push_back(word);
    }
}

/// @param from  goes on behind what was read
template<typename Value>
Value takeWords(const std::uint64_t*& from)
{
    Value value{};
    if constexpr (std::is_class_v<Value>) {
        std::apply(
            [&from](auto&... field) {
                ((field = takeWords<std::remove_reference_t<decltype(field)>>(from)), ...);
            },
            fieldsOf(value));
    } else {
        std::memcpy(&value, from++, sizeof(value));
    }
    return value;
}

} // namespace pw::exec::cuda
