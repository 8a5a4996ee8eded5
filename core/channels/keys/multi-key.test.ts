import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, type Customer, setPrice, startApp } from '#test'
import { deadKeysOf, keysOf, liveKeys, pickKey } from './multi-key.ts'
import type { ChannelView } from '../../contract/adapter.ts'
import { demanding, plain } from '../../../test/harness/channels.ts'

const view = (key: string, setting: object = {}) => ({ key, setting }) as unknown as ChannelView

describe('the keys of one channel', () => {
  it.each([
    { what: 'a key without the switch', key: 'a\nb', setting: {}, keys: ['a\nb'] },
    {
      what: 'lines with the switch',
      key: 'a\n\n b \na',
      setting: { multi_key: true },
      keys: ['a', 'b'],
    },
    {
      what: 'a switch that is no true',
      key: 'a\nb',
      setting: { multi_key: 'yes' },
      keys: ['a\nb'],
    },
  ])('reads $what', ({ key, setting, keys }) => {
    expect(keysOf(key, setting, plain)).toEqual(keys)
  })

  it('reads a JSON list where newlines belong to a key', () => {
    const documents = JSON.stringify([{ a: 1 }, { a: 2 }], undefined, 2)
    expect(keysOf(documents, { multi_key: true }, demanding)).toEqual(['{"a":1}', '{"a":2}'])
    expect(keysOf('{"a":1}', { multi_key: true }, demanding)).toEqual(['{"a":1}'])
  })

  it('passes over the dead ones, but never over all', () => {
    const dead = (position: number) => ({ position, reason: '', time: 0 })
    expect(liveKeys(['a', 'b', 'c'], [dead(2)])).toEqual(['a', 'c'])
    expect(liveKeys(['a', 'b'], [dead(1), dead(2)])).toEqual(['a', 'b'])
  })

  it('takes keys in turn, and another one for a second try', () => {
    const views = ['a', 'b', 'c'].map((key) => view(key, { multi_key_mode: 'polling' }))
    const picked = Array.from({ length: 4 }, () => pickKey(views, undefined).key)
    expect(picked).toEqual(['a', 'b', 'c', 'a'])
    expect(pickKey(views, new Set(['a', 'c'])).key).toBe('b')
    expect(pickKey([view('a')], new Set(['a'])).key).toBe('a')
  })

  it('takes keys at random otherwise', () => {
    const views = ['a', 'b'].map((key) => view(key))
    const seen = new Set(Array.from({ length: 64 }, () => pickKey(views, undefined).key))
    expect([...seen].sort()).toEqual(['a', 'b'])
  })

  it('reads no dead keys out of what is not JSON', () => {
    expect(deadKeysOf('dead_keys')).toEqual([])
    expect(deadKeysOf('')).toEqual([])
  })
})

describe('a channel with several keys', () => {
  let app: App
  let upstream: Server
  let customer: Customer
  let channelId: number
  const seen: string[] = []
  const refused = new Set<string>()
  let refusalStatus = 401
  /** What happens while a key is being refused. */
  let meanwhile: (() => Promise<unknown>) | undefined

  beforeAll(async () => {
    upstream = createServer(async (request, response) => {
      const key = String(request.headers.authorization).replace('Bearer ', '')
      seen.push(key)
      const isRefused = refused.has(key)
      if (isRefused) await meanwhile?.()
      response.writeHead(isRefused ? refusalStatus : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isRefused ? refusal(key) : completion))
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    app = await startApp({ isWithin: true })
    await setPrice(app.root, 'm', 1)
    customer = await addCustomer(app.root, 'holder', 1_000_000)
  })

  beforeEach(async () => {
    if (channelId) await app.root.call('DELETE', `/api/channel/${channelId}`)
    seen.length = 0
    refused.clear()
    meanwhile = undefined
    refusalStatus = 401
    await setOption('RetryTimes', '2')
    await setOption('AutomaticDisableChannelEnabled', 'true')
    channelId = await addChannel(app.root, {
      base_url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      models: 'm',
      key: 'sk-one-11\nsk-two-22\nsk-three-33',
      setting: JSON.stringify({ multi_key: true, multi_key_mode: 'polling' }),
    })
  })

  afterAll(async () => {
    await app.close()
    upstream.closeAllConnections()
    upstream.close()
  })

  const completion = {
    id: 'c',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
  const refusal = (key: string) => ({
    error: {
      message: `Incorrect API key: ${key}`,
      code: refusalStatus === 401 ? 'invalid_api_key' : null,
      type: 'x',
    },
  })

  function setOption(key: string, value: string) {
    return app.root.put('/api/option/', { key, value })
  }

  async function call(): Promise<number> {
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}` },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await answer.text()
    return answer.status
  }

  const channel = () =>
    app.root.get<{ status: number; other_info: string }>(`/api/channel/${channelId}`)
  const dead = async () => deadKeysOf((await channel()).other_info)

  it('is one channel that uses all of them', async () => {
    for (let round = 0; round < 3; round += 1) expect(await call()).toBe(200)
    expect([...seen].sort()).toEqual(['sk-one-11', 'sk-three-33', 'sk-two-22'])
    const list = await app.root.get<unknown[]>('/api/channel/')
    expect(list).toHaveLength(1)
  })

  it.each(['true', 'false'])(
    'answers past a dead key, skips it from then on and shows it (disabling %s)',
    async (isOn) => {
      await setOption('AutomaticDisableChannelEnabled', isOn)
      refused.add('sk-one-11')
      expect(await call()).toBe(200)
      await expect.poll(dead).toMatchObject([{ position: 1 }])
      const [{ reason } = { reason: '' }] = await dead()
      expect(reason).toBe('Incorrect API key: ***')
      seen.length = 0
      for (let round = 0; round < 4; round += 1) await call()
      expect(seen).not.toContain('sk-one-11')
      expect((await channel()).status).toBe(1)
    },
  )

  it.each(['true', 'false'])(
    'tries the other keys where the channel is not retried (disabling %s)',
    async (isOn) => {
      await setOption('AutomaticDisableChannelEnabled', isOn)
      await setOption('RetryTimes', '0')
      refused.add('sk-one-11').add('sk-two-22')
      expect([await call(), await call()]).toEqual([200, 200])
      expect(seen[0]).toBe('sk-one-11')
      refused.add('sk-three-33')
      expect(await call()).toBe(401)
    },
  )

  it('tries no more than four others in one call', async () => {
    await setOption('AutomaticDisableChannelEnabled', 'false')
    await setOption('RetryTimes', '0')
    const keys = Array.from({ length: 9 }, (_, index) => `sk-many-${index}`)
    await app.root.put('/api/channel/', { id: channelId, key: keys.join('\n') })
    for (const key of keys) refused.add(key)
    expect(await call()).toBe(401)
    expect(seen).toHaveLength(5)
  })

  it.each([
    { what: 'other keys', change: { key: 'sk-four-44\nsk-five-55' }, asked: ['sk-four-44'] },
    { what: 'one key', change: { key: 'sk-six-66' }, asked: ['sk-six-66'] },
    { what: 'the refused key only', change: { key: 'sk-one-11' }, asked: [] },
    { what: 'been switched off', change: { status: 2 }, asked: [] },
  ])('goes on with no key that it had before it has $what', async ({ change: edit, asked }) => {
    await setOption('RetryTimes', '0')
    refused.add('sk-one-11')
    meanwhile = () => app.root.put('/api/channel/', { id: channelId, ...edit })
    expect(await call()).toBe(asked.length > 0 ? 200 : 401)
    expect(seen).toEqual(['sk-one-11', ...asked])
  })

  it('tries no other key where the failure does not concern the key', async () => {
    await setOption('RetryTimes', '0')
    refusalStatus = 500
    refused.add('sk-one-11')
    expect(await call()).toBe(500)
    expect(seen).toEqual(['sk-one-11'])
  })

  it('has a row in the log for each key that died, once', async () => {
    const rows = async () => {
      const { items } = await app.root.get<{ items: { other: string }[] }>(
        '/api/log/?p=0&type=4&page_size=100',
      )
      return items.map(({ other }) => other).filter((other) => other.includes('key_disabled'))
    }
    const before = (await rows()).length
    refused.add('sk-two-22')
    await Promise.all([call(), call(), call(), call(), call(), call()])
    await expect.poll(async () => (await rows()).length).toBe(before + 1)
    const [newest = ''] = await rows()
    expect(JSON.parse(newest)).toMatchObject({ id: channelId, position: 2, left: 2 })
    expect(newest).not.toContain('sk-')
  })

  const change = (what: 'enable' | 'remove', ...positions: number[]) =>
    app.root.call('POST', `/api/channel/${channelId}/keys/${what}`, { positions })

  it('uses a refused key again when the admin says so', async () => {
    refused.add('sk-one-11')
    refused.add('sk-two-22')
    for (let round = 0; round < 4; round += 1) await call()
    await expect.poll(async () => (await dead()).length).toBe(2)
    refused.clear()
    expect(await change('enable', 3)).toMatchObject({ code: 'channel.key_not_refused' })
    expect(await change('enable', 2)).toMatchObject({ success: true, data: { key: '' } })
    expect(await dead()).toMatchObject([{ position: 1 }])
    seen.length = 0
    for (let round = 0; round < 6; round += 1) await call()
    expect(new Set(seen)).toEqual(new Set(['sk-two-22', 'sk-three-33']))
    expect(await change('enable', 1)).toMatchObject({ success: true, data: { other_info: '' } })
  })

  it('loses refused keys when the admin says so, and keeps the places of others right', async () => {
    refused.add('sk-one-11')
    refused.add('sk-two-22')
    for (let round = 0; round < 4; round += 1) await call()
    await expect.poll(async () => (await dead()).length).toBe(2)
    expect(await change('remove', 3)).toMatchObject({ code: 'channel.key_not_refused' })
    expect(await change('remove', 1)).toMatchObject({ success: true, data: { key: '' } })
    expect(await dead()).toMatchObject([{ position: 1 }])
    refused.clear()
    await change('enable', 1)
    seen.length = 0
    for (let round = 0; round < 4; round += 1) await call()
    expect(new Set(seen)).toEqual(new Set(['sk-two-22', 'sk-three-33']))
  })

  it('loses no other key where somebody has removed one meanwhile', async () => {
    refused.add('sk-one-11').add('sk-two-22')
    for (let round = 0; round < 4; round += 1) await call()
    await expect.poll(async () => (await dead()).length).toBe(2)
    const { other_info: shown } = await channel()
    const changeShown = (what: 'enable' | 'remove', position: number) =>
      app.root.call('POST', `/api/channel/${channelId}/keys/${what}`, {
        positions: [position],
        shown,
      })
    expect(await changeShown('remove', 1)).toMatchObject({ success: true })
    for (const what of ['remove', 'enable'] as const)
      expect(await changeShown(what, 1)).toMatchObject({ code: 'channel.changed' })
    expect(await dead()).toMatchObject([{ position: 1 }])
  })

  it('takes strange words, and those of another time, for another state of the channel', async () => {
    refused.add('sk-one-11')
    await call()
    await expect.poll(async () => (await dead()).length).toBe(1)
    const path = `/api/channel/${channelId}/keys/enable`
    // Another key has come to stand there, and was refused for the same reason.
    const earlier = (await channel()).other_info.replace(/"time":\d+/, '"time":1')
    for (const shown of ['{"dead_keys":[null,{"position":"1"}]}', earlier]) {
      const answer = await app.root.call('POST', path, { positions: [1], shown })
      expect(answer).toMatchObject({ code: 'channel.changed' })
    }
  })

  it('keeps a key', async () => {
    for (const key of ['sk-one-11', 'sk-two-22', 'sk-three-33']) refused.add(key)
    await call()
    await expect.poll(async () => (await channel()).status).toBe(3)
    const [first, second] = (await dead()).map(({ position }) => position)
    expect(await change('remove', first ?? 0, second ?? 0)).toMatchObject({ success: true })
    expect(await channel()).toMatchObject({
      status: 3,
      other_info: expect.stringContaining('reason'),
    })
    expect(await change('remove', 1)).toMatchObject({ code: 'channel.key_not_refused' })
  })

  it('is disabled when the last key dies', async () => {
    for (const key of ['sk-one-11', 'sk-two-22', 'sk-three-33']) refused.add(key)
    expect(await call()).toBe(401)
    await expect.poll(async () => (await channel()).status).toBe(3)
    expect(await dead()).toHaveLength(2)
    expect((await channel()).other_info).not.toContain('sk-')
  })

  it('tells with new keys why it is off until it is enabled, but no longer which keys were dead', async () => {
    for (const key of ['sk-one-11', 'sk-two-22', 'sk-three-33']) refused.add(key)
    await call()
    await expect.poll(async () => (await channel()).status).toBe(3)
    await app.root.put('/api/channel/', { id: channelId, key: 'sk-four-44\nsk-five-55' })
    const { status, other_info } = await channel()
    expect(status).toBe(3)
    expect(JSON.parse(other_info)).toEqual({
      status_reason: expect.stringContaining('Incorrect API key') as string,
      status_time: expect.any(Number) as number,
    })
    await app.root.put('/api/channel/', { id: channelId, status: 1 })
    expect(await channel()).toMatchObject({ status: 1, other_info: '' })
  })

  it('starts afresh with new keys', async () => {
    refused.add('sk-one-11')
    await call()
    await expect.poll(dead).toHaveLength(1)
    await app.root.put('/api/channel/', { id: channelId, key: 'sk-four-44\nsk-five-55' })
    expect(await dead()).toEqual([])
    seen.length = 0
    await call()
    await call()
    expect([...seen].sort()).toEqual(['sk-five-55', 'sk-four-44'])
  })

  it('refuses to switch the setting off while it has several keys', async () => {
    const off = { id: channelId, setting: '{}' }
    expect((await app.root.call('PUT', '/api/channel/', off)).success).toBe(false)
    const one = await app.root.call('PUT', '/api/channel/', { ...off, key: 'sk-one-11' })
    expect(one.success).toBe(true)
  })

  it('makes several channels without the switch', async () => {
    const made = await app.root.post<number[]>('/api/channel/', {
      type: 1,
      name: 'two',
      key: 'sk-a\nsk-b',
      models: 'x',
      group: 'default',
    })
    expect(made).toHaveLength(2)
    for (const id of made) await app.root.call('DELETE', `/api/channel/${id}`)
  })
})
