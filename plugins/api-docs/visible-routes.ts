import type { FastifyInstance } from 'fastify'

type Route = FastifyInstance['routeTable'][number]

const shownMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The lowest role for each access. Relay routes require a key and are visible to everybody. */
const leastRole = { public: 0, 'try-user': 0, session: 1, user: 1, admin: 10, root: 100 } as const

/** The routes that a user of this role may call. Others are left out: a visitor's document has only the public calls
 *  and those of the relay. */
export function visibleRoutes(
  routes: readonly Route[],
  role: number,
  optionMinRole: number,
): Route[] {
  const least = { ...leastRole, options: optionMinRole }
  const seen = new Set<string>()
  return routes.filter((route) => {
    const { method, path, access, dialect } = route
    if (!shownMethods.has(method) || isHidden(path)) return false
    if (access === undefined ? dialect === undefined : least[access] > role) return false
    const key = `${method} ${path.replace(/(?<=.)\/$/, '')}`
    return !seen.has(key) && Boolean(seen.add(key))
  })
}

/** The pages themselves, and the second form of drawing routes (`/:mode/mj/…`). */
function isHidden(path: string): boolean {
  return /^\/[:*]/.test(path) || path === '/docs' || path.startsWith('/docs/')
}
