// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>
#include <QStringList>

namespace pw::ui {

/// How a program that was started has ended.
struct ProcessEnd
{
    QStringList words{};   ///< program and arguments
    bool started = true;   ///< false: the system could not start it
    bool crashed = false;  ///< ended by a signal
    bool timedOut = false; ///< ended by us, since it took too long
    bool tooMuch = false;  ///< ended by us, since it wrote too much
    int code = 0;          ///< exit code, or the signal
    QString errors{};      ///< the end of its standard error; where it was not started, the reason
};

/// What kind of thing stands between the studio and an executor.
enum class TroubleKind
{
    None,
    NotFound,    ///< the program of the command line is not here
    Refused,     ///< the host is there, but nothing listens: a server that is stopped
    Key,         ///< the server does not take our key
    HostKey,     ///< the server's own key is unknown or another one
    UnknownHost, ///< no such name
    Link,        ///< the connection broke or goes nowhere
    TimedOut,    ///< no answer in time
    NoProgram,   ///< the host is there, `pipewright` is not
    Version,     ///< another version of Pipewright
    Garbage,     ///< something answers that is not Pipewright
    Crashed,
    Failed ///< anything else; its own words say what
};

/// What went wrong, and what a person can do about it.
struct Trouble
{
    TroubleKind kind = TroubleKind::None;
    QString what;   ///< one sentence
    QString advice; ///< one or two sentences; may be empty

    explicit operator bool() const { return kind != TroubleKind::None; }
};

/// The trouble of a program that has ended without doing what it was asked for. None for an end
/// with exit code 0.
Trouble troubleOf(const ProcessEnd& end);

/// Where the destination stands among the words of an ssh command line; their number: nowhere.
qsizetype sshDestination(const QStringList& words);

/// What and advice in one line, each part a sentence of its own.
QString inOneLine(const Trouble& trouble);

/// The last lines of a text, for a message.
QString lastLines(const QString& text, int most = 3);

/// "signal 11 (segmentation fault)"
QString signalText(int number);

} // namespace pw::ui
