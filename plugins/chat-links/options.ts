import { defineOptions, type Text, Type, webAddressFault } from '#core'

const ui = { 'x-ui': { tab: 'operation', section: 'chats' } }
const site = { default: '', maxLength: 2048, 'x-ui': { ...ui['x-ui'], url: true } }

/** A script or a document in the address would run as the console's own. */
const closedSchemes = /^(?:javascript|data|vbscript|blob|file|about):/i
const scheme = /^[a-z][a-z\d+.-]*:/i
const mostLinks = 100
const longestName = 80

export const chatOptions = defineOptions(
  {
    /** `[{"Name": "https://host/?key={key}&url={address}"}, …]` */
    Chats: Type.Array(Type.Record(Type.String(), Type.String({ maxLength: 4096 })), {
      default: [],
      maxItems: mostLinks,
      'x-ui': {
        ...ui['x-ui'],
        example: [{ 'My chat': 'https://chat.example.com/?key={key}&url={address}' }],
      },
    }),
    ChatLink: Type.String(site),
    ChatLink2: Type.String(site),
  },
  { check },
)

function check(key: string, value: unknown): Text | undefined {
  if (key === 'Chats' && Array.isArray(value)) {
    for (const [at, entry] of value.entries()) {
      const fault = entryFault(Object.entries(entry as Record<string, string>))
      if (fault) return { en: `Entry ${at + 1} ${fault.en}`, zh: `第 ${at + 1} 项${fault.zh}` }
    }
  }
  return key === 'Chats' ? undefined : webAddressFault(key, String(value))
}

function entryFault(pairs: [string, string][]): Text | undefined {
  const [pair] = pairs
  if (!pair || pairs.length !== 1) {
    return { en: 'must be one name with one address.', zh: '必须只有一个名称和一个地址。' }
  }
  const [name, address] = pair
  if (name.trim() === '' || name.length > longestName) {
    return {
      en: `must have a name of 1 to ${longestName} characters.`,
      zh: `的名称须为 1 到 ${longestName} 个字符。`,
    }
  }
  if (!scheme.test(address) || closedSchemes.test(address)) {
    return {
      en: 'must have an address with https:// or the scheme of an app.',
      zh: '的地址须以 https:// 或应用协议开头。',
    }
  }
  return undefined
}
