// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/own_families.h"
#include "python/binding.h"

using namespace pw::python;

PYBIND11_MODULE(_core, module)
{
    module.doc() = "Schedules of pipeline-parallel training; see the package pipewright.";
    py::register_exception<Refusal>(module, "Error", PyExc_ValueError);
    // As the programs do; `load_families` says what is wrong with a file.
    pw::app::useOwnFamilies();
    bindColumns(module);
    bindFamilies(module);
    bindSchedules(module);
    bindSimulation(module);
    bindComparison(module);
    bindOptimise(module);
    bindPlans(module);
    bindTraces(module);
    bindStore(module);
    bindWhatIf(module);
    module.attr("__version__") = PW_VERSION;
    // People see the package, not the part that is compiled.
    for (const auto& [name, value] : module.attr("__dict__").cast<py::dict>()) {
        if (py::isinstance<py::type>(value))
            py::setattr(value, "__module__", py::str("pipewright"));
    }
}
