// Audio is sold by the minute; these functions turn lengths into the tokens that ratios apply to.

/** Each started second counts; a minute is 1 000 tokens. */
export function transcriptionTokens(seconds: number): number {
  return Math.round((Math.ceil(Math.max(0, seconds)) / 60) * 1000)
}

/** Whether the model's speech is sold by the tokens of its sound besides those of its text (platform.openai.com, pricing). */
export function sellsSound(model: string): boolean {
  return model.startsWith('gpt-') && model.includes('-tts')
}

/** Tokens of speech without reported usage: USD 0.015 a minute at 12 per million, as on the same page. */
export function speechTokens(seconds: number): number {
  return Math.round((seconds / 60) * 1250)
}

/** Likely tokens of speech before it is made: people speak about three and a half tokens of text a second. */
export function likelySpeechTokens(textTokens: number): number {
  return speechTokens(textTokens / 3.5)
}

type RealtimeFormat = 'pcm16' | 'g711_ulaw' | 'g711_alaw'

/** Length of raw realtime audio: pcm16 is 24 000 samples of two bytes a second, g711 8 000 of one. */
export function realtimeSeconds(bytes: number, format: RealtimeFormat): number {
  return bytes / (format === 'pcm16' ? 24_000 * 2 : 8_000)
}

/** Realtime audio without reported usage: USD 0.06 a minute in at 100 per million tokens, 0.24 out at 200. */
export function realtimeTokens(seconds: { input: number; output: number }): {
  input: number
  output: number
} {
  return {
    input: Math.round(((seconds.input / 60) * 100) / 0.06),
    output: Math.round(((seconds.output / 60) * 200) / 0.24),
  }
}
