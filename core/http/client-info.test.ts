import { describe, expect, it } from 'vitest'
import { languageOf } from './client-info.ts'

describe('the language of server messages', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['fr, de;q=0.9', 'en'],
    ['zh', 'zh'],
    ['ZH-cn', 'zh'],
    ['zh-Hans-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-US,en;q=0.9,zh;q=0.8', 'en'],
    ['en;q=0.5, zh;q=0.6', 'zh'],
    ['fr, zh;q=0.1', 'zh'],
    ['en, zh', 'en'],
    ['zh, en', 'zh'],
    ['zh;q=0', 'en'],
    ['zh;q=x, en;q=0.1', 'en'],
    ['zhx, en', 'en'],
    ['zh; q=0.3 , en ;q=0.2', 'zh'],
    [`${'fr,'.repeat(100)}zh`, 'en'],
  ] as const)('of %j is %s', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})
