import { logType } from '../contract/constants.ts'
import type { AccountService } from '../contract/account-services.ts'
import type { LogService } from '../contract/money-services.ts'
import type { OptionService } from '../contract/options.ts'
import { quotaText } from '../billing/quota-text.ts'
import type { CreatedAccount } from './create-account.ts'

/** One row for each gift above 0. The super admin of the setup gets none. */
export function writeCreationLogs(
  deps: { logs: LogService; options: OptionService },
  { row, gifts, inviterId, inviterName }: CreatedAccount,
  by: Parameters<AccountService['create']>[0]['by'],
): void {
  if (by === 'setup') return
  const write = (userId: number, username: string, units: number, reason: string) => {
    if (units <= 0) return
    const content = `${reason}: ${quotaText(units, deps.options)}`
    deps.logs.write({ user_id: userId, username, type: logType.system, content })
  }
  write(row.id, row.username, gifts.newUser, 'Gift for a new account')
  write(row.id, row.username, gifts.invitee, 'Gift for using an invite code')
  write(inviterId, inviterName, gifts.inviter, `Reward for inviting user ${row.id}`)
}
