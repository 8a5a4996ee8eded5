// Changes that are made in one place, and what must hold wherever the gateway answers a second later.
import { setTimeout as wait } from 'node:timers/promises'
import type { DatabaseService } from '#core'
import { addChannel, addCustomer, type App, type FakeUpstream } from '#test'
import { ApiClient } from '../../harness/api-client.ts'
import { perCall, sellByCall } from '../../harness/call-shop.ts'
import { chat } from '../../harness/relay-call.ts'
import { customerPassword } from '../../harness/shop.ts'

export interface Stage {
  /** Where changes are made. */
  here: App
  /** Where it is looked at what holds. */
  thereUrl: string
  upstream: FakeUpstream
}

/** What one place says, as a text that can be compared. */
type Look = () => Promise<string>

export interface CommonTruth {
  what: string
  withinMs: number
  /** Lays the ground; nothing has changed yet. */
  lay(
    stage: Stage,
  ): Promise<{ change(): Promise<unknown>; look: Look; before: string; after: string }>
}

const rich = 1_000_000
const SOON_MS = 1_000
/** A generation with it, or without, is built first: on a loaded machine that takes longer. */
const BUILT_MS = 10_000
const model: string = perCall.model

const callsBy =
  (stage: Stage, key: string, wanted = model) =>
  async () =>
    String((await chat({ url: stage.thereUrl, key, model: wanted })).status)

const statusOf =
  ({ thereUrl }: Stage, client: ApiClient, path: string): Look =>
  async () =>
    String((await client.at(thereUrl).call('GET', path)).status)

async function keyOf({ here }: Stage, name: string): Promise<string> {
  return (await addCustomer(here.root, name, rich)).key
}

export const commonTruths: readonly CommonTruth[] = [
  {
    what: 'an option',
    withinMs: SOON_MS,
    lay: async (stage) => ({
      before: 'Tollgate',
      after: 'Of one mind',
      change: () =>
        stage.here.root.put('/api/option/', { key: 'SystemName', value: 'Of one mind' }),
      look: async () => {
        const answer = await new ApiClient(stage.thereUrl).call<{ system_name: string }>(
          'GET',
          '/api/status',
        )
        return answer.data.system_name
      },
    }),
  },
  {
    what: "a channel's models",
    withinMs: SOON_MS,
    lay: async (stage) => {
      const id = await addChannel(stage.here.root, { base_url: stage.upstream.url, models: 'none' })
      return {
        before: '404',
        after: '200',
        change: () => stage.here.root.put('/api/channel/', { id, models: 'per-call-too' }),
        look: callsBy(stage, await keyOf(stage, 'of-models'), 'per-call-too'),
      }
    },
  },
  {
    what: 'a channel that is switched off',
    withinMs: SOON_MS,
    lay: async (stage) => {
      const channel = { base_url: stage.upstream.url, models: 'per-call-off' }
      const id = await addChannel(stage.here.root, channel)
      return {
        before: '200',
        after: '503',
        change: () => stage.here.root.put('/api/channel/', { id, status: 2 }),
        look: callsBy(stage, await keyOf(stage, 'of-channel'), 'per-call-off'),
      }
    },
  },
  {
    what: 'a plugin that is switched off',
    withinMs: BUILT_MS,
    lay: async (stage) => ({
      before: '200',
      after: '404',
      change: () => stage.here.root.put('/api/plugin/', { id: 'live-figures', enabled: false }),
      look: statusOf(stage, stage.here.root, '/api/live'),
    }),
  },
  {
    what: 'a plugin that is switched on',
    withinMs: BUILT_MS,
    lay: async (stage) => ({
      before: '404',
      after: '200',
      change: () => stage.here.root.put('/api/plugin/', { id: 'live-figures', enabled: true }),
      look: statusOf(stage, stage.here.root, '/api/live'),
    }),
  },
  {
    what: 'a session that was ended',
    withinMs: SOON_MS,
    lay: async (stage) => {
      const { client } = await addCustomer(stage.here.root, 'elsewhere', rich)
      const lost = await new ApiClient(stage.here.url).signIn('elsewhere', customerPassword)
      return {
        before: '200',
        after: '401',
        change: () => client.delete('/api/user/sessions'),
        look: statusOf(stage, lost, '/api/user/self'),
      }
    },
  },
  {
    what: 'a disabled token',
    withinMs: SOON_MS,
    lay: async (stage) => {
      const { client, token, key } = await addCustomer(stage.here.root, 'of-token', rich)
      return {
        before: '200',
        after: '401',
        change: () => client.put('/api/token/?status_only=true', { id: token.id, status: 2 }),
        look: callsBy(stage, key),
      }
    },
  },
  {
    what: 'a banned user',
    withinMs: SOON_MS,
    lay: async (stage) => {
      const { id, key } = await addCustomer(stage.here.root, 'banned', rich)
      return {
        before: '200',
        after: '403',
        change: () => stage.here.root.post('/api/user/manage', { id, action: 'disable' }),
        look: callsBy(stage, key),
      }
    },
  },
  {
    what: 'a balance that was cut',
    withinMs: SOON_MS,
    lay: async (stage) => {
      const { id, key } = await addCustomer(stage.here.root, 'cut', rich)
      return {
        before: '200',
        after: '403',
        change: () => stage.here.root.put('/api/user/', { id, quota: 0 }),
        look: callsBy(stage, key),
      }
    },
  },
]

/** What these changes need: models at a fixed price and a channel. */
export async function furnish({ here, upstream }: Pick<Stage, 'here' | 'upstream'>): Promise<void> {
  await sellByCall(here.root, [model, 'per-call-too', 'per-call-off'])
  await addChannel(here.root, { base_url: upstream.url, models: model })
}

/** How many processes may run the jobs that only one of them runs (core/cluster/leader-lock.ts). */
export async function leaderCount(database: DatabaseService): Promise<number> {
  const rows = await database.select(
    `SELECT locks.pid FROM pg_locks locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND datname = current_database()
       AND application_name = 'tollgate leader'`,
  )
  return rows.length
}

/** What is said on several connections at once, so that each of the processes behind one port is asked. */
export async function said(look: Look, times: number): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: times }, look))
  return [...new Set(answers)]
}

/** Asks until it is so. An answer that was asked for after the time is the last: a slow machine makes answers late, not wrong. */
export async function becomes(
  look: () => Promise<string[]>,
  wanted: string,
  withinMs: number,
): Promise<string[]> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    const isLast = performance.now() >= endsAt
    const answers = await look()
    if (isLast || answers.every((answer) => answer === wanted)) return answers
    await wait(20)
  }
}
