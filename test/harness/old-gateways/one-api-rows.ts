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
  { ...token, id: 3, user_id: 3, key: keyOf('c'), name: 'over', expired_time: 0 },
]

const channel = { status: 1, group: 'default', model_mapping: '', base_url: '' }

/** At an address of type 50, one-api puts the path of a call without its /v1; other types have it added. */
const compatible = (upstream: string): OldRows => [
  {
    ...channel,
    id: 1,
    type: 50,
    key: 'sk-upstream-key',
    name: 'compatible',
    models: 'old-model',
    base_url: `${upstream}/v1/`,
  },
  {
    ...channel,
    id: 2,
    type: 50,
    key: 'sk-of-root-paths',
    name: 'without version',
    models: 'rootless',
    base_url: upstream,
  },
  {
    ...channel,
    id: 7,
    type: 50,
    key: 'sk-upstream-key',
    name: 'of built-in prices',
    models: 'gpt-4o-mini,gpt-5-of-ours',
    base_url: `${upstream}/v1`,
  },
  {
    ...channel,
    id: 3,
    type: 51,
    key: 'key-of-google',
    name: 'of google',
    models: 'gem',
    base_url: `${upstream}/v1beta/openai`,
  },
  { ...channel, id: 4, type: 51, key: 'key-of-google', name: 'of google too', models: 'gem-2' },
]

const otherTypes = (upstream: string): OldRows => [
  { ...channel, id: 5, type: 56, key: 'key-of-another', name: 'of a variant', models: 'var' },
  {
    ...channel,
    id: 6,
    type: 49,
    key: 'sk-of-bailian',
    name: 'bailian',
    models: 'bai',
    base_url: upstream,
  },
  {
    ...channel,
    id: 8,
    type: 34,
    key: 'pat',
    name: 'a bot',
    models: 'bot-738',
    config: '{"user_id":"of-the-caller"}',
  },
  { ...channel, id: 9, type: 34, key: 'pat', name: 'bots', models: 'bot-738,bot-739' },
  {
    ...channel,
    id: 10,
    type: 3,
    key: 'key-of-azure',
    name: 'azure',
    models: 'gpt-3.5-turbo,plain,mapped',
    model_mapping: '{"mapped":"my-gpt-4.1"}',
    base_url: upstream,
    other: '2024-02-01',
  },
]

const logs: OldRows = [
  {
    id: 1,
    user_id: 0,
    created_at: 1_700_000_000,
    type: 5,
    content: 'channel compatible was tested',
    model_name: 'old-model',
    channel_id: 1,
    elapsed_time: 20,
  },
]

export const oneApiOfDailyUse = (upstream: string): OldTables => ({
  users,
  tokens,
  channels: [...compatible(upstream), ...otherTypes(upstream)],
  options: [
    {
      key: 'ModelRatio',
      value:
        '{"old-model":1,"gem":1,"bai":1,"gpt-5-of-ours":1,"gpt-3.5-turbo":1,"plain":1,"mapped":1}',
    },
    {
      key: 'CompletionRatio',
      value: '{"old-model":2,"gem":3,"gpt-3.5-turbo":3,"plain":1,"mapped":1}',
    },
    { key: 'OidcEnabled', value: 'true' },
    { key: 'OidcClientId', value: 'old-client' },
    { key: 'OidcClientSecret', value: 'old-secret' },
    { key: 'OidcAuthorizationEndpoint', value: 'https://id.example.com/authorize' },
    { key: 'OidcTokenEndpoint', value: 'https://id.example.com/token' },
    { key: 'OidcUserinfoEndpoint', value: 'https://id.example.com/me' },
  ],
  logs,
})
