import { expect, it } from 'vitest'
import { ChannelFault } from './errors.ts'

/** As the JavaScript of a plugin calls it. */
const Untyped = ChannelFault as new (code: string, message?: unknown) => ChannelFault

it.each([
  ['a sentence', 'No key.', { en: 'No key.', zh: 'No key.' }],
  ['both languages', { en: 'No key.', zh: '缺少密钥。' }, { en: 'No key.', zh: '缺少密钥。' }],
  ['one language', { en: 'No key.' }, { en: 'No key.', zh: 'No key.' }],
  ['a caught error', new Error('No key.'), { en: 'No key.', zh: 'No key.' }],
  ['a number', 5, { en: '', zh: '' }],
  ['nothing', undefined, { en: '', zh: '' }],
])('has words in both languages, whatever it was given: %s', (_, message, text) => {
  const fault = new Untyped('invalid_channel_key', message)
  expect(fault.text).toEqual(text)
  expect(fault.message).toBe(text.en)
})
