// Finds headers in a plugin's answers that cannot be sent, such as one with a line break. If they were found only when
// they are written, the error answer would come in Fastify's form, or not at all if a hook is awaited.
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorType } from '../contract/errors.ts'

const longestName = 100

const refused = new WeakSet<FastifyRequest>()

const headerBroken = errorType<{ plugin: string; header: string }>('server.header_broken', 500, {
  en: 'The plugin {plugin} answered with a header that cannot be sent ({header}).',
  zh: '插件 {plugin} 的响应中有无法发送的标头（{header}）。',
})

/** Runs as the last hook of a plugin's route. */
export function refuseBrokenHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const broken = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    isSendable(name, value) ? [] : [name],
  )
  const [first] = broken
  if (first === undefined) return done(null, payload)
  for (const name of broken) reply.removeHeader(name)
  // This is already the error answer, in which a hook has set the headers again.
  if (refused.has(request)) return done(null, payload)
  refused.add(request)
  const { url: route, config } = request.routeOptions
  const { owner: plugin = '' } = config
  const header = first.slice(0, longestName)
  const facts = { plugin, route, header, requestId: request.id }
  request.log.error(facts, 'a plugin answered with a header that cannot be sent')
  done(headerBroken({ plugin, header }))
}

function isSendable(name: string, value: unknown): boolean {
  try {
    validateHeaderName(name)
    for (const one of [value].flat()) validateHeaderValue(name, String(one))
    return true
  } catch {
    return false
  }
}
