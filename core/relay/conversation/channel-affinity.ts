// A conversation stays on the channel that answered it before, since the provider's prompt cache knows it there.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { promptTexts } from '../hooks/prompt-texts.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** OpenAI and Anthropic do not cache shorter prompts. */
const LEAST_CACHED_TOKENS = 1024
/** The longest time for which providers cache a prompt. */
const ONE_HOUR_MS = 3_600_000
const CONVERSATIONS_KEPT = 20_000
/** How many characters of each text in the prefix are hashed: its beginning distinguishes conversations. */
const HASHED_CHARS = 4096
const TURNS_READ = 4

/** Remembers which channel answered a conversation last. Used only if several channels of the same priority could answer. */
export class ChannelAffinity {
  readonly #channels = new LRUCache<string, number>({ max: CONVERSATIONS_KEPT, ttl: ONE_HOUR_MS })

  preferred(call: RelayCall): number | undefined {
    call.affinityKey ??= keyOf(call)
    return call.affinityKey === '' ? undefined : this.#channels.get(call.affinityKey)
  }

  keep({ affinityKey }: RelayCall, channelId: number): void {
    if (affinityKey) this.#channels.set(affinityKey, channelId)
  }
}

/** Empty if staying on a channel gains nothing. */
function keyOf(call: RelayCall): string {
  if (call.operation !== 'chat' || !call.body) return ''
  const named = nameOf(call.body)
  if (named === undefined && !isCached(call)) return ''
  const hash = createHash('sha256')
  hash.update(`${call.identity.userId}\n${call.group}\n${call.requestedModel}\n`)
  if (named !== undefined) hash.update(named)
  else
    for (const text of prefixTexts(call.body)) hash.update(text.slice(0, HASHED_CHARS)).update('\n')
  return hash.digest('base64')
}

/** The client's own id of the conversation. */
function nameOf(body: JsonObject): string | undefined {
  if (typeof body['prompt_cache_key'] === 'string' && body['prompt_cache_key'] !== '')
    return body['prompt_cache_key']
  const userId = isObject(body['metadata']) ? body['metadata']['user_id'] : undefined
  return typeof userId === 'string' && userId !== '' ? userId : undefined
}

function isCached({ price, promptEstimate }: RelayCall): boolean {
  return price.mode === 'ratio' && price.cacheRatio < 1 && promptEstimate >= LEAST_CACHED_TOKENS
}

/** The texts that stay the same from turn to turn: the system text and the turns up to the first one of the user. */
function* prefixTexts(body: JsonObject): Generator<string> {
  const { messages, contents, input, ...rest } = body
  const { system, instructions, systemInstruction, system_instruction } = rest
  yield* promptTexts({ system, instructions, systemInstruction, system_instruction })
  const turns = messages ?? contents ?? input
  yield* promptTexts({ messages: Array.isArray(turns) ? firstTurns(turns) : turns })
}

function firstTurns(turns: readonly unknown[]): unknown[] {
  const end = turns.findIndex((turn) => isObject(turn) && (turn['role'] ?? 'user') === 'user')
  return turns.slice(0, Math.min(end + 1, TURNS_READ))
}
