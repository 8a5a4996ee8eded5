import { beforeAll, describe, expect, it } from 'vitest'
import { addChannel, errorRows, relayRoom, sendJson, setPrice } from '#test'
import { channelHeadersOf, readHeaderLines } from './request-headers.ts'

describe('lines of headers', () => {
  it('are read with their names in lower case', () => {
    const text = 'X-Client: my gateway\n\n  authorization:Bearer a:b  \r\n'
    expect(readHeaderLines(text)).toEqual({
      headers: { 'x-client': 'my gateway', authorization: 'Bearer a:b' },
    })
  })

  it.each([
    'no colon',
    ': value',
    'X-A:',
    'X A: b',
    'X-A: bé',
    'Host: elsewhere',
    'Content-Length: 5',
    'sec-websocket-key: x',
    'x-tollgate-hop: x',
    `X-A: ${'a'.repeat(4097)}`,
  ])('are refused: %s', (line) => {
    expect(readHeaderLines(`X-Fine: 1\n${line}`).faultyLine).toBe(2)
  })

  it('are twenty at the most, and a name counts once', () => {
    const lines = Array.from({ length: 21 }, (_, index) => `x-${index}: a`)
    expect(readHeaderLines(lines.join('\n')).faultyLine).toBe(21)
    expect(readHeaderLines([...lines.slice(1), 'X-1: b'].join('\n')).faultyLine).toBeUndefined()
  })

  it('go to the host of the address only', () => {
    expect(channelHeadersOf('a: b', 'https://x.test:8443/v1')).toMatchObject({
      host: 'x.test:8443',
    })
    expect(channelHeadersOf('a: b', '')).toBeUndefined()
  })
})

describe('the headers of a channel', () => {
  const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'ada' })
  const credential = 'Bearer of-the-door-0123456789'
  const headers = `Authorization: ${credential}\nX-Client: us\nX-Door: ajar-123\nCookie: door="of-oak-0123"; a=b`
  let id = 0

  beforeAll(async () => {
    id = await addChannel(room.app.root, {
      base_url: room.upstream.url,
      models: 'guarded',
      setting: JSON.stringify({ headers }),
    })
    await setPrice(room.app.root, 'guarded', 1)
  })

  const ask = () =>
    room.post('/v1/chat/completions', {
      model: 'guarded',
      messages: [{ role: 'user', content: 'Hi' }],
    })

  it('take the place of the gateway’s, and are told to nobody', async () => {
    room.upstream.behave((response) =>
      sendJson(
        response,
        { error: { message: `who is of-the-door-0123456789, ajar-123, of-oak-0123?` } },
        400,
      ),
    )
    const answer = await (await ask()).text()
    expect(room.upstream.calls.at(-1)?.headers).toMatchObject({
      authorization: credential,
      'x-client': 'us',
    })
    expect(answer).not.toMatch(/of-the-door|ajar|oak/)
    expect(await errorRows(room.app.root, room.customer.username)).toHaveLength(1)
    const log = JSON.stringify(await room.app.root.get('/api/log/?p=0'))
    expect(log).toContain('who is')
    expect(log).not.toMatch(/of-the-door|ajar|oak/)
    const shown = await room.app.root.get<object>(`/api/channel/${id}`)
    expect(shown).toMatchObject({ setting: '', setting_secrets: ['headers'] })
  })

  it('are told to nobody by the password of Basic either', async () => {
    const pair = Buffer.from('porter-of-us:open-sesame').toString('base64')
    await addChannel(room.app.root, {
      base_url: room.upstream.url,
      models: 'basic',
      setting: JSON.stringify({ headers: `Authorization: Basic ${pair}` }),
    })
    await setPrice(room.app.root, 'basic', 1)
    const message = 'porter-of-us may not open by open-sesame'
    room.upstream.behave((response) => sendJson(response, { error: { message } }, 400))
    const messages = [{ role: 'user', content: 'Hi' }]
    const answer = await room.post('/v1/chat/completions', { model: 'basic', messages })
    expect(await answer.text()).not.toContain('open-sesame')
  })

  it('are on the call for models, too', async () => {
    room.upstream.behave((response) => sendJson(response, { data: [{ id: 'guarded' }] }))
    await room.app.root.get(`/api/channel/fetch_models/${id}`)
    expect(room.upstream.calls.at(-1)?.headers).toMatchObject({ 'x-client': 'us' })
  })

  it('are none when they are blank', async () => {
    const input = { base_url: room.upstream.url, setting: '{"headers":" \\n "}' }
    const blank = await addChannel(room.app.root, { ...input, models: 'other' })
    const shown = await room.app.root.get<object>(`/api/channel/${blank}`)
    expect(shown).not.toHaveProperty('setting_secrets')
  })

  it('stay when others are edited, and must be given again for another host', async () => {
    const edit = (changes: object) => room.app.root.put('/api/channel/', { id, ...changes })
    await edit({ setting: '{"force_format":false}' })
    await ask().then((response) => response.text())
    expect(room.upstream.calls.at(-1)?.headers).toMatchObject({ 'x-client': 'us' })
    const moved = { base_url: 'http://127.0.0.1:1', key: 'sk-new' }
    await expect(edit(moved)).rejects.toMatchObject({
      answer: { code: 'channel.secret_needed', body: { values: { field: 'setting.headers' } } },
    })
    await edit({ setting: '{"headers":""}' })
    await ask().then((response) => response.text())
    expect(room.upstream.calls.at(-1)?.headers).not.toHaveProperty('x-client')
  })
})
