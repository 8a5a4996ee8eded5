import { Type, type TSchema } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import type { OptionUi } from '../../contract/options.ts'
import { decodeOption } from './option-codec.ts'

const text = (ui: OptionUi): TSchema => Type.String({ default: '', 'x-ui': ui })

describe('the blanks around a text', () => {
  it.each<[string, string, OptionUi, string]>([
    ['are left out on one line', ' https://shop.example/ ', {}, 'https://shop.example/'],
    [
      'are left out of an address',
      ' https://shop.example/ ',
      { url: true },
      'https://shop.example',
    ],
    ['stay in longer texts', 'one \ntwo\n', { widget: 'lines' }, 'one \ntwo\n'],
    ['stay in a page', '  # Notice\n', { widget: 'rich-text' }, '  # Notice\n'],
    ['stay in a secret', ' pass phrase ', { secret: true }, ' pass phrase '],
  ])('%s', (_what, wire, ui, value) => {
    expect(decodeOption('Sample', wire, text(ui))).toBe(value)
  })
})
