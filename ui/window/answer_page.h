// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"
#include "ui/pages/page.h"

namespace pw::ui {

/// A kept answer as it was printed, where no page can ask it again.
class AnswerPage : public Page
{
    Q_OBJECT

public:
    explicit AnswerPage(StoredAnswer kept, QWidget* parent = nullptr);

    QString title() const override;
    QString detail() const override;
    QString figures() const override;

private:
    StoredAnswer m_kept;
};

} // namespace pw::ui
