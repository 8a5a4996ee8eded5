import { type Caller, logType, type PluginServices, quotaText } from '#core'
import { nowSeconds } from './codes.ts'
import { codeByHash, takeCode } from './codes-sql.ts'
import { codeExpired, codeMissing, codeUnknown, codeUsed } from './code-errors.ts'
import { codeStatus } from './schema.ts'

type Services = Pick<PluginServices, 'database' | 'ledger' | 'logs' | 'options' | 'secrets'>

/** Adds the value of the code to the caller's balance. One conditional statement marks the code as used; ledger entry and log row are written in the
 *  same transaction. So of any number of concurrent calls, on any number of nodes, exactly one succeeds.
 *  @returns the units added
 *  @throws redemptions.code_missing, redemptions.code_unknown, redemptions.code_used, redemptions.code_expired */
export async function redeem(services: Services, caller: Caller, text: string): Promise<number> {
  const { database, ledger, logs, options, secrets } = services
  const key = text.trim()
  if (key === '') throw codeMissing({}, { field: 'key' })
  const hash = secrets.lookup('redemption', key)
  const taken = await database.transaction(async (transaction) => {
    const now = nowSeconds()
    const code = await takeCode(database, { hash, userId: caller.id, now }, transaction)
    if (!code) return undefined
    const ref = `redemption:${code.id}`
    await ledger.change({
      userId: caller.id,
      units: code.quota,
      kind: 'topup',
      ref,
      transaction,
    })
    const row = {
      user_id: caller.id,
      username: caller.username,
      type: logType.topup,
      content: `Redeemed code ${code.id}: ${quotaText(code.quota, options)}`,
      other: JSON.stringify({ op: 'redeem', amount: code.quota, redemption_id: code.id }),
    }
    await logs.writeIn(row, transaction)
    return code
  })
  if (!taken) throw await refusalOf(database, hash)
  return taken.quota
}

/** Used and disabled codes get the same error. */
async function refusalOf(database: PluginServices['database'], hash: string) {
  const code = await codeByHash(database, hash)
  if (!code) return codeUnknown({}, { field: 'key' })
  return code.status === codeStatus.unused && code.expired_time > 0
    ? codeExpired({}, { field: 'key' })
    : codeUsed({}, { field: 'key' })
}
