import { pino, type Logger, type LoggerOptions } from 'pino'
import type { Redaction } from '../secrets/redaction.ts'
import { LogOutput } from './log-output.ts'

export type Log = Logger

/** Structured lines with request ids; no secret and no prompt text: what might hold one is cut out by name, and
 *  `redaction` looks through each line for keys.
 *  @param worker stands in each line, where several processes write to one log */
export function createLog(level: string, redaction?: Redaction, worker?: number): Log {
  const output = new LogOutput((lines) =>
    log.warn({ lines }, 'log lines were dropped, for they could not be written'),
  )
  const options: LoggerOptions = {
    level,
    base: worker === undefined ? undefined : { worker },
    ...(redaction ? { hooks: { streamWrite: (line) => redaction.line(line) } } : {}),
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: readError },
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
  }
  const log: Log = pino(options, output)
  return log
}

/** What a plugin throws may throw again when it is read: the line comes all the same. */
function readError(error: Error): unknown {
  try {
    const read: unknown = pino.stdSerializers.err(error)
    JSON.stringify(read)
    return read
  } catch {
    return { type: 'Error', message: 'an error that cannot be read' }
  }
}
