import type { RouteFacts } from '../http/route-table.ts'
import { assemble, readSettings } from '../main.ts'

/**
 * `tollgate routes`: one line a route, for a review of what is open to whom: method, path, access, owner.
 * Takes the data directory like a gateway would, so it does not run beside one on SQLite.
 * @returns the exit code
 */
export async function listRoutes(print: (line: string) => void): Promise<number> {
  const gateway = await assemble({ ...readSettings(), logLevel: 'error' }, { isServing: false })
  try {
    const { routeTable } = gateway.host.current.app
    for (const route of inOrder(routeTable)) {
      print([route.method, route.path, route.access ?? '-', route.owner].join('\t'))
    }
    return 0
  } finally {
    await gateway.host.close()
    await gateway.services.close()
    gateway.releaseDataDir()
  }
}

function inOrder(routes: readonly RouteFacts[]): readonly RouteFacts[] {
  const place = ({ path, method }: RouteFacts) => `${path} ${method}`
  return routes.toSorted((left, right) => (place(left) < place(right) ? -1 : 1))
}
