// What an admin reads when the test of a channel fails: what happened, in the language of the console, and the upstream's own words.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, type App, startApp } from '#test'

const said = 'Incorrect API key provided. You can find yours at https://provider.example/keys.'

describe('a failed test of a channel', () => {
  let app: App
  let token = ''
  const answers = new Map([
    ['refusing', { status: 401, body: JSON.stringify({ error: { message: said } }) }],
    ['broken', { status: 502, body: '<html><body>Bad gateway</body></html>' }],
  ])
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.once('end', () => {
      const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: string }
      const { status, body } = answers.get(model)!
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body)
    })
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    app = await startApp()
    token = await app.root.get<string>('/api/user/token')
  })
  afterAll(async () => {
    server.close()
    await app.close()
  })

  async function test(model: string, language: string, base_url = upstream()): Promise<string> {
    const id = await addChannel(app.root, { base_url, models: model, name: model })
    const headers = {
      authorization: `Bearer ${token}`,
      'new-api-user': '1',
      'accept-language': language,
    }
    const answer = await fetch(`${app.url}/api/channel/test/${id}`, { headers })
    const { message } = (await answer.json()) as { message: string }
    const stored = await app.root.get<{ test_fault: string }>(`/api/channel/${id}`)
    expect(stored.test_fault).toBe(message)
    return message
  }

  const upstream = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  it.each(['en', 'zh'])('is told in the words of the upstream alone (%s)', async (language) => {
    expect(await test('refusing', language)).toBe(`HTTP 401: ${said}`)
  })

  it('is told by its status where the upstream has no words', async () => {
    expect(await test('broken', 'zh')).toBe('HTTP 502')
  })

  it.each([
    ['en', 'The upstream could not be reached (ECONNREFUSED'],
    ['zh', '无法连接上游（ECONNREFUSED'],
  ])('is told in the language of the admin where nobody answers (%s)', async (language, words) => {
    expect(await test('refusing', language, 'http://127.0.0.1:9')).toContain(words)
  })
})
