// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/after.h"
#include "ui/compare/comparing_page.h"
#include "ui/document/latest_work.h"

#include <cstddef>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace pw::ui {

class FigureTable;
class HeldView;

/// What would make a measured step shorter: changes by their gain, each with the interval that the
/// next measurement lies in, the chosen one below what was measured, and whether a promise held.
class AdvicePage : public ComparingPage
{
    Q_OBJECT

public:
    /// @param name  of what is advised on, for the title
    explicit AdvicePage(const QString& name, QWidget* parent = nullptr);
    ~AdvicePage() override;

    /// The step. @param before  how it is shown
    void setSource(std::shared_ptr<const AdviceSource> source, const ComparedPtr& before);
    /// Why there is no advice.
    void setProblem(const QString& why);
    /// A run that may have come of the advice.
    void addAfter(qint64 run, const QString& title);
    /// The step of that run, or why it cannot be read.
    void setAfter(const Result<AdviceSource>& after);

    /// Null until it is there.
    const std::shared_ptr<const Advice>& advice() const { return m_advice; }
    bool busy() const { return m_work.busy() || m_reading.busy(); }
    /// Reads traces of the changed training, then as `setAfter`. Dropped files come here too.
    /// @param paths  not empty; one trace
    void readAfter(const QStringList& paths);
    /// The change below what was measured; none: nothing can be changed.
    std::optional<std::size_t> chosen() const;
    FigureTable& changes() { return *m_changes; }
    HeldView& held() { return *m_held; }

    std::vector<QWidget*> beside() override;
    QString title() const override;
    QString figures() const override;

Q_SIGNALS:
    /// The step of a run is to be read and given to `setAfter`.
    void afterAsked(qint64 run);
    /// Advice is there, or why there is none.
    void advised();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeFields();
    void connectParts();
    void adviseAgain();
    void take(const Result<Advice>& made);
    void fillChanges();
    void showChange();
    void openChange();
    void say(const QString& sentence, bool refusal);
    void takeDropped(const QString& name, Result<AdviceSource> step);

    std::shared_ptr<const AdviceSource> m_source; ///< as it came
    std::shared_ptr<const AdviceSource> m_asked;  ///< with the layers that the advice is of
    std::shared_ptr<const Advice> m_advice;
    LatestWork m_work;
    LatestWork m_reading;                                  ///< of files that were dropped
    std::shared_ptr<const Result<AdviceSource>> m_dropped; ///< what they say; null: none yet
    QLabel* m_head;
    QLineEdit* m_layers = nullptr;
    QComboBox* m_after = nullptr;
    QPushButton* m_open = nullptr;
    FigureTable* m_changes;
    HeldView* m_held;
    QLabel* m_sentence;
};

} // namespace pw::ui
