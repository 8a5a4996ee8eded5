// As in guard-contributions.ts: a faulty client dialect affects only the calls in it.
import type { ClientDialect } from '../../contract/client-dialect.ts'
import type { ClientError, StreamWriter } from '../../contract/dialect.ts'
import { AppError, errorType } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { Logger } from '../../contract/services.ts'
import type { Meter } from './measures.ts'

const dialectFailed = errorType(
  'relay.dialect_failed',
  500,
  { en: 'This API of the gateway failed. Try again.', zh: '网关的此接口出错，请重试。' },
  { relay: 'internal_error' },
)

const lists = ['system', 'turns', 'tools', 'hostedTools'] as const
/** Names that the gateway serves or that the console uses. */
const taken: ReadonlySet<string> = new Set(
  'api v1 v1beta v2 dashboard assets sdk plugin-assets'.split(' '),
)

/** @throws Error for an address that belongs to something else */
export function guardDialect(entry: ClientDialect, meter: Meter, log: Logger): ClientDialect {
  checkAddresses(entry)
  const blame: Blame = (error) => {
    log.error({ err: error, dialect: entry.id }, 'a client dialect failed')
  }
  return {
    ...entry,
    parseRequest(body, call) {
      try {
        return meter.run(() => {
          const request = entry.parseRequest(body, call)
          checkRequest(request)
          return request
        })
      } catch (error) {
        if (error instanceof AppError) throw error
        blame(error)
        throw dialectFailed({}, { cause: error })
      }
    },
    writeAnswer(events, meta) {
      try {
        return meter.run(() => bodyOf(entry.writeAnswer(events.map(copyOf), meta), 'writeAnswer()'))
      } catch (error) {
        blame(error)
        throw error
      }
    },
    streamWriter: (meta) => guardWriter(() => entry.streamWriter(meta), meter, blame),
    writeError(error) {
      try {
        return bodyOf(entry.writeError(error), 'writeError()')
      } catch (cause) {
        blame(cause)
        return { error: { message: error.message, code: error.code } }
      }
    },
    streamError: (error) => orNothing(() => entry.streamError(error), 'streamError()', blame),
  }
}

type Blame = (error: unknown) => void

/** A failure ends the stream; the client gets `error`, or nothing if that fails too. */
function guardWriter(make: () => StreamWriter, meter: Meter, blame: Blame): StreamWriter {
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      countFault(meter, error)
      blame(error)
      throw error
    }
  }
  const writer = guarded(() => writerOf(make()))
  return {
    write: (event) => guarded(() => textOf(writer.write(copyOf(event)), 'write()')),
    end: () => guarded(() => textOf(writer.end(), 'end()')),
    error: (error: ClientError) => orNothing(() => writer.error(error), 'error()', blame),
  }
}

function countFault(meter: Meter, error: unknown): void {
  try {
    meter.run(() => {
      throw error
    })
  } catch {
    // Only counted.
  }
}

function orNothing(work: () => unknown, name: string, blame: Blame): string {
  try {
    return textOf(work(), name)
  } catch (error) {
    blame(error)
    return ''
  }
}

function writerOf(made: unknown): StreamWriter {
  if (!isWriter(made)) throw new TypeError('streamWriter() gave no writer')
  return made
}

function isWriter(made: unknown): made is StreamWriter {
  return (
    typeof made === 'object' &&
    made !== null &&
    ['write', 'end', 'error'].every((name) => typeof Reflect.get(made, name) === 'function')
  )
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw new TypeError(`${name} gave no text`)
}

/** @throws TypeError if it is not an object that JSON can express */
function bodyOf(value: unknown, name: string): JsonObject {
  if (!isObject(value) || value instanceof Promise) throw new TypeError(`${name} gave no object`)
  JSON.stringify(value)
  return value
}

/** A copy, so that a dialect cannot change what is charged, logged and stored. */
function copyOf(event: ChatEvent): ChatEvent {
  return event.type === 'usage' ? { ...event, usage: { ...event.usage } } : { ...event }
}

function checkAddresses({ id, routes }: ClientDialect): void {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(id) || taken.has(id))
    throw new Error(`dialect "${id}" has an id that is no part of an address, or another's`)
  for (const { path } of routes)
    if (!path.startsWith(`/${id}/`) || !/^(?:\/:?[A-Za-z0-9._-]+)+$/.test(path))
      throw new Error(`dialect "${id}" has the route ${path}, which must begin with /${id}/`)
}

function checkRequest(request: unknown): void {
  if (!isObject(request)) throw new TypeError('parseRequest() gave no request')
  const missing = lists.find((name) => !Array.isArray(request[name]))
  if (missing !== undefined) throw new TypeError(`the request has no list "${missing}"`)
  if (typeof request['model'] !== 'string' || typeof request['stream'] !== 'boolean')
    throw new TypeError('the request says no model, or not whether it is streamed')
  if (!(request['turns'] as unknown[]).every(isTurn))
    throw new TypeError('the request has a turn without a role or parts')
  if (!(request['tools'] as unknown[]).every(isNamed))
    throw new TypeError('the request has a tool without a name')
}

function isTurn(turn: unknown): boolean {
  if (!isObject(turn) || !Array.isArray(turn['parts'])) return false
  const isPart = (part: unknown) => isObject(part) && typeof part['kind'] === 'string'
  return (turn['role'] === 'user' || turn['role'] === 'model') && turn['parts'].every(isPart)
}

function isNamed(tool: unknown): boolean {
  return isObject(tool) && typeof tool['name'] === 'string'
}
