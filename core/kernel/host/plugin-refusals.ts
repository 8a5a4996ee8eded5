import { AppError, errorType } from '../../contract/errors.ts'
import { type Blame, sentenceOf } from '../plugin-fault.ts'

export const pluginUnknown = errorType<{ id: string }>('plugins.unknown', 404, {
  en: 'There is no plugin "{id}"',
  zh: '没有插件“{id}”',
})

export const pluginNeeded = errorType<{ id: string; by: string }>('plugins.needed', 409, {
  en: 'Plugin "{id}" is needed by {by}; switch that off first',
  zh: '插件“{id}”被 {by} 依赖，请先停用后者',
})

export const pluginEssential = errorType<{ id: string }>('plugins.essential', 409, {
  en: 'Plugin "{id}" cannot be switched off: without it the super admin could not sign in',
  zh: '插件“{id}”不能停用：停用后超级管理员将无法登录',
})

/** `hash` is of the list in `asks`, which is sent back as `confirm`. */
export const pluginConfirm = errorType<{ id: string; asks: string; hash: string }>(
  'plugins.confirm',
  409,
  {
    en: 'Plugin "{id}" asks for {asks}. Confirm that first.',
    zh: '插件“{id}”要求：{asks}。请先确认。',
  },
)

export const pluginVersionUnknown = errorType<{ id: string; version: string }>(
  'plugins.unknown_version',
  404,
  {
    en: 'Version {version} of plugin "{id}" is not installed on this node. Install it first.',
    zh: '本节点未安装插件“{id}”的版本 {version}，请先安装。',
  },
)

export const pluginParked = errorType<{ id: string }>('plugins.parked', 409, {
  en: 'Plugin "{id}" is parked because it failed to load twice. Unpark it to try it again.',
  zh: '插件“{id}”两次加载失败，已被搁置。请先解除搁置再试。',
})

export const pluginUnsafe = errorType<{ id: string }>('plugins.safe_mode', 409, {
  en: 'Plugin "{id}" is not loaded while the gateway runs with --safe. Restart it without --safe first.',
  zh: '网关以 --safe 运行时不加载插件“{id}”。请先去掉 --safe 重启。',
})

/** The sentence already says what to do. */
export function pluginFailed(id: string, blame: Blame): AppError {
  return notLoadable(
    `Plugin "${id}" was not switched on: ${sentenceOf(blame, 'en')}`,
    `插件“${id}”未能启用：${sentenceOf(blame, 'zh')}`,
  )
}

/** What served goes on serving. */
export function versionFailed(id: string, version: string, blame: Blame): AppError {
  return notLoadable(
    `Version ${version} of plugin "${id}" was not taken: ${sentenceOf(blame, 'en')}`,
    `插件“${id}”未能切换到版本 ${version}：${sentenceOf(blame, 'zh')}`,
  )
}

function notLoadable(en: string, zh: string): AppError {
  return new AppError({ code: 'plugins.not_loadable', status: 409, text: { en, zh } })
}
