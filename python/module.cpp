// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/own_families.h"
#include "python/own_family.h"

#include <algorithm>
#include <initializer_list>
#include <regex>
#include <string>
#include <string_view>

using namespace pw::python;

namespace {

PyObject* errorClass = nullptr;

/// What a command line calls an option is a keyword in Python: "--micro-batches" is micro_batches,
/// "--memory 80" memory=80. Whole command lines, which begin with the program's name, stay.
std::string withKeywords(std::string_view sentence)
{
    static const std::regex option("(pipewright [a-z].*)|--([a-z][a-z0-9-]*)( (?=[0-9]))?");
    std::string told;
    std::string_view rest = sentence;
    for (std::cmatch found;
         std::regex_search(rest.data(), rest.data() + rest.size(), found, option);) {
        told.append(found.prefix().first, found.prefix().second);
        std::string word = found[1].matched ? found[1].str() : found[2].str();
        if (!found[1].matched)
            std::replace(word.begin(), word.end(), '-', '_');
        told += found[3].matched ? word + "=" : word;
        rest.remove_prefix(static_cast<std::size_t>(found[0].second - rest.data()));
    }
    return told.append(rest);
}

/// A refusal as `pipewright.Error`. Its sentence may quote a name of a file that is no UTF-8.
void translate(std::exception_ptr problem)
{
    try {
        std::rethrow_exception(std::move(problem));
    } catch (const Refusal& refusal) {
        raiseFromFamily(refusal.what());
        const std::string sentence = withKeywords(refusal.what());
        const auto text = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
            sentence.data(), static_cast<Py_ssize_t>(sentence.size()), "replace"));
        PyErr_SetObject(errorClass, text.ptr());
    }
}

bool isOneOf(const py::handle& name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), py::cast<std::string>(name)) != names.end();
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
    module.def("_with_keywords", &withKeywords);
    module.attr("__version__") = PW_VERSION;
    auto* const base = reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
    base->tp_new = newWhole;
    PyType_Modified(base);
    // People see the package, not the part that is compiled.
    const py::module_ results = py::module_::import("pipewright._results");
    for (const auto& [name, value] : module.attr("__dict__").cast<py::dict>()) {
        if (py::isinstance<py::type>(value))
            py::setattr(value, "__module__", py::str("pipewright"));
        auto* const type = reinterpret_cast<PyTypeObject*>(value.ptr());
        if (!py::isinstance<py::type>(value) || PyType_IsSubtype(type, base) == 0)
            continue;
        // What holds figures is a table too; columns, passes and schedules are what they are.
        if (!isOneOf(name, {"Column", "Pass", "Schedule"}))
            for (const char* const method : {"to_dict", "to_pandas"})
                py::setattr(value, method, results.attr(method));
        seal(type);
    }
}
