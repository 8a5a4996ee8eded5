import { errorType } from '../contract/errors.ts'

export const tokenNotFound = errorType('token.not_found', 404, {
  en: 'There is no such token.',
  zh: '令牌不存在。',
})

export const tokenChanged = errorType<{ field: string }>('token.changed', 409, {
  en: 'This token was changed elsewhere meanwhile ({field}). Close the form and open it again to see how it is now.',
  zh: '该令牌已在别处被修改（{field}）。请关闭表单后重新打开，查看当前内容。',
})

export const tokenNameTooLong = errorType<{ max: number }>('token.name_too_long', 400, {
  en: 'The name of a token has at most {max} characters.',
  zh: '令牌名称最多 {max} 个字符。',
})

export const tokenExpiryInvalid = errorType('token.expiry_invalid', 400, {
  en: 'expired_time must be a time in Unix seconds, or -1 for never.',
  zh: 'expired_time 必须是 Unix 秒时间戳，-1 表示永不过期。',
})

export const tokenQuotaInvalid = errorType('token.quota_invalid', 400, {
  en: 'remain_quota must be a whole number of at least 0.',
  zh: 'remain_quota 必须是不小于 0 的整数。',
})

export const tokenAddressInvalid = errorType<{ entry: string }>('token.address_invalid', 400, {
  en: 'allow_ips: {entry} is neither an IP address nor a CIDR range.',
  zh: 'allow_ips：{entry} 不是 IP 地址，也不是 CIDR 网段。',
})

export const tokenGroupNotUsable = errorType<{ group: string }>('token.group_not_usable', 403, {
  en: 'You may not use the group {group}.',
  zh: '您无权使用分组 {group}。',
})

export const tokenStatusInvalid = errorType('token.status_invalid', 400, {
  en: 'status must be 1 (enabled) or 2 (disabled).',
  zh: 'status 必须是 1（启用）或 2（禁用）。',
})

export const tokenStillExpired = errorType('token.still_expired', 400, {
  en: 'This token has expired. Change its expiry time first, or let it never expire.',
  zh: '令牌已过期，请先修改过期时间，或设为永不过期。',
})

export const tokenStillExhausted = errorType('token.still_exhausted', 400, {
  en: 'The quota of this token is used up. Change its quota first, or make it unlimited.',
  zh: '令牌额度已用尽，请先修改剩余额度，或设为无限额度。',
})

export const tooManyTokens = errorType<{ max: number }>('token.too_many', 400, {
  en: 'You have {max} tokens already, which is the most that one user may have.',
  zh: '您已有 {max} 个令牌，已达到单个用户的上限。',
})
