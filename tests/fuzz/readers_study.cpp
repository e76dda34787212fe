// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// What people teach and plan with: lessons, results of a class, measured tables, other engines'
// plans.
#include "core/io/engine_text.h"
#include "core/lesson/lesson.h"
#include "core/lesson/play.h"
#include "core/lesson/results.h"
#include "core/plan/measured.h"
#include "core/trace/rules_file.h"
#include "tests/fuzz/readers.h"

#include <array>

namespace pw::fuzz {

namespace {

std::vector<std::string> lessonSeeds()
{
    std::vector<std::string> seeds;
    for (const ShippedLesson& lesson : shippedLessons())
        seeds.emplace_back(lesson.text);
    return seeds;
}

/// Levels of a lesson that can be read are played by their own demonstration.
void readLessonFile(const std::string& text)
{
    const Result<Lesson> lesson = readLesson(text, "a-lesson");
    if (!lesson)
        return;
    for (int number = 0; number < lesson->levels() && number < 4; ++number) {
        const LessonLevel& level = lesson->level(number);
        if (const PipelineSpec& spec = level.start.draft.spec;
            spec.stages() * spec.totalMicroBatches() < 300)
            (void)play(level, level.start);
    }
}

std::vector<std::string> resultsSeeds()
{
    LessonResults results;
    results.who = "Ada";
    results.note({"05-1f1b", 0, true, true, false, true, 12, 1, "1f1b"});
    results.note({"02-gpipe", 1, false, false, false, false, 3, 0, ""});
    return {writeResults(results)};
}

void readResultsFile(const std::string& text)
{
    const Result<LessonResults> results = readResults(text);
    if (!results)
        return;
    const Result<LessonResults> back = readResults(writeResults(*results));
    if (!back || !(*back == *results))
        broken("results do not come back from their own file");
}

std::vector<std::string> measuredSeeds()
{
    return {
        "gpus,global_batch,micro_batch,hidden,heads,layers,sequence,tensor_parallel,data_parallel,"
        "pipeline_parallel,iteration_ms,family,chunks,recompute\n"
        "64,512,1,6144,48,40,2048,8,2,4,12000.5,interleaved-1f1b,2,none\n"
        "8,64,2,1024,16,24,1024,1,2,4,350,1f1b,1,full\n",
        "model,gpus,micro_batch,micro_batches,layers_by_stage,precision,zero,tokens_per_second_per_"
        "gpu\n"
        "llama3-8b,8,1,4,,bf16,1,6667\nllama3-8b,8,1,4,,float8,,8532\n"};
}

void readMeasuredTable(const std::string& text)
{
    const auto table = plan::parseMeasured(text);
    if (!table)
        return;
    for (const plan::MeasuredRow& row : table->rows)
        if (!(row.seconds > 0))
            broken("a measured iteration takes no time");
}

std::vector<std::string> strategySeeds()
{
    return {writeGalvatron({4, 8, "1f1b", {3, 2, 2, 1}, 64, true}),
            writeGalvatron({2, 4, "gpipe", {1, 1}, 8, false})};
}

void readStrategy(const std::string& text)
{
    const auto strategy = readGalvatron(text);
    if (strategy && !readGalvatron(writeGalvatron(*strategy)))
        broken("a strategy does not come back from its own file");
}

std::vector<std::string> exampleSeeds()
{
    return {
        R"({"pipewright_rules": 1, "rules": ["{kind}{micro-batch}"], "examples": [{"kind": "F", "stage": 0,)"
        R"( "names": ["gemm", "softmax", "gemm"]}]})"};
}

void readExamples(const std::string& text)
{
    (void)readPassExamples(text);
}

constexpr std::array<Reader, 5> all = {{
    {"lesson", lessonSeeds, readLessonFile},
    {"lesson_results", resultsSeeds, readResultsFile},
    {"measured", measuredSeeds, readMeasuredTable},
    {"strategy", strategySeeds, readStrategy},
    {"examples", exampleSeeds, readExamples},
}};

} // namespace

std::span<const Reader> studyReaders()
{
    return all;
}

} // namespace pw::fuzz
