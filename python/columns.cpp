// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "python/binding.h"

#include <cstring>

namespace pw::python {

namespace {

std::size_t sizeOf(char code)
{
    return code == 'i' ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

py::buffer_info bufferOf(Column& column)
{
    // The interface has no const; the buffer is read-only.
    auto* first = const_cast<char*>(column.first);
    return {first,
            static_cast<py::ssize_t>(sizeOf(column.code)),
            std::string(1, column.code),
            1,
            {static_cast<py::ssize_t>(column.count)},
            {static_cast<py::ssize_t>(column.stride)},
            true};
}

std::int64_t columnItem(const Column& column, py::ssize_t index)
{
    const auto count = static_cast<py::ssize_t>(column.count);
    if (index < -count || index >= count)
        throw py::index_error("place " + std::to_string(index) + " of " + std::to_string(count));
    return column.at(static_cast<std::size_t>(index < 0 ? index + count : index));
}

py::object columnPart(const Column& column, const py::slice& slice)
{
    std::size_t begin = 0, end = 0, step = 0, length = 0;
    if (!slice.compute(column.count, &begin, &end, &step, &length))
        throw py::error_already_set();
    if (static_cast<py::ssize_t>(step) == 1) {
        Column shorter = column;
        shorter.first += begin * column.stride;
        shorter.count = length;
        return py::cast(shorter);
    }
    py::list values;
    for (std::size_t i = 0; i < length; ++i, begin += step)
        values.append(column.at(begin));
    return values;
}

std::vector<std::int64_t> columnList(const Column& column)
{
    std::vector<std::int64_t> values(column.count);
    for (std::size_t i = 0; i < column.count; ++i)
        values[i] = column.at(i);
    return values;
}

std::string columnText(const Column& column)
{
    constexpr std::size_t shown = 8;
    std::string text = "Column([";
    for (std::size_t i = 0; i < std::min(shown, column.count); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(column.at(i));
    if (column.count > shown)
        text += ", …";
    return text + "], " + std::to_string(column.count) + " numbers)";
}

} // namespace

std::int64_t Column::at(std::size_t index) const
{
    const char* place = first + index * stride;
    if (code == 'i') {
        std::int32_t value = 0;
        std::memcpy(&value, place, sizeof value);
        return value;
    }
    std::int64_t value = 0;
    std::memcpy(&value, place, sizeof value);
    return value;
}

Column columnOf(std::shared_ptr<const void> owner, const std::vector<Ticks>& values,
                std::size_t begin, std::size_t end)
{
    return {std::move(owner), reinterpret_cast<const char*>(values.data() + begin), 'q',
            end - begin, sizeof(Ticks)};
}

void bindColumns(py::module_& module)
{
    py::class_<Column>(module, "Column", py::buffer_protocol(),
                       "Whole numbers as they lie in memory: a sequence, and a read-only buffer.\n"
                       "\n"
                       "numpy.asarray(column) and memoryview(column) copy nothing; the numbers "
                       "live as long as they are used.")
        .def_buffer(&bufferOf)
        .def("__len__", [](const Column& column) { return column.count; })
        .def("__getitem__", &columnItem, py::arg("index"))
        .def("__getitem__", &columnPart, py::arg("index"))
        .def("__iter__",
             [](const Column& column) { return py::iter(py::cast(columnList(column))); })
        .def("__repr__", &columnText)
        .def("tolist", &columnList, "The numbers as a list of int.");
}

} // namespace pw::python
