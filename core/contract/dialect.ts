// The neutral chat form: what every client dialect is read into and every upstream dialect is written from.
import type { JsonObject } from './json.ts'
import type { RawFailure } from './errors.ts'
import type { ChatEvent, ChatRequest, OpaqueState, Part, ReasoningWish, Usage } from './neutral.ts'

export type ChatDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

/** The dialects in which errors are written; legacy and media routes speak openai-chat's error shape, task platforms bring an ErrorWriter. */
export type ErrorDialect = ChatDialect
/** Writes an error in an envelope of its own. */
export type ErrorWriter = (error: ClientError) => { status: number; body: JsonObject }

/** One server-sent event. `data` is the joined data lines; `raw` is the event as it came, its empty line included. */
export interface SseEvent {
  event: string | undefined
  data: string
  raw: string
  /** `data` as parsed by the first that needed it, so that each event is parsed once. Whoever changes `data` drops it. */
  json?: unknown
}

/** What building a request leaves to be undone in the answer; hand the same object to buildRequest and to the parser of that attempt. */
export interface AnswerHints {
  /** From the tool names that were sent to the client's own. */
  toolNames?: Map<string, string>
  /** The tool that carried a JSON schema: its input is the text of the answer. */
  jsonTool?: string
  /** Citations may come: the parser counts all text before them, to tell where they belong. */
  cites?: boolean
  /** The structured answer was asked for as the one property of an object. `isPlain`: the client awaits a bare word, not JSON. */
  wrapped?: { isPlain: boolean }
  /** Stop sequences that the target refuses: the text is ended here at the first of them. */
  stops?: string[]
}

export interface StreamParser {
  /** Events of one upstream SSE event, in order; empty for pings, comments and `[DONE]`.
   *  @throws UpstreamError on data that is no JSON of the dialect */
  push(event: SseEvent): ChatEvent[]
  /** Called at the upstream's end: what is still to be said (a held tool_end, a finish that the dialect implies). */
  end(): ChatEvent[]
  /** True once the upstream said all (finish reason or its own end event): the stream is complete even without a closing mark. */
  readonly isComplete: boolean
}

/** What a writer needs to know of the answer that it writes. */
export interface AnswerMeta {
  requestId: string
  /** The client's name of the model. */
  requestedModel: string
  createdSeconds: number
  includeUsage: boolean
  /** Estimated prompt tokens, for Anthropic's message_start. */
  estimatedInput: number
  legacyFunctions: boolean
  /** Of a response that its upstream stores and that is written anew: the name under which it is found there. */
  responseId?: string | undefined
  /** Told the output of an answer in the Responses dialect that is complete, where its client may refer to it later. */
  keepOutput?: ((output: readonly JsonObject[]) => void) | undefined
  /** The version header of an Anthropic client. */
  anthropicVersion?: string
  request?: ChatRequest
  /** Names on the row what of the answer its dialect has no place for. */
  drop?(field: string): void
}

export interface StreamWriter {
  /** Wire text of one event; empty when nothing is to be sent yet. */
  write(event: ChatEvent): string
  /** The same as `write` for each of these pieces of the first choice, which hold nothing that JSON escapes. */
  writeRun?(kind: 'text' | 'reasoning', deltas: readonly string[]): string
  /** Closing text after a complete stream. */
  end(): string
  /** Wire text of an error after output began; the caller then ends the stream without `end()`. */
  error(error: ClientError): string
}

/** Call it with each event and what the parser made of it: undefined = withhold, the event's own `raw` = unchanged. */
export interface PassFilter {
  (event: SseEvent, events: readonly ChatEvent[]): string | undefined
  /** What still closes a complete stream: openai-chat's usage chunk where it was not passed yet, and its `[DONE]`, which is always withheld until
   *  here. `counted` is our own count, for a stream that told no usage. */
  end(counted?: Usage): string
}

/** An error as the client shall see it, ready for any dialect. */
export interface ClientError {
  status: number
  code: string | number | null
  /** Ends with ` (request id: …)`. */
  message: string
  openaiType: string
  anthropicType: string
  geminiStatus: string
  param: string | null
  requestId: string
  /** The prompt is longer than the model takes; programs shorten it where they recognize that. */
  isPromptTooLong?: boolean
}

export interface BuildTarget {
  /** The upstream's name of the model, after mapping and suffix rules. */
  upstreamModel: string
  /** Names of request fields that the target cannot say are pushed here; they go to the log row's `other.dropped_params`. */
  dropped: string[]
  /** Answers per model, e.g. the default of max_tokens (claude.default_max_tokens), safety settings. */
  option<T>(key: string): T
  /** Filled by buildRequest. */
  hints?: AnswerHints
  /** What the model takes; a codec has defaults by name, an adapter may overrule. */
  capabilities?: Partial<ModelCapabilities>
  /** Sealed reasoning remembered for a call id that the client did not send back. */
  recallState?(callId: string): { reasoning?: Part[]; state?: OpaqueState } | undefined
}

export interface ModelCapabilities {
  reasoning: 'none' | 'effort' | 'budget' | 'adaptive' | 'level'
  sampling: boolean
  jsonSchema: boolean
  developerRole: boolean
}

/** Reads and writes one chat dialect, both as client and as upstream. */
export interface DialectCodec {
  id: ChatDialect
  /** @throws AppError request.invalid (400) naming the field */
  parseRequest(body: JsonObject, route: { model?: string; stream?: boolean }): ChatRequest
  /** @throws AppError request.unsupported_parameter (400) for what cannot be said and must not be dropped */
  buildRequest(request: ChatRequest, target: BuildTarget): JsonObject
  /** Writes a wish of a name suffix into a body of this dialect that is passed through; returns the same object when the model takes none. */
  editReasoning(
    body: JsonObject,
    wish: ReasoningWish,
    target: Pick<BuildTarget, 'upstreamModel' | 'option' | 'capabilities'>,
  ): JsonObject
  /** False where only some models of this dialect's upstreams understand what the body says: it is converted then, as another dialect's
   *  would be. Default: true. */
  canPass?(body: JsonObject, model: string): boolean
  /** Takes out of a body that is passed through what the gateway wrote into the conversation when another provider answered, and nothing else; the
   *  same object when there is nothing. */
  mendHistory(body: JsonObject, model: string): JsonObject
  /** Leaves out of such a body every thought that is sealed, for an upstream that refused a seal. */
  forgetThoughts(body: JsonObject): JsonObject
  /** A whole answer as a burst of events, `start` first.
   *  @throws UpstreamError for an error inside a 200 or an unreadable answer */
  parseAnswer(body: JsonObject, hints?: AnswerHints): ChatEvent[]
  streamParser(hints?: AnswerHints): StreamParser
  /** One whole answer from the events of a stream or of parseAnswer. */
  writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject
  streamWriter(meta: AnswerMeta): StreamWriter
  writeError(error: ClientError): JsonObject
  /** Looks for an error body in an answer of this dialect's upstreams. */
  readError(status: number, body: unknown): RawFailure | undefined
  /** Edits a passed-through stream on its way to the client. One per stream. */
  passFilter(meta: AnswerMeta): PassFilter
  /** The same for a whole answer; returns the same object when nothing is to be changed. `counted` is written where the answer tells no usage. */
  passAnswer(body: JsonObject, meta: AnswerMeta, counted?: Usage): JsonObject
  /** Wire text of an error after output began in a passed-through stream (no writer state is needed in any dialect). */
  streamError(error: ClientError): string
  /** A keep-alive block. */
  ping: string
}
