import type { FastifyRequest } from 'fastify'
import { role } from '../../contract/constants.ts'
import { errorType } from '../../contract/errors.ts'
import { safeMethods } from './same-site.ts'

/** With this status the console shows "for demonstration only". */
const readOnly = errorType('demo.read_only', 405, {
  en: 'This is a demo site: only its super admin can change anything.',
  zh: '本站为演示站点，仅超级管理员可以修改内容。',
})

/** Anybody may sign in to the accounts of a demo site. They may look at everything and try the models, but changes to
 *  passwords, channels or settings would affect all other visitors, so only the super admin may make them.
 *  @throws demo.read_only */
export function refuseInDemo(request: FastifyRequest): void {
  const { demo, relay, takesForms, takesBytes } = request.routeOptions.config
  // Notices of payment providers report something that has really happened.
  if (relay || takesForms || takesBytes || demo === 'open') return
  const { caller } = request
  const isClosed = demo === 'sign-in' ? caller !== null : demo === 'closed'
  if (!isClosed && safeMethods.has(request.method)) return
  if (caller && caller.role >= role.root) return
  throw readOnly()
}
