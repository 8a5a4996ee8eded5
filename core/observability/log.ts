import { pino, type Logger } from 'pino'
import type { Redaction } from '../secrets/redaction.ts'

export type Log = Logger

/** Structured lines with request ids; no secret and no prompt text: what might hold one is cut out by name, and
 *  `redaction` looks through each line for keys. */
export function createLog(level: string, redaction?: Redaction): Log {
  return pino({
    level,
    base: undefined,
    ...(redaction ? { hooks: { streamWrite: (line) => redaction.line(line) } } : {}),
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        '*.authorization',
        '*.cookie',
        '*.password',
        '*.key',
        '*.secret',
        '*.token',
        '*["x-api-key"]',
        'err.config',
        'err.sql',
        'err.parameters',
        'err.original',
        'err.parent',
      ],
      censor: '***',
    },
  })
}
