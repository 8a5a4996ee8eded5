import type { Ledger } from '../billing/ledger/ledger.ts'
import type { OptionReader } from '../contract/adapter.ts'
import type { HttpClient } from '../contract/http-client.ts'
import type { EventBus } from '../contract/events.ts'
import type { Logger, SecretService } from '../contract/services.ts'
import type { TaskPlatform } from '../contract/task.ts'
import type { ChannelIndex } from '../channels/routing/channel-index.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { ClientHooks } from './client-hooks.ts'
import type { TaskStore } from './task-store.ts'

/** What everything about tasks works with. All of it lives as long as the process. */
export interface TaskDeps {
  database: DatabaseService
  store: TaskStore
  ledger: Pick<Ledger, 'settle' | 'refund'>
  index(): ChannelIndex
  options: OptionReader
  events: EventBus
  http: HttpClient
  secrets: SecretService
  log: Logger
  hooks: ClientHooks
}

/** The platforms of one generation. */
export type TaskPlatforms = readonly TaskPlatform[]
