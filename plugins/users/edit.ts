import {
  errorType,
  manageRow,
  quotaText,
  type Caller,
  type NewUserBody,
  type PluginServices,
  type Transaction,
  type UserBody,
  type UserRecord,
  role,
} from '#core'
import { type Edited, logAction, logEdit, nameOf } from './account-log.ts'
import { liveUser } from './find-user.ts'
import { checkReach, checkSentRole } from './role-rules.ts'
import type { ManageBody } from './schema.ts'

const incomplete = errorType('users.incomplete', 400, {
  en: 'The user name and the password cannot be empty.',
  zh: '用户名和密码不能为空。',
})
const quotaNegative = errorType('users.quota_negative', 400, {
  en: 'The quota cannot be below 0.',
  zh: '额度不能小于 0。',
})
const groupUnknown = errorType<{ group: string }>('users.group_unknown', 400, {
  en: 'There is no group "{group}".',
  zh: '分组“{group}”不存在。',
})

const noChange = errorType('users.no_change', 400, {
  en: 'Say how much is added, or below 0 how much is taken.',
  zh: '请填写要增加的额度，减少请填负数。',
})

type Services = Pick<
  PluginServices,
  'accounts' | 'ledger' | 'logs' | 'options' | 'pricing' | 'secrets'
>

/** Creates a normal user of the group default.
 *  @throws users.*, account.* */
export async function createUser(
  { accounts, logs }: Pick<Services, 'accounts' | 'logs'>,
  caller: Caller,
  body: NewUserBody,
): Promise<void> {
  const username = (body.username ?? '').trim()
  const password = body.password ?? ''
  if (username === '' || password === '') throw incomplete()
  checkSentRole(caller, body.role, { isCreation: true })
  const user = await accounts.create({
    username,
    password,
    by: 'admin',
    caller,
    ...(body.display_name ? { display_name: body.display_name } : {}),
  })
  logAction({ logs }, caller, user, 'create')
}

/** Fields that are left out stay as they are, and so does a blank password. All changes are made, or none.
 *  @throws users.*, account.*, auth.proof_needed for the password of an admin */
export async function editUser(
  services: Services,
  caller: Caller,
  body: UserBody,
  { requireProof }: { requireProof(): void },
): Promise<void> {
  const target = await liveUser(services.accounts, body.id)
  checkReach(caller, target)
  checkSentRole(caller, body.role, { isCreation: false })
  // This includes the super admin's own account: an open session or a leaked token must not be enough to take it
  // over.
  if (body.password && target.role >= role.admin) requireProof()
  const changes = changesOf(services, target, body)
  const balance = readBalance(body)
  await applyEdit(services, { caller, target, balance, shown: body.shown ?? undefined }, changes)
}

/** Adds to a balance or takes from it, whatever its value is by then, so that spending in the meantime is kept.
 *  @throws users.*, quota.insufficient if more is taken than is left, quota.too_large */
export async function changeQuota(
  services: Services,
  caller: Caller,
  body: ManageBody,
): Promise<{ role: number; status: number; quota: number }> {
  const units = body.value ?? 0
  if (units === 0) throw noChange({}, { field: 'value' })
  const target = await liveUser(services.accounts, body.id)
  checkReach(caller, target)
  const { accounts, ledger, secrets } = services
  let after = target.quota
  await accounts.update(
    target.id,
    {},
    {
      caller,
      alongside: async (transaction) => {
        const ref = `edit:${target.id}:${secrets.random(16)}`
        const moved = await moveBalance(ledger, target.id, { by: units }, { ref, transaction })
        after = moved.after
        await logQuota(services, caller, target, moved, transaction)
      },
    },
  )
  return { role: target.role, status: target.status, quota: after }
}

async function applyEdit(
  services: Services,
  edit: {
    caller: Caller
    target: UserRecord
    balance: BalanceEdit | undefined
    shown: Exclude<UserBody['shown'], null>
  },
  changes: ReturnType<typeof changesOf>,
): Promise<void> {
  const { accounts, ledger, secrets } = services
  const { caller, target, balance } = edit
  // The admin knows the password, too.
  const made = changes.password && target.id !== caller.id ? { password_made: true } : {}
  const written = { ...changes, ...made }
  await accounts.update(target.id, written, {
    caller,
    shown: edit.shown,
    alongside: async (transaction) => {
      await logEdit(services, caller, target, editedOf(target, changes), transaction)
      if (balance === undefined) return
      const ref = `edit:${target.id}:${secrets.random(16)}`
      const moved = await moveBalance(ledger, target.id, balance, { ref, transaction })
      if (moved.before !== moved.after) await logQuota(services, caller, target, moved, transaction)
    },
  })
}

function editedOf(target: UserRecord, changes: ReturnType<typeof changesOf>): Edited {
  const { password, ...named } = changes
  const fields = (Object.keys(named) as (keyof typeof named)[]).filter(
    (name) => named[name] !== undefined && named[name] !== target[name],
  )
  return {
    fields: password === undefined ? fields : [...fields, 'password'],
    ...(fields.includes('group') ? { groups: [target.group, named.group ?? ''] as const } : {}),
  }
}

function changesOf({ pricing }: Services, target: UserRecord, body: UserBody) {
  const { group } = body
  // The user's own group may no longer have a ratio. It may be sent back, but not given to another user.
  if (
    typeof group === 'string' &&
    group !== target.group &&
    !pricing.groupNames().includes(group)
  ) {
    throw groupUnknown({ group: group.slice(0, 64) }, { field: 'group' })
  }
  return {
    username: body.username ?? undefined,
    display_name: body.display_name ?? undefined,
    password: body.password || undefined,
    group: group ?? undefined,
  }
}

/** The new balance, with the one it was chosen on sight of, or the amount to add to whatever the balance is by then. */
type BalanceEdit = { to: number; seen?: SeenBalance | undefined } | { by: number }
type SeenBalance = { quota: number; used_quota?: number }

/** Consoles send the whole record back, while the user may be spending. So the difference to the balance that they
 *  had read is added. The balance is set where that is not stated, and to empty it. */
function readBalance(body: UserBody): BalanceEdit | undefined {
  const { quota, shown_quota: shown } = body
  if (quota === null || quota === undefined) return undefined
  const units = Number(quota)
  const by = shown === null || shown === undefined ? undefined : units - Number(shown)
  // A negative balance may be sent back as it is.
  if (by === 0) return undefined
  if (units < 0) throw quotaNegative({}, { field: 'quota' })
  return by === undefined || units === 0 ? { to: units, seen: seenBalance(body) } : { by }
}

function seenBalance({ shown }: UserBody): SeenBalance | undefined {
  if (typeof shown?.quota !== 'number') return undefined
  const { quota, used_quota } = shown
  return typeof used_quota === 'number' ? { quota, used_quota } : { quota }
}

async function moveBalance(
  ledger: Services['ledger'],
  userId: number,
  edit: BalanceEdit,
  { ref, transaction }: { ref: string; transaction: Transaction },
): Promise<{ before: number; after: number }> {
  if ('to' in edit)
    return ledger.setBalance({ userId, balance: edit.to, seen: edit.seen, ref, transaction })
  const { balance: after } = await ledger.change({
    userId,
    units: edit.by,
    kind: 'admin',
    ref,
    transaction,
    includesReserved: true,
  })
  return { before: after - edit.by, after }
}

async function logQuota(
  { logs, options }: Services,
  caller: Caller,
  target: UserRecord,
  { before, after }: { before: number; after: number },
  transaction: Transaction,
): Promise<void> {
  const amounts = `from ${quotaText(before, options)} to ${quotaText(after, options)}`
  const content = `Quota changed ${amounts} by ${nameOf(caller)}`
  const other = { op: 'quota_change', before, after, by: caller.username }
  await logs.writeIn(manageRow(target, content, other), transaction)
}
