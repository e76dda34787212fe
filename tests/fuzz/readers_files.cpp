// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/options.h"
#include "app/stage_times.h"
#include "core/analysis/fit.h"
#include "core/cost/layer_split.h"
#include "core/families/family_file.h"
#include "core/io/chrome_json.h"
#include "core/io/costs_file.h"
#include "core/io/model_file.h"
#include "core/io/project_file.h"
#include "core/io/sail_plan.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/model/draft.h"
#include "core/reading/import_trace.h"
#include "core/sim/simulator.h"
#include "core/trace/recover.h"
#include "core/trace/rules_file.h"
#include "executor/api/fault.h"
#include "executor/api/plan_text.h"
#include "executor/api/wire.h"
#include "tests/fuzz/readers.h"

#include <array>
#include <optional>
#include <sstream>
#include <utility>

namespace pw::fuzz {

namespace {

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
        broken("a makespan is negative");
}

Schedule made(const char* id, FamilyOptions options)
{
    const auto family = findFamily(id);
    if (!family)
        broken(family.error().message);
    auto schedule = buildUniform(**family, options, UniformCosts{});
    if (!schedule)
        broken(schedule.error().message);
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

std::vector<std::string> textSeeds()
{
    std::vector<std::string> seeds;
    for (const auto& [id, options] :
         std::vector<std::pair<const char*, FamilyOptions>>{{"1f1b", sized(2, 3, 2)},
                                                            {"zb-v", sized(2, 3)},
                                                            {"dualpipe", sized(2, 4)},
                                                            {"seq1f1b", sized(2, 2)},
                                                            {"pipedream", sized(2, 3)}})
        seeds.push_back(writeScheduleText(made(id, options)));
    return seeds;
}

void readText(const std::string& text)
{
    if (const auto draft = readScheduleText(text))
        use(*draft);
}

std::vector<std::string> torchSeeds()
{
    std::vector<std::string> seeds;
    for (const TorchForm form : {TorchForm::ComputeOnly, TorchForm::Communicating}) {
        for (const char* id : {"zb-v", "1f1b", "dualpipe-v"})
            seeds.push_back(*writeTorchCsv(made(id, sized(2, 4)), form));
    }
    seeds.emplace_back("0F0,0BW0,0W0\n1F0,,1B0,1W0\n");
    return seeds;
}

void readTorch(const std::string& text)
{
    for (const std::optional<TorchDialect> dialect :
         {std::optional<TorchDialect>{}, std::optional<TorchDialect>{TorchDialect::Older}}) {
        const TorchCsv csv = parseTorchCsv(text, dialect);
        if (const auto draft = readTorchCsv(text, dialect))
            use(*draft);
    }
}

std::vector<std::string> sailSeeds()
{
    std::vector<std::string> seeds = {
        "f0 sf0 f1 F0 B0 b0 w0\n",
        "ScheduledNode(type=F, stage=0, microbatch=0, chunk=0, layer_group_idx=0)\n"};
    for (const SailForm form : {SailForm::ComputeOnly, SailForm::Communicating}) {
        const Schedule schedule = made("zb-v", sized(2, 3));
        const Costs costs = expand(UniformCosts{}, schedule.spec());
        seeds.push_back(*writeSailPlan(schedule, costs, form));
    }
    return seeds;
}

void readSail(const std::string& text)
{
    const SailPlan plan = parseSailPlan(text);
    if (!plan.problems.list.empty())
        return;
    use(plan.draft);
}

std::vector<std::string> projectSeeds()
{
    std::vector<std::string> seeds;
    Project project;
    project.title = "fuzz";
    project.family = FamilyChoice{"zb-v", sized(2, 3)};
    project.draft.spec = *specOf(**findFamily("zb-v"), sized(2, 3));
    project.costs = UniformCosts{};
    seeds.push_back(*writeProject(project));
    const Schedule schedule = made("1f1b", sized(2, 3, 2));
    Project drawn;
    drawn.draft = {schedule.spec(), schedule.orders()};
    drawn.costs = expand(UniformCosts{}, schedule.spec());
    drawn.blocks = {*(*findFamily("1f1b"))->block(sized(2, 3))};
    seeds.push_back(*writeProject(drawn));
    drawn.blocks.clear();
    const AnnotationAnchor free{3'000'000, DeviceId(1), 0.25, std::nullopt, 0.5};
    const AnnotationAnchor tied{0, DeviceId(0), 0.5, Pass{PassKind::B, 0, StageId(1), 2, 0}, 0.75};
    drawn.annotations = {{AnnotationKind::Text, AnnotationTint::Ink, "here", free, {}},
                         {AnnotationKind::Arrow, AnnotationTint::Violet, "", free, tied},
                         {AnnotationKind::Bracket, AnnotationTint::Orange, "warm-up", tied, free},
                         {AnnotationKind::Region, AnnotationTint::Green, "a\nb", tied, tied}};
    seeds.push_back(*writeProject(drawn));
    return seeds;
}

void readProjectFile(const std::string& text)
{
    const auto read = readProject(text);
    if (!read)
        return;
    const auto again = writeProject(*read);
    if (!again)
        return;
    const auto back = readProject(*again);
    if (!back || !(*back == *read))
        broken("a project does not come back from its own file");
    if (!read->family)
        use(read->draft);
}

std::vector<std::string> modelSeeds()
{
    std::vector<std::string> seeds;
    for (const char* preset : {"gpt-22b", "zb-1.5b"})
        seeds.push_back(modelText(*loadModel(preset)));
    return seeds;
}

void readModel(const std::string& text)
{
    const auto model = parseModel(text);
    if (model && !(parseModel(modelText(*model)) == *model))
        broken("a model does not come back from its own file");
}

std::vector<std::string> stageTimesSeeds()
{
    return {"stage,forward,backward,weight\n0,1,2,3\n1,1.5,2,0\n", "stage,forward\n0,1\n"};
}

void readStageTable(const std::string& text)
{
    const auto times = app::readStageTimes(text);
    if (times) {
        const PipelineSpec spec = made("1f1b", sized(2, 2)).spec();
        Costs costs = expand(UniformCosts{}, spec);
        (void)app::applyStageTimes(costs, spec, *times);
    }
}

std::vector<std::string> optionsSeeds()
{
    return {"zb-v --devices 4 --micro-batches=8 --json", "--devices four -- x",
            "1f1b --forward 1.5 --color always --devices 1 --devices 2"};
}

void readOptions(const std::string& text)
{
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
}

std::vector<std::string> wireSeeds()
{
    std::vector<std::string> seeds;
    std::ostringstream out;
    exec::WireSink sink(out, {"0.1.0", "cpu", {{"device", 1}}});
    const std::vector<RecordedPass> passes = {
        {0, RankId(0), EntryId(0), Pass{}, 1, 2},
        {0, RankId(1), EntryId(3), Pass{PassKind::BW, 1, StageId(2), 3, 1}, 4, 9}};
    sink.passes(passes);
    const std::vector<RecordedMessage> messages = {
        {0, 1, RankId(0), RankId(1), Pass{}, 64, 1, 2, 3}};
    sink.messages(messages);
    const std::vector<MemorySample> samples = {{0, RankId(0), 5, {1, 2, 3, 4, 5, 6, 7, 8}}};
    sink.memory(samples);
    sink.loss({0, 4.5});
    sink.log({0, RankId::none(), LogLevel::Warning, "a \"text\""});
    sink.fault({RankId(1), RankId(0), "PP:0F0", "text"});
    sink.finished(RunStatus::Failed, {});
    seeds.push_back(out.str());
    return seeds;
}

/// The same bytes whole and in pieces must come to the same.
void readWire(const std::string& text)
{
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
        broken("the wire reads otherwise in pieces");
}

std::vector<std::string> familySeeds()
{
    return {"a family, its sizes and its parameters", "0123456789abcdef"};
}

/// The input picks a family, its sizes and its parameters: mostly small, sometimes absurd.
void readFamily(const std::string& text)
{
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
        broken(std::string(family.id) + " made a schedule that deadlocks");
    const auto back = readScheduleText(writeScheduleText(*schedule));
    if (!back || back->orders != schedule->orders() || !(back->spec == schedule->spec()))
        broken(std::string(family.id) + " does not come back from the text notation");
}

std::vector<std::string> familyFileSeeds()
{
    return {
        "family a\nsummary S.\nparameter eager flag: more\nparameter group 1 .. 9 default p: k\n"
        "require m % group >= 0: never\ndefine f(x, y) = min(x, y) / 2 + choose(eager, x, -y)\n"
        "order\nwarm = min(m, p - 1 - d)\nfor j in 0 .. warm\nF j\nend\nfor j in 0 .. m\n"
        "if warm + j < m\nF warm + j\nelse\nx = f(j, 2)\nend\nBW j\nend\nend\n"
        "block interval 3 of 1\nF 0 at d\nBW 0 at 3 * p - 2 - 2 * d for 2\nend\n",
        "family b\nsummary S.\nparameter chunks 1 .. default 2: v\nplacement looped chunks\n"
        "segments 2\norder\nfor c in 0 .. v\nfor j in 0 .. m\nfor q in 0 .. k\n"
        "F j chunk c segment q\nend\nend\nend\nj = m\nwhile j > 0\nj = j - 1\n"
        "for c in 0 .. v\nBW j chunk v - 1 - c segment 1\nBW j chunk v - 1 - c segment 0\nend\n"
        "end\nend\n",
        "family c\nsummary S.\nplacement choose(s < p, s, 2 * p - 1 - s) for 2 * p stages\n"
        "order\nfor j in 0 .. m\nF j\nF j chunk 1\nB j chunk 1\nW j chunk 1\nB j\nW j\n"
        "pair F 0 with BW 0\nend\nend\n",
        "family d\nsummary S.\nplacement linear\nplacement reversed\nroute(j) = j % 2\norder\n"
        "array a[2 * m]\nfor j in 0 .. m\na[m - 1 - j] = j\nend\nfor j in 0 .. m\nF a[j]\nend\n"
        "for j in 0 .. m\nBW j\nend\nend\n",
        "family e\nsummary S.\nplacement zigzag 2\nwhen ready\nB j chunk c by -c for 2\n"
        "F j segment q if held < v * p and j - oldest < done(F of j) + 4\n"
        "W if done(B) > done(W) + 1 or done(F chunk 0) == m\nW\nend\n",
        "family f\nsummary S.\nplacement v\nblock interval 6\nF 0 at 2 * d\n"
        "F 0 chunk 1 at 3 * p - 2 - d\nB 0 chunk 1 at 3 * p + 2 + 2 * d\nB 0 at 6 * p + 1 - d\n"
        "end\n"};
}

/// What a text says is made in a few small shapes; the budgets end it.
void readFamilyText(const std::string& text)
{
    const auto file = families::parseFamilyFile(text, "own.family");
    if (!file)
        return;
    for (const auto& [p, m] : {std::pair(1, 1), std::pair(2, 3), std::pair(3, 8)}) {
        const FamilyOptions options = sized(p, m);
        const auto spec = file->spec(options);
        if (!spec || spec->stages() > 64 || spec->segments() > 64)
            continue;
        if (!check(*spec))
            broken("a family of a file made a shape that is none");
        if (const auto made = file->build(*spec, options)) {
            use(draftOf(*made));
            const auto back = readScheduleText(writeScheduleText(*made));
            if (!back || back->orders != made->orders())
                broken("an order of a file does not come back from the text notation");
        }
        if (file->hasBlock())
            (void)file->block(options);
    }
}

std::vector<std::string> costsSeeds()
{
    const Schedule schedule = made("1f1b", sized(2, 4));
    const Costs costs = expand(UniformCosts{}, schedule.spec());
    const Result<Trace> trace =
        importTraceText(writeChromeJson(schedule, costs, *simulate(schedule, costs)), "one.json");
    if (!trace)
        broken(trace.error().message);
    const Result<FittedCosts> fitted = fitTrace(*trace, recover(*trace));
    if (!fitted)
        broken(fitted.error().message);
    return {writeCosts(fitted->file)};
}

void readCostsFile(const std::string& text)
{
    const Result<CostsFile> file = readCosts(text);
    if (!file)
        return;
    const Result<CostsFile> back = readCosts(writeCosts(*file));
    if (!back || !(*back == *file))
        broken("costs do not come back from their own file");
    (void)costsOf(*file, made("1f1b", sized(2, 2)).spec());
}

std::vector<std::string> rulesSeeds()
{
    return {R"({"pipewright_rules": 1, "rules": ["{kind}_mb{micro-batch}", "{kind=F} * {stage}"]})",
            R"({"pipewright_rules": 1, "rules": ["{kind:fprop=F,bprop=BW}.{chunk}/{segment}"]})"};
}

/// Rules that can be read are tried on names.
void readRules(const std::string& text)
{
    const Result<std::vector<NameRule>> rules = readNameRules(text);
    if (!rules)
        return;
    for (const NameRule& rule : *rules)
        for (const char* name : {"", "fprop_mb3", "F_mb12 stage1", "fprop.1/2", "a b c d e f"})
            (void)rule.read(name);
    if (!readNameRules(writeNameRules(*rules)))
        broken("rules do not come back from their own file");
}

std::vector<std::string> wordsSeeds()
{
    return {"stall:F3.1@2", "die:F3.1", "Et*3|(tt|)*2mL", "3,4,5", "1.5e3"};
}

/// Short notations of the command line.
void readWords(const std::string& text)
{
    (void)exec::parseFault(text);
    (void)app::parseNumber(text);
    (void)NameRule::parse(text);
    (void)parseSplit(text, 8, 2);
}

std::vector<std::string> planSeeds()
{
    const Schedule schedule = made("1f1b", sized(2, 3));
    exec::GptModel model;
    model.layers = 2;
    const auto plan =
        exec::makePlan(schedule, expand(UniformCosts{}, schedule.spec()), model, *evenSplit(2, 2));
    if (!plan)
        broken(plan.error().message);
    return {*exec::writePlan(*plan)};
}

void readPlanText(const std::string& text)
{
    if (const auto plan = exec::readPlan(text); plan && !exec::writePlan(*plan))
        broken("a plan that was read cannot be written");
}

constexpr std::array<Reader, 14> all = {{
    {"text", textSeeds, readText},
    {"torch_csv", torchSeeds, readTorch},
    {"sail", sailSeeds, readSail},
    {"project", projectSeeds, readProjectFile},
    {"model", modelSeeds, readModel},
    {"costs", costsSeeds, readCostsFile},
    {"rules", rulesSeeds, readRules},
    {"stage_times", stageTimesSeeds, readStageTable},
    {"options", optionsSeeds, readOptions},
    {"words", wordsSeeds, readWords},
    {"families", familySeeds, readFamily},
    {"family_file", familyFileSeeds, readFamilyText},
    {"wire", wireSeeds, readWire},
    {"plan", planSeeds, readPlanText},
}};

} // namespace

std::span<const Reader> fileReaders()
{
    return all;
}

} // namespace pw::fuzz
