// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QToolButton>

namespace pw::test {

/// The tool button below a widget that shows this text, or null.
inline QToolButton* buttonOf(const QWidget& widget, const QString& text)
{
    const auto all = widget.findChildren<QToolButton*>();
    for (QToolButton* one : all)
        if (one->text() == text)
            return one;
    return nullptr;
}

} // namespace pw::test
