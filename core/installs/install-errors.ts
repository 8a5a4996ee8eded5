import { errorType, type Text } from '../contract/errors.ts'

export const installRunning = errorType('plugins.install_running', 409, {
  en: 'Another plugin is being installed or removed. Wait until that has ended.',
  zh: '正在安装或移除另一个插件，请等待其完成。',
})

/** The source is not a valid plugin; the reason says what to do. */
const notInstallable = errorType<{ reason: Text }>('plugins.not_installable', 400, {
  en: 'It was not installed: {reason}',
  zh: '未能安装：{reason}',
})

export function refuse(en: string, zh: string): never {
  throw notInstallable({ reason: { en, zh } })
}

export const versionThere = errorType<{ id: string; version: string }>(
  'plugins.version_there',
  409,
  {
    en: 'Version {version} of plugin "{id}" is installed already. Remove that version first, or give the new one another number.',
    zh: '插件“{id}”的版本 {version} 已安装。请先移除该版本，或为新版本换一个版本号。',
  },
)

export const npmMissing = errorType('plugins.npm_missing', 503, {
  en: 'npm is not on the PATH of the gateway, nor beside its Node. Install npm beside Node, or pack the plugin with its dependencies (npm pack) and install the .tgz.',
  zh: '网关的 PATH 中及其 Node 旁均没有 npm。请与 Node 一同安装 npm，或将插件连同依赖打包（npm pack）后以 .tgz 安装。',
})

export const npmFailed = errorType<{ what: string; detail: string }>('plugins.npm_failed', 502, {
  en: 'npm could not get {what}: {detail}. Check the name, and that the gateway reaches the registry of npm.',
  zh: 'npm 无法获取 {what}：{detail}。请检查名称，并确认网关能访问 npm 的仓库。',
})

export const stillOn = errorType<{ id: string }>('plugins.still_on', 409, {
  en: 'Plugin "{id}" is on. Switch it off before you uninstall it.',
  zh: '插件“{id}”正在使用，请先停用再卸载。',
})

export const versionInUse = errorType<{ id: string; version: string }>(
  'plugins.version_used',
  409,
  {
    en: 'Version {version} of plugin "{id}" is the one that counts. Take another version first, or uninstall the plugin.',
    zh: '插件“{id}”当前使用的就是版本 {version}。请先切换到其他版本，或卸载该插件。',
  },
)

export const notRemovable = errorType<{ id: string }>('plugins.not_removable', 409, {
  en: 'Plugin "{id}" comes with the gateway and cannot be uninstalled. Switch it off instead.',
  zh: '插件“{id}”为网关自带，不能卸载，可将其停用。',
})
