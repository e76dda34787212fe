// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>

namespace pw::ui {

/// Work in another thread of which only the latest counts: what is begun takes the place of what is
/// under way, whose answer is then dropped. Gone with its owner, who waits for nothing.
class LatestWork : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void()>;
    /// Asked to end early by the flag; then it returns what it has.
    using Work = std::function<Answer(const std::atomic<bool>& stop)>;

    explicit LatestWork(QObject* parent = nullptr);
    ~LatestWork() override;

    /// @param work  shares nothing that can change meanwhile
    void begin(Work work);
    /// Asks the work to end early; its answer still comes.
    void stop();
    /// Ends the work; its answer never comes.
    void drop();

    bool busy() const { return m_flag != nullptr; }
    /// Whether `stop` was called, and the answer has not come yet.
    bool stopping() const { return m_flag != nullptr && *m_flag; }

Q_SIGNALS:
    /// Work has begun, was asked to stop, or has ended.
    void changed();
    /// Several times a second while there is work: time to look how far it is.
    void tick();

private:
    std::shared_ptr<std::atomic<bool>> m_flag; ///< of the work under way; null: there is none
    QTimer m_timer;
};

} // namespace pw::ui
