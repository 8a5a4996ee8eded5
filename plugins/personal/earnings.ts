import { errorType, quotaText, type Caller, type PluginServices, logType } from '#core'

const belowMinimum = errorType<{ minimum: string }>('personal.transfer_minimum', 400, {
  en: 'The transfer amount minimum is {minimum}.',
  zh: '划转额度最低为 {minimum}。',
})

type Services = Pick<PluginServices, 'accounts' | 'logs' | 'options'>

/** Moves invite earnings into the balance; at least one unit of QuotaPerUnit.
 *  @throws personal.transfer_minimum, account.aff_quota_insufficient */
export async function transferEarnings(
  { accounts, logs, options }: Services,
  caller: Caller,
  units: number,
): Promise<void> {
  const minimum = options.get<number>('QuotaPerUnit')
  if (units < minimum) {
    throw belowMinimum({ minimum: quotaText(minimum, options) }, { field: 'quota' })
  }
  const row = {
    user_id: caller.id,
    username: caller.username,
    type: logType.system,
    content: `Invite earnings moved to the balance: ${quotaText(units, options)}`,
    other: JSON.stringify({ op: 'invite_earnings', amount: units }),
  }
  await accounts.transferAffQuota(caller.id, units, (transaction) => logs.writeIn(row, transaction))
}
