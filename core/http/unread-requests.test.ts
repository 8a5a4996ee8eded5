import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { refuseUnread } from './unread-requests.ts'

describe('a request that Node cannot read', () => {
  let server: Server
  const logged: object[] = []

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('begun')
    })
    refuseUnread(server, { ...quietLog, info: (fields: object) => void logged.push(fields) })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })

  /** All that comes until the connection is closed. */
  const send = (request: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(request)
    return text(socket)
  }

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, { error: { type: 'invalid_request_error' } }],
    [
      'a wrong length',
      'POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n',
      400,
      { type: 'error', error: { type: 'invalid_request_error' } },
    ],
    [
      'a broken header',
      'POST /api/user/login HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n',
      400,
      { success: false },
    ],
    [
      'large headers',
      `GET /v1beta/models HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      { error: { code: 431 } },
    ],
    [
      'an expectation',
      'POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nexpect: tea\r\ncontent-length: 2\r\n\r\n{}',
      417,
      { error: { type: 'invalid_request_error' } },
    ],
  ] as const)('is answered in its dialect, and told: %s', async (_, request, status, body) => {
    logged.length = 0
    const answer = await send(request)
    const [head = '', sent = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head.toLowerCase()).toContain('connection: close')
    expect(head).toContain(`content-length: ${Buffer.byteLength(sent)}`)
    expect(JSON.parse(sent)).toMatchObject(body)
    expect(logged).toMatchObject([{ status }])
  })

  it('behind an answer that has begun adds nothing to it', async () => {
    const answer = await send('GET / HTTP/1.1\r\nhost: a\r\n\r\nhello\r\n\r\n')
    expect(answer.split('\r\n\r\n')[1]?.startsWith('{')).not.toBe(true)
    expect(answer.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThan(2)
  })
})
