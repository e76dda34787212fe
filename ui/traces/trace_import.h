// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/fit.h"
#include "core/trace/importers/import_trace.h"
#include "core/trace/recover.h"

#include <QObject>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>

class QTimer;

namespace pw::ui {

/// A trace with the pipeline that was found in it. Immutable once made and shared.
struct ImportedTrace
{
    Trace trace; ///< without spans, tracks and names: what they say of passes is in the pipeline
    std::int64_t spans = 0; ///< that it had
    RecoveredPipeline pipeline;
    std::optional<FittedCosts> fitted;
};

using ImportedTracePtr = std::shared_ptr<const ImportedTrace>;

/// Reads a trace in a worker and finds its pipeline. Goes away at any time; the worker then stops
/// at the next piece of a file.
class TraceImport : public QObject
{
    Q_OBJECT

public:
    /// @param paths  files and folders that are one trace
    explicit TraceImport(const QStringList& paths, QObject* parent = nullptr);
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
    std::shared_ptr<State> m_state;
    QTimer* m_timer;
};

} // namespace pw::ui
