// Stores a complete answer in the response caches that handle the call.
import type { FinishReason, Usage } from '../../contract/neutral.ts'
import type { AnswerRecord } from './answer-record.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { logFault, viewOf } from './run-hooks.ts'

export const STORED_VERSION = 2
export const DEFAULT_MAX_CHARS = 1_048_576

/** The finish reasons that are stored. With any other, a second try may end differently. */
const lasting: ReadonlySet<FinishReason> = new Set([
  'stop',
  'stop_sequence',
  'length',
  'tool_calls',
])

interface Ended {
  usage: Usage
  rule: string
  status: number
  isFree?: boolean
}

/** Stores the answer in the background; nobody waits for it. */
export function keepAnswer(
  call: AdmittedCall,
  { usage, rule, status, isFree }: Ended,
  deps: Pick<HookDeps, 'log'>,
): void {
  const { caches, record } = call
  if (!caches || !record) return
  call.caches = undefined
  if (rule !== 'completed' || status !== 200 || isFree || record.isCut) return
  const answer = textOf(record, usage)
  if (answer === undefined) return
  for (const { cache, key } of caches) {
    if (answer.length > (cache.maxChars ?? DEFAULT_MAX_CHARS)) continue
    const store = async () => cache.store(key, underKey(key, answer), viewOf(call))
    void store().catch((error: unknown) => logFault(cache, error, call, deps))
  }
}

/** Writes the key into the stored text: if the cache ever returns it for another question, perhaps another user's, it
 *  is recognised as wrong. */
function underKey(key: string, answer: string): string {
  return `{"key":${JSON.stringify(key)},${answer.slice(1)}`
}

function textOf({ body, events }: AnswerRecord, usage: Usage): string | undefined {
  if (body) return JSON.stringify({ version: STORED_VERSION, kind: 'json', body, usage })
  const finish = events.filter((event) => event.type === 'finish')
  if (finish.length === 0 || !finish.every(({ reason }) => lasting.has(reason))) return undefined
  return JSON.stringify({ version: STORED_VERSION, kind: 'chat', events, usage })
}
