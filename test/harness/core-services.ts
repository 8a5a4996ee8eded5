// Core services over one test database, for tests that need no whole gateway.
import { randomBytes } from 'node:crypto'
import type { ClusterBus, EventBus, JsonObject, OptionService, SecretService } from '#core'
import { Ledger } from '../../core/billing/ledger.ts'
import type { Database } from '../../core/data/database.ts'
import { createEventBus } from '../../core/kernel/event-bus.ts'
import { createSecrets } from '../../core/secrets/secrets.ts'
import { type DatabaseKind, quietLog } from './databases.ts'

export interface CoreServices {
  database: Database
  secrets: SecretService
  events: EventBus
  cluster: ClusterBus
  ledger: Ledger
  logs: Ledger['logs']
  /** Removes the rows of accounts and their money, so that tests may share the database. */
  removeAccounts(): Promise<void>
  close(): Promise<void>
}

export async function createCoreServices(kind: DatabaseKind): Promise<CoreServices> {
  const test = await kind.create()
  const { database } = test
  const events = createEventBus(quietLog)
  const ledger = await Ledger.open({ database, nodeId: 'node-1', log: quietLog, events })
  return {
    database,
    secrets: createSecrets(randomBytes(32)),
    events,
    cluster: createBus().join('node-1'),
    ledger,
    logs: ledger.logs,
    removeAccounts: async () => {
      for (const table of ['sessions', 'one_time_codes', 'ledger_entries', 'tokens', 'users']) {
        await database.run(`DELETE FROM ${table}`)
      }
    },
    close: async () => {
      await ledger.close()
      await test.close()
    },
  }
}

/** A cluster in one process: what one node publishes reaches all that joined, before `publish` resolves. */
export function createBus(): { join(nodeId: string): ClusterBus } {
  const listeners = new Map<string, Set<(payload: JsonObject) => void>>()
  return {
    join: (nodeId) => ({
      nodeId,
      publish: async (topic, payload) => {
        for (const listener of listeners.get(topic) ?? []) listener(payload)
      },
      subscribe: (topic, listener) => {
        const known = listeners.get(topic) ?? new Set()
        listeners.set(topic, known.add(listener))
        return () => void known.delete(listener)
      },
    }),
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
