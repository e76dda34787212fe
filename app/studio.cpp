// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/startup.h"

int main(int argc, char** argv)
{
    return pw::ui::runStudio(argc, argv);
}
