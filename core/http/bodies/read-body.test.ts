import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BodyIntake } from './body-intake.ts'
import { readBody } from './read-body.ts'

it('is not waited for where the client has left before', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nHost: it\r\nContent-Length: 1000\r\n\r\nhalf of it')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  const closed = new Promise((resolve) => request.once('close', resolve))
  client.destroy()
  await closed
  const intake = new BodyIntake({ limitBytes: 1_000_000, slowSeconds: 30 })
  await expect(
    readBody(request, { limitBytes: 10_000, intake, sender: '', isJson: true }),
  ).rejects.toMatchObject({
    code: 'request.body_broken',
  })
  expect(intake.heldBytes).toBe(0)
  server.close()
})

describe('a body packed with zstd', () => {
  const packed = zstdCompressSync(Buffer.from('{"a":1}'))

  async function read(body: Buffer): Promise<string> {
    const intake = new BodyIntake({ limitBytes: 1_000_000, slowSeconds: 30 })
    const server = createServer((request, response) => {
      const rules = { limitBytes: 10_000, intake, sender: '', isJson: true }
      readBody(request, rules).then(
        (whole) => response.end(whole),
        (error: Error) => response.end(error.message),
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const headers = { 'content-encoding': 'zstd' }
    const client = send({ port, method: 'POST', headers }).end(body)
    const [answer] = (await once(client, 'response')) as [IncomingMessage]
    const text = (await buffer(answer)).toString()
    server.close()
    expect(intake.heldBytes).toBe(0)
    return text
  }

  it('is unpacked', async () => {
    expect(await read(packed)).toBe('{"a":1}')
  })

  it.each([
    ['cut off', packed.subarray(0, -2), 'archive is broken'],
    ['no archive at all', Buffer.from('nothing of the kind'), 'archive is broken'],
    ['of much', zstdCompressSync(Buffer.alloc(1_000_000)), 'larger than 9 KiB'],
  ])('is refused when it is %s', async (_what, body, reason) => {
    expect(await read(body)).toContain(reason)
  })

  it('is whole or refused when it is of two frames, of which Node 24 reads one', async () => {
    const text = await read(Buffer.concat([packed, packed]))
    expect(text).toMatch(/^(?:\{"a":1\}){2}$|behind the first zstd frame/)
  })
})
