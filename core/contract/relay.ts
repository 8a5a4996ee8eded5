import type { ChatDialect } from './dialect.ts'
import type { OperationName } from './adapter.ts'
import type { JsonObject } from './json.ts'

/** What hooks see of a call: one object for all hooks of it, so that a WeakMap by it keeps what one hook has for the next. */
export interface RelayView {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  readonly group: string
  readonly model: string
  readonly operation: OperationName | 'task'
  readonly dialect: ChatDialect
  readonly isStream: boolean
  /** The client's parsed body as it goes on, changes of `relay.request` included; undefined of a form. Read it, do not change it. */
  readonly body: JsonObject | undefined
  /** Texts of the prompt in order, found lazily; what declares tools and the form of answers comes last. Of the arguments of tools each text inside by itself. */
  texts(): Iterable<string>
}

interface HookBase {
  id: string
  /** Ascending, 50 where none is given, ties by the plugin's id. Answers pass in the opposite order. */
  order?: number
  /** Default 1 000 ms; of an observer 5 000. Synchronous work is not cut off at it, only counted as late. */
  deadlineMs?: number
  /** What a hook that fails or is late means: the call goes on without it, or is refused. */
  onFailure: 'open' | 'closed'
  /** Whether it wants this call: synchronous and quick. Left out: every call. A call that none wants costs nothing. */
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
  /** Of `relay.send`: one more header for the upstream of this attempt. What the adapter sends stays as it is.
   *  @throws TypeError for one that is no plugin's to set (credentials, length and coding, those of the connection) */
  setHeader?(name: string, value: string): void
}

/** Changes what goes upstream: once a call, after `relay.admit` and before it is priced. May refuse by throwing an AppError. */
export interface RequestTransform extends HookBase {
  stage: 'relay.request'
  run(view: RelayView, draft: RequestDraft): Promise<void> | void
}

/** The request as it stands, with the changes of the hooks before. They count when `run` has ended without a fault. */
export interface RequestDraft {
  /** In the client's dialect; undefined of a form. Never changed in place: `replace` puts another there. */
  readonly body: JsonObject | undefined
  /** @throws TypeError when `model`, `stream` or another field is changed by which the call was admitted */
  replace(body: JsonObject): void
  /** Every text that the model reads (as `view.texts()` finds them) becomes what `change` makes of it, in all dialects and forms alike. `path` leads there
   *  from the body. Whether anything was changed. */
  mapTexts(change: (text: string, path: readonly (string | number)[]) => string): boolean
}

/** Changes the texts of an answer, of streams and whole answers in all dialects. May refuse the rest by throwing an AppError. */
export interface TextTransform extends HookBase {
  stage: 'relay.text'
  /** Asked once for each text of an answer; undefined leaves it as it is. */
  open(view: RelayView, text: AnswerText): TextChange | undefined
}

export interface AnswerText {
  /** `content` is what is said (transcripts and refusals too), `arguments` what stands in the arguments of a tool. */
  kind: 'content' | 'reasoning' | 'arguments'
  /** Which of several answers, from 0. */
  choice: number
  /** Whose arguments they are. */
  tool?: string
}

/** Called with each piece of a text as it comes, what was kept before it, and once more at the end with `isEnd`. Returns what goes on now; `keep`
 *  says how many characters at the end of `text` shall come again with the next piece (at the end none can). Arguments of tools come whole, one
 *  text of them after the other, always with `isEnd`. */
export type TextChange = (text: string, isEnd: boolean) => { text: string; keep?: number }

/** Sees, changes or drops the events of a streamed answer, each as its client gets it: after `relay.text`, in the client's dialect. May refuse the rest
 *  by throwing an AppError. What is counted and charged is what the upstream sent, whatever becomes of its events. */
export interface EventTransform extends HookBase {
  stage: 'relay.event'
  /** Asked once for each streamed answer; undefined leaves it as it is. */
  open(view: RelayView): EventChange | undefined
}

/** Called with the parsed data of each event that holds a JSON object, and its name where it has one. Returns the same object for an event that goes on as
 *  it is, byte by byte; another in its place; undefined drops it. An object is never changed in place. Synchronous: the stream waits for it. */
export type EventChange = (data: JsonObject, event: string | undefined) => JsonObject | undefined

/** Told of a call and its answer when it is over, refused ones included; nobody waits for it. */
export interface CallObserver extends HookBase {
  stage: 'relay.observe'
  /** How much of an answer is kept for it; default 262 144 characters. */
  maxChars?: number
  run(view: RelayView, seen: SeenCall): Promise<void> | void
}

export interface SeenCall {
  status: number
  /** Undefined where none was asked, or none answered. */
  channelId: number | undefined
  /** Of a failed call: what its client was told. */
  error: { code: string | number | null; message: string } | undefined
  /** As the upstream gave it, before `relay.text`, as a whole answer of the client's dialect; undefined where there was none, or no JSON. */
  answer: JsonObject | undefined
  /** The answer was longer than `maxChars`, and its rest is not there. */
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
