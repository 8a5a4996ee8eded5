import { pino, type Logger } from 'pino'

export type Log = Logger

/** Structured lines with request ids; no secret and no prompt text: what might hold one is cut out by name. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
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
