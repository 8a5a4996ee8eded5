// Passes the texts of an answer through the hooks of `relay.text`. One instance per attempt.
import type { ChatEvent, EventOf } from '../../contract/neutral.ts'
import type { AnswerText, TextChange, TextTransform } from '../../contract/relay.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { documentCitation, documentPlace } from '../../dialects/neutral/citations.ts'
import { logOrEnd } from './hook-ends.ts'
import { mapJsonText } from './prompt-texts.ts'
import { applicable, viewOf } from './run-hooks.ts'

/** The most characters that a hook may hold back; without a bound it could hold back the whole answer. */
const MOST_KEPT = 262_144
/** The most characters that are collected of one tool call's arguments; real calls are far shorter. */
const MOST_ARGUMENTS = 8_388_608

interface Stage {
  readonly hook: TextTransform
  readonly change: TextChange
  kept: string
  /** The hook has failed, and the rest of the answer passes it unchanged. */
  isOff: boolean
}

type Spoken = 'text' | 'reasoning' | 'refusal' | 'transcript'

interface OpenText {
  readonly spoken: Spoken
  readonly choice: number | undefined
  readonly stages: readonly Stage[]
}

interface OpenCall {
  readonly choice: number | undefined
  readonly stages: readonly Stage[]
  text: string
}

/** Undefined if no hook handles the call: its answer is passed on unchanged. @throws AppError */
export function answerTexts(call: AdmittedCall, deps: HookDeps): AnswerTexts | undefined {
  const hooks = deps.hooks('relay.text')
  if (hooks.length === 0) return undefined
  const wanted = applicable(hooks, call, deps)
  // The hook that changed the question last sees the answer first.
  return wanted.length === 0 ? undefined : new AnswerTexts(wanted.toReversed(), call, deps)
}

export class AnswerTexts {
  readonly #hooks: readonly TextTransform[]
  readonly #call: AdmittedCall
  readonly #deps: Pick<HookDeps, 'log'>
  readonly #texts = new Map<string, OpenText>()
  /** Tool arguments by index; they are changed once they are complete. */
  readonly #calls = new Map<number, OpenCall>()
  /** The upstream's id of the answer; clients may refer to it later. */
  upstreamId: string | undefined
  /** Whether any text was changed. */
  isChanged = false

  constructor(hooks: readonly TextTransform[], call: AdmittedCall, deps: Pick<HookDeps, 'log'>) {
    this.#hooks = hooks
    this.#call = call
    this.#deps = deps
  }

  /** The events of a whole answer; the same list if no text was changed. @throws AppError */
  whole(events: readonly ChatEvent[]): readonly ChatEvent[] {
    const shown = [...events.flatMap((event) => this.map(event)), ...this.end()]
    return this.isChanged ? shown : events
  }

  /** Changes a single text, such as a transcript. @throws AppError */
  text(text: string): string {
    return this.#run(this.#open({ kind: 'content', choice: 0 }), text, true)
  }

  /** The events that replace an event: none while its text is held back, several if text that was held back precedes
   *  it. @throws AppError */
  map(event: ChatEvent): ChatEvent[] {
    switch (event.type) {
      case 'start':
        this.upstreamId = event.id
        return [event]
      case 'text':
      case 'reasoning':
      case 'refusal':
        return this.#piece(event, event.type, event.delta, event.choice)
      case 'audio':
        return this.#sound(event)
      case 'tool_start':
        return this.#toolStart(event)
      case 'tool_args':
        return this.#toolArguments(event)
      case 'tool_end':
        return [...this.#endCall(event.index), event]
      case 'finish':
        return [...this.#endChoice(event.choice), event]
      case 'citation':
        return [...this.#endTexts(undefined), this.#citation(event)]
      case 'reasoning_state':
      case 'image':
      case 'blocked':
        return [...this.#endTexts(undefined), event]
      default:
        return [event]
    }
  }

  /** Everything that is still held back. @throws AppError */
  end(): ChatEvent[] {
    const texts = [...this.#texts.keys()].flatMap((key) => this.#endText(key))
    return [...texts, ...[...this.#calls.keys()].flatMap((index) => this.#endCall(index))]
  }

  #piece(event: ChatEvent, spoken: Spoken, piece: string, choice: number | undefined): ChatEvent[] {
    const before = this.#endTexts(choice, spoken)
    const { stages } = this.#textOf(spoken, choice)
    if (stages.length === 0) return [...before, event]
    const delta = this.#run(stages, piece, false)
    const state = event.type === 'text' ? event.state : undefined
    if (delta === '' && state === undefined) return before
    return [...before, eventOf(spoken, delta, choice, state)]
  }

  #sound(event: EventOf<'audio'>): ChatEvent[] {
    const { transcript, ...rest } = event.delta
    if (typeof transcript !== 'string') return [event]
    const { stages } = this.#textOf('transcript', undefined)
    if (stages.length === 0) return [event]
    const text = this.#run(stages, transcript, false)
    return [{ type: 'audio', delta: text === '' ? rest : { ...rest, transcript: text } }]
  }

  /** A citation quotes a document of the request, so the quote gets the same changes as the request. */
  #citation(event: EventOf<'citation'>): ChatEvent {
    const place = documentPlace(event.citation)
    if (!place) return event
    const text = this.text(place.text)
    const title = place.title === undefined ? undefined : this.text(place.title)
    if (text === place.text && title === place.title) return event
    const shown = { ...place, text, ...(title === undefined ? {} : { title }) }
    return { ...event, citation: documentCitation(shown) }
  }

  #toolStart(event: EventOf<'tool_start'>): ChatEvent[] {
    const { index, name: tool, choice } = event
    const stages = this.#open({ kind: 'arguments', choice: choice ?? 0, tool })
    if (stages.length > 0) this.#calls.set(index, { choice, stages, text: '' })
    return [...this.#endTexts(choice), event]
  }

  #toolArguments(event: EventOf<'tool_args'>): ChatEvent[] {
    const open = this.#calls.get(event.index)
    if (!open) return [event]
    open.text += event.delta
    if (open.text.length <= MOST_ARGUMENTS) return []
    this.#calls.delete(event.index)
    const fault = new RangeError(`the arguments of a tool are longer than ${MOST_ARGUMENTS}`)
    for (const { hook } of open.stages) logOrEnd(hook, fault, this.#call, this.#deps)
    return [{ ...event, delta: open.text }]
  }

  #endCall(index: number): ChatEvent[] {
    const open = this.#calls.get(index)
    if (!open) return []
    this.#calls.delete(index)
    const delta = mapJsonText(open.text, (text) => this.#run(open.stages, text, true))
    const choice = open.choice === undefined ? {} : { choice: open.choice }
    return delta === '' ? [] : [{ type: 'tool_args', index, delta, ...choice }]
  }

  #endChoice(choice: number | undefined): ChatEvent[] {
    const ofChoice = [...this.#calls].filter(([, open]) => (open.choice ?? 0) === (choice ?? 0))
    return [...this.#endTexts(choice), ...ofChoice.flatMap(([index]) => this.#endCall(index))]
  }

  /** Ends the texts of a choice when another begins, so that later events do not overtake text that is held back. */
  #endTexts(choice: number | undefined, but?: Spoken): ChatEvent[] {
    const ended: ChatEvent[] = []
    for (const [key, open] of this.#texts) {
      if ((open.choice ?? 0) !== (choice ?? 0) || open.spoken === but) continue
      ended.push(...this.#endText(key))
    }
    return ended
  }

  #endText(key: string): ChatEvent[] {
    const open = this.#texts.get(key)
    this.#texts.delete(key)
    if (!open || open.stages.length === 0) return []
    const delta = this.#run(open.stages, '', true)
    return delta === '' ? [] : [eventOf(open.spoken, delta, open.choice)]
  }

  #textOf(spoken: Spoken, choice: number | undefined): OpenText {
    const key = `${choice ?? 0} ${spoken}`
    const known = this.#texts.get(key)
    if (known) return known
    const kind = spoken === 'reasoning' ? 'reasoning' : 'content'
    const open = { spoken, choice, stages: this.#open({ kind, choice: choice ?? 0 }) }
    this.#texts.set(key, open)
    return open
  }

  #open(text: AnswerText): Stage[] {
    const view = viewOf(this.#call)
    return this.#hooks.flatMap((hook): Stage[] => {
      try {
        const change = hook.open(view, text)
        return change ? [{ hook, change, kept: '', isOff: false }] : []
      } catch (error) {
        logOrEnd(hook, error, this.#call, this.#deps)
        return []
      }
    })
  }

  #run(stages: readonly Stage[], piece: string, isEnd: boolean): string {
    let text = piece
    for (const stage of stages) {
      text = this.#changed(stage, stage.kept + text, isEnd)
      if (text === '' && !isEnd) return ''
    }
    return text
  }

  #changed(stage: Stage, text: string, isEnd: boolean): string {
    stage.kept = ''
    if (stage.isOff) return text
    try {
      const result = stage.change(text, isEnd)
      const keep = isEnd ? 0 : keptOf(result.keep, text)
      if (typeof result.text !== 'string') throw new TypeError('a text was changed into no text')
      if (keep > 0) stage.kept = text.slice(-keep)
      this.isChanged ||= result.text !== (keep > 0 ? text.slice(0, -keep) : text)
      return result.text
    } catch (error) {
      stage.isOff = true
      stage.kept = ''
      logOrEnd(stage.hook, error, this.#call, this.#deps)
      return text
    }
  }
}

function keptOf(keep: number | undefined, text: string): number {
  if (keep === undefined) return 0
  if (!Number.isInteger(keep) || keep < 0 || keep > text.length)
    throw new TypeError('keep is no number of the characters of the text')
  if (keep > MOST_KEPT) throw new RangeError(`more than ${MOST_KEPT} characters were kept`)
  return keep
}

function eventOf(
  spoken: Spoken,
  delta: string,
  choice: number | undefined,
  state?: EventOf<'text'>['state'],
): ChatEvent {
  if (spoken === 'transcript') return { type: 'audio', delta: { transcript: delta } }
  const place = choice === undefined ? {} : { choice }
  if (spoken === 'text' && state) return { type: 'text', delta, state, ...place }
  return { type: spoken, delta, ...place }
}
