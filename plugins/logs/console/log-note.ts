// The message of a row that is no call. The server stores a code with its values, and the sentence is made here in
// the reader's language.
import { type Texts, formatWholeQuota, useStatusStore } from '#console'
import { type LogFacts, type LogRow, factsOf } from './log-row.ts'

export function noteOf(row: LogRow, t: Texts): string {
  const facts = factsOf(row)
  return (facts.op && notes[facts.op]?.(facts, t)) || row.content
}

/** Undefined where the row lacks a value of its sentence, as rows of older versions may. */
const notes: Record<string, (facts: LogFacts, t: Texts) => string | undefined> = {
  plugin: ({ id, enabled, unparked }, t) =>
    t(unparked ? 'op.pluginUnparked' : enabled ? 'op.pluginOn' : 'op.pluginOff', { id }),
  'channel.key': ({ id }, t) => t('op.channelKey', { id }),
  'channel.disabled': ({ id, name, reason = '' }, t) =>
    t('op.channelDisabled', { id, name, reason }),
  'channel.enabled': ({ id, name }, t) => t('op.channelEnabled', { id, name }),
  'channel.key_disabled': ({ id, name, position, left = 0, reason = '' }, t) =>
    t('op.keyDisabled', { id, name, position, count: left, reason }),
  'channel.key_disabled.more': ({ count = 0 }, t) => t('op.keysDisabled', { count }),
  'channel.disabled.more': (facts, t) => manyChannels('op.channelsDisabled', facts, t),
  'channel.enabled.more': (facts, t) => manyChannels('op.channelsEnabled', facts, t),
  channel_test: (_facts, t) => t('op.channelTest'),
  option: ({ key }, t) => t('op.option', { key }),
  user_action: ({ action = '', by }, t) =>
    userActions.has(action) ? t(`op.user.${action}`, { by }) : undefined,
  user_edit: ({ fields = [], groups, by }, t) => {
    const names = fields.map((field) => (editedFields.has(field) ? t(`op.field.${field}`) : field))
    const list = names.join(t('op.and'))
    const [before = '', after = ''] = groups ?? []
    return groups
      ? t('op.userGroup', { fields: list, before, after, by })
      : t('op.userEdit', { fields: list, by })
  },
  quota_change: ({ before, after, by }, t) =>
    before === undefined || after === undefined
      ? undefined
      : t('op.quotaChange', { before: money(before), after: money(after), by }),
  codes_made: ({ name, count = 0, amount }, t) =>
    amount === undefined ? undefined : t('op.codesMade', { name, count, amount: money(amount) }),
  code_quota: ({ id, name, before, after }, t) =>
    before === undefined || after === undefined
      ? undefined
      : t('op.codeQuota', { id, name, before: money(before), after: money(after) }),
  redeem: ({ amount, redemption_id }, t) =>
    amount === undefined ? undefined : t('op.redeem', { id: redemption_id, amount: money(amount) }),
  topup: ({ amount, money: sum, currency = '', trade_no }, t) =>
    amount === undefined || sum === undefined
      ? undefined
      : t('op.topup', {
          order: trade_no,
          amount: money(amount),
          paid: `${sum} ${currency}`.trimEnd(),
        }),
  order_completed: ({ amount, trade_no, by }, t) =>
    amount === undefined
      ? undefined
      : t('op.orderCompleted', { order: trade_no, amount: money(amount), by }),
  refund: (facts, t) => taken('op.refund', facts, t),
  dispute: (facts, t) => taken('op.dispute', facts, t),
  returned: ({ amount, trade_no }, t) =>
    amount === undefined ? undefined : t('op.returned', { order: trade_no, amount: money(amount) }),
  factors_reset: ({ by }, t) => t('op.factorsReset', { by }),
  account_reset: (_facts, t) => t('op.accountReset'),
  gift_account: ({ amount }, t) =>
    amount === undefined ? undefined : t('op.giftAccount', { amount: money(amount) }),
  gift_invitee: ({ amount }, t) =>
    amount === undefined ? undefined : t('op.giftInvitee', { amount: money(amount) }),
  gift_inviter: ({ amount, id }, t) =>
    amount === undefined ? undefined : t('op.giftInviter', { amount: money(amount), id }),
  invite_earnings: ({ amount }, t) =>
    amount === undefined ? undefined : t('op.inviteEarnings', { amount: money(amount) }),
  task_refund: ({ amount, task_id }, t) =>
    amount === undefined ? undefined : t('op.taskRefund', { id: task_id, amount: money(amount) }),
  errors_counted: ({ count }, t) => t('op.errorsCounted', { count }),
}

/** What happened to more channels than have a row of their own; a long list of them is cut off. */
function manyChannels(key: string, { count = 0, ids = [] }: LogFacts, t: Texts): string {
  const list = ids.map((id) => `#${id}`).join(t('op.and'))
  return t(key, { count, ids: count > ids.length ? `${list} …` : list })
}

/** Money that was returned to a customer; `amount` is negative there. */
function taken(key: string, { amount, missing, trade_no }: LogFacts, t: Texts): string | undefined {
  if (amount === undefined || missing === undefined) return undefined
  const values = { order: trade_no, amount: money(-amount), missing: money(missing) }
  return t(missing > 0 ? `${key}Short` : key, values)
}

const userActions: ReadonlySet<string> = new Set([
  'promote',
  'demote',
  'disable',
  'enable',
  'delete',
  'create',
  'remove',
])

const editedFields: ReadonlySet<string> = new Set(['username', 'display_name', 'group', 'password'])

function money(units: number): string {
  const { status } = useStatusStore.getState()
  return formatWholeQuota(units, {
    quotaPerUnit: status?.quota_per_unit ?? 0,
    inCurrency: status?.display_in_currency ?? true,
  })
}
