// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/slurm_job.h"

#include "core/base/try.h"
#include "core/io/checked_engines.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace pw {

namespace {

constexpr int mostSlurmTasks = 65'536;

bool isSlurmName(std::string_view text)
{
    constexpr std::size_t longest = 200;
    return !text.empty() && text.size() <= longest &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view("._-+@:/").find(c) != std::string_view::npos;
           });
}

/// M, M:S, H:M:S, D-H, D-H:M, D-H:M:S
bool isSlurmTime(std::string_view text)
{
    const std::size_t dash = text.find('-');
    std::string_view rest = dash == std::string_view::npos ? text : text.substr(dash + 1);
    const auto isNumber = [](std::string_view part) {
        constexpr std::size_t longest = 6;
        return !part.empty() && part.size() <= longest &&
               std::all_of(part.begin(), part.end(),
                           [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    };
    if (dash != std::string_view::npos && !isNumber(text.substr(0, dash)))
        return false;
    for (int parts = 1; parts <= 3; ++parts) {
        const std::size_t colon = rest.find(':');
        if (!isNumber(rest.substr(0, colon)))
            return false;
        if (colon == std::string_view::npos)
            return true;
        rest.remove_prefix(colon + 1);
    }
    return false;
}

Result<void> setSlurmNumber(int& number, std::string_view option, std::string_view value)
{
    const int least = option == "gpus-per-task" || option == "nodes" || option == "tasks" ? 0 : 1;
    int read = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), read);
    if (problem != std::errc() || end != value.data() + value.size() || read < least ||
        read > mostSlurmTasks)
        return fail(ErrorCode::BadValue, "--%1 takes a whole number from %2 to %3, not %4", option,
                    least, mostSlurmTasks, inQuotes(value));
    number = read;
    return {};
}

/// Slurm's states; the last word of those that begin alike.
struct SlurmState
{
    std::string_view name;
    SlurmPhase phase;
    std::string_view text;
};

constexpr std::array<SlurmState, 19> slurmStates = {{
    {"PENDING", SlurmPhase::Waits, "waits"},
    {"CONFIGURING", SlurmPhase::Waits, "its nodes are made ready"},
    {"REQUEUED", SlurmPhase::Waits, "is back in the queue"},
    {"REQUEUE_HOLD", SlurmPhase::Waits, "is held in the queue"},
    {"RESIZING", SlurmPhase::Runs, "changes its size"},
    {"RUNNING", SlurmPhase::Runs, "runs"},
    {"STAGE_OUT", SlurmPhase::Runs, "its files are copied back"},
    {"SUSPENDED", SlurmPhase::Runs, "is suspended"},
    {"STOPPED", SlurmPhase::Runs, "is stopped"},
    {"COMPLETING", SlurmPhase::Runs, "ends"},
    {"COMPLETED", SlurmPhase::Ended, "has ended"},
    {"CANCELLED", SlurmPhase::Failed, "was cancelled"},
    {"FAILED", SlurmPhase::Failed, "has failed: its program ended with an error"},
    {"TIMEOUT", SlurmPhase::Failed, "was ended: its time was over; --time asks for more"},
    {"DEADLINE", SlurmPhase::Failed, "was ended: its deadline was over"},
    {"OUT_OF_MEMORY", SlurmPhase::Failed, "was ended: it needed more memory than it may have"},
    {"NODE_FAIL", SlurmPhase::Failed, "was ended: one of its nodes failed"},
    {"PREEMPTED", SlurmPhase::Failed, "was ended: a job that comes first took its nodes"},
    {"BOOT_FAIL", SlurmPhase::Failed, "was ended: its nodes did not start"},
}};

const SlurmState* stateOf(std::string_view state)
{
    // "CANCELLED by 1000", and a "+" where there is more than was shown.
    const std::size_t end = state.find_first_of(" +");
    const std::string_view word = state.substr(0, end);
    const auto* const found = std::find_if(slurmStates.begin(), slurmStates.end(),
                                           [&](const SlurmState& one) { return one.name == word; });
    return found == slurmStates.end() ? nullptr : found;
}

/// Why a job waits, in words; none where Slurm's own word has to do.
std::string_view reasonText(std::string_view reason)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> known = {{
        {"Resources", "for free nodes"},
        {"Priority", "behind jobs that come first"},
        {"Dependency", "for another job"},
        {"BeginTime", "for its time"},
        {"JobHeldUser", "as you hold it"},
        {"JobHeldAdmin", "as the administrator holds it"},
        {"PartitionDown", "for its partition, which is down"},
        {"PartitionTimeLimit", "for ever: its --time is longer than the partition allows"},
        {"PartitionNodeLimit", "for ever: it asks for more nodes than the partition has"},
        {"ReqNodeNotAvail", "for nodes that are down or reserved"},
        {"AssocMaxJobsLimit", "for your other jobs to end"},
        {"QOSMaxJobsPerUserLimit", "for your other jobs to end"},
    }};
    for (const auto& [word, text] : known) {
        if (reason.substr(0, reason.find(',')) == word)
            return text;
    }
    return {};
}

} // namespace

Result<void> setSlurmOption(SlurmJob& job, std::string_view option, std::string_view value)
{
    const std::array<std::pair<std::string_view, int*>, 4> numbers = {{
        {"nodes", &job.nodes},
        {"tasks", &job.tasks},
        {"cpus-per-task", &job.cpusPerTask},
        {"gpus-per-task", &job.gpusPerTask},
    }};
    for (const auto& [name, number] : numbers) {
        if (option == name)
            return setSlurmNumber(*number, option, value);
    }
    const std::array<std::pair<std::string_view, std::string*>, 5> texts = {{
        {"partition", &job.partition},
        {"account", &job.account},
        {"time", &job.time},
        {"name", &job.name},
        {"mpi", &job.mpi},
    }};
    const auto* const found = std::find_if(texts.begin(), texts.end(),
                                           [&](const auto& one) { return one.first == option; });
    if (found == texts.end())
        return fail(ErrorCode::BadValue, "%1 is not an option of a job", inQuotes(option));
    const bool mayBeEmpty = option != "name" && option != "mpi";
    if (value.empty() && mayBeEmpty) {
        found->second->clear();
        return {};
    }
    if (option == "time" && !isSlurmTime(value))
        return fail(ErrorCode::BadValue,
                    "--time takes minutes, hours:minutes:seconds or days-hours, such as 30, "
                    "2:00:00 or 1-12, not %1",
                    inQuotes(value));
    if (!isSlurmName(value))
        return fail(ErrorCode::BadValue, "--%1 takes letters, digits and . _ - + @ : /, not %2",
                    option, inQuotes(value));
    found->second->assign(value);
    return {};
}

std::vector<std::string> slurmOptions(const SlurmJob& job)
{
    const SlurmJob usual;
    std::vector<std::string> words;
    const auto text = [&](const char* option, const std::string& value, const std::string& other) {
        if (value == other)
            return;
        words.emplace_back(option);
        words.push_back(value);
    };
    text("--partition", job.partition, usual.partition);
    text("--account", job.account, usual.account);
    text("--nodes", std::to_string(job.nodes), std::to_string(usual.nodes));
    text("--tasks", std::to_string(job.tasks), std::to_string(usual.tasks));
    text("--cpus-per-task", std::to_string(job.cpusPerTask), std::to_string(usual.cpusPerTask));
    text("--gpus-per-task", std::to_string(job.gpusPerTask), std::to_string(usual.gpusPerTask));
    text("--time", job.time, usual.time);
    text("--name", job.name, usual.name);
    text("--mpi", job.mpi, usual.mpi);
    return words;
}

Result<SlurmJob> slurmJobOf(std::span<const std::string> words)
{
    std::size_t at = 0;
    while (at < words.size() && words[at] != "submit")
        ++at;
    if (at == words.size())
        return fail(ErrorCode::BadValue, "the command line sends no job: it has no submit");
    SlurmJob job;
    for (++at; at < words.size() && words[at] != "--"; ++at) {
        std::string_view option = words[at];
        if (option.substr(0, 2) != "--")
            return fail(ErrorCode::BadValue, "%1 is not an option of a job; -- ends them",
                        inQuotes(option));
        option.remove_prefix(2);
        const std::size_t equals = option.find('=');
        if (equals == std::string_view::npos && at + 1 == words.size())
            return fail(ErrorCode::BadValue, "--%1 needs a value", option);
        const std::string_view value = equals == std::string_view::npos
                                           ? std::string_view(words[++at])
                                           : option.substr(equals + 1);
        option = option.substr(0, equals);
        if (option == "folder" || option == "program") // where, not what
            continue;
        PW_DO(setSlurmOption(job, option, value));
    }
    return job;
}

std::string shellWord(std::string_view word)
{
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("._-+@:/=,%").find(c) != std::string_view::npos;
    });
    if (plain)
        return std::string(word);
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string slurmScript(const SlurmJob& job, const SlurmStep& step)
{
    std::string text = "#!/bin/bash\n" + checkedLine(slurmChecked);
    const auto ask = [&](const char* option, const std::string& value) {
        text += std::string("#SBATCH --") + option + "=" + value + "\n";
    };
    ask("job-name", job.name);
    if (!job.partition.empty())
        ask("partition", job.partition);
    if (!job.account.empty())
        ask("account", job.account);
    if (job.nodes > 0)
        ask("nodes", std::to_string(job.nodes));
    ask("ntasks", std::to_string(job.tasks));
    ask("cpus-per-task", std::to_string(job.cpusPerTask));
    if (job.gpusPerTask > 0)
        ask("gpus-per-task", std::to_string(job.gpusPerTask));
    if (!job.time.empty())
        ask("time", job.time);
    ask("output", step.log.find(' ') == std::string::npos ? step.log : '"' + step.log + '"');
    if (job.tasks > 1)
        text += "srun --kill-on-bad-exit=1 --mpi=${PIPEWRIGHT_MPI:-" + job.mpi + "} ";
    for (std::size_t i = 0; i < step.command.size(); ++i)
        text += (i > 0 ? " " : "") + shellWord(step.command[i]);
    if (!step.output.empty())
        text += " > " + shellWord(step.output);
    return text + "\n";
}

SlurmPhase slurmPhase(std::string_view state)
{
    const SlurmState* known = stateOf(state);
    return known == nullptr ? SlurmPhase::Unknown : known->phase;
}

std::string slurmStateText(std::string_view state, std::string_view reason)
{
    const SlurmState* known = stateOf(state);
    if (known == nullptr)
        return "is " + std::string(state);
    std::string text(known->text);
    if (reason.empty() || reason == "None" || reason == "(null)")
        return text;
    if (known->phase == SlurmPhase::Waits) {
        const std::string_view why = reasonText(reason);
        return text + (why.empty() ? "" : " " + std::string(why)) + " (" + std::string(reason) +
               ")";
    }
    return known->phase == SlurmPhase::Runs ? text + " on " + std::string(reason) : text;
}

} // namespace pw
