// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/preferences_dialog.h"

#include "ui/keep/autosave.h"
#include "ui/keep/own_families.h"
#include "ui/keep/settings_list.h"
#include "ui/keep/translations.h"
#include "ui/runs/store_setting.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QString key()
{
    return QStringLiteral("appearance/ground");
}

} // namespace

GroundChoice groundChoice()
{
    const QString name = QSettings().value(key()).toString();
    return name == QLatin1String("light")  ? GroundChoice::Light
           : name == QLatin1String("dark") ? GroundChoice::Dark
                                           : GroundChoice::System;
}

void setGroundChoice(GroundChoice choice)
{
    if (choice == GroundChoice::System)
        QSettings().remove(key());
    else
        QSettings().setValue(key(), choice == GroundChoice::Light ? QStringLiteral("light")
                                                                  : QStringLiteral("dark"));
}

PreferencesDialog::PreferencesDialog(QWidget* parent)
    : QDialog(parent)
    , m_list(new SettingsList(this))
    , m_ground(new QComboBox(this))
    , m_language(new QComboBox(this))
    , m_nextStart(new QLabel(tr("The language changes at the next start."), this))
    , m_autosave(new QSpinBox(this))
    , m_store(new QLineEdit(this))
    , m_families(new QLineEdit(this))
{
    setWindowTitle(tr("Preferences"));
    const int em = fontMetrics().height();
    m_ground->addItem(tr("As the desktop"), int(GroundChoice::System));
    m_ground->addItem(tr("Light"), int(GroundChoice::Light));
    m_ground->addItem(tr("Dark"), int(GroundChoice::Dark));
    m_ground->setCurrentIndex(int(groundChoice()));
    connect(m_ground, &QComboBox::currentIndexChanged, this, [this](int index) {
        const auto choice = static_cast<GroundChoice>(index);
        setGroundChoice(choice);
        Q_EMIT groundChosen(choice);
    });

    fillLanguages();
    m_autosave->setRange(0, 600);
    m_autosave->setSpecialValueText(tr("never"));
    m_autosave->setSuffix(tr(" s after a change"));
    m_autosave->setValue(Autosave::seconds());
    m_autosave->setToolTip(tr("A copy of every changed schedule; after a crash it is offered at "
                              "the next start."));
    connect(m_autosave, &QSpinBox::valueChanged, this, &PreferencesDialog::autosaveChosen);

    m_list->addSection(tr("Appearance"));
    m_list->addRow(tr("&Colours"), m_ground, tr("theme light dark"));
    m_list->addRow(tr("&Language"), m_language);
    m_list->addNote(m_nextStart);
    m_list->addSection(tr("Files and runs"));
    m_list->addRow(tr("Copy for a &crash"), m_autosave, tr("autosave backup recovery"));
    m_list->addRow(tr("&Store of runs"), storeRow(), tr("database place folder"));
    m_list->addRow(tr("&Families in files"), familyRow(), tr("place folder"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    m_list->search().setFocus();
    resize(em * 46, em * 32);
    showStore();
}

QWidget* PreferencesDialog::storeRow()
{
    m_store->setReadOnly(true);
    auto* choose = new QPushButton(tr("Choose…"), this);
    choose->setAccessibleName(tr("Choose the store of runs"));
    connect(choose, &QPushButton::clicked, this, [this] { Q_EMIT storeAsked(false); });
    auto* usual = new QPushButton(tr("Usual place"), this);
    usual->setAccessibleName(tr("The usual store of runs"));
    connect(usual, &QPushButton::clicked, this, [this] { Q_EMIT storeAsked(true); });
    return rowOf(m_store, choose, usual);
}

/// A place, and what chooses another. Enter in the search presses none of them.
QWidget* PreferencesDialog::rowOf(QLineEdit* place, QPushButton* choose, QPushButton* usual)
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(place, 1);
    for (QPushButton* button : {choose, usual}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    row->setFocusProxy(place);
    row->setToolTip(place->toolTip());
    return row;
}

QWidget* PreferencesDialog::familyRow()
{
    m_families->setObjectName(QStringLiteral("families"));
    m_families->setReadOnly(true);
    m_families->setToolTip(
        tr("Every file *.family of this folder is a family, from the next start on."));
    const auto show = [this] {
        m_families->setText(familyFolder());
        m_families->setCursorPosition(0);
    };
    show();
    auto* choose = new QPushButton(tr("Choose…"), this);
    choose->setAccessibleName(tr("Choose the folder of families"));
    connect(choose, &QPushButton::clicked, this, [this, show] {
        const QString folder =
            QFileDialog::getExistingDirectory(this, tr("Families in files"), familyFolder());
        if (folder.isEmpty())
            return;
        setFamilyFolder(folder);
        show();
    });
    auto* usual = new QPushButton(tr("Usual place"), this);
    usual->setAccessibleName(tr("The usual folder of families"));
    connect(usual, &QPushButton::clicked, this, [show] {
        setFamilyFolder(QString());
        show();
    });
    return rowOf(m_families, choose, usual);
}

void PreferencesDialog::fillLanguages()
{
    m_language->setObjectName(QStringLiteral("language"));
    m_language->addItem(tr("As the desktop"), QString());
    for (const Language& one : languages())
        m_language->addItem(one.name, one.code);
    m_language->setCurrentIndex(std::max(m_language->findData(languageChoice()), 0));
    m_nextStart->setObjectName(QStringLiteral("nextStart"));
    m_nextStart->hide();
    connect(m_language, &QComboBox::currentIndexChanged, this, [this] {
        setLanguageChoice(m_language->currentData().toString());
        m_nextStart->show();
    });
}

void PreferencesDialog::showStore()
{
    m_store->setText(storeFile());
    m_store->setCursorPosition(0);
}

} // namespace pw::ui
