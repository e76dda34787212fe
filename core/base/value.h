// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

/// Declares what copies, moves and destroys a value, which `PW_VALUE_DEFINED` makes in one file.
/// For values of many parts that half of the product holds: otherwise every file makes all of it
/// again; where edits are seen, that was a tenth to a third of a file's time.
#define PW_VALUE(Type)                                                                             \
    Type(const Type& other);                                                                       \
    Type(Type&& other) noexcept;                                                                   \
    Type& operator=(const Type& other);                                                            \
    Type& operator=(Type&& other) noexcept;                                                        \
    ~Type()

/// What `PW_VALUE` declares, as the compiler makes it.
#define PW_VALUE_DEFINED(Type)                                                                     \
    Type::Type(const Type& other) = default;                                                       \
    Type::Type(Type&& other) noexcept = default;                                                   \
    Type& Type::operator=(const Type& other) = default;                                            \
    Type& Type::operator=(Type&& other) noexcept = default;                                        \
    Type::~Type() = default
