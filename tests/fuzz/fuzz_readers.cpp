// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Feeds damaged input to everything that reads what people give: files of every format, the options
// of the command line, and numbers that no pipeline has. Run it in the asan preset:
//
//     build/asan/tests/fuzz_readers INPUTS [SEED]
//
// Inputs are shared out over the readers. It ends with 0 when no input crashed, hung (20 s) or
// broke a round trip; the sanitizers end it otherwise. The input that was read last lies in
// fuzz_readers.last.

#include "app/options.h"
#include "app/stage_times.h"
#include "core/cost/model_file.h"
#include "core/families/family.h"
#include "core/io/chrome_json.h"
#include "core/io/project_file.h"
#include "core/io/run_export.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/model/draft.h"
#include "core/sim/simulator.h"
#include "core/trace/importers/import_trace.h"
#include "core/trace/recover.h"
#include "executor/api/wire.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

// Where a sanitizer is built in, it calls this before it ends the program.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using namespace pw;

/// Changes a seed text in one to eight places.
class Mutator
{
public:
    explicit Mutator(std::uint64_t seed)
        : m_random(seed)
    {
    }

    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : m_random() % bound; }

    std::string mutated(const std::vector<std::string>& seeds)
    {
        std::string text = seeds[below(seeds.size())];
        for (std::size_t changes = 1 + below(8); changes > 0; --changes)
            change(text, seeds);
        // Long inputs are slow and find little that short ones do not.
        constexpr std::size_t longest = 20'000;
        if (text.size() > longest)
            text.resize(longest);
        return text;
    }

private:
    void change(std::string& text, const std::vector<std::string>& seeds)
    {
        const std::size_t at = below(text.size() + 1);
        switch (below(9)) {
        case 0:
            if (at < text.size())
                text[at] = static_cast<char>(below(256));
            break;
        case 1:
            text.erase(at, 1 + below(20));
            break;
        case 2:
            text.insert(at, text.substr(below(text.size() + 1), below(60)));
            break;
        case 3:
            text.resize(at);
            break;
        case 4:
            text.insert(at, token());
            break;
        case 5: {
            const std::string& other = seeds[below(seeds.size())];
            text.insert(at, other.substr(below(other.size() + 1), below(200)));
            break;
        }
        case 6:
            replaceNumber(text, at);
            break;
        case 7:
            text.insert(at, std::string(1 + below(300), "[({,;\n0"[below(7)]));
            break;
        default:
            if (at < text.size())
                text[at] =
                    static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << below(8)));
        }
    }

    std::string token()
    {
        static const char* const tokens[] = {"F0",
                                             "BW1",
                                             "(F1+BW0)",
                                             "U0",
                                             "@2",
                                             "/1",
                                             ".1",
                                             "0F0",
                                             "1I2",
                                             "2W2",
                                             "OVERLAP_F_B",
                                             "SEND_F",
                                             "null",
                                             "true",
                                             "-1",
                                             "1e308",
                                             "nan",
                                             "\"\"",
                                             "\\u0000",
                                             "\xff",
                                             "--devices",
                                             "=",
                                             "--",
                                             "\r\n",
                                             "d0:",
                                             "4294967296",
                                             "segments: 9999999",
                                             "placement: 0 1 2 3"};
        return tokens[below(sizeof tokens / sizeof *tokens)];
    }

    void replaceNumber(std::string& text, std::size_t from)
    {
        const std::size_t at = text.find_first_of("0123456789", from);
        if (at == std::string::npos)
            return;
        static const char* const numbers[] = {"0",
                                              "-1",
                                              "1",
                                              "2147483647",
                                              "2147483648",
                                              "9223372036854775807",
                                              "99999999999999999999999",
                                              "0.5",
                                              "1e400",
                                              "1000000"};
        std::size_t end = at;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9')
            ++end;
        text.replace(at, end - at, numbers[below(sizeof numbers / sizeof *numbers)]);
    }

    std::mt19937_64 m_random;
};

const std::string* current = nullptr;

/// Leaves the input that is being read behind in a file; from a signal, so only with system calls.
void keepCurrent()
{
    const int file =
        current == nullptr ? -1 : ::open("fuzz_readers.last", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (file < 0)
        return;
    if (::write(file, current->data(), current->size()) >= 0)
        ::close(file);
}

extern "C" void onSignal(int)
{
    keepCurrent();
    _exit(1);
}

[[noreturn]] void stop(const std::string& why)
{
    keepCurrent();
    std::fprintf(stderr, "fuzz_readers: %s\n", why.c_str());
    std::exit(1);
}

/// Simulates a draft where it is a schedule and small.
void use(const Draft& draft)
{
    const auto found = problems(draft);
    if (!found || !found->none())
        return;
    const auto schedule = Schedule::make(draft.spec, draft.orders);
    if (!schedule)
        return;
    const auto result = simulate(*schedule, expand(UniformCosts{}, schedule->spec()));
    if (result && result->makespan < 0)
        stop("a makespan is negative");
}

struct Target
{
    std::string name;
    std::vector<std::string> seeds;
    std::function<void(const std::string&)> read;
};

Schedule made(const char* id, FamilyOptions options)
{
    const auto family = findFamily(id);
    if (!family)
        stop(family.error().message);
    auto schedule = buildUniform(**family, options, UniformCosts{});
    if (!schedule)
        stop(schedule.error().message);
    return *schedule;
}

FamilyOptions sized(int p, int m, int steps = 1)
{
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    options.steps = steps;
    return options;
}

Target textTarget()
{
    Target target;
    target.name = "text notation";
    for (const auto& [id, options] :
         std::vector<std::pair<const char*, FamilyOptions>>{{"1f1b", sized(2, 3, 2)},
                                                            {"zb-v", sized(2, 3)},
                                                            {"dualpipe", sized(2, 4)},
                                                            {"seq1f1b", sized(2, 2)},
                                                            {"pipedream", sized(2, 3)}})
        target.seeds.push_back(writeScheduleText(made(id, options)));
    target.read = [](const std::string& text) {
        if (const auto draft = readScheduleText(text))
            use(*draft);
    };
    return target;
}

Target torchTarget()
{
    Target target;
    target.name = "PyTorch CSV";
    for (const TorchForm form : {TorchForm::ComputeOnly, TorchForm::Communicating}) {
        for (const char* id : {"zb-v", "1f1b", "dualpipe-v"})
            target.seeds.push_back(*writeTorchCsv(made(id, sized(2, 4)), form));
    }
    target.seeds.emplace_back("0F0,0BW0,0W0\n1F0,,1B0,1W0\n");
    target.read = [](const std::string& text) {
        for (const std::optional<TorchDialect> dialect :
             {std::optional<TorchDialect>{}, std::optional<TorchDialect>{TorchDialect::Older}}) {
            const TorchCsv csv = parseTorchCsv(text, dialect);
            if (const auto draft = readTorchCsv(text, dialect))
                use(*draft);
        }
    };
    return target;
}

Target projectTarget()
{
    Target target;
    target.name = "project file";
    Project project;
    project.title = "fuzz";
    project.family = FamilyChoice{"zb-v", sized(2, 3)};
    project.draft.spec = *specOf(**findFamily("zb-v"), sized(2, 3));
    project.costs = UniformCosts{};
    target.seeds.push_back(*writeProject(project));
    const Schedule schedule = made("1f1b", sized(2, 3, 2));
    Project drawn;
    drawn.draft = {schedule.spec(), schedule.orders()};
    drawn.costs = expand(UniformCosts{}, schedule.spec());
    drawn.blocks = {*(*findFamily("1f1b"))->block(sized(2, 3))};
    target.seeds.push_back(*writeProject(drawn));
    target.read = [](const std::string& text) {
        const auto read = readProject(text);
        if (!read)
            return;
        const auto again = writeProject(*read);
        if (!again)
            return;
        const auto back = readProject(*again);
        if (!back || !(*back == *read))
            stop("a project does not come back from its own file");
        if (!read->family)
            use(read->draft);
    };
    return target;
}

Target modelTarget()
{
    Target target;
    target.name = "model file";
    for (const char* preset : {"gpt-22b", "zb-1.5b"})
        target.seeds.push_back(modelText(*loadModel(preset)));
    target.read = [](const std::string& text) {
        const auto model = parseModel(text);
        if (model && !(parseModel(modelText(*model)) == *model))
            stop("a model does not come back from its own file");
    };
    return target;
}

Target stageTimesTarget()
{
    Target target;
    target.name = "stage times";
    target.seeds = {"stage,forward,backward,weight\n0,1,2,3\n1,1.5,2,0\n", "stage,forward\n0,1\n"};
    target.read = [](const std::string& text) {
        const auto times = app::readStageTimes(text);
        if (times) {
            const PipelineSpec spec = made("1f1b", sized(2, 2)).spec();
            Costs costs = expand(UniformCosts{}, spec);
            (void)app::applyStageTimes(costs, spec, *times);
        }
    };
    return target;
}

Target optionsTarget()
{
    Target target;
    target.name = "options";
    target.seeds = {"zb-v --devices 4 --micro-batches=8 --json", "--devices four -- x",
                    "1f1b --forward 1.5 --color always --devices 1 --devices 2"};
    target.read = [](const std::string& text) {
        std::vector<app::Option> declared(4);
        declared[0].name = "devices";
        declared[0].kind = app::ValueKind::Whole;
        declared[0].minimum = 1;
        declared[1].name = "forward";
        declared[1].kind = app::ValueKind::Number;
        declared[2].name = "json";
        declared[3].name = "color";
        declared[3].kind = app::ValueKind::Text;
        declared[3].choices = {"auto", "always", "never"};
        std::vector<std::string> words(1);
        for (const char letter : text) {
            if (letter == ' ')
                words.emplace_back();
            else
                words.back() += letter;
        }
        (void)app::parse(declared, words);
    };
    return target;
}

/// The same bytes whole and in pieces must come to the same.
Target wireTarget()
{
    Target target;
    target.name = "wire";
    std::ostringstream out;
    exec::WireSink sink(out, {"0.1.0", "cpu", {{"device", 1}}});
    const std::vector<RecordedPass> passes = {{0, 0, 0, Pass{}, 1, 2},
                                              {0, 1, 3, Pass{PassKind::BW, 1, 2, 3, 1}, 4, 9}};
    sink.passes(passes);
    const std::vector<RecordedMessage> messages = {{0, 1, 0, 1, Pass{}, 64, 1, 2, 3}};
    sink.messages(messages);
    const std::vector<MemorySample> samples = {{0, 0, 5, {1, 2, 3, 4, 5, 6, 7, 8}}};
    sink.memory(samples);
    sink.loss({0, 4.5});
    sink.log({0, -1, LogLevel::Warning, "a \"text\""});
    sink.fault({1, 0, "PP:0F0", "text"});
    sink.finished(RunStatus::Failed, {});
    target.seeds.push_back(out.str());
    target.read = [](const std::string& text) {
        exec::WireListener listener;
        exec::WireReader whole(listener, 5000);
        exec::WireReader pieces(listener, 5000);
        const auto fed = whole.feed(text);
        Result<void> last;
        for (std::size_t at = 0; at < text.size() || at == 0; at += 7)
            last = pieces.feed(std::string_view(text).substr(at, 7));
        if (fed.has_value() != last.has_value() ||
            whole.end().has_value() != pieces.end().has_value() ||
            whole.brokenLines() != pieces.brokenLines() ||
            whole.unknownKinds() != pieces.unknownKinds() || whole.lines() != pieces.lines())
            stop("the wire reads otherwise in pieces");
    };
    return target;
}

/// The input picks a family, its sizes and its parameters: mostly small, sometimes absurd.
Target familyTarget()
{
    Target target;
    target.name = "family options";
    target.seeds = {"a family, its sizes and its parameters", "0123456789abcdef"};
    target.read = [](const std::string& text) {
        std::size_t next = 0;
        auto byte = [&]() -> unsigned {
            return next < text.size() ? static_cast<unsigned char>(text[next++]) : 0U;
        };
        auto count = [&](int bound) {
            static constexpr int absurd[] = {0, -1, 2'147'483'647, 100'000'000};
            const auto value = static_cast<int>(byte());
            return value >= 250 ? absurd[value % 4] : 1 + value % bound;
        };
        const auto all = allFamilies();
        const Family& family = all[byte() % all.size()];
        FamilyOptions options = sized(count(6), count(9), count(2));
        for (const Parameter& parameter : family.parameters) {
            const unsigned value = byte();
            if (parameter.name == "time-limit")
                options.parameters.emplace_back(parameter.name, 0);
            else if (value < 200)
                options.parameters.emplace_back(parameter.name, value % 7);
            else if (value < 210)
                options.parameters.emplace_back(parameter.name, 1e300);
        }
        const auto schedule = buildUniform(family, options, UniformCosts{});
        if (!schedule)
            return;
        if (!simulate(*schedule, expand(UniformCosts{}, schedule->spec())))
            stop(std::string(family.id) + " made a schedule that deadlocks");
        const auto back = readScheduleText(writeScheduleText(*schedule));
        if (!back || back->orders != schedule->orders() || !(back->spec == schedule->spec()))
            stop(std::string(family.id) + " does not come back from the text notation");
    };
    return target;
}

/// Whatever is read has sound spans and repairs inside the file; what is named can be run.
Target traceTarget()
{
    Target target;
    target.name = "traces";
    for (const char* id : {"1f1b", "dualpipe", "seq1f1b"}) {
        const Schedule schedule = made(id, sized(2, 4));
        const Costs costs = expand(UniformCosts{}, schedule.spec());
        target.seeds.push_back(writeChromeJson(schedule, costs, *simulate(schedule, costs)));
    }
    target.seeds.emplace_back(
        R"([{"name": "forward", "ph": "B", "ts": 1, "pid": 0, "tid": 0, "args": {"iteration": 1}},
{"name": "forward", "ph": "E", "ts": 3.5, "pid": 0, "tid": 0,
 "args": {"microbatch": 0, "model_chunk": 0, "pp_rank": 0}},
{"name": "backward", "ph": "X", "ts": 4, "dur": 2, "pid": "0", "tid": "a \u00e9\ud83d\ude00",
 "args": {"microbatch": 0, "model_chunk": 0, "pp_rank": 0}}])");
    target.seeds.emplace_back(
        R"({"distributedInfo": {"rank": 3}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "Forward 0", "pid": 7, "tid": 7, "ts": 1e3, "dur": 2},
{"ph": "X", "cat": "kernel", "name": "F0.1.2", "pid": 0, "tid": 7, "ts": 1682725898236567, "dur": 1},
{"ph": "X", "name": "ProfilerStep#1", "pid": 7, "tid": 7, "ts": 1, "dur": 9, "args": {"a": [[{}]]}}
], "baseTimeNanoseconds": 1700000000000000000})");
    target.seeds.emplace_back(
        R"({"forward-0-1-start": 1.5, "forward-0-1-end": 2,
"backward-0-1-start": 3, "backward-0-1-end": 4})");
    target.seeds.emplace_back(
        " [2026-01-01] iteration 3/ 9 | elapsed time per iteration (ms): 20.5 |\n"
        "times across ranks (ms):\n  forward-compute:\n     rank  0: 9.25\n     rank  1: 8.00\n");
    target.seeds.emplace_back(
        R"([ {"name": "F0_VP1", "cat": "virtual pipeline timeline", "ph": "B",
 "pid": 0, "tid": 2, "ts": 1700000000123},
{"name": "F0_VP1", "cat": "virtual pipeline timeline", "ph": "E",
 "pid": 0, "tid": 2, "ts": 1700000000125},
{"name": "backward_b0_3", "cat": "backward_b0", "ph": "B",
 "ts": 2, "pid": 0, "tid": "GPU1"} ])");
    target.seeds.emplace_back(
        "I0101 a.cc:1] Profiler Info: Job (0), type = forward0, micro_batch_id = 1, "
        "job_start_time = 1.000000, job_end_time = 12.500000\n");
    target.seeds.push_back(writeRunCsv(std::vector<RecordedPass>{
        {0, 0, 0, Pass{}, 1, 2}, {0, 1, 3, Pass{PassKind::BW, 1, 2}, 4, 9}}));
    target.seeds.emplace_back(
        R"({"t":"hello","protocol":1}
{"t":"pass","label":"PP:0F1","it":0,"rank":0,"entry":1,"kind":"F","stage":0,)"
        R"("mb":1,"start":5,"end":9}
)");
    target.read = [](const std::string& text) {
        const Result<Trace> trace = importTraceText(text, "rank0.json");
        if (!trace) {
            if (trace.error().message.empty())
                stop("an import failed without a message");
            return;
        }
        for (const TraceSpan& span : trace->spans)
            if (span.start < 0 || span.end < span.start)
                stop("a span ends before it begins");
        for (const TraceRepair& repair : trace->repairs.list)
            if (repair.position < 0 || repair.position > static_cast<std::int64_t>(text.size()))
                stop("a repair is outside the file");
        const RecoveredPipeline pipeline = recover(*trace);
        if (!pipeline.schedule)
            return;
        const auto again = simulate(*pipeline.schedule, measuredCosts(pipeline, 0));
        if (again && again->makespan < 0)
            stop("a makespan is negative");
    };
    return target;
}

} // namespace

int main(int argc, char** argv)
{
    const long inputs = argc > 1 ? std::atol(argv[1]) : 20'000;
    const unsigned long long seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    if (inputs < 1)
        stop("usage: fuzz_readers INPUTS [SEED]");
    std::printf("seed %llu\n", seed);
    if (__sanitizer_set_death_callback != nullptr)
        __sanitizer_set_death_callback(keepCurrent);
    for (const int signal : {SIGALRM, SIGABRT, SIGSEGV})
        std::signal(signal, onSignal);
    const std::vector<Target> targets = {textTarget(),   torchTarget(),      projectTarget(),
                                         modelTarget(),  stageTimesTarget(), optionsTarget(),
                                         familyTarget(), wireTarget(),       traceTarget()};
    const long each =
        (inputs + static_cast<long>(targets.size()) - 1) / static_cast<long>(targets.size());
    long total = 0;
    for (const Target& target : targets) {
        Mutator mutator(seed);
        for (long i = 0; i < each; ++i) {
            const std::string input = mutator.mutated(target.seeds);
            current = &input;
            if (i % 64 == 0)
                alarm(20);
            target.read(input);
            ++total;
        }
        alarm(0);
        current = nullptr;
        std::printf("%-16s %ld inputs\n", target.name.c_str(), each);
        std::fflush(stdout);
    }
    std::printf("%ld inputs, no crash, no hang\n", total);
    return 0;
}
