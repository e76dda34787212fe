// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/account.h"
#include "core/analysis/exposure.h"
#include "core/analysis/fit.h"
#include "core/reading/import_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/recover.h"
#include "ui/traces/shown_activity.h"
#include "ui/traces/shown_job.h"
#include "ui/traces/trace_names.h"

#include <QObject>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QTimer;

namespace pw::ui {

/// A trace with the pipeline that was found in it. Immutable once made and shared.
struct ImportedTrace
{
    Trace trace; ///< without spans, tracks and names: what they say of passes is in the pipeline
    ShownActivityPtr activity; ///< all of them, as rows to draw
    std::int64_t spans = 0;    ///< that it had
    int runs = 1;              ///< whole runs that the files hold
    int run = 0;               ///< of them, that this is
    TraceNamesPtr names;
    std::vector<NameRule> rules; ///< that it was read with
    QString rulesProblem;        ///< why the kept rules cannot be read; empty: they can
    PipelinesPtr pipelines;      ///< of all replicas; at least one
    std::optional<FittedCosts> fitted;
    TraceMessages messages;               ///< without the pairs
    std::vector<RankTransfers> transfers; ///< by the trace's ranks
    std::optional<Account> account;       ///< of the iteration shown, where there is a schedule
    ShownJobPtr job;                      ///< null where there is nothing to compare

    /// Of the first replica.
    const RecoveredPipeline& pipeline() const { return pipelines->front().pipeline; }
    /// The trace is shifted by them, where that is the outcome.
    const AlignedClocks& clocks() const { return pipelines->front().clocks; }
};

using ImportedTracePtr = std::shared_ptr<const ImportedTrace>;

/// Reads a trace in a worker, with the rules that are kept, and finds its pipeline. Goes away at
/// any time; the worker then stops at the next piece of a file.
class TraceImport : public QObject
{
    Q_OBJECT

public:
    /// @param paths  files and folders that are one trace
    /// @param run    of several whole runs in them; the last one where there are fewer
    explicit TraceImport(const QStringList& paths, int run, QObject* parent = nullptr);
    ~TraceImport() override;

    const QStringList& paths() const { return m_paths; }
    /// Once.
    void start();
    /// Neither `ended` nor `failed` comes any more.
    void cancel();

    /// How far the files are.
    ImportProgress progress() const;
    /// Whether the files are read, and the pipeline is being looked for.
    bool recovering() const;

Q_SIGNALS:
    /// Progress is new; several times a second.
    void progressed();
    void ended(const pw::ui::ImportedTracePtr& trace);
    /// The files hold no trace, or cannot be read; in a sentence.
    void failed(const QString& why);

private:
    struct State;

    QStringList m_paths;
    int m_run;
    std::shared_ptr<State> m_state;
    QTimer* m_timer;
};

} // namespace pw::ui
