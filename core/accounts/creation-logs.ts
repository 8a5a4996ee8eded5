import type { Transaction } from 'sequelize'
import { logType } from '../contract/constants.ts'
import type { AccountService } from '../contract/account-services.ts'
import type { LogService } from '../contract/money-services.ts'
import type { OptionService } from '../contract/options.ts'
import { quotaText } from '../billing/quota-text.ts'
import type { CreatedAccount } from './create-account.ts'

/** Why somebody was given quota: a code for the console, and words for people who read the row itself. */
interface Gift {
  op: 'gift_account' | 'gift_invitee' | 'gift_inviter'
  reason: string
  /** The account that was invited. */
  id?: number
}

/** One row for each gift above 0. The super admin of the setup gets none. */
export async function writeCreationLogs(
  deps: { logs: LogService; options: OptionService },
  { row, gifts, inviterId, inviterName }: CreatedAccount,
  by: Parameters<AccountService['create']>[0]['by'],
  transaction: Transaction,
): Promise<void> {
  if (by === 'setup') return
  const write = async (to: { id: number; username: string }, amount: number, gift: Gift) => {
    if (amount <= 0) return
    await deps.logs.writeIn(
      {
        user_id: to.id,
        username: to.username,
        type: logType.system,
        content: `${gift.reason}: ${quotaText(amount, deps.options)}`,
        other: JSON.stringify({ op: gift.op, amount, id: gift.id }),
      },
      transaction,
    )
  }
  const inviter = { id: inviterId, username: inviterName }
  const reason = `Reward for inviting user ${row.id}`
  await write(row, gifts.newUser, { op: 'gift_account', reason: 'Gift for a new account' })
  await write(row, gifts.invitee, { op: 'gift_invitee', reason: 'Gift for using an invite code' })
  await write(inviter, gifts.inviter, { op: 'gift_inviter', reason, id: row.id })
}
