import type { AttemptContext, Adapter, ChannelView, ResolvedModel } from '../../contract/adapter.ts'
import type { UpstreamRequest, UpstreamResponse } from '../../contract/http-client.ts'
import { ChannelFault, UpstreamError, type RawFailure } from '../../contract/errors.ts'
import type { TokenIdentity } from '../../contract/services.ts'
import { pickKey } from '../../channels/keys/multi-key.ts'
import { upstreamModel, type RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { readFailure } from '../../upstream-failures/read-failure-body.ts'
import { readRetryAfter } from '../../upstream-failures/retry-after.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'
import { Drain } from '../call/drain.ts'
import type { AnswerShare } from './answer-room.ts'
import { nextHops } from '../call/hops.ts'
import {
  clientHeadersOf,
  type ClientReply,
  type ClientRequest,
  type ClientState,
} from '../call/client-state.ts'
import type { ExtraHeaders } from './extra-headers.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { AttemptDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import type { StoredResponse } from '../conversation/stored-responses.ts'
import { byAdapter } from './by-adapter.ts'
import { checkChannel } from './check-channel.ts'
import { fetchFile } from './fetch-file.ts'
import { readText } from './read-answer.ts'

/** What an attempt needs of its call. A call of any stage has it, and so do the test calls of channels, which are never admitted. */
export interface AttemptCall
  extends Pick<
    AdmittedCall,
    'operation' | 'dialect' | 'requestedModel' | 'isStream' | 'body' | 'requestId'
  > {
  readonly bound?: StoredResponse | undefined
  /** Absent for calls that concern no model, such as those about a stored response. */
  readonly identity?: Pick<TokenIdentity, 'userId'>
  triedKeys: Set<string> | undefined
  readonly refusedKeys?: ReadonlySet<string> | undefined
  readonly request: ClientRequest
  readonly reply: ClientReply
  readonly client: ClientState
  readonly notes: Record<string, unknown>
  readonly dropped: Set<string>
}

/** One try of a call on one channel. */
export interface Attempt {
  readonly channel: RoutedChannel
  readonly adapter: Adapter
  /** The model's name at the upstream, after the channel's mapping and the suffix rules. */
  readonly upstreamModel: string
  readonly context: AttemptContext
  readonly abort: AbortController
  readonly drain: Drain
  /** Of the room for answers that are read as a whole. */
  readonly share: AnswerShare
  /** Headers that hooks add. */
  extraHeaders: ExtraHeaders | undefined
}

const WHOLE_ANSWER_TIMEOUT_MS = 600_000
const LARGEST_ERROR_BYTES = 1_048_576

/** Opens an attempt: checks the channel and its key without calling anything, maps the model, applies the suffix rules.
 *  @throws ChannelFault */
export function openAttempt(call: AttemptCall, channel: RoutedChannel, deps: AttemptDeps): Attempt {
  if (channel.fault) throw channel.fault
  const { adapter } = channel
  if (!adapter)
    throw new ChannelFault('api_not_implemented', {
      en: 'The channel type of this channel is switched off.',
      zh: '此类型的渠道已停用。',
    })
  const view = keyOf(call, channel, deps)
  checkChannel(adapter, view)
  const mapped = upstreamModel(channel, call.requestedModel)
  const resolved = resolveModel(channel, view, mapped, deps)
  const abort = new AbortController()
  const share = deps.answers.open(call.identity?.userId)
  return {
    channel,
    adapter,
    upstreamModel: resolved.model,
    abort,
    drain: new Drain(call, abort, deps.settings),
    share,
    extraHeaders: undefined,
    context: contextOf(call, { channel, view, adapter, resolved, abort, share }, deps),
  }
}

/** Resolves the suffixes of a model's name. A name that the channel maps to itself is taken literally, whatever its suffix. */
function resolveModel(
  { adapter, modelMapping }: RoutedChannel,
  channel: ChannelView,
  mapped: string,
  { options }: Pick<AttemptDeps, 'options'>,
): ResolvedModel {
  const isKept = Object.hasOwn(modelMapping, mapped) && modelMapping[mapped] === mapped
  const resolved = isKept ? undefined : adapter?.resolveModel?.(mapped, { options, channel })
  return resolved ?? { model: mapped }
}

/** Chooses one of the channel's keys; another one when the same channel is tried again. */
function keyOf(
  call: AttemptCall,
  { view, keyViews }: RoutedChannel,
  deps: Pick<AttemptDeps, 'responses'>,
): ChannelView {
  if (call.bound) {
    const bound = boundKey(call.bound, keyViews, deps)
    // With several keys, a failure is blamed on the key in use, not on the whole channel.
    if (keyViews.length > 1) call.triedKeys = new Set([bound.key])
    return bound
  }
  if (keyViews.length === 1) return view
  const picked = pickKey(keyViews, call.triedKeys, call.refusedKeys)
  call.triedKeys ??= new Set()
  // Re-adding moves the key to the end: the last entry is the key in use.
  call.triedKeys.delete(picked.key)
  call.triedKeys.add(picked.key)
  return picked
}

/** @throws relay.previous_response_not_found if the channel's key has been changed since */
function boundKey(
  bound: StoredResponse,
  views: readonly ChannelView[],
  deps: Pick<AttemptDeps, 'responses'>,
): ChannelView {
  const view = deps.responses.viewOf(bound, views)
  if (!view) throw relayErrors.previousUnknown({}, { field: 'previous_response_id' })
  return view
}

function contextOf(
  call: AttemptCall,
  part: {
    channel: RoutedChannel
    view: ChannelView
    adapter: Adapter
    resolved: ResolvedModel
    abort: AbortController
    share: AnswerShare
  },
  deps: AttemptDeps,
): AttemptContext {
  const { channel, view, adapter, resolved, abort, share } = part
  const { settings } = deps
  return {
    channel: view,
    operation: call.operation,
    model: resolved.model,
    resolved,
    requestedModel: call.requestedModel,
    isStream: call.isStream,
    clientDialect: call.dialect,
    clientHeaders: clientHeadersOf(call.request, call.identity?.userId),
    clientQuery: call.request.query as Record<string, string>,
    clientBody: call.body,
    options: deps.options,
    http: deps.http,
    httpOptions: {
      ...channel.httpOptions,
      signal: abort.signal,
      hops: nextHops(call.request, deps.hopId),
      firstByteTimeoutMs: call.isStream ? settings.streamingTimeoutMs : WHOLE_ANSWER_TIMEOUT_MS,
      idleTimeoutMs: settings.streamingTimeoutMs,
    },
    signal: abort.signal,
    requestId: call.requestId,
    cache: deps.caches.of(adapter.id),
    now: () => new Date(),
    variable: (name) => deps.readVariable(name),
    note: (key, value) => void (call.notes[key] = value),
    drop: (field) => void call.dropped.add(field),
    carry: (field) => void call.dropped.delete(field),
    fetchFile: (url) =>
      fetchFile(url, {
        http: deps.http,
        options: deps.options,
        maxBytes: settings.maxFileBytes,
        signal: abort.signal,
        log: deps.log,
        requestId: call.requestId,
        share,
      }),
  }
}

/** The client left before the request was sent to the upstream. */
export class LeftUnsent extends Error {
  constructor() {
    super('The client left before its call was sent.')
    this.name = 'LeftUnsent'
  }
}

/** Sends the request and throws any answer that is not a success, after reading it. If the client left while the
 *  request was prepared (e.g. while a picture was fetched), nothing is sent.
 *  @throws UpstreamError, net errors, LeftUnsent */
export async function send(attempt: Attempt, request: UpstreamRequest): Promise<UpstreamResponse> {
  const { adapter, context, extraHeaders, drain, share } = attempt
  if (drain.hasBegun) throw new LeftUnsent()
  share.noteSent()
  const sent = extraHeaders
    ? { ...request, headers: extraHeaders.beside(request.headers) }
    : request
  const response = adapter.transport
    ? await byAdapter(attempt, adapter.transport(sent, context), 'headers')
    : await context.http.request(sent, context.httpOptions)
  if (response.status >= 200 && response.status < 300) return response
  throw new UpstreamError(await readFailureAnswer(adapter, response))
}

async function readFailureAnswer(
  adapter: Adapter,
  response: UpstreamResponse,
): Promise<RawFailure> {
  const text = await readText(response, LARGEST_ERROR_BYTES).catch(() => '')
  const body = parseLoosely(text)
  const failure =
    adapter.readError?.(response.status, body, response.headers) ??
    readFailure(response.status, body)
  const seconds = readRetryAfter(response.headers['retry-after'])
  return seconds === undefined
    ? failure
    : { ...failure, retryAfterSeconds: failure.retryAfterSeconds ?? seconds }
}
