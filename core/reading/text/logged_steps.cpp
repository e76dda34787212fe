// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/text/logged_steps.h"

#include "core/base/trim.h"
#include "core/reading/events/event_time.h"
#include "core/reading/text/log_line.h"

#include <algorithm>
#include <optional>
#include <string>

namespace pw {

namespace {

constexpr int secondUnit = 9;

std::string lowerCase(std::string_view text)
{
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return made;
}

/// "60.6,46.2,33.7,41.5": GiB, or MiB where the name says so.
std::vector<double> memoryList(std::string_view name, std::string_view value)
{
    constexpr double mebibytes = 1024;
    constexpr std::size_t mostStages = 65'536;
    std::vector<double> found;
    value = trimmed(value, " \t[]()");
    while (!value.empty() && found.size() < mostStages) {
        const std::size_t comma = value.find(',');
        const auto number = leadingNumber(value.substr(0, comma));
        if (!number || *number < 0)
            return {};
        found.push_back(contains(name, "(mb)") ? *number / mebibytes : *number);
        value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
    }
    return found.size() > 1 ? found : std::vector<double>();
}

/// The time of an iteration that a field is, by its name.
std::optional<Ticks> iterationTime(std::string_view name, std::string_view value)
{
    if (contains(name, "elapsed time per iteration"))
        return leadingTime(value, contains(name, "(s)") ? secondUnit : millisecondDigits);
    if (contains(name, "train_step_timing in s"))
        return leadingTime(value, secondUnit);
    return std::nullopt;
}

bool isLoss(std::string_view name)
{
    return (name.ends_with("loss") || name == "lm loss value") && !contains(name, "scale");
}

class StepFields
{
public:
    explicit StepFields(StepLine& line)
        : m_line(line)
    {
    }

    void take(std::string_view field, std::string_view value)
    {
        const std::string name = lowerCase(field);
        LoggedStep& step = m_line.step;
        if (const auto time = iterationTime(name, value)) {
            step.time = *time;
            m_timed = true;
        } else if (isLoss(name)) {
            takeLoss(name, value);
        } else if (contains(name, "flop")) {
            step.teraflops = leadingNumber(value);
        } else if (contains(name, "tok")) {
            takeTokens(name, value);
        } else if (name.ends_with("samples per second") || name.ends_with("samples/sec")) {
            step.samplesPerSecond = leadingNumber(value);
        } else if (contains(name, "mem")) {
            m_line.stageMemory = memoryList(name, value);
            if (!m_line.stageMemory.empty())
                step.memory =
                    *std::max_element(m_line.stageMemory.begin(), m_line.stageMemory.end());
        } else {
            takeCounts(name, value);
        }
    }

    bool timed() const { return m_timed; }

private:
    void takeLoss(std::string_view name, std::string_view value)
    {
        const bool main = contains(name, "lm loss") || contains(name, "lm_loss");
        m_line.step.notANumber = std::max<std::int64_t>(
            m_line.step.notANumber, lowerCase(value).starts_with("nan") ? 1 : 0);
        if (main || !m_line.step.loss)
            m_line.step.loss = leadingNumber(value);
    }

    /// Of the job; a rate of one device is none.
    void takeTokens(std::string_view name, std::string_view value)
    {
        const bool rate = contains(name, "/s") || contains(name, "per second");
        if (rate && !contains(name, "gpu") && !contains(name, "device"))
            m_line.step.tokensPerSecond = leadingNumber(value);
    }

    void takeCounts(std::string_view name, std::string_view value)
    {
        LoggedStep& step = m_line.step;
        const std::int64_t count = leadingCount(value).value_or(-1);
        if (count < 0)
            return;
        if (name.starts_with("gl") &&
            (name.ends_with("batch size") || name.ends_with("batch_size")))
            step.batch = count; // one engine writes "gloabl"
        else if (name == "number of skipped iterations")
            step.skipped = count;
        else if (name == "number of nan iterations")
            step.notANumber = std::max(step.notANumber, count);
    }

    StepLine& m_line;
    bool m_timed = false;
};

/// "steps: 10 loss: 2.1 iter time (s): 0.45 samples/sec: 35.5", also "step: 10 / 1000 loss: …".
std::optional<StepLine> deepSpeedStep(std::string_view line, bool ended)
{
    constexpr std::string_view time = "iter time (s):";
    const std::size_t at = line.find(time);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view before = line.substr(0, at);
    const std::size_t word = std::max(before.rfind("steps:") + 1, before.rfind("step:") + 1);
    if (word == 0)
        return std::nullopt;
    const std::string_view said = before.substr(word - 1);
    const auto number = countAfter(said, "step");
    const auto numbered = number ? number : countAfter(said, "steps");
    const std::string_view rest = line.substr(at + time.size());
    const auto length = leadingTime(rest.substr(0, rest.find("samples")), secondUnit);
    if (!numbered || *numbered > INT32_MAX || !length || (!ended && !contains(rest, "samples/sec")))
        return std::nullopt;
    StepLine found;
    found.deepSpeed = true;
    found.step.number = static_cast<std::int32_t>(*numbered);
    found.step.time = *length;
    if (const std::size_t loss = said.find("loss:"); loss != std::string_view::npos)
        found.step.loss = leadingNumber(said.substr(loss + 5, said.find(' ', loss + 6) - loss - 5));
    if (const std::size_t rate = rest.find("samples/sec:");
        rate != std::string_view::npos && ended) {
        const std::string_view value = trimmed(rest.substr(rate + 12), " \t");
        found.step.samplesPerSecond = leadingNumber(value.substr(0, value.find(' ')));
    }
    return found;
}

} // namespace

std::vector<StepLine> stepsOfLine(std::string_view line, bool ended)
{
    std::vector<StepLine> found;
    std::size_t from = 0;
    auto mark = iterationMark(line, 0);
    while (mark) {
        const auto next = iterationMark(line, mark->end);
        // What another rank, or the logger, has put in front of the first one belongs to it.
        const std::string_view before = line.substr(from, mark->begin - from);
        const std::string_view behind =
            line.substr(mark->end, next ? next->begin - mark->end : std::string_view::npos);
        StepLine one;
        one.step.number = mark->number;
        one.planned = mark->planned;
        StepFields fields(one);
        const auto take = [&fields](std::string_view name, std::string_view value) {
            fields.take(name, value);
        };
        if (before.find("samples/sec") != std::string_view::npos)
            eachField(before, false, take);
        const std::size_t bar = behind.find('|');
        if (bar != std::string_view::npos)
            eachField(behind.substr(bar + 1), ended && !next, take);
        if (fields.timed())
            found.push_back(std::move(one));
        from = mark->end;
        mark = next;
    }
    if (found.empty())
        if (auto step = deepSpeedStep(line, ended))
            found.push_back(std::move(*step));
    return found;
}

/// DeepSpeed and Megatron tell the same iteration one after the other: Megatron's time is that of
/// the whole iteration and counts.
bool LoggedSteps::completes(const StepLine& line)
{
    LoggedStep& last = m_log.steps.back();
    if (last.number != line.step.number || m_deepSpeed == line.deepSpeed)
        return last.number == line.step.number && last.time == line.step.time;
    const LoggedStep before = last;
    if (m_deepSpeed)
        last = line.step;
    const auto fill = [](auto& into, const auto& one, const auto& other) {
        into = one ? one : other;
    };
    fill(last.loss, last.loss, m_deepSpeed ? before.loss : line.step.loss);
    fill(last.samplesPerSecond, last.samplesPerSecond,
         m_deepSpeed ? before.samplesPerSecond : line.step.samplesPerSecond);
    m_deepSpeed = false;
    return true;
}

bool LoggedSteps::add(const StepLine& line)
{
    (line.deepSpeed ? m_log.deepSpeed : m_log.megatron) = true;
    if (line.planned > 0)
        m_log.setFact(LogFact::Iterations, line.planned);
    for (std::size_t stage = 0; stage < line.stageMemory.size(); ++stage) {
        m_log.stageMemory.resize(std::max(m_log.stageMemory.size(), stage + 1), 0);
        m_log.stageMemory[stage] = std::max(m_log.stageMemory[stage], line.stageMemory[stage]);
    }
    std::vector<LoggedStep>& steps = m_log.steps;
    if (!steps.empty() && completes(line))
        return false;
    if (!steps.empty() && line.step.number <= steps.back().number) {
        const auto again =
            std::lower_bound(steps.begin(), steps.end(), line.step.number,
                             [](const LoggedStep& one, std::int32_t n) { return one.number < n; });
        // Another node's log tells the same once more.
        if (again != steps.end() && again->number == line.step.number &&
            again->time == line.step.time && again->loss == line.step.loss)
            return false;
        ++m_log.restarts;
        steps.erase(again, steps.end());
    }
    steps.push_back(line.step);
    m_deepSpeed = line.deepSpeed;
    return true;
}

} // namespace pw
