// Tasks beside the relay of an adapter's room: real routes, rows and polls over their own database.
import type { FastifyInstance } from 'fastify'
import type { Adapter } from '#core'
import type { Ledger } from '../../../core/billing/ledger/ledger.ts'
import { Contributions } from '../../../core/kernel/contributions.ts'
import type { RelayDeps } from '../../../core/relay/call/relay-deps.ts'
import { createTasks } from '../../../core/tasks/tasks.ts'
import { createSecrets } from '../../../core/secrets/secrets.ts'
import { createSqlite } from '../sqlite.ts'

export interface TaskRoom {
  /** Runs the poller once. */
  poll(): Promise<void>
  close(): Promise<void>
}

export async function openTaskRoom(
  app: FastifyInstance,
  adapter: Adapter,
  relay: RelayDeps,
): Promise<TaskRoom> {
  const { database, close } = await createSqlite()
  const contributions = new Contributions()
  contributions.addAdapter(adapter)
  // The ledger of the room keeps log rows only, so the effects of a charge on the task are written here.
  const ledger: Pick<Ledger, 'settle' | 'refund'> = {
    settle: async (reservation, input) => {
      if (input.alongside !== undefined) await database.batch(input.alongside)
      await relay.ledger.settle(reservation, input)
    },
    refund: () => Promise.resolve(),
  }
  const tasks = createTasks(
    { ...relay, database, ledger, secrets: createSecrets(Buffer.alloc(32)) },
    { pollSeconds: 1, isPolling: true },
  )
  tasks.addJobs(contributions)
  for (const { register } of tasks.routes(contributions, relay)) await register(app)
  const [job] = contributions.jobs.list()
  return {
    poll: () => job?.run(new AbortController().signal) ?? Promise.resolve(),
    close,
  }
}
