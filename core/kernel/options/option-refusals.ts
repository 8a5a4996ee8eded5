import { errorType } from '../../contract/errors.ts'

export const unknownKey = errorType<{ key: string }>('options.unknown_key', 400, {
  en: '{key} is no option name: letters, digits, _ and . are allowed, up to 64',
  zh: '{key} 不是合法的选项名：只能包含字母、数字、_ 和 .，最多 64 个字符',
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
/** Scripts save many options one by one: each refusal says which it is about. */
export const checkFailed = ({ en, zh }: { en: string; zh: string }, field: string) => {
  const named = { en: `${field}: ${en}`, zh: `${field}：${zh}` }
  const text = en.includes(field) ? { en, zh } : named
  return errorType('options.invalid_value', 400, text)({}, { field })
}

export const checkBroken = errorType<{ key: string; owner: string }>('options.check_failed', 400, {
  en: '{key} cannot be checked: the plugin "{owner}" fails at it. Mend or switch off that plugin.',
  zh: '无法检查 {key}：插件“{owner}”的校验出错。请修复或停用该插件。',
})
