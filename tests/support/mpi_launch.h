// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/places.h"

#include <QFile>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QStringList>

// Where there is no MPI the tests skip; these stand for what is not there.
#ifndef PW_MPI_PROGRAM
#define PW_MPI_PROGRAM ""
#define PW_MODULES ""
#endif

namespace pw::test {

/// Longest wait for anything that does not depend on the machine; nothing comes near it.
inline constexpr int hangLimit = 60'000;

/// Who starts the processes.
enum class MpiStarter
{
    OpenMpi, ///< mpirun
    Mpich    ///< mpiexec.hydra
};

/// Programs of MPI on several processes of this machine.
class MpiLaunch
{
public:
    struct Way
    {
        MpiStarter starter = MpiStarter::OpenMpi;
        int processes = 4;
        QString modules = QStringLiteral(PW_MODULES);
        QString program = QStringLiteral(PW_MPI_PROGRAM);
    };

    /// Four processes of the program of these tests.
    explicit MpiLaunch(const QStringList& arguments)
        : MpiLaunch(Way(), arguments)
    {
    }

    MpiLaunch(const Way& way, const QStringList& arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PW_MODULE_PATH", way.modules);
        // More ranks than cores, by root too, as in a container.
        environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
        environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        environment.insert("OMPI_MCA_rmaps_base_oversubscribe", "1"); // Open MPI 4, and 5
        environment.insert("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
        environment.insert("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
        // What the MPI library keeps until the end is not for a leak checker.
        environment.insert("ASAN_OPTIONS", "detect_leaks=0");
        m_process.setProcessEnvironment(environment);
        const bool hydra = way.starter == MpiStarter::Mpich;
        m_process.start(
            hydra ? "mpiexec.hydra" : "mpirun",
            QStringList{hydra ? "-n" : "-np", QString::number(way.processes), way.program} +
                arguments);
    }

    /// Waits for the end. @return false where it hangs
    bool ends(int limit = hangLimit)
    {
        // Waiting for a process whose end an event loop has already seen is refused.
        const bool ended =
            m_process.state() == QProcess::NotRunning || m_process.waitForFinished(limit);
        m_out += m_process.readAllStandardOutput();
        m_err += m_process.readAllStandardError();
        if (!ended)
            m_process.kill();
        return ended;
    }
    /// Reads until a text has come so many times.
    bool says(const QByteArray& text, int times)
    {
        while (m_out.count(text) < times && m_process.waitForReadyRead(hangLimit))
            m_out += m_process.readAllStandardOutput();
        return m_out.count(text) >= times;
    }
    int exitCode() const { return m_process.exitCode(); }
    QStringList lines() const
    {
        return QString::fromUtf8(m_out).remove('\r').split('\n', Qt::SkipEmptyParts);
    }
    QString errors() const { return QString::fromUtf8(m_err); }
    /// What was said of one run.
    QString lineOf(const QString& run) const
    {
        const QStringList all = lines();
        for (const QString& line : all) {
            if (line.startsWith(run + ": "))
                // The launcher's own words may come between a line and its end.
                return line.mid(run.size() + 2).section("----------", 0, 0);
        }
        return "nothing";
    }
    /// Process numbers by rank.
    QMap<int, int> processes() const
    {
        QMap<int, int> all;
        const QStringList words = lines().filter(QRegularExpression("^process \\d+ \\d+$"));
        for (const QString& line : words)
            all.insert(line.section(' ', 1, 1).toInt(), line.section(' ', 2, 2).toInt());
        return all;
    }

private:
    QProcess m_process;
    QByteArray m_out;
    QByteArray m_err;
};

/// Whether a process lives; one that nobody has asked about since its end does not.
inline bool lives(int process)
{
    QFile file(QString("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = file.readAll();
    return !text.mid(text.lastIndexOf(')') + 2).startsWith('Z');
}

/// Names and values of the environment for the life of the object.
class Variable
{
public:
    Variable(const char* name, const char* value)
        : m_name(name)
    {
        qputenv(name, value);
    }
    ~Variable() { qunsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
};

} // namespace pw::test
