import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import { personalSearches } from './find/personal-finders.ts'
import { Marks } from './marks.ts'
import { showMarks } from './show-marks.ts'

const searches = Object.values(personalSearches)

/** Calls the change as the relay does: the characters that were kept come before the next piece. */
function streamed(hidden: ReadonlyMap<string, string>, pieces: readonly string[]) {
  const change = showMarks(hidden)
  let kept = ''
  let most = 0
  const shown = pieces.map((piece) => {
    const text = kept + piece
    const { text: out, keep = 0 } = change(text, false)
    kept = keep > 0 ? text.slice(-keep) : ''
    most = Math.max(most, keep)
    return out
  })
  return { text: [...shown, change(kept, true).text].join(''), most }
}

describe('marks', () => {
  it('are the same for the same text in one call', () => {
    const marks = new Marks(searches)
    expect(marks.hide('a@b.io, c@d.io, a@b.io, 10.0.0.1')).toBe(
      '[EMAIL_1], [EMAIL_2], [EMAIL_1], [IP_1]',
    )
    expect(marks.hide('c@d.io')).toBe('[EMAIL_2]')
    expect(Object.fromEntries(marks.counts)).toEqual({ email: 4, ip: 1 })
  })

  it('are none that the client wrote himself', () => {
    const marks = new Marks(searches)
    marks.reserve('See [EMAIL_1] and [EMAIL_3]')
    expect(marks.hide('a@b.io c@d.io')).toBe('[EMAIL_2] [EMAIL_4]')
  })

  it('are put back wherever the pieces of a stream are cut', () => {
    const marks = new Marks(searches)
    const text = 'So [a] [[EMAIL_1] wrote, [EMAIL_12], [EMAIL_ 10.0.0.1] from 10.0.0.1 to a@b.io ['
    const hidden = marks.hide(text)
    for (let at = 0; at <= hidden.length; at += 1)
      expect(streamed(marks.hidden, [hidden.slice(0, at), hidden.slice(at)]).text).toBe(
        text.replace('[[EMAIL_1]', '[a@b.io'),
      )
    expect(streamed(marks.hidden, hidden.split('')).text).toBe(
      text.replace('[[EMAIL_1]', '[a@b.io'),
    )
  })

  it('hold back no more of a stream than may be the beginning of one', () => {
    const marks = new Marks(searches)
    marks.hide('a@b.io')
    expect(streamed(marks.hidden, ['x [', 'EMAIL', '_2] [no', ' [EMAIL_1', ']']).most).toBe(8)
    expect(showMarks(marks.hidden)('a [EMAIL_2', false)).toEqual({ text: 'a [EMAIL_2', keep: 0 })
    expect(showMarks(marks.hidden)('a [EM', false)).toEqual({ text: 'a ', keep: 3 })
  })

  it('lead back to any text', () => {
    const words = fc.constantFrom(
      'a@b.io ',
      '10.0.0.1',
      '[',
      ']',
      '[EMAIL_1]',
      '[IP',
      '13812345678',
      ' x ',
      '。',
    )
    fc.assert(
      fc.property(fc.array(words), fc.nat(5), (parts, size) => {
        const text = parts.join('')
        const marks = new Marks(searches)
        marks.reserve(text)
        const hidden = marks.hide(text)
        expect(hidden).not.toMatch(/@/)
        const pieces = hidden
          .split('')
          .map((_, at) => hidden.slice(at * (size + 1), (at + 1) * (size + 1)))
        expect(streamed(marks.hidden, pieces).text).toBe(text)
      }),
    )
  })

  it('take time in proportion to a megabyte of brackets and of addresses', () => {
    const spentMs = processorTime()
    const marks = new Marks(searches)
    for (const text of ['['.repeat(1_048_576), '[A'.repeat(524_288), '[A]'.repeat(349_525)])
      marks.reserve(text)
    const many = Array.from({ length: 60_000 }, (_, at) => `user${at}@mail.io`).join(' ')
    const hidden = marks.hide(many)
    expect(streamed(marks.hidden, [hidden]).text).toBe(many)
    expect(
      streamed(marks.hidden, hidden.slice(0, 100_000).match(/.{1,3}/g) ?? []).text.startsWith(
        'user0@mail.io user1@',
      ),
    ).toBe(true)
    expect(spentMs()).toBeLessThan(5_000)
  })
})
