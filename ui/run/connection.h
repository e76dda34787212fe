// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace pw::ui {

/// A way to an executor: a command line that ends with the program `pipewright`, here, behind ssh,
/// or behind a launcher. Its command and options are put behind.
struct Connection
{
    QString name;
    QString command; ///< words with blanks between them; quotation marks hold one together

    friend bool operator==(const Connection&, const Connection&) = default;
};

/// The program and its first arguments. To ssh the options are added with which it never asks
/// anything and notices a dead link, where the command line does not say otherwise.
///
/// @error BadValue  an empty command line, or a quotation mark without its partner
Result<QStringList> commandWords(const QString& command);

/// The `pipewright` of this computer: beside this program, else on the path; where it is nowhere,
/// just the name.
QString localProgram();

/// PyTorch of this computer as an executor: its package where it is installed, or beside a build.
/// Starts as many processes as a schedule has devices.
Connection torchConnection();

/// All connections, the first of which is this computer; kept in the settings.
class Connections : public QObject
{
    Q_OBJECT

public:
    /// @param program  of this computer
    explicit Connections(const QString& program = localProgram(), QObject* parent = nullptr);

    const std::vector<Connection>& all() const { return m_all; }
    /// The one that runs go to.
    const Connection& current() const { return m_all[static_cast<std::size_t>(m_current)]; }
    int currentIndex() const { return m_current; }
    void setCurrentIndex(int index);
    /// Replaces all but this computer.
    /// @error BadValue  says which: without a name, with one that is taken, or as of `commandWords`
    Result<void> setOthers(const std::vector<Connection>& others);
    static Result<void> check(const std::vector<Connection>& all);

Q_SIGNALS:
    void changed(); ///< the list
    void currentChanged();

private:
    void load();
    void store() const;

    std::vector<Connection> m_all;
    int m_current = 0;
};

} // namespace pw::ui
