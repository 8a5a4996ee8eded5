import type { ChatDialect } from './dialect.ts'
import type { OperationName } from './adapter.ts'
import type { JsonObject } from './json.ts'

/** What hooks see of a call. All hooks of a call get the same object, so a WeakMap keyed by it can pass data from one hook to the next. */
export interface RelayView {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  readonly group: string
  readonly model: string
  readonly operation: OperationName | 'task'
  readonly dialect: ChatDialect
  readonly isStream: boolean
  /** The client's parsed body, with the changes of `relay.request`; undefined for a form. Read it, do not change it. */
  readonly body: JsonObject | undefined
  /** The texts of the prompt in order, found lazily; declarations of tools and answer formats come last. Tool arguments yield each text inside them. */
  texts(): Iterable<string>
}

interface HookBase {
  id: string
  /** Ascending, default 50; ties are ordered by the plugin's id. Answers pass in reverse order. */
  order?: number
  /** Default 1 000 ms, for `relay.text` and `relay.event` 500, for an observer 5 000. Synchronous work is not interrupted, only counted as late. */
  deadlineMs?: number
  /** What happens if the hook fails or is late: the call goes on without it (`open`), or is refused (`closed`). */
  onFailure: 'open' | 'closed'
  /** Whether the hook handles this call; must be synchronous and quick. Default: every call. A call that no hook handles costs nothing. */
  applies?(view: RelayView): boolean
}

/** Hooks ask: they are awaited and may refuse by throwing an AppError (`relay.answer` cannot any more). */
export interface AskingHook extends HookBase {
  /** admit: before a route is chosen. send: before each attempt. answer: after the answer ended. */
  stage: 'relay.admit' | 'relay.send' | 'relay.answer'
  run(view: RelayView, extra: HookExtra): Promise<void> | void
}

export interface HookExtra {
  status?: number
  channelId?: number
  /** For `relay.send`: adds a header to the upstream request of this attempt. Headers of the adapter cannot be replaced.
   *  @throws TypeError for a header that plugins must not set (credentials, length and encoding, connection headers) */
  setHeader?(name: string, value: string): void
}

/** Changes what goes upstream: once a call, after `relay.admit` and before it is priced. May refuse by throwing an AppError. */
export interface RequestTransform extends HookBase {
  stage: 'relay.request'
  run(view: RelayView, draft: RequestDraft): Promise<void> | void
}

/** The request with the changes of earlier hooks. Changes take effect when `run` has ended without an error. */
export interface RequestDraft {
  /** In the client's dialect; undefined for a form. Do not change it in place; use `replace`. */
  readonly body: JsonObject | undefined
  /** @throws TypeError if it changes `model`, `stream` or another field by which the call was admitted */
  replace(body: JsonObject): void
  /** Replaces every text that the model reads (those of `view.texts()`) by what `change` returns, in all dialects and in forms. `path` leads from the
   *  body to the text. @returns whether anything was changed */
  mapTexts(change: (text: string, path: readonly (string | number)[]) => string): boolean
  /** Puts a text in front of the client's own instructions to the model, where its dialect has them. A client of the Responses API reads it back in
   *  `instructions`. @returns false for what has no place for it: anything but chats and counts of their tokens */
  instruct(text: string): boolean
}

/** Changes the texts of an answer, streamed or whole, in all dialects. May refuse the rest by throwing an AppError. */
export interface TextTransform extends HookBase {
  stage: 'relay.text'
  /** Called once for each text of an answer; undefined leaves the text unchanged. */
  open(view: RelayView, text: AnswerText): TextChange | undefined
}

export interface AnswerText {
  /** `content` is the text of the answer (also transcripts and refusals), `arguments` a text inside the arguments of a tool. */
  kind: 'content' | 'reasoning' | 'arguments'
  /** Index of the answer among several, from 0. */
  choice: number
  /** The tool that the arguments belong to. */
  tool?: string
}

/** Called with each piece of a text as it comes, preceded by what was kept, and once more at the end with `isEnd`. Returns the text to send now; `keep`
 *  is the number of characters at the end of the given `text` to get again with the next piece (none at the end). Tool arguments come complete,
 *  text by text, always with `isEnd`. */
export type TextChange = (text: string, isEnd: boolean) => { text: string; keep?: number }

/** Sees, changes or drops the events of a streamed answer as the client gets them: after `relay.text`, in the client's dialect. May refuse the rest
 *  by throwing an AppError. The charge follows what the upstream sent, whatever happens to its events. */
export interface EventTransform extends HookBase {
  stage: 'relay.event'
  /** Called once for each streamed answer; undefined leaves the answer unchanged. */
  open(view: RelayView): EventChange | undefined
}

/** Called with the parsed data of each event that holds a JSON object, and the event's name if it has one. Returns the same object to pass the event on
 *  byte for byte, another object to replace it, undefined to drop it. Never change the object in place. Synchronous: the stream waits for it. */
export type EventChange = (data: JsonObject, event: string | undefined) => JsonObject | undefined

/** Gets a call and its answer when the call is over, also if it was refused; nobody waits for it. */
export interface CallObserver extends HookBase {
  stage: 'relay.observe'
  /** Characters of an answer that are kept for it; default 262 144. */
  maxChars?: number
  run(view: RelayView, seen: SeenCall): Promise<void> | void
}

export interface SeenCall {
  status: number
  /** Undefined if no channel was asked, or none answered. */
  channelId: number | undefined
  /** For a failed call: the error that its client got. */
  error: { code: string | number | null; message: string } | undefined
  /** As the upstream sent it, before `relay.text`, as a whole answer in the client's dialect; undefined if there was none or it is not JSON. */
  answer: JsonObject | undefined
  /** The answer was longer than `maxChars`; the rest is missing. */
  isCut: boolean
  durationMs: number
}

export type RelayHook =
  | AskingHook
  | RequestTransform
  | TextTransform
  | EventTransform
  | CallObserver

/** The hooks of a stage. */
export type HookOf<S extends RelayHook['stage']> = S extends 'relay.request'
  ? RequestTransform
  : S extends 'relay.text'
    ? TextTransform
    : S extends 'relay.event'
      ? EventTransform
      : S extends 'relay.observe'
        ? CallObserver
        : AskingHook
