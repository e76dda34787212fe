# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The text that is learnt: sentences of a small grammar, the same as the other executors train on.

A seed and an index alone decide a sample, so every order and every split reads the same text.
"""

MASK = (1 << 64) - 1
FULL_STOP, SAY, AGAIN, COUNT, THAT, SPECIAL = range(6)  # SPECIAL: how many there are
LEAST_VOCABULARY, ENGLISH = 14, 64


def scramble(x):
    """splitmix64: spreads every bit of a word over a word."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Lexicon:
    """The word classes of a vocabulary, as (first, count), in the order of their tokens."""

    def __init__(self, vocabulary):
        open_words = vocabulary - SPECIAL
        english = ENGLISH - SPECIAL

        def share(of_english, least, most):
            return min(max(open_words * of_english // english, least), most)

        self._next = SPECIAL

        def words(count):
            first = self._next
            self._next += count
            return first, count

        numbers, determiners = share(9, 2, 9), share(3, 1, 3)
        nouns, verbs = share(10, 1, open_words), share(7, 1, open_words)
        self.numbers = words(numbers)
        self.determiners = (words(determiners), words(determiners))
        self.adjectives = words(open_words - numbers - 2 * (determiners + nouns + verbs))
        self.nouns = (words(nouns), words(nouns))
        self.verbs = (words(verbs), words(verbs))


class Writer:
    def __init__(self, seed, index, length):
        self.key = scramble((scramble(seed) + index) & MASK)
        self.drawn = 0
        self.length = length
        self.tokens = []

    def any(self, n):
        word = scramble((self.key + self.drawn) & MASK)
        self.drawn += 1
        return ((word >> 32) * n) >> 32

    def once(self, n):
        return self.any(n) == 0

    def favoured(self, n):
        return min(self.any(n), self.any(n))

    def mostly(self, favourite, slips, n):
        return self.any(n) if self.any(slips) == 0 else favourite

    def full(self):
        return len(self.tokens) >= self.length

    def put(self, token):
        if not self.full():
            self.tokens.append(token)


def noun_phrase(w, lex, number, noun):
    determiners = lex.determiners[number]
    w.put(determiners[0] + w.any(determiners[1]))
    if w.once(2):
        w.put(lex.adjectives[0] + w.favoured(lex.adjectives[1]))
    chosen = noun()
    w.put(lex.nouns[number][0] + chosen)
    return chosen


def verb_of(w, lex, number, noun):
    first, count = lex.verbs[number]
    verb = (noun + w.any(min(3, count))) % count
    w.put(first + verb)
    return verb


def statement(w, lex):
    count = lex.nouns[0][1]

    def any_noun():
        return w.favoured(count)

    number = w.any(2)
    subject = noun_phrase(w, lex, number, any_noun)
    if w.once(4):
        w.put(THAT)
        other_number = w.any(2)
        other = noun_phrase(w, lex, other_number, any_noun)
        verb_of(w, lex, other_number, other)
    verb = verb_of(w, lex, number, subject)
    noun_phrase(w, lex, w.any(2), lambda: (3 * verb + w.any(min(2, count))) % count)
    w.put(FULL_STOP)


def copying(w, lex):
    fewest, most = 2, 4
    words = []
    w.put(SAY)
    while len(words) < fewest or (len(words) < most and not w.once(most - len(words) + 1)):
        word = lex.adjectives[0] + w.favoured(lex.adjectives[1])
        words.append(word)
        w.put(word)
    w.put(AGAIN)
    for word in words:
        w.put(word)
    w.put(FULL_STOP)


def counting(w, lex):
    w.put(COUNT)
    last = w.any(lex.numbers[1])
    w.put(lex.numbers[0] + last)
    for i in range(last + 1):
        w.put(lex.numbers[0] + i)
    w.put(FULL_STOP)


def sample(seed, index, length, vocabulary):
    """So many tokens; the same for the same seed and index."""
    w = Writer(seed, index, length)
    if vocabulary < LEAST_VOCABULARY:
        token = w.any(vocabulary)
        w.put(token)
        while not w.full():
            token = w.mostly((token + 1) % vocabulary, 8, vocabulary)
            w.put(token)
        return w.tokens
    lex = Lexicon(vocabulary)
    while not w.full():
        if w.once(2):
            statement(w, lex)
        elif w.once(2):
            copying(w, lex)
        else:
            counting(w, lex)
    return w.tokens
