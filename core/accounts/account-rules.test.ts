import { describe, expect, it } from 'vitest'
import { checkNewPassword, readDisplayName, readUsername } from './account-rules.ts'

describe('the rules for names and passwords', () => {
  it.each([
    ['ada', 'ada'],
    ['a', 'a'],
    ['  ada ', 'ada'],
    ['艾达', '艾达'],
    ['名'.repeat(64), '名'.repeat(64)],
    ["O'Neill; --", "O'Neill; --"],
  ])('take the user name %j as %j', (text, username) => {
    expect(readUsername(text)).toBe(username)
  })

  it.each(['', ' ', 'a@b', 'x'.repeat(65)])('refuse the user name %j', (text) => {
    expect(() => readUsername(text)).toThrow('user name must have 1 to 64 characters')
  })

  it.each(['a\nb', 'a\0b', 'ro\u200bot', '\u202etoor'])(
    'refuse the user name %j for what cannot be seen in it',
    (text) => {
      expect(() => readUsername(text)).toThrow('a character that cannot be seen')
    },
  )

  it('name the field of a form that they refuse', () => {
    const fieldOf = (refused: () => void) => {
      try {
        refused()
      } catch (fault) {
        return (fault as { field?: string }).field
      }
      return 'nothing was refused'
    }
    for (const name of ['', 'ro\u200bot'])
      expect(fieldOf(() => readUsername(name))).toBe('username')
    expect(fieldOf(() => readDisplayName('x'.repeat(65)))).toBe('display_name')
    for (const password of ['1234567', 'x'.repeat(129)])
      expect(fieldOf(() => checkNewPassword(password))).toBe('password')
  })

  it('take no display name above 64 characters', () => {
    expect(readDisplayName('  Ada ')).toBe('Ada')
    expect(readDisplayName('x'.repeat(64))).toHaveLength(64)
    expect(() => readDisplayName('x'.repeat(65))).toThrow('at most 64')
  })

  it.each(['\u202enimda', 'ro\u200bot', 'a\nb', 'a\u2066b', 'a\u3164b'])(
    'refuse the display name %j for what cannot be seen in it',
    (text) => {
      expect(() => readDisplayName(text)).toThrow('a character that cannot be seen')
    },
  )

  it.each(['👩‍👩‍👧', '❤️', 'نمی‌خواهم', '葛\u{e0100}城', 'José', '王小明'])(
    'take the display name %j',
    (text) => {
      expect(readDisplayName(text)).toBe(text)
    },
  )

  it.each(['12345678', 'x'.repeat(128), '密码密码密码密码'])('take the password %j', (password) => {
    expect(() => checkNewPassword(password)).not.toThrow()
  })

  it.each([
    ['1234567', 'at least 8'],
    ['x'.repeat(129), 'at most 128'],
  ])('refuse the password %j', (password, reason) => {
    expect(() => checkNewPassword(password)).toThrow(reason)
  })
})
