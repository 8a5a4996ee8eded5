import { errorType } from '#core'

export const codeMissing = errorType('redemptions.code_missing', 400, {
  en: 'Enter a redemption code.',
  zh: '请输入兑换码。',
})
export const codeUnknown = errorType('redemptions.code_unknown', 404, {
  en: 'There is no such redemption code. Check it for typing errors.',
  zh: '兑换码无效，请检查是否输入有误。',
})
export const codeUsed = errorType('redemptions.code_used', 409, {
  en: 'This redemption code has been used or is no longer valid.',
  zh: '该兑换码已被使用或已失效。',
})
export const codeExpired = errorType('redemptions.code_expired', 409, {
  en: 'This redemption code has expired.',
  zh: '该兑换码已过期。',
})
export const recordUnknown = errorType('redemptions.unknown', 404, {
  en: 'There is no such redemption code.',
  zh: '兑换码不存在。',
})
export const nameLength = errorType<{ max: number }>('redemptions.name_length', 400, {
  en: 'The name must have 1 to {max} characters.',
  zh: '名称须为 1 到 {max} 个字符。',
})
export const countRange = errorType<{ max: number }>('redemptions.count_range', 400, {
  en: 'From 1 to {max} codes can be made at once.',
  zh: '一次可创建 1 到 {max} 个兑换码。',
})
export const quotaRange = errorType('redemptions.quota_range', 400, {
  en: 'The quota must be a whole number above 0.',
  zh: '额度必须是大于 0 的整数。',
})
export const expiryPast = errorType('redemptions.expiry_past', 400, {
  en: 'The expiry must lie in the future.',
  zh: '过期时间必须晚于当前时间。',
})
export const codeDisabled = errorType('redemptions.disabled', 409, {
  en: 'A disabled code cannot be edited. Enable it first.',
  zh: '已禁用的兑换码不能编辑，请先启用。',
})
export const onlyUnused = errorType('redemptions.only_unused', 409, {
  en: 'A used code can be neither edited nor switched.',
  zh: '已使用的兑换码不能编辑，也不能启用或禁用。',
})
export const codeChanged = errorType('redemptions.changed', 409, {
  en: 'This code has been changed elsewhere. Close the form and open it again to see its current state.',
  zh: '该兑换码已在别处被修改。请关闭表单后重新打开，查看当前内容。',
})
export const statusUnknown = errorType('redemptions.status', 400, {
  en: 'A code can be set to 1 (unused) or 2 (disabled) only.',
  zh: '兑换码状态只能设为 1（未使用）或 2（已禁用）。',
})
