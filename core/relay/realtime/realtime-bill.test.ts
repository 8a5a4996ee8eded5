// The one row of a session whose node was taken for dead while it went on: others have written a part of it.
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../contract/neutral.ts'
import type { LogRow, Receipt } from '../../contract/services.ts'
import { noUsage } from '../../dialects/neutral/usage.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SessionDeps } from '../call/relay-deps.ts'
import { RealtimeBill } from './realtime-bill.ts'

const answer = { ...noUsage, input: 30, output: 10 }
const reservation = { requestId: 'r', userId: 1, tokenId: 0, units: 100 }
const call = {
  requestId: 'r',
  requestedModel: 'rt',
  group: 'default',
  isStream: true,
  startedAtMs: 0,
  reservation,
  reserved: { units: 100, rule: 'estimate' },
  price: { mode: 'ratio', modelRatio: 1, completionRatio: 1, groupRatio: 1, toolPrices: {} },
  identity: { userId: 1, username: 'talker', tokenId: 0, tokenName: '' },
  client: {},
  tried: [],
  dropped: new Set<string>(),
  notes: {},
} as unknown as RelayCall
const attempt = { channel: { id: 7 }, upstreamModel: 'rt' } as unknown as Attempt

function session(total = ({ input, output }: Usage) => input + output) {
  const charged: number[] = []
  const kept: (LogRow | undefined)[] = []
  const written: (LogRow | undefined)[] = []
  const sessionCharges = {
    rejoins: 0,
    settle: async (_held: unknown, { units }: { units: number }, soFar: LogRow | undefined) => {
      charged.push(units)
      kept.push(soFar)
    },
    finish: async (_session: unknown, row: LogRow | undefined) => void written.push(row),
  }
  const reserved: number[] = []
  const extension = Promise.withResolvers<void>()
  const ledger = {
    reserve: async ({ units }: { units: number }) => {
      reserved.push(units)
      return reservation
    },
    extend: () => extension.promise,
  }
  const deps = {
    sessionCharges,
    ledger,
    pricing: {
      receipt: (_price: unknown, usage: Usage, rule: string): Receipt => ({
        lines: [],
        total: total(usage),
        rule,
      }),
    },
    options: { get: () => true },
    settings: { isStrict: true },
    events: { emit: () => undefined },
    hooks: () => [],
  } as unknown as SessionDeps
  const bill = new RealtimeBill(call, attempt, deps)
  const talk = async () => {
    await bill.charge(answer)
    await bill.reserveNext()
  }
  return { bill, talk, charged, kept, written, sessionCharges, reserved, extension }
}

describe('the row of a realtime session', () => {
  it('is kept with each charge, and holds all of them', async () => {
    const { bill, talk, kept, written } = session()
    await talk()
    await talk()
    await bill.close('completed', 200)
    expect(kept).toMatchObject([{ quota: 40 }, { quota: 80, prompt_tokens: 60 }])
    expect(written).toMatchObject([{ quota: 80, prompt_tokens: 60, completion_tokens: 20 }])
  })

  it('holds what was charged where more of it would have cost less', async () => {
    const { talk, bill, charged, written } = session(({ input }) => (input > 30 ? 10 : 40))
    await talk()
    await talk()
    await bill.close('completed', 200)
    expect(charged).toEqual([40, 0])
    expect(written).toMatchObject([{ quota: 40, prompt_tokens: 60 }])
  })

  it('leaves out what others wrote while this node was taken for dead', async () => {
    const { bill, talk, kept, written, sessionCharges } = session()
    await talk()
    sessionCharges.rejoins = 1
    // The charge that found it out was committed after the node had come back.
    await talk()
    await talk()
    await bill.close('completed', 200)
    expect(kept.at(-1)).toMatchObject({ quota: 80, prompt_tokens: 60 })
    expect(written).toMatchObject([{ quota: 80, prompt_tokens: 60, completion_tokens: 20 }])
  })
})

describe('the money of a realtime session', () => {
  it('is charged after the reservation is raised, not meanwhile', async () => {
    const { bill, charged, extension } = session()
    const held = bill.hold(() => ({ ...noUsage, output: 500 }))
    const charge = bill.charge(answer)
    await new Promise(setImmediate)
    expect(charged).toEqual([])
    extension.resolve()
    await Promise.all([held, charge])
    expect(charged).toEqual([40])
  })

  it('is not reserved any more when the session is over', async () => {
    const { bill, reserved } = session()
    await bill.charge(answer)
    await bill.close('completed', 200)
    await bill.reserveNext()
    expect(reserved).toEqual([])
  })
})
