// Spends through a ledger until it is killed: `node ledger-victim.ts SETTINGS_JSON NODE_ID`. Prints the id of every
// call whose settlement was confirmed, and makes other reservations that it never settles.
import { writeSync } from 'node:fs'
import { Ledger } from '../../../core/billing/ledger/ledger.ts'
import { openDatabase } from '../../../core/data/database.ts'
import { quietLog } from '../quiet-log.ts'
import { quietEvents } from '../quiet-events.ts'

const [settings = '{}', nodeId = ''] = process.argv.slice(2)
const database = await openDatabase({ ...JSON.parse(settings), log: quietLog })
const ledger = await Ledger.open({ database, nodeId, log: quietLog, events: quietEvents })
await ledger.recover()
writeSync(1, 'ready\n')
await Promise.all(Array.from({ length: 32 }, (_, caller) => spend(caller)))

async function spend(caller: number): Promise<void> {
  for (let call = 0; ; call += 1) {
    const requestId = `${nodeId}-${caller}-${call}`
    const input = { requestId, userId: 1, tokenId: 1, isTokenLimited: true, units: 50 }
    const reservation = await ledger.reserve(input)
    if (call % 10 === 9) continue
    const log = {
      user_id: 1,
      username: 'spender',
      created_at: 1,
      type: 2,
      content: '',
      token_name: '',
      token_id: 1,
      model_name: 'm',
      quota: 7,
      prompt_tokens: 1,
      completion_tokens: 1,
      use_time_ms: 0,
      is_stream: false,
      channel_id: 0,
      group: 'default',
      other: '',
      request_id: requestId,
    }
    await ledger.settle(reservation, { units: 7, channelId: 0, log })
    writeSync(1, `${requestId}\n`)
  }
}
