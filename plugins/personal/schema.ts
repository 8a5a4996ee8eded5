import { Type, type Static } from '@sinclair/typebox'

const maybeText = (maxLength?: number, about: { description?: string } = {}) =>
  Type.Optional(
    Type.Union([Type.String(maxLength === undefined ? {} : { maxLength }), Type.Null()], about),
  )

/** The console may send its whole record: other fields are ignored. */
export const selfBody = Type.Object({
  username: maybeText(),
  display_name: maybeText(),
  password: maybeText(),
  original_password: maybeText(undefined, { description: 'Needed for a new password.' }),
  language: maybeText(35, {
    description: 'A tag such as zh-CN: what mails and notices are written in.',
  }),
})
export type SelfBody = Static<typeof selfBody>

export const tokenQuery = Type.Object({
  expired_time: Type.Optional(
    Type.Integer({
      minimum: -1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Unix seconds; -1 or missing: never.',
    }),
  ),
})

export const settingBody = Type.Object({
  notify_type: maybeText(32),
  quota_warning_threshold: Type.Optional(
    Type.Union([Type.Number(), Type.Null()], { description: 'Quota units.' }),
  ),
  webhook_url: maybeText(2048),
  webhook_secret: maybeText(512),
  notification_email: maybeText(254),
  accept_unset_model_ratio_model: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})
export type SettingBody = Static<typeof settingBody>

export const transferBody = Type.Object({
  /** Number inputs of older consoles may send text. */
  quota: Type.Union(
    [Type.Integer({ maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^-?\\d{1,15}$' })],
    { description: 'Quota units.' },
  ),
})

/** The HMAC of a session's secret. */
export const sessionParams = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
export type SessionParams = Static<typeof sessionParams>
