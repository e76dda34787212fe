// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/figures.h"
#include "app/own_families.h"
#include "core/families/family.h"
#include "core/io/family_folder.h"
#include "python/binding.h"

#include <algorithm>
#include <cmath>

namespace pw::python {

namespace {

std::string keywordOf(std::string_view name)
{
    std::string keyword(name);
    std::replace(keyword.begin(), keyword.end(), '-', '_');
    return keyword;
}

const char* typeOf(const Parameter& parameter)
{
    switch (parameter.type) {
    case ParameterType::Whole:
        return "int";
    case ParameterType::Number:
        return "float";
    case ParameterType::Flag:
        return "bool";
    case ParameterType::Choice:
        return "str";
    }
    return "";
}

/// A value in the type of its parameter.
py::object parameterObject(const Parameter& parameter, double value)
{
    switch (parameter.type) {
    case ParameterType::Whole:
        return py::int_(static_cast<std::int64_t>(value));
    case ParameterType::Flag:
        return py::bool_(value != 0);
    case ParameterType::Choice:
        return py::str(valueText(parameter, value));
    case ParameterType::Number:
        break;
    }
    return py::float_(value);
}

py::object parameterLimit(const Parameter& parameter, double limit)
{
    return std::isinf(limit) ? py::object(py::none()) : parameterObject(parameter, limit);
}

std::vector<std::string> choicesOf(const Parameter& parameter)
{
    return {parameter.choices.begin(), parameter.choices.end()};
}

void bindParameter(py::module_& module)
{
    py::class_<Parameter>(module, "Parameter", "What a family takes beside its shape.")
        .def_property_readonly(
            "keyword", [](const Parameter& p) { return keywordOf(p.name); },
            "As `schedule` takes it.")
        .def_property_readonly(
            "summary", [](const Parameter& p) { return std::string(p.summary); }, "One line.")
        .def_property_readonly("type", &typeOf, "'int', 'float', 'bool' or 'str'.")
        .def_property_readonly(
            "minimum", [](const Parameter& p) { return parameterLimit(p, p.minimum); },
            "Least value; of a word the first one.")
        .def_property_readonly(
            "maximum", [](const Parameter& p) { return parameterLimit(p, p.maximum); },
            "Largest value; None: no limit.")
        .def_property_readonly(
            "default",
            [](const Parameter& p) {
                return p.fallbackText.empty() ? parameterObject(p, p.fallback)
                                              : py::object(py::str(std::string(p.fallbackText)));
            },
            "The value where none is given; in words where it follows from others ('p').")
        .def_property_readonly("choices", &choicesOf, "Words that it may be; empty: any value.")
        .def("__repr__", [](const Parameter& p) {
            return "Parameter(" + keywordOf(p.name) + ": " + typeOf(p) + ", " + rangeText(p) + ")";
        });
}

void bindClosedForm(py::module_& module)
{
    py::class_<ClosedForm>(module, "ClosedForm", "A formula that a family is known by.")
        .def_property_readonly(
            "quantity", [](const ClosedForm& f) { return std::string(app::jsonName(f.quantity)); },
            "Of what: 'span_bubble_ms', 'peak_activation_mb' …")
        .def_property_readonly(
            "formula", [](const ClosedForm& f) { return std::string(f.formula); },
            "p devices, m micro-batches, T_F … times of a device's whole share.")
        .def_property_readonly(
            "condition", [](const ClosedForm& f) { return std::string(f.condition); },
            "Where it holds; empty: always.")
        .def("__repr__", [](const ClosedForm& f) {
            return "ClosedForm(" + std::string(app::jsonName(f.quantity)) + " = " +
                   std::string(f.formula) + ")";
        });
}

} // namespace

void bindFamilies(py::module_& module)
{
    bindParameter(module);
    bindClosedForm(module);
    using Pointer = const Family*;
    py::class_<Family, std::unique_ptr<Family, py::nodelete>>(module, "Family",
                                                              "A family of schedules.")
        .def_property_readonly(
            "id", [](Pointer f) { return std::string(f->id); }, "As `schedule` takes it: 'zb-h1'.")
        .def_property_readonly("title", [](Pointer f) { return std::string(f->title); })
        .def_property_readonly(
            "summary", [](Pointer f) { return std::string(f->summary); }, "One sentence.")
        .def_property_readonly(
            "citation", [](Pointer f) { return std::string(f->citation); },
            "Authors, title, venue.")
        .def_property_readonly(
            "search", [](Pointer f) { return f->search; },
            "Whether making it takes time that grows faster than its passes.")
        .def_property_readonly(
            "has_block", [](Pointer f) { return f->block != nullptr; },
            "Whether it is made of a building block.")
        .def_property_readonly(
            "parameters", [](Pointer f) { return f->parameters; }, "What it takes.")
        .def_property_readonly(
            "closed_forms", [](Pointer f) { return f->closedForms; }, "Formulas it is known by.")
        .def(
            "save",
            [](const py::object& self, const py::object& path, const py::object& shapes,
               const std::string& name, const py::kwargs& parameters) {
                py::module_::import("pipewright._family_file")
                    .attr("save")(self, path, shapes, name, parameters);
            },
            py::arg("path"), py::arg("shapes"), py::kw_only(), py::arg("name") = "",
            "Writes its orders for some shapes as a file NAME.family, which the command line and\n"
            "the studio read: a family without a function, and without its parameters.\n\n"
            "shapes: pairs of devices and micro-batches, all of one placement. name: the id "
            "there.\n"
            "Keywords are parameters. Raises Error where the language of such files cannot say it.")
        .def("__repr__", [](Pointer f) { return "Family('" + std::string(f->id) + "')"; });
    module.def(
        "families",
        [] {
            py::list all;
            for (const Family& family : allFamilies())
                all.append(py::cast(&family, py::return_value_policy::reference));
            return all;
        },
        "Every family of schedules, sorted by id.");
    module.def(
        "load_families",
        [](const py::object& folder) {
            std::vector<std::string> problems;
            std::vector<std::string> ids = taken(
                app::useFamilies(folder.is_none() ? ownFamilyFolder() : pathOf(folder), problems));
            if (!problems.empty())
                throw Refusal(problems.front());
            return ids;
        },
        py::arg("folder") = py::none(),
        "Makes families in files known: every *.family of a folder, by default of your own.\n\n"
        "Returns their ids. Raises Error with file and line where one cannot be read; the others\n"
        "are known then.");
    module.def(
        "family",
        [](const std::string& id) {
            return py::cast(taken(findFamily(id)), py::return_value_policy::reference);
        },
        py::arg("id"), "The family of an id. Raises Error, which names the nearest id.");
}

} // namespace pw::python
