// The neutral chat form: what every client dialect is read into and every upstream dialect is written from.
import type { JsonObject } from './json.ts'
import type { RawFailure } from './errors.ts'
import type { ChatEvent, ChatRequest, OpaqueState, Part, ReasoningWish, Usage } from './neutral.ts'

export type ChatDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

/** The dialects in which errors are written; legacy and media routes speak openai-chat's error shape, task platforms bring an ErrorWriter. */
export type ErrorDialect = ChatDialect
/** Writes an error in its own envelope. */
export type ErrorWriter = (error: ClientError) => { status: number; body: JsonObject }

/** One server-sent event. `data` is the joined data lines; `raw` is the event as it came, its empty line included. */
export interface SseEvent {
  event: string | undefined
  data: string
  raw: string
  /** The parsed `data`, set by the first reader, so that each event is parsed once. Whoever changes `data` must delete it. */
  json?: unknown
}

/** What buildRequest changed and the parser of the answer must undo; pass the same object to both within an attempt. */
export interface AnswerHints {
  /** Maps the tool names that were sent to those of the client. */
  toolNames?: Map<string, string>
  /** The tool that stands in for a JSON schema: its input is the text of the answer. */
  jsonTool?: string
  /** The answer may contain citations: the parser counts all text before them, to place them. */
  cites?: boolean
  /** The structured answer was requested as the only property of an object. `isPlain`: the client expects a bare word, not JSON. */
  wrapped?: { isPlain: boolean }
  /** Stop sequences that the target refuses: the gateway ends the text at the first of them. */
  stops?: string[]
}

export interface StreamParser {
  /** Events of one upstream SSE event, in order; empty for pings, comments and `[DONE]`.
   *  @throws UpstreamError on data that is not JSON of the dialect */
  push(event: SseEvent): ChatEvent[]
  /** Called when the upstream has ended: the remaining events (a held tool_end, a finish that the dialect implies). */
  end(): ChatEvent[]
  /** True once the upstream has sent everything (finish reason or its own end event): the stream is complete even without a closing mark. */
  readonly isComplete: boolean
}

/** What a writer needs to know about the answer. */
export interface AnswerMeta {
  requestId: string
  /** The client's name of the model. */
  requestedModel: string
  createdSeconds: number
  includeUsage: boolean
  /** Estimated prompt tokens, for Anthropic's message_start. */
  estimatedInput: number
  legacyFunctions: boolean
  /** The id of a response at the upstream that stores it, where the answer is written again. */
  responseId?: string | undefined
  /** The id of the response or interaction that the client's request goes on from, if the gateway wrote that. */
  previousId?: string | undefined
  /** Called with a complete answer as a response or an interaction, if its client may refer to it later: its output, and the rest of it. */
  keepOutput?: ((output: readonly JsonObject[], head: JsonObject) => void) | undefined
  request?: ChatRequest
  /** Thoughts are left out of an answer to a client that did not ask for them, in dialects where they stand among its words. */
  hidesThoughts?: boolean
  /** Notes on the log row a part of the answer that the client's dialect cannot express. */
  drop?(field: string): void
}

export interface StreamWriter {
  /** Wire text of one event; empty when nothing is to be sent yet. */
  write(event: ChatEvent): string
  /** Like `write` for each of these pieces of the first choice; none contains a character that JSON escapes. */
  writeRun?(kind: 'text' | 'reasoning', deltas: readonly string[]): string
  /** Closing text after a complete stream. */
  end(): string
  /** Wire text of an error after output began; the caller then ends the stream without `end()`. */
  error(error: ClientError): string
}

/** Called with each event and its parsed form. Returns undefined to withhold the event, its own `raw` to pass it unchanged. */
export interface PassFilter {
  (event: SseEvent, events: readonly ChatEvent[]): string | undefined
  /** The text that closes a complete stream: openai-chat's usage chunk if it was not passed yet, and its `[DONE]`, which is always withheld until
   *  now. `counted` is our own count, for a stream that reported no usage. */
  end(counted?: Usage): string
  /** As `streamError`, for a dialect whose error repeats what the stream began with. */
  error?(error: ClientError, before: string): string
}

/** An error as the client will see it, in no particular dialect. */
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
  /** The prompt is too long for the model; programs that recognise this shorten it. */
  isPromptTooLong?: boolean
  /** A repeat cannot cure it, whatever the status: clients are told so, and no time to wait. */
  isFinal?: boolean
  /** What the upstream told programs beside its words (Anthropic's `error.details`). */
  details?: JsonObject
}

/** A tool call as a model said it and a client repeats it. */
export interface ToolCallSaid {
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

export interface BuildTarget {
  /** The upstream's name of the model, after mapping and suffix rules. */
  upstreamModel: string
  /** Names of request fields that the target cannot express; written to the log row's `other.dropped_params`. */
  dropped: string[]
  /** Option values per model, e.g. the default of max_tokens (claude.default_max_tokens), safety settings. */
  option<T>(key: string): T
  /** Filled by buildRequest. */
  hints?: AnswerHints
  /** What the model accepts; a codec has defaults by model name, an adapter may override them. */
  capabilities?: Partial<ModelCapabilities>
  /** Sealed reasoning remembered for a call id that the client did not send back. */
  recallState?(callId: string): { reasoning?: Part[]; state?: OpaqueState } | undefined
  /** Reasoning without a seal that was remembered for a call, e.g. because the client was not shown it. */
  recallThought?(call: ToolCallSaid): string | undefined
}

export interface ModelCapabilities {
  reasoning: 'none' | 'effort' | 'budget' | 'adaptive' | 'level'
  sampling: boolean
  jsonSchema: boolean
  developerRole: boolean
  /** Of openai-chat: whether it takes `web_search_options`. Most refuse what they do not know, and the others do not search for it. */
  webSearch?: boolean
}

/** Reads and writes one chat dialect, both as client and as upstream. */
export interface DialectCodec {
  id: ChatDialect
  /** @throws AppError request.invalid (400) naming the field */
  parseRequest(body: JsonObject, route: { model?: string; stream?: boolean }): ChatRequest
  /** @throws AppError request.unsupported_parameter (400) for a field that the dialect cannot express and that must not be dropped */
  buildRequest(request: ChatRequest, target: BuildTarget): JsonObject
  /** Writes what a suffix of the model name asks for into a passed-through body; returns the same object if the model does not support it. */
  editReasoning(
    body: JsonObject,
    wish: ReasoningWish,
    target: Pick<BuildTarget, 'upstreamModel' | 'option' | 'capabilities'>,
  ): JsonObject
  /** False if only some models of this dialect's upstreams understand the body: it is then converted as if it came from another
   *  dialect. Default: true. */
  canPass?(body: JsonObject, model: string): boolean
  /** Removes from a passed-through body only what the gateway wrote into the conversation when another provider answered; returns the
   *  same object if there is nothing. */
  mendHistory(body: JsonObject, model: string): JsonObject
  /** Removes every sealed thought from such a body, for an upstream that refused a seal. */
  forgetThoughts(body: JsonObject): JsonObject
  /** The events of a whole answer, `start` first.
   *  @throws UpstreamError for an error inside a 200 or an unreadable answer */
  parseAnswer(body: JsonObject, hints?: AnswerHints): ChatEvent[]
  streamParser(hints?: AnswerHints): StreamParser
  /** One whole answer from the events of a stream or of parseAnswer. */
  writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject
  streamWriter(meta: AnswerMeta): StreamWriter
  writeError(error: ClientError): JsonObject
  /** The status for clients of this dialect, where it is not the error's own. */
  errorStatus?(status: number): number
  /** Looks for an error body in an answer of this dialect's upstreams. */
  readError(status: number, body: unknown): RawFailure | undefined
  /** Edits a passed-through stream on its way to the client. One per stream. */
  passFilter(meta: AnswerMeta): PassFilter
  /** The same for a whole answer; returns the same object if nothing changes. `counted` is written if the answer reports no usage. */
  passAnswer(body: JsonObject, meta: AnswerMeta, counted?: Usage): JsonObject
  /** Wire text of an error after output began in a passed-through stream. `before` is what was passed on last: events of
   *  Responses are numbered. */
  streamError(error: ClientError, before?: string): string
  /** A keep-alive block. */
  ping: string
}
