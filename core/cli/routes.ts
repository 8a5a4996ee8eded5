import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../data/database.ts'
import { migrate } from '../data/migrate.ts'
import { plainRows } from '../data/models/define-model.ts'
import { plugins } from '../data/models/plugin.ts'
import type { RouteFacts } from '../http/route-table.ts'
import { installedFolder } from '../installs/plugin-store.ts'
import { readSettings } from '../app/configuration.ts'
import { createLog } from '../observability/log.ts'
import { openIfThere, whileOpen } from './open-database.ts'
import { withGateway } from './with-gateway.ts'
import type { Print } from './print.ts'

/** `tollgate routes`: prints method, path, access and owner of each route, for a review of who may call what. From the
 *  configured gateway it only reads which plugins are installed and on. They are loaded with an empty database, so the
 *  command runs beside a gateway and changes nothing.
 *  @returns the exit code */
export async function listRoutes(print: Print): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-routes-'))
  try {
    await furnish(dataDir)
    for (const { method, path, access, owner } of inOrder(await routesOver(dataDir))) {
      print([method, path, access ?? '-', owner].join('\t'))
    }
    return 0
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Gives the empty database the installed plugins and their state. Without a gateway, they are those of a first start. */
async function furnish(dataDir: string): Promise<void> {
  const installed = installedFolder(readSettings().dataDir)
  if (existsSync(installed)) await symlink(installed, installedFolder(dataDir))
  const rows = await storedPlugins()
  if (rows.length === 0) return
  const log = createLog('error')
  await whileOpen(await openDatabase({ dataDir, log }), async (database) => {
    await migrate(database, log)
    await plugins(database).bulkCreate(rows)
  })
}

async function storedPlugins() {
  const database = await openIfThere()
  return database ? plainRows(await whileOpen(database, () => plugins(database).findAll())) : []
}

function routesOver(dataDir: string): Promise<readonly RouteFacts[]> {
  const own = { dataDir, databaseUrl: '', redisUrl: '' }
  return withGateway(({ host }) => host.current.app.routeTable, own)
}

function inOrder(routes: readonly RouteFacts[]): readonly RouteFacts[] {
  const place = ({ path, method }: RouteFacts) => `${path} ${method}`
  return routes.toSorted((left, right) => (place(left) < place(right) ? -1 : 1))
}
