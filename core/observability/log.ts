import { pino, type Logger, type LoggerOptions } from 'pino'
import type { LogRedaction } from '../secrets/log-redaction.ts'
import { LogOutput } from './log-output.ts'

export type Log = Logger

const errorFields = ['err', 'error']
/** What errors of databases and HTTP clients hold besides their reason. */
const hidden = ['config', 'sql', 'parameters', 'original', 'parent']

/** Creates a log of structured lines with request ids. It contains no secrets and no texts of prompts: fields that
 *  might hold some are removed by name, and `redaction` searches each line for keys.
 *  @param worker part of each line if several processes write to one log */
export function createLog(level: string, redaction?: LogRedaction, worker?: number): Log {
  const output = new LogOutput((lines) =>
    log.warn({ lines }, 'log lines were dropped, for they could not be written'),
  )
  const options: LoggerOptions = {
    level,
    base: worker === undefined ? null : { worker },
    ...(redaction ? { hooks: { streamWrite: (line) => redaction.line(line) } } : {}),
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: readError, error: readError },
    redact: {
      paths: [
        '*.authorization',
        '*.cookie',
        '*.password',
        '*.key',
        '*.secret',
        '*.token',
        '*["x-api-key"]',
        ...errorFields.flatMap((field) => hidden.map((part) => `${field}.${part}`)),
      ],
      censor: '***',
    },
  }
  const log: Log = pino(options, output)
  return log
}

/** Reading an error that a plugin has thrown may throw again. The log line is written all the same. */
function readError(error: Error): unknown {
  try {
    const read: unknown = pino.stdSerializers.err(error)
    JSON.stringify(read)
    return read
  } catch {
    return { type: 'Error', message: 'an error that cannot be read' }
  }
}
