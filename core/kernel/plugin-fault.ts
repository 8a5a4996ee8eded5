// Why a plugin is left out, in words for whoever runs the gateway.
import { AppError } from '../contract/errors.ts'
import { hideSecrets } from './options/hide-secrets.ts'

/** What was being done when the fault showed. */
export type FaultStage =
  | 'name'
  | 'duplicate'
  | 'missing'
  | 'absent'
  | 'import'
  | 'manifest'
  | 'requires'
  | 'circle'
  | 'asks'
  | 'options'
  | 'migration'
  | 'server'
  | 'routes'
  | 'rejection'
  | 'crash'

export interface Blame {
  stage: FaultStage
  /** What was thrown, or what stands in the way. */
  detail: string
}

/** Something stands in its way; nothing of its own failed. */
export function isWaiting({ stage }: Blame): boolean {
  return stage === 'requires' || stage === 'circle' || stage === 'asks'
}

type Language = 'en' | 'zh'

/** What went wrong and what to do, around the detail. */
const sentences: Readonly<Record<FaultStage, Readonly<Record<Language, string>>>> = {
  name: {
    en: 'its folder cannot be a plugin: {detail}. Rename the folder and the id in it, then restart.',
    zh: '该文件夹不能作为插件：{detail}。请重命名文件夹及其中的 id，然后重启。',
  },
  duplicate: {
    en: 'another plugin of this name was found first, in {detail}. Rename or remove one of the two folders, then restart.',
    zh: '已先在 {detail} 找到同名插件。请重命名或移除其中一个文件夹，然后重启。',
  },
  missing: {
    en: 'version {detail} is not on this node. Install it here, or let all nodes share the folder plugins of DATA_DIR, then rescan.',
    zh: '本节点上没有版本 {detail}。请在此安装，或让所有节点共用 DATA_DIR 下的 plugins 文件夹，然后重新扫描。',
  },
  absent: {
    en: 'its folder is not there. Put it into PLUGIN_DIRS of that node too, then rescan.',
    zh: '该节点上没有其文件夹。请同样放入该节点的 PLUGIN_DIRS，然后重新扫描。',
  },
  import: {
    en: 'its code cannot be loaded: {detail}. Fix the file, then try again.',
    zh: '无法加载其代码：{detail}。请修复文件后重试。',
  },
  manifest: {
    en: 'its manifest is not valid: {detail}. Correct it, then try again.',
    zh: '其清单有误：{detail}。请更正后重试。',
  },
  requires: {
    en: '{detail}. Switch on what it needs first.',
    zh: '{detail}。请先启用它依赖的插件。',
  },
  circle: {
    en: 'its requirements form a cycle: {detail}. Remove one of them.',
    zh: '依赖关系形成循环：{detail}。请去掉其中一项依赖。',
  },
  asks: {
    en: 'it asks for more than was confirmed: {detail}. Switch it on again to see and confirm it.',
    zh: '它要求的权限超出已确认的范围：{detail}。请重新启用以查看并确认。',
  },
  options: {
    en: 'its options are not valid: {detail}. Rename or correct the option, then try again.',
    zh: '其选项无法使用：{detail}。请重命名或更正该选项后重试。',
  },
  migration: {
    en: 'its tables could not be brought up to date: {detail}. Nothing of that step was kept; fix the migration, then try again.',
    zh: '无法更新其数据表：{detail}。该步骤未留下任何改动；请修复迁移后重试。',
  },
  server: {
    en: 'its server part failed: {detail}. Fix it, then try again, or leave it off.',
    zh: '其服务端部分出错：{detail}。请修复后重试，或保持停用。',
  },
  routes: {
    en: 'its routes cannot be added: {detail}. Correct them, then try again.',
    zh: '无法添加其路由：{detail}。请更正后重试。',
  },
  rejection: {
    en: 'it left a failed promise behind while it loaded: {detail}. Await or catch it, then try again.',
    zh: '加载时有未处理的 Promise 失败：{detail}。请等待或捕获它后重试。',
  },
  crash: {
    en: 'it ended the whole process: {detail}. Fix it before you switch it on again.',
    zh: '它使整个进程退出：{detail}。请修复后再启用。',
  },
}

/** One sentence that names what is wrong and says what to do; it follows the plugin's name. */
export function sentenceOf({ stage, detail }: Blame, language: Language): string {
  return sentences[stage][language].replace('{detail}', () => detail)
}

const MAX_DETAIL = 500

/** That is no fault of the plugin that asked the database. */
export function isDatabaseAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'server.database_away'
}

/** A plugin's fault, found while a generation was built. */
export class PluginFault extends Error {
  readonly plugin: string
  readonly blame: Blame

  constructor(plugin: string, stage: FaultStage, cause: unknown) {
    super(detailOf(cause), { cause })
    this.name = 'PluginFault'
    this.plugin = plugin
    this.blame = { stage, detail: this.message }
  }

  /** The same where none of these values stands in it: sentence and log are read by people who may not see them. */
  without(secrets: readonly unknown[]): PluginFault {
    const { plugin, blame, cause } = this
    const [text, stack] = [textOf(cause), stackOf(cause)]
    const clean = new Error(hideSecrets(secrets, text))
    clean.stack = hideSecrets(secrets, stack)
    return clean.message === text && clean.stack === stack
      ? this
      : new PluginFault(plugin, blame.stage, clean)
  }
}

/** Plugins throw anything, also what throws when it is read. */
export function stackOf(cause: unknown): string {
  try {
    return cause instanceof Error ? String(cause.stack) : ''
  } catch {
    return ''
  }
}

/** What was thrown as one line; plugins throw anything. */
export function detailOf(cause: unknown): string {
  const text = `${placeOf(cause)}${textOf(cause)}`.replaceAll(/\s+/g, ' ').replace(/\.$/, '').trim()
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text || 'no reason was given'
}

/** Of a file that is no code, which the engine names before the stack alone. */
function placeOf(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return ''
  const [first = ''] = stackOf(cause).split('\n', 1)
  const file = first.slice(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1)
  return /^[\w.@-]+\.[cm]?[jt]s:\d+$/.test(file) ? `${file}: ` : ''
}

function textOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? (cause.message as unknown) : cause)
  } catch {
    return 'something that has no text'
  }
}

/** Does a part of a plugin's load; what it throws is blamed on the plugin. */
export async function blaming<T>(
  plugin: string,
  stage: FaultStage,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof PluginFault ? error : new PluginFault(plugin, stage, error)
  }
}

const stages = new Set<string>(Object.keys(sentences))

/** As kept in the table. */
export function writeBlame(blame: Blame): string {
  return JSON.stringify(blame)
}

/** Undefined for an empty or unknown text. */
export function readBlame(text: string): Blame | undefined {
  if (text === '') return undefined
  try {
    const { stage, detail } = JSON.parse(text) as Partial<Blame>
    const isSound = stage !== undefined && stages.has(stage) && typeof detail === 'string'
    return isSound ? { stage, detail } : undefined
  } catch {
    return undefined
  }
}
