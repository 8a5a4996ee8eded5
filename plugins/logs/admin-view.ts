import { isObject, type JsonObject, type LogRecord, type PluginServices } from '#core'
import { readOther } from './owner-view.ts'

type Names = ReadonlyMap<number, string>

/** The rows that admins get: each attempt has the name of its channel. */
export async function adminView(
  usageLog: Pick<PluginServices['usageLog'], 'channelNames'>,
  rows: readonly LogRecord[],
): Promise<LogRecord[]> {
  const read = rows.map((row) => ({ row, other: attemptsIn(row.other) }))
  const ids = read.flatMap(({ other }) => other?.attempts.map(({ channel_id }) => channel_id) ?? [])
  const names = await usageLog.channelNames(ids)
  return read.map(({ row, other }) => (other ? { ...row, other: named(other, names) } : row))
}

interface Attempt extends JsonObject {
  channel_id: number
}

interface WithAttempts {
  whole: JsonObject
  admin: JsonObject
  attempts: Attempt[]
}

/** Undefined for rows without attempts and for rows of older versions. */
function attemptsIn(other: string): WithAttempts | undefined {
  const whole = other.includes('"attempts"') ? readOther(other) : {}
  if (!isObject(whole.admin_info)) return undefined
  const { attempts } = whole.admin_info
  if (!Array.isArray(attempts)) return undefined
  return { whole, admin: whole.admin_info, attempts: attempts.filter(isAttempt) }
}

function isAttempt(value: unknown): value is Attempt {
  return isObject(value) && typeof value.channel_id === 'number'
}

function named({ whole, admin, attempts }: WithAttempts, names: Names): string {
  const withNames = attempts.map((attempt) => ({
    ...attempt,
    channel_name: names.get(attempt.channel_id) ?? '',
  }))
  return JSON.stringify({ ...whole, admin_info: { ...admin, attempts: withNames } })
}
