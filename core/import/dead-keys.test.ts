import { expect, it } from 'vitest'
import { deadKeysThere } from './dead-keys.ts'

const info = {
  is_multi_key: true,
  multi_key_status_list: { '1': 3, '3': 2, '0': 1, '9': 3 },
  multi_key_disabled_reason: { '1': 'refused: key-second' },
  multi_key_disabled_time: { '1': 1_700_000_000 },
}

it('finds the keys by their lines, also behind one that is empty', () => {
  const keys = ['key-first', 'key-second', 'key-third']
  expect(deadKeysThere(info, 'key-first\nkey-second \n\nkey-third', keys)).toEqual([
    { position: 2, reason: 'refused: ***', time: 1_700_000_000 },
    { position: 3, reason: '', time: 0 },
  ])
})

it('finds keys that are a JSON list', () => {
  const keys = ['{"a":1}', '{"a":2}']
  expect(deadKeysThere(info, '[{"a":1},{"a":2}]', keys)).toMatchObject([{ position: 2 }])
})

it('finds none in notes of another form', () => {
  for (const list of [undefined, null, 'x', [], {}])
    expect(deadKeysThere({ multi_key_status_list: list }, 'a', ['a'])).toEqual([])
})
