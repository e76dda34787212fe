// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/kept_answers.h"
#include "core/store/repair.h"
#include "core/store/run_store.h"
#include "core/store/schema.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace pw;

namespace {

NewAnswer planned(const std::string& title)
{
    return {AnswerKind::Plan, title, "pipewright plan --gpus=8", "rank  family\n   1  zb-v\n",
            "{\"rows\": []}\n"};
}

} // namespace

class TstKeptAnswers : public QObject
{
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_folder.isValid()); }
    void whatIsKeptComesBack();
    void wordsSelect();
    void itIsRenamedNotedAndRemoved();
    void aStoreOfEveryEarlierVersionTakesThem_data();
    void aStoreOfEveryEarlierVersionTakesThem();
    void aRepairedStoreHasThem();
    void aDamagedOneIsRefused();
    void onlyTheirNumbersAreTheirs();

private:
    std::string path(const char* name) const
    {
        return m_folder.filePath(QString(name) + ".sqlite").toStdString();
    }

    QTemporaryDir m_folder;
};

void TstKeptAnswers::whatIsKeptComesBack()
{
    Result<AnswerStore> store = AnswerStore::open(path("kept"));
    QVERIFY(store);
    QCOMPARE(*store->keep(planned("one")), std::int64_t(1));
    NewAnswer compared = planned("two");
    compared.kind = AnswerKind::Comparison;
    QCOMPARE(*store->keep(compared), std::int64_t(2));
    Result<AnswerStore> again = AnswerStore::openToRead(path("kept"));
    QVERIFY(again);
    const Result<std::vector<StoredAnswer>> all = again->answers();
    QVERIFY(all);
    QCOMPARE(all->size(), std::size_t(2));
    QCOMPARE(all->front().title, std::string("two"));
    QVERIFY(all->front().kind == AnswerKind::Comparison);
    const Result<StoredAnswer> first = again->answer(1);
    QVERIFY(first);
    QVERIFY(first->kind == AnswerKind::Plan);
    QCOMPARE(first->question, planned("").question);
    QCOMPARE(first->text, planned("").text);
    QCOMPARE(first->data, planned("").data);
    QVERIFY(first->madeMs > 1'500'000'000'000);
    // Runs know nothing of them.
    QVERIFY(RunStore::openToRead(path("kept"))->runs()->empty());
    const auto none = again->answer(3);
    QVERIFY(!none);
    QVERIFY(none.error().message.english().ends_with("has no plan or comparison a3"));
}

void TstKeptAnswers::wordsSelect()
{
    Result<AnswerStore> store = AnswerStore::open(path("words"));
    QVERIFY(store);
    QVERIFY(store->keep(planned("llama on 8")) && store->keep(planned("gpt 100% on 8")));
    QCOMPARE(store->answers("on llama")->size(), std::size_t(1));
    QCOMPARE(store->answers("plan")->size(), std::size_t(2));
    QCOMPARE(store->answers("100%")->size(), std::size_t(1));
    QCOMPARE(store->answers("%x")->size(), std::size_t(0));
}

void TstKeptAnswers::itIsRenamedNotedAndRemoved()
{
    Result<AnswerStore> store = AnswerStore::open(path("changed"));
    QVERIFY(store);
    QVERIFY(store->keep(planned("one")));
    QVERIFY(store->rename(1, "another") && store->annotate(1, "for Monday"));
    QCOMPARE(store->answer(1)->title, std::string("another"));
    QCOMPARE(store->answer(1)->notes, std::string("for Monday"));
    QVERIFY(store->remove(1));
    QVERIFY(!store->remove(1) && !store->rename(1, "x") && !store->annotate(1, "x"));
    QCOMPARE(*store->keep(planned("next")), std::int64_t(2)); // a number is never used again
}

void TstKeptAnswers::aStoreOfEveryEarlierVersionTakesThem_data()
{
    QTest::addColumn<int>("version");
    for (int version = 1; version < storeVersion; ++version)
        QTest::newRow(qPrintable(QString("version %1").arg(version))) << version;
}

void TstKeptAnswers::aStoreOfEveryEarlierVersionTakesThem()
{
    QFETCH(int, version);
    const std::string file = path(qPrintable(QString("old%1").arg(version)));
    {
        Result<std::unique_ptr<Database>> database = Database::open(file, Database::Mode::Create);
        QVERIFY(database);
        QVERIFY(migrate(**database, version));
        QVERIFY((*database)->run("INSERT INTO run (title, family, project, settings, writer, "
                                 "started_ms, touched_ms, ranks, status) VALUES ('old', '1f1b', "
                                 "'', '{}', '', 1, 1, 2, 'finished')",
                                 "test"));
    }
    Result<AnswerStore> store = AnswerStore::openToRead(file);
    QVERIFY2(store, store ? "" : store.error().message.english().c_str());
    QVERIFY(store->answers()->empty());
    Result<AnswerStore> writing = AnswerStore::open(file);
    QVERIFY(writing && writing->keep(planned("new")));
    QCOMPARE(RunStore::openToRead(file)->runs()->front().title, std::string("old"));
}

void TstKeptAnswers::aRepairedStoreHasThem()
{
    {
        Result<AnswerStore> store = AnswerStore::open(path("damaged"));
        QVERIFY(store && store->keep(planned("one")) && store->keep(planned("two")));
        Result<std::unique_ptr<Database>> database =
            Database::open(path("damaged"), Database::Mode::Write);
        QVERIFY((*database)->run("UPDATE answer SET made_ms = 'never' WHERE number = 1", "test"));
    }
    const Result<StoreRepair> repaired = repairStore(path("damaged"));
    QVERIFY(repaired);
    QCOMPARE(repaired->refused, std::int64_t(1));
    Result<AnswerStore> store = AnswerStore::openToRead(path("damaged"));
    QVERIFY(store);
    QCOMPARE(store->answers()->size(), std::size_t(1));
    QCOMPARE(store->answer(2)->text, planned("").text);
}

void TstKeptAnswers::aDamagedOneIsRefused()
{
    Result<AnswerStore> store = AnswerStore::open(path("foreign"));
    QVERIFY(store && store->keep(planned("one")));
    {
        Result<std::unique_ptr<Database>> database =
            Database::open(path("foreign"), Database::Mode::Write);
        QVERIFY((*database)->run("UPDATE answer SET kind = 'poem'", "test"));
    }
    const auto read = store->answer(1);
    QVERIFY(!read);
    QVERIFY(read.error().message.english().find("no known kind") != std::string::npos);
    QVERIFY(!store->answers());
}

void TstKeptAnswers::onlyTheirNumbersAreTheirs()
{
    QCOMPARE(answerNumber("a12").value_or(0), std::int64_t(12));
    QCOMPARE(answerNumber("A1").value_or(0), std::int64_t(1));
    for (const char* word : {"", "a", "12", "a0", "a-1", "a1x", "b1", "last", "a 1"})
        QVERIFY2(!answerNumber(word), word);
}

PW_TEST(TstKeptAnswers)
#include "tst_kept_answers.moc"
