import { describe, expect, it } from 'vitest'
import type { UpstreamResponse } from '../contract/http-client.ts'
import { beginsEvents, typedByBytes } from './event-beginning.ts'

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function seen(text: string, size: number, type?: string) {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  const came: UpstreamResponse = { status: 200, headers, body: pieces(Buffer.from(text), size) }
  const response = await typedByBytes(came)
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return { type: response.headers['content-type'], text: Buffer.concat(chunks).toString() }
}

describe('a body whose type is not that of events', () => {
  it.each([
    'data: {}\n\n',
    'event: a\ndata: {}\n\n',
    ': hold on\n\n',
    '\n\n \uFEFFdata:1',
    ':',
    'id: 1',
  ])('is events where it begins so, and is read whole: %j', async (text) => {
    for (const size of [1, 2, 5, 100])
      for (const type of ['text/plain', 'application/json', undefined])
        expect(await seen(text, size, type)).toEqual({ type: 'text/event-stream', text })
  })

  it.each(['{"data: ": 1}', '[{}]', '', 'dat', 'database', '<html>'])(
    'is what it says where it begins otherwise: %j',
    async (text) => {
      for (const size of [1, 3, 100_000])
        expect(await seen(text, size, 'text/plain')).toEqual({ type: 'text/plain', text })
    },
  )

  it('is what it says behind more white space than is waited for, in one piece or in many', async () => {
    const text = `${' '.repeat(70_000)}data: {}\n\n`
    for (const size of [1_000, 100_000])
      expect(await seen(text, size, 'text/plain')).toEqual({ type: 'text/plain', text })
    expect(beginsEvents(Buffer.from(text))).toBe(false)
    expect(beginsEvents(Buffer.from(text.slice(5_000)))).toBe(true)
  })

  it('is left by whoever leaves it early', async () => {
    let isLeft = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from('data: 1\n\n')
      } finally {
        isLeft = true
      }
    }
    const { body } = await typedByBytes({ status: 200, headers: {}, body: endless() })
    for await (const _ of body) break
    expect(isLeft).toBe(true)
  })
})
