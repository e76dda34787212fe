// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/number_rows.h"

#include "core/base/text.h"
#include "ui/models/number_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace pw::ui {

namespace {

struct Numbers
{
    Q_DECLARE_TR_FUNCTIONS(InspectorPanel)
};

QString cell(const QString& text, Role role, const char* more = "")
{
    return QStringLiteral("<td %1 style=\"color:%2\">%3</td>")
        .arg(QLatin1String(more), color(role).name(), text.toHtmlEscaped());
}

} // namespace

QString tableOf(const std::vector<NumberRow>& rows)
{
    QString html;
    for (const NumberRow& row : rows) {
        html += QStringLiteral("<tr>") +
                cell(row.name, Role::Secondary, "style=\"padding-right:10px\" valign=\"top\"");
        const Role value = row.bad ? Role::Refusal : Role::Text;
        if (row.verdict.isEmpty())
            html += cell(row.value, value, "colspan=\"2\"");
        else
            html += cell(row.value, value) +
                    cell(row.verdict, row.good ? Role::Good : Role::Secondary, "align=\"right\"");
        html += QStringLiteral("</tr>");
        if (!row.note.isEmpty())
            html += QStringLiteral("<tr><td></td>") +
                    cell(row.note, Role::Secondary, "colspan=\"2\"") + QStringLiteral("</tr>");
    }
    return QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"2\">%1</table>")
        .arg(html);
}

QString quiet(const QString& sentence)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>")
        .arg(color(Role::Secondary).name(), sentence.toHtmlEscaped());
}

QString microBatchText(double count)
{
    return plural(count, shortNumber(count), Noun::MicroBatch);
}

QString lengthVerdict(double own, double other)
{
    if (other <= 0 || std::abs(own - other) <= 1e-6 * other)
        return Numbers::tr("as long");
    return own < other ? Numbers::tr("%1 shorter").arg(percentText(1 - own / other))
                       : Numbers::tr("%1 longer").arg(percentText(own / other - 1));
}

} // namespace pw::ui
