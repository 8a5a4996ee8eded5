import { expect, it } from 'vitest'
import { knownDevice } from './known-device.ts'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

it.each([
  [phone, 'Safari · iPhone'],
  [windows, 'Chrome · Windows'],
  [`${windows} Edg/140.0.0.0`, 'Edge · Windows'],
  ['curl/8.5.0', 'curl'],
  ['what nobody knows', undefined],
  [`${' '.repeat(300)}curl/8.5.0`, undefined],
])('%s is told as %s', (userAgent, name) => {
  expect(knownDevice(userAgent)).toBe(name)
})

it('an app is told before the browser that it names as well', () => {
  const apps = [['Letters', /\bLetters\//]] as const
  expect(knownDevice(`${phone} Letters/8.0`, apps)).toBe('Letters · iPhone')
  expect(knownDevice(phone, apps)).toBe('Safari · iPhone')
})
