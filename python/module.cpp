// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/own_families.h"
#include "python/binding.h"

#include <cstring>

using namespace pw::python;

namespace {

PyObject* errorClass = nullptr;

/// A refusal as `pipewright.Error`. Its sentence may quote a name of a file that is no UTF-8.
void translate(std::exception_ptr problem)
{
    try {
        std::rethrow_exception(std::move(problem));
    } catch (const Refusal& refusal) {
        const auto length = static_cast<Py_ssize_t>(std::strlen(refusal.what()));
        const auto text = py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(refusal.what(), length, "replace"));
        PyErr_SetObject(errorClass, text.ptr());
    }
}

} // namespace

PYBIND11_MODULE(_core, module)
{
    module.doc() = "Schedules of pipeline-parallel training; see the package pipewright.";
    errorClass = py::exception<Refusal>(module, "Error", PyExc_ValueError).release().ptr();
    py::register_exception_translator(&translate);
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
