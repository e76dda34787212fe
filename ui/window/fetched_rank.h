// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/slice_store.h"
#include "ui/traces/shown_activity.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>

namespace pw::ui {

class CommandOutput;

/// Slices of one rank, read from its trace file: on this computer where it lies there, else over
/// the connection that runs go to.
class FetchedRank : public QObject
{
    Q_OBJECT

public:
    explicit FetchedRank(QObject* parent = nullptr);

    /// One at a time; an earlier one is dropped.
    /// @param connection  a command line as of `Connection`; empty: this computer only
    void start(const KeptRankFile& file, std::int32_t iteration, const QString& connection);

Q_SIGNALS:
    void fetched(const pw::ui::ShownActivityPtr& activity);
    /// What went wrong, a sentence of its own or two.
    void failed(const QString& why);

private:
    void readHere(const KeptRankFile& file, std::int32_t iteration);
    void take(const QByteArray& output);

    CommandOutput* m_command;
};

} // namespace pw::ui
