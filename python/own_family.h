// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "python/binding.h"

#include <string>

namespace pw::python {

/// Raises what a function of a family has raised, where the sentence of a refusal came from it.
/// Otherwise nothing. @pre the interpreter's lock is held
void raiseFromFamily(const std::string& refusal);

/// Tells as warnings what functions of families have raised while nobody asked for them by name, as
/// in the recognition of a trace.
void warnOfFamilies();

/// The class `pipewright.Error`.
py::handle refusalClass();

void bindOwnFamilies(py::module_& module);

} // namespace pw::python
