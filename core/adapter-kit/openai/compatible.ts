// The operations of an upstream that speaks OpenAI's API; the adapter states only the differences.
import type {
  AttemptContext,
  Body,
  ChannelView,
  DialectChat,
  Endpoint,
  OperationName,
  Operations,
  PlainOperation,
  RealtimeOperation,
  StreamFraming,
  ThoughtRecall,
} from '../../contract/adapter.ts'
import type { ChatDialect, ModelCapabilities } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { attributionLeftOut } from '../../dialects/anthropic-messages/attribution.ts'
import { joinUrl } from './join-url.ts'
import { type MessagesSurface, messagesEndpoint, servesMessages } from './messages-surface.ts'
import { realtimeOperation, type OpenaiSocket } from './realtime.ts'

type SideName = Exclude<OperationName, 'chat' | 'gemini.count_tokens'>
type PlainName = Exclude<SideName, 'realtime'>
type PathName = 'chat' | 'responses' | SideName | OpenaiSocket

/** A path below the base URL, or a whole URL. */
type PathRule = string | ((context: AttemptContext) => string)
type RequestEdit = (
  body: Body,
  context: AttemptContext,
  memory?: ThoughtRecall,
) => Body | Promise<Body>
type AnswerEdit = (body: Body, context: AttemptContext) => Body
type PlainAnswerEdit = (
  body: Body,
  context: AttemptContext,
) => ReturnType<NonNullable<PlainOperation['answer']>>

export interface CompatibleOptions {
  /** Paths that differ from OpenAI's. */
  paths?: Partial<Record<PathName, PathRule>>
  /** Changes a path where it depends on the channel's address. */
  route?: (path: string, context: AttemptContext) => string
  /** The operations besides chat. Default: completions and embeddings. */
  operations?: readonly SideName[]
  /** Final edits of the JSON body, by operation. */
  request?: Partial<Record<PathName, RequestEdit>>
  /** Edits of JSON answers; errors inside a 200 are thrown here. */
  answer?: Partial<Record<'chat' | 'responses', AnswerEdit>> &
    Partial<Record<PlainName, PlainAnswerEdit>>
  /** Edits of the parts of multipart bodies. */
  form?: Partial<Record<PlainName, NonNullable<PlainOperation['form']>>>
  /** Usage in the answers of plain operations. Default: OpenAI's `usage` object. */
  usage?: Partial<
    Record<PlainName, (answer: Body, context: AttemptContext) => Partial<Usage> | undefined>
  >
  /** An edit of each chunk of a chat stream; undefined drops it. */
  chunk?: (data: Body, context: AttemptContext) => Body | undefined
  /** Used instead of the bearer header. */
  credentials?: (context: AttemptContext) => Record<string, string>
  /** Added to the credentials. */
  headers?: (context: AttemptContext) => Record<string, string>
  streamUsage?: DialectChat['streamUsage']
  /** The upstream serves /v1/responses itself. A function decides by model and channel; `only`: the model has no chat endpoint. */
  responses?: boolean | ((model: string, channel: ChannelView) => boolean | 'only')
  /** The upstream also serves Anthropic's /v1/messages, at the addresses and for the models named here. */
  messages?: MessagesSurface
  capabilities?: (model: string) => Partial<ModelCapabilities>
  framing?: StreamFraming
  streamEvents?: DialectChat['streamEvents']
  /** False for upstreams without chat. */
  chat?: boolean
}

const PATHS: Readonly<Record<Exclude<PathName, 'count_tokens'>, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  'responses.compact': '/v1/responses/compact',
  'responses.input_tokens': '/v1/responses/input_tokens',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  moderations: '/v1/moderations',
  decisions: '/v1/decisions',
  'images.generations': '/v1/images/generations',
  'images.edits': '/v1/images/edits',
  'audio.speech': '/v1/audio/speech',
  'audio.transcriptions': '/v1/audio/transcriptions',
  'audio.translations': '/v1/audio/translations',
  rerank: '/v1/rerank',
  realtime: '/v1/realtime',
  'realtime.transcription': '/v1/realtime',
  'realtime.translation': '/v1/realtime/translations',
  live: '/v1/live/sessions',
}

/** Everything that OpenAI itself offers besides chat. */
export const OPENAI_OPERATIONS: readonly SideName[] = Object.freeze([
  'completions',
  'embeddings',
  'moderations',
  'decisions',
  'images.generations',
  'images.edits',
  'audio.speech',
  'audio.transcriptions',
  'audio.translations',
  'realtime',
])

const DEFAULT_OPERATIONS: readonly SideName[] = Object.freeze(['completions', 'embeddings'])

export function openaiCompatible(options: CompatibleOptions = {}): Operations {
  const operations: { -readonly [N in keyof Operations]: Operations[N] } = {}
  if (options.chat !== false) operations.chat = chatOperation(options)
  for (const name of options.operations ?? DEFAULT_OPERATIONS) {
    if (name === 'realtime') operations.realtime = realtime(options)
    else operations[name] = plainOperation(name, options)
  }
  return operations
}

/** URL and headers of one call. Exported for adapters that write an operation of their own besides the common ones. */
export function compatibleEndpoint(
  name: PathName,
  context: AttemptContext,
  options: CompatibleOptions = {},
): Endpoint {
  const rule = options.paths?.[name] ?? (name === 'count_tokens' ? '' : PATHS[name])
  const path = typeof rule === 'function' ? rule(context) : rule
  return {
    url: joinUrl(context.channel.baseUrl, options.route?.(path, context) ?? path),
    headers: credentialsOf(context, options),
  }
}

function credentialsOf(
  context: AttemptContext,
  options: CompatibleOptions,
): Record<string, string> {
  const credentials = options.credentials?.(context) ?? bearer(context)
  return { ...credentials, ...options.headers?.(context) }
}

function bearer({ channel }: AttemptContext): Record<string, string> {
  return channel.key === '' ? {} : { authorization: `Bearer ${channel.key}` }
}

function pathNameOf(dialect: ChatDialect): 'chat' | 'responses' {
  return dialect === 'openai-responses' ? 'responses' : 'chat'
}

function chatOperation(options: CompatibleOptions): DialectChat {
  const { chunk, messages } = options
  return {
    dialects: chatDialects(options),
    endpoint: (dialect, context) =>
      messages !== undefined && dialect === MESSAGES
        ? messagesEndpoint(messages, context, credentialsOf(context, options))
        : compatibleEndpoint(pathNameOf(dialect), context, options),
    body: (body, dialect, context, memory) =>
      (dialect === MESSAGES
        ? attributionLeftOut(messages?.request?.(body, context) ?? body)
        : options.request?.[pathNameOf(dialect)]?.(body, context, memory)) ?? body,
    answer: (body, dialect, context) =>
      dialect === MESSAGES
        ? body
        : (options.answer?.[pathNameOf(dialect)]?.(body, context) ?? body),
    streamUsage: options.streamUsage ?? 'always',
    ...(chunk === undefined
      ? {}
      : {
          streamData: (data, dialect, context) =>
            dialect === 'openai-chat' ? chunk(data, context) : data,
        }),
    ...(options.capabilities === undefined ? {} : { capabilities: options.capabilities }),
    ...(options.framing === undefined ? {} : { framing: options.framing }),
    ...(options.streamEvents === undefined ? {} : { streamEvents: options.streamEvents }),
  }
}

const MESSAGES = 'anthropic-messages'

/** All other dialects are converted to the first one, so the dialect of Anthropic's clients comes last. */
const CHAT_ONLY: readonly ChatDialect[] = Object.freeze(['openai-chat'])
const RESPONSES_ONLY: readonly ChatDialect[] = Object.freeze(['openai-responses'])
const CHAT_AND_RESPONSES: readonly ChatDialect[] = Object.freeze([
  'openai-chat',
  'openai-responses',
])
const WITH_MESSAGES: ReadonlyMap<readonly ChatDialect[], readonly ChatDialect[]> = new Map(
  [CHAT_ONLY, RESPONSES_ONLY, CHAT_AND_RESPONSES].map((own) => [
    own,
    Object.freeze([...own, MESSAGES] as const),
  ]),
)

function chatDialects(options: CompatibleOptions): DialectChat['dialects'] {
  const { messages } = options
  const own = ownDialects(options)
  if (messages === undefined) return own
  return (model, channel) => {
    const spoken = typeof own === 'function' ? own(model, channel) : own
    return servesMessages(messages, model, channel) ? (WITH_MESSAGES.get(spoken) ?? spoken) : spoken
  }
}

function ownDialects({ responses }: CompatibleOptions): DialectChat['dialects'] {
  if (typeof responses !== 'function') return responses === true ? CHAT_AND_RESPONSES : CHAT_ONLY
  return (model, channel) => {
    const served = responses(model, channel)
    if (served === 'only') return RESPONSES_ONLY
    return served ? CHAT_AND_RESPONSES : CHAT_ONLY
  }
}

function speaksResponses(
  { responses }: CompatibleOptions,
  model: string,
  channel: ChannelView,
): boolean {
  return Boolean(typeof responses === 'function' ? responses(model, channel) : responses)
}

function plainOperation(name: PlainName, options: CompatibleOptions): PlainOperation {
  const request = options.request?.[name]
  const answer = options.answer?.[name]
  const form = options.form?.[name]
  const usage = options.usage?.[name]
  return {
    ...(name === 'responses.input_tokens'
      ? { isServed: ({ model, channel }) => speaksResponses(options, model, channel) }
      : {}),
    endpoint: (context) => compatibleEndpoint(name, context, options),
    ...(request === undefined ? {} : { body: request }),
    ...(answer === undefined
      ? {}
      : { answer: (body: unknown, context: AttemptContext) => answer(body as Body, context) }),
    ...(form === undefined ? {} : { form }),
    ...(usage === undefined ? {} : { usage }),
  }
}

function realtime(options: CompatibleOptions): RealtimeOperation {
  return realtimeOperation((context, api) => compatibleEndpoint(api, context, options))
}
