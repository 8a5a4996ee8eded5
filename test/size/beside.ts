// How long calls take while the log is exported and cleared and while the jobs of the minute run. Clears a day of what was made.
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiClient } from '../harness/api-client.ts'
import type { App } from '../harness/app.ts'
import { addChannel, setPrice } from '../harness/shop.ts'

const CALLS_A_SECOND = 100
const DAY_SECONDS = 86_400
const MODEL = 'beside-model'

interface Options {
  upstreamUrl: string
  /** The busiest customer's key, and the customer signed in. */
  key: string
  client: ApiClient
  print(line: string): void
}

export async function printBeside(app: App, { upstreamUrl, key, client, print }: Options) {
  await addChannel(app.root, { base_url: upstreamUrl, models: MODEL })
  await setPrice(app.root, MODEL, 1)
  const now = Math.floor(Date.now() / 1000)
  const aDay = `start_timestamp=${now - DAY_SECONDS}&end_timestamp=${now}`
  const oldest = now - 30 * DAY_SECONDS
  const phases: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
    ['nothing', () => wait(20_000)],
    ['the jobs of the minute', () => wait(65_000)],
    ['an export of a day', () => readAll(app.root, `/api/log/export?${aDay}`)],
    ['an export of the own log', () => readAll(client, '/api/log/self/export')],
    ['a clearing of the oldest day', () => cleared(app.root, oldest + DAY_SECONDS)],
    ['the jobs of the minute, after it', () => wait(65_000)],
  ]
  print(`calls, ${CALLS_A_SECOND} a second, beside:`)
  for (const [name, run] of phases) {
    const load = startLoad(app.url, key)
    const since = performance.now()
    const rows = await run()
    const seconds = ((performance.now() - since) / 1000).toFixed(1)
    const { times, failed } = await load.stop()
    const at = (part: number) => times[Math.floor((times.length - 1) * part)]?.toFixed(1) ?? '-'
    const told = typeof rows === 'number' ? `, ${rows} rows` : ''
    print(
      `  ${name.padEnd(34)} ${seconds} s${told}: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms, ${failed} failed`,
    )
  }
}

/** @returns the lines below the head */
async function readAll({ url, userId, sessionCookie }: ApiClient, path: string): Promise<number> {
  const headers = { cookie: sessionCookie, 'New-API-User': String(userId) }
  const answer = await fetch(`${url}${path}`, { headers })
  let lines = -1
  for await (const bytes of answer.body ?? []) for (const byte of bytes) if (byte === 10) lines += 1
  return lines
}

/** @returns how many rows are gone */
async function cleared(root: ApiClient, before: number): Promise<number> {
  await root.post('/api/log/clearing', { target_timestamp: before })
  for (;;) {
    await wait(200)
    const last = await root.get<{ state: string; cleared: number }>('/api/log/clearing')
    if (last.state !== 'running') return last.cleared
  }
}

function startLoad(url: string, key: string) {
  const times: number[] = []
  const open = new Set<Promise<void>>()
  let failed = 0
  const call = async () => {
    const since = performance.now()
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await answer.arrayBuffer()
    if (answer.ok) times.push(performance.now() - since)
    else failed += 1
  }
  const timer = setInterval(() => {
    const made = call()
      .catch(() => void (failed += 1))
      .finally(() => open.delete(made))
    open.add(made)
  }, 1000 / CALLS_A_SECOND)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
      return { times: times.sort((left, right) => left - right), failed }
    },
  }
}
