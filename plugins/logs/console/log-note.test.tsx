import { useStatusStore, useTexts } from '#console'
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { noteOf } from './log-note.ts'

function Note({ other, content = 'as stored' }: { other: object; content?: string }) {
  const row = { other: JSON.stringify(other), content } as Parameters<typeof noteOf>[0]
  return <p>{noteOf(row, useTexts('logs'))}</p>
}

describe('the note of a row', () => {
  it('tells an amount to the unit where no currency is shown', () => {
    useStatusStore.setState({ status: { display_in_currency: false } as never })
    render(<Note other={{ op: 'redeem', redemption_id: 7, amount: 1_234_567 }} />)
    expect(screen.getByText('Redeemed code 7: 1,234,567.')).toBeTruthy()
    useStatusStore.setState({ status: undefined })
  })

  it.each([
    [{ op: 'plugin', id: 'mail', enabled: false }, 'Plugin mail was switched off.'],
    [{ op: 'plugin', id: 'mail', unparked: true }, 'Plugin mail may be tried again.'],
    [{ op: 'user_action', action: 'promote', by: 'root' }, 'Made an admin by root.'],
    [
      { op: 'quota_change', before: 500_000, after: 750_000, by: 'root' },
      'Balance changed from $1 to $1.50 by root.',
    ],
    [{ op: 'redeem', redemption_id: 7, amount: 2_500_000 }, 'Redeemed code 7: $5.'],
    [{ op: 'invite_earnings', amount: 500_000 }, 'Invite earnings moved to the balance: $1.'],
    [
      { op: 'topup', amount: 500_000, money: '7.30', currency: 'CNY', trade_no: 'A1' },
      'Order A1 paid (7.30 CNY): $1.',
    ],
    [
      { op: 'order_completed', amount: 500_000, trade_no: 'A1', by: 'root' },
      'Order A1 completed by root: $1.',
    ],
    [
      { op: 'dispute', amount: -500_000, missing: 250_000, trade_no: 'A1' },
      'Dispute of order A1: $1 taken back, $0.50 was spent already.',
    ],
    [
      { op: 'refund', amount: -500_000, missing: 0, trade_no: 'A1' },
      'Refund of order A1: $1 taken back.',
    ],
    [
      { op: 'returned', amount: 500_000, trade_no: 'A1' },
      'Dispute of order A1 won: $1 given back.',
    ],
    [
      { op: 'factors_reset', by: 'root' },
      'Second factors (authenticator, passkeys) reset by root.',
    ],
    [{ op: 'gift_inviter', amount: 500_000, id: 7 }, 'Reward for inviting user 7: $1.'],
    [{ op: 'channel.key', id: 3 }, 'The key of channel 3 was shown.'],
    [
      { op: 'channel.disabled', id: 3, name: 'main', reason: 'no money' },
      'Disabled automatically: channel main (#3). no money',
    ],
    [
      { op: 'channel.enabled', id: 3, name: 'main' },
      'Enabled automatically, as it passed its test: channel main (#3).',
    ],
    [
      { op: 'channel.key_disabled', id: 3, name: 'main', position: 2, left: 1, reason: 'no money' },
      'Passed over: key 2 of channel main (#3), 1 key left. no money',
    ],
    [{ op: 'channel.key_disabled.more', count: 4 }, 'Passed over: 4 more keys of channels'],
    [
      { op: 'channel.disabled.more', count: 3, ids: [7, 8] },
      'Disabled automatically: 3 more channels, #7, #8 …',
    ],
    [{ op: 'refund', amount: -500_000 }, 'as stored'],
    [{ op: 'redeem' }, 'as stored'],
    [
      { op: 'user_edit', fields: ['username', 'password'], by: 'root' },
      'Changed by root: username, password.',
    ],
    [
      { op: 'user_edit', fields: ['group'], groups: ['default', 'vip'], by: 'root' },
      'Changed by root: group; group default to vip.',
    ],
    [{ op: 'user_action', action: 'toString' }, 'as stored'],
    [{ op: 'later' }, 'as stored'],
    [{}, 'as stored'],
  ])('is said in words: %j', async (other, words) => {
    render(<Note other={other} />)
    expect(await screen.findByText(words)).toBeTruthy()
  })
})
