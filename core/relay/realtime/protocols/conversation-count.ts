import { isPlausible } from '../../../billing/counting/plausible-output.ts'
import { TokenCounter } from '../../../billing/counting/count-tokens.ts'
import type { Usage } from '../../../contract/neutral.ts'
import { noUsage } from '../../../dialects/neutral/usage.ts'

/** OpenAI's documentation counts a token of English as four characters. */
const CHARS_PER_TOKEN = 4

/** Seconds of sound in tokens. */
type SoundTokens = (seconds: { input: number; output: number }) => { input: number; output: number }

/** Texts and seconds of sound in both directions since the last answer that was charged, for upstreams that report nothing or too little. */
export class ConversationCount {
  readonly #model: string
  readonly #soundTokens: SoundTokens
  #inputSeconds = 0
  #outputSeconds = 0
  #inputText: CountedText
  #outputText: CountedText

  constructor(model: string, soundTokens: SoundTokens) {
    this.#model = model
    this.#soundTokens = soundTokens
    this.#inputText = new CountedText(model)
    this.#outputText = new CountedText(model)
  }

  get hasOutput(): boolean {
    return this.#outputSeconds > 0 || this.#outputText.length > 0
  }

  addInput({ seconds = 0, text }: { seconds?: number; text?: unknown }): void {
    this.#inputSeconds += seconds
    if (typeof text === 'string') this.#inputText.add(text)
  }

  addOutput({ seconds = 0, text }: { seconds?: number; text?: unknown }): void {
    this.#outputSeconds += seconds
    if (typeof text === 'string') this.#outputText.add(text)
  }

  startAnew(): void {
    this.#inputSeconds = 0
    this.#outputSeconds = 0
    this.#inputText = new CountedText(this.#model)
    this.#outputText = new CountedText(this.#model)
  }

  counted(): Usage {
    return this.#usage((text) => text.tokens())
  }

  /** A quick estimate of the same, without loading the tables of an encoding. */
  roughly(): Usage {
    return this.#usage((text) => Math.ceil(text.length / CHARS_PER_TOKEN))
  }

  /** The usage of an answer that has ended: as the upstream reports it, if that is plausible for what came, else by our count. */
  answer(told: Usage | undefined): Usage | undefined {
    const reported = told && this.#withPrompt(told)
    if (!this.hasOutput) return reported
    if (reported && reported.output > 0 && isPlausible(reported, this.#delivered())) return reported
    const counted = this.counted()
    if (!reported) return counted
    const { output, outputAudio } = counted
    return { ...reported, output, outputAudio, isEstimated: true }
  }

  /** No prompt is empty. */
  #withPrompt(reported: Usage): Usage {
    if (reported.input > 0 || reported.output === 0) return reported
    const { input, inputAudio } = this.counted()
    return { ...reported, input, inputAudio, isEstimated: true }
  }

  /** What was delivered, as text or as sound. If both came, one is the transcript of the other, and the larger counts. */
  #delivered(): { chars: number; tokens: () => number } {
    const larger = ({ output, outputAudio }: Usage) => Math.max(output - outputAudio, outputAudio)
    return {
      chars: larger(this.roughly()) * CHARS_PER_TOKEN,
      tokens: () => larger(this.counted()),
    }
  }

  #usage(tokensOf: (text: CountedText) => number): Usage {
    const sound = this.#soundTokens({ input: this.#inputSeconds, output: this.#outputSeconds })
    return {
      ...noUsage,
      input: tokensOf(this.#inputText) + sound.input,
      inputAudio: sound.input,
      output: tokensOf(this.#outputText) + sound.output,
      outputAudio: sound.output,
      isEstimated: true,
    }
  }
}

class CountedText {
  readonly #counter: TokenCounter
  length = 0

  constructor(model: string) {
    this.#counter = new TokenCounter(model)
  }

  add(text: string): void {
    this.length += text.length
    this.#counter.add(text)
  }

  tokens(): number {
    return this.#counter.total()
  }
}

export function bytesOf(base64: unknown): number {
  return typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0
}
