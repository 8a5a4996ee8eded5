// As in guard-contributions.ts: what a client dialect does wrong costs the calls in it.
import type { ClientDialect } from '../contract/client-dialect.ts'
import { AppError, errorType } from '../contract/errors.ts'
import { isObject } from '../contract/json.ts'
import type { Logger } from '../contract/services.ts'
import type { Meter } from './measures.ts'

const dialectFailed = errorType(
  'relay.dialect_failed',
  500,
  { en: 'This API of the gateway failed. Try again.', zh: '网关的此接口出错，请重试。' },
  { relay: 'internal_error' },
)

const lists = ['system', 'turns', 'tools', 'hostedTools'] as const
/** What the gateway serves or the console shows. */
const taken: ReadonlySet<string> = new Set(
  'api v1 v1beta v2 dashboard assets sdk plugin-assets'.split(' '),
)

/** @throws Error for an address that is not its own */
export function guardDialect(entry: ClientDialect, meter: Meter, log: Logger): ClientDialect {
  checkAddresses(entry)
  const blame = (error: unknown) =>
    log.error({ err: error, dialect: entry.id }, 'a client dialect failed')
  return {
    ...entry,
    parseRequest(body, call) {
      try {
        const request = meter.run(() => entry.parseRequest(body, call))
        checkRequest(request)
        return request
      } catch (error) {
        if (error instanceof AppError) throw error
        blame(error)
        throw dialectFailed({}, { cause: error })
      }
    },
    writeAnswer: (events, meta) => meter.run(() => entry.writeAnswer(events, meta)),
    streamWriter: (meta) => entry.streamWriter(meta),
    writeError(error) {
      try {
        return entry.writeError(error)
      } catch (cause) {
        blame(cause)
        return { error: { message: error.message, code: error.code } }
      }
    },
    streamError(error) {
      try {
        return entry.streamError(error)
      } catch (cause) {
        blame(cause)
        return ''
      }
    },
  }
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
}
