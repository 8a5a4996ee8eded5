import type { FastifyRequest } from 'fastify'
import { role } from '../../contract/constants.ts'
import { errorType } from '../../contract/errors.ts'

/** With the status that the console of this API reads as "for demonstration only". */
const readOnly = errorType('demo.read_only', 405, {
  en: 'This is a demo site: only its super admin can change anything.',
  zh: '本站为演示站点，仅超级管理员可以修改内容。',
})

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The accounts of a demo site are anybody's. They look at everything and try the models; who changed a password, a channel or a
 * setting would have it for himself, so that is left to the super admin.
 * @throws demo.read_only
 */
export function refuseInDemo(request: FastifyRequest): void {
  const { demo, relay, takesForms, takesBytes } = request.routeOptions.config
  // Payment providers tell what has happened, and that is so.
  if (relay || takesForms || takesBytes || demo === 'open') return
  const { caller } = request
  const isClosed = demo === 'sign-in' ? caller !== null : demo === 'closed'
  if (!isClosed && reading.has(request.method)) return
  if (caller && caller.role >= role.root) return
  throw readOnly()
}
