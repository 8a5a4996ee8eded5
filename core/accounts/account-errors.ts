import { errorType } from '../contract/errors.ts'

export const invalidUsername = errorType<{ max: number }>('account.invalid_username', 400, {
  en: 'The user name must have 1 to {max} characters and no @.',
  zh: '用户名须为 1 到 {max} 个字符，且不能包含 @。',
})
export const unseenCharacter = errorType('account.invalid_username', 400, {
  en: 'The user name contains a character that cannot be seen, such as a line break. Type it anew instead of pasting it.',
  zh: '用户名包含不可见的字符（例如换行符），请手动输入，不要粘贴。',
})
export const invalidDisplayName = errorType<{ max: number }>('account.invalid_display_name', 400, {
  en: 'The display name must have at most {max} characters.',
  zh: '显示名称最多 {max} 个字符。',
})
export const passwordTooShort = errorType<{ min: number }>('account.invalid_password', 400, {
  en: 'The password must have at least {min} characters.',
  zh: '密码长度不能少于 {min} 个字符。',
})
export const passwordTooLong = errorType<{ max: number }>('account.invalid_password', 400, {
  en: 'The password must have at most {max} characters.',
  zh: '密码长度不能超过 {max} 个字符。',
})
export const accountChanged = errorType<{ field: string }>('account.changed', 409, {
  en: 'This user was changed elsewhere meanwhile ({field}). Close the form and open it again to see how it is now.',
  zh: '该用户已在别处被修改（{field}）。请关闭表单后重新打开，查看当前内容。',
})
export const usernameTaken = errorType('account.username_taken', 409, {
  en: 'This user name is taken.',
  zh: '用户名已被占用。',
})
export const emailTaken = errorType('account.email_taken', 409, {
  en: 'This e-mail address is in use.',
  zh: '该邮箱已被占用。',
})
export const identityTaken = errorType('account.identity_taken', 409, {
  en: 'This identity belongs to another account.',
  zh: '该第三方账号已绑定其他用户。',
})
export const invalidEmail = errorType('account.invalid_email', 400, {
  en: 'This is not a valid e-mail address.',
  zh: '邮箱地址格式不正确。',
})
export const emailDomainRefused = errorType<{ domain: string }>('account.email_domain', 403, {
  en: 'Addresses at {domain} are not accepted here. Use one of another provider.',
  zh: '本站不接受 {domain} 的邮箱，请更换邮箱。',
})
export const emailAliasRefused = errorType('account.email_alias', 403, {
  en: 'Addresses with + or . before the @ are not accepted here. Use the plain address.',
  zh: '本站不接受 @ 之前带有 + 或 . 的邮箱别名，请使用原始邮箱。',
})
export const accountUnknown = errorType('account.unknown', 404, {
  en: 'There is no such user.',
  zh: '用户不存在。',
})
export const lastSuperStays = errorType('account.last_super_admin', 409, {
  en: 'This is the only active super admin: it cannot be demoted, disabled or deleted.',
  zh: '这是唯一可用的超级管理员，不能降级、禁用或删除。',
})
export const groupInUse = errorType<{ group: string; count: number }>('account.group_in_use', 409, {
  en: 'GroupRatio must keep the group {group}: users are in it ({count}), and without a ratio their calls would cost ratio 1. Move them to another group first.',
  zh: 'GroupRatio 须保留分组 {group}：仍有用户属于该分组（{count} 个），失去倍率后其调用将按倍率 1 计费。请先将这些用户移到其他分组。',
})
export const affQuotaInsufficient = errorType('account.aff_quota_insufficient', 400, {
  en: 'Your invite earnings are less than this amount.',
  zh: '邀请额度不足。',
})
export const roleTooLow = errorType('access.role_too_low', 403, {
  en: 'You do not have permission to do this.',
  zh: '无权进行此操作，权限不足。',
})
export const signInRequired = errorType('auth.required', 401, {
  en: 'You are not signed in, or your session has ended. Sign in again.',
  zh: '未登录或登录已过期，请重新登录。',
})
