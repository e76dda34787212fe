// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <qcustomplot.h>

namespace pw::ui {

struct ByteUnit
{
    const char* name = "B";
    double size = 1;
};

/// Axis labels in bytes, with steps of powers of two, all in the unit of the largest.
class BytesTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    ByteUnit m_unit;
    int m_decimals = 0; ///< that the smallest step has in the unit
};

} // namespace pw::ui
