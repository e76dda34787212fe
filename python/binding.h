// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"
#include "core/base/stop.h"
#include "core/model/ids.h"
#include "core/sim/memory.h"
#include "core/sim/simulator.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// An id is the number that it is.
template<typename Tag>
struct pybind11::detail::type_caster<pw::Id<Tag>>
{
    PYBIND11_TYPE_CASTER(pw::Id<Tag>, const_name("int"));

    bool load(handle from, bool convert)
    {
        make_caster<std::int32_t> number;
        if (!number.load(from, convert))
            return false;
        value = pw::Id<Tag>(cast_op<std::int32_t>(number));
        return true;
    }
    static handle cast(pw::Id<Tag> id, return_value_policy policy, handle parent)
    {
        return make_caster<std::int32_t>::cast(id.value, policy, parent);
    }
};

namespace pw::python {

namespace py = pybind11;

/// What becomes `pipewright.Error`: the sentence that the command line would print.
class Refusal : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

template<typename T>
T taken(Result<T> result)
{
    if (!result)
        throw Refusal(result.error().message);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

template<typename T>
T taken(tl::expected<T, app::Failure> result)
{
    if (!result)
        throw Refusal(result.error().message);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// Does long work on a thread of its own without the interpreter's lock, and looks for signals
/// meanwhile: Ctrl-C raises the flag and its stop scope, waits for the end of the work, and is
/// raised as KeyboardInterrupt, there too where the work is in a function of a family. What the
/// work throws is thrown here.
///
/// @param work  called with the flag; touches no Python object without the lock; its result can be
///              moved
template<typename Work>
auto interruptible(Work work)
{
    using Value = decltype(work(std::declval<const std::atomic<bool>&>()));
    std::atomic<bool> stop{false};
    std::optional<Value> value;
    std::exception_ptr problem;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::optional<py::error_already_set> signal;
    {
        const py::gil_scoped_release release;
        std::thread worker([&] {
            const StopScope scope(stop);
            try {
                value.emplace(work(stop));
            } catch (...) {
                problem = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            done = true;
            changed.notify_one();
        });
        std::unique_lock lock(mutex);
        constexpr std::chrono::milliseconds interval(50);
        while (!changed.wait_for(lock, interval, [&done] { return done; })) {
            lock.unlock();
            {
                const py::gil_scoped_acquire acquire;
                if (!signal && PyErr_CheckSignals() != 0) {
                    signal.emplace();
                    stop = true;
                }
                if (signal) // for a function of Python that the work is in, if it is in one
                    PyThreadState_SetAsyncExc(worker.native_handle(), PyExc_KeyboardInterrupt);
            }
            lock.lock();
        }
        lock.unlock();
        worker.join();
    }
    if (signal)
        throw *signal;
    if (problem)
        std::rethrow_exception(problem);
    return std::move(*value);
}

/// Warns of a name that goes with the next version, as DeprecationWarning; options in the sentence
/// become keywords.
void warnOfOldName(const std::string& sentence);

/// Options of a function as the command line declares them, from keywords: `micro_batches=8` is
/// `--micro-batches 8`. None and False are options that are not given; lists have commas between,
/// or give an option several times where it may be repeated.
app::Arguments argumentsOf(const std::vector<app::Option>& options, const py::dict& keywords,
                           const std::vector<std::string>& words = {});

/// Makes families of files among some words known, before options are asked for: those of their
/// parameters follow from them.
void useFamilyFiles(const std::vector<std::string>& words);

/// A schedule with its costs; never changes.
struct ScheduleObject
{
    std::shared_ptr<const app::Study> study;
};

/// A schedule and the times of its passes.
struct SimulationObject
{
    std::shared_ptr<const app::Study> study;
    std::shared_ptr<const app::StudyCosts> costs;
    std::shared_ptr<const SimResult> result;
    std::string text; ///< what the costs are
};

/// One number of many records, where they lie. Python sees a sequence, and a buffer that is not
/// copied.
struct Column
{
    std::shared_ptr<const void> owner;
    const char* first = nullptr;
    char code = 'q'; ///< of the struct module: q 64, i 32 bits
    std::size_t count = 0;
    std::size_t stride = sizeof(std::int64_t);

    std::int64_t at(std::size_t index) const;
};

/// A column of 64-bit numbers of a vector that `owner` keeps alive.
Column columnOf(std::shared_ptr<const void> owner, const std::vector<Ticks>& values,
                std::size_t begin, std::size_t end);

/// Options that make a schedule: shape, parameters of families, costs, file formats.
std::vector<app::Option> scheduleOptions();
/// Options that say what passes take.
std::vector<app::Option> costKeywords();

/// The schedule of a family's id, of a file, or of an object that is one.
ScheduleObject scheduleOf(const py::object& what, const py::dict& keywords);
/// The schedule of a project with its costs.
ScheduleObject scheduleOfProject(const Project& project);
/// A schedule with costs of any origin. @param text  says what they are
ScheduleObject scheduleOf(std::string title, Schedule schedule, Costs costs, std::string text);
/// Its costs, or others: a path of a costs file, or keywords as a dict.
app::StudyCosts costsFor(const ScheduleObject& schedule, const py::object& costs,
                         const py::dict& keywords);
SimulationObject simulationOf(const ScheduleObject& schedule, app::StudyCosts costs);
/// The same with times that are known already.
SimulationObject simulationOf(const ScheduleObject& schedule, SimResult result, std::string text);

/// The value of a JSON text.
py::object fromJson(const std::string& text);
/// A path as text: str, bytes or os.PathLike.
std::string pathOf(const py::handle& path);
/// Paths of one path or of a list of them.
std::vector<std::string> pathsOf(const py::object& paths);
/// What a device holds at a moment, by kind.
py::dict bytesByKind(const MemoryPoint& point);
/// Milliseconds, or None where there is no time.
py::object msOrNone(const std::optional<Ticks>& ticks);

void bindColumns(py::module_& module);
void bindSchedules(py::module_& module);
void bindFamilies(py::module_& module);
void bindSimulation(py::module_& module);
void bindComparison(py::module_& module);
void bindPlans(py::module_& module);
void bindTraces(py::module_& module);
void bindWhatIf(py::module_& module);
void bindOptimise(py::module_& module);
void bindStore(py::module_& module);
void bindCommands(py::module_& module);

} // namespace pw::python
