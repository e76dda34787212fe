// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/remote/remote_dialog.h"

#include "core/base/text.h"
#include "ui/core_sentences.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw::ui {

RemoteDialog::RemoteDialog(const Connections& connections, QWidget* parent)
    : QDialog(parent)
    , m_connections(connections)
{
    setWindowTitle(tr("Open from another machine"));
    m_refusal = new QLabel(this);
    m_refusal->setObjectName(QStringLiteral("refusal"));
    m_refusal->setWordWrap(true);
    m_refusal->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setInk(m_refusal, Role::Refusal);
    m_refusal->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    m_open = buttons->button(QDialogButtonBox::Open);
    m_open->setObjectName(QStringLiteral("open"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeFields());
    layout->addWidget(m_refusal);
    layout->addWidget(makeProgress());
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &RemoteDialog::bring);
    connect(buttons, &QDialogButtonBox::rejected, this, &RemoteDialog::reject);
    connect(&m_fetch, &RemoteFetch::progress, this, &RemoteDialog::showProgress);
    connect(&m_fetch, &RemoteFetch::failed, this, &RemoteDialog::refuse);
    connect(&m_fetch, &RemoteFetch::fetched, this, [this](const FetchedFile& file) {
        accept();
        Q_EMIT fetched(file);
    });
    showBusy(false);
    resize(fontMetrics().height() * 36, sizeHint().height());
}

QWidget* RemoteDialog::makeFields()
{
    m_fields = new QWidget(this);
    m_host = new QComboBox(m_fields);
    m_host->setObjectName(QStringLiteral("host"));
    m_host->setEditable(true);
    m_host->addItems(knownHosts(m_connections.all()));
    m_host->lineEdit()->setPlaceholderText(tr("node, or ann@node, as ssh knows it"));
    m_path = new QLineEdit(m_fields);
    m_path->setObjectName(QStringLiteral("path"));
    m_path->setPlaceholderText(tr("/data/run/rank0.json, or ~/run/rank0.json"));
    m_whole = new QCheckBox(tr("&Bring the whole trace"), m_fields);
    m_whole->setObjectName(QStringLiteral("whole"));
    auto* note = new QLabel(
        tr("A trace is read there where Pipewright is: a digest comes, with kernels summed up. "
           "Everything else comes whole. The studio asks for no password: ssh needs a key."),
        m_fields);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    auto* form = new QFormLayout(m_fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Machine"), m_host);
    form->addRow(tr("&Path there"), m_path);
    form->addRow(QString(), m_whole);
    form->addRow(note);
    // Who pastes a whole place means all of it.
    for (QLineEdit* field : {m_host->lineEdit(), m_path})
        connect(field, &QLineEdit::textEdited, this, [this](const QString& given) {
            if (const Result<RemotePlace> place = remotePlaceOf(given); place) {
                m_host->setEditText(place->url().section(QLatin1Char('/'), 2, 2));
                m_path->setText(place->path);
            }
        });
    return m_fields;
}

QWidget* RemoteDialog::makeProgress()
{
    auto* both = new QWidget(this);
    m_state = new QLabel(both);
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setWordWrap(true);
    m_bar = new QProgressBar(both);
    m_bar->setObjectName(QStringLiteral("progress"));
    m_bar->setAccessibleName(tr("How much has come"));
    m_bar->setTextVisible(false);
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_state);
    layout->addWidget(m_bar);
    return both;
}

/// The place that the fields say. A path that does not begin with / is below the home there.
QString RemoteDialog::typed() const
{
    QString path = m_path->text();
    if (!path.startsWith(QLatin1Char('/')))
        path = path.startsWith(QLatin1String("~/")) ? QLatin1Char('/') + path
                                                    : QStringLiteral("/~/") + path;
    path.replace(QLatin1Char('%'), QLatin1String("%25"));
    return QStringLiteral("ssh://") + m_host->currentText().trimmed() + path;
}

void RemoteDialog::begin(const QString& url)
{
    const Result<RemotePlace> place = remotePlaceOf(url);
    if (!place) {
        refuse(coreSentence(place.error().message));
        return;
    }
    m_host->setEditText(place->url().section(QLatin1Char('/'), 2, 2));
    m_path->setText(place->path);
    bring();
}

void RemoteDialog::bring()
{
    const Result<RemotePlace> place = remotePlaceOf(typed());
    if (!place) {
        refuse(coreSentence(place.error().message));
        return;
    }
    showBusy(true);
    m_fetch.start(*place, wayTo(*place, m_connections.all()), m_whole->isChecked());
}

void RemoteDialog::showProgress(qint64 got, qint64 all)
{
    constexpr int parts = 1000;
    m_state->setText(all > 0
                         ? tr("%1 of %2 have come.").arg(text(byteText(got)), text(byteText(all)))
                         : tr("Asking %1 …").arg(m_host->currentText()));
    m_bar->setMaximum(all > 0 ? parts : 0); // 0: moves without an end
    m_bar->setValue(all > 0 ? static_cast<int>(got * parts / all) : 0);
}

void RemoteDialog::refuse(const QString& why)
{
    showBusy(false);
    m_refusal->setText(why);
    m_refusal->show();
    m_path->setFocus();
}

void RemoteDialog::showBusy(bool busy)
{
    m_fields->setEnabled(!busy);
    m_open->setEnabled(!busy);
    m_state->setVisible(busy);
    m_bar->setVisible(busy);
    if (busy)
        m_refusal->hide();
}

/// The first time it leaves what comes, and the fields stay.
void RemoteDialog::reject()
{
    if (!m_fetch.running()) {
        QDialog::reject();
        return;
    }
    m_fetch.cancel();
    showBusy(false);
}

} // namespace pw::ui
