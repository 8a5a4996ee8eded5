// What databases of one-api and new-api hold, as far as an import reads it. Columns are those of their models (model/*.go of either).
import { hashSync } from 'bcryptjs'
import { rootAccount } from '../app.ts'
import type { OldRows, OldTables } from './tables.ts'

const hash = (password: string) => hashSync(password, 4)
export const keyOf = (letter: string) => letter.repeat(48)
/** Of accounts besides the first. */
export const passwordOf = { ada: 'ada-of-old-times' } as const
export const code = '0123456789abcdef0123456789abcdef'
const deleted = '2025-01-02 03:04:05.123+00:00'

const users: OldRows = [
  {
    id: 1,
    username: 'root',
    password: hash(rootAccount.password),
    role: 100,
    status: 1,
    quota: 100_000_000,
    aff_code: 'aaaa',
    email: '',
    group: 'default',
    github_id: '583231',
    setting: null,
    deleted_at: null,
  },
  {
    id: 7,
    username: 'ada',
    password: hash(passwordOf.ada),
    display_name: 'Ada',
    role: 1,
    status: 1,
    quota: 5_000_000,
    used_quota: 700,
    request_count: 3,
    aff_code: 'bbbb',
    inviter_id: 1,
    email: 'ADA@example.com',
    group: 'vip',
    telegram_id: '99',
    discord_id: '77',
    setting:
      '{"notify_type":"email","quota_warning_threshold":1000,"webhook_secret":"hush-hush","gotify_token":"secret-of-gotify"}',
  },
  {
    id: 8,
    username: 'bob',
    password: 'md5:1234',
    role: 1,
    status: 2,
    quota: -250,
    aff_code: 'bbbb',
    email: 'ada@example.com',
    group: 'default',
    setting: '{"notify_type":"gotify","gotify_token":"secret-of-gotify"}',
  },
  {
    id: 9,
    username: 'eve@x',
    password: '',
    role: 1,
    status: 1,
    quota: 0,
    aff_code: '',
    email: '',
    group: 'default',
    deleted_at: deleted,
  },
]

const tokens: OldRows = [
  {
    id: 3,
    user_id: 7,
    key: keyOf('a'),
    status: 1,
    name: 'mine',
    created_time: 1_700_000_000,
    accessed_time: 1_700_000_100,
    expired_time: -1,
    remain_quota: 2_000_000,
    unlimited_quota: 0,
    model_limits_enabled: 1,
    model_limits: 'old-model,other',
    allow_ips: null,
    used_quota: 11,
    group: '',
    deleted_at: null,
  },
  {
    id: 4,
    user_id: 7,
    key: keyOf('b'),
    status: 1,
    name: 'gone',
    expired_time: -1,
    deleted_at: deleted,
  },
  { id: 5, user_id: 7, key: 'not a key', status: 1, name: 'odd', expired_time: -1 },
  { id: 6, user_id: 9, key: keyOf('c'), status: 1, name: 'of eve', expired_time: -1 },
]

/** Channels with several keys, some of which were disabled. */
const severalKeys = (upstream: string): OldRows => [
  {
    id: 24,
    type: 1,
    key: 'key-one\nkey-refused\nkey-three',
    name: 'one refused',
    status: 1,
    models: 'many-keys',
    group: 'default',
    base_url: upstream,
    model_mapping: '',
    setting: '{"system_prompt":"Be brief."}',
    settings:
      '{"allow_service_tier":true,"disable_store":true,"azure_responses_version":"","aws_key_type":"ak_sk"}',
    header_override: '{"X-Client":"us","X-Key":"{api_key}","Host":"a.test"}',
    remark: 'of the east',
    channel_info:
      '{"is_multi_key":true,"multi_key_mode":"random","multi_key_status_list":{"1":3},"multi_key_disabled_reason":{"1":"quota"}}',
  },
  {
    id: 25,
    type: 1,
    key: 'key-of-none\nkey-of-nobody',
    name: 'all refused',
    status: 1,
    base_url: 'glm-coding-plan',
    models: 'none',
    group: 'default',
    model_mapping: '',
    setting: '{"proxy":"east.test:3128","force_format":"true","thinking_to_content":true}',
    channel_info: '{"is_multi_key":true,"multi_key_status_list":{"0":3,"1":2}}',
  },
]

const channels = (upstream: string): OldRows => [
  {
    id: 21,
    type: 1,
    key: 'sk-upstream-key',
    name: 'first',
    status: 1,
    models: 'old-model,old-model',
    group: 'default,vip',
    base_url: upstream,
    weight: 3,
    priority: 5,
    auto_ban: 1,
    tag: 'blue',
    model_mapping: '',
    status_code_mapping: null,
    setting: null,
    channel_info: null,
    open_ai_organization: 'org-1',
    used_quota: 42,
    balance: 1.5,
  },
  {
    id: 22,
    type: 57,
    key: 'key of codex',
    name: 'codex',
    status: 1,
    models: manyNames(501),
    group: manyNames(500),
    model_mapping: '',
  },
  {
    id: 23,
    type: 1,
    key: 'one-key-of-two\nkey-two-of-two',
    name: 'many',
    status: 3,
    models: 'y',
    group: 'default',
    model_mapping: 'no json',
    channel_info: '{"is_multi_key":true,"multi_key_mode":"polling"}',
  },
  ...severalKeys(upstream),
]

const options: OldRows = [
  { key: 'SystemName', value: 'Old times' },
  { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
  { key: 'ModelRatio', value: '{"old-model":1}' },
  { key: 'QuotaForNewUser', value: 'much' },
  ...['F', 'E', 'D', 'C', 'B', 'A'].map((end) => ({ key: `LegacyThing${end}`, value: 'x' })),
  // A switch, and after it what it cannot be switched on without.
  { key: 'GitHubOAuthEnabled', value: 'true' },
  { key: 'GitHubClientId', value: 'old-client' },
  { key: 'TelegramOAuthEnabled', value: 'true' },
]

const redemptions: OldRows = [
  {
    id: 1,
    user_id: 1,
    key: code,
    status: 1,
    name: 'gift',
    quota: 500_000,
    created_time: 1_700_000_000,
    expired_time: 0,
    deleted_at: null,
  },
  {
    id: 2,
    user_id: 1,
    key: 'used',
    status: 3,
    name: 'gift',
    quota: 500_000,
    created_time: 1_700_000_000,
    expired_time: 0,
    deleted_at: null,
  },
]

const logs: OldRows = [
  {
    id: 1,
    user_id: 7,
    username: 'ada',
    created_at: 1_700_000_000,
    type: 2,
    content: 'model ratio 1',
    token_name: 'mine',
    token_id: 3,
    model_name: 'old-model',
    quota: 700,
    prompt_tokens: 5,
    completion_tokens: 6,
    use_time: 2,
    is_stream: 1,
    channel_id: 21,
    group: 'vip',
    other: '{"model_ratio":1}',
  },
  {
    id: 2,
    user_id: 7,
    username: 'ada',
    created_at: 1_700_000_060,
    type: 5,
    content: 'refused: Bearer sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    other: 'no json',
    quota: 0,
  },
]

/** A database of new-api. */
export const newApiRows = (upstream: string): OldTables => ({
  users,
  tokens,
  channels: channels(upstream),
  options,
  redemptions,
  logs,
  top_ups: [{ id: 1, user_id: 7, trade_no: 't1' }],
  user_subscriptions: [{ id: 1, user_id: 7, amount_total: 9, amount_used: 1 }],
  user_oauth_bindings: [{ id: 1, user_id: 7, provider_user_id: 'x' }],
  vendors: [{ id: 1, name: 'v' }],
  abilities: [{ model: 'old-model', channel_id: 21 }],
})

/** A database of new-api as it was in 2024: channels had fewer columns, and `type` the numbers of today. */
export const earlyNewApiRows = (upstream: string): OldTables => ({
  ...oneApiRows(upstream),
  channels: [
    {
      id: 1,
      type: 26,
      key: 'k',
      name: 'zhipu',
      status: 1,
      models: 'z',
      group: 'default',
      auto_ban: 1,
    },
  ],
})

/** A database of one-api, whose channel types and columns differ. */
export const oneApiRows = (upstream: string): OldTables => ({
  users: [
    {
      id: 1,
      username: 'root',
      password: hash(rootAccount.password),
      role: 100,
      status: 1,
      quota: 500_000_000_000_000,
      aff_code: 'aaaa',
    },
  ],
  tokens: [
    {
      id: 1,
      user_id: 1,
      key: keyOf('d'),
      status: 1,
      name: 'limited',
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: 1,
      models: 'old-model',
      subnet: '127.0.0.0/8,10.0.0.0/8',
    },
  ],
  channels: [
    {
      id: 1,
      type: 50,
      key: 'sk-upstream-key',
      name: 'compatible',
      status: 1,
      models: 'old-model',
      group: 'default',
      base_url: `${upstream}/v1`,
      system_prompt: 'Be brief.',
      config: '{}',
      model_mapping: '{}',
    },
    { id: 2, type: 32, key: 'k', name: 'stepfun', status: 1, models: 's', group: 'default' },
    { id: 3, type: 38, key: 'k', name: 'deepl', status: 1, models: 'd', group: 'default' },
    {
      id: 4,
      type: 42,
      key: '',
      name: 'vertex',
      status: 2,
      models: 'v',
      group: 'default',
      config: '{"region":"us-east5","vertex_ai_project_id":"p","vertex_ai_adc":"{}"}',
    },
    { id: 5, type: 29, key: 'k', name: 'groq', status: 1, models: 'g', group: 'default' },
  ],
  options: [{ key: 'ModelRatio', value: '{"old-model":1}' }],
  logs: [{ id: 1, user_id: 1, type: 2, created_at: 1_700_000_000, quota: 5, elapsed_time: 1500 }],
})

function manyNames(count: number): string {
  return Array.from({ length: count }, (_, at) => `n${at}`).join()
}
