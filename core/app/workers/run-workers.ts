import { createLog } from '../../observability/log.ts'
import type { GatewaySettings } from '../gateway-settings.ts'
import { endWithParent, greet } from '../terminal.ts'
import { Supervisor } from './supervisor.ts'

/** Supervises until a signal asks it to stop, also while the workers are starting.
 *  @throws Error naming WORKERS on SQLite, whose books only one process may write (core/decisions/0026) */
export async function runWorkers(settings: GatewaySettings): Promise<void> {
  if (settings.databaseUrl === '')
    throw new Error(
      `WORKERS is ${settings.workers}, but the SQLite database in DATA_DIR is served by one process: set DATABASE_URL to a PostgreSQL database, or WORKERS to 1`,
    )
  const log = createLog(settings.logLevel)
  const supervisor = new Supervisor({ ...settings, log })
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    void supervisor.stop().then((code) => process.exit(code))
  }
  process.on('SIGTERM', stop)
  process.on('SIGHUP', stop)
  process.once('SIGINT', stop)
  if (process.argv.includes('--end-with-parent')) endWithParent(stop)
  try {
    greet(await supervisor.start())
  } catch (error) {
    // If the start was ended by a signal, it has not failed.
    if (!isStopping) throw error
  }
}
