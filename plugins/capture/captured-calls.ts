import { type Caller, errorType, manageRow, type PluginServices } from '#core'
import {
  type CallFilter,
  deleteCalls,
  selectCall,
  selectCalls,
  selectSealed,
  totalSize,
} from './capture-sql.ts'
import type { CallEntry, CallList, CallQuery, CapturedCall, CapturedTexts } from './schema.ts'
import { MOST_EXPORTED } from './schema.ts'

export type CallServices = Pick<PluginServices, 'database' | 'secrets' | 'logs'>
type Row = Omit<CallEntry, 'is_cut'> & { is_cut: number }

/** How many rows are decrypted at a time. */
const EXPORT_SLICE = 20

const callUnknown = errorType('capture.unknown', 404, {
  en: 'There is no such captured call. It may have been deleted after its storage time.',
  zh: '该记录不存在，可能已到期删除。',
})

export function filterOf({ user_id, token_id, model, start, end }: CallQuery): CallFilter {
  const whole = (text: string | undefined) =>
    text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  return {
    userId: whole(user_id),
    tokenId: whole(token_id),
    model: model ?? '',
    start: whole(start),
    end: whole(end),
  }
}

export async function listCalls(
  { database }: CallServices,
  filter: CallFilter,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<Pick<CallList, 'items' | 'total' | 'total_size'>> {
  const limits = { limit: pageSize, offset: (page - 1) * pageSize }
  const { rows, total } = await selectCalls(database, filter, limits)
  return { items: rows.map(entryOf), total, total_size: await totalSize(database) }
}

/** The texts of a call. That somebody reads it is written to the log before the texts are returned.
 *  @throws capture.unknown */
export async function readCall(
  services: CallServices,
  caller: Caller,
  id: number,
): Promise<CapturedCall> {
  const row = await selectCall(services.database, id)
  if (!row) throw callUnknown()
  await noteForAudit(services, caller, {
    content: `Read captured call ${id} of user ${row.user_id}`,
    op: 'capture_read',
    ids: [id],
  })
  return opened(services, row)
}

/** One call per line, newest first. That they are exported is written to the log before the first line. */
export async function* exportCalls(
  services: CallServices,
  caller: Caller,
  filter: CallFilter,
): AsyncGenerator<string> {
  let count = 0
  let below = Number.MAX_SAFE_INTEGER
  await noteForAudit(services, caller, {
    content: `Exported captured calls${filter.userId === undefined ? '' : ` of user ${filter.userId}`}`,
    op: 'capture_export',
    ids: [],
  })
  while (count < MOST_EXPORTED) {
    const rows = await selectSealed(services.database, filter, { below, limit: EXPORT_SLICE })
    for (const row of rows) {
      count += 1
      below = row.id
      yield `${JSON.stringify(opened(services, row))}\n`
    }
    if (rows.length < EXPORT_SLICE) return
  }
}

/** Resolves when the entry is written. Without it, nobody may read the texts of others. */
async function noteForAudit(
  { database, logs }: Pick<CallServices, 'database' | 'logs'>,
  caller: Caller,
  note: AuditNote,
): Promise<void> {
  const row = auditRow(caller, note)
  await database.transaction((transaction) => logs.writeIn(row, transaction))
}

interface AuditNote {
  content: string
  op: string
  ids: readonly number[]
}

function auditRow(caller: Caller, { content, op, ids }: AuditNote) {
  return manageRow(caller, content, { op, captured_ids: ids })
}

/** Deletes calls, and records who did so. @returns how many there were */
export function removeCalls(
  { database, logs }: CallServices,
  caller: Caller,
  ids: readonly number[],
): Promise<number> {
  return database.transaction(async (transaction) => {
    const deleted = await deleteCalls(database, ids, transaction)
    const content = `Deleted ${deleted} captured calls`
    await logs.writeIn(auditRow(caller, { content, op: 'capture_delete', ids }), transaction)
    return deleted
  })
}

function opened(
  { secrets }: CallServices,
  { sealed, ...row }: Row & { sealed: string },
): CapturedCall {
  return { ...entryOf(row), texts: JSON.parse(secrets.decrypt(sealed)) as CapturedTexts }
}

function entryOf({ is_cut, ...row }: Row): CallEntry {
  return { ...row, is_cut: is_cut === 1 }
}
