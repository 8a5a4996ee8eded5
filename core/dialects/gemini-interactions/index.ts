// Google's Interactions API, for clients only: upstreams are asked in another dialect. Source: ai.google.dev/gemini-api/docs/interactions.
import type { ClientDialect } from '../../contract/client-dialect.ts'
import { InteractionWriter, streamError } from './write-stream.ts'
import { writeAnswer } from './write-answer.ts'

/** How its answers are written. */
export const interactionWriters: Pick<
  ClientDialect,
  'writeAnswer' | 'streamWriter' | 'writeError' | 'streamError'
> = {
  writeAnswer,
  streamWriter: (meta) => new InteractionWriter(meta),
  writeError: ({ status, message, geminiStatus, code }) => ({
    error: { code: String(code ?? status), message, status: geminiStatus },
  }),
  streamError,
}
