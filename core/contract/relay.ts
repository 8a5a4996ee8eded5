import type { ChatDialect } from './dialect.ts'
import type { OperationName } from './adapter.ts'
import type { JsonObject } from './json.ts'

/** What hooks see of a call. `body` is the client's parsed body; read it, do not change it. */
export interface RelayView {
  requestId: string
  userId: number
  tokenId: number
  group: string
  model: string
  operation: OperationName | 'task'
  dialect: ChatDialect
  isStream: boolean
  body: JsonObject | undefined
  /** Texts of the prompt in order, found lazily. */
  texts(): Iterable<string>
}

/** Hooks ask: they are awaited and may refuse by throwing an AppError. */
export interface RelayHook {
  id: string
  /** admit: before a route is chosen. send: before each attempt. answer: after the answer ended. */
  stage: 'relay.admit' | 'relay.send' | 'relay.answer'
  /** Default 1 000 ms. */
  deadlineMs?: number
  /** What a hook that fails or is late means. */
  onFailure: 'open' | 'closed'
  run(view: RelayView, extra: { status?: number; channelId?: number }): Promise<void> | void
}
