import { logType } from './constants.ts'
import type { NewLogRow } from './money-services.ts'

/** A row of the usage log that records what an admin or the operator did, or what happened to an account.
 *  @param user who finds it in the own log
 *  @param facts `other` of the row, for programs; `op` chooses the words of the console */
export function manageRow(
  { id, username }: { id: number; username: string },
  content: string,
  facts: { op: string; [fact: string]: unknown },
): NewLogRow {
  return {
    user_id: id,
    username,
    type: logType.manage,
    content,
    other: JSON.stringify(facts),
  }
}
