// What observers are told when a call is over: its answer, kept while it passes, up to a size.
import type { ChatEvent } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { CallObserver, SeenCall } from '../../contract/relay.ts'
import type { AdmittedCall } from './relay-call.ts'
import type { HookDeps } from './relay-deps.ts'
import { noteFault, viewOf, wanting } from './run-hooks.ts'

const DEFAULT_MAX_CHARS = 262_144
/** What an event takes beside its texts. */
const EVENT_CHARS = 40

type Ending = Pick<SeenCall, 'status' | 'channelId' | 'error'>

/** Whoever wants to be told of this call. @throws AppError */
export function observe(call: AdmittedCall, deps: HookDeps): void {
  const hooks = deps.hooks('relay.observe')
  if (hooks.length === 0 || call.operation === 'task' || call.operation === 'realtime') return
  const wanted = wanting(hooks, call, deps)
  if (wanted.length > 0) call.observed = new Observation(wanted)
}

/** Nobody waits for those who are told. */
export function tellObservers(call: AdmittedCall, ending: Ending, deps: HookDeps): void {
  const { observed } = call
  if (!observed) return
  call.observed = undefined
  for (const hook of observed.hooks)
    void observed
      .tell(hook, call, ending)
      .catch((error: unknown) => noteFault(hook, error, call, deps))
}

export class Observation {
  readonly hooks: readonly CallObserver[]
  readonly #maxChars: number
  #events: ChatEvent[] = []
  #write: ((events: readonly ChatEvent[]) => JsonObject) | undefined
  #body: JsonObject | undefined
  #chars = 0
  #isCut = false

  constructor(hooks: readonly CallObserver[]) {
    this.hooks = hooks
    this.#maxChars = Math.max(...hooks.map(({ maxChars = DEFAULT_MAX_CHARS }) => maxChars))
  }

  /** Another attempt: what the one before gave was no answer. */
  begin(write: (events: readonly ChatEvent[]) => JsonObject): void {
    this.#events = []
    this.#chars = 0
    this.#isCut = false
    this.#write = write
  }

  see(event: ChatEvent): void {
    const chars = sizeOf(event)
    if (chars > 0 && this.#chars + chars > this.#maxChars) {
      this.#isCut = true
      return
    }
    this.#chars += chars
    const joined = join(this.#events.at(-1), event)
    if (joined) this.#events[this.#events.length - 1] = joined
    else this.#events.push(event)
  }

  /** An answer that is no chat. */
  take(body: unknown, bytes: number): void {
    if (!isObject(body)) return
    if (bytes > this.#maxChars) this.#isCut = true
    else this.#body = body
  }

  async tell(hook: CallObserver, call: AdmittedCall, ending: Ending): Promise<void> {
    await hook.run(viewOf(call), {
      ...ending,
      answer: this.#answer(),
      isCut: this.#isCut,
      durationMs: Math.round(performance.now() - call.startedAtMs),
    })
  }

  #answer(): JsonObject | undefined {
    if (this.#body) return this.#body
    return this.#write && this.#events.length > 0 ? this.#write(this.#events) : undefined
  }
}

function sizeOf(event: ChatEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'tool_args':
      return event.delta.length + 1
    case 'image':
      return event.data.length + EVENT_CHARS
    case 'audio':
      return JSON.stringify(event.delta).length + EVENT_CHARS
    case 'usage':
    case 'finish':
      return 0
    default:
      return EVENT_CHARS
  }
}

/** Pieces of one text become one: a stream of a hundred thousand is kept as its text. */
function join(last: ChatEvent | undefined, next: ChatEvent): ChatEvent | undefined {
  if (last === undefined || last.type !== next.type) return undefined
  if (last.type === 'usage') return next
  if (last.type === 'tool_args' && next.type === 'tool_args' && last.index === next.index)
    return { ...last, delta: last.delta + next.delta }
  if (last.type !== 'text' && last.type !== 'reasoning' && last.type !== 'refusal') return undefined
  if (next.type !== 'text' && next.type !== 'reasoning' && next.type !== 'refusal') return undefined
  if (last.choice !== next.choice || isSealed(last) || isSealed(next)) return undefined
  return { ...last, delta: last.delta + next.delta }
}

function isSealed(event: ChatEvent): boolean {
  return event.type === 'text' && (event.state !== undefined || event.logprobs !== undefined)
}
