// What the documents say that answers hold, stated once more and independently of the code that makes them. Further fields are allowed.
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'

export const int = Type.Integer()
export const text = Type.String()
export const flag = Type.Boolean()
export const number = Type.Number()
const empty = Type.Literal('')
const time = Type.Union([text, Type.Null()])

export const names = Type.Array(text)
export const mapOf = (value: TSchema) => Type.Record(text, value)

/** Part 1, 0.2: lists that tell their total. */
export const paged = (item: TSchema) =>
  Type.Object({ items: Type.Array(item), total: int, page: int, page_size: int })

const all = (type: TSchema, keys: string): TProperties =>
  Object.fromEntries(keys.split(' ').map((key) => [key, type]))

/** Part 1, 3.1. */
export const userRecord = Type.Object({
  ...all(int, 'id role status quota used_quota request_count aff_count aff_quota'),
  ...all(int, 'aff_history_quota inviter_id'),
  ...all(text, 'username display_name email github_id oidc_id wechat_id telegram_id linux_do_id'),
  ...all(text, 'group aff_code setting'),
  password: empty,
  verification_code: empty,
  access_token: Type.Null(),
  DeletedAt: time,
})

/** Part 1, 4.3: what a console stores of whoever signed in. */
export const signedIn = Type.Object({
  ...all(int, 'id role status'),
  ...all(text, 'username display_name group'),
})

/** Part 1, 4.5. */
export const groupOffers = mapOf(Type.Object({ ratio: number, desc: text }))

/** Part 1, 9. */
export const status = Type.Object({
  ...all(text, 'version github_client_id linuxdo_client_id telegram_bot_name oidc_client_id'),
  ...all(text, 'oidc_authorization_endpoint wechat_qrcode turnstile_site_key system_name logo'),
  ...all(text, 'footer_html server_address top_up_link docs_link chat_link monitor_link'),
  ...all(text, 'token_query_link release_url'),
  ...all(flag, 'email_verification github_oauth linuxdo_oauth telegram_oauth oidc_enabled'),
  ...all(flag, 'wechat_login turnstile_check register_enabled password_register_enabled'),
  ...all(flag, 'password_login_enabled enable_online_topup display_in_currency enable_drawing'),
  ...all(flag, 'enable_task enable_data_export default_collapse_sidebar mj_notify_enabled'),
  ...all(flag, 'demo_site_enabled self_use_mode_enabled setup'),
  ...all(int, 'start_time min_topup option_min_role'),
  ...all(number, 'price quota_per_unit'),
  enable_batch_update: Type.Literal(false),
  chats: Type.Array(mapOf(text)),
  data_export_default_time: Type.Union(['hour', 'day', 'week'].map((unit) => Type.Literal(unit))),
})

/** Part 1, 4.12. */
export const pluginRow = Type.Object({
  ...all(text, 'id name version'),
  source: Type.Union(['built-in', 'folder', 'package'].map((name) => Type.Literal(name))),
  state: Type.Union(['on', 'off', 'failed'].map((name) => Type.Literal(name))),
  enabled: flag,
  requires: names,
  options: names,
})

/** Part 1, 4.11, and part 2, 8.7. */
export const dataRow = Type.Object({
  ...all(int, 'id user_id created_at token_used count quota'),
  ...all(text, 'username model_name'),
})

/** Part 2, 3: never with its key, and no text is null. */
export const channel = Type.Object({
  ...all(int, 'id type status weight created_time test_time response_time'),
  ...all(int, 'balance_updated_time used_quota priority auto_ban max_input_tokens'),
  ...all(text, 'openai_organization test_model name base_url other models group model_mapping'),
  ...all(text, 'status_code_mapping other_info tag setting param_override test_fault'),
  balance: number,
  key: empty,
})

/** Part 2, 6.2. */
export const token = Type.Object({
  ...all(int, 'id user_id status created_time accessed_time expired_time remain_quota used_quota'),
  ...all(text, 'name model_limits allow_ips group'),
  ...all(flag, 'unlimited_quota model_limits_enabled'),
  key: Type.String({ pattern: '^[0-9a-zA-Z]{48}$' }),
  DeletedAt: Type.Null(),
})

/** Part 2, 7.2. */
export const redemption = Type.Object({
  ...all(int, 'id user_id status quota created_time redeemed_time used_user_id'),
  name: text,
  key: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  count: Type.Literal(0),
  DeletedAt: Type.Null(),
})

/** Part 2, 8.3. */
const logFields = {
  ...all(int, 'id user_id created_at type token_id quota prompt_tokens completion_tokens'),
  ...all(int, 'use_time channel'),
  ...all(text, 'username content token_name model_name channel_name group other'),
  is_stream: flag,
}
export const logRow = Type.Object(logFields)

/** Part 2, 8.4: ids tell no volume, channels are the admins' matter. */
export const ownLogRow = Type.Object({
  ...logFields,
  id: Type.Integer({ minimum: 0, maximum: 1023 }),
  channel: Type.Literal(0),
  channel_name: empty,
})

export const logStat = Type.Object(all(int, 'quota rpm tpm'))

/** Part 2, 11.2; times are milliseconds, but for created_at. */
const drawingFields = {
  ...all(int, 'id code user_id submit_time start_time finish_time created_at channel_id quota'),
  ...all(text, 'action mj_id prompt prompt_en description state image_url status fail_reason'),
  ...all(text, 'buttons properties'),
  progress: Type.String({ pattern: '^\\d+%$' }),
}
export const drawing = Type.Object(drawingFields)
export const ownDrawing = Type.Object({ ...drawingFields, channel_id: Type.Literal(0) })

/** Part 2, 11.3; times are seconds. */
const taskFields = {
  ...all(int, 'id created_at updated_at user_id channel_id quota submit_time start_time'),
  ...all(int, 'finish_time'),
  ...all(text, 'task_id platform action status fail_reason progress'),
  properties: Type.Object({ input: text }),
}
export const task = Type.Object(taskFields)
export const ownTask = Type.Object({ ...taskFields, channel_id: Type.Literal(0) })

/** Part 2, 12.1: consoles format all numbers without asking. */
export const pricingRow = Type.Object({
  model_name: text,
  quota_type: Type.Union([Type.Literal(0), Type.Literal(1)]),
  ...all(number, 'model_ratio model_price completion_ratio'),
  owner_by: text,
  enable_groups: names,
})

/** Part 2, 2.15. */
export const modelCard = Type.Object({
  ...all(text, 'id owned_by root'),
  object: Type.Literal('model'),
  created: Type.Literal(1_626_777_600),
  permission: Type.Array(Type.Object({})),
  parent: Type.Null(),
})
