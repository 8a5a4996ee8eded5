import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from './http-client.ts'
import { inflated } from './inflate.ts'

async function ask(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createHttpClient({ ssrfAllow: [] })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  onTestFinished(() => client.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return client.request({ method: 'POST', url, headers: {} })
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const plain = JSON.stringify({ answer: 'é'.repeat(5_000) })

describe('an answer that the upstream packed', () => {
  it.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['Deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['identity', Buffer.from(plain)],
  ])('is read: %s', async (encoding, bytes) => {
    for (const status of [200, 429]) {
      const response = await ask((_request, reply) => {
        const headers = { 'content-encoding': encoding, 'content-length': bytes.length }
        reply.writeHead(status, headers).end(bytes)
      })
      expect(response.status).toBe(status)
      expect(response.headers).not.toHaveProperty('content-encoding')
      expect(response.headers).not.toHaveProperty('content-length')
      expect(await textOf(response.body)).toBe(plain)
    }
  })

  it('is read as it streams, each piece before the next is sent', async () => {
    let next: (() => void) | undefined
    const response = await ask((_request, reply) => {
      reply.writeHead(200, { 'content-encoding': 'gzip' })
      const packer = createGzip()
      packer.pipe(reply)
      const write = (text: string) => {
        packer.write(text)
        packer.flush()
      }
      write('data: 1\n\n')
      next = () => {
        write('data: 2\n\n')
        packer.end()
      }
    })
    const reader = response.body[Symbol.asyncIterator]()
    const first = await reader.next()
    expect(Buffer.from(first.value as Uint8Array).toString()).toBe('data: 1\n\n')
    next?.()
    expect(Buffer.from((await reader.next()).value as Uint8Array).toString()).toBe('data: 2\n\n')
    expect((await reader.next()).done).toBe(true)
  })

  it.each(['gzip', 'br', 'zstd', 'deflate'])(
    'that is no archive or is cut off is a fault of the upstream: %s',
    async (encoding) => {
      const packed = {
        gzip: gzipSync(plain),
        br: brotliCompressSync(plain),
        zstd: zstdCompressSync(plain),
        deflate: deflateSync(plain),
      }[encoding]
      for (const bytes of [Buffer.from('{"no":"archive"}'), packed?.subarray(0, -5)]) {
        const response = await ask((_request, reply) => {
          reply.writeHead(200, { 'content-encoding': encoding }).end(bytes)
        })
        await expect(textOf(response.body)).rejects.toMatchObject({ code: 'net.unreachable' })
      }
    },
  )

  it.each([
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
  ])('ends with its archive, whatever follows: %s', async (encoding, packed) => {
    for (const more of [Buffer.from('more'), Buffer.alloc(200_000, 'x')]) {
      const response = await ask((_request, reply) => {
        reply.writeHead(200, { 'content-encoding': encoding })
        reply.end(Buffer.concat([packed, more]))
      })
      expect(await textOf(response.body)).toBe(plain)
    }
  })

  it('is unpacked up to a bound, and its socket is free when the reader leaves', async () => {
    let isClosed = false
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: gzipSync(Buffer.alloc(1_000_000)) }),
        return: () => {
          isClosed = true
          return Promise.resolve({ done: true, value: undefined })
        },
      }),
    } as AsyncIterable<Uint8Array>
    const packed = { status: 200, headers: { 'content-encoding': 'gzip' }, body: source }
    await expect(textOf(inflated(packed, 10_000_000).body)).rejects.toMatchObject({
      code: 'net.answer_too_large',
    })
    await expect.poll(() => isClosed).toBe(true)
    isClosed = false
    await inflated(packed).body[Symbol.asyncIterator]().return?.()
    await expect.poll(() => isClosed).toBe(true)
  })

  it('without a body, or packed in a way that nobody knows, is left alone', async () => {
    const empty = await ask((_request, reply) => {
      reply.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 0 }).end()
    })
    expect(await textOf(empty.body)).toBe('')
    const strange = await ask((_request, reply) => {
      reply.writeHead(200, { 'content-encoding': 'compress' }).end('x')
    })
    expect(strange.headers['content-encoding']).toBe('compress')
    expect(await textOf(strange.body)).toBe('x')
  })
})
