// Google's SDK for Python writes bytes in the alphabet of base64 that is safe in addresses, and Google reads both. Other
// providers refuse that alphabet.
import { expect, it } from 'vitest'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xfb, 0xff, 0xfe, 0xfa])
const sound = Buffer.from([0xff, 0xfb, 0x90, 0xfb, 0xef, 0xbe, 0xff])
const sent = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')

function built(dialect: ChatDialect, parts: JsonObject[]): string {
  const request = codecs.gemini.parseRequest({ contents: [{ parts }] }, { model: 'm' })
  const target = { upstreamModel: 'm', dropped: [], option: () => undefined as never }
  return JSON.stringify(codecs[dialect].buildRequest(request, target))
}

it.each<ChatDialect>(['openai-chat', 'openai-responses', 'anthropic-messages'])(
  'reach %s in the usual alphabet',
  (dialect) => {
    const data = picture.toString('base64')
    for (const written of [sent(picture), sent(picture).replaceAll('=', ''), data]) {
      expect(built(dialect, [{ inlineData: { mimeType: 'image/jpeg', data: written } }])).toContain(
        dialect === 'anthropic-messages'
          ? `"media_type":"image/jpeg","data":"${data}"`
          : `"data:image/jpeg;base64,${data}"`,
      )
    }
  },
)

it('hold for sounds, and for files inside results of tools', () => {
  const inlineData = { mimeType: 'audio/mp3', data: sent(sound) }
  expect(built('openai-chat', [{ inlineData }])).toContain(`"data":"${sound.toString('base64')}"`)
  const parts = [{ inlineData: { mimeType: 'image/jpeg', data: sent(picture) } }]
  const functionResponse = { name: 'look', response: { result: 'seen' }, parts }
  const call = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }
  const body = {
    contents: [{ parts: [{ text: 'hi' }] }, call, { role: 'user', parts: [{ functionResponse }] }],
  }
  const request = codecs.gemini.parseRequest(body, { model: 'm' })
  const target = { upstreamModel: 'm', dropped: [], option: () => undefined as never }
  expect(JSON.stringify(codecs['openai-chat'].buildRequest(request, target))).toContain(
    `"data:image/jpeg;base64,${picture.toString('base64')}"`,
  )
})
