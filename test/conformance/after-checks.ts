// The `after` part of a fixture: what the gateway wrote down about the call.
import { setTimeout as wait } from 'node:timers/promises'
import type { TokenRecord } from '#core'
import type { After } from './fixture.ts'
import type { Account, Ending, GatewayControl, LoggedRow } from './gateway-control.ts'
import { describeMismatches, matchSubset, show } from './match.ts'

const pollMs = 50
const patienceMs = 10_000
const consumption = 2
const automaticallyDisabled = 3

/** A run's traces in the gateway. */
export interface Traces {
  control: GatewayControl
  account: Account
  token: TokenRecord
  channelId: number
  /** The user's balance before the first call, where the fixture asks for it. */
  quotaBefore: number
}

/** Checks everything that must come true soon, with patience. */
export async function afterFaults(after: After, traces: Traces): Promise<string[]> {
  const { control, token, account } = traces
  const faults: string[] = []
  if (after.autoDisable === true) {
    faults.push(...(await eventually(() => disabledFaults(traces))))
  }
  if (after.billed || after.billedAll || after.logType !== undefined) {
    faults.push(
      ...(await eventually(async () => rowFaults(after, await control.rowsOf(token.name)))),
    )
  }
  const { userQuotaDelta } = after
  if (userQuotaDelta !== undefined) {
    faults.push(
      ...(await eventually(async () => {
        const delta = (await control.quotaOf(account)) - traces.quotaBefore
        return delta === userQuotaDelta
          ? []
          : [`the user's quota changed by ${delta}, expected ${userQuotaDelta}`]
      })),
    )
  }
  return faults
}

/** Checks what must still not have happened; called long after the answer. */
export async function lateFaults(after: After, traces: Traces, ending: Ending): Promise<string[]> {
  const faults: string[] = []
  if (after.autoDisable === false && ending.disabled.has(traces.channelId))
    faults.push('the channel was disabled automatically')
  const rows = ending.consumption.get(traces.token.name) ?? []
  if (after.noBill) faults.push(...(await billFaults(traces, rows)))
  if (after.billed && rows.length !== 1)
    faults.push(`expected one consumption row, got ${rows.length}`)
  return faults
}

async function disabledFaults({ control, channelId }: Traces): Promise<string[]> {
  const status = await control.channelStatus(channelId)
  return status === automaticallyDisabled
    ? []
    : [`the channel has status ${status}, expected 3 (disabled automatically)`]
}

async function billFaults(
  { control, account, token }: Traces,
  rows: readonly LoggedRow[],
): Promise<string[]> {
  const now = await control.token(account, token.id)
  return [
    ...(rows.length === 0 ? [] : [`a consumption row was written: ${show(rows[0])}`]),
    ...(now.used_quota === token.used_quota && now.remain_quota === token.remain_quota
      ? []
      : [`the token was charged: used_quota ${now.used_quota}, remain_quota ${now.remain_quota}`]),
  ]
}

function rowFaults(after: After, rows: readonly LoggedRow[]): string[] {
  const consumed = consumptionRows(rows)
  const faults: string[] = []
  if (after.billed) {
    const row = consumed.at(-1)
    if (!row) return ['no consumption row was written']
    faults.push(...describeMismatches(matchSubset(withParsedOther(row), after.billed)))
  }
  if (after.billedAll) {
    const { billedAll } = after
    if (billedAll.length !== consumed.length) {
      return [`expected ${billedAll.length} consumption rows, got ${consumed.length}`]
    }
    const all = consumed.map((row) => withParsedOther(row))
    faults.push(...describeMismatches(matchSubset(all, billedAll)))
  }
  if (after.logType !== undefined && rows.at(-1)?.type !== after.logType) {
    faults.push(`the newest log row has type ${show(rows.at(-1)?.type)}, not ${after.logType}`)
  }
  return faults.map((text) => `log row ${text}`)
}

function consumptionRows(rows: readonly LoggedRow[]): LoggedRow[] {
  return rows.filter(({ type }) => type === consumption)
}

function withParsedOther(row: LoggedRow): object {
  try {
    return { ...row, other: JSON.parse(row.other || '{}') as unknown }
  } catch {
    return row
  }
}

/** Repeats a check until it finds no fault or patience ends. */
async function eventually(check: () => Promise<string[]>): Promise<string[]> {
  const end = Date.now() + patienceMs
  for (;;) {
    const faults = await check()
    if (faults.length === 0 || Date.now() > end) return faults
    await wait(pollMs)
  }
}
