import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import { WordMatcher } from './word-matcher.ts'

describe('finding listed words', () => {
  it.each([
    { words: ['bad'], text: 'a BaD word', found: 'bad' },
    { words: ['敏感词'], text: '这里有敏感词吗', found: '敏感词' },
    { words: ['she', 'he', 'hers'], text: 'ushers', found: 'she' },
    { words: ['abcd', 'bc'], text: 'xabce', found: 'bc' },
    { words: ['aab'], text: 'aaab', found: 'aab' },
    { words: ['😀😁'], text: 'x😀😁y', found: '😀😁' },
    { words: ['bad'], text: 'a ｂＡｄ word', found: 'bad' },
    { words: ['ＢＡＤ'], text: 'a bad word', found: 'bad' },
    { words: ['bad'], text: 'a b\u200ba\u00add word', found: 'bad' },
    { words: ['敏感词'], text: '这里有敏\ufeff感\u2060词吗', found: '敏感词' },
    { words: ['b\u200ba\u200bd'], text: 'a bad word', found: 'bad' },
    { words: ['two words'], text: 'two\u3000words', found: 'two words' },
    { words: ['\u200b', '\u3000'], text: 'a\u200b b', found: undefined },
    { words: ['bad'], text: 'b a d', found: undefined },
    { words: [' padded  ', ''], text: 'a padded word', found: 'padded' },
    { words: ['', '  '], text: 'anything', found: undefined },
  ])('finds $found of $words in "$text"', ({ words, text, found }) => {
    expect(new WordMatcher(words).find(text)).toBe(found)
  })

  it('says that a list of blanks is empty', () => {
    expect(new WordMatcher(['', ' ']).isEmpty).toBe(true)
    expect(new WordMatcher(['x']).isEmpty).toBe(false)
  })

  it('finds a word exactly where a plain search finds one', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '词', 'B') })
    fc.assert(
      fc.property(fc.array(letters), letters, (words, text) => {
        const found = new WordMatcher(words).find(text)
        const listed = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '')
        const plain = listed.some((word) => text.toLowerCase().includes(word))
        expect(found !== undefined).toBe(plain)
        if (found !== undefined) expect(text.toLowerCase()).toContain(found)
      }),
      { numRuns: 500 },
    )
  })

  it('reads a long text against a hundred thousand words in one pass', () => {
    const words = Array.from({ length: 100_000 }, (_, index) => `word-${index.toString(36)}-x`)
    const matcher = new WordMatcher(words)
    const text = 'word-zz word-1 word-abc- '.repeat(40_000)
    const spentMs = processorTime()
    expect(matcher.find(text)).toBeUndefined()
    // A search word by word takes minutes.
    expect(spentMs()).toBeLessThan(2_000)
    expect(matcher.find(`${text} word-2rs-x`)).toBe('word-2rs-x')
  })
})
