import type { AccountService } from '../contract/account-services.ts'
import { checkNewPassword, readDisplayName, readUsername } from './account-rules.ts'
import { hashPassword } from './passwords.ts'
import { PROVIDER_COLUMNS } from './user-rows.ts'

export type AccountChanges = Parameters<AccountService['update']>[1]
export type UpdateOptions = NonNullable<Parameters<AccountService['update']>[2]>

type Read = (value: unknown) => unknown

/** What `update` may write; quota columns belong to the ledger. */
const READERS: Readonly<Record<string, Read>> = {
  username: (value) => readUsername(String(value)),
  display_name: (value) => readDisplayName(String(value)),
  password: async (value) => {
    checkNewPassword(String(value))
    return hashPassword(String(value))
  },
  email: (value) => String(value).trim().toLowerCase(),
  group: String,
  role: Number,
  status: Number,
  setting: String,
  ...Object.fromEntries([...PROVIDER_COLUMNS].map((column) => [column, String])),
}

/** The columns to write with their checked values; absent ones are unchanged.
 *  @throws for a column that is not to be written here */
export async function readChanges(changes: AccountChanges): Promise<Record<string, unknown>> {
  const columns: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue
    const read = READERS[name]
    if (!read) throw new Error(`The column users.${name} is not written by an account update`)
    columns[name] = await read(value)
  }
  return columns
}
