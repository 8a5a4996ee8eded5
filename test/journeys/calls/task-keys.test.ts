// A channel of several keys whose upstream shows each task to the key that it was submitted with, and to no other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#core'
import {
  addChannel,
  addCustomer,
  balanceOf,
  startApp,
  type App,
  type Customer,
} from '../../index.ts'
import {
  scriptedUpstream,
  sendJson,
  type ScriptedUpstream,
  type UpstreamCall,
} from '../../harness/scripted-upstream.ts'

const keys = ['first-account', 'second-account', 'third-account']
const cents = 50_000

let app: App
let upstream: ScriptedUpstream
let customer: Customer
let channelId: number
/** By id: whose it is. */
const owners = new Map<string, string>()
let finished = false
let refused = ''

beforeAll(async () => {
  upstream = await scriptedUpstream()
  upstream.behave((response, call) => {
    if (call.headers['mj-api-secret'] !== refused) sendJson(response, answerTo(call))
    else sendJson(response, { error: { message: 'no such key', code: 'invalid_api_key' } }, 401)
  })
  app = await startApp({ isWithin: true, env: { TASK_POLL_SECONDS: '1' } })
  channelId = await addChannel(app.root, {
    base_url: upstream.url,
    type: 5,
    models: 'mj_imagine,mj_reroll',
    key: keys.join('\n'),
    setting: '{"multi_key":true,"multi_key_mode":"polling"}',
  })
  customer = await addCustomer(app.root, 'painter', 10 * cents)
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

function answerTo({ path, headers, body }: UpstreamCall): unknown {
  const key = String(headers['mj-api-secret'])
  const owns = (id: unknown) => owners.get(String(id)) === key
  if (path.endsWith('/list-by-condition')) {
    const status = finished ? 'SUCCESS' : 'IN_PROGRESS'
    const found = (body['ids'] as string[]).filter(owns)
    return found.map((id) => ({ id, status, progress: finished ? '100%' : '10%' }))
  }
  if (body['taskId'] !== undefined && !owns(body['taskId']))
    return { code: 4, description: 'task not found' }
  const id = `task-${owners.size + 1}`
  owners.set(id, key)
  return { code: 1, description: 'ok', result: id }
}

async function submit(action: string, body: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${app.url}/mj/submit/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as JsonObject
}

describe('tasks of a channel with several keys', () => {
  it('are followed, and gone on from, with the key that has them', async () => {
    const made: string[] = []
    for (let count = 0; count < keys.length; count += 1)
      made.push(String((await submit('imagine', { prompt: 'a fox' }))['result']))
    expect(new Set(owners.values())).toEqual(new Set(keys))
    finished = true
    const drawings = () => customer.client.get<JsonObject[]>('/api/mj/self')
    await expect
      .poll(async () => (await drawings()).map(({ status }) => status))
      .toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    for (const id of made) {
      const next = await submit('change', { taskId: id, action: 'REROLL' })
      expect(next).toMatchObject({ code: 1 })
      expect(owners.get(String(next['result']))).toBe(owners.get(id))
    }
    expect(await balanceOf(customer)).toBe(10 * cents - 6 * cents)
  })

  it('take only their own key with them when it dies', async () => {
    await app.root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
    const [[id = '', key = ''] = []] = owners
    refused = key
    const before = upstream.calls.length
    expect(await submit('change', { taskId: id, action: 'REROLL' })).not.toMatchObject({ code: 1 })
    // No other key has the task.
    expect(
      upstream.calls.slice(before).filter(({ path }) => path.includes('/submit/')),
    ).toHaveLength(1)
    const channel = () =>
      app.root.get<{ status: number; other_info: string }>(`/api/channel/${channelId}`)
    await expect.poll(async () => (await channel()).other_info).toContain('no such key')
    const { status, other_info: info } = await channel()
    expect(status).toBe(1)
    expect(JSON.parse(info)).toMatchObject({ dead_keys: [{ position: keys.indexOf(key) + 1 }] })
  })

  it('are submitted with another key where one is refused, and paid once', async () => {
    const [next = '', last] = keys.filter((key) => key !== refused)
    refused = next
    const before = await balanceOf(customer)
    const asked = upstream.calls.length
    for (const prompt of ['a hare', 'an owl']) {
      const { result } = await submit('imagine', { prompt })
      expect(owners.get(String(result))).toBe(last)
    }
    // In turn, so that one of both met the refused key.
    const used = upstream.calls.slice(asked).map(({ headers }) => headers['mj-api-secret'])
    expect(used).toContain(next)
    expect(await balanceOf(customer)).toBe(before - 2 * cents)
  })
})
