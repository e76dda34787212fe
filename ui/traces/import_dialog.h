// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/trace_import.h"

#include <QDialog>

#include <functional>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace pw::ui {

class KeepingBar;
class TraceKeeping;

/// Reads a trace with progress, shows what was found in it, and asks what to do with it. Stops
/// reading when it is closed. What is asked for is done elsewhere: whoever does it says that it is
/// under way, and closes the dialog or says why not.
class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    /// Begins to read. @param paths  files and folders that are one trace; not empty
    explicit ImportDialog(const QStringList& paths, QWidget* parent = nullptr);
    /// Of a trace that has been read, and is shown elsewhere.
    ImportDialog(const QStringList& paths, const ImportedTracePtr& trace,
                 QWidget* parent = nullptr);

    /// What was read; null while it is read, and where it cannot be.
    const ImportedTracePtr& imported() const { return m_imported; }
    /// What the run, or the plan, is to be called.
    QString title() const;
    /// Something that was asked for is under way; it can only be closed meanwhile.
    void setBusy(const QString& sentence);
    /// The trace is being kept: how far it is and a way to stop are shown, and closing the dialog
    /// stops it first. Null: that is over.
    void setKeeping(TraceKeeping* keeping);
    /// It cannot be done, in a sentence; something else can be asked for.
    void refuse(const QString& why);
    /// The user has stopped what was asked for; something else can be asked for.
    void setStopped(const QString& sentence);
    /// Where reading the files again is not enough, since they were made by the rules of before:
    /// `bring` puts others in their place and calls what it is given, or `refuse`.
    void setBringAnew(std::function<void(std::function<void()>)> bring);

    void reject() override;

Q_SIGNALS:
    /// The files are read, with something that can be shown in them.
    void found();
    /// The files hold no trace, or cannot be read, or hold nothing that can be shown.
    void foundNothing();
    void keepAsked();
    void planAsked();
    /// All that the trace holds is to be shown.
    void rowsAsked();
    /// Its replicas and steps are to be shown beside each other.
    void jobAsked();

private:
    void arrange();
    /// Reads the files, also a second time, with other rules.
    void read();
    /// The same by the rules as they are now.
    void readAgain();
    QWidget* makeReading();
    void addRuns(QHBoxLayout& row, QWidget* parent);
    void showProgress();
    void showTrace(const ImportedTracePtr& trace);
    void showFailure(const QString& why);
    void say(const QString& sentence, bool refusal);
    void setActs(bool possible);

    QStringList m_paths;
    int m_run = 0;                                          ///< of several in the files
    std::function<void(std::function<void()>)> m_bringAnew; ///< empty: the files are as they are
    TraceImport* m_import = nullptr;
    ImportedTracePtr m_imported;
    QStackedWidget* m_content; ///< progress, or the preview, or why there is none
    QLabel* m_doing;
    QProgressBar* m_progress;
    QLineEdit* m_title = nullptr;
    QString m_called; ///< the title as it was before the files were read again
    QLabel* m_said;
    KeepingBar* m_keeping;
    QPushButton* m_keep;
    QPushButton* m_plan;
    QPushButton* m_rows;
    QPushButton* m_job;
    QPushButton* m_close;
};

} // namespace pw::ui
