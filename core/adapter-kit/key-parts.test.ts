import { describe, expect, it } from 'vitest'
import { keyParts, malformedKey } from './key-parts.ts'

describe('a channel key of several parts', () => {
  it.each([
    { key: 'a|b', form: 'Id|Secret', mark: '|', parts: ['a', 'b'] },
    { key: 'a|b|c', form: 'AppId|Id|Secret', mark: '|', parts: ['a', 'b', 'c'] },
    { key: 'a.b', form: 'id.secret', mark: '.', parts: ['a', 'b'] },
    { key: 'a|b.c', form: 'id.secret', mark: '.', parts: ['a|b', 'c'] },
  ])('$key of the form $form is split', ({ key, form, mark, parts }) => {
    expect(keyParts(key, form, mark)).toEqual(parts)
  })

  it.each(['a|b', 'a|b|', 'a||c', '|b|c', 'a|b|c|d', '', 'a.b.c'])('"%s" is refused', (key) => {
    expect(() => keyParts(key, 'APPID|Secret|Key')).toThrow('The key must be APPID|Secret|Key.')
  })

  it('names its forms in both languages', () => {
    expect(malformedKey('a key or a pair', '密钥或密钥对').text).toEqual({
      en: 'The key must be a key or a pair.',
      zh: '密钥格式应为 密钥或密钥对。',
    })
  })
})
