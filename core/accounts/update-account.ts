import type { AccountService } from '../contract/account-services.ts'
import { changedField } from '../kernel/changed-field.ts'
import { accountChanged } from './account-errors.ts'
import { checkNewPassword, readDisplayName, readUsername } from './account-rules.ts'
import { emailForm } from './email-rules.ts'
import type { Identities } from './identities.ts'
import { hashPassword } from './passwords.ts'
import type { UserRow } from '../data/models/user.ts'
import { providerOf } from '../data/models/user-identity.ts'

export type AccountChanges = Parameters<AccountService['update']>[1]
export type UpdateOptions = NonNullable<Parameters<AccountService['update']>[2]>

type Read = (value: unknown) => unknown

const text = (value: unknown) => String(value)

/** What `update` may write; columns of quota belong to the ledger. */
const READERS = {
  username: (value: unknown) => readUsername(text(value)),
  display_name: (value: unknown) => readDisplayName(text(value)),
  password: async (value: unknown) => {
    checkNewPassword(text(value))
    return hashPassword(text(value))
  },
  password_made: Boolean,
  email: (value: unknown) => emailForm(text(value)),
  group: text,
  role: Number,
  status: Number,
  setting: text,
} satisfies Partial<Record<keyof UserRow, Read>>

const readers = new Map<string, Read>(Object.entries(READERS))

export interface ReadChanges {
  columns: Partial<Pick<UserRow, keyof typeof READERS>>
  /** Subjects by provider; an empty one removes the binding. */
  identities: Record<string, Identities[string]>
}

/** Checks what to write; absent fields stay unchanged. Fields of identities have their names on the wire, e.g.
 *  `oidc_id`.
 *  @throws for a column that must not be written here */
export async function readChanges(changes: AccountChanges): Promise<ReadChanges> {
  const columns: Record<string, unknown> = {}
  const identities: ReadChanges['identities'] = {}
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue
    const read = readers.get(name)
    const provider = providerOf(name)
    if (read) columns[name] = await read(value)
    else if (name === 'identities') Object.assign(identities, value)
    else if (provider !== undefined) identities[provider] = text(value)
    else throw new Error(`The column users.${name} is not written by an account update`)
  }
  // A password counts as chosen by its owner unless the caller says otherwise.
  if (columns.password !== undefined) columns.password_made ??= false
  return { columns, identities }
}

/** What is written anyway is no difference: the answer to an earlier try may have been lost.
 *  @throws account.changed */
export function refuseChanged(
  { username, display_name, group }: UserRow,
  { columns }: ReadChanges,
  shown: Readonly<Record<string, unknown>>,
): void {
  const written = new Map<string, unknown>(Object.entries(columns))
  const fields = Object.entries({ username, display_name, group })
  const current = new Map(fields.filter(([name, value]) => written.get(name) !== value))
  const field = changedField(shown, (name) => current.get(name))
  if (field !== undefined) throw accountChanged({ field }, { field })
}
