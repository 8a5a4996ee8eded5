import type { Text } from '#core'

const texts = {
  anchor: {
    en: '^ and $ are not supported: the whole text is searched.',
    zh: '此处不支持 ^ 和 $，整段文本都会被搜索。',
  },
  bracket: { en: 'A bracket is not closed, or closes nothing.', zh: '括号不成对。' },
  class: {
    en: 'A class in [ ] is empty or has a range that runs backwards.',
    zh: '[ ] 字符组为空，或范围颠倒。',
  },
  count: {
    en: 'A number in { } is above 64, or the second is below the first.',
    zh: '{ } 中的次数超过 64，或后一个小于前一个。',
  },
  deep: { en: 'Brackets stand too deep in one another.', zh: '括号嵌套过深。' },
  empty: { en: 'It matches an empty text.', zh: '它会匹配空文本。' },
  escape: {
    en: 'Of letters and digits behind a backslash only \\d \\w \\s \\D \\W \\S \\t \\n \\r are known; references back take more than one pass.',
    zh: '反斜杠后的字母数字仅支持 \\d \\w \\s \\D \\W \\S \\t \\n \\r；不支持反向引用，因其无法一遍完成匹配。',
  },
  large: {
    en: 'It is too large: at most 200 characters, and repeats multiply.',
    zh: '过长：最多 200 个字符，重复次数会相乘。',
  },
  lazy: {
    en: 'A repeat takes as much as it can; *? and *+ are not known.',
    zh: '重复总是尽量多匹配，不支持 *? 和 *+。',
  },
  look: {
    en: 'Of groups only ( ) and (?: ) are known: looking ahead or behind takes more than one pass.',
    zh: '分组仅支持 ( ) 和 (?: )；不支持环视，因其无法一遍完成匹配。',
  },
  repeat: {
    en: 'A repeat (* + ? { }) has nothing to repeat.',
    zh: '重复符号（* + ? { }）前没有可重复的内容。',
  },
} as const satisfies Record<string, Text>

/** Why a pattern is refused. */
export class PatternFault extends Error {
  readonly text: Text

  constructor(reason: keyof typeof texts) {
    super(texts[reason].en)
    this.name = 'PatternFault'
    this.text = texts[reason]
  }
}
