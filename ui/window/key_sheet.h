// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QDialog>

namespace pw::ui {

class Commands;

/// All keys: those of the commands by menu, and the timeline's own. Made anew each time from the
/// list of commands.
class KeySheet : public QDialog
{
    Q_OBJECT

public:
    KeySheet(const Commands& commands, QWidget* parent);
};

} // namespace pw::ui
