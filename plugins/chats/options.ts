import { defineOptions, Type } from '#core'

const MOST_LINKS = 100

const ui = { tab: 'operation', section: 'chats' }

/** Links to chat clients of others; `{address}` and `{key}` in them are filled in by the browser of the person who opens one. */
export const chatOptions = defineOptions(
  {
    Chats: Type.Array(Type.Record(Type.String(), Type.String({ maxLength: 4096 })), {
      default: [],
      maxItems: MOST_LINKS,
      'x-ui': {
        ...ui,
        example: [{ 'My chat': 'https://chat.example.com/?key={key}&url={address}' }],
      },
    }),
    ChatLink: Type.String({ default: '', maxLength: 4096, 'x-ui': ui }),
    ChatLink2: Type.String({ default: '', maxLength: 4096, 'x-ui': ui }),
  },
  { check: checkChatOption },
)

function checkChatOption(key: string, value: unknown): { en: string; zh: string } | undefined {
  if (key !== 'Chats') {
    const isFine = value === '' || isHarmless(String(value))
    return isFine ? undefined : wrongAddress(key)
  }
  for (const entry of value as Record<string, string>[]) {
    const [link, ...more] = Object.entries(entry)
    if (!link || more.length > 0 || link[0].trim() === '') {
      return {
        en: 'Chats is a list of objects, each with one name and its address',
        zh: 'Chats 应为对象列表，每个对象只含一个名称及其地址',
      }
    }
    if (!isHarmless(link[1])) return wrongAddress(link[0])
  }
  return undefined
}

function wrongAddress(name: string) {
  return {
    en: `The address of "${name}" must start with https://, http:// or the name of an app (app://)`,
    zh: `“${name}”的地址必须以 https://、http:// 或应用协议（app://）开头`,
  }
}

/** Opened in the browser of whoever is signed in: an address that would run as a script there is none. Apps have protocols of their own. */
function isHarmless(address: string): boolean {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase()
  return scheme !== undefined && !['javascript', 'data', 'vbscript', 'file'].includes(scheme)
}
