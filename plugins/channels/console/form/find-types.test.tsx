import { describe, expect, it } from 'vitest'
import type { ChannelType } from '../channel-types.ts'
import { findTypes } from './find-types.ts'

const type = (number: number, fields: Partial<ChannelType>): ChannelType => ({
  type: number,
  name: '',
  zh: null,
  section: null,
  aliases: [],
  adapter: '',
  summary: '',
  base_url: '',
  models: [],
  form: {},
  settings: null,
  is_testable: true,
  has_balance: false,
  ...fields,
})
const types = [
  type(1, { name: 'OpenAI', section: 'popular', aliases: ['ChatGPT', '兼容'] }),
  type(17, { name: 'Alibaba Qwen', zh: '阿里云百炼', section: 'china', aliases: ['千问'] }),
  type(25, { name: 'Moonshot', zh: '月之暗面', section: 'china', summary: 'Kimi chat models' }),
  type(99, { name: 'Own', base_url: 'https://own.example' }),
]

const found = (search: string) => findTypes(types, search).flatMap((part) => part.types)

describe('looking for a provider', () => {
  it('without a word shows all, by section, the nameless section last', () => {
    expect(findTypes(types, '').map(({ section }) => section)).toEqual([
      'popular',
      'china',
      'other',
    ])
    expect(found('')).toHaveLength(4)
  })

  it.each([
    ['openai', [1]],
    ['CHATGPT', [1]],
    ['兼容', [1]],
    ['百炼', [17]],
    ['千问', [17]],
    ['kimi', [25]],
    ['own.example', [99]],
    ['kimi  moon', [25]],
    ['nobody', []],
  ])('by %j finds %j', (search, numbers) => {
    expect(found(search).map((entry) => entry.type)).toEqual(numbers)
  })
})
