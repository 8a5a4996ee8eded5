// Core services over one test database, for tests that need no whole gateway.
import { randomBytes } from 'node:crypto'
import type { ClusterBus, DatabaseService, EventBus, JsonObject, SecretService } from '#core'
import { createEventBus } from '../../core/kernel/event-bus.ts'
import { createSecrets } from '../../core/secrets/secrets.ts'
import { type DatabaseKind, quietLog } from './databases.ts'

export interface CoreServices {
  database: DatabaseService
  secrets: SecretService
  events: EventBus
  cluster: ClusterBus
  close(): Promise<void>
}

export async function createCoreServices(kind: DatabaseKind): Promise<CoreServices> {
  const { database, close } = await kind.create()
  return {
    database,
    secrets: createSecrets(randomBytes(32)),
    events: createEventBus(quietLog),
    cluster: createBus().join('node-1'),
    close,
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
