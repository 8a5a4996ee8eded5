import type { ChatEvent, FinishReason, Usage } from '../../contract/neutral.ts'
import { isPlausible } from '../../billing/counting/plausible-output.ts'
import { TokenCounter } from '../../billing/counting/count-tokens.ts'
import { boundedUsage, noUsage } from '../../dialects/neutral/usage.ts'

/** What completions may contain besides the answer that is counted. */
export interface TextForm {
  /** How often the answer repeats its prompt (`echo`). */
  echoes: number
  /** Answers that the upstream writes for each one that it returns (`best_of`). */
  tries: number
}

type Written = Pick<Usage, 'output' | 'reasoning'>

const plainForm: TextForm = { echoes: 0, tries: 1 }

/** The usage of an answer: as reported by the upstream, else our count of what was seen. Memory is bounded. */
export class UsageTally {
  readonly #counter: TokenCounter
  readonly #countPrompt: () => number
  readonly #form: TextForm
  #reported: Usage | undefined
  #late: (() => Usage | undefined) | undefined
  finish: FinishReason | undefined
  nativeFinish: string | undefined
  /** Whether anything arrived that a client would call an answer. */
  hasOutput = false
  /** What had arrived when the client left. */
  #outputWhenLeft: Written | undefined

  constructor(model: string, countPrompt: () => number, form: TextForm = plainForm) {
    this.#form = form
    this.#counter = new TokenCounter(model)
    this.#countPrompt = countPrompt
  }

  see(event: ChatEvent): void {
    if (event.type === 'usage') this.#report(event.usage)
    else if (event.type === 'finish') {
      this.finish = event.reason
      this.nativeFinish = event.native
    } else {
      this.#counter.addEvent(event)
    }
    if (!this.hasOutput && isOutput(event)) this.hasOutput = true
  }

  /** Usage that is parsed only when needed, unless newer usage arrives first. */
  seeLater(usage: () => Usage | undefined): void {
    this.#late = usage
  }

  /** The newest usage that the upstream has reported. */
  get reported(): Usage | undefined {
    const late = this.#late?.()
    if (late) this.#report(late)
    return this.#reported
  }

  #report(usage: Usage): void {
    this.#reported = boundedUsage(usage)
    this.#late = undefined
  }

  /** Our count, for clients of an upstream that has reported no tokens. A stream may tell its searches alone. */
  unreported(): Usage | undefined {
    const { reported } = this
    return reported && reported.input + reported.output > 0 ? undefined : this.complete()
  }

  /** From now on the answer is read only for its usage and delivered to nobody. */
  clientLeft(): void {
    this.#outputWhenLeft ??= this.#outputSoFar()
  }

  /** Our count, or that of upstreams which count as they go, such as Gemini. Theirs holds thoughts that nobody sees. */
  #outputSoFar(): Written {
    const counted = this.#written(this.#counter.total())
    const { output = 0, reasoning = 0 } = this.reported ?? {}
    return output > counted ? { output, reasoning } : { output: counted, reasoning: 0 }
  }

  /** The usage to bill for an answer that came to its end. */
  complete(): Usage {
    const { reported } = this
    if (!reported || reported.input + reported.output === 0) return this.#counted()
    return this.#believed(this.#withPrompt(reported))
  }

  /** No prompt is empty: a count of zero, or an impossible one, is treated as missing. */
  #withPrompt(reported: Usage = noUsage): Usage {
    if (reported.input > 0) return reported
    return { ...reported, input: this.#countPrompt(), isEstimated: true }
  }

  /** Uses our count of the output where the upstream's is missing or not credible: the stream was cut before its last figures, or the upstream does not count what it sends. */
  #believed(reported: Usage): Usage {
    const isSilent = reported.output === 0 && !this.#counter.isEmpty
    if (!isSilent && this.#isPlausible(reported)) return reported
    const output = this.#written(this.#counter.total())
    return output > reported.output ? { ...reported, output, isEstimated: true } : reported
  }

  #isPlausible(reported: Usage): boolean {
    const tokens = () => this.#answered(this.#counter.textTotal())
    return isPlausible(reported, { chars: this.#counter.chars, tokens })
  }

  /** The tokens without the prompts that the answer repeats. */
  #answered(tokens: number): number {
    const { echoes } = this.#form
    return echoes === 0 ? tokens : Math.max(0, tokens - echoes * this.#countPrompt())
  }

  #written(tokens: number): number {
    return Math.ceil(this.#answered(tokens) * this.#form.tries)
  }

  /** The usage to bill for the delivered part of an answer that broke off: the upstream's count of the prompt if it
   *  arrived, and of the output the greater of its last count and ours. */
  delivered(): Usage {
    const { reported } = this
    const prompted = this.#withPrompt(reported)
    if (prompted.output > 0 && this.finish) return this.#believed(prompted)
    const output = this.#outputWhenLeft ?? this.#outputSoFar()
    return { ...prompted, ...output, isEstimated: true }
  }

  #counted(): Usage {
    if (this.#counter.isEmpty && !this.hasOutput) return { ...noUsage }
    const toolCalls = this.reported?.toolCalls
    return {
      ...noUsage,
      input: this.#countPrompt(),
      output: this.#written(this.#counter.total()),
      isEstimated: true,
      ...(toolCalls ? { toolCalls } : {}),
    }
  }
}

/** Whether the client has part of the answer after this event; roles, pings and usage do not count. */
export function isOutput(event: ChatEvent): boolean {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return event.delta !== ''
    case 'tool_start':
    case 'tool_args':
    case 'image':
    case 'audio':
    case 'finish':
    case 'blocked':
      return true
    case 'reasoning_state':
      return event.redacted === true
    default:
      return false
  }
}
