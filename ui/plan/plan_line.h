// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace pw::ui {

/// The fields of a plan as a command line of `pipewright plan`, and the other way round.
class PlanLine
{
public:
    /// A field as an option of the command line.
    struct Option
    {
        QString name;
        std::function<QString()> said;            ///< its value; empty: it is as without the option
        std::function<bool(const QString&)> take; ///< an empty value: as without the option
    };

    /// Adds a field behind the others. The first one is the model.
    void add(Option option);
    /// The command line that asks for what the fields say.
    QString question() const;
    /// Fills the fields from a command line.
    /// @return  what of it no field can say, the fields being as they were; empty: they say all
    QString take(const QString& question);

private:
    void fillImplied(std::vector<QString>& values) const;

    std::vector<Option> m_options;
};

} // namespace pw::ui
