// A client that leaves: the upstream is read on for its usage, but never past the cap, and only what was delivered is counted then.
import { once } from 'node:events'
import { type ClientRequest, createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  setPrice,
  startApp,
} from '#test'

const model = 'left-model'
const balance = 1_000_000

type Behaviour = (response: ServerResponse) => void

let app: App
let customer: Customer
let customers = 0
let behave: Behaviour = (response) => void response.end()
let closed: Promise<unknown>
/** When the client's connection is gone. */
let left: Promise<void>
const upstream = createServer((incoming, response) => {
  closed = once(response, 'close')
  incoming.resume().once('end', () => behave(response))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  app = await startApp({ isWithin: true, env: { DRAIN_SECONDS: '1', DRAIN_BYTES: '20000' } })
  await setPrice(app.root, model, 1)
  const { port } = upstream.address() as AddressInfo
  await addChannel(app.root, { base_url: `http://127.0.0.1:${port}`, models: model })
})

afterAll(async () => {
  await app.close()
  upstream.closeAllConnections()
  upstream.close()
})

afterEach(() => upstream.closeAllConnections())

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

/** Calls and goes away: at the first byte of the answer, or once the upstream has the call. */
async function callAndLeave(
  stream: boolean,
  behaviour: Behaviour,
  leave = (call: ClientRequest): unknown => call.destroy(),
): Promise<void> {
  customer = await addCustomer(app.root, `leaver-${++customers}`, balance)
  const reached = new Promise<void>((resolve) => {
    behave = (response) => {
      behaviour(response)
      resolve()
    }
  })
  const call = request(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
  })
  call.on('error', () => undefined)
  left = new Promise((resolve) => call.once('close', resolve))
  const answered = once(call, 'response').then(([response]) => once(response as never, 'data'))
  answered.catch(() => undefined)
  call.end(JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hi' }] }))
  await (stream ? answered : reached)
  leave(call)
}

/** The only row of the customer, as soon as it is there. */
async function settledRow() {
  for (;;) {
    const [row] = await consumptionRows(app.root, customer.username)
    if (row) return Object.assign(row, { end: (JSON.parse(row.other) as { end?: string }).end })
    await wait(50)
  }
}

describe('a client that leaves', () => {
  it('does not keep a silent upstream open past the cap, and pays nothing for nothing', async () => {
    await callAndLeave(false, () => undefined)
    await closed
    expect(await settledRow()).toMatchObject({ quota: 0, end: 'client_left_counted' })
    expect(await balanceOf(customer)).toBe(balance)
  })

  it('is one also by closing its half of the connection alone, which nobody can tell from leaving', async () => {
    await callAndLeave(
      false,
      () => undefined,
      (call) => call.socket?.end(),
    )
    await closed
    expect(await settledRow()).toMatchObject({ quota: 0, end: 'client_left_counted' })
  })

  it('does not keep a stream open that went silent', async () => {
    await callAndLeave(true, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('one two three'))
    })
    await closed
    const row = await settledRow()
    expect(row).toMatchObject({ end: 'client_left_counted', completion_tokens: 3 })
    expect(await balanceOf(customer)).toBe(balance - row.quota)
  })

  it('pays for what it was given, not for what came after', async () => {
    await callAndLeave(true, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('one two three'))
      void left.then(() => {
        const more = setInterval(() => response.write(chunk(' and another word')), 100)
        response.once('close', () => clearInterval(more))
      })
    })
    await closed
    const row = await settledRow()
    expect(row.end).toBe('client_left_counted')
    expect(Number(row['completion_tokens'])).toBeLessThan(3 + 3 * 4)
  })

  it('does not have an endless whole answer read to its end', async () => {
    let sent = 0
    await callAndLeave(false, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = setInterval(() => response.write(' '.repeat((sent += 1_000) && 1_000)), 10)
      response.once('close', () => clearInterval(more))
    })
    await closed
    expect(sent).toBeLessThan(60_000)
    expect(await settledRow()).toMatchObject({ quota: 0, end: 'client_left_counted' })
  })

  it('is billed by the usage that comes within the cap', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 77, total_tokens: 177 }
    await callAndLeave(false, (response) => {
      const choices = [
        { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' },
      ]
      void left.then(async () => {
        // What the gateway reads after the end of that connection, it answers when it knows that the client is gone.
        await fetch(`${app.url}/api/status`)
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model, choices, usage }),
        )
      })
    })
    expect(await settledRow()).toMatchObject({ quota: 177, end: 'client_left_drained' })
  })
})
