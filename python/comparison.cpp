// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/comparison.h"

#include "app/model_options.h"
#include "core/base/text.h"
#include "python/own_family.h"

#include <type_traits>

namespace pw::python {

namespace {

using app::ComparedRow;

/// Rows of a table, and how they are shown.
struct ComparisonObject
{
    std::vector<ComparedRow> rows;
};

/// A figure of a row, or None where it was refused.
template<typename Value>
py::object figure(const ComparedRow& row, Value value)
{
    if (!row.refusal.empty())
        return py::none();
    auto found = value(row.figures);
    if constexpr (std::is_base_of_v<py::object, decltype(found)>)
        return found;
    else
        return py::cast(found);
}

py::object formula(const std::optional<app::FormValue>& form, double unit)
{
    return form ? py::object(py::float_(form->value / unit)) : py::object(py::none());
}

std::string escapedHtml(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else
            out += c;
    }
    return out;
}

std::string tableOf(const ComparisonObject& comparison)
{
    std::string html = "<table><thead><tr><th>schedule</th><th>makespan, ms</th>"
                       "<th>span bubble, %</th><th>wall bubble, %</th>"
                       "<th>peak, micro-batches</th><th>memory</th></tr></thead><tbody>";
    for (const ComparedRow& row : comparison.rows) {
        html += "<tr><td>" + escapedHtml(row.id) + "</td>";
        if (row.refusal.empty())
            html += "<td>" + plainNumber(msFromTicks(row.figures.makespan), 6) + "</td><td>" +
                    plainNumber(100 * row.figures.span.rate(), 4) + "</td><td>" +
                    plainNumber(100 * row.figures.wall.rate(), 4) + "</td><td>" +
                    plainNumber(row.figures.peakMicroBatches, 6) + "</td><td>" +
                    (row.figures.memory.total() > 0 ? byteText(row.figures.memory.total()) : "–") +
                    "</td>";
        else
            html += "<td colspan=\"5\">" + escapedHtml(row.refusal) + "</td>";
        html += "</tr>";
    }
    return html + "</tbody></table>";
}

std::string rowText(const ComparedRow& row)
{
    return "<Row " + row.id + ": " +
           (row.refusal.empty() ? timeText(row.figures.makespan) + ", span bubble " +
                                      plainNumber(100 * row.figures.span.rate(), 4) + " %"
                                : row.refusal) +
           ">";
}

void bindComparedRow(py::module_& module)
{
    py::class_<ComparedRow>(module, "Row", "One schedule of a comparison.")
        .def_readonly("name", &ComparedRow::id, "Id of the family, or name of the file.")
        .def_readonly("title", &ComparedRow::title)
        .def_property_readonly(
            "refusal",
            [](const ComparedRow& r) -> py::object {
                return r.refusal.empty() ? py::object(py::none()) : py::object(py::str(r.refusal));
            },
            "Why there are no figures; None where there are.")
        .def_property_readonly(
            "makespan_ms",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return msFromTicks(f.makespan); });
            },
            "Milliseconds; None where it was refused, as every figure.")
        .def_property_readonly(
            "span_bubble_ms",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return msFromTicks(f.span.idle); });
            })
        .def_property_readonly(
            "span_bubble_rate",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return f.span.rate(); });
            },
            "A part of the span, 0 to 1.")
        .def_property_readonly(
            "wall_bubble_ms",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return msFromTicks(f.wall.idle); });
            })
        .def_property_readonly(
            "wall_bubble_rate",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return f.wall.rate(); });
            },
            "A part of the makespan, 0 to 1.")
        .def_property_readonly(
            "peak_activation_mb",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return f.peakMicroBatches; });
            },
            "Micro-batches, the worst device.")
        .def_property_readonly("peak_activation_bytes",
                               [](const ComparedRow& r) {
                                   return figure(r,
                                                 [](const app::Figures& f) { return f.peakBytes; });
                               })
        .def_property_readonly(
            "peak_memory_bytes",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return f.memory.total(); });
            },
            "All that the fullest device holds, weights, gradients and states too; 0 where "
            "nothing\n"
            "has a size.")
        .def_property_readonly(
            "peak_memory",
            [](const ComparedRow& r) {
                return figure(r, [](const app::Figures& f) { return bytesByKind(f.memory.point); });
            },
            "The same by kind, a dict: weights, weight_versions, gradients, optimizer, "
            "activations,\n"
            "held_for_weight, buffers, workspace, fragments.")
        .def_property_readonly(
            "span_bubble_formula_ms",
            [](const ComparedRow& r) { return formula(r.spanForm, ticksPerMs); },
            "What the closed form says; None where none holds.")
        .def_property_readonly("wall_bubble_formula_ms",
                               [](const ComparedRow& r) { return formula(r.wallForm, ticksPerMs); })
        .def_property_readonly("peak_activation_formula_mb",
                               [](const ComparedRow& r) { return formula(r.peakForm, 1); })
        .def("__repr__", &rowText);
}

ComparisonObject compared(const py::object& what, const py::dict& keywords)
{
    std::vector<app::Option> options = app::shapeOptions();
    for (const app::Option& option : costKeywords())
        options.push_back(option);
    ComparisonObject made;
    std::vector<std::string> words;
    std::vector<py::object> own;
    if (py::isinstance<py::str>(what)) {
        words.push_back(py::cast<std::string>(what));
    } else {
        for (const py::handle one : what) {
            if (py::isinstance<ScheduleObject>(one))
                own.push_back(py::reinterpret_borrow<py::object>(one));
            else
                words.push_back(pathOf(one));
        }
    }
    if (!words.empty() || own.empty()) {
        const app::Arguments arguments = argumentsOf(options, keywords);
        made.rows = taken(interruptible([&words, &arguments](const std::atomic<bool>&) {
            return app::comparedRows(words, arguments);
        }));
        for (const ComparedRow& row : made.rows)
            raiseFromFamily(row.refusal);
    }
    for (const py::object& one : own) {
        const auto schedule = py::cast<ScheduleObject>(one);
        made.rows.push_back(app::comparedRow(schedule.study->title, *schedule.study));
    }
    return made;
}

} // namespace

void bindComparison(py::module_& module)
{
    bindComparedRow(module);
    py::class_<ComparisonObject>(module, "Comparison",
                                 "Several schedules beside each other; a sequence of Row.")
        .def("__len__", [](const ComparisonObject& c) { return c.rows.size(); })
        .def(
            "__getitem__",
            [](const ComparisonObject& c, py::ssize_t index) {
                const auto count = static_cast<py::ssize_t>(c.rows.size());
                if (index < -count || index >= count)
                    throw py::index_error("row " + std::to_string(index) + " of " +
                                          std::to_string(count));
                return c.rows[static_cast<std::size_t>(index < 0 ? index + count : index)];
            },
            py::arg("index"))
        .def("__iter__", [](const ComparisonObject& c) { return py::iter(py::cast(c.rows)); })
        .def("__repr__",
             [](const ComparisonObject& c) {
                 std::string text = "Comparison([";
                 for (const ComparedRow& row : c.rows)
                     text += (&row == &c.rows.front() ? "" : ", ") + rowText(row);
                 return text + "])";
             })
        .def("_repr_html_", &tableOf, "The rows as a table, for notebooks.");
    module.def(
        "compare",
        [](const py::object& what, const py::kwargs& keywords) { return compared(what, keywords); },
        py::arg("schedules") = "all",
        "Several schedules under the same shape and costs: 'all', or a list of families, files "
        "and\n"
        "Schedule objects (which keep their own shape and costs). Keywords as of `schedule`; a\n"
        "parameter counts for the families that have it.");
}

} // namespace pw::python
