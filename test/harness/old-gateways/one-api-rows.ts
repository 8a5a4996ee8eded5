// A database of one-api 0.6 with what its users leave in it: removed accounts, tests of channels, addresses of their own.
import { hashSync } from 'bcryptjs'
import { rootAccount } from '../app.ts'
import { keyOf, passwordOf } from './rows.ts'
import type { OldRows, OldTables } from './tables.ts'

const account = {
  password: hashSync(passwordOf.ada, 4),
  role: 1,
  status: 1,
  quota: 5_000_000,
  group: 'default',
}

/** It keeps the row of a removed account, with status 3, another name, and the address. */
const users: OldRows = [
  {
    ...account,
    id: 1,
    username: 'root',
    password: hashSync(rootAccount.password, 4),
    role: 100,
    aff_code: 'aaaa',
  },
  {
    ...account,
    id: 2,
    username: 'deleted_0123456789abcdef0123456789abcdef',
    status: 3,
    email: 'ada@example.com',
    aff_code: 'bbbb',
  },
  { ...account, id: 3, username: 'ada', email: 'Ada@example.com', aff_code: 'cccc' },
]

const token = { status: 1, expired_time: -1, remain_quota: 0, unlimited_quota: 1 }

const tokens: OldRows = [
  { ...token, id: 1, user_id: 2, key: keyOf('a'), name: 'of a removed account' },
  { ...token, id: 2, user_id: 3, key: keyOf('b'), name: 'of ada' },
]

const channels = (upstream: string): OldRows => [
  {
    id: 1,
    type: 50,
    key: 'sk-upstream-key',
    name: 'compatible',
    status: 1,
    models: 'old-model',
    group: 'default',
    base_url: `${upstream}/v1`,
    model_mapping: '',
  },
]

export const oneApiOfDailyUse = (upstream: string): OldTables => ({
  users,
  tokens,
  channels: channels(upstream),
  options: [{ key: 'ModelRatio', value: '{"old-model":1}' }],
})
