import { narrowedTo, type OptionService, type RelayView } from '#core'
import { personalSearches, type Search } from './find/personal-finders.ts'
import { readPatterns } from './pattern/own-patterns.ts'
import type { PersonalKind } from './schema.ts'

export interface Rules {
  action: 'mask' | 'refuse'
  isRestored: boolean
  searches: readonly Search[]
  isMeant(view: Pick<RelayView, 'group' | 'model'>): boolean
}

const switches: readonly (readonly [option: string, kind: PersonalKind])[] = [
  ['PiiMaskingEmail', 'email'],
  ['PiiMaskingIban', 'iban'],
  ['PiiMaskingChineseId', 'chinese_id'],
  ['PiiMaskingCard', 'card'],
  ['PiiMaskingPhone', 'phone'],
  ['PiiMaskingIp', 'ip'],
]

/** The rules of the options. They are read again when one of these options changes, not for each call. */
export function createRules(options: Pick<OptionService, 'get' | 'onChange'>): () => Rules {
  let rules: Rules | undefined
  options.onChange((key) => {
    if (key.startsWith('PiiMasking')) rules = undefined
  })
  return () => (rules ??= readRules(options))
}

function readRules(options: Pick<OptionService, 'get'>): Rules {
  const own = readPatterns(options.get<string>('PiiMaskingPatterns'))
  return {
    action: options.get<Rules['action']>('PiiMaskingAction'),
    isRestored: options.get<boolean>('PiiMaskingRestore'),
    searches: [
      ...own.map(({ name, find }) => ({ kind: 'custom' as const, name, find })),
      ...switches.flatMap(([option, kind]) =>
        options.get<boolean>(option) ? [personalSearches[kind]] : [],
      ),
    ],
    isMeant: narrowedTo({
      groups: options.get<string>('PiiMaskingGroups'),
      models: options.get<string>('PiiMaskingModels'),
    }),
  }
}
