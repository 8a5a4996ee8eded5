import { Type, type Static } from '@sinclair/typebox'

const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description ? { description } : {}) })
const milliseconds = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description })

/** How one process of the gateway does, as it tells the others every few seconds. */
export const nodeFigures = Type.Object({
  id: Type.String(),
  host: Type.String({ description: 'Name of the machine, with the process id.' }),
  version: Type.String(),
  started_at: Type.Integer({ description: 'Unix seconds.' }),
  told_at: Type.Integer({
    description:
      'Unix seconds, by the clock of the process that answers: when it was last heard of.',
  }),
  calls: count('Of the last minute, as the next three.'),
  failed: count('Answered with 429 or 5xx.'),
  tokens: count(),
  units: Type.Integer({ description: 'Quota units.' }),
  duration_p50_ms: milliseconds('Of the last minute; null without calls.'),
  duration_p95_ms: milliseconds('Of the last minute; null without calls.'),
  first_byte_p50_ms: milliseconds('Of the last minute; null without streams.'),
  first_byte_p95_ms: milliseconds('Of the last minute; null without streams.'),
  in_flight: count('Open requests.'),
  realtime_sessions: count('Over WebSockets, those of the Responses API included.'),
  ledger_waiting: count('Charges and log rows that wait for the database.'),
  ledger_commit_ms: Type.Number({ description: 'How long the last group commit took.' }),
  is_database_away: Type.Boolean(),
  event_loop_p99_ms: Type.Number({ description: 'Delay of the event loop in the last seconds.' }),
  rss_bytes: count(),
  generation: count('Number of the generation of plugins that serves.'),
})
export type NodeFigures = Static<typeof nodeFigures>

export interface MonitoringService {
  /** All processes that were heard of in the last twenty seconds, this one first, from memory. */
  nodes(): NodeFigures[]
}
