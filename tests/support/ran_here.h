// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <QByteArray>
#include <QString>

#include <sstream>
#include <string>
#include <vector>

namespace pw::test {

/// What a command line said, and how it ended.
struct Said
{
    app::ExitCode code = app::ExitCode::Good;
    QByteArray out;
    QByteArray err;
};

/// Runs the command line inside the test: its words without the program's name.
inline Said ran(const std::vector<std::string>& words)
{
    std::ostringstream out, err;
    const app::ExitCode code = app::runProgram(words, out, err);
    return {code, QByteArray::fromStdString(out.str()), QByteArray::fromStdString(err.str())};
}

/// The same of a line, whose words no blank is in.
inline Said ranLine(const QString& line)
{
    std::vector<std::string> words;
    for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    return ran(words);
}

} // namespace pw::test
