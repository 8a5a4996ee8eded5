export type { ShownOptionChange as Change } from '#core'
