// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <dlfcn.h>

namespace pw::exec::cuda {

/// Looks for a function of a library that was loaded by `dlopen`.
/// @param function  pointer to it; null where the library has none of the name
/// @return          whether it has one
template<typename Function>
bool findFunction(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

} // namespace pw::exec::cuda
