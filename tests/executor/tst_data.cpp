// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/data.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

using namespace pw::exec;

namespace {

using Text = std::vector<std::int32_t>;

constexpr int english = 64;

/// Entropy of a token behind what came before it, in nats, as it shows in many texts.
/// @param known  tokens before it that a model looks at
double entropyBehind(int known, int vocabulary, int texts, int length)
{
    std::map<Text, std::map<std::int32_t, double>> counts;
    double all = 0;
    for (int index = 0; index < texts; ++index) {
        const Text text = sample(7, index, length, vocabulary);
        for (auto at = text.begin() + known; at != text.end(); ++at) {
            ++counts[Text(at - known, at)][*at];
            ++all;
        }
    }
    double entropy = 0;
    for (const auto& [before, next] : counts) {
        double times = 0;
        for (const auto& [token, count] : next)
            times += count;
        for (const auto& [token, count] : next)
            entropy -= count / all * std::log(count / times);
    }
    return entropy;
}

/// Reads English sentences word by word; the slow and plain other way round.
class Reader
{
public:
    explicit Reader(const std::string& text)
    {
        std::istringstream words(text);
        for (std::string word; words >> word;)
            m_words.push_back(word);
    }

    /// The first thing wrong with the text, or empty. A sentence that the end cuts off is right.
    std::string mistake()
    {
        while (m_next < m_words.size() && m_mistake.empty())
            sentence();
        return m_mistake;
    }

private:
    const std::vector<std::string> numberWords = {"one", "two",   "three", "four", "five",
                                                  "six", "seven", "eight", "nine"};
    const std::set<std::string> one = {"a", "every", "this"};
    const std::set<std::string> several = {"many", "some", "these"};
    const std::set<std::string> adjectives = {"big",   "small", "red",   "old",   "young",
                                              "quick", "slow",  "quiet", "happy", "wise"};
    const std::map<std::string, std::string> nouns = {
        {"cat", "cats"},     {"dog", "dogs"},  {"bird", "birds"}, {"child", "children"},
        {"horse", "horses"}, {"fox", "foxes"}, {"mouse", "mice"}, {"owl", "owls"},
        {"cow", "cows"},     {"duck", "ducks"}};
    const std::set<std::string> verbs = {"chase", "see", "like", "fear", "find", "help", "follow"};

    bool ended() const { return m_next >= m_words.size() || !m_mistake.empty(); }
    std::string word() { return m_words[m_next++]; }
    void wrong(const std::string& what)
    {
        if (m_mistake.empty())
            m_mistake = "word " + std::to_string(m_next) + ": " + what;
    }
    void expect(const std::string& wanted)
    {
        if (!ended() && word() != wanted)
            wrong("not " + wanted);
    }

    void sentence()
    {
        const std::string first = m_words[m_next];
        if (first == "say")
            copying();
        else if (first == "count")
            counting();
        else
            statement();
        expect(".");
    }
    void copying()
    {
        expect("say");
        std::vector<std::string> said;
        while (!ended() && m_words[m_next] != "again") {
            said.push_back(word());
            if (adjectives.count(said.back()) == 0)
                wrong("not an adjective");
        }
        if (ended())
            return;
        if (said.size() < 2 || said.size() > 4)
            wrong("too few or too many words");
        expect("again");
        for (const std::string& each : said)
            expect(each);
    }
    void counting()
    {
        expect("count");
        if (ended())
            return;
        const auto last = std::find(numberWords.begin(), numberWords.end(), word());
        if (last == numberWords.end())
            return wrong("not a number");
        for (auto number = numberWords.begin(); number <= last; ++number)
            expect(*number);
    }
    /// Returns whether it is plural.
    bool nounPhrase()
    {
        if (ended())
            return false;
        const std::string determiner = word();
        const bool plural = several.count(determiner) != 0;
        if (!plural && one.count(determiner) == 0)
            wrong("not a determiner");
        if (!ended() && adjectives.count(m_words[m_next]) != 0)
            ++m_next;
        if (ended())
            return plural;
        const std::string noun = word();
        const bool right = std::any_of(nouns.begin(), nouns.end(), [&](const auto& pair) {
            return noun == (plural ? pair.second : pair.first);
        });
        if (!right)
            wrong("not a noun of that number");
        return plural;
    }
    void verb(bool plural)
    {
        if (ended())
            return;
        std::string found = word();
        if (!plural) {
            if (found.empty() || found.back() != 's')
                return wrong("not a singular verb");
            found.pop_back();
        }
        if (verbs.count(found) == 0)
            wrong("not a verb of that number");
    }
    void statement()
    {
        const bool plural = nounPhrase();
        if (!ended() && m_words[m_next] == "that") {
            ++m_next;
            verb(nounPhrase());
        }
        verb(plural);
        nounPhrase();
    }

    std::vector<std::string> m_words;
    std::size_t m_next = 0;
    std::string m_mistake;
};

} // namespace

class TestData : public QObject
{
    Q_OBJECT

private slots:
    void theTextIsTheSameEverywhere()
    {
        QCOMPARE(QString::fromStdString(textOf(sample(1, 0, 24, english), english)),
                 QStringLiteral("say big big wise again big big wise . many dogs like a owl . "
                                "count two one two . some slow horses help"));
        QCOMPARE(QString::fromStdString(textOf(sample(1, 0, 16, 5), 5)),
                 QStringLiteral("3 4 0 1 3 4 0 1 2 3 4 0 1 2 3 0"));
    }

    void sameSeedSameTextAnotherIndexOrSeedAnotherText()
    {
        for (const int vocabulary : {2, 13, 14, english, 50'257}) {
            const Text text = sample(3, 9, 200, vocabulary);
            QVERIFY(text == sample(3, 9, 200, vocabulary));
            QVERIFY(text != sample(3, 10, 200, vocabulary));
            QVERIFY(text != sample(4, 9, 200, vocabulary));
        }
    }

    void aShorterTextIsTheBeginningOfALongerOne()
    {
        const Text text = sample(3, 1, 300, english);
        for (int length = 1; length < 300; ++length) {
            const Text shorter = sample(3, 1, length, english);
            QCOMPARE(shorter.size(), static_cast<std::size_t>(length));
            QVERIFY(std::equal(shorter.begin(), shorter.end(), text.begin()));
        }
    }

    void everyVocabularyHasALanguageThatUsesAllOfIt()
    {
        std::vector<int> vocabularies = {1000};
        for (int vocabulary = 2; vocabulary <= 140; ++vocabulary)
            vocabularies.push_back(vocabulary);
        for (const int vocabulary : vocabularies) {
            std::set<std::int32_t> seen;
            for (int index = 0; index < 40'000 && std::ssize(seen) < vocabulary; ++index) {
                for (const std::int32_t token : sample(5, index, 60, vocabulary)) {
                    QVERIFY2(token >= 0 && token < vocabulary, qPrintable(QString::number(token)));
                    seen.insert(token);
                }
            }
            QCOMPARE(std::ssize(seen), std::ptrdiff_t{vocabulary});
        }
    }

    void everySentenceFollowsTheGrammar()
    {
        for (int index = 0; index < 500; ++index) {
            const std::string text = textOf(sample(11, index, 20 + index % 100, english), english);
            const std::string mistake = Reader(text).mistake();
            QVERIFY2(mistake.empty(), (mistake + " in: " + text).c_str());
        }
    }

    /// Every eighth is any number, the others are the next one.
    void numbersAreAsUncertainAsTheirRuleSays()
    {
        for (const int vocabulary : {2, 7, 13}) {
            const double slip = 1.0 / (8.0 * vocabulary);
            const double right = 7.0 / 8 + slip;
            const double entropy =
                -right * std::log(right) - (vocabulary - 1) * slip * std::log(slip);
            const double found = entropyBehind(1, vocabulary, 2000, 65);
            QVERIFY2(std::abs(found - entropy) < 0.02 * entropy,
                     qPrintable(QStringLiteral("%1, not %2").arg(found).arg(entropy)));
        }
    }

    void learningShows_data()
    {
        QTest::addColumn<int>("vocabulary");
        for (const int vocabulary : {2, 5, 13, 14, 20, 32, english, 100, 128, 256, 1000})
            QTest::addRow("vocabulary of %d", vocabulary) << vocabulary;
    }
    // A model that only counts tokens stays far above one that has learned what follows what.
    void learningShows()
    {
        QFETCH(int, vocabulary);
        const double counting = entropyBehind(0, vocabulary, 3000, 65);
        const double knowing = entropyBehind(1, vocabulary, 3000, 65);
        QVERIFY2(knowing < 0.65 * counting,
                 qPrintable(QStringLiteral("%1 and %2").arg(knowing).arg(counting)));
    }

    void tokensOutsideTheVocabularyShowAsSuch()
    {
        const Text tokens = {0, -1, 64, 63};
        QCOMPARE(QString::fromStdString(textOf(tokens, english)), QStringLiteral(". ? ? follow"));
        const Text few = {0, 1, 13};
        QCOMPARE(QString::fromStdString(textOf(few, 14)), QStringLiteral(". say verb0"));
    }
};

PW_TEST(TestData)
#include "tst_data.moc"
