// Pictures under the wrong type: Claude answers 400 ("The image was specified using the image/jpeg media type, but the image
// appears to be a image/png image"), Gemini refuses `image/jpg`. OpenAI's clients get away with both.
import { expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import { codecs } from './index.ts'

const bytes = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
  jpeg: [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1],
  gif: [...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0],
  webp: [...Buffer.from('RIFF'), 4, 0, 0, 0, ...Buffer.from('WEBPVP8 ')],
  sound: [...Buffer.from('RIFF'), 4, 0, 0, 0, ...Buffer.from('WAVEfmt ')],
}

function told(dialect: ChatDialect, written: string, kind: keyof typeof bytes): string {
  const url = `data:${written};base64,${Buffer.from(bytes[kind]).toString('base64')}`
  const content = [{ type: 'image_url', image_url: { url } }]
  const body = { model: 'm', messages: [{ role: 'user', content }] }
  const request = codecs['openai-chat'].parseRequest(body, {})
  const upstreamModel = dialect === 'gemini' ? 'gemini-2.5-flash' : 'claude-sonnet-4-5'
  const target = { upstreamModel, dropped: [], option: () => undefined as never }
  const said = JSON.stringify(codecs[dialect].buildRequest(request, target))
  return /"(?:media_type|mimeType)":"([^"]*)"/.exec(said)?.[1] ?? ''
}

it.each(['anthropic-messages', 'gemini'] as const)('%s is told the true type', (dialect) => {
  expect(told(dialect, 'image/jpeg', 'png')).toBe('image/png')
  expect(told(dialect, 'image/png', 'jpeg')).toBe('image/jpeg')
  expect(told(dialect, 'image/jpg', 'jpeg')).toBe('image/jpeg')
  expect(told(dialect, 'image/png', 'webp')).toBe('image/webp')
  expect(told(dialect, 'image/jpg', 'sound')).toBe('image/jpeg')
})

it('names an animation to Claude by its own type', () => {
  expect(told('anthropic-messages', 'image/png', 'gif')).toBe('image/gif')
})
