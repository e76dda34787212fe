// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/trace_import.h"

#include "core/analysis/trace_holes.h"
#include "core/reading/copies.h"
#include "core/trace/rules_file.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"

#include <QTimer>

#include <algorithm>
#include <atomic>

namespace pw::ui {

/// What the worker and the window share; outlives both.
struct TraceImport::State
{
    std::atomic<bool> stop{false};
    std::atomic<bool> recovering{false};
    std::atomic<std::int32_t> file{0};
    std::atomic<std::int32_t> files{0};
    std::atomic<std::int64_t> bytesRead{0};
    std::atomic<std::int64_t> bytes{0};
};

namespace {

/// The rows of a trace, which takes its spans, tracks and names.
ShownActivityPtr shownOf(Trace& trace, std::vector<MessagePair> pairs,
                         const std::vector<TraceHole>& holes)
{
    Trace whole;
    whole.origin = trace.origin;
    whole.base = trace.base;
    whole.files = trace.files;
    whole.ranks = trace.ranks;
    whole.events = trace.events;
    whole.tracks = std::move(trace.tracks);
    whole.names = std::move(trace.names);
    whole.labels = std::move(trace.labels);
    whole.spans = std::move(trace.spans);
    markHoles(whole, holes);
    whole.counters = trace.counters;
    whole.peaks = trace.peaks;
    whole.links = std::move(trace.links);
    whole.groups = std::move(trace.groups);
    whole.calls = std::move(trace.calls);
    return std::make_shared<ShownActivity>(std::move(whole), std::move(pairs));
}

/// Recovers the pipeline. The spans, which may be most of the memory, are kept once.
ImportedTracePtr understood(Trace trace, int run, const Result<std::vector<NameRule>>& rules)
{
    auto made = std::make_shared<ImportedTrace>();
    made->runs = runsOf(trace);
    made->run = std::min(run, made->runs - 1);
    if (made->runs > 1)
        keepRun(trace, made->run);
    if (rules)
        made->rules = *rules;
    else
        made->rulesProblem = coreSentence(rules.error().message);
    made->names = namesOf(trace);
    auto pipelines = std::make_shared<std::vector<AlignedPipeline>>(recoverAllAligned(trace));
    RecoveredPipeline& pipeline = pipelines->front().pipeline;
    std::vector<std::string> notes = ruleNotes(trace, made->rules);
    pipeline.notes.insert(pipeline.notes.begin(), notes.begin(), notes.end());
    made->pipelines = pipelines;
    const std::shared_ptr<ShownJob> job =
        shownJob(trace, made->pipelines, analyseJob(trace, *made->pipelines));
    made->messages = pairMessages(trace);
    made->transfers = transfersOf(trace, pipeline, made->messages);
    std::vector<MessagePair> pairs = std::move(made->messages.pairs);
    made->messages.pairs = {};
    if (pipeline.schedule)
        made->account = account(pipeline);
    if (pipeline.schedule)
        if (Result<FittedCosts> fitted = fitTrace(trace, pipeline); fitted)
            made->fitted = std::move(*fitted);
    made->spans = static_cast<std::int64_t>(trace.spans.size());
    const std::vector<TraceHole> holes = holesOf(trace, pipeline);
    made->activity = shownOf(trace, std::move(pairs), holes);
    if (job != nullptr) {
        job->activity = made->activity;
        made->job = job;
    }
    trace.spans = {};
    trace.tracks = {};
    trace.labels = {};
    trace.names = {};
    made->trace = std::move(trace);
    return made;
}

} // namespace

TraceImport::TraceImport(const QStringList& paths, int run, QObject* parent)
    : QObject(parent)
    , m_paths(paths)
    , m_run(run)
    , m_state(std::make_shared<State>())
    , m_timer(new QTimer(this))
{
    constexpr int interval = 60; // milliseconds
    m_timer->setInterval(interval);
    connect(m_timer, &QTimer::timeout, this, &TraceImport::progressed);
}

TraceImport::~TraceImport()
{
    m_state->stop = true;
}

void TraceImport::cancel()
{
    m_state->stop = true;
    m_timer->stop();
}

void TraceImport::start()
{
    m_timer->start();
    std::vector<std::string> paths;
    for (const QString& path : std::as_const(m_paths))
        paths.push_back(path.toStdString());
    inBackground(this, [this, paths, run = m_run, state = m_state]() -> std::function<void()> {
        const Result<std::vector<NameRule>> rules = keptNameRules(defaultRulesPath());
        ImportOptions options;
        if (rules)
            options.rules = *rules;
        options.progress = [&state](const ImportProgress& now) {
            state->file = now.file;
            state->files = now.files;
            state->bytesRead = now.bytesRead;
            state->bytes = now.bytes;
            return !state->stop;
        };
        Result<Trace> trace = importTrace(paths, options);
        if (!trace)
            return [this, state, why = coreSentence(trace.error().message)] {
                m_timer->stop();
                if (!state->stop)
                    Q_EMIT failed(why);
            };
        state->recovering = true;
        return [this, state, imported = understood(std::move(*trace), run, rules)] {
            m_timer->stop();
            if (!state->stop)
                Q_EMIT ended(imported);
        };
    });
}

ImportProgress TraceImport::progress() const
{
    return {m_state->file, m_state->files, m_state->bytesRead, m_state->bytes};
}

bool TraceImport::recovering() const
{
    return m_state->recovering;
}

} // namespace pw::ui
