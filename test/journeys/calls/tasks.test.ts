// Drawing and music tasks through a whole gateway: crashes, failures, callbacks, pictures, and who sees what.
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '#core'
import {
  addChannel,
  addCustomer,
  ApiClient,
  balanceOf,
  startApp,
  type App,
  type Customer,
} from '../../index.ts'
import { customerPassword } from '../../harness/shop.ts'

interface Call {
  path: string
  body: JsonObject
}

/** Both platforms and the clients' own hooks. What it answers can be set; `hold` keeps submits waiting. */
class Upstream {
  readonly calls: Call[] = []
  readonly tasks = new Map<string, JsonObject>()
  hold = false
  idPrefix = 'task'
  #server: Server | undefined
  #count = 0

  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        const body = (bytes.length > 0 ? JSON.parse(bytes.toString()) : {}) as JsonObject
        const path = request.url ?? ''
        this.calls.push({ path, body })
        const isSubmit = path.includes('/submit/')
        if (this.hold && isSubmit) return
        if (path.startsWith('/picture')) {
          response.writeHead(200, {
            'content-type': path.endsWith('html') ? 'text/html' : 'image/png',
          })
          response.end('PNG')
          return
        }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(this.#answer(path, body)))
      })
    })
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve))
    return this
  }

  get url(): string {
    const address = this.#server?.address() as AddressInfo | undefined
    return `http://127.0.0.1:${address?.port}`
  }

  of(path: string): Call[] {
    return this.calls.filter((call) => call.path.startsWith(path))
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  #answer(path: string, body: JsonObject): unknown {
    const known = (body['ids'] as string[] | undefined)?.flatMap((id) => this.tasks.get(id) ?? [])
    if (path === '/suno/fetch') return { code: 'success', data: known }
    if (path === '/mj/task/list-by-condition') return known
    const id = `${this.idPrefix}-${(this.#count += 1)}`
    return path.startsWith('/suno')
      ? { code: 'success', message: '', data: id }
      : { code: 1, description: 'Submit success', result: id }
  }
}

const price = 50_000
const startBalance = 1_000_000
const patient = { timeout: 30_000 }

describe('tasks through a whole gateway', () => {
  let app: App
  let upstream: Upstream
  let ada: Customer
  let eve: Customer

  beforeAll(async () => {
    upstream = await new Upstream().start()
    app = await startApp({ env: { TASK_POLL_SECONDS: '1' } })
    const base = { base_url: upstream.url, key: 'upstream-secret' }
    await addChannel(app.root, { ...base, type: 36, models: 'suno_music' })
    await addChannel(app.root, { ...base, type: 5, models: 'mj_imagine,mj_upscale' })
    await app.root.put('/api/option/', { key: 'MjNotifyEnabled', value: 'true' })
    await setAddress()
    ada = await addCustomer(app.root, 'ada', startBalance, {
      unlimited_quota: false,
      remain_quota: 300_000,
    })
    eve = await addCustomer(app.root, 'eve', startBalance)
  })

  afterAll(async () => {
    await app.close()
    upstream.close()
  })

  const setAddress = () => app.root.put('/api/option/', { key: 'ServerAddress', value: app.url })

  /** What goes on after it listens at another port. */
  async function kill(): Promise<void> {
    await app.goOnWithin('kill')
    await setAddress()
    for (const customer of [ada, eve])
      customer.client = await new ApiClient(app.url).signIn(customer.username, customerPassword)
  }

  async function call(
    customer: Customer | undefined,
    path: string,
    body?: JsonObject,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(app.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(customer ? { authorization: `Bearer ${customer.key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = (
      text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}
    ) as JsonObject
    return { status: response.status, headers: response.headers, text, json }
  }

  const song = async (customer: Customer) =>
    String((await call(customer, '/suno/submit/music', { prompt: 'la' })).json['data'])
  const drawing = async (customer: Customer, more: JsonObject = {}) =>
    String(
      (await call(customer, '/mj/submit/imagine', { prompt: 'a fox', ...more })).json['result'],
    )

  /** Of a drawing's picture, as its owner gets it. */
  const addressOf = async (id: string) => {
    const { json } = await call(ada, `/mj/task/${id}/fetch`)
    return String(json['imageUrl']).replace(/^.*(?=\/mj\/)/, '')
  }

  describe('after a kill', () => {
    /** The upstream ends it afterwards. */
    let ended: string

    beforeAll(async () => {
      const failed = await song(ada)
      expect(await balanceOf(ada)).toBe(startBalance - price)
      upstream.tasks.set(failed, { task_id: failed, status: 'FAILURE', fail_reason: 'moderation' })
      const givenBack = async () => expect(await balanceOf(ada)).toBe(startBalance)
      await vi.waitFor(givenBack, patient)
      ended = await song(ada)
      upstream.hold = true
      const cut = call(ada, '/suno/submit/music', { prompt: 'cut' }).catch(() => undefined)
      const isUnderWay = () => upstream.calls.some(({ body }) => body['prompt'] === 'cut')
      await vi.waitFor(() => expect(isUnderWay()).toBe(true), patient)
      await kill()
      await cut
      upstream.hold = false
    })

    it('a task that was submitted before is finished, and charged once', async () => {
      upstream.tasks.set(ended, { task_id: ended, status: 'SUCCESS', data: [{ id: 'c1' }] })
      await expect
        .poll(async () => (await call(ada, `/suno/fetch/${ended}`)).json['data'])
        .toMatchObject({ status: 'SUCCESS', progress: '100%', data: [{ id: 'c1' }] })
      expect(await balanceOf(ada)).toBe(startBalance - price)
    })

    it('a submit that it cut off has cost nothing, and is shown', async () => {
      expect(await balanceOf(ada)).toBe(startBalance - price)
      const [newest] = await ada.client.get<JsonObject[]>('/api/task/self')
      expect(newest).toMatchObject({ status: '', quota: 0, properties: { input: 'cut' } })
    })

    it('user and token have the units of a failed task back once', async () => {
      const rounds = upstream.of('/suno/fetch').length
      expect(await song(eve)).not.toBe('')
      await expect.poll(() => upstream.of('/suno/fetch').length).toBeGreaterThan(rounds + 1)
      expect(await balanceOf(ada)).toBe(startBalance - price)
      const token = await ada.client.get<{ remain_quota: number }>(`/api/token/${ada.token.id}`)
      expect(token.remain_quota).toBe(300_000 - price)
    })
  })

  it('refuses a submit that the balance does not cover, in the words of the platform', async () => {
    const poor = await addCustomer(app.root, 'poor', price - 1)
    const submit = { prompt: 'x' }
    expect(await call(poor, '/mj/submit/imagine', submit)).toMatchObject({
      status: 400,
      json: { description: 'quota_not_enough ', type: 'upstream_error', code: 4 },
    })
    expect(await call(poor, '/suno/submit/music', submit)).toMatchObject({
      status: 403,
      json: { code: 'quota_not_enough', data: null },
    })
    expect(await call(undefined, '/mj/submit/imagine', submit)).toMatchObject({
      status: 401,
      json: { type: 'upstream_error', code: 4 },
    })
  })

  it('takes no task by a name that is too long to be stored, and charges nothing for it', async () => {
    const before = await balanceOf(ada)
    upstream.idPrefix = randomBytes(2_000).toString('hex')
    const answer = await call(ada, '/suno/submit/music', { prompt: 'la' })
    upstream.idPrefix = 'task'
    expect(answer).toMatchObject({ status: 502, json: { data: null } })
    expect(await balanceOf(ada)).toBe(before)
    const [newest] = await ada.client.get<JsonObject[]>('/api/task/self')
    expect(newest).toMatchObject({ task_id: '', status: 'FAILURE', quota: 0 })
  })

  it('keeps the tasks of one user from another', async () => {
    const id = await drawing(ada)
    expect((await call(eve, `/mj/task/${id}/fetch`)).status).toBe(400)
    const list = await call(eve, '/mj/task/list-by-condition', { ids: [id] })
    expect(list.text).toBe('[]')
    expect(await call(eve, '/mj/submit/change', { taskId: id, action: 'REROLL' })).toMatchObject({
      status: 400,
      json: { description: 'task_not_found ' },
    })
  })

  it('takes a callback only from who holds the secret, and calls the client', async () => {
    const id = await drawing(ada, { notifyHook: `${upstream.url}/client-hook` })
    const sent = upstream.of('/mj/submit/imagine').at(-1)
    const hook = new URL(String(sent?.body['notifyHook']))
    expect(hook.href).toMatch(`${app.url}/mj/notify?key=`)
    const report = {
      id,
      status: 'IN_PROGRESS',
      progress: '50%',
      imageUrl: `${upstream.url}/picture.png`,
    }
    for (const refused of [
      () => call(eve, '/mj/notify', report),
      () => call(undefined, '/mj/notify?key=guess', report),
      () => call(undefined, '/mj/notify', report, { 'mj-api-secret': 'guess' }),
      () => call(undefined, hook.pathname + hook.search, { ...report, id: 'another' }),
    ])
      expect((await refused()).status).toBe(400)
    expect((await call(undefined, hook.pathname + hook.search, report)).status).toBe(200)
    await expect
      .poll(() => upstream.of('/client-hook').at(-1)?.body)
      .toMatchObject({
        id,
        progress: '50%',
        imageUrl: expect.stringMatching(new RegExp(`/mj/image/${id}\\?key=\\w+&rand=`)),
      })
    const end = { ...report, status: 'SUCCESS', progress: '100%' }
    const secret = { 'mj-api-secret': 'upstream-secret' }
    expect((await call(undefined, '/mj/notify', end, secret)).status).toBe(200)
    // A final row is never reopened.
    expect((await call(undefined, '/mj/notify', report, secret)).status).toBe(400)
    expect((await call(ada, `/mj/task/${id}/fetch`)).json).toMatchObject({ status: 'SUCCESS' })
  })

  it('shows nobody the secret with which an upstream may end a task', async () => {
    const id = await drawing(ada, { notifyHook: `${upstream.url}/client-hook` })
    const { notifyHook } = upstream.of('/mj/submit/imagine').at(-1)?.body ?? {}
    const secret = String(notifyHook).split('key=')[1] ?? ''
    const properties = { notifyHook, finalPrompt: 'a red fox' }
    upstream.tasks.set(id, { id, status: 'IN_PROGRESS', progress: '70%', properties })
    const shown = () => call(ada, `/mj/task/${id}/fetch`)
    await expect.poll(async () => (await shown()).text, patient).toContain('finalPrompt')
    const lists = [
      (await shown()).text,
      JSON.stringify(await ada.client.get('/api/mj/self')),
      JSON.stringify(await app.root.get('/api/mj/')),
      JSON.stringify(upstream.of('/client-hook').at(-1)?.body),
    ]
    for (const list of lists) expect(list).toMatch(/\/mj\/notify\?key=\*{3}\W/)
    expect(lists.join(' ')).not.toContain(secret)
    await call(undefined, `/mj/notify?key=${secret}`, { id, status: 'SUCCESS' })
  })

  it('streams a picture to anyone with its address, and nothing but pictures', async () => {
    const [good, page] = [await drawing(ada), await drawing(ada)]
    upstream.tasks.set(good, {
      id: good,
      status: 'SUCCESS',
      imageUrl: `${upstream.url}/picture.png`,
    })
    upstream.tasks.set(page, {
      id: page,
      status: 'SUCCESS',
      imageUrl: `${upstream.url}/picture.html`,
    })
    await expect
      .poll(async () => (await call(ada, `/mj/task/${good}/fetch`)).json)
      .toMatchObject({ status: 'SUCCESS' })
    const picture = await call(undefined, await addressOf(good))
    expect(picture.text).toBe('PNG')
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('content-security-policy')).toContain('sandbox')
    for (const closed of [
      `/mj/image/${good}`,
      `/mj/image/${good}?key=guess`,
      await addressOf(page),
    ])
      expect(await call(undefined, closed)).toMatchObject({
        status: 400,
        json: { error: 'midjourney_task_not_found' },
      })
  })

  it('lists drawings and songs apart, channels for admins only', async () => {
    const all = await app.root.get<JsonObject[]>('/api/mj/')
    expect(all[0]).toMatchObject({ action: 'IMAGINE', channel_id: expect.any(Number) })
    expect(all[0]?.['channel_id']).toBeGreaterThan(0)
    const own = await ada.client.get<JsonObject[]>('/api/mj/self/')
    expect(own.length).toBeGreaterThan(0)
    expect(own.every((row) => row['user_id'] === ada.id && row['channel_id'] === 0)).toBe(true)
    const songs = await app.root.get<JsonObject[]>('/api/task/?platform=suno&start_timestamp=NaN')
    expect(songs.length).toBeGreaterThan(0)
    expect(songs.every((row) => row['platform'] === 'suno')).toBe(true)
    expect(await app.root.get(`/api/task/?channel_id=999`)).toEqual([])
    expect(await app.root.get(`/api/task/?p=50`)).toEqual([])
    await expect(ada.client.get('/api/mj/')).rejects.toThrow()
  })
}, 120_000)
