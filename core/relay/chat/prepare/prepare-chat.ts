// Turns the client's chat request into the upstream's: passed through if both speak the same dialect, else converted
// through the neutral form.
import type {
  AttemptContext,
  Body,
  ChatOperation,
  DialectChat,
  OwnChat,
  ResolvedModel,
  StateRecall,
  ThoughtRecall,
} from '../../../contract/adapter.ts'
import type { UpstreamRequest } from '../../../contract/http-client.ts'
import type { AnswerHints, BuildTarget, ChatDialect } from '../../../contract/dialect.ts'
import type { ChatRequest, ReasoningWish } from '../../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { refuseNativeFields } from '../../../dialects/neutral/request-errors.ts'
import { withGrammars } from '../../../dialects/neutral/freeform-tools.ts'
import { wellFormed } from '../../../dialects/neutral/well-formed.ts'
import { isEffort } from '../../../dialects/neutral/effort.ts'
import { codecs } from '../../../dialects/index.ts'
import { inlineChatFiles } from '../../../dialects/openai-chat/inline-files.ts'
import type { Attempt, AttemptCall } from '../../attempt/attempt.ts'
import { byAdapter } from '../../attempt/by-adapter.ts'
import { lostTextFields } from '../completions/completions-codec.ts'
import { bodyCodec } from '../client-codec.ts'
import { hoistsSystem } from './foreign-inner-fields.ts'
import { foreignFields } from './foreign-fields.ts'
import { channelRequest, withChannelInstructions } from './channel-instructions.ts'
import { withOverrides } from './apply-param-override.ts'
import { withoutRefusedSampling } from './overridden-sampling.ts'
import { withoutPaidWishes } from './paid-wishes.ts'
import { headersOfDialect } from '../../call/client-state.ts'
import type { RelayCall } from '../../call/relay-call.ts'
import type { TokenIdentity } from '../../../contract/services.ts'
import type { PrepareDeps } from '../../call/relay-deps.ts'

/** What is needed to write a chat for its upstream. Priced calls have it, and so do test calls of channels. */
export interface ChatCall
  extends AttemptCall,
    NeutralCall,
    Pick<
      RelayCall,
      'bytes' | 'includeUsage' | 'promptEstimate' | 'ownCodec' | 'previousId' | 'keepOutput'
    > {
  /** Sealed reasoning is remembered for each user. */
  readonly identity: Pick<TokenIdentity, 'userId'>
}

/** What is needed to read a chat into the neutral form, and where the result is kept. */
export interface NeutralCall
  extends Pick<RelayCall, 'operation' | 'dialect' | 'requestedModel' | 'isStream' | 'body'> {
  neutral: ChatRequest | undefined
}

export interface PreparedChat {
  request: UpstreamRequest
  /** Undefined if the upstream has a format of its own. */
  dialect: ChatDialect | undefined
  isPassThrough: boolean
  /** What the answer's conversion has to undo. */
  hints?: AnswerHints
  /** Whether the client is shown no thoughts of a converted answer. */
  hidesThoughts?: boolean
}

/** The chat operation of an adapter, in the form that suits this call's model. */
export function chatOf({
  adapter,
  context,
}: Pick<Attempt, 'adapter' | 'context'>): ChatOperation | undefined {
  const { chat } = adapter.operations
  return typeof chat === 'function' ? chat(context) : chat
}

export function isDialectChat(operation: ChatOperation): operation is DialectChat {
  return 'dialects' in operation
}

/** The operation of a call that was prepared without a dialect. */
export function ownChat(operation: ChatOperation): OwnChat {
  if (isDialectChat(operation)) throw new Error('a prepared call has lost its dialect')
  return operation
}

export async function prepareChat(
  call: ChatCall,
  attempt: Attempt,
  operation: ChatOperation,
  deps: PrepareDeps,
): Promise<PreparedChat> {
  const { context } = attempt
  if (call.operation === 'completions') {
    for (const field of lostTextFields(call.body ?? {})) context.drop(field)
  }
  if (!isDialectChat(operation)) return prepareOwn(call, attempt, operation, deps)
  const spoken =
    typeof operation.dialects === 'function'
      ? operation.dialects(context.model, context.channel)
      : operation.dialects
  const isPassThrough =
    call.ownCodec === undefined &&
    spoken.includes(call.dialect) &&
    call.operation === 'chat' &&
    mayPass(call, context)
  const hints: AnswerHints = {}
  noteEffort(call, context)
  const dialect = isPassThrough ? call.dialect : (spoken[0] as ChatDialect)
  const endpoint = await byAdapter(attempt, operation.endpoint(dialect, context))
  const body = isPassThrough
    ? await passedBody(call, attempt, operation, deps)
    : JSON.stringify(await convertedBody(call, attempt, { operation, dialect, hints }, deps))
  const headers = {
    'content-type': 'application/json',
    ...(isPassThrough ? headersOfDialect(context) : {}),
    ...endpoint.headers,
  }
  return {
    request: { method: endpoint.method ?? 'POST', url: endpoint.url, headers, body },
    dialect,
    isPassThrough,
    hints,
    hidesThoughts: !isPassThrough && hidesThoughts(call, context),
  }
}

/** In these dialects thoughts stand among the words of an answer, and only clients that ask for them expect any. */
const ASKED_FOR_THOUGHTS: ReadonlySet<ChatDialect> = new Set(['anthropic-messages', 'gemini'])

function hidesThoughts(call: ChatCall, { resolved, channel }: AttemptContext): boolean {
  if (call.ownCodec !== undefined || !ASKED_FOR_THOUGHTS.has(call.dialect)) return false
  if (channel.setting['thinking_to_content'] === true) return false
  const wish: ReasoningWish = { ...wishOf(resolved), ...neutralOf(call).reasoning }
  return wish.includeThoughts !== true
}

function mayPass(call: ChatCall, context: AttemptContext): boolean {
  return (
    codecs[call.dialect].canPass?.(call.body ?? {}, context.model) !== false ||
    mayPassUntouched(context)
  )
}

/** Whether the admin wants bodies passed on unchanged when the upstream speaks the client's dialect. */
export function mayPassUntouched({ channel, options }: AttemptContext): boolean {
  return (
    channel.setting['pass_through_body_enabled'] === true ||
    options.get<boolean>('global.pass_through_request_enabled')
  )
}

/** The client's body with only the edits that are needed; its original bytes if there are none. */
async function passedBody(
  call: ChatCall,
  attempt: Attempt,
  operation: DialectChat,
  deps: PrepareDeps,
): Promise<string | Uint8Array> {
  const { context } = attempt
  const original = call.body as JsonObject
  let body: Body =
    call.dialect !== 'gemini' && context.model !== original['model']
      ? { ...original, model: context.model }
      : original
  if (!mayPassUntouched(context)) {
    body = codecs[call.dialect].mendHistory(body, context.model)
    const wish = wishOf(context.resolved)
    if (wish)
      body = codecs[call.dialect].editReasoning(
        body,
        wish,
        targetOf(call, context, operation, deps, {}),
      )
    if (call.dialect === 'openai-chat')
      body = withStreamUsage(body, call, operation.streamUsage, deps)
    body = withChannelInstructions(body, call, context)
    body = withoutPaidWishes(body, call.dialect, context)
    body = await editedBody(body, call.dialect, { call, attempt, operation }, deps)
    body = overriddenBody(body, call.dialect, attempt)
  }
  return body === original ? call.bytes : JSON.stringify(body)
}

async function editedBody(
  body: Body,
  dialect: ChatDialect,
  { call, attempt, operation }: { call: ChatCall; attempt: Attempt; operation: DialectChat },
  deps: Pick<PrepareDeps, 'unsealedReasoning'>,
): Promise<Body> {
  if (!operation.body) return body
  const memory = thoughtsOf(call, deps)
  return byAdapter(attempt, operation.body(body, dialect, attempt.context, memory))
}

function thoughtsOf(call: ChatCall, deps: Pick<PrepareDeps, 'unsealedReasoning'>): ThoughtRecall {
  return { recallThought: (said) => deps.unsealedReasoning.recall(call.identity.userId, said) }
}

/** Asks for usage even if the client did not, since the bill depends on it. Only for streams: some upstreams refuse the field otherwise. */
export function withStreamUsage(
  body: Body,
  call: ChatCall,
  rule: DialectChat['streamUsage'] = 'always',
  deps: PrepareDeps,
): Body {
  const options = body['stream_options']
  if (!call.isStream || rule === 'never') {
    if (options === undefined) return body
    const { stream_options: _dropped, ...rest } = body
    return rest
  }
  if (rule === 'client' || !deps.settings.forceStreamUsage) return body
  if (isObject(options) && options['include_usage'] === true) return body
  return { ...body, stream_options: { ...(isObject(options) ? options : {}), include_usage: true } }
}

async function convertedBody(
  call: ChatCall,
  attempt: Attempt,
  {
    operation,
    dialect,
    hints,
  }: { operation: DialectChat; dialect: ChatDialect; hints: AnswerHints },
  deps: PrepareDeps,
): Promise<Body> {
  const { context } = attempt
  const wish = wishOf(context.resolved)
  const sent = channelRequest(neutralOf(call), call, context)
  noteForeign(call, context)
  // What the client sets explicitly wins over a suffix of the model's name.
  const wished = wish ? { ...sent, reasoning: { ...wish, ...sent.reasoning } } : sent
  const request = dialect === 'openai-chat' ? await inlineChatFiles(wished, context) : wished
  const target = targetOf(call, context, operation, deps, hints)
  let body: Body = codecs[dialect].buildRequest(request, target)
  for (const field of target.dropped) call.dropped.add(field)
  if (dialect === 'openai-chat') body = withStreamUsage(body, call, operation.streamUsage, deps)
  body = withoutPaidWishes(body, dialect, context)
  body = await editedBody(body, dialect, { call, attempt, operation }, deps)
  return overriddenBody(body, dialect, attempt)
}

function overriddenBody(body: Body, dialect: ChatDialect, attempt: Attempt): Body {
  const changed = withOverrides(body, attempt)
  return changed === body || dialect !== 'anthropic-messages'
    ? changed
    : withoutRefusedSampling(changed, body, attempt.context)
}

function targetOf(
  call: ChatCall,
  context: AttemptContext,
  operation: DialectChat,
  deps: PrepareDeps,
  hints: AnswerHints,
): BuildTarget {
  const capabilities = operation.capabilities?.(context.model)
  return {
    upstreamModel: context.model,
    dropped: [],
    hints,
    option: (key) => deps.options.get(key),
    ...(capabilities ? { capabilities } : {}),
    recallState: (callId) => deps.sealedReasoning.recall(call.identity.userId, callId),
    ...thoughtsOf(call, deps),
  }
}

function noteEffort(call: ChatCall, { resolved, note }: AttemptContext): void {
  const effort = resolved.effort ?? call.body?.['reasoning_effort']
  if (typeof effort === 'string') note('reasoning_effort', effort)
}

/** The reasoning that a suffix of the model's name asks for. */
function wishOf({ effort, thinking }: ResolvedModel): ReasoningWish | undefined {
  if (effort === undefined && thinking === undefined) return undefined
  return {
    ...(isEffort(effort) ? { effort } : {}),
    ...(thinking?.budget === undefined ? {} : { budget: thinking.budget }),
    ...(thinking?.budgetShare === undefined ? {} : { share: thinking.budgetShare }),
    ...(thinking?.off ? { budget: 0 } : { includeThoughts: true }),
  }
}

async function prepareOwn(
  call: ChatCall,
  attempt: Attempt,
  operation: OwnChat,
  deps: PrepareDeps,
): Promise<PreparedChat> {
  const sent = channelRequest(neutralOf(call), call, attempt.context)
  noteForeign(call, attempt.context)
  refuseNativeFields(sent)
  const memory: StateRecall = {
    recallState: (callId) => deps.sealedReasoning.recall(call.identity.userId, callId),
  }
  const request = await byAdapter(
    attempt,
    operation.send(withGrammars(sent), attempt.context, memory),
  )
  const own = {
    dialect: undefined,
    isPassThrough: false,
    hidesThoughts: hidesThoughts(call, attempt.context),
  }
  if (typeof request.body !== 'string' || attempt.channel.paramOverride === undefined) {
    return { request, ...own }
  }
  const body = withOverrides(JSON.parse(request.body) as Body, attempt)
  return { request: { ...request, body: JSON.stringify(body) }, ...own }
}

/** Notes on the log row which fields the neutral form cannot express. Only for bodies that one of our own codecs has read. */
function noteForeign(call: ChatCall, { note }: AttemptContext): void {
  if (call.ownCodec || call.operation !== 'chat' || !call.body) return
  if (hoistsSystem(call.body)) note('hoisted_system', true)
  for (const field of foreignFields(call.dialect, call.body)) call.dropped.add(field)
}

/** The neutral form of the call, converted once however many attempts there are. */
export function neutralOf(call: NeutralCall): ChatRequest {
  call.neutral ??= bodyCodec(call).parseRequest(wellFormed(call.body ?? {}) as JsonObject, {
    model: call.requestedModel,
    stream: call.isStream,
  })
  return call.neutral
}
