import { errorType } from '../contract/errors.ts'

export const stateInvalid = errorType('sign_in.state_invalid', 403, {
  en: 'This sign-in was not started in this browser, took longer than ten minutes or was used already. Start it again.',
  zh: '登录状态无效：可能不是由此浏览器发起、已超过十分钟或已使用过，请重新登录。',
})
export const codeMissing = errorType('sign_in.code_missing', 400, {
  en: 'The sign-in provider sent no code. Start again.',
  zh: '登录服务未返回授权码，请重试。',
})
export const refusedByProvider = errorType<{ reason: string }>('sign_in.refused_by_provider', 403, {
  en: 'The sign-in provider answered: {reason}',
  zh: '登录服务返回：{reason}',
})
export const providerOff = errorType('sign_in.provider_off', 403, {
  en: 'This way to sign in is switched off.',
  zh: '管理员未开启该登录方式。',
})
export const banned = errorType('sign_in.banned', 403, {
  en: 'This account has been banned.',
  zh: '该用户已被封禁。',
})
export const deregistered = errorType('sign_in.deregistered', 403, {
  en: 'This account has been deregistered.',
  zh: '该用户已注销。',
})
export const registrationOff = errorType('sign_in.registration_off', 403, {
  en: 'There is no account for this identity yet, and registration is switched off.',
  zh: '该第三方账号尚未绑定用户，且管理员已关闭新用户注册。',
})
export const notBound = errorType('sign_in.not_bound', 403, {
  en: 'No account is bound to this identity. Sign in another way and bind it in the personal settings.',
  zh: '该第三方账号尚未绑定用户，请先用其他方式登录并在个人设置中绑定。',
})
export const issuerChanged = errorType('sign_in.issuer_changed', 403, {
  en: 'This site now uses another sign-in provider here, and its administrator has not yet said what becomes of the accounts of the old one. Sign in another way, or tell the administrator.',
  zh: '本站已更换此登录方式的服务，管理员尚未处理原有账户。请使用其他方式登录，或联系管理员。',
})
export const issuerMoved = errorType('sign_in.issuer_moved', 409, {
  en: 'The settings now name another provider. Reload the page.',
  zh: '登录服务的设置已发生变化，请刷新页面后重试。',
})
export const issuerUnknown = errorType('sign_in.issuer_unknown', 404, {
  en: 'There is no such sign-in provider whose address can be changed.',
  zh: '不存在可更换地址的该登录方式。',
})
export const lastWayIn = errorType('sign_in.last_way_in', 403, {
  en: 'This is the last way into your account. Set a password or bind another identity first.',
  zh: '这是您账户的最后一种登录方式，请先设置密码或绑定其他第三方账号。',
})
export const noWayIn = errorType('sign_in.no_way_in', 409, {
  en: 'After this change nobody but the super admin could sign in. Switch on another sign-in method first.',
  zh: '此更改会导致除超级管理员外无人能登录，请先启用其他登录方式。',
})
export const notYours = errorType('sign_in.identity_unknown', 404, {
  en: 'Nothing is bound there.',
  zh: '尚未绑定该第三方账号。',
})

export const factorNeedsSignIn = errorType('second_factor.no_sign_in', 401, {
  en: 'The sign-in has taken too long. Begin again.',
  zh: '登录已超时，请重新登录。',
})
export const factorCodeMissing = errorType('second_factor.code_missing', 400, {
  en: 'Enter the code.',
  zh: '请输入验证码。',
})
export const factorCodeWrong = errorType('second_factor.code_wrong', 400, {
  en: 'The code is wrong, or has been used already.',
  zh: '验证码错误或已被使用。',
})
export const factorIsOn = errorType('second_factor.on', 409, {
  en: 'Two-factor sign-in is on already.',
  zh: '两步验证已启用。',
})
export const factorIsOff = errorType('second_factor.off', 409, {
  en: 'Two-factor sign-in is off.',
  zh: '两步验证未启用。',
})
export const factorNotSetUp = errorType('second_factor.not_set_up', 409, {
  en: 'Set up the authenticator first.',
  zh: '请先设置验证器。',
})
export const proofPasswordWrong = errorType('auth.proof_password_wrong', 403, {
  en: 'The password is wrong.',
  zh: '密码错误。',
})
export const proofNeedsSession = errorType('auth.proof_needs_session', 403, {
  en: 'An access token cannot confirm who you are. Sign in to the console for this.',
  zh: '访问令牌无法用于确认身份，请登录控制台进行此操作。',
})
export const factorOutOfReach = errorType('second_factor.out_of_reach', 403, {
  en: 'Only an admin of a higher role may reset this.',
  zh: '无权重置同级或更高权限用户的两步验证。',
})
