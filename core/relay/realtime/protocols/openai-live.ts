// OpenAI's Live API: one conversation in which both sides speak at any time. Sold by the second from `session.started` to `session.closed`; work that
// the session delegates to another model costs what that model costs (developers.openai.com, guides "Live" and "Cost optimization").
import { isObject, objectOf, textIn, type JsonObject } from '../../../contract/json.ts'
import type { Usage } from '../../../contract/neutral.ts'
import { unsupportedParameter } from '../../../dialects/neutral/request-errors.ts'
import { noUsage } from '../../../dialects/neutral/usage.ts'
import { ToolRuns } from '../../../dialects/openai-responses/read-item.ts'
import { relayErrors } from '../../call/relay-errors.ts'
import { isPaidTier } from '../../chat/prepare/paid-wishes.ts'
import type { NamedModel } from '../../charge/drawing-models.ts'
import { usageOf } from '../../operations/operation-usage.ts'
import { writeOpenaiError } from './openai-realtime.ts'
import type { Ended, SessionMeter, SessionProtocol } from './session-protocol.ts'
import { SoldSeconds } from './sold-seconds.ts'

export const openaiLive: SessionProtocol = {
  api: 'live',
  dialect: 'openai-chat',
  keyPlaces: {},
  opening: {
    field: 'session.model',
    modelOf: (frame) => textIn(sessionOf(frame, 'session.start')?.['model']),
    withModel: (frame, model) => ({
      ...frame,
      session: { ...sessionOf(frame, 'session.start'), model },
    }),
  },
  farewell: JSON.stringify({ type: 'session.close' }),
  meter: () => new LiveMeter(),
  promptOf,
  refusePaidWishes,
  delegateOf,
  writeError: writeOpenaiError,
}

function promptOf(frame: JsonObject): JsonObject | undefined {
  switch (frame['type']) {
    case 'session.start':
    case 'session.update':
      return promptOfSession(objectOf(frame['session']))
    case 'response.item.create':
      return { input: [frame['item']] }
    case 'decision.item.create':
      return { input: [{ input: frame['item'] }] }
    case 'session.instructions.append':
    case 'session.thinking.append':
    case 'session.commentary.append':
      return { input: frame['content'] }
    default:
      return undefined
  }
}

function promptOfSession({ instructions, input, triggers, delegation }: JsonObject): JsonObject {
  const { responses, decisions } = objectOf(delegation)
  const { instructions: own, tools } = objectOf(responses)
  const { questions } = objectOf(decisions)
  return {
    instructions: [instructions, own],
    input: [input, { input: [triggers, questions] }],
    tools,
  }
}

/** What the session delegates to, by the name of its field. */
function delegationsIn(frame: JsonObject): { field: string; wish: JsonObject }[] {
  const session = sessionOf(frame, 'session.start') ?? sessionOf(frame, 'session.update')
  const delegation = objectOf(session?.['delegation'])
  return ['responses', 'decisions'].map((kind) => ({
    field: `session.delegation.${kind}`,
    wish: objectOf(delegation[kind]),
  }))
}

/** Refused rather than left out: the frames of a session pass unchanged. */
function refusePaidWishes(frame: JsonObject): void {
  for (const { field, wish } of delegationsIn(frame))
    if (isPaidTier(wish['service_tier']))
      throw unsupportedParameter(`${field}.service_tier`, 'the tier cannot be chosen here')
}

/** @throws relay.invalid_request where the upstream would have to choose */
function delegateOf(frame: JsonObject): NamedModel | undefined {
  const [one, other] = delegationsIn(frame).flatMap(({ field, wish }) => {
    const name = textIn(wish['model'])
    return name === undefined ? [] : [{ name, field: `${field}.model` }]
  })
  if (other)
    throw relayErrors.invalid(
      { reason: 'A session delegates to one model' },
      { field: other.field },
    )
  return one
}

/** The upstream may count more than the clock shows here, but not much. */
const MOST_SECONDS_AHEAD = 60

/** Events at the end of a response that the session has had made. */
const endsOfResponses: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
])

class LiveMeter implements SessionMeter {
  readonly #sold = new SoldSeconds()
  /** Undefined until the upstream has started the session: before that no time is sold. */
  #startedAtMs: number | undefined
  /** All that the client has named, the latest last. */
  #delegates: readonly string[] = []
  /** The tools that ran for each delegation under way. */
  readonly #runs = new Map<unknown, ToolRuns>()
  isAnswering = false

  sent(frame: JsonObject): void {
    const named = delegateOf(frame)?.name
    if (named !== undefined)
      this.#delegates = [...this.#delegates.filter((other) => other !== named), named]
  }

  received(frame: JsonObject): Ended | undefined {
    switch (frame['type']) {
      case 'session.started':
        this.isAnswering = true
        this.#startedAtMs ??= performance.now()
        return undefined
      case 'session.closed':
        this.isAnswering = false
        return { due: this.#sold.take(this.#told(frame['usage'])), isLast: true }
      case 'session.usage.updated':
        return { due: this.#sold.take(this.#told(frame['usage'])) }
      case 'response.event':
        return this.#responded(objectOf(frame['event']), frame['delegation_id'])
      case 'decision.event':
        return this.#decided(objectOf(frame['event']))
      default:
        return undefined
    }
  }

  dueByTime(): Usage | undefined {
    return this.isAnswering ? this.#sold.takeDue(this.#elapsed()) : undefined
  }

  running(): Usage {
    return this.#sold.running(this.#elapsed())
  }

  rest(): Usage | undefined {
    if (!this.isAnswering) return undefined
    const rest = this.#sold.take(this.#elapsed())
    return rest && { ...rest, isEstimated: true }
  }

  /** Whole seconds: no more than the upstream counts, which began earlier. */
  #elapsed(): number {
    if (this.#startedAtMs === undefined) return 0
    return Math.floor((performance.now() - this.#startedAtMs) / 1000)
  }

  /** The seconds of the session so far as the upstream tells them, if they can be true. */
  #told(usage: unknown): number {
    const { seconds } = objectOf(usage)
    const elapsed = this.#elapsed()
    return typeof seconds === 'number' && seconds > 0 && seconds <= elapsed + MOST_SECONDS_AHEAD
      ? seconds
      : elapsed
  }

  #responded(event: JsonObject, delegation: unknown): Ended | undefined {
    const runs = this.#runs.get(delegation) ?? new ToolRuns()
    if (event['type'] === 'response.output_item.done') {
      runs.see(objectOf(event['item']))
      this.#runs.set(delegation, runs)
    }
    if (!endsOfResponses.has(event['type'])) return undefined
    this.#runs.delete(delegation)
    const response = objectOf(event['response'])
    return this.#delegated(response, runs.billed(response))
  }

  #decided({ type, decision }: JsonObject): Ended | undefined {
    return type === 'decision.completed' ? this.#delegated(objectOf(decision), {}) : undefined
  }

  #delegated({ model, usage }: JsonObject, toolCalls: Record<string, number>): Ended {
    const used = { ...usageOf(objectOf(usage)), toolCalls }
    const delegated = [{ model: this.#delegateBehind(model), calls: 1, usage: used }]
    return { due: { ...noUsage, delegated } }
  }

  /** An answer may tell a dated name. Work under way is that of the model which did it, and the upstream may have refused to take another one. */
  #delegateBehind(model: unknown): string {
    const told = textIn(model) ?? ''
    const meant = this.#delegates.filter((name) => told === name || told.startsWith(`${name}-`))
    const [longest] = meant.sort((one, other) => other.length - one.length)
    return longest ?? this.#delegates.at(-1) ?? ''
  }
}

function sessionOf(frame: JsonObject, type: string): JsonObject | undefined {
  return frame['type'] === type && isObject(frame['session']) ? frame['session'] : undefined
}
