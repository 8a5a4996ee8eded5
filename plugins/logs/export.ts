import {
  CHANNEL_TEST,
  type LogRecord,
  logType,
  type PluginServices,
  type UsageLogQuery,
} from '#core'
import { byteOrderMark, csvLine } from './csv.ts'
import type { ExportTurns } from './export-turns.ts'
import { readOther } from './owner-view.ts'

type Cell = string | number | boolean
type Columns = readonly (readonly [name: string, read: (row: LogRecord) => Cell])[]

/** Rows of a slice: some milliseconds of work, and many enough that the round trip to the database hardly counts. */
const ROWS_AT_ONCE = 250

const shared: Columns = [
  ['time', ({ created_at }) => new Date(created_at * 1000).toISOString()],
  ['type', (row) => (isTest(row) ? CHANNEL_TEST : (typeNames.get(row.type) ?? row.type))],
  ['model', ({ model_name }) => model_name],
  ['token', ({ token_name }) => token_name],
  ['group', ({ group }) => group],
  ['prompt_tokens', ({ prompt_tokens }) => prompt_tokens],
  ['completion_tokens', ({ completion_tokens }) => completion_tokens],
  ['quota', chargedOf],
]

const ending: Columns = [
  ['duration_ms', ({ use_time_ms }) => use_time_ms],
  ['is_stream', ({ is_stream }) => is_stream],
  ['content', ({ content }) => content],
  ['request_id', ({ request_id }) => request_id],
]

const forAdmins: Columns = [
  ['username', ({ username }) => username],
  ['user_id', ({ user_id }) => user_id],
  ['channel', ({ channel }) => channel],
  ['channel_name', ({ channel_name }) => channel_name],
]

const typeNames: ReadonlyMap<number, string> = new Map([
  [1, 'top-up'],
  [2, 'consumption'],
  [3, 'admin'],
  [4, 'system'],
  [5, 'error'],
])

function isTest({ token_id, token_name }: LogRecord): boolean {
  return token_id === 0 && token_name === CHANNEL_TEST
}

/** Channel tests are exported with a cost of 0, so that the sum of the column is what was charged. */
function chargedOf(row: LogRecord): number {
  if (isTest(row)) return 0
  return row.type === logType.system ? -givenBack(row) : row.quota
}

function givenBack({ other }: LogRecord): number {
  const { op, amount } = readOther(other)
  return op === 'task_refund' && typeof amount === 'number' ? amount : 0
}

export interface ExportInput {
  query: UsageLogQuery
  isAdmin: boolean
  /** How many units of quota make a dollar. */
  quotaPerUnit: number
  /** Returns the part of a row that the reader may see. */
  view: (row: LogRecord) => LogRecord
  /** Shared by all exports. */
  turns: ExportTurns
}

/** The rows of a query as text, slice by slice: only one slice is in memory at a time. */
export async function* exportLines(
  usageLog: Pick<PluginServices['usageLog'], 'slices'>,
  { query, isAdmin, quotaPerUnit, view, turns }: ExportInput,
): AsyncGenerator<string> {
  const usd = [
    'usd',
    (row: LogRecord) => Number((chargedOf(row) / quotaPerUnit).toFixed(6)),
  ] as const
  const columns = [...shared, usd, ...ending, ...(isAdmin ? forAdmins : [])]
  yield byteOrderMark + csvLine(columns.map(([name]) => name))
  const lineOf = (row: LogRecord) => csvLine(columns.map(([, read]) => read(row)))
  const slices = usageLog.slices(query, ROWS_AT_ONCE)[Symbol.asyncIterator]()
  for (;;) {
    const text = await turns.take(async () => {
      const slice = await slices.next()
      return slice.done ? undefined : slice.value.map((row) => lineOf(view(row))).join('')
    })
    if (text === undefined) return
    yield text
  }
}
