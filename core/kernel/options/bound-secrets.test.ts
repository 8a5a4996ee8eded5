import { describe, expect, it } from 'vitest'
import { EnteredSecrets } from './bound-secrets.ts'

describe('a secret that was just entered', () => {
  it('is known to whoever entered it, for two minutes, and to nobody else', () => {
    let nowMs = 1_000_000
    const entered = new EnteredSecrets(() => nowMs)
    expect(entered.knows('EpayKey', 'sealed', 7)).toBe(false)
    entered.note('EpayKey', 'sealed', 7)
    expect(entered.knows('EpayKey', 'sealed', 7)).toBe(true)
    expect(entered.knows('EpayKey', 'sealed', 8)).toBe(false)
    expect(entered.knows('EpayKey', 'sealed', undefined)).toBe(false)
    expect(entered.knows('EpayKey', 'sealed by another node', 7)).toBe(false)
    expect(entered.knows('SMTPToken', 'sealed', 7)).toBe(false)
    nowMs += 120_000
    expect(entered.knows('EpayKey', 'sealed', 7)).toBe(false)
  })
})
