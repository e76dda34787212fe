// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/places.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace pw::test {

inline constexpr int submitLimit = 60'000;

/// Stand-ins for Slurm's programs: small scripts in a folder of the path. Each writes its arguments
/// down; sbatch starts the script that it is given, and squeue says what is in a file.
class StandIns
{
public:
    StandIns()
    {
        QDir(m_folder.path()).mkpath("bin");
        // Nothing else is on the path, so that a Slurm of this machine is not.
        for (const char* tool : {"bash", "cat", "cp"})
            QFile::link(QStandardPaths::findExecutable(tool), file(QString("bin/") + tool));
        add("sbatch",
            "[ -n \"$REFUSE\" ] && { echo \"sbatch: error: $REFUSE\" >&2; exit 1; }\n"
            "echo 17\n"
            "[ -n \"$HOLD\" ] && { echo 'PENDING|Resources|' >\"$HERE/state\"; exit 0; }\n"
            "echo 'RUNNING|None|node[1-2]' >\"$HERE/state\"\n"
            "cp \"$2\" \"$HERE/script\"\n"
            "( bash \"$2\" >\"$HERE/job.out\" 2>&1; code=$?\n"
            "  [ $code -eq 0 ] && echo 'COMPLETED|None|' >\"$HERE/state\" ||\n"
            "      echo \"${END:-FAILED}|None|\" >\"$HERE/state\" ) >/dev/null 2>&1 &\n");
        add("squeue", "[ -e \"$HERE/forgotten\" ] && { echo 'slurm_load_jobs error: Invalid job id "
                      "specified' >&2; exit 1; }\ncat \"$HERE/state\"\n");
        add("sacct",
            "[ -n \"$PAST\" ] || { echo 'accounting is off' >&2; exit 1; }\necho \"$PAST\"\n");
        add("scontrol", "echo 'JobId=17 JobName=x JobState=COMPLETED Reason=None'\n");
        add("scancel", "echo 'CANCELLED by 0|None|' >\"$HERE/state\"\n");
        add("sinfo", "echo 'test* up, 2 nodes idle, at most infinite'\n");
        // One process runs all devices here.
        add("srun", "while [ \"${1#--}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n");
    }

    QString file(const QString& name) const { return m_folder.filePath(name); }
    void remove(const QString& program) const { QFile::remove(file("bin/" + program)); }

    QString said(const QString& name) const
    {
        QFile read(file(name));
        return read.open(QIODevice::ReadOnly) ? QString::fromUtf8(read.readAll()) : QString();
    }
    /// How a program was called, a line a call.
    QStringList calls(const QString& program) const
    {
        return said(program + ".calls").split('\n', Qt::SkipEmptyParts);
    }

    /// Starts the program with these words; more variables as NAME=VALUE.
    void start(QProcess& process, const QStringList& words, const QStringList& variables = {}) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", file("bin"));
        environment.insert("HERE", m_folder.path());
        environment.insert("PIPEWRIGHT_STORE", file("runs.sqlite"));
        for (const QString& variable : variables)
            environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start(PW_PROGRAM, QStringList("submit") + words);
    }

private:
    void add(const QString& name, const QByteArray& body) const
    {
        QFile script(file("bin/" + name));
        if (!script.open(QIODevice::WriteOnly))
            qFatal("%s cannot be written", qPrintable(script.fileName()));
        script.write("#!/bin/sh\necho \"$*\" >>\"$HERE/" + name.toUtf8() + ".calls\"\n" + body);
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    QTemporaryDir m_folder{QDir::tempPath() + "/slurm-XXXXXX"};
};

} // namespace pw::test
