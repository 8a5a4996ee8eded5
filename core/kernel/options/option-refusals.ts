import { errorType } from '../../contract/errors.ts'

export const unknownKey = errorType<{ key: string }>('options.unknown_key', 400, {
  en: 'There is no option {key}: nothing that is switched on here reads it. Check the name, or install and switch on the plugin that brings it.',
  zh: '没有选项 {key}：当前启用的功能都不会读取它。请检查名称，或安装并启用提供该选项的插件。',
})
export const preconditionFailed = errorType<{ key: string; needs: string }>(
  'options.precondition',
  400,
  {
    en: '{key} cannot be switched on before {needs} is set',
    zh: '启用 {key} 之前请先设置 {needs}',
  },
)
export const ownerOff = errorType<{ key: string; owner: string }>('options.owner_off', 409, {
  en: '{key} belongs to the plugin "{owner}", which is off. Switch the plugin on first.',
  zh: '{key} 属于插件“{owner}”，该插件未启用。请先启用插件。',
})
export const optionChanged = errorType<{ key: string }>('options.changed', 409, {
  en: '{key} was changed elsewhere meanwhile. Undo your changes to see how it is now.',
  zh: '{key} 已在别处被修改。请撤销修改，查看当前内容。',
})
/** Scripts save many options one by one, so each refusal names its option. */
export const checkFailed = ({ en, zh }: { en: string; zh: string }, field: string) => {
  const named = { en: `${field}: ${en}`, zh: `${field}：${zh}` }
  const text = en.includes(field) ? { en, zh } : named
  return errorType('options.invalid_value', 400, text)({}, { field })
}

export const checkBroken = errorType<{ key: string; owner: string }>('options.check_failed', 400, {
  en: '{key} cannot be checked: the plugin "{owner}" fails to check it. Fix or switch off that plugin.',
  zh: '无法检查 {key}：插件“{owner}”的校验出错。请修复或停用该插件。',
})
