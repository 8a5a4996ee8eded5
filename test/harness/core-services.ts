// Core services over one test database, for tests that need no whole gateway.
import { randomBytes } from 'node:crypto'
import type { ClusterBus, EventBus, OptionService, SecretService } from '#core'
import { Ledger } from '../../core/billing/ledger/ledger.ts'
import type { Database } from '../../core/data/database.ts'
import { createEventBus } from '../../core/kernel/event-bus.ts'
import { createSecrets } from '../../core/secrets/secrets.ts'
import { type DatabaseKind, quietLog } from './databases.ts'

export interface CoreServices {
  database: Database
  secrets: SecretService
  events: EventBus
  cluster: ClusterBus
  /** The cluster that `cluster` is a node of. */
  bus: TestBus
  ledger: Ledger
  logs: Ledger['logs']
  /** Removes accounts and their money, so that tests can share the database. */
  removeAccounts(): Promise<void>
  close(): Promise<void>
}

export async function createCoreServices(kind: DatabaseKind): Promise<CoreServices> {
  const test = await kind.create()
  const { database } = test
  const events = createEventBus(quietLog)
  const bus = createBus()
  const ledger = await Ledger.open({ database, nodeId: 'node-1', log: quietLog, events })
  return {
    database,
    secrets: createSecrets(randomBytes(32)),
    events,
    cluster: bus.join('node-1'),
    bus,
    ledger,
    logs: ledger.logs,
    removeAccounts: async () => {
      const ofAccounts = [
        'sessions',
        'known_devices',
        'one_time_codes',
        'tokens',
        'user_identities',
      ]
      for (const table of [...ofAccounts, 'ledger_entries', 'users']) {
        await database.run(`DELETE FROM ${table}`)
      }
    },
    close: async () => {
      await ledger.close()
      await test.close()
    },
  }
}

export interface TestBus {
  join(nodeId: string): ClusterBus
  /** Simulates a gap for all nodes; resolves when every subscriber has read again. */
  gap(): Promise<void>
}

/** A cluster in one process: a message reaches all nodes before `publish` resolves. */
export function createBus(): TestBus {
  type Subscription = Parameters<ClusterBus['subscribe']>
  const subscriptions = new Set<Subscription>()
  return {
    join: (nodeId) => ({
      nodeId,
      publish: async (topic, payload) => {
        for (const [name, listener] of subscriptions) if (name === topic) await listener(payload)
      },
      subscribe: (...subscription) => {
        subscriptions.add(subscription)
        return () => void subscriptions.delete(subscription)
      },
    }),
    gap: async () => {
      for (const [, , resync] of subscriptions) await resync()
    },
  }
}

/** Options with the values of the test; nothing is stored. */
export function fixedOptions(values: Record<string, unknown>): OptionService {
  return {
    get: <T>(key: string) => values[key] as T,
    set: () => Promise.resolve(),
    setMany: () => Promise.resolve(),
    list: () => [],
    secretsSet: () => [],
    onChange: () => () => undefined,
    schemaOf: (key) => (key in values ? ({} as ReturnType<OptionService['schemaOf']>) : undefined),
  }
}
