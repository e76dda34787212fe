// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/own_families.h"
#include "python/own_family.h"

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
        raiseFromFamily(refusal.what());
        const auto length = static_cast<Py_ssize_t>(std::strlen(refusal.what()));
        const auto text = py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(refusal.what(), length, "replace"));
        PyErr_SetObject(errorClass, text.ptr());
    }
}

/// Whether every value that an object stands for has been made.
bool isWhole(PyObject* object)
{
    auto values = py::detail::values_and_holders(reinterpret_cast<py::detail::instance*>(object));
    for (auto&& value : values)
        if (!value.holder_constructed())
            return false;
    return true;
}

/// `__new__` of all classes: what pybind11 leaves to `__init__`, which nobody need call, is done
/// here, so that no object stands for memory that nobody has filled.
PyObject* newWhole(PyTypeObject* type, PyObject* words, PyObject* keywords)
{
    try {
        py::object made = py::reinterpret_steal<py::object>(py::detail::make_new_instance(type));
        if (type->tp_init(made.ptr(), words, keywords) != 0)
            return nullptr;
        if (isWhole(made.ptr()))
            return made.release().ptr();
        PyErr_Format(PyExc_TypeError, "%s is not complete: its __init__ calls no other one",
                     type->tp_name);
    } catch (const std::exception&) {
        // The class that all others are made from has nothing to stand for.
        PyErr_Format(PyExc_TypeError, "an object of %s cannot be made", type->tp_name);
    }
    return nullptr;
}

/// Classes whose objects are whole, and stay of their class.
void seal(PyTypeObject* type)
{
    type->tp_new = newWhole;
#ifdef Py_TPFLAGS_IMMUTABLETYPE
    type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
#endif
    PyType_Modified(type);
}

} // namespace

py::handle pw::python::refusalClass()
{
    return errorClass;
}

PYBIND11_MODULE(_core, module)
{
    module.doc() = "Schedules of pipeline-parallel training; see the package pipewright.";
    errorClass = py::exception<Refusal>(module, "Error", PyExc_ValueError).release().ptr();
    py::register_exception_translator(&translate);
    // As the programs do; `load_families` says what is wrong with a file.
    pw::app::useOwnFamilies();
    bindColumns(module);
    bindFamilies(module);
    bindOwnFamilies(module);
    bindSchedules(module);
    bindSimulation(module);
    bindComparison(module);
    bindOptimise(module);
    bindPlans(module);
    bindTraces(module);
    bindStore(module);
    bindWhatIf(module);
    bindCommands(module);
    module.attr("__version__") = PW_VERSION;
    auto* const base = reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
    base->tp_new = newWhole;
    PyType_Modified(base);
    // People see the package, not the part that is compiled.
    for (const auto& [name, value] : module.attr("__dict__").cast<py::dict>()) {
        if (py::isinstance<py::type>(value))
            py::setattr(value, "__module__", py::str("pipewright"));
        auto* const type = reinterpret_cast<PyTypeObject*>(value.ptr());
        if (py::isinstance<py::type>(value) && PyType_IsSubtype(type, base) != 0)
            seal(type);
    }
}
