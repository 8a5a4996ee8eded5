// Answers a call whose exact question was answered before: the stored answer is replayed in the requested form and
// charged at the cache's share of the price.
import { AppError } from '../../contract/errors.ts'
import type { ResponseCache } from '../../contract/relay-points.ts'
import type { ChatEvent, Usage } from '../../contract/neutral.ts'
import { AnswerRecord } from '../hooks/answer-record.ts'
import { DEFAULT_MAX_CHARS } from '../hooks/keep-answer.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { CacheDeps, OperationDeps } from '../call/relay-deps.ts'
import { logFault, viewOf } from '../hooks/run-hooks.ts'
import { settleCall } from '../charge/settle-call.ts'
import { sendWhole } from '../chat/answer-whole.ts'
import { metaOf } from '../chat/answer-meta.ts'
import { clientCodec } from '../chat/client-codec.ts'
import { clientStreamOf, wantsArray } from '../chat/client-stream-format.ts'
import { textAsArray } from '../chat/gemini-array-stream.ts'
import { answerTexts } from '../hooks/answer-texts.ts'
import { shownEvents } from '../hooks/shown-events.ts'
import { mapAnswer } from '../operations/answer-json.ts'
import { shownAnswer } from '../operations/operation-call.ts'
import { cacheKey, isCacheable } from './cache-key.ts'
import { readStored, type StoredAnswer } from './stored-answer.ts'

type ReplayDeps = CacheDeps & OperationDeps

/** @returns whether the call was answered. If not, the caches that want its answer are noted on the call.
 *  @throws AppError of a hook that refuses the answer, before anything was charged */
export async function answerFromCache(call: RelayCall, deps: ReplayDeps): Promise<boolean> {
  if (call.kind !== 'http' || !isCacheable(call)) return false
  const mayShare = deps.options.get<boolean>('ResponseCacheSharing')
  const view = viewOf(call)
  const wanted: { cache: ResponseCache; key: string }[] = []
  for (const cache of deps.responseCaches()) {
    if (!cache.applies(view)) continue
    const key = cacheKey(call, cache, mayShare)
    wanted.push({ cache, key })
    const stored = await find(call, cache, key, deps)
    if (!stored) continue
    const text = written(call, cache, stored, deps)
    if (text === undefined) continue
    await replay(call, cache, { stored, text }, deps)
    return true
  }
  if (wanted.length === 0) return false
  call.caches = wanted
  call.record ??= new AnswerRecord()
  for (const { cache } of wanted) call.record.raise(cache.maxChars ?? DEFAULT_MAX_CHARS)
  // Set now, so that the header is there however the call is answered, whole or streamed.
  call.reply.raw.setHeader(HEADER, 'miss')
  return false
}

async function find(
  call: RelayCall,
  cache: ResponseCache,
  key: string,
  deps: ReplayDeps,
): Promise<StoredAnswer | undefined> {
  const text = await cache.lookup(key, viewOf(call))
  if (text === undefined) return undefined
  const stored = readStored(text, key)
  const isChat = call.operation === 'chat' || call.operation === 'completions'
  if (stored && (stored.kind === 'chat') === isChat) return stored
  logFault(cache, new Error('what was stored is no answer'), call, deps)
  return undefined
}

/** The stored answer in the requested form; undefined if its events are invalid. @throws AppError of a hook that refuses the answer */
function written(
  call: RelayCall,
  cache: ResponseCache,
  stored: StoredAnswer,
  deps: ReplayDeps,
): string | undefined {
  try {
    return stored.kind === 'chat' ? chatText(call, stored, deps) : plainText(call, stored, deps)
  } catch (error) {
    if (error instanceof AppError) throw error
    logFault(cache, error, call, deps)
    return undefined
  }
}

async function replay(
  call: RelayCall,
  cache: ResponseCache,
  { stored, text }: { stored: StoredAnswer; text: string },
  deps: ReplayDeps,
): Promise<void> {
  const { usage } = stored
  const share = shareOf(cache, call)
  call.client.firstByteAtMs ??= performance.now()
  call.notes['response_cache'] = { id: cache.id, share }
  for (const event of stored.kind === 'chat' ? stored.events : []) call.record?.see(event)
  if (stored.kind === 'json') call.record?.take(stored.body, text.length)
  const price = { ...call.price, share }
  const outcome = { attempt: undefined, usage, rule: 'cached', status: 200, price }
  await settleCall(call, outcome, deps)
  if (!call.isStream || stored.kind === 'json') return sendWhole(call, text, mark)
  const stream = clientStreamOf(call, deps.settings, mark)
  stream.start()
  stream.end(text)
}

/** Tells clients whether the answer came from a cache. Absent when no cache handles the call. */
const HEADER = 'x-response-cache'
const mark = Object.freeze({ [HEADER]: 'hit' })

function shareOf({ priceShare }: ResponseCache, call: RelayCall): number {
  return typeof priceShare === 'number' ? priceShare : priceShare(viewOf(call))
}

function chatText(
  call: RelayCall,
  stored: Extract<StoredAnswer, { kind: 'chat' }>,
  deps: ReplayDeps,
): string {
  const meta = metaOf(call)
  const codec = clientCodec(call)
  call.record?.begin((events) => codec.writeAnswer(events, { ...meta, keepOutput: undefined }))
  const texts = answerTexts(call, deps)
  const shown = withUsage(texts ? texts.whole(stored.events) : stored.events, stored.usage)
  if (!call.isStream) return JSON.stringify(codec.writeAnswer(shown, meta))
  const writer = codec.streamWriter(meta)
  const all = shown.map((event) => writer.write(event)).join('') + writer.end()
  const text = shownEvents(call, deps)?.change(all) ?? all
  return wantsArray(call) ? textAsArray(text) : text
}

function withUsage(events: readonly ChatEvent[], usage: Usage): readonly ChatEvent[] {
  const hasUsage = events.some(({ type }) => type === 'usage')
  return hasUsage ? events : [...events, { type: 'usage', usage }]
}

function plainText(
  call: RelayCall,
  { body, usage }: Extract<StoredAnswer, { kind: 'json' }>,
  deps: ReplayDeps,
): string {
  const texts = answerTexts(call, deps)
  const answer = texts ? mapAnswer(body, call.operation, texts) : body
  return JSON.stringify(shownAnswer(call, answer, usage))
}
