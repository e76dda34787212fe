// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QByteArrayList>
#include <QFile>

namespace pw::test {

/// Milliseconds for which the calling thread was ready to run and the machine ran others: no fault
/// of what a test measures. 0 where the system does not count them.
inline qint64 withheldTime()
{
    QFile counts(QStringLiteral("/proc/thread-self/schedstat"));
    if (!counts.open(QIODevice::ReadOnly))
        return 0;
    const QByteArrayList fields = counts.readAll().simplified().split(' ');
    return fields.size() < 2 ? 0 : fields[1].toLongLong() / 1'000'000;
}

} // namespace pw::test
