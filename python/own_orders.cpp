// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "python/own_orders.h"

#include <algorithm>

namespace pw::python {

namespace {

/// A placement as the notation has it: a name, or the device of each stage.
std::string placementWord(const py::handle& placement)
{
    if (py::isinstance<py::str>(placement))
        return py::cast<std::string>(placement);
    std::string text;
    for (const py::handle device : placement)
        text += (text.empty() ? "" : " ") + std::to_string(py::cast<int>(device));
    return text;
}

std::vector<std::string> placementWords(const py::object& placement)
{
    if (!py::isinstance<py::tuple>(placement))
        return {placementWord(placement)};
    std::vector<std::string> words;
    for (const py::handle one : placement)
        words.push_back(placementWord(one));
    return words;
}

/// A piece of a person's text as part of one line.
std::string onOneLine(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '#'; }, '?');
    return text;
}

/// A pass as a tuple of its kind and of numbers: micro-batch, chunk and segment.
std::string tupleWord(const py::tuple& pass)
{
    constexpr const char* marks[] = {"", ".", "/"};
    std::string word = py::cast<std::string>(pass[0]);
    for (std::size_t i = 1; i < pass.size(); ++i)
        word += marks[i - 1] + std::to_string(py::cast<int>(pass[i]));
    return onOneLine(word);
}

/// Whether a tuple is of a pass, and not of two that overlap.
bool isPassTuple(const py::tuple& entry)
{
    return entry.size() >= 2 && entry.size() <= 4 && py::isinstance<py::str>(entry[0]) &&
           std::all_of(entry.begin() + 1, entry.end(),
                       [](const py::handle& part) { return py::isinstance<py::int_>(part); });
}

std::string entryWord(const py::handle& entry, DeviceId device, const ChunkTable& chunks)
{
    if (py::isinstance<py::str>(entry))
        return onOneLine(py::cast<std::string>(entry));
    if (py::isinstance<Pass>(entry))
        return passText(py::cast<Pass>(entry), device, chunks);
    if (py::isinstance<py::tuple>(entry) && isPassTuple(py::reinterpret_borrow<py::tuple>(entry)))
        return tupleWord(py::reinterpret_borrow<py::tuple>(entry));
    if (!py::isinstance<py::tuple>(entry) || py::len(entry) != 2)
        throw py::type_error("an entry of an order is a Pass, a text such as 'F0', a tuple such as "
                             "('F', 0), or a tuple of two that overlap");
    const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
    return "(" + entryWord(pair[0], device, chunks) + "+" + entryWord(pair[1], device, chunks) +
           ")";
}

std::string orderLine(const py::handle& order, DeviceId device, const ChunkTable& chunks)
{
    if (py::isinstance<py::str>(order))
        return onOneLine(py::cast<std::string>(order));
    std::string line;
    for (const py::handle entry : order)
        line += (line.empty() ? "" : " ") + entryWord(entry, device, chunks);
    return line;
}

std::string headLines(const OwnShape& shape, const std::vector<std::string>& placements)
{
    std::string text = "placement: ";
    for (const std::string& one : placements)
        text += (&one == &placements.front() ? "" : ", ") + onOneLine(one);
    text += "\n";
    if (!shape.microBatches.is_none())
        text += "micro-batches: " + std::to_string(py::cast<int>(shape.microBatches)) + "\n";
    if (shape.steps != 1)
        text += "steps: " + std::to_string(shape.steps) + "\n";
    if (py::isinstance<py::int_>(shape.segments))
        text += "segments: " + std::to_string(py::cast<int>(shape.segments)) + "\n";
    else if (!shape.segments.is_none())
        text += "segment-lengths: " + placementWord(shape.segments) + "\n";
    if (!shape.routeOfMicroBatch.is_none())
        text += "routes: " + placementWord(shape.routeOfMicroBatch) + "\n";
    if (!shape.updates.empty())
        text += "updates: " + onOneLine(shape.updates) + "\n";
    if (!shape.messages.empty())
        text += "messages: " + onOneLine(shape.messages) + "\n";
    return text;
}

Schedule scheduleOfDraft(const Draft& draft)
{
    const Problems found = taken(problems(draft));
    if (!found.none()) {
        std::string text = placed(found.list.front());
        if (found.count > 1)
            text += " (and " + std::to_string(found.count - 1) + " more)";
        throw Refusal(text);
    }
    return taken(Schedule::make(draft.spec, draft.orders));
}

} // namespace

Schedule ownSchedule(const py::sequence& orders, const OwnShape& shape)
{
    const auto devices = static_cast<int>(py::len(orders));
    if (devices < 1)
        throw Refusal("there is no device; orders has a list for each");
    if (devices > maxFileDevices)
        throw Refusal("orders has " + std::to_string(devices) + " devices; at most " +
                      std::to_string(maxFileDevices));
    PipelineSpec spec;
    spec.devices = devices;
    spec.routes.clear();
    const std::vector<std::string> placements = placementWords(shape.placement);
    for (const std::string& one : placements)
        spec.routes.push_back(taken(parsePlacement(one, devices)));
    if (spec.routes.size() > 1)
        spec.microBatches = 2;
    // Of the shape only where stages lie is asked for here; all of it is checked below.
    PipelineSpec plain = spec;
    if (plain.routes.size() > 1)
        plain.routeOfMicroBatch = {0, 1};
    taken(check(plain));
    const ChunkTable chunks(plain);
    const std::string head = headLines(shape, placements);
    std::string text = "devices: " + std::to_string(devices) + "\n" + head;
    const auto headCount = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    for (const DeviceId device : Ids<DeviceId>(devices))
        text += "d" + std::to_string(device) + ": " +
                orderLine(orders[static_cast<std::size_t>(device)], device, chunks) + "\n";
    const ScheduleText parsed = parseScheduleText(text);
    if (!parsed.problems.none()) {
        const FileProblem& first = parsed.problems.list.front();
        const int device = first.place.line - 1 - headCount;
        const std::string place =
            device >= 0 && device < devices ? "device " + std::to_string(device) + ": " : "";
        throw Refusal(place + first.text + (first.repair.empty() ? "" : "; " + first.repair));
    }
    return scheduleOfDraft(parsed.draft);
}

Schedule scheduleOfText(const std::string& text)
{
    return scheduleOfDraft(taken(readScheduleText(text)));
}

PassKind passKindOf(const std::string& kind)
{
    for (const PassKind known : allPassKinds)
        if (kind == name(known))
            return known;
    throw Refusal("a pass is F, B, W, BW, R or U, not " + inQuotes(kind));
}

py::list entriesOf(const Schedule& schedule, DeviceId device)
{
    py::list order;
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        if (entry.paired)
            order.append(py::make_tuple(entry.pass, entry.partner));
        else
            order.append(entry.pass);
    }
    return order;
}

} // namespace pw::python
