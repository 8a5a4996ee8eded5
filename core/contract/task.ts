import type { AttemptContext, UpstreamRequest } from './adapter.ts'
import type { JsonObject } from './json.ts'

/** A platform of long-running work (drawing, music, video). Filled out with the first platforms; core keeps rows and money. */
export interface TaskPlatform {
  id: string
  /** Channel types that serve it. */
  channelTypes: readonly number[]
  /** Builds the poll of unfinished tasks. */
  poll(ids: readonly string[], context: AttemptContext): UpstreamRequest
  readPoll(body: unknown): { id: string; fields: JsonObject; isDone: boolean; isFailed: boolean }[]
}
