// `node test/bench/ledger.ts [seconds] [concurrency]`: how many calls per second the ledger alone reserves, settles and
// logs, each waiting for its commit, on every database of this machine.
import { driverKinds, quietLog } from '../harness/databases.ts'
import { quietEvents } from '../harness/quiet-events.ts'
import { Ledger } from '../../core/billing/ledger/ledger.ts'
import type { LogRow } from '#core'

const seconds = Number(process.argv[2] ?? 5)
const concurrency = Number(process.argv[3] ?? 64)
const userCount = 8
const reservedUnits = 2_000
const chargedUnits = 115

const other = JSON.stringify({
  model_ratio: 1.25,
  group_ratio: 1,
  completion_ratio: 4,
  cache_tokens: 0,
  cache_ratio: 0.5,
  model_price: -1,
  frt: 123,
  admin_info: {
    use_channel: ['1'],
    attempts: [{ channel_id: 1, status: 200, duration_ms: 1_200 }],
  },
  receipt: {
    lines: [
      { part: 'input', count: 12, unit_price: '1.25', amount: '15' },
      { part: 'output', count: 20, unit_price: '5', amount: '100' },
    ],
    total: chargedUnits,
    rule: 'completed',
  },
})

for (const { name, create } of driverKinds) {
  const { database, close } = await create()
  for (let id = 1; id <= userCount; id += 1) {
    await database.run(
      `INSERT INTO users (id, username, quota) VALUES (:id, :name, 100000000000)`,
      { id, name: `user${id}` },
    )
  }
  const ledger = await Ledger.open({
    database,
    nodeId: 'bench',
    log: quietLog,
    events: quietEvents,
  })
  const latencies: number[] = []
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const callers = Array.from({ length: concurrency }, async (_, caller) => {
    for (let call = 0; performance.now() - startedAt < seconds * 1000; call += 1) {
      const beganAt = performance.now()
      await oneCall(ledger, `${name}-${caller}-${call}`, 1 + (caller % userCount))
      latencies.push(performance.now() - beganAt)
    }
  })
  await Promise.all(callers)
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((a, b) => a - b)
  console.log(
    `${name}: ${Math.round((latencies.length / elapsedMs) * 1000)} settlements/s at ${concurrency}, ` +
      `median ${at(latencies, 0.5)} ms, 99 % ${at(latencies, 0.99)} ms, ` +
      `CPU ${Math.round((user + system) / latencies.length)} µs each`,
  )
  await ledger.close()
  await close()
}

async function oneCall(ledger: Ledger, requestId: string, userId: number): Promise<void> {
  const reservation = await ledger.reserve({
    requestId,
    userId,
    tokenId: userId,
    isTokenLimited: false,
    units: reservedUnits,
  })
  await ledger.settle(reservation, {
    units: chargedUnits,
    channelId: 1,
    log: logRow(requestId, userId),
  })
}

function logRow(requestId: string, userId: number): LogRow {
  return {
    user_id: userId,
    username: `user${userId}`,
    created_at: Math.floor(Date.now() / 1000),
    type: 2,
    content: 'model ratio 1.25, completion ratio 4.00, group ratio 1.00',
    token_name: 'bench',
    token_id: userId,
    model_name: 'gpt-4o',
    quota: chargedUnits,
    prompt_tokens: 12,
    completion_tokens: 20,
    use_time_ms: 1_234,
    is_stream: false,
    channel_id: 1,
    group: 'default',
    other,
    request_id: requestId,
  }
}

function at(sorted: readonly number[], part: number): string {
  return (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2)
}
