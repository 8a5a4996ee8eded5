import type { MigrationContext } from '../../migrate.ts'

/** The first tables. Quota columns are 64-bit integers in quota units; times are Unix seconds unless the name says otherwise. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  const id = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'
  const rowId = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'BIGSERIAL PRIMARY KEY'
  const time = dialect === 'sqlite' ? 'DATETIME' : 'TIMESTAMPTZ'
  for (const statement of [
    ...accountTables(id, time),
    ...credentialTables(id, time),
    ...channelTables(id),
    ...moneyTables(rowId),
    ...systemTables(),
  ]) {
    await run(statement)
  }
}

function accountTables(id: string, time: string): string[] {
  return [
    `CREATE TABLE users (
      id ${id},
      username TEXT NOT NULL,
      password TEXT NOT NULL DEFAULT '',
      display_name TEXT NOT NULL DEFAULT '',
      role INTEGER NOT NULL DEFAULT 1,
      status INTEGER NOT NULL DEFAULT 1,
      email TEXT NOT NULL DEFAULT '',
      github_id TEXT NOT NULL DEFAULT '',
      oidc_id TEXT NOT NULL DEFAULT '',
      wechat_id TEXT NOT NULL DEFAULT '',
      telegram_id TEXT NOT NULL DEFAULT '',
      linux_do_id TEXT NOT NULL DEFAULT '',
      access_token TEXT,
      quota BIGINT NOT NULL DEFAULT 0,
      leased BIGINT NOT NULL DEFAULT 0,
      used_quota BIGINT NOT NULL DEFAULT 0,
      request_count BIGINT NOT NULL DEFAULT 0,
      "group" TEXT NOT NULL DEFAULT 'default',
      aff_code TEXT,
      aff_count INTEGER NOT NULL DEFAULT 0,
      aff_quota BIGINT NOT NULL DEFAULT 0,
      aff_history_quota BIGINT NOT NULL DEFAULT 0,
      inviter_id BIGINT NOT NULL DEFAULT 0,
      setting TEXT NOT NULL DEFAULT '',
      created_at BIGINT NOT NULL DEFAULT 0,
      deleted_at ${time}
    )`,
    'CREATE UNIQUE INDEX users_username ON users (username)',
    'CREATE UNIQUE INDEX users_access_token ON users (access_token)',
    'CREATE UNIQUE INDEX users_aff_code ON users (aff_code)',
    'CREATE INDEX users_inviter ON users (inviter_id)',
    ...['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'].map(
      (column) => `CREATE UNIQUE INDEX users_${column} ON users (${column}) WHERE ${column} <> ''`,
    ),
  ]
}

function credentialTables(id: string, time: string): string[] {
  return [
    `CREATE TABLE sessions (
      id_hash TEXT PRIMARY KEY,
      user_id BIGINT,
      data TEXT NOT NULL DEFAULT '{}',
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      address TEXT NOT NULL DEFAULT '',
      user_agent TEXT NOT NULL DEFAULT ''
    )`,
    'CREATE INDEX sessions_user ON sessions (user_id)',
    'CREATE INDEX sessions_expires ON sessions (expires_at)',
    `CREATE TABLE tokens (
      id ${id},
      user_id BIGINT NOT NULL,
      "key" TEXT NOT NULL,
      key_hash TEXT NOT NULL,
      status INTEGER NOT NULL DEFAULT 1,
      name TEXT NOT NULL DEFAULT '',
      created_time BIGINT NOT NULL,
      accessed_time BIGINT NOT NULL,
      expired_time BIGINT NOT NULL DEFAULT -1,
      remain_quota BIGINT NOT NULL DEFAULT 0,
      leased BIGINT NOT NULL DEFAULT 0,
      unlimited_quota BOOLEAN NOT NULL DEFAULT FALSE,
      model_limits_enabled BOOLEAN NOT NULL DEFAULT FALSE,
      model_limits TEXT NOT NULL DEFAULT '',
      allow_ips TEXT NOT NULL DEFAULT '',
      used_quota BIGINT NOT NULL DEFAULT 0,
      "group" TEXT NOT NULL DEFAULT '',
      deleted_at ${time}
    )`,
    'CREATE UNIQUE INDEX tokens_key_hash ON tokens (key_hash)',
    'CREATE INDEX tokens_user ON tokens (user_id, id)',
  ]
}

function channelTables(id: string): string[] {
  return [
    `CREATE TABLE channels (
      id ${id},
      type INTEGER NOT NULL,
      "key" TEXT NOT NULL,
      key_hash TEXT NOT NULL DEFAULT '',
      openai_organization TEXT NOT NULL DEFAULT '',
      test_model TEXT NOT NULL DEFAULT '',
      status INTEGER NOT NULL DEFAULT 1,
      name TEXT NOT NULL,
      weight BIGINT NOT NULL DEFAULT 0,
      created_time BIGINT NOT NULL,
      test_time BIGINT NOT NULL DEFAULT 0,
      response_time BIGINT NOT NULL DEFAULT 0,
      base_url TEXT NOT NULL DEFAULT '',
      other TEXT NOT NULL DEFAULT '',
      balance DOUBLE PRECISION NOT NULL DEFAULT 0,
      balance_updated_time BIGINT NOT NULL DEFAULT 0,
      models TEXT NOT NULL DEFAULT '',
      "group" TEXT NOT NULL DEFAULT 'default',
      used_quota BIGINT NOT NULL DEFAULT 0,
      model_mapping TEXT NOT NULL DEFAULT '',
      status_code_mapping TEXT NOT NULL DEFAULT '',
      priority BIGINT NOT NULL DEFAULT 0,
      auto_ban INTEGER NOT NULL DEFAULT 1,
      other_info TEXT NOT NULL DEFAULT '',
      tag TEXT NOT NULL DEFAULT '',
      setting TEXT NOT NULL DEFAULT '',
      param_override TEXT NOT NULL DEFAULT '',
      max_input_tokens BIGINT NOT NULL DEFAULT 0
    )`,
    'CREATE INDEX channels_tag ON channels (tag)',
    'CREATE INDEX channels_key_hash ON channels (key_hash)',
    `CREATE TABLE abilities (
      "group" TEXT NOT NULL,
      model TEXT NOT NULL,
      channel_id BIGINT NOT NULL,
      enabled BOOLEAN NOT NULL,
      priority BIGINT NOT NULL,
      weight BIGINT NOT NULL,
      tag TEXT NOT NULL DEFAULT '',
      PRIMARY KEY ("group", model, channel_id)
    )`,
    'CREATE INDEX abilities_channel ON abilities (channel_id)',
  ]
}

function moneyTables(rowId: string): string[] {
  return [
    `CREATE TABLE ledger_entries (
      id ${rowId},
      user_id BIGINT NOT NULL,
      token_id BIGINT NOT NULL DEFAULT 0,
      kind TEXT NOT NULL,
      ref TEXT NOT NULL,
      amount BIGINT NOT NULL,
      balance BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX ledger_entries_user ON ledger_entries (user_id, id)',
    `CREATE UNIQUE INDEX ledger_entries_once ON ledger_entries (kind, ref) WHERE kind <> 'consume'`,
    `CREATE TABLE nodes (
      id TEXT PRIMARY KEY,
      started_at BIGINT NOT NULL,
      heartbeat_at BIGINT NOT NULL
    )`,
    `CREATE TABLE leases (
      node_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      subject_id BIGINT NOT NULL,
      units BIGINT NOT NULL,
      PRIMARY KEY (node_id, kind, subject_id)
    )`,
    `CREATE TABLE logs (
      id ${rowId},
      user_id BIGINT NOT NULL,
      username TEXT NOT NULL DEFAULT '',
      created_at BIGINT NOT NULL,
      type INTEGER NOT NULL,
      content TEXT NOT NULL DEFAULT '',
      token_name TEXT NOT NULL DEFAULT '',
      token_id BIGINT NOT NULL DEFAULT 0,
      model_name TEXT NOT NULL DEFAULT '',
      quota BIGINT NOT NULL DEFAULT 0,
      prompt_tokens BIGINT NOT NULL DEFAULT 0,
      completion_tokens BIGINT NOT NULL DEFAULT 0,
      use_time BIGINT NOT NULL DEFAULT 0,
      is_stream BOOLEAN NOT NULL DEFAULT FALSE,
      channel_id BIGINT NOT NULL DEFAULT 0,
      "group" TEXT NOT NULL DEFAULT '',
      other TEXT NOT NULL DEFAULT '',
      request_id TEXT NOT NULL DEFAULT ''
    )`,
    'CREATE INDEX logs_user ON logs (user_id, id)',
    'CREATE INDEX logs_created ON logs (created_at)',
  ]
}

function systemTables(): string[] {
  return [
    `CREATE TABLE options (
      "key" TEXT PRIMARY KEY,
      value TEXT NOT NULL
    )`,
    `CREATE TABLE setups (
      id INTEGER PRIMARY KEY,
      version TEXT NOT NULL,
      initialized_at BIGINT NOT NULL
    )`,
    `CREATE TABLE plugins (
      id TEXT PRIMARY KEY,
      enabled BOOLEAN NOT NULL,
      source TEXT NOT NULL DEFAULT 'built-in',
      location TEXT NOT NULL DEFAULT ''
    )`,
    `CREATE TABLE one_time_codes (
      purpose TEXT NOT NULL,
      subject TEXT NOT NULL,
      code_hash TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (purpose, subject)
    )`,
  ]
}
